"""Copies: taken at any point, they go on as the original does."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from collections.abc import Callable
from typing import Any

from miaui_env.adapters.aec import AEC
from miaui_env.engine.rng import mixed
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup
from miaui_env.testing.play import LawBroken, decisions, where


def future(env: AEC) -> str:
    """A hash of all outputs from here to the end of the next game, with actions by a fixed rule."""
    told = hashlib.sha256()
    for _ in range(2):
        while env.agents:
            observation, reward, over, _, info = env.last()
            assert observation is not None
            mask = observation["action_mask"]
            told.update(observation["observation"].tobytes() + mask.tobytes())
            told.update(repr((env.agent_selection, reward, over, info)).encode())
            env.step(None if over else by_rule(mask, len(env.agents)))
        told.update(json.dumps(env.view(None)).encode() + env.state().tobytes())
        env.reset()
    return told.hexdigest()


def by_rule(mask: Any, word: int) -> int:
    """A legal action, by hashing the mask."""
    legal = mask.nonzero()[0]
    return int(legal[int(mixed(int(legal.sum()), word)) % len(legal)])


def through_json(env: AEC) -> AEC:
    """The state as hexadecimal text in JSON, put into another environment."""
    text = json.dumps(env.get_state().hex())
    other = AEC(env.table.setup)
    other.set_state(bytes.fromhex(json.loads(text)))
    return other


def through_bytes(env: AEC) -> AEC:
    """The state put into an environment that has played something else."""
    other = AEC(env.table.setup)
    other.reset(seed=987)
    other.set_state(env.get_state())
    return other


WAYS: dict[str, Callable[[AEC], AEC]] = {
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "get_state and set_state": through_bytes,
    "JSON": through_json,
}


def law_copies_go_on_alike(setup: Setup, seed: int) -> None:
    """A copy at any point of a game has the same future as the original."""
    env = AEC(setup)
    env.reset(seed=seed)
    point = 0
    while env.agents:
        if point % 3 == 0:
            expected = future(copy.deepcopy(env))
            for name, way in WAYS.items():
                if future(way(env)) != expected:
                    problem = f"a copy by {name} goes on otherwise"
                    raise LawBroken(setup, where(env.table.tables), problem)
        over = env.terminations[env.agent_selection]
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(None if over else by_rule(mask, point))
        point += 1


def law_tables_can_be_put_back(setup: Setup, seed: int) -> None:
    """`Tables.set_state` brings everything back: what was shown, and what comes."""
    other = Tables(setup, 3, seed=seed + 50, auto_reset=False)
    other.reset()
    for tables in decisions(setup, tables=3, seed=seed):
        other.step(other.random_actions())
        other.set_state(tables.get_state())
        one = copy.deepcopy(tables)
        same = shown(one) == shown(other)
        for _ in range(3):
            one.step(one.random_actions())
            other.step(other.random_actions())
            same = same and shown(one) == shown(other)
        if not same:
            raise LawBroken(setup, where(tables), "tables put back go on otherwise")


def shown(tables: Tables) -> list[bytes]:
    """All that the last step wrote, and the states behind it."""
    step, owing = tables.latest, tables.to_act
    seen = (step.observations[owing], step.action_masks[owing], step.rewards, step.terminated)
    ends = (tables.final_points, tables.win_shares, tables.final_observations)
    return [part.tobytes() for part in (owing, *seen, *ends, tables.states, tables.keys)]


COPIES: dict[str, Callable[[Setup, int], None]] = {
    "copies go on alike": law_copies_go_on_alike,
    "tables can be put back": law_tables_can_be_put_back,
}
