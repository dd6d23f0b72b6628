"""What a caller may choose for tables, checked: setup, seeds, reward, one of several words."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from miaui_env.game import Game, Setup

REWARDS = ("win", "margin", "points")
ILLEGAL_POLICIES = ("raise", "replace", "forfeit")


def setup_of(game: str | Game | Setup, num_players: int | None = None, **options: Any) -> Setup:
    """A setup from the name of a game (or the game itself) and options, or the setup given.

    The name of a configuration stands for its setup; `perfect_recall` may still be chosen.
    """
    if isinstance(game, str):
        from miaui_env.registry import configurations, configured, find, games

        if game not in games() and game in configurations():
            game = configured(game, perfect_recall=options.pop("perfect_recall", False))
        else:
            game = find(game)
    if isinstance(game, Setup):
        if num_players is not None or options:
            raise ValueError("a complete setup takes no further seats or options")
        return game
    return Setup.of(game, num_players, **options)


def seeds_of(seed: int | np.ndarray, tables: int) -> np.ndarray:
    """Row i begins with seed + i; uint64 `(tables,)`. ValueError for what is no seed."""
    if isinstance(seed, np.ndarray) and seed.ndim:
        if seed.shape != (tables,) or seed.dtype.kind not in "iu":
            raise ValueError(f"seed is a number or one a table, not {seed.dtype} {seed.shape}")
        return seed.astype(np.uint64)
    try:
        first = operator.index(seed) & 0xFFFFFFFFFFFFFFFF
    except TypeError:
        raise ValueError(f"seed is a whole number, not {seed!r}") from None
    return np.arange(tables, dtype=np.uint64) + np.uint64(first)


def reward_weights(reward: str | Mapping[str, float]) -> np.ndarray:
    """Weights of win, margin and points; float64 `(3,)`."""
    if isinstance(reward, str):
        reward = {one_of("reward", reward, REWARDS): 1.0}
    for name in reward:
        one_of("reward", name, REWARDS)
    return np.array([float(reward.get(name, 0.0)) for name in REWARDS])


def one_a_table(chosen: np.ndarray, tables: int) -> np.ndarray:
    """Which tables: bool `(tables,)`, checked."""
    chosen = np.asarray(chosen, np.bool_)
    if chosen.shape != (tables,):
        raise ValueError(f"chosen is bool ({tables},), not of shape {chosen.shape}")
    return chosen


def one_or_more(what: str, number: float) -> int:
    """A number of things, checked."""
    if not number >= 1:
        raise ValueError(f"{what} is 1 or more, not {number!r}")
    return int(number)


def one_of(what: str, value: str, allowed: tuple[str, ...]) -> str:
    """`value` if it is allowed, else a ValueError that lists what is."""
    if value not in allowed:
        raise ValueError(f"{what} is one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value
