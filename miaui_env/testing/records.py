"""Games written down as their seats lived them, and held against what an interface shows.

AEC is the standard: it is asked for every observation by itself. What it tells of a game is a
`Record` for each seat. Any other interface is driven as a `Stage`, and a `Script` goes through the
record with it: what it shows at each decision, what it pays for it, and how it ends.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from miaui_env.adapters.aec import AEC
from miaui_env.bots.simple import random_bot
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup
from miaui_env.testing.play import LawBroken

TOLERANCE = 1e-5
"""Rewards are summed as float32 by some and as float64 by others."""


class End(NamedTuple):
    """What a seat is told when its game is over."""

    observation: np.ndarray
    points: int
    win_share: float


class Decision(NamedTuple):
    """What a seat saw when it owed an action, what it did, and got until it owed the next."""

    observation: np.ndarray
    mask: np.ndarray
    action: int
    reward: float


class Record(NamedTuple):
    """A game as one seat lived it."""

    episode: int
    seat: int
    decisions: list[Decision]
    end: End


class Shown(NamedTuple):
    """What an interface gives its learners at one point, each an entry a learner.

    Attributes:
        seats: where they sit.
        observations: what they see now.
        masks: what they may do now.
        rewards: what they got for the action before.
        ends: of games that ended with that action, else None; the next game has begun then.
    """

    seats: Sequence[int] | np.ndarray
    observations: Sequence[np.ndarray] | np.ndarray
    masks: Sequence[np.ndarray] | np.ndarray
    rewards: Sequence[float] | np.ndarray
    ends: Sequence[End | None]


Stage = Generator[Shown, list[int], None]
"""An interface being played: it takes the learners' actions and gives what they are shown."""


def luck(tables: Tables, table: int = 0) -> np.ndarray:
    """The keys with which bots at a table choose now; uint64 `(seats,)`."""
    keys: np.ndarray = tables.decision_keys()[table]
    return keys


def chosen(observation: np.ndarray, mask: np.ndarray, key: Any) -> int:
    """What the random bot does with that key."""
    return int(random_bot().act(observation[None], mask[None], np.array([key], np.uint64))[0])


# --- the standard ---------------------------------------------------------------------------------


def by_aec(env: AEC) -> list[Record]:
    """Play the game that `env` was reset to, all seats as random bots, and write it down.

    Of seats that choose at the same time each is written with what it saw before any had chosen, as
    other interfaces show it; here the later ones see that the earlier ones have.
    """
    seen: dict[str, list[tuple[np.ndarray, np.ndarray, int]]] = {a: [] for a in env.agents}
    got: dict[str, list[float]] = {agent: [] for agent in env.agents}
    ends: dict[str, End] = {}
    before: dict[str, Any] = {}
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        assert observation is not None
        got[agent].append(reward)
        if over:
            ends[agent] = End(observation["observation"], info["points"], info["win_share"])
            env.step(None)
            continue
        if agent not in before:
            owing = [env.possible_agents[seat] for seat in env.table.deciders()]
            before = {other: env.observe(other) for other in owing}
        shown, mask = before.pop(agent).values()
        action = chosen(shown, mask, luck(env.table.tables)[env.seat_of(agent)])
        seen[agent].append((shown, mask, action))
        _commit(env, action, len(seen[agent]) - 1)
    episode = int(env.table.tables.episodes[0])
    return [
        Record(episode, seat, _paired(seen[agent], got[agent]), ends[agent])
        for seat, agent in enumerate(env.possible_agents)
    ]


def _commit(env: AEC, action: int, decision: int) -> None:
    seat = env.seat_of(env.agent_selection)
    try:
        env.step(action)
    except ValueError as refusal:
        tables = env.table.tables
        at = point(tables.seeds[0], tables.episodes[0], seat, decision)
        problem = f"AEC refuses what its mask allows: {refusal}"
        raise LawBroken(env.setup, at, problem) from None


def _paired(seen: list[tuple[np.ndarray, np.ndarray, int]], got: list[float]) -> list[Decision]:
    """Rewards after each decision; what came before the first one goes with it."""
    rewards = got[1:]
    if rewards:
        rewards[0] += got[0]
    return [Decision(*decision, reward) for decision, reward in zip(seen, rewards, strict=True)]


def point(seed: int, episode: int, seat: int, decision: int) -> str:
    """A decision that anybody can find again; all count from 0."""
    return f"seed {seed}, episode {episode}, seat {seat}, decision {decision}"


# --- another interface ----------------------------------------------------------------------------


class Script:
    """Records of a learner's games, one after the other, to be followed by an interface.

    Args:
        setup: the table.
        interface: what it is called where it differs.
        seed: of the table.
        records: games in which the learner decides something, in order.
    """

    def __init__(self, setup: Setup, interface: str, seed: int, records: list[Record]) -> None:
        self._setup, self._interface, self._seed = setup, interface, seed
        self._records, self._decision = [one for one in records if one.decisions], 0

    @property
    def is_over(self) -> bool:
        """Whether all games have been followed."""
        return not self._records

    def act(self, seat: int, observation: np.ndarray, mask: np.ndarray) -> int:
        """Hold what the learner is shown against the record; the action that it took there."""
        if self.is_over:
            return int(np.argmax(mask))
        record = self._records[0]
        decision = record.decisions[self._decision]
        if seat != record.seat:
            raise self._broken(f"seats the learner at {seat}, Gymnasium at {record.seat}")
        self._same_sight("shows", observation, decision.observation)
        legal = [np.flatnonzero(one).tolist() for one in (mask, decision.mask)]
        if legal[0] != legal[1]:
            raise self._broken(f"allows {legal[0]}, AEC {legal[1]}")
        return decision.action

    def take(self, reward: float, end: End | None) -> None:
        """Hold what the learner got for that action, and whether its game ended."""
        if self.is_over:
            return
        record = self._records[0]
        self._same_number("pays", reward, record.decisions[self._decision].reward)
        last = self._decision == len(record.decisions) - 1
        if (end is not None) != last:
            goes_on = "goes on, AEC ends" if last else "ends, AEC goes on"
            raise self._broken(f"{goes_on} after this decision")
        if end is not None:
            self._same_sight("shows at the end", end.observation, record.end.observation)
            self._same_number("counts points:", end.points, record.end.points)
            self._same_number("tells a share of", end.win_share, record.end.win_share)
            self._records.pop(0)
        self._decision = 0 if last else self._decision + 1

    def _same_sight(self, verb: str, one: np.ndarray, other: np.ndarray) -> None:
        layout = self._setup.layout
        if one.shape != other.shape or one.dtype != other.dtype:
            raise self._broken(f"{verb} {one.dtype} {one.shape}, AEC {other.dtype} {other.shape}")
        for field in layout:
            if not np.array_equal(one[layout[field]], other[layout[field]]):
                pair = (layout.read(seen, field).tolist() for seen in (one, other))
                raise self._broken("{} {!r} as {}, AEC as {}".format(verb, field, *pair))

    def _same_number(self, verb: str, one: float, other: float) -> None:
        if abs(one - other) > TOLERANCE * (1 + abs(other)):
            raise self._broken(f"{verb} {one:g}, AEC {other:g}")

    def _broken(self, difference: str) -> LawBroken:
        record = self._records[0]
        at = point(self._seed, record.episode, record.seat, self._decision)
        return LawBroken(self._setup, at, f"{self._interface} {difference}")


def follow(stage: Stage, scripts: list[Script]) -> None:
    """Play on until all learners' scripts are over; raises LawBroken at the first difference."""
    shown = next(stage)
    while not all(script.is_over for script in scripts):
        seen = zip(scripts, shown.seats, shown.observations, shown.masks, strict=True)
        shown = stage.send([script.act(int(seat), *rest) for script, seat, *rest in seen])
        for script, reward, end in zip(scripts, shown.rewards, shown.ends, strict=True):
            script.take(float(reward), end)
    stage.close()
