"""The oldest releases that pyproject.toml allows, for pip: `python -m tests.floors`.

One line for each dependency of the package and of the extra that draws. `make oldest` plays under
them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def floors() -> list[str]:
    """`numpy==2.0`, …: each lower bound as a pin; ValueError for a dependency without one."""
    project = tomllib.loads(PROJECT.read_text())["project"]
    wanted: list[str] = project["dependencies"] + project["optional-dependencies"]["render"]
    if loose := [one for one in wanted if ">=" not in one]:
        raise ValueError(f"pyproject.toml names no oldest release of {', '.join(loose)}")
    return [one.replace(">=", "==") for one in wanted]


if __name__ == "__main__":
    print("\n".join(floors()))
