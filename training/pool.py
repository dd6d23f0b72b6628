"""Frozen earlier selves: copies, whose weights never move, and few enough to fit in memory."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import torch
from torch import Tensor

from miaui_env.bots import Bot
from miaui_env.bots.exported import chosen, likelihoods
from miaui_env.engine.rng import mixed
from training.config import PoolConfig
from training.policy import MaskedPolicy, put_weights, weights_of

SEATING = 1 << 40
"""Purpose of the luck in who is seated; see `rng.draw`."""


class PolicyBot(Bot):
    """A network of its own at a seat: a copy, which learns nothing."""

    def __init__(self, policy: MaskedPolicy, name: str, temperature: float = 1.0) -> None:
        """Copy the network; at temperature 0 it plays the move it likes best."""
        self.name, self.temperature = name, temperature
        self.policy = copy.deepcopy(policy).requires_grad_(False)

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """One action a row, see `Bot.act`."""
        logits = self._logits(observations, action_masks)
        return chosen(logits, action_masks, keys, self.temperature)

    def probabilities(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        """What the network says, at its temperature; float64 `(batch, actions)`."""
        steps = likelihoods(
            self._logits(observations, action_masks), action_masks, self.temperature
        )
        return np.asarray(steps / steps.sum(1, keepdims=True))

    def _logits(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            rows, masks = torch.as_tensor(observations), torch.as_tensor(action_masks)
            return np.asarray(self.policy.judge(rows, masks)[0].numpy())


class Pool:
    """Earlier selves, more of them the further back: play changes fastest in the beginning.

    That half of them are beginners keeps the learner good against players who are.

    Attributes:
        members: number of updates → weights of the learner after that many.
    """

    def __init__(self, config: PoolConfig, policy: MaskedPolicy, seed: int) -> None:
        """An empty pool for networks shaped like `policy`."""
        self.size, self.growth, self._seed = config.size, config.growth, seed
        self.members: dict[int, dict[str, Tensor]] = {}
        manners = itertools.islice(itertools.cycle(config.temperatures), config.at_once)
        self._players = [PolicyBot(policy, "earlier self", manner) for manner in manners]

    def admit(self, update: int, policy: MaskedPolicy) -> None:
        """Copy the learner in, if its turn has come."""
        newest = max(self.members, default=-1)
        if update >= max(newest + 1, newest * self.growth):
            self.members[update] = weights_of(policy)
        while len(self.members) > self.size:
            del self.members[min(self.members)]

    def seated(self, update: int, seats: np.ndarray) -> list[tuple[np.ndarray, Bot]]:
        """Who sits where in the rollout after `update`: [(bool `(tables, seats)`, bot), ...].

        At every second table all are the same one. A function of the run's seed, the update and the
        members: nothing needs to be stored.
        """
        if not seats.any():
            return []
        luck = np.random.default_rng(int(mixed(self._seed, SEATING, update)))
        number = min(len(self._players), len(self.members))
        drawn = luck.choice(list(self.members), number, replace=False)
        for player, member in zip(self._players, drawn, strict=False):
            put_weights(player.policy, self.members[int(member)])
        places = luck.integers(number, size=seats.shape)
        places[::2] = places[::2, :1]
        return [(seats & (places == i), self._players[i]) for i in range(number)]

    def arrays(self) -> dict[str, Tensor]:
        """All members, for a checkpoint: `<number>/<name>` → weights."""
        return {
            f"{number}/{name}": part
            for number, weights in self.members.items()
            for name, part in weights.items()
        }

    def put_back(self, arrays: dict[str, Tensor]) -> None:
        """Members as `arrays` gave them."""
        self.members = {}
        for number in sorted({int(key.split("/")[0]) for key in arrays}):
            start = f"{number}/"
            self.members[number] = {
                key[len(start) :]: part for key, part in arrays.items() if key.startswith(start)
            }
