"""Colours of all pictures: Okabe and Ito's, which colour-blind people tell apart, on a lagoon.

A colour never stands alone: seats have numbers and ears of their own, kinds have shapes.
"""

from __future__ import annotations

INK = "#17324a"
PAPER = "#fffdf6"
MUTED = "#5b7488"
FOAM = "#eafaf7"
SAND = "#f6e3b8"
SAND_EDGE = "#e2c488"
WOOD = "#a8703f"
DARK_WOOD = "#6f4522"
NIGHT = "#0b3c5d"
GOLD = "#e8b22a"
LEAF = "#3f9a6b"

BLACK = "#20262e"
ORANGE = "#e69f00"
SKY = "#56b4e9"
GREEN = "#009e73"
YELLOW = "#f0e442"
BLUE = "#0072b2"
RED = "#d55e00"
PINK = "#cc79a7"
GREY = "#9aa5ae"
WHITE = "#ffffff"

SEATS = (ORANGE, SKY, GREEN, PINK, YELLOW, RED)
"""Of seats 0 to 5."""


def seat_colour(seat: int) -> str:
    """Of a seat at the table."""
    return SEATS[seat % len(SEATS)]


def ink_on(colour: str) -> str:
    """Black or white, whichever is better read on the colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 128 else WHITE
