"""A bit set is taken apart from its lowest bit up; eight entries of an array are one word."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from miaui_env.engine.bits import how_many, load_word, lowest, store_word, turned
from miaui_env.engine.compile import kernel


@pytest.mark.parametrize("number", [0, 1, 8, 31, 32, 53, 62])
def test_the_lowest_bit_is_found_whatever_lies_above(number: int) -> None:
    for above in (0, 1 << 62, 5 << (number + 1)):
        assert lowest(1 << number | above % (1 << 63)) == min(
            bit for bit in range(63) if (1 << number | above % (1 << 63)) >> bit & 1
        )


def test_a_set_of_all_numbers_begins_with_0() -> None:
    assert lowest(-1) == 0
    assert lowest(~0b111) == 3


@pytest.mark.parametrize(("bits", "number"), [(0, 0), (1, 1), (0b1011 << 40, 3), (-1, 64)])
def test_all_bits_of_a_set_are_counted(bits: int, number: int) -> None:
    assert how_many(bits) == number


@kernel
def _turn_eight(numbers: Any, first: Any, out: Any) -> None:
    store_word(out, first, turned(load_word(numbers, first)))


def test_a_word_is_eight_entries_and_can_be_turned() -> None:
    numbers, out = np.arange(-6, 6, dtype=np.int8), np.full(12, 77, np.int8)
    _turn_eight(numbers, np.uint64(3), out)
    assert out.tolist() == [77] * 3 + [4, 3, 2, 1, 0, -1, -2, -3] + [77]
