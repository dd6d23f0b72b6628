"""Learners at many tables: each decides when it owes an action, and bots play everything between.

The vector and SB3 environments are skins of this; `learner.py` is the same for one table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from miaui_env.adapters.seating import Opponents, Seating
from miaui_env.adapters.table import NO_ACTION, ResetNeeded, refusal
from miaui_env.engine.rows import COMMITS_NOTHING
from miaui_env.engine.tables import Tables


class End(NamedTuple):
    """Games that ended, one entry a learner whose game it was.

    Attributes:
        learners: int `(ended,)`, which learners.
        seats: int `(ended,)`, where they sat.
        observations: int8 `(ended, size)`, the final ones.
        points: int32 `(ended,)`.
        win_shares: float32 `(ended,)`.
        illegal: int32 `(ended,)`, illegal actions replaced in that game.
        forfeits: int8 `(ended,)`, the seat that forfeited, -1 for none.
    """

    learners: np.ndarray
    seats: np.ndarray
    observations: np.ndarray
    points: np.ndarray
    win_shares: np.ndarray
    illegal: np.ndarray
    forfeits: np.ndarray


class Turn(NamedTuple):
    """What each learner got for its last action, and what it sees when it owes the next.

    Attributes:
        observations: int8 `(learners, size)`.
        action_masks: int8 `(learners, actions)`.
        rewards: float32 `(learners,)`, with those that fell due while others acted.
        done: bool `(learners,)`; its game ended, and with `auto_reset` the next one has begun.
        ends: the games that ended.
    """

    observations: np.ndarray
    action_masks: np.ndarray
    rewards: np.ndarray
    done: np.ndarray
    ends: list[End]


class Learners:
    """Tables where some seats learn and bots play the rest.

    A learner's rewards add up until its next decision; what falls due before its first decision of
    a game comes with the first step. A game that ends before its learner decided is passed over.

    Attributes:
        tables: the tables underneath; whoever resets them calls `begin` afterwards.
        seating: who sits where.
        carried: float32 `(learners,)`, rewards that fell due before the first decision.
        number: how many learners.
    """

    def __init__(
        self,
        tables: Tables,
        opponents: Opponents,
        *,
        seat: int | None = None,
        learners: np.ndarray | None = None,
    ) -> None:
        """As `Seating`."""
        self.tables = tables
        self.seating = Seating(tables, opponents, seat=seat, learners=learners)
        self.number = len(self.seating.tables_of)
        self.carried = np.zeros(self.number, np.float32)
        self._taking_turns = not tables.setup.game.simultaneous

    def begin(self, dealt: np.ndarray | None = None) -> Turn:
        """Play the games just dealt until each of their learners owes its first action.

        Args:
            dealt: bool `(tables,)`; default all.
        """
        if dealt is None:
            dealt = np.ones(self.tables.num_tables, np.bool_)
        nothing, over = np.zeros(self.number, np.float32), np.zeros(self.number, np.bool_)
        while dealt.any():
            self.seating.sit(dealt)
            before_first = dealt[self.seating.tables_of]
            self.carried[before_first] = 0.0
            self._play_on(nothing, before_first, [])
            dealt = dealt & self.tables.terminated & (not self.tables.auto_reset)
            if dealt.any():
                self.tables.deal(dealt)
        return Turn(*self.look(), nothing, over, [])

    def step(self, actions: Any, standing: np.ndarray | None = None) -> Turn:
        """Play each learner's action, then on until each owes the next one.

        Args:
            actions: integers `(learners,)`.
            standing: bool `(learners,)`, whose game was over before and still stands; their
                actions are passed over. Default: nobody's.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes.
        """
        if not self.tables.is_reset:
            raise ResetNeeded("call reset() before the first step()")
        if standing is None:
            standing = np.zeros(self.number, np.bool_)
        self._place(actions, standing)
        step = self.seating.commit()
        rewards = self.carried + self.of_learners(step.rewards)
        self.carried = np.zeros(self.number, np.float32)
        done, ends = standing.copy(), list[End]()
        self._close(step.terminated, done, ends)
        self._play_on(rewards, done, ends)
        return Turn(*self.look(), rewards, done & ~standing, ends)

    def look(self) -> tuple[np.ndarray, np.ndarray]:
        """Observations int8 `(learners, size)` and action masks int8 `(learners, actions)` now.

        Views of the tables' buffers where everyone learns, so valid until the second next step.
        """
        latest = self.tables.latest
        return self.of_learners(latest.observations), self.of_learners(latest.action_masks)

    def of_learners(self, values: np.ndarray) -> np.ndarray:
        """The learners' entries of an array `(tables, seats, …)`: `(learners, …)`."""
        if self.seating.everyone:
            return values.reshape(-1, *values.shape[2:])
        picked: np.ndarray = values[self.seating.tables_of, self.seating.seats_of]
        return picked

    # --- inside ----------------------------------------------------------------------------------

    def _place(self, actions: Any, standing: np.ndarray) -> None:
        """Commit the learners' actions where they sit."""
        given, committed = np.asarray(actions), self.tables.committed
        if given.shape != (self.number,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are integers of shape ({self.number},), not {given.dtype} {given.shape}"
            )
        outside = ((given < 0) | (given >= self.tables.setup.num_actions)) & ~standing
        if outside.any():
            given = self._without(given, outside)
        if standing.any():
            given = np.where(standing, COMMITS_NOTHING, given.astype(np.int64))
        if self.seating.everyone:
            committed[...] = given.reshape(committed.shape)
        else:
            committed.fill(COMMITS_NOTHING)
            committed[self.seating.tables_of, self.seating.seats_of] = given

    def _without(self, given: np.ndarray, outside: np.ndarray) -> np.ndarray:
        """Numbers that are no action, made illegal ones, or refused."""
        if self.tables.illegal_policy == "raise":
            first = int(np.argmax(outside))
            table, seat = self.seating.tables_of[first], self.seating.seats_of[first]
            raise ValueError(refusal(self.tables, int(table), int(seat), int(given[first])))
        return np.where(outside, NO_ACTION, given.astype(np.int64))

    def _play_on(self, rewards: np.ndarray, done: np.ndarray, ends: list[End]) -> None:
        """Let guests play until each learner owes an action (or its game is over and stays so).

        What falls due goes to `rewards`; after an end in this step, to the next game's first one.
        """
        while self._taking_turns:
            late = ~self.of_learners(self.tables.to_act)
            if not self.tables.auto_reset:
                late &= ~self.tables.terminated[self.seating.tables_of]
            if not late.any():
                return
            moving = np.zeros(self.tables.num_tables, np.bool_)
            moving[self.seating.tables_of[late]] = True
            self.tables.committed.fill(COMMITS_NOTHING)
            step = self.seating.commit(moving)
            due = self.of_learners(step.rewards)
            rewards += np.where(done, 0.0, due)
            self.carried += np.where(done, due, 0.0)
            self._close(step.terminated, done, ends)

    def _close(self, terminated: np.ndarray, done: np.ndarray, ends: list[End]) -> None:
        """Take down what ended, and seat everyone at the next games."""
        if self.tables.num_terminated:
            over = terminated[self.seating.tables_of]
            ended = np.flatnonzero(over & ~done)
            if len(ended):
                ends.append(self._end(ended))
            self.carried[over] = 0.0
            done |= over
            if self.tables.auto_reset:
                self.tables.illegal[terminated] = 0
                self.seating.sit(terminated)

    def _end(self, ended: np.ndarray) -> End:
        tables = self.tables
        rows, seats = self.seating.tables_of[ended], self.seating.seats_of[ended]
        return End(
            ended,
            seats,
            tables.final_observations[rows, seats],
            tables.final_points[rows, seats],
            tables.win_shares[rows, seats],
            tables.illegal[rows, seats],
            tables.forfeiters[rows],
        )
