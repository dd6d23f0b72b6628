"""Weaker copies of a bot for the ladder: `greedy~0.1` is greedy with every tenth move at random."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from miaui_env.bots import Bot, load_bot
from miaui_env.bots.simple import random_bot
from miaui_env.engine.rng import mixed
from miaui_env.game import Setup

_WHETHER, _WHICH = 1, 2
"""Purposes of the two keys that a decision's own key is split into."""


class NoisyBot(Bot):
    """Plays as another bot does, but some moves, chosen by their keys, uniformly at random."""

    def __init__(self, bot: Bot, rate: float) -> None:
        """`rate` is the share of random moves, 0 to 1; ValueError for another number."""
        if not 0.0 <= rate <= 1.0:
            raise ValueError(f"the share of random moves is 0 to 1, not {rate!r}")
        self.bot, self.rate = bot, rate
        self.name, self.perfect_recall = f"{bot.name}~{rate:g}", bot.perfect_recall
        self.plays_either, self.deterministic = bot.plays_either, bot.deterministic
        self._random = random_bot()

    def recall_at(self, setup: Setup) -> bool | None:
        """The inner bot's wish."""
        return self.bot.recall_at(setup)

    def fitted(self, setup: Setup) -> Bot:
        """The inner bot fitted, with the same noise."""
        return NoisyBot(self.bot.fitted(setup), self.rate)

    def begin(self, batch: int) -> Any:
        """The inner bot's memory."""
        return self.bot.begin(batch)

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """One action a row, see `Bot.act`; the inner bot sees every row, to remember it."""
        strays = (mixed(keys, _WHETHER) >> np.uint64(11)) * 2.0**-53 < self.rate
        actions = np.array(self.bot.act(observations, action_masks, keys, memory))
        if strays.any():
            rows = observations[strays], action_masks[strays], mixed(keys[strays], _WHICH)
            actions[strays] = self._random.act(*rows)
        return actions

    def probabilities(
        self, observations: np.ndarray, action_masks: np.ndarray
    ) -> np.ndarray | None:
        """The inner bot's and uniform ones, mixed; None where the inner bot cannot tell."""
        inner = self.bot.probabilities(observations, action_masks)
        uniform = self._random.probabilities(observations, action_masks)
        if inner is None or uniform is None:
            return None
        return (1.0 - self.rate) * inner + self.rate * uniform


def arena_bot(name: str | Path) -> Bot:
    """A bot by name as `load_bot` takes it, or `NAME~RATE` for that bot with random moves.

    Raises:
        ValueError: for an unknown name or a rate outside 0 to 1.
    """
    base, tilde, rate = str(name).rpartition("~")
    if tilde and base and _is_number(rate):
        return NoisyBot(load_bot(base), float(rate))
    return load_bot(name)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
