"""One scripted game through every interface: the same sights, masks, rewards and ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.conversions import aec_to_parallel

from miaui_env import Tables
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.parallel import Parallel
from miaui_env.adapters.sb3 import TablesVecEnv
from miaui_env.adapters.vector import SeatVectorEnv
from tests.adapters.play import (
    Decision,
    Laid,
    Record,
    at_once,
    chosen,
    label,
    luck,
    some_tables,
    written_by_aec,
    written_by_seat,
)

SEED = 11
REWARDS = {"win": 1.0, "points": 0.25}


def games_by_aec(laid: Laid, tables: int = 6, episodes: int = 3) -> list[list[list[Record]]]:
    """`[table][episode][seat]`, played one after the other."""
    game, options = laid
    played = []
    for table in range(tables):
        env = AEC(game, reward=REWARDS, **options)
        env.reset(seed=SEED + table)
        played.append([written_by_aec(env)])
        for _ in range(episodes - 1):
            env.reset()
            played[-1].append(written_by_aec(env))
    return played


def same(one: Record, other: Record) -> None:
    assert [d[:3] for d in one.decisions] == [d[:3] for d in other.decisions]
    rewards = [[d.reward for d in record.decisions] for record in (one, other)]
    assert rewards[0] == pytest.approx(rewards[1], abs=1e-6)
    assert one.final == other.final
    assert one.points == other.points
    assert one.win_share == pytest.approx(other.win_share)


class Pen:
    """Writes down what a vector of environments gives, episode after episode."""

    def __init__(self, number: int) -> None:
        self.open: list[list[Decision]] = [[] for _ in range(number)]
        self.records: list[list[Record]] = [[] for _ in range(number)]

    def write(
        self, i: int, before: Any, action: Any, reward: Any, end: tuple[Any, ...] | None
    ) -> None:
        observation, mask = before
        shown = observation.tobytes(), mask.astype(np.int8).tobytes()
        self.open[i].append(Decision(*shown, int(action), float(reward)))
        if end is not None:
            final, points, share = end
            record = Record(self.open[i], final.tobytes(), int(points), float(share))
            self.records[i].append(record)
            self.open[i] = []


def choices(tables: Tables, observations: Any, masks: Any, rows: Any, seats: Any) -> np.ndarray:
    keys = tables.decision_keys()
    return np.array(
        [
            chosen(observation, mask.astype(np.int8), keys[row, seat])
            for observation, mask, row, seat in zip(observations, masks, rows, seats, strict=True)
        ]
    )


@pytest.mark.parametrize("laid", at_once(some_tables()), ids=label)
def test_parallel_is_aec(laid: Laid) -> None:
    game, options = laid
    environments: list[Any] = [
        Parallel(game, reward=REWARDS, **options),
        aec_to_parallel(AEC(game, reward=REWARDS, **options)),
    ]
    for env in environments:
        for episode, told in enumerate(games_by_aec(laid, tables=1)[0]):
            observations, _ = env.reset(seed=SEED) if episode == 0 else env.reset()
            pen = Pen(len(env.possible_agents))
            while env.agents:
                keys = luck(env.unwrapped.table.tables)
                before: dict[str, Any] = {
                    agent: tuple(observations[agent].values()) for agent in env.agents
                }
                actions = {
                    agent: chosen(before[agent][0], before[agent][1], keys[seat])
                    for seat, agent in enumerate(env.possible_agents)
                }
                observations, rewards, terminations, truncations, infos = env.step(actions)
                for part in (observations, rewards, terminations, truncations, infos):
                    assert set(part) == set(before)
                for seat, agent in enumerate(before):
                    end = None
                    if terminations[agent]:
                        info = infos[agent]
                        end = observations[agent]["observation"], info["points"], info["win_share"]
                    pen.write(seat, before[agent], actions[agent], rewards[agent], end)
            for seat, record in enumerate(told):
                same(pen.records[seat][0], record)


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_gymnasium_is_aec(laid: Laid) -> None:
    game, options = laid
    told = games_by_aec(laid)
    seats = [*range(len(told[0][0])), None]
    for seat in seats:
        for table, episodes in enumerate(told):
            env = SeatEnv(game, opponents="random", seat=seat, reward=REWARDS, **options)
            observation, info = env.reset(seed=SEED + table)
            # A game that ends before the learner decides is passed over, so which one is this?
            while (episode := int(env.table.tables.episodes[0])) < len(episodes):
                same(written_by_seat(env, observation, info), episodes[episode][env.seat])
                observation, info = env.reset()


@pytest.mark.parametrize("laid", some_tables(), ids=label)
@pytest.mark.parametrize("seat", [0, None])
def test_vectors_are_gymnasium(laid: Laid, seat: int | None) -> None:
    game, options = laid
    number, steps = 5, 40
    told: list[list[Record]] = []
    for table in range(number):
        env = SeatEnv(game, opponents="random", seat=seat, reward=REWARDS, **options)
        observation, info = env.reset(seed=SEED + table)
        told.append([])
        for _ in range(10):
            told[-1].append(written_by_seat(env, observation, info))
            observation, info = env.reset()
    arguments: dict[str, Any] = {"opponents": "random", "reward": REWARDS, **options}
    vector = SeatVectorEnv(game, number, seat=seat, **arguments)
    sb3 = TablesVecEnv(game, number, seats=seat, seed=SEED, **arguments)
    for records in (by_vector(vector, steps), by_sb3(sb3, steps)):
        for table in range(number):
            assert len(records[table]) >= 2
            for record, expected in zip(records[table], told[table], strict=False):
                same(record, expected)


def by_vector(env: SeatVectorEnv, steps: int) -> list[list[Record]]:
    pen, rows = Pen(env.num_envs), range(env.num_envs)
    observations, infos = env.reset(seed=SEED)
    for _ in range(steps):
        assert np.array_equal(env.action_masks(), infos["action_mask"])
        before = list(zip(observations.copy(), env.action_masks(), strict=True))
        actions = choices(env.tables, observations, env.action_masks(), rows, infos["seat"])
        observations, rewards, over, _, infos = env.step(actions)
        for i in rows:
            end = None
            if over[i]:
                assert infos["_final_obs"][i] and infos["_final_info"][i] and infos["_points"][i]
                final = infos["final_info"]
                end = infos["final_obs"][i], final["points"][i], infos["win_share"][i]
            pen.write(i, before[i], actions[i], rewards[i], end)
    return pen.records


def by_sb3(env: Any, steps: int) -> list[list[Record]]:
    pen, rows, seating = Pen(env.num_envs), range(env.num_envs), env.learners.seating
    observations = env.reset()
    for _ in range(steps):
        masks = env.action_masks()
        before = list(zip(observations.copy(), masks.copy(), strict=True))
        where = seating.tables_of, seating.seats_of.copy()
        actions = choices(env.tables, observations, masks, *where)
        observations, rewards, over, infos = env.step(actions)
        for i in rows:
            end = None
            if over[i]:
                info = infos[i]
                end = info["terminal_observation"], info["points"], info["win_share"]
                told = [d.reward for d in pen.open[i]] + [rewards[i]]
                assert info["episode"]["r"] == pytest.approx(sum(told), abs=1e-5)
                assert info["episode"]["l"] == len(told)
            pen.write(i, before[i], actions[i], rewards[i], end)
    return pen.records


@pytest.mark.parametrize("laid", at_once(some_tables()), ids=label)
def test_sb3_with_every_seat_learning_is_aec(laid: Laid) -> None:
    game, options = laid
    told = games_by_aec(laid, tables=4, episodes=2)
    env = TablesVecEnv(game, 4, seed=SEED, reward=REWARDS, **options)
    steps = 2 * max(len(record.decisions) for record in told[0][0])
    for i, records in enumerate(by_sb3(env, steps)):
        table, seat = divmod(i, env.tables.setup.num_players)
        for episode in range(2):
            same(records[episode], told[table][episode][seat])


@pytest.mark.parametrize("laid", at_once(some_tables()), ids=label)
def test_a_mixed_league_is_aec_too(laid: Laid) -> None:
    game, options = laid
    told = games_by_aec(laid, tables=4, episodes=2)
    seats = len(told[0][0])
    learners = np.ones((4, seats), np.bool_)
    learners[2:] = np.arange(seats) == 1
    guests = [(~learners & (np.arange(4) == table)[:, None], "random") for table in (2, 3)]
    env = TablesVecEnv(
        game, 4, learners=learners, opponents=guests, seed=SEED, reward=REWARDS, **options
    )
    assert env.num_envs == 2 * seats + 2
    steps = 2 * max(len(record.decisions) for record in told[0][0])
    for i, records in enumerate(by_sb3(env, steps)):
        table, seat = np.argwhere(learners)[i]
        for episode in range(2):
            same(records[episode], told[table][episode][seat])


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
