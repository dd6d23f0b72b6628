"""Counting around the table gives what remainders would."""

from __future__ import annotations

import pytest

from miaui_env.engine.seats import bits_around, clockwise, steps_to


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_steps_lead_from_seat_to_seat_and_back(n: int) -> None:
    for seat in range(n):
        for steps in range(n):
            other = clockwise(seat, steps, n)
            assert other == (seat + steps) % n
            assert steps_to(other, seat, n) == steps


def test_a_set_of_seats_is_turned_so_that_the_own_bit_comes_first() -> None:
    # Seats 0, 1 and 3 of 5; from seat 3 that is itself, then 0 and 1, two and three steps on.
    assert bits_around(0b01011, 3, 5) == 0b01101
    assert [bits_around(0b0001, seat, 4) for seat in range(4)] == [0b0001, 0b1000, 0b0100, 0b0010]
