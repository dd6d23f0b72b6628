"""A tournament's log: one JSON line for the plan, then one for each block of games, when done.

A run that is killed leaves whole lines and at most one torn one; the next run goes on from there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from miaui_env.benchmark.asking import Account
from miaui_env.benchmark.summary import Games

Place = tuple[int, int, int]
"""Of a block: which match, the number of its first deal, how many deals."""


class Log:
    """The file, open for this run alone.

    Attributes:
        done: the blocks that it holds.
    """

    def __init__(self, file: Path, plan: Mapping[str, Any]) -> None:
        """Read what is there, or begin with the plan.

        Raises:
            ValueError: for a file of another plan, or one that is no log.
        """
        self.file = file
        self.done: dict[Place, Games] = {}
        text = file.read_bytes() if file.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        head = json.dumps(plan)
        if not whole and head.encode().startswith(text):
            self._append(head, fresh=True)
            return
        lines = (whole or text).decode(errors="replace").splitlines()
        _refuse_other(file, _parsed(file, lines[0]), json.loads(json.dumps(plan)))
        self.done = dict(_block(_parsed(file, line)) for line in lines[1:])
        if len(whole) < len(text):
            with file.open("r+b") as opened:
                opened.truncate(len(whole))

    def add(self, place: Place, games: Games) -> None:
        """Write a block down; it is on the disk when this returns."""
        self._append(json.dumps(_told(place, games), separators=(",", ":")))
        self.done[place] = games

    def _append(self, line: str, fresh: bool = False) -> None:
        with self.file.open("wb" if fresh else "ab") as opened:
            opened.write(line.encode() + b"\n")
            opened.flush()
            os.fsync(opened.fileno())


@contextmanager
def opened(file: Path, plan: Mapping[str, Any]) -> Iterator[Log]:
    """The log, which no other run may write meanwhile; ValueError if one does."""
    lock = filelock.FileLock(file.with_name(file.name + ".lock"), timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise ValueError(f"{file} is being written by another run") from None
    try:
        yield Log(file, plan)
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


def _parsed(file: Path, line: str) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise ValueError(f"{file} is no log of a tournament")
    return told


def _refuse_other(file: Path, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    """ValueError naming the first thing in which two plans differ."""
    for name in [*ours, *theirs]:
        if theirs.get(name) != ours.get(name):
            raise ValueError(
                f"{file} belongs to another tournament: its {name} is {_short(theirs.get(name))}, "
                f"this one's is {_short(ours.get(name))}; choose another file"
            )


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _told(place: Place, games: Games) -> dict[str, Any]:
    return {
        "block": place,
        "shape": games.credits.shape,
        "credits": games.credits.ravel().tolist(),
        "points": games.points.ravel().tolist(),
        "at_fault": np.flatnonzero(games.at_fault).tolist(),
        "accounts": [asdict(account) for account in games.accounts],
    }


def _block(told: Mapping[str, Any]) -> tuple[Place, Games]:
    """What `_told` told."""
    shape = told["shape"]
    at_fault = np.zeros(int(np.prod(shape)), np.bool_)
    at_fault[told["at_fault"]] = True
    match, first, number = told["block"]
    return (match, first, number), Games(
        np.array(told["credits"], np.int64).reshape(shape),
        np.array(told["points"], np.int64).reshape(shape),
        at_fault.reshape(shape),
        tuple(Account(**account) for account in told["accounts"]),
    )
