"""How fast the environments are here, part by part; what `miaui bench` tells."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import Any

from miaui_env.benchmark.speed.driving import A_DECISION
from miaui_env.benchmark.speed.machine import machine, versions
from miaui_env.benchmark.speed.run import Absent, Run

__all__ = ["SCHEMA", "SECTIONS", "Run", "machine", "measure", "versions"]

SCHEMA = "miaui_env.speed/2"
SECTIONS = {
    "start": ("starting", "measure"),
    "memory": ("memory", "measure"),
    "beside_c": ("tables", "measure_beside_c"),
    "tables": ("tables", "measure"),
    "interfaces": ("interfaces", "measure"),
    "states": ("states", "measure"),
    "learning": ("learning", "measure"),
    "peers": ("peers", "measure"),
}
"""Section of the report → the module here and its function `(run)` that measure it."""


def measure(run: Run, only: Collection[str] = ()) -> dict[str, Any]:
    """Everything that `miaui bench` tells, as JSON-able values.

    Args:
        run: what is measured, and how often.
        only: names of `SECTIONS`; none for all.

    Raises:
        ValueError: for a section that there is not.
    """
    for name in only:
        if name not in SECTIONS:
            raise ValueError(f"no section {name!r}; there are {', '.join(SECTIONS)}")
    sections = {name: _section(run, name) for name in SECTIONS if not only or name in only}
    return {
        "schema": SCHEMA,
        "game": run.game.name,
        "game_version": run.game.version,
        "machine": machine(),
        "versions": versions(),
        "repeats": run.repeats,
        "quick": run.quick,
        "decision": A_DECISION,
        "sections": {name: told for name, told in sections.items() if told is not None},
        "skipped": run.skipped,
    }


def _section(run: Run, name: str) -> dict[str, Any] | None:
    """What one section tells; None, and a note in `run.skipped`, where it cannot be measured."""
    module, function = SECTIONS[name]
    try:
        part = importlib.import_module(f"{__name__}.{module}")
        told: dict[str, Any] = getattr(part, function)(run)
    except (Absent, ImportError) as missing:
        run.skipped[name] = str(missing)
        return None
    return told
