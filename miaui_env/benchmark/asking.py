"""Asking bots for moves without trusting them: what goes wrong is the asked bot's own fault."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env.benchmark.patience import (
    BATCH,
    GRACE,
    MOST_LATE,
    PRACTICE,
    Patience,
    Slip,
    TimeUp,
    alarm,
    noted,
)
from miaui_env.bots import Bot

NO_MOVE = -2
"""Stands where a bot crashed or chose what it may not; `Tables` takes it for an illegal action."""
FAULTS = (Exception, SystemExit, TimeUp)
"""What a bot may raise; Ctrl-C is the user's."""


@dataclass(frozen=True)
class Account:
    """How one bot answered.

    Attributes:
        decisions: moves asked for.
        seconds: time it took for them.
        late: moves that came too late, or never.
        error: what went wrong first, None if nothing did.
    """

    decisions: int = 0
    seconds: float = 0.0
    late: int = 0
    error: str | None = None

    @classmethod
    def total(cls, accounts: Sequence[Account]) -> Account:
        """All of them together, in their order."""
        return cls(
            sum(account.decisions for account in accounts),
            sum(account.seconds for account in accounts),
            sum(account.late for account in accounts),
            next((account.error for account in accounts if account.error is not None), None),
        )


class Asker:
    """One bot in one batch of games, asked once a decision round for all its seats.

    A bot without memory is asked for the whole batch at once. Where that fails, for bots that
    remember, and where moves are timed, each row is asked alone, with a memory of its own: a fault
    falls on its row only.
    """

    def __init__(
        self, bot: Bot, player: int = 0, patience: Patience | None = None, slip: Slip | None = None
    ) -> None:
        """Nothing is asked yet; `player` is the bot's number in the line-up."""
        self.bot, self.player, self.slip = bot, player, slip
        self.patience = patience or Patience()
        self._decisions, self._seconds, self._late, self._in_a_row = 0, 0.0, 0, 0
        self._error: str | None = None
        self._alone = self.patience.one_by_one(player) or self._remembers()
        self._memories: dict[int, Any] = {}

    @property
    def account(self) -> Account:
        """How the bot has answered so far."""
        return Account(self._decisions, self._seconds, self._late, self._error)

    def ask(
        self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray, places: np.ndarray
    ) -> np.ndarray:
        """A legal action for each row, NO_MOVE where the bot gave none.

        Args:
            observations: int8 `(batch, size)`, in the view that the bot wants.
            masks: int8 `(batch, actions)`.
            keys: uint64 `(batch,)`.
            places: integers `(batch,)`, one for each (game, seat), by which memories are found.

        Returns:
            int64 `(batch,)`.
        """
        if self.patience.limit is not None and not self._decisions:
            self._practise(observations[:1], masks[:1], keys[:1])
        before = time.perf_counter()
        handed = observations.copy(), masks.copy(), keys.copy()  # the bot may scribble on them
        actions = None if self._alone else self._ask_all(*handed)
        if actions is None:
            rows = zip(observations, masks, keys, places.tolist(), strict=True)
            actions = np.array([self._ask_one(*row) for row in rows], np.int64)
        self._seconds += time.perf_counter() - before
        self._decisions += len(keys)
        return self._legal_or_none(actions, masks)

    def _remembers(self) -> bool:
        with noted(self.slip, self.player, 0, BATCH):
            return self._begin() is not None

    def _begin(self) -> Any:
        """A game's memory; an error is handed on, to be raised when that row is asked."""
        try:
            return self.bot.begin(1)
        except FAULTS as error:
            return error

    def _practise(self, observation: np.ndarray, mask: np.ndarray, key: np.ndarray) -> None:
        """One move that does not count, as the first one may compile or load what it needs."""
        if self.player in self.patience.careful:
            return
        try:
            with noted(self.slip, self.player, 0, PRACTICE + GRACE), alarm(PRACTICE):
                self.bot.act(observation.copy(), mask.copy(), key.copy(), self.bot.begin(1))
        except FAULTS:
            pass  # it will tell again when it counts

    def _ask_all(self, *rows: np.ndarray) -> np.ndarray | None:
        """Moves for all rows at once; None if the bot crashed or gave no moves at all."""
        try:
            with noted(self.slip, self.player, 0, BATCH):
                return whole_numbers(self.bot.act(*rows), len(rows[0]))
        except FAULTS:
            return None

    def _ask_one(self, observation: np.ndarray, mask: np.ndarray, key: Any, place: int) -> int:
        """The move for one row; NO_MOVE, noting the error, if the bot crashed or gave none."""
        if self._in_a_row >= MOST_LATE:
            return NO_MOVE
        try:
            if int(key) in self.patience.lost:
                raise _Late(self.patience.lost[int(key)])
            row = observation[None].copy(), mask[None].copy(), np.array([key], np.uint64)
            return self._timed(row, int(key), place)
        except _Late as late:
            self._late += 1
            self._in_a_row += 1
            self._note(f"late: {late}")
        except FAULTS as error:
            self._note(f"{type(error).__name__}: {error}")
        return NO_MOVE

    def _timed(self, row: tuple[np.ndarray, np.ndarray, np.ndarray], key: int, place: int) -> int:
        """The move, if it comes in time."""
        timed = self.patience.one_by_one(self.player)
        limit = self.patience.move if timed else BATCH
        clock = alarm(limit) if timed else contextlib.nullcontext()
        begun = time.monotonic()
        try:
            with noted(self.slip, self.player, key, limit + GRACE), clock:
                move = int(whole_numbers(self.bot.act(*row, self._memory(place)), 1)[0])
        except TimeUp:
            raise _Late(f"no move within {limit:g} s") from None
        if timed and (took := time.monotonic() - begun) > limit:
            raise _Late(f"a move took {took:.3g} s of {limit:g} s")
        self._in_a_row = 0
        return move

    def _memory(self, place: int) -> Any:
        if place not in self._memories:
            self._memories[place] = self._begin()
        memory = self._memories[place]
        if isinstance(memory, FAULTS):
            raise memory
        return memory

    def _legal_or_none(self, actions: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The actions, with NO_MOVE for illegal ones."""
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = inside & (masks[np.arange(len(masks)), np.where(inside, actions, 0)] != 0)
        for row in np.flatnonzero(~legal & (actions != NO_MOVE))[:1]:
            allowed = np.flatnonzero(masks[row]).tolist()
            self._note(f"illegal action {actions[row]}; legal were {allowed}")
        return np.where(legal, actions, NO_MOVE)

    def _note(self, error: str) -> None:
        self._error = self._error or error


class _Late(Exception):  # the name of what happened
    """A move was not there in time."""


def whole_numbers(answer: Any, batch: int) -> np.ndarray:
    """A bot's answer as int64 `(batch,)`; ValueError if it is no such array of whole numbers."""
    actions = np.asarray(answer)
    if actions.shape != (batch,) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"a bot answers with integers of shape ({batch},), "
            f"not {actions.dtype} of shape {actions.shape}"
        )
    return actions.astype(np.int64)
