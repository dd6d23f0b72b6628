"""Agreement: one game through every interface gives the same sights, masks, rewards and ends."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from pettingzoo.utils.conversions import aec_to_parallel

from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.parallel import Parallel
from miaui_env.adapters.vector import SeatVectorEnv
from miaui_env.game import Setup
from miaui_env.testing.play import LawBroken
from miaui_env.testing.records import (
    TOLERANCE,
    End,
    Record,
    Script,
    Shown,
    Stage,
    by_aec,
    follow,
)

EPISODES = 2
TABLES = 2
REWARD = {"win": 1.0, "points": 0.25}
"""Some of it falls due at the end, some (in most games) on the way."""


def law_parallel_is_aec(setup: Setup, seed: int) -> None:
    """`Parallel`, and PettingZoo's own conversion of `AEC`, where all seats choose at once."""
    if not setup.game.simultaneous:
        return
    environments: dict[str, Any] = {
        "Parallel": Parallel(setup, reward=REWARD),
        "aec_to_parallel(AEC)": aec_to_parallel(AEC(setup, reward=REWARD)),
    }
    told = told_by_aec(setup, seed)
    for name, env in environments.items():
        follow(by_parallel(env, setup, seed), of_seats(setup, name, seed, told))


def law_gymnasium_is_aec(setup: Setup, seed: int) -> None:
    """`SeatEnv` at each seat, and at random ones."""
    told = told_by_aec(setup, seed)
    for seat in (*range(setup.num_players), None):
        if seat is None:
            records = [told[game][place] for game, place in sittings(setup, seed, seat)]
        else:
            records = [game[seat] for game in told]
        env = SeatEnv(setup, seat=seat, reward=REWARD)
        follow(by_gymnasium(env, seed), [Script(setup, f"SeatEnv(seat={seat})", seed, records)])


def law_vectors_are_aec(setup: Setup, seed: int) -> None:
    """`SeatVectorEnv` at one seat and at random ones, which are those of `SeatEnv`."""
    for seat in (seed % setup.num_players, None):
        env = SeatVectorEnv(setup, TABLES, seat=seat, reward=REWARD)
        name = f"SeatVectorEnv(seat={seat})"
        follow(by_vector(env, seed), of_learners(setup, name, seed, seat))


def law_sb3_is_aec(setup: Setup, seed: int) -> None:
    """`TablesVecEnv` with one learner a table, at one seat and at random ones."""
    from miaui_env.adapters.sb3 import TablesVecEnv

    for seat in (seed % setup.num_players, None):
        env = TablesVecEnv(setup, TABLES, seats=seat, seed=seed, reward=REWARD)
        name = f"TablesVecEnv(seats={seat})"
        follow(by_sb3(env), of_learners(setup, name, seed, seat))


def law_sb3_leagues_are_aec(setup: Setup, seed: int) -> None:
    """`TablesVecEnv` where all seats learn, and where one table has a single learner."""
    from miaui_env.adapters.sb3 import TablesVecEnv

    if not setup.game.simultaneous:
        return
    told = [told_by_aec(setup, seed + table) for table in range(TABLES)]
    everyone = np.ones((TABLES, setup.num_players), np.bool_)
    mixed = everyone.copy()
    mixed[-1] = np.arange(setup.num_players) == seed % setup.num_players
    for name, learners in (("seats='all'", everyone), ("learners=…", mixed)):
        chosen: dict[str, Any] = {"learners": learners} if learners is mixed else {"seats": "all"}
        env = TablesVecEnv(setup, TABLES, seed=seed, reward=REWARD, **chosen)
        scripts = [
            of_seats(setup, f"TablesVecEnv({name})", seed + int(table), told[table])[seat]
            for table, seat in np.argwhere(learners)
        ]
        follow(by_sb3(env), scripts)


# --- what is to be followed -----------------------------------------------------------------------


def told_by_aec(setup: Setup, seed: int) -> list[list[Record]]:
    """`[episode][seat]`: the first games of a table."""
    env = AEC(setup, reward=REWARD)
    told = []
    for episode in range(EPISODES):
        env.reset(seed=None if episode else seed)
        told.append(by_aec(env))
    return told


def sittings(setup: Setup, seed: int, seat: int | None) -> list[tuple[int, int]]:
    """The episodes in which `SeatEnv` decides something, and where it sits in each."""
    env = SeatEnv(setup, seat=seat)
    env.reset(seed=seed)
    found = []
    while (episode := int(env.table.tables.episodes[0])) < EPISODES:
        found.append((episode, env.seat))
        env.reset()
    return found


def of_seats(setup: Setup, name: str, seed: int, told: list[list[Record]]) -> list[Script]:
    """A script for each seat of one table."""
    return [
        Script(setup, name, seed, [game[seat] for game in told])
        for seat in range(setup.num_players)
    ]


def of_learners(setup: Setup, name: str, seed: int, seat: int | None) -> list[Script]:
    """A script for the one learner of each table."""
    scripts = []
    for table in range(seed, seed + TABLES):
        told = told_by_aec(setup, table)
        records = [told[game][place] for game, place in sittings(setup, table, seat)]
        scripts.append(Script(setup, name, table, records))
    return scripts


# --- interfaces as stages -------------------------------------------------------------------------


def by_parallel(env: Any, setup: Setup, seed: int) -> Stage:
    """All seats of a parallel environment."""
    agents, seats = env.possible_agents, range(setup.num_players)
    observations, _ = env.reset(seed=seed)
    rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
    ends: list[End | None] = [None] * len(agents)
    while True:
        seen = [observations[agent]["observation"] for agent in agents]
        masks = [observations[agent]["action_mask"] for agent in agents]
        actions = yield Shown(seats, seen, masks, [rewards[agent] for agent in agents], ends)
        told = env.step(dict(zip(agents, actions, strict=True)))
        if any(set(part) != set(agents) for part in told):
            raise LawBroken(setup, f"seed {seed}", "a parallel step does not name all agents")
        observations, rewards, over, cut, infos = told
        refuse_truncation(setup, "a parallel environment", list(cut.values()))
        ends = [
            end_of(observations[agent]["observation"], infos[agent]) if over[agent] else None
            for agent in agents
        ]
        if not env.agents:
            observations, _ = env.reset()


def by_gymnasium(env: SeatEnv, seed: int) -> Stage:
    """The learner of a single environment, which is reset at each end."""
    observation, info = env.reset(seed=seed)
    reward, end = 0.0, None
    while True:
        [action] = yield Shown([env.seat], [observation], [info["action_mask"]], [reward], [end])
        observation, reward, over, cut, info = env.step(action)
        refuse_truncation(env.setup, "SeatEnv", cut)
        end = end_of(observation, info) if over else None
        if over:
            observation, info = env.reset()


def by_vector(env: SeatVectorEnv, seed: int) -> Stage:
    """The learners of Gymnasium's vector; its infos must tell of the ends and of no others."""
    observations, infos = env.reset(seed=seed)
    rewards: Any = np.zeros(env.num_envs)
    ends: list[End | None] = [None] * env.num_envs
    while True:
        masks = env.action_masks()
        if not np.array_equal(masks, infos["action_mask"]):
            problem = "SeatVectorEnv has one mask in action_masks() and another in its infos"
            raise LawBroken(env.setup, f"seed {seed}", problem)
        actions = yield Shown(infos["seat"], observations, masks, rewards, ends)
        observations, rewards, over, cut, infos = env.step(np.array(actions))
        refuse_truncation(env.setup, "SeatVectorEnv", cut)
        never = np.zeros(env.num_envs, np.bool_)
        for name in ("_final_obs", "_final_info", "_points", "_win_share"):
            if not np.array_equal(infos.get(name, never), over):
                problem = f"infos[{name!r}] of SeatVectorEnv are not the games that ended"
                raise LawBroken(env.setup, f"seed {seed}", problem)
        ends = [
            end_of(infos["final_obs"][i], {name: infos[name][i] for name in RESULTS})
            if over[i]
            else None
            for i in range(env.num_envs)
        ]


def by_sb3(env: Any) -> Stage:
    """The learners of the VecEnv of Stable-Baselines3, with the sums that its Monitor tells."""
    seating = env.learners.seating
    observations = env.reset()
    rewards, sums = np.zeros(env.num_envs), np.zeros((2, env.num_envs))  # of rewards, of steps
    ends: list[End | None] = [None] * env.num_envs
    while True:
        actions = yield Shown(seating.seats_of, observations, env.action_masks(), rewards, ends)
        observations, rewards, over, infos = env.step(np.array(actions))
        sums += rewards, np.ones(env.num_envs)
        ends = [None] * env.num_envs
        for i in np.flatnonzero(over):
            ends[i] = end_of(infos[i]["terminal_observation"], infos[i])
            monitored = [infos[i]["episode"][name] for name in "rl"]
            if np.abs(sums[:, i] - monitored).max() > TOLERANCE * (1 + abs(sums[0, i])):
                problem = f"TablesVecEnv tells an episode of {monitored}, not {sums[:, i].tolist()}"
                raise LawBroken(env.setup, f"environment {i}", problem)
            sums[:, i] = 0.0


def refuse_truncation(setup: Setup, name: str, truncated: Any) -> None:
    """No game is cut short: all of them end by their rules."""
    if np.any(truncated):
        raise LawBroken(setup, "truncations", f"{name} cuts a game short")


RESULTS = ("points", "win_share")


def end_of(observation: np.ndarray, info: Any) -> End:
    """The final observation with the results that an info tells."""
    return End(observation, *(info[name] for name in RESULTS))


AGREEMENT: dict[str, Callable[[Setup, int], None]] = {
    "parallel is AEC": law_parallel_is_aec,
    "Gymnasium is AEC": law_gymnasium_is_aec,
    "vectors are AEC": law_vectors_are_aec,
}
if importlib.util.find_spec("stable_baselines3") is not None:  # the extra "train"
    AGREEMENT["SB3 is AEC"] = law_sb3_is_aec
    AGREEMENT["SB3 leagues are AEC"] = law_sb3_leagues_are_aec
