"""A table that keeps the log of its game, from which a replay is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.tables import Step, Tables

if TYPE_CHECKING:
    from miaui_env.play.replay import Replay

FORFEITS = -2
"""Stands in a row for an action that ended the game."""


class LoggedTables(Tables):
    """A `Tables` of one. What each step played is kept: a row of int16, -1 for who waits.

    As bytes the log is copied along with the table at next to no cost.
    """

    log: bytes | None = b""
    dealt: Mapping[str, Any] = {}  # replaced, never written into
    _made_anew = (*Tables._made_anew, "_rows")

    def reset(
        self, seed: int | np.ndarray | None = None, options: Mapping[str, Any] | None = None
    ) -> Step:
        """See `Tables.reset`; the log begins anew."""
        given = {name: _kept(value) for name, value in (options or {}).items()}
        step = super().reset(seed, given)
        self.log, self.dealt = b"", given
        return step

    def deal(self, chosen: np.ndarray | None = None) -> Step:
        """See `Tables.deal`; the log begins anew."""
        self.log, self.dealt = b"", {}
        return super().deal(chosen)

    def written(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Copies of a seat's observation and mask, if it owes an action or the game is over.

        What `observe` gives, out of what the last step wrote.
        """
        observation, mask = self._rows[self.side][seat]
        return observation.copy(), mask.copy()

    def _open(self) -> None:
        """And each seat's rows of both sides."""
        super()._open()
        self._rows = [
            list(zip(step.observations[0], step.action_masks[0], strict=True))
            for step in self._steps
        ]

    def commit(self, given: np.ndarray) -> Step:
        """See `Tables.commit`; what is played is kept, with what replaced an illegal action."""
        step = super().commit(given)
        if self.log is not None:
            committed = self.committed
            if self.num_terminated and self.forfeiters[0] >= 0:
                committed[0, self.forfeiters[0]] = FORFEITS
            self.log += committed.tobytes()
        return step

    def set_state(self, data: bytes) -> None:
        """See `Tables.set_state`; how the game came there is not known then, see `recall`."""
        super().set_state(data)
        self.log, self.dealt = None, {}

    def past(self) -> dict[str, Any]:
        """How the game came to where it is, as JSON-able values."""
        return {"log": None if self.log is None else self.log.hex(), "dealt": plain(self.dealt)}

    def recall(self, past: Mapping[str, Any]) -> None:
        """Take back what `past` gave, after `set_state`."""
        self.log = None if past["log"] is None else bytes.fromhex(past["log"])
        self.dealt = past["dealt"]

    def replay(self) -> Replay:
        """The game so far, whole."""
        from miaui_env.play.replay import Replay, end_of

        if self.log is None:
            raise ValueError("there is no replay of a game whose state was put in midway")
        rows = np.frombuffer(self.log, np.int16).reshape(-1, self.setup.num_players)
        deal = self.setup, int(self.seeds[0]), int(self.episodes[0])
        return Replay.of_rows(*deal, rows, end_of(self), options=plain(self.dealt))


def _kept(value: Any) -> Any:
    """What can be read twice, and does not change when the caller's own does."""
    return list(value) if isinstance(value, (Iterator, list)) else value


def plain(value: Any) -> Any:
    """Reset options as JSON has them: NumPy's numbers and arrays, tuples and mappings, too."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(part) for part in value]
    return value
