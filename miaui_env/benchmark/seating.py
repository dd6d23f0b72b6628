"""Who sits where: in how many ways each deal is played, so that no seat and no neighbour counts."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from miaui_env.engine.choices import one_of

SEATINGS = ("auto", "rotations")
MOST = 24
"""Up to so many different seatings (those of four different bots) are all played."""


def seatings(names: Sequence[str], how: str = "auto") -> np.ndarray:
    """The seatings of a line-up, each of which plays every deal.

    Copies of one bot change places for nothing, so seatings that differ by copies only are one:
    one bot among n - 1 copies of another has n of them, the rotations.

    Args:
        names: of the bots, slot by slot; equal names are copies of one bot.
        how: "auto": all different seatings if there are at most 24 (so, always with up to four
            seats), else a balanced Latin square; "rotations": the n cyclic ones.

    Returns:
        int64 `(seatings, seats)`: the slot at each seat.

    Raises:
        ValueError: for another `how`.
    """
    n = len(names)
    rotations = (np.arange(n) - np.arange(n)[:, None]) % n
    number = different(names)
    if one_of("seating", how, SEATINGS) == "rotations" or number <= n:
        return rotations
    if number > MOST:
        return latin_square(n)
    first: dict[tuple[str, ...], tuple[int, ...]] = {}
    for order in (*map(tuple, rotations.tolist()), *itertools.permutations(range(n))):
        first.setdefault(tuple(names[slot] for slot in order), order)
    return np.array(list(first.values()))


def different(names: Sequence[str]) -> int:
    """How many seatings there are that differ by more than copies."""
    copies = math.prod(math.factorial(count) for count in Counter(names).values())
    return math.factorial(len(names)) // copies


def latin_square(n: int) -> np.ndarray:
    """Every slot at every seat equally often, and beside every other slot equally often.

    Williams 1949 ("Experimental designs balanced for the estimation of residual effects of
    treatments"): n rows for an even n; for an odd one these and their mirror images.

    Returns:
        int64 `(n or 2 n, n)`.
    """
    zigzag = [(i + 1) // 2 if i % 2 else (n - i // 2) % n for i in range(n)]
    square = (np.array(zigzag) + np.arange(n)[:, None]) % n
    return square if n % 2 == 0 else np.concatenate([square, square[:, ::-1]])


def mix_of(names: Sequence[str]) -> str:
    """A line-up in words: `greedy + 3 × random`."""
    counts = Counter(names)
    return " + ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items())
