"""Bots that misbehave, and bots that watch: what tests seat in the arena."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from miaui_env.bots import Bot


class First(Bot):
    """The first legal action; remembers every row that it was shown, by its key."""

    def __init__(self, name: str = "first", perfect_recall: bool | None = None) -> None:
        self.name, self.perfect_recall = name, perfect_recall
        self.shown: dict[int, bytes] = {}
        self.folder: Path | None = None

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        for key, row in zip(keys.tolist(), observations, strict=True):
            self.shown[key] = row.tobytes()
        return np.asarray(action_masks.argmax(1))


class Faulty(First):
    """Plays the first legal action, but where `key % every == 0` it does `fault` instead."""

    def __init__(self, fault: str, every: int = 1) -> None:
        super().__init__(fault)
        self.every = every

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> Any:
        actions: Any = super().act(observations, action_masks, keys)
        at_fault = keys % np.uint64(self.every) == 0
        observations[:], action_masks[:] = 1, 1  # scribbling helps nobody
        if not at_fault.any():
            return actions
        if self.name == "crash":
            raise RuntimeError("no idea")
        if self.name == "illegal":
            return np.where(at_fault, 99, actions)
        if self.name == "negative":
            return np.where(at_fault, -1, actions)
        return {"shape": actions[:, None], "float": actions * 1.0, "nothing": None}[self.name]


class Counting(Bot):
    """Plays the first legal action and crashes if its memory skips or mixes up a decision."""

    name = "counting"

    def begin(self, batch: int) -> Any:
        return np.zeros((batch, 1), np.int64)

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        assert len(memory) == len(keys)
        left = action_masks.sum(1)  # in Miaui a hand of 12 that shrinks by one each round
        assert (left == 12 - memory[:, 0]).all()
        memory[:, 0] += 1
        return np.asarray(action_masks.argmax(1))


class Unready(First):
    """Crashes when it is asked for a memory."""

    def begin(self, batch: int) -> Any:
        raise OSError("no memory to spare")


class Stubborn(First):
    """Where `key % every == 0` it sleeps, hangs so that no alarm wakes it, or takes all down."""

    def __init__(self, fault: str, every: int = 1, seconds: float = 60.0) -> None:
        super().__init__(fault)
        self.every, self.seconds = every, seconds

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        if (keys % np.uint64(self.every) == 0).any():
            getattr(self, self.name)()
        return np.asarray(action_masks.argmax(1))

    def sleepy(self) -> None:
        """An alarm wakes it."""
        time.sleep(self.seconds)

    def deaf(self) -> None:
        """No alarm does."""
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            with contextlib.suppress(BaseException):
                time.sleep(self.seconds)

    def deadly(self) -> None:
        """It takes its process with it."""
        os._exit(7)

    def leaving(self) -> None:
        """It means to end the program, politely."""
        sys.exit("enough")
