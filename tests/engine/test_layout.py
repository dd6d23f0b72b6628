"""Fields lie one after the other; a record refuses names that NumPy has taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from miaui_env.engine.layout import (
    START,
    WIDE,
    Field,
    Layout,
    put_around,
    put_bits,
    put_last,
    put_one_hot,
    put_row,
    put_word,
    record,
    wide,
    words_of,
)


def test_fields_follow_each_other() -> None:
    layout = Layout(
        [Field("a", (2,), 0, 1, ""), Field("b", (2, 3), -5, 9, ""), Field("c", (1,), 0, 3, "")]
    )
    assert [layout[name] for name in layout] == [slice(0, 2), slice(2, 8), slice(8, 9)]
    assert layout.size == 9
    assert layout.offsets.tolist() == [0, 2, 8, 9]
    assert layout.read(np.arange(9, dtype=np.int8), "b").tolist() == [[2, 3, 4], [5, 6, 7]]
    assert (layout.low[2:8] == -5).all() and (layout.high[2:8] == 9).all()


@pytest.mark.parametrize("value", [-300, -129, -1, 0, 127, 128, 540])
def test_wide_numbers_come_back(value: int) -> None:
    high, low = value >> 7, value & (WIDE - 1)
    assert WIDE * high + low == value
    fields = wide("score", (1,), -300, 540, "")
    layout = Layout(fields)
    assert (layout.low <= [high, low]).all()
    assert (layout.high >= [high, low]).all()


def test_writers_say_where_they_stopped() -> None:
    out = np.full(9, 7, np.int8)
    at = put_bits(out, START, 0b1101, 4)
    at = put_one_hot(out, at, 2, 4)
    assert out.tolist() == [1, 0, 1, 1, 0, 0, 1, 0, 7]
    assert int(at) == 8
    put_one_hot(out, START, -1, 3)
    assert out[:3].tolist() == [0, 0, 0]


@pytest.mark.parametrize("behind", [0, 3, 7, 8, 20])
@pytest.mark.parametrize("n", [1, 4, 7, 8, 9, 12, 16, 23])
def test_many_entries_are_written_at_once_and_only_zeros_behind(n: int, behind: int) -> None:
    """Whether or not the end of the vector is near."""
    numbers = np.arange(-5, 40, dtype=np.int8)
    row = numbers[2 : 2 + n].tolist()
    bits = [(0b1011_0011_1000_1111_0110_1001 >> i) & 1 for i in range(n)]
    writers: list[tuple[Callable[..., Any], tuple[Any, ...], list[int]]] = [
        (put_row, (numbers, 2, n), row),
        (put_bits, (0b1011_0011_1000_1111_0110_1001, n), bits),
        (put_one_hot, (n - 1, n), [0] * (n - 1) + [1]),
        (put_around, (numbers[2:], n - 1, n), [row[-1], *row[:-1]]),
    ]
    for write, given, wanted in writers:
        out = np.full(n + behind, 77, np.int8)
        assert int(write(out, START, *given)) == n
        assert out[:n].tolist() == wanted
        assert set(out[n:].tolist()) <= {0, 77} and (out[n + 7 :] == 77).all()


@pytest.mark.parametrize("behind", [0, 3, 8])
@pytest.mark.parametrize("n", [1, 4, 7, 8, 9, 12, 16, 23])
def test_a_pile_is_written_from_its_top_down(n: int, behind: int) -> None:
    """Whatever lies above its `size`, and wherever the vector ends."""
    numbers = np.arange(-3, 21, dtype=np.int8)
    for size in range(n + 1):
        out = np.full(n + behind, 77, np.int8)
        assert int(put_last(out, START, numbers, size, n)) == n
        assert out[:n].tolist() == [*numbers[:size][::-1].tolist(), *[0] * (n - size)]
        assert set(out[n:].tolist()) <= {0, 77} and (out[n + 7 :] == 77).all()


def test_words_hold_rows_of_numbers_with_their_signs() -> None:
    rows = [[-10, 0, 3], [127, -128, -1]]
    for row, word in zip(rows, words_of(rows), strict=True):
        for size in (3, 9):
            out = np.full(size, 77, np.int8)
            assert int(put_word(out, START, word, 3)) == 3
            assert out[:3].tolist() == row


@pytest.mark.parametrize("taken", ["round", "size", "copy", "max", "sort", "fill", "item"])
def test_a_record_refuses_names_that_numpy_has(taken: str) -> None:
    with pytest.raises(ValueError, match=taken):
        record([("turn", "i1"), (taken, "i1")])


def test_a_record_is_read_by_name_in_plain_python() -> None:
    states = np.zeros(2, record([("turn", "i1"), ("points", "i4", (3,))]))
    states[1].points[2] = 5
    assert states["points"].tolist() == [[0, 0, 0], [0, 0, 5]]


def test_a_record_has_no_gaps_that_copies_could_leave_undefined() -> None:
    fields = [("turn", "i1"), ("points", "i4", (3,)), ("half", "i2"), ("last", "i1", (2,))]
    dtype = record(fields)
    assert dtype.names is not None
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize == 20
    places: dict[str, Any] = dict(dtype.fields or {})
    assert all(places[name][1] % dtype[name].base.itemsize == 0 for name in dtype.names)
