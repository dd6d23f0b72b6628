"""Kernels are parts of loops: private there, callable from Python, honest about memory."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from llvmlite.binding import Linkage
from numba import config

from miaui_env.engine import compile as compiling
from miaui_env.engine.compile import Loop, allocating, kernel, specialise
from tests.engine.test_compile import Project

compiled_only = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled then")


@kernel
def doubled(number: int) -> int:
    return 2 * number


@kernel
def doubled_twice(number: int) -> int:
    return doubled(doubled(number))


@allocating
def counted_up(number: int) -> int:
    return int(np.arange(number).sum())


def add_up(numbers: np.ndarray) -> int:
    total = 0
    for i in range(len(numbers)):
        total += doubled_twice(numbers[i]) + counted_up(numbers[i])
    return total


@pytest.fixture
def uncached(monkeypatch: pytest.MonkeyPatch) -> Loop:
    """The loop above, compiled here: of code from disk numba tells nothing."""
    monkeypatch.setattr(compiling, "cache_root", lambda: None)
    loop = specialise(add_up, "parts")
    assert loop(np.array([1, 3])) == 4 * (1 + 3) + (0 + 0 + 1 + 2)
    assert isinstance(loop, Loop)
    return loop


@compiled_only
def test_no_part_of_a_loop_has_a_name_outside(uncached: Loop) -> None:
    """Else code on disk from several processes would meet under one name, see `loops.rebuilt`."""
    assert uncached.compiled is not None
    (result,) = uncached.compiled.overloads.values()
    functions = list(result.library.get_defined_functions())
    outside = [function.name for function in functions if function.linkage != Linkage.private]
    assert sorted("cpython" in name for name in outside) == [False, True]
    assert all("add_up" in name for name in outside)


@compiled_only
def test_a_kernel_is_not_translated_by_itself_until_python_calls_it(uncached: Loop) -> None:
    assert "_alone" not in vars(doubled_twice)
    assert doubled_twice(5) == 20
    assert doubled_twice.__name__ == "doubled_twice"


def test_a_kernel_is_copied_and_pickled_by_name() -> None:
    assert copy.deepcopy(doubled) is doubled
    assert pickle.loads(pickle.dumps(doubled)) is doubled


# --- as a process of its own ----------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def failure(project: Project, **environment: str) -> str:
    process = project.start(**environment)
    _, errors = process.communicate()
    assert process.returncode != 0
    return errors


def test_a_kernel_that_allocates_must_say_so(project: Project) -> None:
    project.edit("return x + 1", "return x + np.ones(1, np.int64)[0]")
    assert "mark it with `allocating`" in failure(project)
    project.edit("import kernel", "import allocating, kernel")
    project.edit("@kernel\ndef inner", "@allocating\ndef inner")
    assert project.run()[0] == "104"


@pytest.mark.parametrize("index", ["x + 1", "x - 1"], ids=["behind", "before"])
def test_bounds_are_checked_where_that_is_asked_for(project: Project, index: str) -> None:
    """X is 0 … 3, and there are three entries; the last one is not meant by -1, either."""
    project.edit("return x + 1", f"return TABLE[{index}]")
    assert "IndexError" in failure(project, NUMBA_BOUNDSCHECK="1")
