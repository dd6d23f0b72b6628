"""Seeds play today what they played when the hashes were written, in every process and way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from miaui_env import games
from tests import seed_hashes

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", games())
def test_a_hundred_seeds_play_what_they_always_played(name: str) -> None:
    assert seed_hashes.hashes(name) == seed_hashes.written(name), "see tests/seed_hashes.py"
    assert len(set(seed_hashes.written(name))) == 100


@pytest.mark.parametrize("environment", [{"NUMBA_DISABLE_JIT": "1"}, {"PYTHONHASHSEED": "11"}])
def test_other_processes_play_the_same(environment: dict[str, str]) -> None:
    script = (
        "import json; from miaui_env import games; from tests.adapters.play import digest\n"
        "told = {name: [digest(name, s, episodes=1) for s in (0, 1)] for name in games()}\n"
        "print(json.dumps(told))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", script],
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {name: seed_hashes.written(name)[:2] for name in games()}
