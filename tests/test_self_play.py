"""The tutorial of docs/self_play.md is short, and runs as it stands for two thousand steps."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")
PAGE = (Path(__file__).parents[1] / "docs" / "self_play.md").read_text()


def test_the_tutorial_runs(tmp_path: Path) -> None:
    (tutorial,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(tutorial.splitlines()) <= 40
    short = tutorial.replace("400_000, 10", "2_000, 2").replace("num_tables=128", "num_tables=32")
    assert short.count("2_000") == 1 and short.count("=32") == 1
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", short],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("against three of")]
    assert [line.split()[3] for line in lines] == ["random:", "greedy:"]
    assert all(re.search(r"wins 0\.\d\d \[", line) for line in lines)
