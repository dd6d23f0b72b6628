"""The code cache: every edit is seen, every game has its own code, and no damage stops play.

Each test writes a small module of kernels into a folder, runs it in a fresh process, and looks at
what it prints and which folders the cache then holds.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import config

import miaui_env
from miaui_env.engine import compile as compiling
from miaui_env.engine.loops import engine_of

LOOP = """
def total(numbers):
    out = 0
    for i in range(len(numbers)):
        out += worth(numbers[i])
    return out
"""
KERNELS = """
from enum import IntEnum
import numpy as np
from miaui_env.engine.compile import kernel

class Coin(IntEnum):
    GOLD = 10

TABLE = np.array([1, 2, 3])

@kernel
def inner(x):
    return x + 1

@kernel
def worth(x):
    return inner(x) * Coin.GOLD + TABLE[0]

@kernel
def other_worth(x):
    return -x
"""
MAIN = """
import sys
import numpy as np
from miaui_env.engine.compile import specialise
from loop import total
import kernels
run = specialise(total, sys.argv[1], worth=getattr(kernels, sys.argv[2]))
print(run(np.arange(4)))
"""
# inner(0..3) = 1..4, times 10 = 100, plus 4 · TABLE[0] = 4.
AS_WRITTEN = "104"


class Project:
    """A folder with the modules above and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        for name, text in (("loop", LOOP), ("kernels", KERNELS), ("main", MAIN)):
            (folder / f"{name}.py").write_text(text)

    def start(
        self, name: str = "one", worth: str = "worth", **environment: str
    ) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(self.folder), str(Path(miaui_env.__file__).parents[1])])
        return subprocess.Popen(
            [sys.executable, str(self.folder / "main.py"), name, worth],
            env={
                **os.environ,
                "NUMBA_CACHE_DIR": str(self.cache),
                "PYTHONPATH": path,
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, name: str = "one", worth: str = "worth", **environment: str) -> tuple[str, str]:
        process = self.start(name, worth, **environment)
        out, errors = process.communicate()
        assert process.returncode == 0, errors
        return out.strip(), errors

    def edit(self, old: str, new: str) -> None:
        path = self.folder / "kernels.py"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    @property
    def folders(self) -> set[str]:
        return {path.name for path in self.cache.iterdir() if path.is_dir()}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_second_process_loads_what_the_first_compiled(project: Project) -> None:
    assert project.run()[0] == AS_WRITTEN
    files = {path: path.stat().st_mtime_ns for path in project.cache.rglob("*.nb?")}
    assert files
    assert project.run()[0] == AS_WRITTEN
    assert {path: path.stat().st_mtime_ns for path in project.cache.rglob("*.nb?")} == files


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return x + 1", "return x + 2", "144"),  # (2+3+4+5) · 10 + 4: a callee's callee
        ("GOLD = 10", "GOLD = 20", "204"),  # 10 · 20 + 4
        ("[1, 2, 3]", "[5, 2, 3]", "120"),  # 100 + 4 · 5
    ],
    ids=["callee", "enum", "array"],
)
def test_an_edit_is_seen_and_taking_it_back_finds_the_old_code(
    project: Project, old: str, new: str, expected: str
) -> None:
    assert project.run()[0] == AS_WRITTEN
    before = project.folders
    project.edit(old, new)
    assert project.run()[0] == expected
    after = project.folders
    assert len(after) == len(before) + 1
    project.edit(new, old)
    assert project.run()[0] == AS_WRITTEN
    assert project.folders == after


def test_two_games_of_the_same_shape_get_their_own_code(project: Project) -> None:
    assert project.run("same", "worth")[0] == AS_WRITTEN
    assert project.run("same", "other_worth")[0] == "-6"
    assert project.run("same", "worth")[0] == AS_WRITTEN
    assert len(project.folders) == 2


def test_checked_bounds_are_other_code(project: Project) -> None:
    project.run()
    project.run(NUMBA_BOUNDSCHECK="1")
    assert len(project.folders) == 2


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_truncated_file_is_thrown_away(project: Project, ending: str) -> None:
    project.run()
    (damaged,) = project.cache.rglob(f"*.{ending}")
    damaged.write_bytes(damaged.read_bytes()[:40])
    assert project.run()[0] == AS_WRITTEN
    (mended,) = project.cache.rglob(f"*.{ending}")
    assert mended.stat().st_size > 40


def test_nowhere_to_write_compiles_with_one_warning(project: Project) -> None:
    project.cache.write_text("a file where the folder should be")
    out, errors = project.run()
    assert out == AS_WRITTEN
    assert len(re.findall("RuntimeWarning", errors)) == 1
    assert "NUMBA_CACHE_DIR" in errors


def test_four_processes_at_once_agree(project: Project) -> None:
    processes = [project.start() for _ in range(4)]
    assert [process.communicate()[0].strip() for process in processes] == [AS_WRITTEN] * 4
    assert len(project.folders) == 1


def test_without_the_jit_it_is_plain_python(project: Project) -> None:
    assert project.run(NUMBA_DISABLE_JIT="1")[0] == AS_WRITTEN
    assert not project.cache.exists()


def test_a_kernel_may_not_read_what_the_cache_cannot_see(project: Project) -> None:
    project.edit("TABLE = np.array([1, 2, 3])", "TABLE = [1, 2, 3]")
    process = project.start()
    _, errors = process.communicate()
    assert process.returncode != 0
    assert "'TABLE', a list" in errors


def test_the_default_root_is_the_users_own(tmp_path: Path) -> None:
    code = "from miaui_env.engine.compile import cache_root; print(cache_root())"
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout
    root = Path(out.strip())
    assert tmp_path in root.parents
    assert root.stat().st_mode & 0o077 == 0


def test_only_the_newest_folders_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "KEPT_FOLDERS", 3)
    for age, name in enumerate(["newest", "newer", "new", "old", "older"]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (10_000 - age, 10_000 - age))
    compiling._prune(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"newest", "newer", "new"}


COMPILES = r"(?<!jax\.)\b(n?jit|vectorize|jitclass)\(|@(nb\.|numba\.)?n?jit\b"
"""Numba's decorators; a peer that the benchmark measures compiles by JAX."""


def test_njit_stands_in_one_file_only() -> None:
    root = Path(miaui_env.__file__).parent
    users = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if re.search(COMPILES, path.read_text())
    ]
    floor = "benchmark/speed/starting.py"  # a script that measures numba's own cache, beside ours
    assert sorted(users) == [floor, "engine/compile.py"]


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled then")
@pytest.mark.parametrize("game", miaui_env.games())
def test_every_loop_has_exactly_one_signature(game: str) -> None:
    for seats in miaui_env.find(game).players:
        tables = miaui_env.Tables(game, 3, seats)
        tables.reset()
        tables.observe(0, 0), tables.survey(0)
        for _ in range(2 * tables.setup.longest):
            tables.step(tables.random_actions())
    loops = vars(engine_of(miaui_env.find(game))).values()
    compiled = {loop.__name__: loop.compiled for loop in loops if loop.compiled is not None}
    assert {f"{game}.serve", f"{game}.tell_all"} <= set(compiled)  # all that was asked for above
    assert all(len(dispatcher.signatures) == 1 for dispatcher in compiled.values())
    assert np.all(tables.illegal == 0)


def reached_with_records(loop: Any) -> set[str]:
    """Names of all that a loop compiles in the engine for a game's records."""
    found, waiting = set(), [loop.function]
    while waiting:
        body = waiting.pop()
        label = f"{body.__module__}.{body.__qualname__}"
        takes = body.__code__.co_varnames[: body.__code__.co_argcount]
        if label not in found and body.__module__.startswith("miaui_env.engine"):
            found |= {label} if {"state", "states", "desk", "desks"} & set(takes) else set()
            called = (body.__globals__.get(name) for name in body.__code__.co_names)
            waiting += [getattr(f, "py_func", f) for f in called if hasattr(f, "py_func")]
    return found


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled then")
def test_no_two_games_share_the_name_of_a_kernel_that_takes_their_records() -> None:
    """On disk code of many processes lies side by side, and numba's names for records repeat."""
    alike = (miaui_env.find(name) for name in ("lucky_catch", "showcase"))  # both in turns
    engines = [vars(engine_of(game)) for game in alike]
    one, other = (
        {name for loop in engine.values() for name in reached_with_records(loop)}
        for engine in engines
    )
    assert len(one) == len(other) > 8 and not one & other
