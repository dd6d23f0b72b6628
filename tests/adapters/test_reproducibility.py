"""A game is a function of its seed and episode, and of what is played; of nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from miaui_env import games
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.vector import SeatVectorEnv
from tests.adapters import coins
from tests.adapters.play import Laid, as_game, digest, digest_of, label, some_tables

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", [*games(), coins.GAME], ids=lambda g: as_game(g).name)
def test_many_seeds_twice(game: Any) -> None:
    env = AEC(game, reward="points")
    first = [digest_of(env, seed, episodes=1) for seed in range(30)]
    assert len(set(first)) > 20
    assert first == [digest_of(env, seed, episodes=1) for seed in range(30)]
    assert first[:5] == [digest(game, seed, episodes=1) for seed in range(5)]


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_second_episode_does_not_depend_on_the_first(laid: Laid) -> None:
    game, options = laid
    dealt = []
    for action_of in (np.argmax, lambda mask: np.flatnonzero(mask)[-1]):
        env = AEC(game, **options)
        env.reset(seed=3)
        for agent in env.agent_iter():
            mask = env.observe(agent)["action_mask"]
            env.step(None if env.terminations[agent] else int(action_of(mask)))
        env.reset()
        dealt.append((env.state().tobytes(), json.dumps(env.view(None))))
    assert dealt[0] == dealt[1]


def test_fresh_processes_play_the_same() -> None:
    """Whatever the hash seed of their strings."""
    told = {name: digest(name, seed=7, perfect_recall=True) for name in games()}
    script = (
        "import json; from miaui_env import games; from tests.adapters.play import digest\n"
        "print(json.dumps({name: digest(name, seed=7, perfect_recall=True) for name in games()}))"
    )
    for hash_seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(done.stdout) == told


@pytest.mark.parametrize("name", games())
def test_unseeded_environments_differ(name: str) -> None:
    def first(env: Any) -> bytes:
        env.reset()
        told: bytes = env.state().tobytes()
        return told

    assert len({first(AEC(name)) for _ in range(5)}) > 1
    assert len({SeatEnv(name).reset()[0].tobytes() for _ in range(5)}) > 1
    vector = SeatVectorEnv(name, 2)
    assert len({vector.reset()[0].tobytes() for _ in range(5)}) > 1


@pytest.mark.parametrize("game", [*games(), coins.GAME], ids=lambda g: as_game(g).name)
def test_a_random_seat_is_a_function_of_seed_and_episode(game: Any) -> None:
    vector = SeatVectorEnv(game, 200)
    _, infos = vector.reset(seed=0)
    seats, number = infos["seat"], vector.tables.setup.num_players
    counts = np.bincount(seats, minlength=number)
    assert counts.min() > 200 / number / 2
    assert np.array_equal(vector.reset(seed=0)[1]["seat"], seats)
    assert np.array_equal(vector.reset(seed=1)[1]["seat"][:-1], seats[1:])
    episodes = [vector.reset()[1]["seat"] for _ in range(5)]
    assert len({told.tobytes() for told in episodes}) == 5
