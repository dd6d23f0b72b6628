"""Random play through each interface, with the time spent inside the environment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from miaui_env.benchmark.speed.run import Once
from miaui_env.bots import load_bot
from miaui_env.engine.tables import Tables

A_DECISION = (
    "one seat's action, from hand-over to the next observation: checking it, the rules, "
    "observations and action masks of all who owe an action next, rewards, dealing the next game. "
    "Choosing the action (random, legal) is not timed, but what an environment's own bots take is."
)


def tables_player(tables: Tables, step: Callable[[Tables, np.ndarray], Any] = Tables.step) -> Once:
    """`step` of all tables, which deal anew by themselves."""
    tables.reset()

    def once() -> tuple[int, float]:
        actions = tables.random_actions()
        begun = time.perf_counter()
        step(tables, actions)
        return int((actions >= 0).sum()), time.perf_counter() - begun

    return once


def seated_player(tables: Tables, opponents: str) -> Once:
    """`step` of all tables where a bot plays all seats but the first; every seat's decisions count.

    The bot's moves are part of the time, as they are where an environment plays them.
    """
    bot = load_bot(opponents).fitted(tables.setup)
    tables.reset()

    def once() -> tuple[int, float]:
        actions = tables.random_actions()
        begun = time.perf_counter()
        keys, where = tables.decision_keys(), tables.to_act.copy()
        where[:, 0] = False
        seen, masks = tables.observations[where], tables.action_masks[where]
        actions[where] = bot.act(seen, masks, keys[where])
        tables.step(actions)
        return int((actions >= 0).sum()), time.perf_counter() - begun

    return once


def _any_legal(mask: np.ndarray, luck: np.random.Generator) -> int:
    return int(luck.choice(np.flatnonzero(mask)))


def aec_player(env: Any) -> Once:
    """`last` and `step`, and `reset` after the end."""
    luck = np.random.default_rng(0)
    env.reset(seed=0)

    def once() -> tuple[int, float]:
        begun = time.perf_counter()
        observation, _, terminated, _, _ = env.last()
        if terminated:
            env.reset()
            return 0, time.perf_counter() - begun
        looked = time.perf_counter()
        action = _any_legal(observation["action_mask"], luck)
        chosen = time.perf_counter()
        env.step(action)
        return 1, time.perf_counter() - chosen + looked - begun

    return once


def parallel_player(env: Any) -> Once:
    """`step` with everybody's actions, and `reset` after the end."""
    luck = np.random.default_rng(0)
    seen, _ = env.reset(seed=0)

    def once() -> tuple[int, float]:
        nonlocal seen
        actions = {agent: _any_legal(seen[agent]["action_mask"], luck) for agent in env.agents}
        begun = time.perf_counter()
        seen, *_ = env.step(actions)
        if not env.agents:
            seen, _ = env.reset()
        return len(actions), time.perf_counter() - begun

    return once


def seat_player(env: Any) -> Once:
    """`step`, and `reset` after the end."""
    luck = np.random.default_rng(0)
    _, info = env.reset(seed=0)

    def once() -> tuple[int, float]:
        nonlocal info
        action = _any_legal(info["action_mask"], luck)
        begun = time.perf_counter()
        _, _, terminated, _, info = env.step(action)
        if terminated:
            _, info = env.reset()
        return 1, time.perf_counter() - begun

    return once


def vector_player(env: Any) -> Once:
    """`step` of all environments, which deal anew by themselves; every seat's decisions count."""
    luck, played = np.random.default_rng(0), _Counter(env.tables)
    _, infos = env.reset(seed=0)

    def once() -> tuple[int, float]:
        nonlocal infos
        masks = infos["action_mask"]
        actions = (luck.random(masks.shape) * (masks != 0)).argmax(1)
        played.decisions, played.seconds = 0, 0.0
        begun = time.perf_counter()
        _, _, _, _, infos = env.step(actions)
        return played.decisions, time.perf_counter() - begun - played.seconds

    return once


class _Counter:
    """Counts what is played at tables, and how long the counting took."""

    def __init__(self, tables: Tables) -> None:
        self.decisions, self.seconds = 0, 0.0
        self._commit = tables.commit
        tables.commit = self.commit  # type: ignore[method-assign]

    def commit(self, given: np.ndarray) -> Any:
        begun = time.perf_counter()
        self.decisions += int((given >= 0).sum())
        self.seconds += time.perf_counter() - begun
        return self._commit(given)


def vec_env_player(env: Any) -> Once:
    """SB3's `step` and what sb3-contrib asks for before the next one: the masks, stacked."""
    luck = np.random.default_rng(0)
    env.reset()
    masks = np.stack(env.env_method("action_masks"))

    def once() -> tuple[int, float]:
        nonlocal masks
        actions = (luck.random(masks.shape) * masks).argmax(1)
        begun = time.perf_counter()
        env.step(actions)
        masks = np.stack(env.env_method("action_masks"))
        return len(actions), time.perf_counter() - begun

    return once
