"""Random play through each interface, with the time spent inside the environment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from miaui_env.engine.tables import Tables

A_DECISION = (
    "one seat's action, from hand-over to the next observation: checking it, the rules, "
    "observations and action masks of all who owe an action next, rewards, dealing the next game. "
    "Choosing the action (random, legal) is not timed. Opponents' moves count for no decision."
)

Once = Callable[[], tuple[int, float]]
"""Plays on a little; returns decisions made and seconds spent inside the environment."""


def tables_player(tables: Tables, step: Callable[[Tables, np.ndarray], Any] = Tables.step) -> Once:
    """`step` of all tables, which deal anew by themselves."""
    tables.reset()

    def once() -> tuple[int, float]:
        actions = tables.random_actions()
        begun = time.perf_counter()
        step(tables, actions)
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
    """`step` of all environments, which deal anew by themselves."""
    luck = np.random.default_rng(0)
    _, infos = env.reset(seed=0)

    def once() -> tuple[int, float]:
        nonlocal infos
        masks = infos["action_mask"]
        actions = (luck.random(masks.shape) * (masks != 0)).argmax(1)
        begun = time.perf_counter()
        _, _, _, _, infos = env.step(actions)
        return len(actions), time.perf_counter() - begun

    return once


INTERFACES: dict[str, tuple[Callable[[Any], Once], dict[str, Any], str | None]] = {
    "aec": (aec_player, {}, "NothingAEC"),
    "parallel": (parallel_player, {}, "NothingParallel"),
    "gymnasium": (seat_player, {"opponents": "random"}, "NothingSeat"),
    "vector": (vector_player, {"opponents": "random", "num_envs": 1024}, None),
}
"""Interface → (player, arguments, name of the do-nothing environment in `nothing.py`)."""
