"""Helping threads: compiled code does not hold Python's lock, so shares of one pass run at once.

A thread that has slept for milliseconds, while actions were chosen, say, takes 0.3 ms to wake up on
some machines, in which another moves 400 tables of Miaui. So nobody waits for a helper that has not
yet begun, and who is free takes the next share: whoever asks from the front, helpers from the back,
so that most tables stay with one core and its cache from step to step.
"""

from __future__ import annotations

import functools
import itertools
import os
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Share = tuple[int, int]
"""The tables from one to before another."""
WORTH_THREADS = 1024
"""So many tables at least are moved by several threads; for fewer, waking one costs what it spares.
(One thread to two, a step of random actions at a quiet hour: Miaui 0.6 with 128 tables, 0.9 with
256, 1.5 with 1,024, 1.7 with 4,096, 1.9 with 65,536; Showcase 0.3, 0.5, 1.1, 1.5 and 1.4.)"""
_EACH = 4
"""Shares for each thread: more ask for Python's lock more often, fewer are too large for a helper
that comes late."""


def worth_threads(tables: int, threads: int) -> bool:
    """Whether so many tables are moved by several threads, if there may be so many."""
    return threads > 1 and tables >= WORTH_THREADS


def shares_of(tables: int, threads: int) -> list[Share]:
    """All tables, in shares for so many threads."""
    size = -(-tables // (_EACH * threads))
    return list(itertools.pairwise([*range(0, tables, size), tables]))


class Crew:
    """Threads that help with somebody's work; several may ask them at once."""

    def __init__(self, helpers: int) -> None:
        """Start so many threads; they end with the process."""
        self._asked: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(helpers)]
        for asked in self._asked:
            name = "miaui_env"
            threading.Thread(target=_help, args=(asked,), name=name, daemon=True).start()

    def total(self, job: Callable[[int, int], int], shares: list[Share]) -> int:
        """The sum of `job(*share)` over the shares, this thread's and the helpers'.

        Raises:
            Exception: what the job raised in any of them.
        """
        left, answers = deque(shares), SimpleQueue[Any]()
        for asked in self._asked:
            asked.put((job, left, answers))
        total, own = 0, 0
        while share := _taken(left.popleft):
            total, own = total + job(*share), own + 1
        for _ in range(len(shares) - own):
            total += _told(answers.get())
        return total


def _taken(take: Callable[[], Share]) -> Share | None:
    """The next share, None if there is no other."""
    try:
        return take()
    except IndexError:
        return None


def _told(answer: int | BaseException) -> int:
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _help(asked: SimpleQueue[Any]) -> None:
    while True:
        job, left, answers = asked.get()
        while share := _taken(left.pop):
            try:
                answers.put(job(*share))
            except BaseException as error:  # whoever asked has to hear of it
                answers.put(error)
        del job, left, answers  # or the tables would live until the next task


@functools.cache
def crew_of(threads: int) -> Crew:
    """The crew with which so many threads work, the asking one among them; one for each core."""
    return Crew(min(threads, os.cpu_count() or 1) - 1)


if hasattr(os, "register_at_fork"):  # threads are not inherited
    os.register_at_fork(after_in_child=crew_of.cache_clear)
