"""What the clients' tests share: tables to try, and a game played beside a client's on our own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import VectorEnv

import miaui_env
from miaui_env import Tables, find, games
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.parallel import Parallel
from miaui_env.registry import gymnasium_id

SEED = 11
REWARDS = {"win": 1.0, "points": 0.25}
"""Something falls due all along, so that more than the last reward is compared."""


class Seats(NamedTuple):
    """A game and how many sit down to it."""

    game: str
    players: int

    def __str__(self) -> str:
        return f"{self.game}-{self.players}"

    def turns(self, **options: Any) -> AEC:
        """PettingZoo's environment in turns."""
        env: AEC = miaui_env.make(self.game, "aec", **self.arguments(options))
        return env

    def at_once(self, **options: Any) -> Parallel:
        """PettingZoo's parallel environment."""
        env: Parallel = miaui_env.make(self.game, "parallel", **self.arguments(options))
        return env

    @property
    def gymnasium_id(self) -> str:
        """With the module before the colon, a fresh process imports it and knows the id, too."""
        return f"miaui_env:{gymnasium_id(find(self.game))}"

    def alone(self, **options: Any) -> Any:
        """Gymnasium's environment, through `gymnasium.make`."""
        arguments = {"opponents": "greedy", **self.arguments(options)}
        return gymnasium.make(self.gymnasium_id, **arguments)

    def many(self, number: int = 3, **options: Any) -> Any:
        """Our own vector of them, through `gymnasium.make_vec`."""
        return gymnasium.make_vec(
            self.gymnasium_id,
            number,
            "vector_entry_point",
            **{"opponents": "greedy", **self.arguments(options)},
        )

    def arguments(self, options: dict[str, Any]) -> dict[str, Any]:
        """Those of every environment here, and others."""
        return {"num_players": self.players, "reward": REWARDS, **options}


SOME = [Seats(name, n) for name in games() for n in (2, 4, 6) if n in find(name).players]
"""Each game with 2, 4 and 6 seats."""
AT_ONCE = [seats for seats in SOME if find(seats.game).simultaneous]
"""Those where all seats choose at once."""
FEW = [seats for seats in AT_ONCE if seats.players == 4]
"""For what is slow, or has little to do with seats."""


def fault(error: type[BaseException], match: str) -> pytest.MarkDecorator:
    """A client's own fault: the test says what should work, and fails once the client mends it.

    Then the mark goes, and so does the line in docs/clients.md.
    """
    symptom = pytest.RaisesExc(error, match=match)
    return pytest.mark.xfail(strict=True, raises=symptom, reason=f"{error.__name__}: {match}")


def a_legal(mask: Any, luck: np.random.Generator) -> int:
    """A random one of the actions that a mask allows."""
    return int(luck.choice(np.flatnonzero(mask)))


def same(one: Any, other: Any) -> None:
    """Equal to the last bit and key, whatever it is made of; a float32 may be a float64."""
    if isinstance(other, dict):
        assert set(one) == set(other)
        for key in other:
            same(one[key], other[key])
    elif isinstance(other, (tuple, list)) or getattr(other, "dtype", None) is np.dtype(object):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            same(a, b)
    else:
        assert np.array_equal(one, other), (one, other)


def seeds(games: int) -> list[int | None]:
    """What `reset` is given for one game after the other."""
    return [SEED, *[None] * (games - 1)]


def unchanged(observation: Any) -> Any:
    """What a client shows that changes nothing."""
    return observation


def same_in_turns(client: Any, ours: AEC, shown: Callable[[Any], Any] = unchanged) -> None:
    """Play two random legal games in both, turn by turn, and compare all that each tells.

    Args:
        client: an AEC environment, wrapped.
        ours: the same, bare.
        shown: what the client makes of an observation.
    """
    luck = np.random.default_rng(SEED)
    for seed in seeds(2):
        client.reset(seed=seed)
        ours.reset(seed=seed)
        for agent in client.agent_iter():
            assert agent == ours.agent_selection
            (seen, *told), (observation, *expected) = client.last(), ours.last()
            same(seen, shown(observation))
            assert told == expected
            assert observation is not None
            over = ours.terminations[agent]
            action = None if over else a_legal(observation["action_mask"], luck)
            client.step(action)
            ours.step(action)
        assert not ours.agents


def same_at_once(client: Any, ours: Parallel, shown: Callable[[Any], Any] = unchanged) -> None:
    """Likewise, round by round."""
    luck = np.random.default_rng(SEED)
    for seed in seeds(2):
        seen, told = client.reset(seed=seed)
        observations, infos = ours.reset(seed=seed)
        same(told, infos)
        while ours.agents:
            assert client.agents == ours.agents
            same(seen, {agent: shown(one) for agent, one in observations.items()})
            actions = {a: a_legal(observations[a]["action_mask"], luck) for a in ours.agents}
            seen, *told = client.step(actions)
            observations, *expected = ours.step(actions)
            same(told, expected)
        same(seen, {agent: shown(one) for agent, one in observations.items()})
        assert not client.agents


def beside(client: Any, plain: Any, games: int = 2) -> Iterator[tuple[Any, Any]]:
    """What `reset` and `step` give in two Gymnasium environments, for the same legal actions."""
    luck = np.random.default_rng(SEED)
    for seed in seeds(games):
        told, expected = client.reset(seed=seed), plain.reset(seed=seed)
        yield told, expected
        while not (len(told) > 2 and (told[2] or told[3])):
            action = a_legal(expected[-1]["action_mask"], luck)
            told, expected = client.step(action), plain.step(action)
            yield told, expected


def rest_of(env: Any) -> str:
    """Play an environment on for 40 steps of random legal actions; a hash of all it tells.

    The actions come from the tables' own luck, so that a worker chooses them as its parent does.
    """
    told = hashlib.sha256()
    for _ in range(40):
        told.update(repr(one_step(env)).encode())
    return told.hexdigest()


def one_step(env: Any) -> Any:
    """One step, and another game where one is over."""
    if isinstance(env, Tables):
        return env.step(env.random_actions())
    if isinstance(env, AEC):
        return one_turn(env)
    if isinstance(env, VectorEnv):
        return env.step(vector_actions(env))
    table = env.unwrapped.table
    if table.is_over:
        return env.reset()
    actions = table.tables.random_actions()[0].tolist()
    if isinstance(env, Parallel):
        return env.step(dict(zip(env.agents, actions, strict=True)))
    return env.step(actions[env.unwrapped.seat])


def one_turn(env: AEC) -> Any:
    """One turn in PettingZoo's environment."""
    if not env.agents:
        env.reset()
    told = env.last()
    actions = env.table.tables.random_actions()[0].tolist()
    over = env.terminations[env.agent_selection]
    env.step(None if over else actions[env.seat_of(env.agent_selection)])
    return told


def vector_actions(env: Any) -> np.ndarray:
    """A random legal one for each learner of our own vector environment."""
    seating = env.unwrapped.learners.seating
    drawn = env.unwrapped.tables.random_actions()
    chosen: np.ndarray = drawn[seating.tables_of, seating.seats_of].astype(np.int64)
    return chosen
