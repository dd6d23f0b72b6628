"""Who sits where: no seat and no neighbour may count."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from miaui_env.benchmark.seating import latin_square, mix_of, seatings


def test_one_bot_among_copies_takes_each_seat_once_by_rotation() -> None:
    assert seatings("abbb").tolist() == [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]
    assert seatings("abbb").tolist() == seatings("abcd", "rotations").tolist()


@pytest.mark.parametrize(
    ("names", "number"),
    [("ab", 2), ("abc", 6), ("abcd", 24), ("aabb", 6), ("aabbb", 10), ("aaabbb", 20), ("aaaa", 4)],
)
def test_all_seatings_that_differ_by_more_than_copies(names: str, number: int) -> None:
    told = ["".join(names[slot] for slot in seating) for seating in seatings(names)]
    assert len(told) == number
    if len(set(names)) > 1:
        assert set(told) == {"".join(order) for order in itertools.permutations(names)}


@pytest.mark.parametrize("n", [5, 6])
def test_beyond_that_every_slot_at_every_seat_and_beside_every_other_equally_often(n: int) -> None:
    square = seatings("abcdef"[:n])
    assert (square == latin_square(n)).all() and len(square) == (6 if n == 6 else 10)
    assert (np.sort(square, 1) == np.arange(n)).all()
    seats = Counter((seat, slot) for row in square.tolist() for seat, slot in enumerate(row))
    assert set(seats.values()) == {len(square) // n} and len(seats) == n * n
    beside = Counter(pair for row in square.tolist() for pair in itertools.pairwise(row))
    assert len(beside) == n * (n - 1) and len(set(beside.values())) == 1


def test_a_mix_in_words() -> None:
    assert mix_of(["a", "b", "b"]) == "a + 2 × b" and mix_of(["a"]) == "a"


def test_there_are_no_other_ways() -> None:
    with pytest.raises(ValueError, match="seating is one of 'auto', 'rotations', not 'all'"):
        seatings("ab", "all")
