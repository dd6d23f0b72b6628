"""Hidden-information tabletop games as environments for reinforcement learning.

from miaui_env import miaui_v0

env = miaui_v0.env(num_players=4)
"""

from __future__ import annotations

from typing import Any

from miaui_env.engine.rng import keys
from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup
from miaui_env.infosets import infoset_key
from miaui_env.recall import Recall
from miaui_env.registry import entry, find, games, make, pettingzoo_names, register
from miaui_env.registry import register_with_gymnasium as _register_with_gymnasium

__version__ = "0.1.0"
__all__ = [
    "Game",
    "Recall",
    "Setup",
    "Tables",
    "find",
    "games",
    "infoset_key",
    "keys",
    "load_bot",
    "make",
    "register",
]

_register_with_gymnasium()


def __getattr__(name: str) -> Any:
    """`miaui_v0` and its like, one for each game; `load_bot`, which loads what it needs late."""
    if name == "load_bot":
        from miaui_env.bots import load_bot

        return load_bot
    if name in pettingzoo_names():
        return entry(name)
    raise AttributeError(
        f"module {__name__!r} has no {name!r}; games: {', '.join(pettingzoo_names())}"
    )
