"""Seconds from starting Python to the first step: with nothing compiled, and after that."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from miaui_env.benchmark.speed.run import Run, Turns

IMPORTS = "import gymnasium, numba, pettingzoo"
FLOOR = f"""
{IMPORTS}
@numba.njit(cache=True)
def successor(number):
    return number + 1
successor(1)
"""
PACKAGE = "import miaui_env"
TABLES = """
import miaui_env
tables = miaui_env.Tables({game!r}, 1)
tables.reset()
tables.step(tables.random_actions())
"""
AEC = """
import miaui_env
env = miaui_env.make({game!r}, "aec")
env.reset(seed=0)
observation, *_ = env.last()
env.step(observation["action_mask"].argmax())
env.last()
"""
SCRIPTS = {
    "imports": IMPORTS,
    "floor": FLOOR,
    "import miaui_env": PACKAGE,
    "tables": TABLES,
    "aec": AEC,
}
WHAT = {
    "imports": "import numba, gymnasium and pettingzoo",
    "floor": "these, and one trivial kernel from numba's own cache",
    "import miaui_env": "import miaui_env",
    "tables": "`Tables` of one, to the end of its first step of random actions",
    "aec": "the AEC environment, to the observation after its first step",
}
COLD = ("tables", "aec")
"""What is started with nothing compiled, too."""


def measure(run: Run) -> dict[str, Any]:
    """Seconds of fresh processes, in turns; cold ones, which take long, at most three times."""
    run.say("fresh processes with nothing compiled, then warm ones")
    with tempfile.TemporaryDirectory(prefix="miaui-bench-") as folder:
        scripts = _written(run, Path(folder))
        cold = _cold(run, scripts, Path(folder))
        warm = _warm(run, scripts, Path(folder) / "kept")
    return {
        "what": WHAT,
        "warm": {name: warm.spread(name) for name in SCRIPTS},
        "to_floor": {name: warm.ratio(name, "floor") for name in COLD},
        "cold": {name: cold.spread(name) for name in COLD},
        "cold_to_imports": {name: cold.ratio(name, "imports") for name in COLD},
    }


def _written(run: Run, folder: Path) -> dict[str, Path]:
    """The scripts as files: numba keeps machine code only of what lies in one."""
    files = {name: folder / f"{name.replace(' ', '_')}_.py" for name in SCRIPTS}
    for name, file in files.items():
        file.write_text(SCRIPTS[name].format(game=run.game.name), encoding="utf-8")
    return files


def _warm(run: Run, scripts: dict[str, Path], kept: Path) -> Turns:
    for script in scripts.values():
        _seconds(script, kept)
    measured: dict[str, list[float]] = {name: [] for name in scripts}
    for _ in range(run.repeats):
        for name, script in scripts.items():
            measured[name].append(_seconds(script, kept))
    return Turns(measured)


def _cold(run: Run, scripts: dict[str, Path], folder: Path) -> Turns:
    measured: dict[str, list[float]] = {name: [] for name in ("imports", *COLD)}
    for turn in range(1 if run.quick else min(run.repeats, 3)):
        for name, figures in measured.items():
            figures.append(_seconds(scripts[name], folder / f"cold-{name}-{turn}"))
    return Turns(measured)


def _seconds(script: Path, cache: Path) -> float:
    """Of a whole process whose compiled code lies in `cache`.

    Python's own bytecode is kept beside the sources, as an installation leaves it.
    """
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = time.perf_counter()
    subprocess.run([sys.executable, str(script)], env=environment, check=True)
    return time.perf_counter() - begun
