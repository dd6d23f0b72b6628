"""Tianshou's PettingZooEnv with masks, one and in vectors, and its collector and learners."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import numpy as np
import pytest

from miaui_env.adapters.aec import AEC
from tests.clients.play import AT_ONCE, FEW, SEED, SOME, Seats, a_legal, fault, same

MISSING = "Tianshou is not installed: `make clients` brings it"
envs: Any = pytest.importorskip("tianshou.env", reason=MISSING)
data: Any = pytest.importorskip("tianshou.data", reason=MISSING)
marl: Any = pytest.importorskip("tianshou.algorithm.multiagent.marl", reason=MISSING)
chance: Any = pytest.importorskip("tianshou.algorithm.random", reason=MISSING)
utils: Any = pytest.importorskip("tianshou.utils.torch_utils", reason=MISSING)

TABLES, GAMES = 2, 2


def wrapped(seats: Seats) -> Any:
    return envs.PettingZooEnv(seats.turns())


def same_sight(seen: Any, ours: AEC) -> None:
    """What the agent who is to move sees and may do, and who it is."""
    observation = ours.observe(ours.agent_selection)
    assert seen["agent_id"] == ours.agent_selection
    same(seen["obs"], observation["observation"])
    same(seen["mask"], observation["action_mask"].astype(np.bool_))


@pytest.mark.parametrize("seats", SOME, ids=str)
def test_one_environment(seats: Seats) -> None:
    client, ours = wrapped(seats), seats.turns()
    luck = np.random.default_rng(SEED)
    for seed in (SEED, None):
        seen, info = client.reset(seed=seed)
        ours.reset(seed=seed)
        same(info, {})
        over = False
        while not over:
            same_sight(seen, ours)
            action = a_legal(seen["mask"], luck)
            seen, rewards, over, cut, info = client.step(action)
            ours.step(action)
            same(rewards, list(ours.rewards.values()))
            same(info, ours.infos[ours.agent_selection])
            assert over is ours.terminations[ours.agent_selection] and cut is False
        same_sight(seen, ours)


# -- collected ------------------------------------------------------------------------------------


def vector(seats: Seats, kind: str, **options: Any) -> Any:
    return getattr(envs, kind)([functools.partial(wrapped, seats)] * TABLES, **options)


def random_agents(seats: Seats) -> Any:
    """All draw among their legal actions."""
    env = wrapped(seats)
    agent = chance.MARLRandomDiscreteMaskedOffPolicyAlgorithm
    agents = [agent(env.action_space) for _ in env.agents]
    return marl.MultiAgentOffPolicyAlgorithm(algorithms=agents, env=env)


def collected(seats: Seats, agents: Any, client: Any) -> Any:
    """A buffer with the games after the seeds' first ones, which seeding deals."""
    buffer = data.VectorReplayBuffer(1000 * TABLES, TABLES)
    with contextlib.closing(client):
        client.seed(SEED)
        collector = data.Collector(agents, client, buffer)
        collector.reset()
        collector.collect(n_episode=GAMES * TABLES)
    return buffer


def same_games(buffer: Any, seats: Seats) -> None:
    """Play what was collected on environments of our own."""
    for table, one in enumerate(buffer.buffers):
        ours = seats.turns()
        ours.reset(seed=SEED + table)
        ours.reset()
        assert one[:].terminated.sum() >= 1
        for step in one[:]:
            same_sight(step.obs, ours)
            ours.step(int(step.act))  # raises for an illegal one
            same_sight(step.obs_next, ours)
            same(step.rew, np.array(list(ours.rewards.values())))
            assert step.terminated == any(ours.terminations.values()) and not step.truncated
            if step.terminated:
                ours.reset()


@pytest.mark.parametrize("seats", SOME, ids=str)
@pytest.mark.parametrize("kind", ["DummyVectorEnv", "SubprocVectorEnv"])
def test_collector(seats: Seats, kind: str) -> None:
    same_games(collected(seats, random_agents(seats), vector(seats, kind)), seats)


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_collector_in_fresh_processes(seats: Seats) -> None:
    client = vector(seats, "SubprocVectorEnv", context="spawn")
    same_games(collected(seats, random_agents(seats), client), seats)


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(AssertionError, "the workers died")
def test_shared_memory(seats: Seats) -> None:
    """Its buffers have the names of our observation, what it writes has those of its own.

    So the workers die of `KeyError: 'agent_id'`.
    """
    client = vector(seats, "ShmemVectorEnv")
    died = False
    try:
        client.reset()
    except (EOFError, ConnectionError):
        died = True
    with contextlib.suppress(ConnectionError):
        client.close()
    assert not died, "the workers died"


# -- learned from ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", AT_ONCE, ids=str)
@fault(AssertionError, "not in its own steps")
def test_rewards_reach_their_agents(seats: Seats) -> None:
    """A step holds what falls due in it, not until the agent's next one.

    Where all choose at once, that is in the last agent's step, and the others learn of nothing.
    """
    buffer = collected(seats, random_agents(seats), vector(seats, "DummyVectorEnv"))
    steps = buffer[:]
    for seat in range(seats.players):
        own = steps.obs.agent_id == f"player_{seat}"
        total = steps.rew[:, seat].sum()
        assert steps.rew[own, seat].sum() == pytest.approx(total), "not in its own steps"


def learners(seats: Seats, horizon: int) -> Any:
    """A small Q-learner at each seat."""
    algorithm: Any = pytest.importorskip("tianshou.algorithm")
    policy: Any = pytest.importorskip("tianshou.algorithm.modelfree.dqn").DiscreteQLearningPolicy
    adam: Any = pytest.importorskip("tianshou.algorithm.optim").AdamOptimizerFactory
    net: Any = pytest.importorskip("tianshou.utils.net.common").Net
    env = wrapped(seats)
    shape = env.observation_space["observation"].shape
    agents = []
    for _ in env.agents:
        model = net(state_shape=shape, action_shape=env.action_space.n, hidden_sizes=[8])
        spaces = {"action_space": env.action_space, "observation_space": env.observation_space}
        playing = policy(model=model, eps_training=1.0, **spaces)
        step = {"n_step_return_horizon": horizon, "target_update_freq": 10}
        agents.append(algorithm.DQN(policy=playing, optim=adam(), gamma=1.0, **step))
    return marl.MultiAgentOffPolicyAlgorithm(algorithms=agents, env=env)


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_learners(seats: Seats) -> None:
    """They look as many steps ahead as there are seats: the way round what is told above."""
    agents = learners(seats, seats.players)
    buffer = collected(seats, agents, vector(seats, "DummyVectorEnv"))
    same_games(buffer, seats)
    with utils.policy_within_training_step(agents.policy):
        losses = agents.update(buffer, 32).get_loss_stats_dict()
    assert set(losses) == {f"player_{seat}/loss" for seat in range(seats.players)}
    ends = np.flatnonzero(buffer.terminated)
    for seat in range(seats.players):
        steps = ends - (seats.players - 1 - seat)  # each agent's last one
        batch = agents._preprocess_batch(buffer[steps], buffer, steps)[f"player_{seat}"]
        np.testing.assert_allclose(batch.returns[:, 0], buffer.rew[ends, seat], rtol=1e-5)
