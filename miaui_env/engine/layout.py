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

from miaui_env.engine.bits import WORD, load_word, store_word, turned
from miaui_env.engine.compile import kernel
from miaui_env.engine.seats import clockwise, steps_to

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
#
# A writer may put zeros into up to seven entries behind the cursor that it returns, within `out`;
# so fields are written in order.


@kernel
def put(out: Any, at: Any, value: Any) -> Any:
    """One number that fits int8."""
    out[at] = value
    return at + ONE


@kernel
def put_word(out: Any, at: Any, word: Any, n: Any) -> Any:
    """The lowest `n` ≤ 8 bytes of an int64, the lowest first, one entry each; the others are 0.

    In one store unless the end of `out` is near: an observation of Miaui took 70 ns with words and
    93 ns with a store for each entry.
    """
    if at + WORD <= np.uint64(len(out)):
        store_word(out, at, word)
    else:
        _put_bytes(out, at, word, n)
    return at + np.uint64(n)


@kernel
def _put_bytes(out: Any, at: Any, word: Any, n: Any) -> None:
    """Each from what is left of the word: LLVM would make far more, and slower, of `8 * i`."""
    for i in range(n):
        out[at + np.uint64(i)] = np.int8(word & 0xFF)
        word >>= 8


def words_of(rows: Any) -> np.ndarray:
    """Rows of at most eight int8 entries as numbers for `put_word`; int64 `(rows,)`."""
    padded = np.zeros((len(rows), 8), np.int8)
    padded[:, : len(rows[0])] = rows
    return np.ascontiguousarray(padded.view("<i8")[:, 0], np.int64)


_FLAGS = words_of([[bits >> i & 1 for i in range(8)] for bits in range(256)])


@kernel
def put_bits(out: Any, at: Any, bits: Any, n: Any) -> Any:
    """The lowest `n` bits, one entry each."""
    if n < 8:
        return put_word(out, at, _FLAGS[bits & ((1 << n) - 1)], n)
    for first in range(0, n - 8, 8):
        put_word(out, at + np.uint64(first), _FLAGS[(bits >> first) & 0xFF], 8)
    last = n - 8  # eight entries again, some of them a second time, and none behind
    return put_word(out, at + np.uint64(last), _FLAGS[(bits >> last) & 0xFF], 8)


@kernel
def put_one_hot(out: Any, at: Any, index: Any, n: Any) -> Any:
    """`n` entries, 1 at `index`; all 0 for an index outside 0 … n-1."""
    if n > 8:
        return put_bits(out, at, 1 << np.int64(index) if 0 <= index < n else 0, n)
    return put_word(out, at, 1 << (8 * np.int64(index)) if 0 <= index < n else 0, n)


@kernel
def put_seat(out: Any, at: Any, other: Any, seat: Any, n: Any) -> Any:
    """One-hot, which seat it is as this one sees it; all 0 for nobody, -1."""
    return put_one_hot(out, at, steps_to(other, seat, n) if other >= 0 else -1, n)


@kernel
def put_row(out: Any, at: Any, numbers: Any, first: Any, n: Any) -> Any:
    """`n` numbers from an int8 array, from index `first` on."""
    if n < 8:
        for i in range(first, first + n):
            at = put(out, at, numbers[i])
        return at
    put(out, at, numbers[first + n - 1])  # written over, unless there is no such number
    for i in range(0, n - 8, 8):
        put_word(out, at + np.uint64(i), load_word(numbers, np.uint64(first + i)), 8)
    last = n - 8  # some of them a second time
    return put_word(out, at + np.uint64(last), load_word(numbers, np.uint64(first + last)), 8)


@kernel
def put_last(out: Any, at: Any, numbers: Any, size: Any, n: Any) -> Any:
    """The first `size` ≤ `n` numbers of an int8 array of 8 or more, the last of them first; then 0.

    Eight at a time: the loads and stores of 12 numbers one by one took 26 ns, so 11 ns.
    """
    for first in range(0, n, 8):
        left = size - first
        word = load_word(numbers, np.uint64(max(left - 8, 0)))
        for _ in range(2):  # by half of the bits each time, since no word is shifted by 64
            word <<= 4 * (8 - min(max(left, 0), 8))
        put_word(out, at + np.uint64(first), turned(word), min(n - first, 8))
    return at + np.uint64(n)


@kernel
def put_zeros(out: Any, at: Any, n: Any) -> Any:
    """`n` zeros."""
    for _ in range(n):
        out[at] = 0
        at += ONE
    return at


@kernel
def put_around(out: Any, at: Any, values: Any, seat: Any, n: Any) -> Any:
    """A number of each seat: first the one's own, then clockwise."""
    for steps in range(n):
        out[at] = values[clockwise(seat, steps, n)]
        at += ONE
    return at
