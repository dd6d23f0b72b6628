"""How NashConv falls as an algorithm goes on, on a game small enough to solve: one JSON a curve."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from miaui_env.benchmark.result import versions
from miaui_env.registry import configured

SCHEMA = "miaui_env.curve/1"
Point = tuple[int, float]
"""Iterations or decisions so far, and the NashConv of what they led to."""


def curve(
    algorithm: str, game: str, unit: str, settings: Mapping[str, Any], libraries: Mapping[str, str]
) -> dict[str, Any]:
    """A curve without a run yet.

    Args:
        algorithm: as tables shall call it.
        game: name of a configuration.
        unit: of what goes on, "iterations" or "decisions".
        settings: all that a run depends on, beside its seed.
        libraries: versions of what ran it, beside those that all results depend on.
    """
    setup = configured(game)
    told = {
        "schema": SCHEMA,
        "algorithm": algorithm,
        "configuration": game,
        "game": setup.game.name,
        "game_version": setup.game.version,
        "setup": setup.description,
        "unit": unit,
        "settings": settings,
        "versions": {**versions(), **libraries},
        "runs": [],
    }
    plain: dict[str, Any] = json.loads(json.dumps(told))
    return plain


def add_run(
    told: dict[str, Any], seed: int | None, points: Sequence[Point], seconds: float
) -> None:
    """Add a run; `seed` is None where nothing is drawn, `seconds` are all that it took."""
    run = {"seed": seed, "points": [list(p) for p in points], "seconds": round(seconds, 1)}
    told["runs"].append(run)


def seeds_of(told: Mapping[str, Any]) -> list[int | None]:
    """Of the runs so far."""
    return [run["seed"] for run in told["runs"]]


def last(told: Mapping[str, Any]) -> list[float]:
    """NashConv at the end of each run."""
    return [float(run["points"][-1][1]) for run in told["runs"]]
