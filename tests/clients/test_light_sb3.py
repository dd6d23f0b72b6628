"""Stable-Baselines3 and sb3-contrib: their wrappers, evaluation and learners, part of `make test`.

What is not theirs to change arrives as our own environment gives it, for the same seed and actions.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    SubprocVecEnv,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)

from miaui_env.adapters.sb3 import TablesVecEnv
from miaui_env.adapters.vector import SeatVectorEnv
from tests.clients.play import AT_ONCE, FEW, SEED, SOME, Seats, fault, same, vector_actions


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Small networks do not gain by more, and workers side by side lose."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def sb3_envs(seats: Seats, kind: Any, number: int = 2, **options: Any) -> Any:
    env = kind([functools.partial(seats.alone, **options)] * number)
    env.seed(SEED)
    return env


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_make_vec_env_by_name(seats: Seats) -> None:
    """It asks for `render_mode="rgb_array"` unasked, which draws nothing before `render`."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*rgb_array", UserWarning)
        kwargs = {"opponents": "greedy", **seats.arguments({})}
        env = make_vec_env(seats.gymnasium_id, 2, seed=SEED, env_kwargs=kwargs)
    same(env.reset(), directly(seats).reset(seed=SEED)[0])


def directly(seats: Seats) -> SeatVectorEnv:
    """What environments of Stable-Baselines3 with that seed are to play."""
    env: SeatVectorEnv = seats.many(2).unwrapped
    return env


def name_of(value: Any) -> str:
    """A class by its name, seats as they read."""
    return getattr(value, "__name__", str(value))


KINDS = [*((DummyVecEnv, seats) for seats in SOME), *((SubprocVecEnv, seats) for seats in FEW)]
"""A fresh process is slow to start, so only few of those."""


@pytest.mark.parametrize(
    ("kind", "seats"), KINDS, ids=lambda one: getattr(one, "__name__", str(one))
)
def test_sb3_wrappers(kind: Any, seats: Seats) -> None:
    """VecNormalize keeps the original and VecMonitor counts, in one process or in several."""
    env: Any = VecNormalize(VecMonitor(sb3_envs(seats, kind)))
    ours = directly(seats)
    env.reset()
    returns, lengths, ends = np.zeros(2), np.zeros(2), 0
    same(env.get_original_obs(), ours.reset(seed=SEED)[0])
    while ends < 2:
        same(np.stack(env.env_method("action_masks")), ours.action_masks())
        actions = vector_actions(ours)
        scaled, _, dones, infos = env.step(actions)
        observations, rewards, over, _, told = ours.step(actions)
        same(env.get_original_obs(), observations)
        np.testing.assert_allclose(env.get_original_reward(), rewards, rtol=1e-6)
        np.testing.assert_allclose(scaled, env.normalize_obs(observations), rtol=1e-5)
        same(dones, over)
        returns, lengths = returns + rewards, lengths + 1
        for i in np.flatnonzero(over):
            final = env.normalize_obs(told["final_obs"][i])
            np.testing.assert_allclose(infos[i]["terminal_observation"], final, rtol=1e-5)
            assert infos[i]["points"] == told["points"][i]
            assert infos[i]["episode"]["r"] == pytest.approx(returns[i], abs=1e-5)
            assert infos[i]["episode"]["l"] == lengths[i]
            returns[i], lengths[i], ends = 0.0, 0, ends + 1
    env.close()


@pytest.mark.parametrize("seats", AT_ONCE, ids=str)
def test_sb3_wrappers_over_all_seats(seats: Seats) -> None:
    """Our own VecEnv under the same: what is wrapped is what the tables give."""
    plain: Any = TablesVecEnv(seats.game, 2, **seats.arguments({}))
    inner = TablesVecEnv(seats.game, 2, **seats.arguments({}))
    env: Any = VecNormalize(VecFrameStack(inner, 2), norm_reward=False)
    frames = [np.zeros_like(plain.reset()), plain.observe().copy()]
    env.reset()
    for _ in range(30):
        same(env.get_original_obs(), np.concatenate(frames, axis=1))
        same(np.stack(env.env_method("action_masks")), plain.action_masks())
        actions = plain.action_masks().argmax(1)
        _, rewards, dones, infos = env.step(actions)
        observations, expected, over, told = plain.step(actions)
        frames = [np.where(over[:, None], 0, frames[1]), observations.copy()]
        same(rewards, expected)
        same(dones, over)
        for info, ours in zip(infos, told, strict=True):
            assert info.get("points") == ours.get("points")


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AssertionError, "cut to whole numbers")
def test_frames_of_what_is_normalized(seats: Seats) -> None:
    """VecNormalize leaves the space at int8, and so VecFrameStack over it cuts what it stacks."""
    env: Any = VecFrameStack(VecNormalize(TablesVecEnv(seats.game, 2)), 2)
    env.reset()
    stacked, *_ = env.step(env.env_method("action_masks")[0].argmax() * np.ones(env.num_envs, int))
    assert stacked.dtype.kind == "f", "cut to whole numbers"


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_evaluate_policy_says_what_was_won(seats: Seats) -> None:
    env = sb3_envs(seats, DummyVecEnv)
    learner = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, device="cpu", seed=SEED)
    alone = Monitor(seats.alone())
    alone.reset(seed=SEED)
    told: Any = evaluate_policy(learner, alone, 3, return_episode_rewards=True)
    rewards, lengths = won_by(learner, seats.alone())
    assert told[0] == pytest.approx(rewards, abs=1e-5)
    assert told[1] == lengths


def won_by(learner: MaskablePPO, env: Any) -> tuple[list[float], list[int]]:
    """What a learner wins in the three games after the seed's first, and how long they take."""
    env.reset(seed=SEED)
    rewards, lengths = [], []
    for _ in range(3):
        observation, info = env.reset()
        total, length, over = 0.0, 0, False
        while not over:
            mask = info["action_mask"].astype(np.bool_)
            action, _ = learner.predict(observation, deterministic=True, action_masks=mask)
            observation, reward, over, _, info = env.step(int(action))
            total, length = total + reward, length + 1
        rewards.append(total)
        lengths.append(length)
    return rewards, lengths


@pytest.mark.parametrize("seats", FEW, ids=str)
@pytest.mark.parametrize("algorithm", [PPO, DQN])
def test_learners_without_masks(seats: Seats, algorithm: Any) -> None:
    """They need `illegal="replace"`, which counts what it replaced."""
    env = VecMonitor(sb3_envs(seats, DummyVecEnv, illegal="replace"))
    learner = algorithm("MlpPolicy", env, device="cpu", seed=SEED, **BRIEFLY[algorithm])
    learner.learn(64)
    assert learner.num_timesteps >= 64
    assert any(episode["illegal"] > 0 for episode in finals(learner, env))


def finals(learner: Any, env: Any) -> list[dict[str, Any]]:
    """The infos of the first game or games that end."""
    observations = env.reset()
    told: list[dict[str, Any]] = []
    while not told:
        observations, _, _, infos = env.step(learner.predict(observations)[0])
        told += [info for info in infos if "episode" in info]
    return told


BRIEFLY: dict[Any, dict[str, Any]] = {
    PPO: {"n_steps": 32, "batch_size": 64, "n_epochs": 1},
    DQN: {"learning_starts": 32, "buffer_size": 256},
}
