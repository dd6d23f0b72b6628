"""A bit set is taken apart from its lowest bit up."""

from __future__ import annotations

import pytest

from miaui_env.engine.bits import lowest


@pytest.mark.parametrize("number", [0, 1, 8, 31, 32, 53, 62])
def test_the_lowest_bit_is_found_whatever_lies_above(number: int) -> None:
    for above in (0, 1 << 62, 5 << (number + 1)):
        assert lowest(1 << number | above % (1 << 63)) == min(
            bit for bit in range(63) if (1 << number | above % (1 << 63)) >> bit & 1
        )


def test_a_set_of_all_numbers_begins_with_0() -> None:
    assert lowest(-1) == 0
    assert lowest(~0b111) == 3
