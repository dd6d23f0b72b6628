"""Counting around the table: seats as one of them sees the others, itself first, then clockwise.

By comparison, not by remainder: Maui's observation at two seats took 163 ns so, 242 ns with
divisions.
"""

from __future__ import annotations

from miaui_env.engine.compile import kernel


@kernel
def clockwise(seat: int, steps: int, n: int) -> int:
    """The seat so many steps, 0 … n-1, clockwise of a seat."""
    other = seat + steps
    return other - n if other >= n else other


@kernel
def steps_to(other: int, seat: int, n: int) -> int:
    """How many steps clockwise, 0 … n-1, from a seat to another."""
    steps = other - seat
    return steps + n if steps < 0 else steps


@kernel
def bits_around(bits: int, seat: int, n: int) -> int:
    """A bit set of seats as the seat sees it: bit i stands for who sits i steps clockwise."""
    return ((bits >> seat) | (bits << (n - seat))) & ((1 << n) - 1)
