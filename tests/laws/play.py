"""Every game, in every variant, at every decision of random play."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

import miaui_env
from miaui_env import Game, Setup, Tables


def variants(game: Game) -> list[dict[str, Any]]:
    """All combinations of the game's yes-or-no options."""
    names = [o.name for o in dataclasses.fields(game.options) if isinstance(o.default, bool)]
    return [
        dict(zip(names, chosen, strict=True))
        for chosen in itertools.product([False, True], repeat=len(names))
    ]


def setups() -> list[Setup]:
    """Each game with each number of seats, variant and recall mode."""
    return [
        Setup.of(game, number, perfect_recall=recall, **options)
        for game in map(miaui_env.find, miaui_env.games())
        for number in game.players
        for options in variants(game)
        for recall in (False, True)
    ]


def name_of(setup: Setup) -> str:
    chosen = [name for name, value in setup.description.items() if value is True]
    return "-".join([setup.game.name, str(setup.num_players), *chosen])


def decisions(setup: Setup, tables: int = 3, seed: int = 0) -> Iterator[Tables]:
    """Tables in random play; in games of simultaneous choice half of the seats commit at a time."""
    playing = Tables(setup, tables, seed=seed, auto_reset=False)
    playing.reset()
    yield playing
    for step in range(2 * setup.longest * (1 if setup.game.simultaneous else setup.num_players)):
        actions = playing.random_actions()
        if setup.game.simultaneous and step % 2 == 0:
            actions[:, step // 2 % setup.num_players :: 2] = -1
        playing.step(actions)
        yield playing
        if np.all(playing.states["over"]):
            return
