"""Blocks of games in processes of their own, where a bot that dies or hangs does no harm.

A worker writes on its slip what it asks for. Where the answer does not come in time, or the worker
dies, its parent ends it and has a fresh one play the block again, the same way, since all luck is
keyed: first with that bot asked move by move, then with the fatal move left out, as a forfeit.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from miaui_env.benchmark.arena import LineUp, Progress, play_block
from miaui_env.benchmark.patience import Patience, Slip
from miaui_env.benchmark.summary import Games

Block = tuple[int, np.ndarray]
"""Which of the line-ups, and which deals."""
TICK = 0.1
"""Seconds between two looks at the slips."""
_SPAWNED = multiprocessing.get_context("spawn")  # forked children of threaded parents may lock up


def play_blocks(
    lineups: Sequence[LineUp],
    blocks: Sequence[Block],
    processes: int = 0,
    progress: Progress | None = None,
    move_limit: float | None = None,
) -> Iterator[tuple[int, Games]]:
    """Play all blocks; yields (index of the block, its games) as they are done, in any order.

    Args:
        lineups: who plays.
        blocks: what is played.
        processes: how many; 0 plays here, where nothing protects from a bot that never returns.
        progress: see `Progress`.
        move_limit: seconds for a move.
    """
    meter = progress or (lambda games: None)
    if processes == 0:
        patience = Patience(move_limit)
        for i, (which, deals) in enumerate(blocks):
            yield i, play_block(lineups[which], deals, meter, patience)
        return
    crew = _Crew(lineups, blocks, meter, Patience(move_limit))
    try:
        yield from crew.play(min(processes, len(blocks)))
    finally:
        crew.dismiss()


# --- the parent's side ----------------------------------------------------------------------------


@dataclass
class _Worker:
    """A process with the block that it plays."""

    process: Any
    pipe: Connection
    slip: Any
    block: int | None = None
    games: int = 0


class _Crew:
    """The workers, and what is left to do."""

    def __init__(
        self,
        lineups: Sequence[LineUp],
        blocks: Sequence[Block],
        meter: Progress,
        patience: Patience,
    ) -> None:
        self.lineups, self.blocks, self.meter = lineups, blocks, meter
        self.waiting = deque(range(len(blocks)))
        self.patience = dict.fromkeys(self.waiting, patience)
        self.told = dict.fromkeys(self.waiting, 0)
        self.workers: list[_Worker] = []

    def play(self, processes: int) -> Iterator[tuple[int, Games]]:
        """Until all blocks are done."""
        self.workers = [self._hired() for _ in range(processes)]
        while self.waiting or any(worker.block is not None for worker in self.workers):
            for worker in self.workers:
                self._hand_out(worker)
            wait([worker.pipe for worker in self.workers if worker.block is not None], TICK)
            for i, worker in enumerate(self.workers):
                dead = not worker.process.is_alive()  # asked first: its last words may be games
                done = self._heard(worker)
                if done is not None:
                    yield done
                elif reason := _lost(worker, dead):
                    self._note_loss(worker, reason)
                    self.workers[i] = self._hired()

    def dismiss(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()

    def _hired(self) -> _Worker:
        ours, theirs = _SPAWNED.Pipe()
        slip = _SPAWNED.RawValue(Slip)
        arguments = (theirs, slip, self.lineups)
        process = _SPAWNED.Process(target=_work, args=arguments, daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours, slip)

    def _hand_out(self, worker: _Worker) -> None:
        if worker.block is None and self.waiting:
            worker.block, worker.games = self.waiting.popleft(), 0
            with contextlib.suppress(ConnectionError):  # it died: that is noticed elsewhere
                worker.pipe.send((*self.blocks[worker.block], self.patience[worker.block]))

    def _heard(self, worker: _Worker) -> tuple[int, Games] | None:
        """What a worker told; its games, once they are all played."""
        while worker.block is not None and worker.pipe.poll():
            try:
                message = worker.pipe.recv()
            except (EOFError, ConnectionError):
                return None
            if isinstance(message, Games):
                done, worker.block = worker.block, None
                return done, message
            if isinstance(message, str):
                raise RuntimeError(f"a worker failed, and no bot was at fault:\n{message}")
            self._count(worker, message)
        return None

    def _count(self, worker: _Worker, games: int) -> None:
        """Progress; games that are played again do not count twice."""
        assert worker.block is not None
        worker.games += games
        more = worker.games - self.told[worker.block]
        if more > 0:
            self.told[worker.block] += more
            self.meter(more)

    def _note_loss(self, worker: _Worker, reason: str) -> None:
        """End the worker; its block is to be played again, more carefully."""
        block, slip, died = worker.block, worker.slip, not worker.process.is_alive()
        assert block is not None
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self.waiting.appendleft(block)
        if not slip.until and not died:
            return  # the answer came at the very last moment
        known = self.patience[block]
        again = slip.key in known.lost if slip.key else slip.player in known.careful
        if not slip.until or again:
            raise RuntimeError(f"a worker failed, and no bot was at fault: {reason}")
        self.patience[block] = (
            replace(known, lost={**known.lost, slip.key: reason})
            if slip.key
            else replace(known, careful=known.careful | {slip.player})
        )


def _lost(worker: _Worker, dead: bool) -> str | None:
    """Why a worker will not finish its block; None while it may."""
    if worker.block is None:
        return None
    if dead:
        return f"its process died, exit code {worker.process.exitcode}"
    if 0 < worker.slip.until < time.monotonic():
        return "no move, and nothing could interrupt it"
    return None


# --- the worker's side ----------------------------------------------------------------------------


def _work(pipe: Connection, slip: Slip, lineups: Sequence[LineUp]) -> None:
    """Play blocks for as long as there are some."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's
    os.dup2(2, 1)  # what bots print must not come between the parent's figures
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        while True:
            which, deals, patience = pipe.recv()
            pipe.send(play_block(lineups[which], deals, pipe.send, patience, slip))
    except (EOFError, ConnectionError):
        pass
    except Exception:
        pipe.send(traceback.format_exc())


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
