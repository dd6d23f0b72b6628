"""The phases of a game, as random games show them: who decides, and what about."""

from __future__ import annotations

import collections
from dataclasses import dataclass, field

import numpy as np

from miaui_env import Setup, Tables
from tests.pages.verbs import verb_of

GAMES = 50
SEED = 7


@dataclass
class Phase:
    """What was met in it."""

    decisions: int = 0
    verbs: collections.Counter[str] = field(default_factory=collections.Counter)
    choices: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Phases:
    """A table, ready to be written."""

    rows: list[tuple[str, ...]]
    heading: tuple[str, ...] = ("phase", "decisions of a seat", "may do", "legal actions")
    games: int = GAMES


def phases(setup: Setup) -> Phases:
    """The phases by the view's own name for them; a game that names none has a single one."""
    met = played(setup)
    names = verb_of(setup)
    order = {verb: names.index(verb) for verb in names}
    return Phases([row(setup, name, phase, order) for name, phase in met.items()])


def played(setup: Setup) -> dict[str, Phase]:
    """Name → what was met, in the order in which they come up."""
    names, met = np.array(verb_of(setup)), collections.defaultdict[str, Phase](Phase)
    tables = Tables(setup, GAMES, seed=SEED, auto_reset=False)
    tables.reset()
    while np.any(tables.to_act):
        for table, seat in np.argwhere(tables.to_act).tolist():
            legal = np.flatnonzero(tables.action_masks[table, seat])
            phase = met[tables.view(table, seat).get("phase", "every decision")]
            phase.decisions += 1
            phase.verbs.update(set(names[legal].tolist()))
            phase.choices.append(len(legal))
        tables.step(tables.random_actions())
    return met


def row(setup: Setup, name: str, phase: Phase, order: dict[str, int]) -> tuple[str, ...]:
    """One phase."""
    decisions = phase.decisions / GAMES / setup.num_players
    may = ", ".join(f"`{verb}`" for verb in sorted(phase.verbs, key=order.__getitem__))
    few, many = min(phase.choices), max(phase.choices)
    span = str(few) if few == many else f"{few} to {many}, {np.mean(phase.choices):.0f} on average"
    return name, f"{decisions:.1f} a game", may, span
