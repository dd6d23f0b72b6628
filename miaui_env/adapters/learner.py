"""The one learner of one table: what `Learners` is to many, without arrays of one.

A step of Miaui beside three greedys takes 4 µs so, and 16 through `Learners`. Laws hold both to
what the AEC environment plays.
"""

from __future__ import annotations

import numpy as np

from miaui_env.adapters.logbook import LoggedTables
from miaui_env.adapters.seating import Opponents, Seating
from miaui_env.engine.rows import COMMITS_NOTHING

HERE = np.ones(1, np.bool_)
"""The table, where one of many would be chosen."""
NOTHING = np.float32(0.0)
"""Rewards are summed in the precision in which `Learners` sums them."""


class Learner:
    """A seat whose actions come from outside; bots play the rest.

    Rewards add up until its next decision; what falls due before its first decision of a game comes
    with the first step. A game that ends before it decided is passed over.

    Attributes:
        tables: the table; whoever resets it calls `begin` afterwards.
        seating: who sits where.
        seat: where the learner sits in this game.
        carried: reward that fell due before the first decision.
    """

    def __init__(
        self, tables: LoggedTables, opponents: Opponents, *, seat: int | None = None
    ) -> None:
        """As `Seating`."""
        self.tables, self.carried = tables, NOTHING
        self.seating = Seating(tables, opponents, seat=seat)
        self.seat = int(self.seating.seats_of[0])

    def begin(self) -> None:
        """Play the game just dealt until the learner owes its first action."""
        self._sit()
        while self.tables.num_terminated:
            self.tables.deal()
            self._sit()

    def step(self, action: int) -> float:
        """Play the learner's action, then on until it owes the next one or the game is over.

        Args:
            action: fits int16.

        Returns:
            The rewards that fell due.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes.
        """
        committed = self.tables.committed
        committed.fill(COMMITS_NOTHING)
        committed[0, self.seat] = action
        step = self.seating.commit()
        rewards = self.carried + step.rewards[0, self.seat]
        self.carried = NOTHING
        if not step.to_act[0, self.seat]:
            rewards = self._play_on(rewards)
        return float(rewards)

    def resume(self, seat: int, carried: float) -> None:
        """Put the learner where it sat."""
        self.seating.resume(np.array([seat]))
        self.seat, self.carried = seat, np.float32(carried)

    def _sit(self) -> None:
        self.seating.sit(HERE)
        self.seat = int(self.seating.seats_of[0])
        self.carried = self._play_on(NOTHING)

    def _play_on(self, rewards: np.float32) -> np.float32:
        """Let guests play until the learner owes an action; adds to its `rewards`."""
        while not (self.tables.num_terminated or self.tables.to_act[0, self.seat]):
            self.tables.committed.fill(COMMITS_NOTHING)
            rewards += self.seating.commit().rewards[0, self.seat]
        return rewards
