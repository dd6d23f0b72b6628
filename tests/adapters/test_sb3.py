"""Stable-Baselines3's own checks, and MaskablePPO learning a little in every mode."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor, VecNormalize

from miaui_env import find, games, make
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.sb3 import NOTHING, TablesVecEnv
from miaui_env.registry import gymnasium_id
from tests.adapters import coins
from tests.adapters.play import Laid, as_game, label, some_tables

GAMES = [*games(), coins.GAME]
AT_ONCE = [name for name in games() if find(name).simultaneous]


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_check_env(laid: Laid) -> None:
    game, options = laid
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(SeatEnv(game, illegal="replace", **options))


def modes(game: Any) -> list[dict[str, Any]]:
    """Each way to learn that a game allows."""
    seats = as_game(game).default_players
    one = np.zeros((4, seats), np.bool_)
    one[:, 1] = True
    some: list[dict[str, Any]] = [
        {"seats": None},
        {"seats": 1, "opponents": "random", "perfect_recall": True},
        {
            "seats": None,
            "opponents": ["random"] * (seats - 1),
            "reward": {"win": 1.0, "margin": 0.1},
        },
        {"learners": one, "opponents": [(~one, "random")]},
    ]
    if as_game(game).simultaneous:
        mixed = one.copy()
        mixed[:2] = True
        some += [{}, {"learners": mixed, "opponents": [(~mixed, "random")], "illegal": "replace"}]
    return some


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_maskable_ppo_learns_in_all_modes(game: Any) -> None:
    for mode in modes(game):
        env = TablesVecEnv(game, 4, **mode)
        assert is_masking_supported(env)
        learner = MaskablePPO(
            "MlpPolicy", env, n_steps=26, batch_size=104, n_epochs=1, seed=0, device="cpu"
        )
        learner.learn(2 * 26 * env.num_envs)
        told = learner.ep_info_buffer
        assert told and all(set(info) == {"r", "l", "t"} for info in told)
        assert not NOTHING


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_masks_as_sb3_contrib_takes_them(game: Any) -> None:
    for mode in modes(game):
        env = TablesVecEnv(game, 4, **mode)
        env.reset()
        kept = []
        for _ in range(6):
            masks = get_action_masks(env)
            assert type(masks) is np.ndarray and masks.dtype == np.bool_
            assert masks.shape == (env.num_envs, env.action_space.n)
            assert np.array_equal(masks, env.action_masks())
            rows = env.env_method("action_masks")
            assert isinstance(rows, list) and len(rows) == env.num_envs
            assert all(np.array_equal(row, mask) for row, mask in zip(rows, masks, strict=True))
            assert np.array_equal(np.stack(list(rows)), masks)
            assert np.array_equal(np.concatenate(rows), masks.ravel())
            assert np.array_equal(env.env_method("action_masks", indices=[1, 0])[0], masks[1])
            kept.append((masks, masks.tobytes()))
            env.step(masks.argmax(1))
        assert all(masks.tobytes() == told for masks, told in kept)


@pytest.mark.parametrize("name", AT_ONCE)
def test_buffers_hold_until_the_second_next_step(name: str) -> None:
    """SB3 stores what it saw after the step that follows; and where all learn nothing is copied."""
    env: Any = TablesVecEnv(name, 8)
    before = env.reset()
    assert np.shares_memory(before, env.tables.observations)
    for _ in range(30):
        seen, masks = before.tobytes(), env.action_masks()
        masked, rows = masks.tobytes(), env.env_method("action_masks")
        after, rewards, _, _ = env.step(masks.argmax(1))
        env.action_masks(), env.env_method("action_masks")
        assert before.tobytes() == seen and masks.tobytes() == masked
        assert np.stack(rows).tobytes() == masked
        assert not np.shares_memory(rewards, env.tables.rewards)
        before = after


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_seeds_and_resets(game: Any) -> None:
    env, other = (TablesVecEnv(game, 3, seats=0, seed=7) for _ in range(2))
    first, second = env.reset().copy(), env.reset().copy()
    assert not np.array_equal(first, second)
    assert np.array_equal(first, other.reset())
    assert env.seed(7) == [7, 8, 9]
    assert np.array_equal(first, env.reset())
    assert np.array_equal(second, env.reset())
    assert env.seed(8) == [8, 9, 10]
    assert np.array_equal(env.reset()[:2], first[1:])
    assert env.seed() == [None] * 3
    rows = TablesVecEnv(game, 3, seats=0, seed=np.array([9, 7, 8], np.uint64))
    assert np.array_equal(rows.reset(), first[[2, 0, 1]])


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_what_vecenv_asks_for(game: Any) -> None:
    env = TablesVecEnv(game, 3, seats=0)
    env.reset()
    assert env.get_attr("render_mode") == [None] * 3
    assert env.get_attr("tables", indices=1) == [env.tables]
    assert env.has_attr("action_masks") and not env.has_attr("wings")
    env.set_attr("note", 3)
    assert env.get_attr("note", indices=[0, 2]) == [3, 3]
    with pytest.raises(ValueError, match="share note"):
        env.set_attr("note", 4, indices=[0])
    assert env.env_method("view", indices=[2]) == [env.tables.view(2, 0)]
    with pytest.raises(AttributeError, match="no method 'fly', but action_masks and view"):
        env.env_method("fly")
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    env.close()


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_sb3_wrappers_and_evaluation(game: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = TablesVecEnv(game, 4, seats=None)
        learner = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, device="cpu", seed=0)
        told: Any = evaluate_policy(learner, env, 8, return_episode_rewards=True)
        rewards, lengths = told
        assert len(rewards) == 8 and min(lengths) >= 1
        assert all(-1.001 <= reward <= 1.001 for reward in rewards)
    wrapped = VecNormalize(TablesVecEnv(game, 4, seats=None), norm_obs=True)
    MaskablePPO("MlpPolicy", wrapped, n_steps=16, batch_size=64, device="cpu").learn(64)
    with pytest.warns(UserWarning, match="already wrapped"):
        VecMonitor(TablesVecEnv(game, 4, seats=None))
    assert not NOTHING


@pytest.mark.parametrize("name", games())
def test_maskable_ppo_learns_on_the_single_environment(name: str) -> None:
    env = gymnasium.make(gymnasium_id(find(name)), opponents="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, device="cpu")
    before = [part.detach().clone() for part in model.policy.parameters()]
    model.learn(64)
    after = list(model.policy.parameters())
    assert model.num_timesteps == 64
    assert any((one != other).any() for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("name", games())
def test_one_call_makes_it(name: str) -> None:
    env = make(name, "sb3", num_tables=2, seats=0)
    assert isinstance(env, TablesVecEnv) and env.num_envs == 2


class Prize(VecEnvWrapper):
    """Pays 1 for every game that ends."""

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> Any:
        observations, _, done, infos = self.venv.step_wait()
        return observations, done.astype(np.float32), done, infos


def test_a_terminal_reward_of_one_gives_a_value_of_one() -> None:
    """Ends are ends: what is learned of the next game does not leak into the last one's value."""
    env = Prize(TablesVecEnv("miaui", 16, 2, seats=0, opponents=["random"]))
    learner = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=48,
        batch_size=768,
        n_epochs=20,
        gamma=1.0,
        learning_rate=1e-3,
        policy_kwargs={"normalize_images": False},
        seed=0,
        device="cpu",
    )
    learner.learn(10 * 48 * 16)
    with torch.no_grad():
        values = learner.policy.predict_values(torch.as_tensor(env.reset()))
    assert values.numpy() == pytest.approx(np.ones((16, 1)), abs=0.15)
