"""Every interface tells the same game; `tests/laws` holds all tables to that, once each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from miaui_env import Setup
from miaui_env.testing import check_setup
from miaui_env.testing.agreement import AGREEMENT
from tests.adapters.play import Laid, as_game, label, some_tables


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_many_games_through_every_interface(laid: Laid) -> None:
    """Among others such as end before the learner has decided anything."""
    game, options = laid
    for seed in range(20, 26):
        check_setup(Setup.of(as_game(game), **options), laws=AGREEMENT, seed=seed)


def test_sync_vector_env_tells_the_same() -> None:
    """Gymnasium's own vector of single environments, key by key."""
    import gymnasium
    from gymnasium.vector import AutoresetMode

    from miaui_env import find, games
    from miaui_env.registry import gymnasium_id

    for name in games():
        arguments: dict[str, Any] = {
            "id": gymnasium_id(find(name)),
            "num_envs": 3,
            "illegal": "replace",
        }
        ours: Any = gymnasium.make_vec(vectorization_mode="vector_entry_point", **arguments)
        theirs = gymnasium.make_vec(
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
            **arguments,
        )
        assert ours.unwrapped.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
        assert ours.observation_space == theirs.observation_space
        assert ours.action_space == theirs.action_space
        equal(ours.reset(seed=4), theirs.reset(seed=4))
        for i in range(60):
            actions = np.full(3, i % ours.single_action_space.n)
            mine, others = ours.step(actions), theirs.step(actions)
            infos = dict(mine[4])
            if "final_info" in infos:  # told twice, see the class
                for key in ("points", "_points", "win_share", "_win_share"):
                    infos.pop(key)
            equal((*mine[:4], infos), others)


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
