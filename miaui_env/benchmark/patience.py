"""How long a bot may think, and who notices when it thinks for ever.

Three things stop a bot. A move that comes too late is not taken (measured, anywhere). Python code
is interrupted by an alarm (in a process's main thread, where the system has such alarms). What
neither ends (compiled code, or a bot that swallows the alarm) is noticed by the parent of a worker
process, through the `Slip` that the worker writes on before it asks; see `workers.py`.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

BATCH = 600.0
"""Seconds for all moves that are asked for at once; afterwards that bot is asked move by move."""
MOVE = 60.0
"""Seconds for one move where no limit was set."""
PRACTICE = 60.0
"""Seconds for the move that does not count, before the first one that is timed."""
GRACE = 1.0
"""Seconds that the alarm has to work, before the parent ends the worker."""
MOST_LATE = 5
"""Moves in a row that may be late in one block; then that bot is not asked there any more."""


class TimeUp(BaseException):
    """A bot's time is over. No `Exception`: bots that catch those do not catch this."""


class Slip(ctypes.Structure):
    """What a worker is waiting for, in memory that its parent reads.

    Attributes:
        until: by when (`time.monotonic`) the answer must be there; 0 while no bot is asked.
        player: which bot of the line-up.
        key: of the decision; 0 where several are asked for at once.
    """

    _fields_ = (
        ("until", ctypes.c_double),
        ("player", ctypes.c_int64),
        ("key", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Patience:
    """How a block's bots are asked.

    Attributes:
        limit: seconds for a move, None for no limit of the user's.
        careful: players (of the line-up) that are asked move by move, as they hung or died before.
        lost: keys of decisions that hung or died before, with the reason; they are not asked again.
    """

    limit: float | None = None
    careful: frozenset[int] = frozenset()
    lost: dict[int, str] = field(default_factory=dict)

    def one_by_one(self, player: int) -> bool:
        """Whether each move of that player is asked for, and timed, alone."""
        return self.limit is not None or player in self.careful

    @property
    def move(self) -> float:
        """Seconds for one move."""
        return MOVE if self.limit is None else self.limit


@contextmanager
def noted(slip: Slip | None, player: int, key: int, seconds: float) -> Iterator[None]:
    """Write on the slip what is asked for, and take it off when it is there."""
    if slip is None:
        yield
        return
    slip.player, slip.key, slip.until = player, key, time.monotonic() + seconds
    try:
        yield
    finally:
        slip.until = 0.0


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise TimeUp inside after so many seconds, where that is possible (see the module)."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    raise TimeUp
