"""A training step by its parts, measured by `training/speed.py` in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

from miaui_env.benchmark.speed.run import Absent, Run


def measure(run: Run) -> dict[str, Any]:
    """What `python -m training.speed` tells.

    Raises:
        Absent: outside a checkout, or without what training needs.
    """
    if find_spec("training") is None:
        raise Absent("training is no part of the package: run it in a checkout")
    run.say("training steps")
    command = [sys.executable, "-m", "training.speed", run.game.name, str(run.repeats)]
    told = subprocess.run(
        [*command, *["quick"] * run.quick], capture_output=True, text=True, check=False
    )
    if told.returncode:
        raise Absent((told.stderr.strip() or "it said nothing").splitlines()[-1])
    report: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return report
