"""SuperSuit: its vectors take our dict observations as they are, its other wrappers want one array.

So these get `flat` first, which SuperSuit's own `observation_lambda_v0` makes: mask, then sights.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.clients.play import (
    AT_ONCE,
    FEW,
    SEED,
    SOME,
    Seats,
    a_legal,
    beside,
    fault,
    same,
    same_at_once,
    same_in_turns,
)

supersuit: Any = pytest.importorskip(
    "supersuit", reason="SuperSuit is not installed: `make clients` brings it"
)

TABLES = 3


def flat(env: Any) -> Any:
    """The same environment with one int8 array an agent."""
    return supersuit.observation_lambda_v0(env, lambda shown, _: flattened(shown), flat_space)


def flattened(shown: Any) -> Any:
    """What `flat` makes of an observation."""
    return np.concatenate([shown["action_mask"], shown["observation"]])


def flat_space(space: Any) -> gymnasium.spaces.Box:
    mask, sights = space["action_mask"], space["observation"]
    low, high = (
        np.concatenate(pair) for pair in ((mask.low, sights.low), (mask.high, sights.high))
    )
    return gymnasium.spaces.Box(low, high, dtype=np.int8)


# -- vectors --------------------------------------------------------------------------------------


class Beside:
    """Our own environments, played as SuperSuit's vectors of them are to play.

    Each of theirs is all agents of one game, and the next game begins in the step that ends one.
    """

    def __init__(self, seats: Seats, seeds: list[int]) -> None:
        self.envs = [seats.at_once() for _ in seeds]
        self.shown = [env.reset(seed=seed)[0] for env, seed in zip(self.envs, seeds, strict=True)]

    def observations(self) -> dict[str, np.ndarray]:
        rows = [one for shown in self.shown for one in shown.values()]
        return {key: np.stack([row[key] for row in rows]) for key in rows[0]}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Rewards and ends of all agents, and what each is told, with its last sight at an end."""
        told = []
        for i, chosen in enumerate(np.split(actions, len(self.envs))):
            env = self.envs[i]
            shown, rewards, ends, _, infos = env.step(dict(zip(env.agents, chosen, strict=True)))
            for agent, reward in rewards.items():
                last = {"terminal_observation": shown[agent]} if ends[agent] else {}
                told.append((reward, ends[agent], {**infos[agent], **last}))
            self.shown[i] = shown if env.agents else env.reset()[0]
        all_rewards, all_ends, all_infos = zip(*told, strict=True)
        return np.array(all_rewards, np.float32), np.array(all_ends), list(all_infos)


def same_vectors(client: Any, ours: Beside, rounds: int = 30) -> None:
    """Reset and play both, and compare all that they tell."""
    luck, ends = np.random.default_rng(SEED), 0
    seen, _ = client.reset(seed=SEED)
    for _ in range(rounds):
        same(seen, ours.observations())
        actions = np.array([a_legal(mask, luck) for mask in seen["action_mask"]])
        seen, rewards, over, cut, infos = client.step(actions)
        expected = ours.step(actions)
        same((rewards, over, infos), expected)
        assert not cut.any()
        ends += over.any()
    assert ends


def vector(seats: Seats, processes: int = 0, **options: Any) -> Any:
    env = supersuit.pettingzoo_env_to_vec_env_v1(seats.at_once())
    return supersuit.concat_vec_envs_v1(env, TABLES, num_cpus=processes, **options)


@pytest.mark.parametrize("seats", AT_ONCE, ids=str)
def test_agents_as_a_vector(seats: Seats) -> None:
    client = supersuit.pettingzoo_env_to_vec_env_v1(seats.at_once())
    same_vectors(client, Beside(seats, [SEED]))


@pytest.mark.parametrize("seats", AT_ONCE, ids=str)
def test_many_games_as_a_vector(seats: Seats) -> None:
    client = vector(seats)
    same_vectors(client, Beside(seats, [SEED + table for table in range(TABLES)]))


@pytest.mark.parametrize("seats", AT_ONCE, ids=str)
def test_many_games_in_processes(seats: Seats) -> None:
    """A process for each table, so that the fault below does not show. It must be closed."""
    with contextlib.closing(vector(seats, TABLES)) as client:
        same_vectors(client, Beside(seats, [SEED + table for table in range(TABLES)]))


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AssertionError, "two tables play the same games")
def test_seeds_of_several_games_in_each_process(seats: Seats) -> None:
    """Process p is reset with seed + p, and its tables count on from there: some play the same."""
    with contextlib.closing(vector(seats, 2)) as client:
        seen, _ = client.reset(seed=SEED)
    tables = seen["observation"].reshape(TABLES, -1)
    assert len(np.unique(tables, axis=0)) == TABLES, "two tables play the same games"


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(subprocess.TimeoutExpired, "timed out")
def test_vector_in_processes_that_nobody_closes(seats: Seats) -> None:
    """Its workers wait for orders, and the program waits for its workers."""
    script = (
        "import supersuit, miaui_env\n"
        f"env = miaui_env.make({seats.game!r}, 'parallel', num_players={seats.players})\n"
        "env = supersuit.pettingzoo_env_to_vec_env_v1(env)\n"
        "client = supersuit.concat_vec_envs_v1(env, 2, num_cpus=2)"
    )
    subprocess.run([sys.executable, "-c", script], timeout=15, check=True)


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_vector_for_sb3(seats: Seats) -> None:
    """PPO learns on it, masks being among the observations; it plays illegal actions, too."""
    sb3 = pytest.importorskip("stable_baselines3")
    inner = supersuit.pettingzoo_env_to_vec_env_v1(seats.at_once(illegal="replace"))
    env = supersuit.concat_vec_envs_v1(inner, 2, base_class="stable_baselines3")
    learner = sb3.PPO("MultiInputPolicy", env, n_steps=8, batch_size=32, n_epochs=1, device="cpu")
    learner.learn(2 * 8 * env.num_envs)
    assert learner.num_timesteps == 2 * 8 * env.num_envs


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AttributeError, "'ConcatVecEnv' object has no attribute 'seed'")
def test_vector_for_sb3_with_a_seed(seats: Seats) -> None:
    sb3 = pytest.importorskip("stable_baselines3")
    env = vector(seats, base_class="stable_baselines3")
    sb3.PPO("MultiInputPolicy", env, n_steps=8, batch_size=32, device="cpu", seed=SEED)


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AttributeError, "'ConcatVecEnv' object has no attribute 'has_attr'")
def test_vector_for_maskable_ppo(seats: Seats) -> None:
    """It asks for masks by a call that is not handed on; our own `sb3` interface has it."""
    contrib = pytest.importorskip("sb3_contrib")
    env = vector(seats, base_class="stable_baselines3")
    learner = contrib.MaskablePPO("MultiInputPolicy", env, n_steps=8, batch_size=32, device="cpu")
    learner.learn(8)


@pytest.mark.filterwarnings("ignore:agent_selector is deprecated")
@pytest.mark.parametrize("seats", SOME, ids=str)
def test_vector_in_turns(seats: Seats) -> None:
    client = supersuit.vectorize_aec_env_v0(seats.turns(), 1)
    ours, luck = seats.turns(), np.random.default_rng(SEED)
    client.reset(seed=SEED)
    ours.reset(seed=SEED)
    while not any(ours.terminations.values()):
        assert client.agent_selection == ours.agent_selection
        seen, reward, over, cut, _, _, passes, infos = client.last()
        observation, due, *rest = ours.last()
        same(seen[0], observation)
        same((reward[0], over[0], cut[0], infos[0]), (np.float32(due), *rest))
        assert not passes.any() and observation is not None
        action = a_legal(observation["action_mask"], luck)
        client.step([action])
        ours.step(action)
    assert client.terminations[ours.agent_selection].all()


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AssertionError, "ProcVectorEnv only support Box and Discrete types")
def test_vector_in_turns_in_processes(seats: Seats) -> None:
    """In a process of its own: what fails leaves handlers of signals and a broken `__del__`."""
    script = (
        "import supersuit, miaui_env\n"
        f"env = miaui_env.make({seats.game!r}, num_players={seats.players})\n"
        "supersuit.vectorize_aec_env_v0(env, 2, num_cpus=2)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# -- wrappers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_pad_action_space(seats: Seats) -> None:
    """The only one of these that takes our environments as they are; it has nothing to pad."""
    same_in_turns(supersuit.pad_action_space_v0(seats.turns()), seats.turns())
    if seats in AT_ONCE:
        same_at_once(supersuit.pad_action_space_v0(seats.at_once()), seats.at_once())


WANT_ONE_ARRAY = [
    pytest.param(
        supersuit.pad_observations_v0,
        marks=fault(AssertionError, "homogenization only supports Discrete and Box spaces"),
    ),
    pytest.param(
        lambda env: supersuit.dtype_v0(env, np.float32),
        marks=fault(AttributeError, "'Dict' object has no attribute 'low'"),
        id="dtype_v0",
    ),
    pytest.param(
        supersuit.flatten_v0, marks=fault(AttributeError, "'Dict' object has no attribute 'low'")
    ),
    pytest.param(
        supersuit.frame_stack_v1, marks=fault(AssertionError, "only allowed for Box and Discrete")
    ),
    pytest.param(
        supersuit.agent_indicator_v0, marks=fault(AssertionError, "must be 1d, 2d, or 3d Box")
    ),
    pytest.param(
        lambda env: supersuit.black_death_v3(env).reset(seed=SEED),
        marks=fault(AssertionError, "black death must be Box spaces"),
        id="black_death_v3",
    ),
]


@pytest.mark.parametrize("seats", FEW, ids=str)
@pytest.mark.parametrize("wrapper", WANT_ONE_ARRAY)
def test_wrappers_of_dict_observations(seats: Seats, wrapper: Callable[[Any], Any]) -> None:
    wrapper(seats.at_once())


FLAT: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "observation_lambda_v0": (flat, flattened),
    "pad_observations_v0": (lambda env: supersuit.pad_observations_v0(flat(env)), flattened),
    "dtype_v0": (
        lambda env: supersuit.dtype_v0(flat(env), np.float32),
        lambda shown: flattened(shown).astype(np.float32),
    ),
    "flatten_v0": (lambda env: supersuit.flatten_v0(flat(env)), flattened),
}


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.parametrize("seats", SOME, ids=str)
def test_wrappers_of_flat_observations(seats: Seats, name: str) -> None:
    wrapper, shown = FLAT[name]
    client, ours = wrapper(seats.turns()), seats.turns()
    dtype = shown(ours.observation_space("player_0").sample()).dtype
    assert client.observation_space("player_0").dtype == dtype
    same_in_turns(client, ours, lambda seen: shown(seen).astype(dtype))
    if seats in AT_ONCE:
        same_at_once(wrapper(seats.at_once()), seats.at_once(), shown)


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AssertionError, "the game ended and nobody was told")
def test_black_death(seats: Seats) -> None:
    """It takes a game for over when everyone is terminated *and* truncated, so it never is."""
    client, ours = supersuit.black_death_v3(flat(seats.at_once())), seats.at_once()
    luck = np.random.default_rng(SEED)
    seen, _ = client.reset(seed=SEED)
    observations, _ = ours.reset(seed=SEED)
    while ours.agents:
        same(seen, {agent: flattened(one) for agent, one in observations.items()})
        actions = {a: a_legal(observations[a]["action_mask"], luck) for a in ours.agents}
        seen, _, ends, _, _ = client.step(actions)
        observations, *_ = ours.step(actions)
    assert all(ends.values()), "the game ended and nobody was told"


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_wrappers_of_gymnasium_environments(seats: Seats) -> None:
    floats = supersuit.dtype_v0(seats.alone(), np.float32)
    client = supersuit.frame_stack_v1(floats, 2)
    size = seats.alone().observation_space.shape[0]
    for told, expected in beside(client, seats.alone()):
        same(told[0][size:], expected[0].astype(np.float32))
        same(told[1:], expected[1:])
