"""Gymnasium's wrappers and vectors, and workers of one's own: part of `make test`.

What is not theirs to change arrives as our own environment gives it, for the same seed and actions.
"""

from __future__ import annotations

import functools
import multiprocessing
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import gymnasium
import gymnasium.wrappers as single
import gymnasium.wrappers.vector as many
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.utils import RunningMeanStd

from miaui_env import Tables, make
from tests.clients.play import (
    AT_ONCE,
    FEW,
    SEED,
    SOME,
    Seats,
    a_legal,
    beside,
    fault,
    rest_of,
    same,
    vector_actions,
)

BEFORE_1_4 = tuple(map(int, gymnasium.__version__.split(".")[:2])) < (1, 4)
"""`make oldest` has such a release; see docs/clients.md."""

# -- Gymnasium's wrappers of one environment ------------------------------------------------------


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_record_episode_statistics(seats: Seats) -> None:
    total, length, ends = 0.0, 0, 0
    for told, expected in beside(
        single.RecordEpisodeStatistics(seats.alone()), seats.alone(), games=3
    ):
        if len(expected) == 2:
            total, length = 0.0, 0
            same(told, expected)
            continue
        total, length = total + expected[1], length + 1
        if expected[2]:
            episode, ends = told[-1].pop("episode"), ends + 1
            assert episode["l"] == length and episode["r"] == pytest.approx(total)
        same(told, expected)
    assert ends == 3


def running_mean(space: Any) -> Any:
    """Gymnasium's own sum, to be fed with what our own environments show."""
    made: Any = RunningMeanStd
    return made(shape=space.shape, dtype=np.float32)


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_normalize_observation(seats: Seats) -> None:
    wrapped: Any = single.NormalizeObservation(seats.alone())
    running = running_mean(wrapped.observation_space)
    for told, expected in beside(wrapped, seats.alone()):
        running.update(expected[0][None])
        spread = np.sqrt(running.var + wrapped.epsilon)
        np.testing.assert_allclose(told[0], (expected[0] - running.mean) / spread, rtol=1e-4)
        same(told[1:], expected[1:])


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_time_limit(seats: Seats) -> None:
    pairs = list(beside(single.TimeLimit(seats.alone(), 4), seats.alone(), games=1))
    assert len(pairs) == 5
    for step, (told, expected) in enumerate(pairs[1:], 1):
        assert told[3] is (step == 4) and expected[3] is False
        same((*told[:3], told[4]), (*expected[:3], expected[4]))


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_frame_stack(seats: Seats) -> None:
    frames: list[Any] = []
    for told, expected in beside(single.FrameStackObservation(seats.alone(), 3), seats.alone()):
        frames = [expected[0]] * 3 if len(expected) == 2 else [*frames[1:], expected[0]]
        same(told[0], np.stack(frames))


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_wrappers_that_change_numbers(seats: Seats) -> None:
    floats: Any = single.DtypeObservation(seats.alone(), np.float32)
    scaling = single.RescaleObservation(floats, np.float32(-1), np.float32(1))
    env = single.TransformReward(scaling, lambda reward: 2 * float(reward))
    space: Any = seats.alone().observation_space
    low, high = space.low.astype(np.float32), space.high.astype(np.float32)
    for told, expected in beside(env, seats.alone()):
        scaled = 2 * (expected[0] - low) / (high - low) - 1
        np.testing.assert_allclose(told[0], scaled, atol=1e-5)
        if len(expected) > 2:
            assert told[1] == 2 * expected[1]


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AssertionError, "cut to whole numbers")
def test_rescale_observation_as_it_is(seats: Seats) -> None:
    """It keeps int8, and so cuts what it scales; `DtypeObservation` before it is the way round."""
    env = single.RescaleObservation(seats.alone(), np.float32(-1), np.float32(1))
    shown = np.unique(env.reset(seed=SEED)[0])
    assert not set(shown.tolist()) <= {-1, 0, 1}, "cut to whole numbers"


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_wrappers_that_repeat_actions(seats: Seats) -> None:
    """A repeated action is soon an illegal one: these play on with `illegal="replace"`."""
    wrappers: list[Callable[[Any], Any]] = [
        functools.partial(single.StickyAction, repeat_action_probability=0.5),
        functools.partial(single.MaxAndSkipObservation, skip=2),
    ]
    for wrapper in wrappers:
        env = wrapper(seats.alone(illegal="replace"))
        _, info = env.reset(seed=SEED)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert info["illegal"] > 0


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_masks_are_what_gymnasium_samples_by(seats: Seats) -> None:
    """Whatever release it is: int8, an entry an action, 0 or 1; and what is drawn is legal."""
    env = seats.turns()
    env.reset(seed=SEED)
    for agent in env.agent_iter():
        space: Any = env.action_space(agent)
        mask = env.observe(agent)["action_mask"]
        assert mask.dtype == np.int8 and mask.shape == (space.n,) and np.isin(mask, (0, 1)).all()
        over = env.terminations[agent]
        action = None if over else int(space.sample(mask))
        assert over or mask[action] == 1
        env.step(action)


# -- Gymnasium's vectors and their wrappers -------------------------------------------------------


@pytest.mark.xfail(BEFORE_1_4, reason="it counts a step too few", strict=False)
@pytest.mark.parametrize("seats", SOME, ids=str)
def test_vector_record_episode_statistics(seats: Seats) -> None:
    client, plain = many.RecordEpisodeStatistics(seats.many()), seats.many()
    same(client.reset(seed=SEED), plain.reset(seed=SEED))
    returns, lengths, ends = np.zeros(3), np.zeros(3), 0
    for _ in range(30):
        actions = vector_actions(plain)
        told, expected = client.step(actions), plain.step(actions)
        returns, lengths, over = returns + expected[1], lengths + 1, expected[2]
        if over.any():
            episode = told[-1].pop("episode")
            same(told[-1].pop("_episode"), over)
            same(episode["l"], np.where(over, lengths, 0))
            np.testing.assert_allclose(episode["r"], np.where(over, returns, 0.0))
            returns, lengths, ends = returns * ~over, lengths * ~over, ends + 1
        same(told, expected)
    assert ends


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_vector_wrappers_of_rewards_and_infos(seats: Seats) -> None:
    wrapped: Any = many.NormalizeReward(many.DictInfoToList(seats.many()))
    plain = seats.many()
    told, expected = wrapped.reset(seed=SEED), plain.reset(seed=SEED)
    for _ in range(30):
        same(told[0], expected[0])
        for i, info in enumerate(told[-1]):
            same(info["action_mask"], expected[-1]["action_mask"][i])
            assert ("final_obs" in info) is bool(expected[-1].get("_final_obs", np.zeros(3))[i])
        actions = vector_actions(plain)
        told, expected = wrapped.step(actions), plain.step(actions)
        assert (np.sign(told[1]) == np.sign(expected[1])).all()


@pytest.mark.skipif(BEFORE_1_4, reason="it refuses by an assertion, without a word")
@pytest.mark.parametrize("seats", FEW, ids=str)
@pytest.mark.parametrize("wrapper", [many.NormalizeObservation, many.FlattenObservation])
@fault(ValueError, "Expected autoreset_mode to be NEXT_STEP or DISABLED")
def test_vector_wrappers_of_observations_in_the_same_step(seats: Seats, wrapper: Any) -> None:
    """Gymnasium 1.4 refuses all of them where the next game begins in the step that ends one."""
    wrapper(seats.many())


@pytest.mark.parametrize("seats", FEW, ids=str)
@pytest.mark.parametrize("ours", [True, False], ids=["ours", "gymnasium's"])
def test_vector_wrappers_of_observations(seats: Seats, ours: bool) -> None:
    """Over our vector, and over Gymnasium's own, whose next games begin one step later."""

    def vector() -> Any:
        if ours:
            return seats.many(autoreset_mode=AutoresetMode.NEXT_STEP)
        return SyncVectorEnv([seats.alone] * 3)

    wrapped: Any = many.NormalizeObservation(vector())
    plain: Any = vector()
    running = running_mean(wrapped.single_observation_space)
    told, expected = wrapped.reset(seed=SEED), plain.reset(seed=SEED)
    luck = np.random.default_rng(SEED)
    for _ in range(30):
        running.update(expected[0])
        scaled = (expected[0] - running.mean) / np.sqrt(running.var + wrapped.epsilon)
        np.testing.assert_allclose(told[0], scaled, rtol=1e-4)
        masks = expected[-1]["action_mask"]
        # A game that is over allows nothing; the action of that step is not looked at.
        actions = np.array([a_legal(mask, luck) if mask.any() else 0 for mask in masks])
        told, expected = wrapped.step(actions), plain.step(actions)
        same(told[1:], expected[1:])


IN_PROCESSES = [*(("fork", seats) for seats in SOME), *(("spawn", seats) for seats in FEW)]
"""A fresh process is slow to start, so only few of those."""


@pytest.mark.parametrize(("start", "seats"), IN_PROCESSES, ids=str)
def test_async_vector_env(start: str, seats: Seats) -> None:
    envs, mode = [seats.alone] * 3, AutoresetMode.SAME_STEP
    theirs = AsyncVectorEnv(envs, context=start, autoreset_mode=mode)
    ours = seats.many()
    same(theirs.reset(seed=SEED), ours.reset(seed=SEED))
    ends = 0
    for _ in range(30):
        actions = vector_actions(ours)
        told, expected = theirs.step(actions), ours.step(actions)
        if "final_info" in expected[-1]:  # we tell the results twice
            ends += 1
            for key in ("points", "_points", "win_share", "_win_share"):
                del expected[-1][key]
        same(told, expected)
    assert ends
    theirs.close()


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_a_fresh_process_knows_the_id_with_its_module(seats: Seats) -> None:
    """Without the module, as Gymnasium has it, somebody has to import us first."""
    alone = seats.gymnasium_id.partition(":")[2]
    for name, error in ((seats.gymnasium_id, ""), (alone, "NamespaceNotFound")):
        script = f"import gymnasium; gymnasium.make({name!r})"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False
        )
        assert error in done.stderr and bool(error) is bool(done.returncode), done.stderr


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_make_vec_in_processes(seats: Seats) -> None:
    env = gymnasium.make_vec(
        seats.gymnasium_id, num_envs=2, vectorization_mode="async", **seats.arguments({})
    )
    ours = seats.many(2, opponents="random")
    same(env.reset(seed=SEED), ours.reset(seed=SEED))
    env.close()


# -- workers of one's own -------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_pickled_workers(start: str) -> None:
    """Environments sent off in the middle of a game play on as they would have here."""
    envs = [env for seats in SOME for env in every_interface(seats)]
    for env in envs:
        env.reset(seed=SEED)
        rest_of(env)
    context = multiprocessing.get_context(start)
    with ProcessPoolExecutor(2, mp_context=context) as workers:
        assert list(workers.map(rest_of, envs)) == list(map(rest_of, envs))


def every_interface(seats: Seats) -> list[Any]:
    arguments = seats.arguments({"opponents": "greedy"})
    envs = [
        seats.turns(),
        gymnasium.make(seats.gymnasium_id, **arguments),
        make(seats.game, "vector", num_envs=3, **arguments),
        Tables(seats.game, 3, **seats.arguments({})),
    ]
    return [*envs, seats.at_once()] if seats in AT_ONCE else envs
