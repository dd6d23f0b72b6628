"""Asking bots for moves without trusting them: what goes wrong is the asked bot's own fault."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from miaui_env.bots import Bot

NO_MOVE = -2
"""Stands where a bot crashed or chose what it may not; `Tables` takes it for an illegal action."""


class Asker:
    """One bot in one batch of games, asked once a decision round for all its seats.

    A bot without memory is asked for the whole batch at once. Where that fails, and for bots that
    remember, each row is asked alone, with a memory of its own: a fault falls on its row only.

    Attributes:
        bot: whom to ask.
        decisions: moves asked for so far.
        seconds: time the bot took for them.
        error: what went wrong first, None while nothing has.
    """

    def __init__(self, bot: Bot) -> None:
        """Nothing is asked yet."""
        self.bot, self.decisions, self.seconds = bot, 0, 0.0
        self.error: str | None = None
        self._remembers = self._begin() is not None
        self._memories: dict[int, Any] = {}

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
        before = time.perf_counter()
        handed = observations.copy(), masks.copy(), keys.copy()  # the bot may scribble on them
        actions = None if self._remembers else self._ask_all(*handed)
        if actions is None:
            rows = zip(observations, masks, keys, places.tolist(), strict=True)
            actions = np.array([self._ask_one(*row) for row in rows], np.int64)
        self.seconds += time.perf_counter() - before
        self.decisions += len(keys)
        return self._legal_or_none(actions, masks)

    def _begin(self) -> Any:
        """A game's memory; an error is handed on, to be raised when that row is asked."""
        try:
            return self.bot.begin(1)
        except Exception as error:
            return error

    def _ask_all(self, *rows: np.ndarray) -> np.ndarray | None:
        """Moves for all rows at once; None if the bot crashed or gave no moves at all."""
        try:
            return whole_numbers(self.bot.act(*rows), len(rows[0]))
        except Exception:
            return None

    def _ask_one(self, observation: np.ndarray, mask: np.ndarray, key: Any, place: int) -> int:
        """The move for one row; NO_MOVE, noting the error, if the bot crashed or gave none."""
        if place not in self._memories:
            self._memories[place] = self._begin()
        memory = self._memories[place]
        try:
            if isinstance(memory, Exception):
                raise memory
            row = observation[None].copy(), mask[None].copy(), np.array([key], np.uint64)
            return int(whole_numbers(self.bot.act(*row, memory), 1)[0])
        except Exception as error:
            self._note(f"{type(error).__name__}: {error}")
            return NO_MOVE

    def _legal_or_none(self, actions: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The actions, with NO_MOVE for illegal ones."""
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = inside & (masks[np.arange(len(masks)), np.where(inside, actions, 0)] != 0)
        for row in np.flatnonzero(~legal & (actions != NO_MOVE))[:1]:
            allowed = np.flatnonzero(masks[row]).tolist()
            self._note(f"illegal action {actions[row]}; legal were {allowed}")
        return np.where(legal, actions, NO_MOVE)

    def _note(self, error: str) -> None:
        self.error = self.error or error


def whole_numbers(answer: Any, batch: int) -> np.ndarray:
    """A bot's answer as int64 `(batch,)`; ValueError if it is no such array of whole numbers."""
    actions = np.asarray(answer)
    if actions.shape != (batch,) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"a bot answers with integers of shape ({batch},), "
            f"not {actions.dtype} of shape {actions.shape}"
        )
    return actions.astype(np.int64)
