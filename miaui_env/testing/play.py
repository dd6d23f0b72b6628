"""What the laws share: setups to try, random play over tables, and how a broken law is told."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup


class LawBroken(AssertionError):
    """A game does not obey a law."""

    def __init__(self, setup: Setup, where: str, problem: str) -> None:
        """Say at which table, at which point of a game, and what was found."""
        super().__init__(f"{problem} [{name_of(setup)}, {where}]")


def variants(game: Game) -> list[dict[str, Any]]:
    """All combinations of the game's yes-or-no options."""
    names = [o.name for o in dataclasses.fields(game.options) if isinstance(o.default, bool)]
    return [
        dict(zip(names, chosen, strict=True))
        for chosen in itertools.product([False, True], repeat=len(names))
    ]


def setups_of(game: Game) -> list[Setup]:
    """A game with each number of seats, variant and recall mode."""
    return [
        Setup.of(game, number, perfect_recall=recall, **options)
        for number in game.players
        for options in variants(game)
        for recall in (False, True)
    ]


def name_of(setup: Setup) -> str:
    """The game, its seats, and the options that are on."""
    chosen = [name for name, value in setup.description.items() if value is True]
    return "-".join([setup.game.name, str(setup.num_players), *chosen])


def where(tables: Tables, table: int = 0) -> str:
    """A point of a game that anybody can find again."""
    return (
        f"seed {int(tables.seeds[table])}, episode {int(tables.episodes[table])}, "
        f"turn {int(tables.states['turn'][table])}, to act {deciders(tables, table)}"
    )


def deciders(tables: Tables, table: int = 0) -> list[int]:
    """Seats that owe an action."""
    return [int(seat) for seat in np.flatnonzero(tables.to_act[table])]


def decisions(setup: Setup, tables: int = 1, seed: int = 0, **arguments: Any) -> Iterator[Tables]:
    """Tables at every point of random games; of those who choose at once, some wait."""
    playing = Tables(setup, tables, seed=seed, auto_reset=False, **arguments)
    playing.reset()
    step = 0
    while True:
        yield playing
        if np.all(playing.states["over"]):
            return
        actions = playing.random_actions()
        if step % 2 == 0:
            hold_back(playing, actions, step // 2)
        playing.step(actions)
        step += 1


def hold_back(tables: Tables, actions: np.ndarray, parity: int) -> None:
    """Where several seats owe an action, let every second one of them wait."""
    several = tables.to_act.sum(1) > 1
    waiting = (np.arange(actions.shape[1]) + parity) % 2 == 0
    actions[np.outer(several, waiting)] = -1
