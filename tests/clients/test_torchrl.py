"""TorchRL's PettingZooWrapper: in turns and at once, in groups of any cut, with masks and state."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from miaui_env.adapters.aec import AEC
from miaui_env.adapters.parallel import Parallel
from tests.clients.play import AT_ONCE, FEW, SEED, SOME, Seats, fault, same

MISSING = "TorchRL is not installed: `make clients` brings it"
wrappers: Any = pytest.importorskip("torchrl.envs.libs.pettingzoo", reason=MISSING)
envs: Any = pytest.importorskip("torchrl.envs", reason=MISSING)
utils: Any = pytest.importorskip("torchrl.envs.utils", reason=MISSING)
modules: Any = pytest.importorskip("torchrl.modules", reason=MISSING)
nn: Any = pytest.importorskip("tensordict.nn", reason=MISSING)
collectors: Any = pytest.importorskip("torchrl.collectors", reason=MISSING)

pytestmark = [
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version"),
    pytest.mark.filterwarnings("ignore:The env passed to Collector is missing transforms"),
]

GROUPS = ["default", "together", "apart", "two"]
LONG = 250
"""Steps in which a game in turns ends, whichever it is; at random, Lucky Catch takes about 110."""


def group_map(seats: Seats, groups: str) -> Any:
    """How the agents are grouped: by TorchRL, or into the learner and all others."""
    others = [f"player_{seat}" for seat in range(1, seats.players)]
    maps = utils.MarlGroupMapType
    return {
        "default": None,
        "together": maps.ALL_IN_ONE_GROUP,
        "apart": maps.ONE_GROUP_PER_AGENT,
        "two": {"learner": ["player_0"], "others": others},
    }[groups]


def wrapped(env: Any, seats: Seats, groups: str = "default", **options: Any) -> Any:
    mapped = group_map(seats, groups)
    return wrappers.PettingZooWrapper(env=env, use_mask=True, group_map=mapped, **options)


def of_agents(env: Any, told: Any, *path: str) -> dict[str, np.ndarray]:
    """What a tensordict has under a path, agent by agent."""
    return {
        agent: told[(group, *path)][i].numpy()
        for group, agents in env.group_map.items()
        for i, agent in enumerate(agents)
    }


def same_sights(env: Any, told: Any, ours: Any, owing: list[str]) -> None:
    """Observations of all agents, masks of those who owe an action, who that is, and the state."""
    assert set(of_agents(env, told, "mask")) == set(ours.possible_agents)
    for agent in ours.possible_agents:
        seen = ours.table.observation(ours.seat_of(agent))
        same(of_agents(env, told, "observation", "observation")[agent], seen["observation"])
        owes = agent in owing
        assert of_agents(env, told, "mask")[agent] == owes
        # TorchRL's random policy draws for all: who owes nothing gets a mask of everything.
        mask = seen["action_mask"].astype(np.bool_) if owes else np.ones_like(seen["action_mask"])
        same(of_agents(env, told, "action_mask")[agent], mask)
    same(told["state"].numpy(), ours.state())


def same_results(env: Any, told: Any, rewards: dict[str, float], over: bool) -> None:
    """Rewards and ends of all agents."""
    for agent, reward in of_agents(env, told, "reward").items():
        same(reward, np.array([rewards[agent]], np.float32))
    for ends in (of_agents(env, told, "terminated"), of_agents(env, told, "done")):
        assert {bool(end[0]) for end in ends.values()} == {over}
    assert not any(cut[0] for cut in of_agents(env, told, "truncated").values())
    assert bool(told["done"]) is over


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("seats", AT_ONCE, ids=str)
def test_at_once(seats: Seats, groups: str) -> None:
    """A random rollout over several games; who was dealt what is the seed's, and so is all else."""
    env, ours = wrapped(seats.at_once(), seats, groups, return_state=True), seats.at_once()
    utils.check_env_specs(env)
    env.set_seed(SEED)
    ours.reset(seed=SEED)
    ours.reset()  # `set_seed` dealt the seed's first game, `rollout` the next one
    ends = 0
    for step in env.rollout(30, break_when_any_done=False):
        same_sights(env, step, ours, ours.agents)
        actions = {agent: int(one) for agent, one in of_agents(env, step, "action").items()}
        _, rewards, over, _, _ = ours.step(actions)  # raises for an illegal one
        same_results(env, step["next"], rewards, any(over.values()))
        if any(over.values()):
            ends += 1
            final_sights(env, step["next"], ours)
            ours.reset()
        else:
            same_sights(env, step["next"], ours, ours.agents)
    assert ends


def final_sights(env: Any, told: Any, ours: Parallel | AEC) -> None:
    """At the end nobody owes anything."""
    for agent, seen in of_agents(env, told, "observation", "observation").items():
        same(seen, ours.table.observation(ours.seat_of(agent))["observation"])


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("seats", SOME, ids=str)
def test_in_turns(seats: Seats, groups: str) -> None:
    env, ours = wrapped(seats.turns(), seats, groups, return_state=True), seats.turns()
    utils.check_env_specs(env)
    env.set_seed(SEED)
    ours.reset(seed=SEED)
    ours.reset()
    ends = 0
    for step in env.rollout(LONG, break_when_any_done=False):
        same_sights(env, step, ours, [ours.agent_selection])
        ours.step(int(of_agents(env, step, "action")[ours.agent_selection]))
        over = any(ours.terminations.values())
        same_results(env, step["next"], ours.rewards, over)
        if over:
            ends += 1
            final_sights(env, step["next"], ours)
            ours.reset()
        else:
            same_sights(env, step["next"], ours, [ours.agent_selection])
    assert ends


@pytest.mark.parametrize("seats", FEW, ids=str)
@pytest.mark.parametrize("how", ["turns", "at_once"])
def test_one_hot_actions(seats: Seats, how: str) -> None:
    env = wrapped(getattr(seats, how)(), seats, categorical_actions=False)
    utils.check_env_specs(env)
    assert env.rollout(100)["next", "done"].sum() == 1


# -- a policy that reads the mask -----------------------------------------------------------------


def at_once(seats: Seats) -> Any:
    return wrapped(seats.at_once(), seats, "together")


def drawn(mask: Any) -> Any:
    """A random legal action of each agent, from the distribution that a learner would use."""
    return modules.MaskedCategorical(logits=mask.float(), mask=mask).sample()


POLICY = nn.TensorDictModule(drawn, [("agents", "action_mask")], [("agents", "action")])


@pytest.mark.parametrize("seats", AT_ONCE, ids=str)
def test_games_side_by_side(seats: Seats) -> None:
    env = envs.SerialEnv(2, functools.partial(at_once, seats))
    env.set_seed(SEED, static_seed=True)
    rollout = env.rollout(30, POLICY, break_when_any_done=False)
    for row in rollout:
        ours = seats.at_once()
        ours.reset(seed=SEED)
        ours.reset()
        for step in row:
            seen = [ours.table.observation(seat)["observation"] for seat in range(seats.players)]
            same(step["agents", "observation", "observation"].numpy(), np.stack(seen))
            chosen = step["agents", "action"].tolist()
            ours.step(dict(zip(ours.agents, chosen, strict=True)))
            if not ours.agents:
                ours.reset()


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_games_in_processes(seats: Seats) -> None:
    env = envs.ParallelEnv(2, functools.partial(at_once, seats))
    assert env.rollout(30, POLICY, break_when_any_done=False)["next", "done"].any()
    env.close()


@pytest.mark.parametrize("seats", FEW, ids=str)
def test_collector(seats: Seats) -> None:
    collector = collectors.Collector(
        functools.partial(at_once, seats), POLICY, frames_per_batch=30, total_frames=60
    )
    assert [batch["next", "done"].any().item() for batch in collector] == [True, True]
    collector.shutdown()


# -- faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(ValueError, "illegal action")
def test_random_actions_side_by_side(seats: Seats) -> None:
    """The mask lives in the spec of each environment, and the vector draws from one of its own."""
    env = envs.SerialEnv(2, functools.partial(at_once, seats))
    env.rollout(30)


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(ValueError, "illegal action")
def test_random_actions_of_a_collector(seats: Seats) -> None:
    make = functools.partial(at_once, seats)
    list(collectors.Collector(make, None, frames_per_batch=30, total_frames=60))


@pytest.mark.parametrize("seats", FEW, ids=str)
@fault(TypeError, "'NoneType' object does not support item assignment")
def test_infos_that_come_at_the_end(seats: Seats) -> None:
    """It takes an info for what the first one was: with "illegal" in it, "points" has no place."""
    wrapped(seats.at_once(illegal="replace"), seats).rollout(30)
