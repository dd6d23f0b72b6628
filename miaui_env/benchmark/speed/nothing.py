"""Environments that do nothing, with the spaces of real ones: what the interface alone costs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper


def _all_legal(space: gymnasium.spaces.Dict) -> dict[str, np.ndarray]:
    """The least observation and a mask of ones, fresh, as a real environment's would be."""
    observation, mask = space["observation"], space["action_mask"]
    assert isinstance(observation, gymnasium.spaces.Box)
    return {
        "observation": observation.low.copy(),
        "action_mask": np.ones(mask.shape or (), np.int8),
    }


class NothingAEC(AECEnv[str, Any, Any]):
    """Agents take turns for ever, with the bookkeeping that PettingZoo asks of every `step`."""

    def __init__(self, real: Any) -> None:
        """Spaces and agents of `real`."""
        self.possible_agents = real.possible_agents
        first = self.possible_agents[0]
        self._space, self._actions = real.observation_space(first), real.action_space(first)

    def observation_space(self, agent: str) -> Any:
        """The same for all."""
        return self._space

    def action_space(self, agent: str) -> Any:
        """The same for all."""
        return self._actions

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Seat everybody."""
        self.agents, self._turn = self.possible_agents[:], 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """The next agent, please."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._accumulate_rewards()
        self._turn = (self._turn + 1) % len(self.agents)
        self.agent_selection = self.agents[self._turn]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The least observation, and everything legal."""
        return _all_legal(self._space)


def wrapped(env: NothingAEC) -> Any:
    """Under the two wrappers that PettingZoo's own environments wear."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))


class NothingParallel(ParallelEnv[str, Any, Any]):
    """Everybody acts, for ever."""

    def __init__(self, real: Any) -> None:
        """Spaces and agents of `real`."""
        self.possible_agents = real.possible_agents
        self._space = real.observation_space(self.possible_agents[0])

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        """Seat everybody."""
        self.agents = self.possible_agents[:]
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Any]:
        """The least observation, and everything legal, for everybody."""
        agents = self.agents
        rewards, no = dict.fromkeys(agents, 0.0), dict.fromkeys(agents, False)
        return self._seen(), rewards, no, no.copy(), {agent: {} for agent in agents}

    def _seen(self) -> dict[str, Any]:
        return {agent: _all_legal(self._space) for agent in self.agents}


class NothingSeat(gymnasium.Env[np.ndarray, Any]):
    """One seat acts, for ever."""

    def __init__(self, real: Any) -> None:
        """Spaces of `real`."""
        self.observation_space, self.action_space = real.observation_space, real.action_space
        self._least, self._actions = real.observation_space.low, int(real.action_space.n)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, Any]:
        """The least observation, and everything legal."""
        return self._seen()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Any]:
        """The least observation, and everything legal."""
        observation, info = self._seen()
        return observation, 0.0, False, False, info

    def _seen(self) -> tuple[np.ndarray, Any]:
        return self._least.copy(), {"action_mask": np.ones(self._actions, np.int8)}


class NothingVector:
    """One seat at each of many tables acts, for ever; no bots, no tables.

    Attributes:
        tables: stands for tables whose `commit` is told what all seats of a real one would play.
    """

    def __init__(self, real: Any) -> None:
        """Spaces and number of `real`, whose seats all choose at once."""
        self._least = np.repeat(real.single_observation_space.low[None], real.num_envs, 0)
        self._legal = np.ones((real.num_envs, int(real.single_action_space.n)), np.int8)
        self._everyone = np.zeros((real.num_envs, real.tables.setup.num_players), np.int16)
        self.tables = SimpleNamespace(commit=lambda given: None)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, Any]:
        """The least observations, and everything legal."""
        return self._least.copy(), {"action_mask": self._legal.copy()}

    def step(self, actions: np.ndarray) -> tuple[Any, Any, Any, Any, Any]:
        """The least observations, and everything legal."""
        self.tables.commit(self._everyone)
        rewards, no = np.zeros(len(actions)), np.zeros(len(actions), np.bool_)
        observations, infos = self.reset()
        return observations, rewards, no, no.copy(), infos
