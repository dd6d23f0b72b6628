"""Named pieces: of a state record, and of one flat int8 vector that a seat observes.

A game lists its observation once, as `Field`s in writing order; its `observe` kernel writes them in
that order with the writers below. The cursor `at` is uint64, which saves numba's test for negative
indices (an observation took 361 ns with signed and 119 ns with unsigned cursors).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel

ONE = np.uint64(1)
START = np.uint64(0)
WIDE = 128
"""A number beyond int8 takes two fields: value = 128 · high + low, 0 ≤ low < 128."""


@dataclass(frozen=True)
class Field:
    """One named piece of an observation: its shape, the least and greatest value, what it means.

    A bound is a number for all entries, or one for each along the last axis. It is met in random
    play; where it is not, because it needs a deal or a course that hardly ever happens or because
    nobody knows a closer one, `rare` says why.
    """

    name: str
    shape: tuple[int, ...]
    low: int | tuple[int, ...]
    high: int | tuple[int, ...]
    meaning: str
    rare: str = ""

    @property
    def size(self) -> int:
        """Number of int8 entries."""
        return math.prod(self.shape)


class Layout:
    """Where each field lies in the flat vector.

    Attributes:
        fields: the fields in order. size: length of the vector. offsets: int64 `(len(fields) +
        1,)`; field i takes `offsets[i]:offsets[i + 1]`. Compiled bots
            read an observation through it.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        """Lay the fields one after the other."""
        self.fields = tuple(fields)
        self.offsets = np.concatenate(([0], np.cumsum([field.size for field in fields])))
        self.offsets = self.offsets.astype(np.int64)
        self.size = int(self.offsets[-1])
        self._index = {field.name: i for i, field in enumerate(self.fields)}

    def __iter__(self) -> Iterator[str]:
        """Names in order."""
        return iter(self._index)

    def __getitem__(self, name: str) -> slice:
        """The field's place in the vector."""
        i = self._index[name]
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))

    def read(self, observation: np.ndarray, name: str) -> np.ndarray:
        """The field's part of an observation, in the field's own shape."""
        return observation[self[name]].reshape(self.fields[self._index[name]].shape)

    @functools.cached_property
    def low(self) -> np.ndarray:
        """Least value of each entry; int8 `(size,)`."""
        return self._spread([(field.low, field.shape) for field in self.fields])

    @functools.cached_property
    def high(self) -> np.ndarray:
        """Greatest value of each entry; int8 `(size,)`."""
        return self._spread([(field.high, field.shape) for field in self.fields])

    def _spread(self, bounds: list[tuple[Any, tuple[int, ...]]]) -> np.ndarray:
        parts = [np.broadcast_to(np.array(bound, np.int8), shape) for bound, shape in bounds]
        return np.concatenate([part.ravel() for part in parts])

    def describe(self) -> dict[str, tuple[slice, tuple[int, ...], str]]:
        """Name → (slice, shape, meaning), for people and for cards of exported bots."""
        return {field.name: (self[field.name], field.shape, field.meaning) for field in self.fields}


def wide(
    name: str, shape: tuple[int, ...], low: int, high: int, meaning: str, rare: str = ""
) -> tuple[Field, ...]:
    """Fields for numbers beyond int8: all the high parts, then all the low parts."""
    return (
        Field(f"{name}_high", shape, low // WIDE, high // WIDE, f"{meaning}, divided by 128", rare),
        Field(f"{name}_low", shape, 0, WIDE - 1, f"{meaning}, the rest of that division", rare),
    )


def record(fields: Sequence[tuple[Any, ...]]) -> np.dtype:
    """An aligned record dtype for a game's state, without gaps: equal states are equal bytes.

    Wide fields come first, and what is left at the end has a name; copies of NumPy leave gaps as
    they find them.

    Raises:
        ValueError: for a field named as something that `np.record` has already: in plain Python
            `state.round` would then be a method and no field.
    """
    taken = [name for name, *_ in fields if hasattr(np.record, name)]
    if taken:
        raise ValueError(f"np.record already has {', '.join(taken)}; name these fields otherwise")
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    aligned = np.dtype(ordered, align=True)
    spare = aligned.itemsize - sum(aligned[name].itemsize for name in aligned.names or ())
    if spare:
        aligned = np.dtype([*ordered, ("spare", "i1", (spare,))], align=True)
    return np.dtype((np.record, aligned))


# --- writers: each writes at the cursor and returns the cursor behind what it wrote -------------


@kernel
def put(out: Any, at: Any, value: Any) -> Any:
    """One number that fits int8."""
    out[at] = value
    return at + ONE


@kernel
def put_bits(out: Any, at: Any, bits: Any, n: Any) -> Any:
    """The lowest `n` bits, one entry each."""
    for i in range(n):
        out[at] = (bits >> i) & 1
        at += ONE
    return at


@kernel
def put_one_hot(out: Any, at: Any, index: Any, n: Any) -> Any:
    """`n` entries, 1 at `index`; all 0 for an index outside 0 … n-1."""
    for i in range(n):
        out[at] = 1 if i == index else 0
        at += ONE
    return at


@kernel
def put_zeros(out: Any, at: Any, n: Any) -> Any:
    """`n` zeros."""
    for _ in range(n):
        out[at] = 0
        at += ONE
    return at
