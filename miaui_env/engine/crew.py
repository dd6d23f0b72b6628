"""Threads that help with a pass over many tables; what each of them does is in `shares.py`.

A thread that has slept for milliseconds takes 0.3 ms to wake up on some machines, in which another
moves 400 tables of Miaui. So nobody waits for a helper that has not yet begun.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from miaui_env.engine.shares import WAITING

Act = Callable[[bool], int]
"""What a thread does, told whether it is a helper; answers WAITING if it is to come again."""
WORTH_THREADS = 1024
"""So many tables at least are moved by several threads; for fewer, waking one costs more than it
spares in some games.
(Two threads to one, a step of random actions at a quiet hour: Miaui with 4 seats 1.4 with 256
tables, 1.6 with 512, 1.7 with 1,024, 1.8 with 4,096; Showcase with 2 0.8, 1.3, 1.5 and 1.7; Lucky
Catch with 4 0.5, 0.75, 1.0 and 1.7; Maui with 2 0.6, 0.8, 1.1 and 1.6.)"""
_EACH = 16
"""Shares for each thread: when there are none left, others wait for the one that is under way."""
_LEAST = 32
"""So many tables at least are a share."""


def _give_way() -> None:
    """Let another thread run, if one waits for this core."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()  # 0.5 µs; to sleep for no time took 70
    else:
        time.sleep(0)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shares_for(tables: int, threads: int) -> int:
    """Into how many shares all tables are cut; 1 if several threads are not worth while."""
    useful = min(threads, cores())
    if useful == 1 or tables < WORTH_THREADS:
        return 1
    return min(_EACH * useful, tables // _LEAST)


class _Task:
    """What helpers are asked to do, until it is over."""

    def __init__(self, act: Act) -> None:
        self._act, self.is_over = act, False
        self._inside, self._counting = 0, threading.Lock()
        self.error: BaseException | None = None

    def help(self) -> None:
        """Act; whoever asked hears what went wrong."""
        self._count(1)
        try:
            while not self.is_over and self._act(True) == WAITING:
                _give_way()
        except BaseException as error:
            self.error = error
        finally:
            self._count(-1)

    def abandon(self) -> None:
        """It is over, and no helper is at it any more."""
        self.is_over = True
        while self._inside:
            _give_way()

    def _count(self, more: int) -> None:
        with self._counting:
            self._inside += more


class Crew:
    """Threads that help with somebody's work; several may ask them at once."""

    def __init__(self, helpers: int) -> None:
        """Start so many threads; they end with the process."""
        self._asked: list[SimpleQueue[_Task]] = [SimpleQueue() for _ in range(helpers)]
        for asked in self._asked:
            name = "miaui_env"
            threading.Thread(target=_help, args=(asked,), name=name, daemon=True).start()

    def together(self, act: Act) -> int:
        """What `act(False)` answers in this thread, while helpers do `act(True)`.

        Both are asked again while they answer WAITING.

        Raises:
            BaseException: what a thread raised, if another waits for it.
        """
        task = _Task(act)
        try:
            for asked in self._asked:
                asked.put(task)
            while (answer := act(False)) == WAITING:
                if task.error:
                    raise task.error
                _give_way()
        except BaseException:
            task.abandon()
            raise
        task.is_over = True
        return answer


def _help(asked: SimpleQueue[_Task]) -> None:
    while True:
        task = asked.get()
        task.help()
        del task  # or the tables would live until the next one


def crew_of(threads: int) -> Crew:
    """The crew with which so many threads work, the asking one among them; one for each core."""
    return _crew(min(threads, cores()))


@functools.cache
def _crew(threads: int) -> Crew:
    return Crew(threads - 1)


if hasattr(os, "register_at_fork"):  # threads are not inherited
    os.register_at_fork(after_in_child=_crew.cache_clear)
