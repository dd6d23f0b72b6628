"""Shares of one pass over the tables, taken by threads that are all inside compiled code.

A *board* of int64 says how far the jobs of a pass are, and is written by atomic instructions only:
Python's lock is asked for once a pass and thread, not once a share. Who asked for the pass takes
shares from the front and helpers from the back, so that most tables stay with one core and its
cache from step to step; and nobody waits for a helper that has not begun.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config
from numba import types as numba_types
from numba.extending import intrinsic

from miaui_env.engine.compile import kernel

JOBS = 2
"""So many one after the other, at most, in one pass."""
WAITING = -2
"""The answer of a thread while another has yet to finish a share; it is to come again."""
_TAKEN, _DONE, _SUM = 0, 8, 16
_JOB = 24
"""Bytes on the board of each job, and where in them its numbers are."""
_BACK = 1 << 32
"""Shares taken from the back are counted in the upper half of a number, others in the lower."""
_PATIENCE = 100_000
"""So many looks at the board, ten microseconds or more, before another thread may have the core."""


def new_board() -> np.ndarray:
    """For one pass: int64, nothing taken and nothing done."""
    return np.zeros(JOBS * _JOB // 8, np.int64)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _add(typing: Any, place: Any, amount: Any) -> Any:
    """Add to the int64 at an address; what was there before, as if no other thread ran."""

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.atomic_rmw("add", place, arguments[1], "seq_cst")

    return numba_types.int64(numba_types.int64, numba_types.int64), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _read(typing: Any, place: Any) -> Any:
    """The int64 at an address; and what its writer wrote before is seen as well."""

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.load_atomic(place, "seq_cst", 8)

    return numba_types.int64(numba_types.int64), lowered


class _Alone:
    """In plain Python threads may be interrupted between reading and writing."""

    lock = threading.Lock()


def _add_by_python(place: Any, amount: Any) -> Any:
    number = ctypes.c_int64.from_address(int(place))
    with _Alone.lock:
        before = np.int64(number.value)
        number.value += int(amount)
    return before


def _read_by_python(place: Any) -> Any:
    return np.int64(ctypes.c_int64.from_address(int(place)).value)


if config.DISABLE_JIT:
    _add, _read = _add_by_python, _read_by_python


@kernel
def taken(board: Any, job: int, shares: int, from_back: int) -> int:
    """The next share of a job for this thread, -1 if there is none left."""
    before = _add(board + job * _JOB + _TAKEN, _BACK if from_back else 1)
    front, back = before % _BACK, before // _BACK
    if front + back >= shares:
        return -1
    return shares - 1 - back if from_back else front


@kernel
def next_share(board: Any, job: int, shares: int, from_back: int, answer: int) -> int:
    """`taken`, when the share before is done, with that answer."""
    _add(board + job * _JOB + _SUM, answer)
    _add(board + job * _JOB + _DONE, 1)
    return taken(board, job, shares, from_back)


@kernel
def summed(board: Any, job: int, shares: int) -> int:
    """The sum of a job's answers from all shares; WAITING if, after a moment, some are missing."""
    for _ in range(_PATIENCE):
        if _read(board + job * _JOB + _DONE) == shares:
            return _read(board + job * _JOB + _SUM)
    return WAITING
