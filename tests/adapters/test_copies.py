"""Copies made at any point of a game go on as the original does; configuration survives."""

from __future__ import annotations

import copy
import hashlib
import itertools
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from miaui_env import Tables, find, games
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.parallel import Parallel
from miaui_env.adapters.sb3 import TablesVecEnv
from miaui_env.registry import gymnasium_id
from miaui_env.testing.copies import by_rule, future
from tests.adapters.play import Laid, as_game, at_once, label, some_tables, tell

ROOT = Path(__file__).parents[2]
COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def through_bytes(env: Any) -> Any:
    """Into another environment, made with the same arguments."""
    other = type(env)(env.table.setup, **{k: env.config[k] for k in env.config if k in ARGUMENTS})
    other.set_state(env.get_state())
    return other


ARGUMENTS = ("reward", "illegal", "opponents", "seat")


def play_aec(env: AEC, told: Any) -> None:
    """One step, written down."""
    tell(env, told, views=False)
    over = env.terminations[env.agent_selection]
    mask = env.observe(env.agent_selection)["action_mask"]
    env.step(None if over else int(mask.argmax()))


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_aec(laid: Laid) -> None:
    game, options = laid
    env = AEC(game, reward="points", **options)
    env.reset(seed=2)
    point = 0
    while env.agents:
        if point % 7 == 0:
            ways = [*COPIES.values(), through_bytes]
            same_future(env, [way(env) for way in ways])
        play_aec(env, hashlib.sha256())
        point += 1
    assert env.config["reward"] == "points"


FUTURES = """
import pickle, sys
from miaui_env.testing.copies import future
with open(sys.argv[1], "rb") as file:
    print(*[future(env) for env in pickle.load(file)], sep="\\n")
"""


def test_pickles_go_on_alike_in_a_fresh_process(tmp_path: Path) -> None:
    """Taken at the beginning, along the way, and when some agents have left."""
    taken = []
    for game, options in some_tables():
        env = AEC(game, reward="points", **options)
        env.reset(seed=6)
        for point in range(1000):
            if point % 11 == 0:
                taken.append(copy.deepcopy(env))
            if not env.agents:
                break
            over = env.terminations[env.agent_selection]
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(None if over else by_rule(mask, point))
    file = tmp_path / "taken.pickle"
    file.write_bytes(pickle.dumps(taken))
    done = subprocess.run(
        [sys.executable, "-c", FUTURES, str(file)],
        env={**os.environ, "PYTHONHASHSEED": "29", "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.split()
    assert told == [future(env) for env in taken]
    assert len(set(told)) > len(taken) / 2 > 10


def same_future(env: AEC, copies: list[AEC]) -> None:
    """All of them play this game and the next one alike."""
    tries = [copy.deepcopy(env), *copies]
    hashes = []
    for one in tries:
        told = hashlib.sha256()
        for _ in range(2):
            while one.agents:
                play_aec(one, told)
            one.reset()
        hashes.append(told.hexdigest())
    assert len(set(hashes)) == 1


@pytest.mark.parametrize("laid", at_once(some_tables()), ids=label)
def test_parallel(laid: Laid) -> None:
    game, options = laid
    env = Parallel(game, **options)
    observations, _ = env.reset(seed=2)
    while env.agents:
        copies = [way(env) for way in (*COPIES.values(), through_bytes)]
        actions = {agent: int(observations[agent]["action_mask"].argmax()) for agent in env.agents}
        result = env.step(actions)
        for one in copies:
            assert repr(one.step(actions)) == repr(result)
            assert one.agents == env.agents and one.config == env.config
        observations = result[0]


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_gymnasium(laid: Laid) -> None:
    game, options = laid
    env = SeatEnv(game, opponents="random", reward="points", **options)
    _, info = env.reset(seed=2)
    over = False
    while not over:
        copies = [way(env) for way in (*COPIES.values(), through_bytes)]
        action = int(info["action_mask"].argmax())
        result = env.step(action)
        for one in copies:
            assert one.seat == env.seat and one.view() is not None
            assert repr(one.step(action)) == repr(result)
            assert repr(one.reset()) == repr(copy.deepcopy(env).reset())
        _, _, over, _, info = result


@pytest.mark.parametrize("name", games())
def test_gymnasium_wrappers_around_it(name: str) -> None:
    env = gymnasium.make(gymnasium_id(find(name)), seat=0)
    _, info = env.reset(seed=1)
    action = int(info["action_mask"].argmax())
    copies = [way(env) for way in COPIES.values()]
    told = repr(env.step(action))
    assert [repr(one.step(action)) for one in copies] == [told] * 2


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_sb3(laid: Laid) -> None:
    game, options = laid
    env, other = (
        TablesVecEnv(game, 6, seats=None, opponents="random", reward="points", **options)
        for _ in range(2)
    )
    env.reset()
    for _ in range(7):
        env.step(env.action_masks().argmax(1))
    other.set_state(env.get_state())
    assert np.array_equal(other.observe(), env.observe())
    for _ in range(30):
        actions = env.action_masks().argmax(1)
        one, two = env.step(actions), other.step(actions)
        for told in one[3] + two[3]:
            told.get("episode", {}).pop("t", None)
        assert repr(one) == repr(two)


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_tables_themselves(laid: Laid) -> None:
    game, options = laid
    tables = Tables(game, 3, seed=5, **options)
    tables.reset()
    tables.step(tables.random_actions())
    copies = [way(tables) for way in COPIES.values()]
    actions = tables.random_actions()
    told = repr(tables.step(actions))
    for one in copies:
        assert np.array_equal(one.random_actions(), actions)
        assert repr(one.step(actions)) == told
        assert one.setup.description == tables.setup.description
        if isinstance(game, str):
            assert one.setup.game is as_game(game)


@pytest.mark.parametrize("name", games())
def test_state_of_another_table_is_refused(name: str) -> None:
    one, other = AEC(name), AEC(name, perfect_recall=True)
    one.reset(seed=0)
    other.reset(seed=0)
    before = other.get_state()
    for data in (one.get_state(), b"", b"\x05\x00\x00\x00hello", one.get_state()[:-1]):
        with pytest.raises(ValueError, match="no state of such"):
            other.set_state(data)
        assert other.get_state() == before


@pytest.mark.parametrize("name", games())
def test_state_of_another_interface_is_refused(name: str) -> None:
    aec, seat, learning = AEC(name), SeatEnv(name), TablesVecEnv(name, 1, seats=0)
    envs: list[Any] = [aec, seat, learning, TablesVecEnv(name, 1, seats=1)]
    if find(name).simultaneous:
        envs.append(Parallel(name))
    for env in envs:
        env.reset()
    for one, other in itertools.permutations(envs, 2):
        before = other.get_state()
        with pytest.raises(ValueError, match="no state of such"):
            other.set_state(one.get_state())
        assert other.get_state() == before


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_configuration_survives(laid: Laid) -> None:
    game, options = laid
    chosen = {**options, "reward": {"margin": 1.0, "points": 2.0}, "illegal": "replace"}
    for env in (AEC(game, **chosen), SeatEnv(game, **chosen)):
        told = dict(env.config)
        assert {**told, **chosen} == told
        env.reset(seed=1)
        env.reset()
        for one in (env, *(way(env) for way in COPIES.values())):
            assert one.config == told
            assert one.table.setup.description == {k: told[k] for k in one.table.setup.description}
