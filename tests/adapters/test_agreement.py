"""Every interface tells the same game; `tests/laws` holds all tables to that, once each."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from miaui_env import Setup, find, games
from miaui_env.adapters.table import ResetNeeded
from miaui_env.adapters.vector import SeatVectorEnv
from miaui_env.registry import gymnasium_id
from miaui_env.testing import check_setup
from miaui_env.testing.agreement import AGREEMENT
from tests.adapters.play import Laid, as_game, label, some_tables


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_many_games_through_every_interface(laid: Laid) -> None:
    """Among others such as end before the learner has decided anything."""
    game, options = laid
    for seed in range(20, 26):
        check_setup(Setup.of(as_game(game), **options), laws=AGREEMENT, seed=seed)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize("name", games())
def test_sync_vector_env_tells_the_same(name: str, mode: AutoresetMode) -> None:
    """Gymnasium's own vector of single environments, key by key."""
    arguments: dict[str, Any] = {
        "id": gymnasium_id(find(name)),
        "num_envs": 3,
        "illegal": "replace",
    }
    vectorized: dict[str, Any] = {
        "vectorization_mode": "vector_entry_point",
        "autoreset_mode": mode,
    }
    ours: Any = gymnasium.make_vec(**vectorized, **arguments)
    theirs = gymnasium.make_vec(
        vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **arguments
    )
    assert ours.unwrapped.metadata["autoreset_mode"] == mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    equal(ours.reset(seed=4), theirs.reset(seed=4))
    ended = 0
    while ended < 7:
        actions = np.full(3, ended % ours.single_action_space.n)
        mine, others = ours.step(actions), theirs.step(actions)
        infos = dict(mine[4])
        if "final_info" in infos:  # told twice, see the class
            for key in ("points", "_points", "win_share", "_win_share"):
                infos.pop(key)
        equal((*mine[:4], infos), others)
        ended += int(others[2].sum())


@pytest.mark.parametrize("name", games())
def test_without_autoreset_a_finished_game_waits_for_its_reset(name: str) -> None:
    """The games are those of the other modes; what stands is shown as it ended."""
    arguments: dict[str, Any] = {"num_envs": 3, "seat": 0, "illegal": "replace"}
    env = SeatVectorEnv(name, autoreset_mode="Disabled", **arguments)
    other = SeatVectorEnv(name, **arguments)
    equal(env.reset(seed=4)[0], other.reset(seed=4)[0])
    done = np.zeros(3, np.bool_)
    while not done.any():
        actions = np.zeros(3, np.int64)
        shown, _, done, _, _ = env.step(actions)
        expected, _, _, _, infos = other.step(actions)
    equal(shown[done], np.stack(list(infos["final_obs"][done])))
    assert not env.action_masks()[done].any()
    with pytest.raises(ResetNeeded, match=f"games of .{np.flatnonzero(done)[0]}.* are over"):
        env.step(actions)
    equal(env.reset(options={"reset_mask": done})[0], expected)
    shown, _, over, _, _ = env.step(actions)
    expected, _, also_over, _, _ = other.step(actions)
    equal(over, also_over)
    equal(shown[~over], expected[~over])


def test_a_mode_that_is_none_is_named() -> None:
    with pytest.raises(
        ValueError, match="autoreset_mode is one of 'NextStep', 'SameStep', 'Disabled', not 'never'"
    ):
        SeatVectorEnv(games()[0], autoreset_mode="never")


def equal(one: Any, other: Any) -> None:
    if isinstance(other, dict):
        assert set(one) == set(other)
        for key in other:
            equal(one[key], other[key])
    elif isinstance(other, (tuple, list)) or getattr(other, "dtype", None) is np.dtype(object):
        for a, b in zip(one, other, strict=True):
            equal(a, b)
    else:
        assert np.array_equal(one, other), (one, other)
