"""Creatures and things, drawn around (0, 0), about 48 wide and 32 high; fish swim to the right."""

from __future__ import annotations

from miaui_env.render.palette import (
    BLACK,
    DARK_WOOD,
    GOLD,
    INK,
    LEAF,
    PINK,
    RED,
    WHITE,
    WOOD,
    seat_colour,
)
from miaui_env.render.svg import at, circle, ellipse, line, path, rect, shared, tag

BODY = "M-18 0Q-9 -13 6 -12Q20 -10 23 0Q20 10 6 12Q-9 13 -18 0Z"
TAIL = "M-15 0L-26 -10Q-22 0 -26 10Z"


def fish(colour: str, fin: str, *patterns: str, length: float = 1) -> str:
    """A fish with fins of their own colour, and patterns laid over its body."""
    body = path(TAIL + "M-4 -11Q2 -20 11 -10Z", fin) + path(BODY, colour)
    stretched = body + "".join(patterns) + path("M2 3Q-3 9 -8 5Q-3 3 2 3Z", fin)
    long = tag("g", stretched, transform=None if length == 1 else f"scale({length} 1)")
    smile = line("M20 3Q17 6 14 4.5", INK, 1.2)
    return long + at(12 * (length - 1), 0, eye(13, -3) + smile)


def eye(x: float, y: float, r: float = 3.2) -> str:
    """Wide open."""
    return circle(x, y, r, WHITE) + circle(x + 0.8, y, r * 0.55, INK)


def stripes(colour: str, *places: float) -> str:
    """Across a fish's body."""
    drawn = (f"M{x} -9.5Q{x + 3} 0 {x} 9.5Q{x - 2} 0 {x} -9.5Z" for x in places)
    return path("".join(drawn), colour)


def ears(colour: str, inner: str) -> str:
    """A cat's, on a fish."""
    outer = path("M1 -10L4 -21L11 -11ZM12 -11L19 -19L20 -7Z", colour)
    return outer + path("M4 -12L5.5 -17L8.5 -12ZM15 -11L18 -15L18.5 -9Z", inner)


def whiskers(x: float, y: float) -> str:
    """Two and two."""
    return line(f"M{x} {y}L{x + 8} {y - 2}M{x} {y + 2}L{x + 8} {y + 3}", INK, 0.9)


def crown(x: float, y: float, size: float = 1) -> str:
    """Of gold."""
    shape = path("M-8 4L-9 -5L-4 -1L0 -7L4 -1L9 -5L8 4Z", GOLD, stroke="#9a6f0a", stroke_width=1)
    return at(x, y, shape, scale=size)


def jellyfish(colour: str, light: str) -> str:
    """A bell with arms."""
    arms = "M-10 2Q-13 8 -9 12T-10 19M-4 3Q-7 9 -3 13T-4 20M3 3Q0 9 4 13T3 20M10 2Q7 8 11 12T10 19"
    bell = path("M-16 3Q-15 -15 0 -15Q15 -15 16 3Q12 0 8 3Q4 0 0 3Q-4 0 -8 3Q-12 0 -16 3Z", colour)
    shine = path("M-10 -3Q-9 -11 -1 -12Q-6 -9 -7 -3Z", light)
    face = eye(-5, -4, 2.4) + eye(5, -4, 2.4) + line("M-3 0Q0 -2 3 0", INK, 1)
    return at(0, -2, line(arms, colour, 2.2) + bell + shine + face)


def gull() -> str:
    """A seagull in flight."""
    wings = path(
        "M-2 0Q-10 -16 -26 -13Q-16 -9 -12 3ZM4 -1Q8 -17 25 -16Q15 -9 13 3Z",
        "#cfd9df",
        stroke="#5d6b75",
        stroke_width=1.2,
    )
    edges = path("M-26 -13L-19 -13L-19 -10ZM25 -16L18 -15L18.5 -11Z", BLACK)
    body = path("M-20 5Q-8 -7 10 -5Q19 -4 20 1Q12 9 -2 9Q-12 9 -20 5Z", WHITE)
    edge = line("M-20 5Q-8 -7 10 -5Q19 -4 20 1Q12 9 -2 9Q-12 9 -20 5Z", "#5d6b75", 1.3)
    return wings + edges + body + edge + path("M19 -1L28 2L19 4Z", GOLD) + circle(14, -1, 1.6, INK)


def cat(seat: int) -> str:
    """A cat's head, 40 wide; each seat has its own colour and marks."""
    return shared(f"cat-{seat}", _cat(seat))


def _cat(seat: int) -> str:
    colour = seat_colour(seat)
    head = path("M-16 -2L-17 -18L-7 -12Q0 -14 7 -12L17 -18L16 -2Q19 14 0 15Q-19 14 -16 -2Z", colour)
    edge = line(
        "M-16 -2L-17 -18L-7 -12Q0 -14 7 -12L17 -18L16 -2Q19 14 0 15Q-19 14 -16 -2Z", INK, 1.3
    )
    inner = path("M-15 -9L-15 -14L-10 -11ZM15 -9L15 -14L10 -11Z", "#ffd9cf")
    eyes = circle(-6.5, -1, 3, WHITE) + circle(6.5, -1, 3, WHITE)
    eyes += ellipse(-6.2, -1, 1.3, 2.3, INK) + ellipse(6.8, -1, 1.3, 2.3, INK)
    nose = path("M-2 5H2L0 7.500Z", "#b34a4a") + line(
        "M0 7.500Q-3 11 -5 9M0 7.500Q3 11 5 9", INK, 1
    )
    hairs = line("M-10 6L-20 4M-10 8L-20 9M10 6L20 4M10 8L20 9", INK, 0.8)
    return head + MARKS[seat % len(MARKS)] + edge + inner + eyes + nose + hairs


MARKS = (
    line("M0 -13V-7M-4.5 -12.5L-3.5 -8M4.5 -12.5L3.5 -8", INK, 1.8),  # tabby
    path("M-16 -2L-17 -18L-7 -12Q-2 -4 -8 5Q-14 6 -16.5 2Z", WHITE, opacity=0.75),  # a patch
    path("M0 15Q-14 15 -13 7Q-6 2 0 4Q6 2 13 7Q14 15 0 15Z", WHITE, opacity=0.85),  # a muzzle
    circle(-2, -8, 2.2, INK)
    + circle(5, -9, 1.7, INK)
    + circle(11, 4, 2, INK)
    + circle(-11, 5, 2, INK),
    path("M-12 -4Q0 -9 12 -4Q13 3 6 3Q0 0 -6 3Q-13 3 -12 -4Z", INK, opacity=0.8),  # a mask
    path("M-16 -3L-17 -18L-9 -13ZM16 -3L17 -18L9 -13Z", INK, opacity=0.8),  # dark ears
)
"""What tells cats apart for those who do not see their colours."""


def paw(colour: str) -> str:
    """A paw's print, 16 wide."""
    toes = ((-6, -1), (-2.2, -5), (2.2, -5), (6, -1))
    return "".join(ellipse(x, y, 1.8, 2.3, colour) for x, y in toes) + ellipse(
        0, 3, 4.4, 3.6, colour
    )


def tiki() -> str:
    """Kiti, 30 wide and 56 high, standing on (0, 0)."""
    post = rect(-13, -50, 26, 50, WOOD, rx=6, stroke=DARK_WOOD, stroke_width=1.5)
    leaves = path("M0 -48Q-10 -66 -20 -58Q-10 -58 -5 -48ZM0 -48Q10 -66 20 -58Q10 -58 5 -48Z", LEAF)
    leaves += path("M0 -47Q-5 -64 0 -70Q5 -64 0 -47Z", "#58b483")
    brow = line("M-10 -40L-3 -37M10 -40L3 -37", DARK_WOOD, 2.4)
    eyes = circle(-6, -33, 4, WHITE) + circle(6, -33, 4, WHITE)
    eyes += circle(-5.5, -32, 1.8, INK) + circle(5.5, -32, 1.8, INK)
    nose = path("M-2.5 -33L-4 -23H4L2.5 -33Z", DARK_WOOD)
    mouth = rect(-9, -19, 18, 9, RED, rx=3, stroke=DARK_WOOD, stroke_width=1.2)
    teeth = line("M-4.5 -19V-10M0 -19V-10M4.5 -19V-10M-9 -14.500H9", WHITE, 1)
    rings = line("M-13 -5H13", DARK_WOOD, 1.6)
    return leaves + post + brow + eyes + nose + mouth + teeth + rings


def starfish() -> str:
    """With five arms."""
    right = "M0 -10L2.6 -3.6L9.5 -3.1L4.2 1.4L5.9 8.1L0 4.4"
    left = "L-5.9 8.1L-4.2 1.4L-9.5 -3.1L-2.6 -3.6Z"
    return path(right + left, PINK, stroke="#a8527f", stroke_width=1.5)
