"""Gymnasium's own tests, and what is ours to promise beside them."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from miaui_env import find, games
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.vector import SeatVectorEnv
from miaui_env.registry import gymnasium_id
from tests.adapters import coins
from tests.adapters.play import Laid, every_table, label, some_tables


@pytest.mark.parametrize("laid", every_table(), ids=label)
def test_check_env(laid: Laid) -> None:
    name, options = laid
    assert isinstance(name, str)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The checker plays without looking at masks.
        env = gymnasium.make(gymnasium_id(find(name)), illegal="replace", **options)
        check_env(env.unwrapped)


def test_check_env_in_turns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*spec.*")
        check_env(SeatEnv(coins.GAME, 3, illegal="replace"))


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_masks_fit_spaces(laid: Laid) -> None:
    game, options = laid
    env = SeatEnv(game, **options)
    observation, info = env.reset(seed=0)
    env.action_space.seed(0)
    over = False
    while not over:
        mask = info["action_mask"]
        assert env.observation_space.contains(observation) and observation.dtype == np.int8
        assert mask.dtype == np.int8 and set(mask.tolist()) <= {0, 1} and mask.any()
        assert env.action_masks().dtype == np.bool_ and (env.action_masks() == mask).all()
        observation, _, over, _, info = env.step(env.action_space.sample(mask))
    assert env.observation_space.contains(observation)


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_view_and_render_are_the_learners(laid: Laid, capsys: pytest.CaptureFixture[str]) -> None:
    game, options = laid
    for seat in range(options["num_players"]):
        env = SeatEnv(game, seat=seat, render_mode="ansi", **options)
        env.reset(seed=0)
        assert env.seat == seat and env.view()["seat"] == seat
        assert env.view() == env.table.tables.view(0, seat)
        assert env.render() == env.table.setup.game.words(env.view())
    human = SeatEnv(game, render_mode="human", **options)
    human.reset(seed=0)
    assert human.render() is None and capsys.readouterr().out.strip()
    vector = SeatVectorEnv(game, 2, seat=0, render_mode="ansi", **options)
    vector.reset(seed=0)
    texts = vector.render()
    assert texts is not None and len(texts) == 2
    assert texts[1] == vector.tables.setup.game.words(vector.view(1))


@pytest.mark.parametrize("name", games())
def test_make_and_make_vec(name: str) -> None:
    name = gymnasium_id(find(name))
    single = gymnasium.make(name, seat=None, opponents="random")
    assert single.get_wrapper_attr("action_masks") is not None
    made = gymnasium.make_vec(name, num_envs=1024, vectorization_mode="vector_entry_point")
    assert isinstance(made, SeatVectorEnv)
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = made.reset(seed=0)
    assert observations.shape == (1024, made.tables.setup.layout.size)
    assert made.observation_space.contains(observations)
    assert infos["action_mask"].shape == made.action_masks().shape
    made.close()
    made.close()


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_what_a_vector_gave_stays(laid: Laid) -> None:
    game, options = laid
    env = SeatVectorEnv(game, 8, **options)
    observations, infos = env.reset(seed=0)
    kept: list[tuple[Any, Any, bytes, bytes]] = []
    for _ in range(15):
        masks = infos["action_mask"]
        kept.append((observations, masks, observations.tobytes(), masks.tobytes()))
        observations, _, _, _, infos = env.step(masks.argmax(1))
    for observation, mask, seen, masked in kept:
        assert observation.tobytes() == seen and mask.tobytes() == masked


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_some_of_a_vector_can_be_dealt_anew(laid: Laid) -> None:
    game, options = laid
    env, other = (SeatVectorEnv(game, 4, **options) for _ in range(2))
    first, infos = env.reset(seed=0)
    other.reset(seed=0)
    chosen = np.array([True, False, False, True])
    mixed, _ = env.reset(options={"reset_mask": chosen})
    following, _ = other.reset()
    assert np.array_equal(mixed[chosen], following[chosen])
    assert np.array_equal(mixed[~chosen], first[~chosen])
    with pytest.raises(ValueError, match="reset_mask deals next games only"):
        env.reset(seed=0, options={"reset_mask": chosen})
    for wrong in (chosen[:2], chosen.astype(int), np.zeros(4, np.bool_)):
        with pytest.raises(ValueError, match=r"reset_mask is bool \(4,\)"):
            env.reset(options={"reset_mask": wrong})
    seeds = [7, 3, 3, 9]
    many, _ = env.reset(seed=seeds)
    assert np.array_equal(many[1], many[2])
    assert np.array_equal(many[3], other.reset(seed=9)[0][0])
    with pytest.raises(ValueError, match="seeds are 4"):
        env.reset(seed=[1, 2])


def test_importing_loads_no_extras() -> None:
    script = (
        "import sys, miaui_env, gymnasium; from miaui_env import games, find, registry\n"
        "for name in games():\n"
        "    gymnasium.make(registry.gymnasium_id(find(name))).reset(seed=0)\n"
        "    miaui_env.make(name).reset(seed=0)\n"
        "extras = {'torch', 'stable_baselines3', 'sb3_contrib', 'hydra', 'ray', 'pyspiel', 'PIL'}\n"
        "print(sorted(extras & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_importing_and_seeding_start_no_process() -> None:
    """One library of this field listed the installed packages in a shell when it was seeded."""
    script = (
        "import os, subprocess\n"
        "def refuse(*command, **how): raise SystemExit(f'a process was started: {command}')\n"
        "os.system = os.posix_spawn = os.fork = subprocess.Popen.__init__ = refuse\n"
        "import miaui_env\n"
        "for name in miaui_env.games():\n"
        "    miaui_env.make(name).reset(seed=7)\n"
        "    miaui_env.Tables(name, 2, seed=7).reset()\n"
        "print('none')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "none", done.stderr
