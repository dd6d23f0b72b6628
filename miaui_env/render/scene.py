"""Where the tables stand: a beach under the sky, and the lagoon that one wants to dive into."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from miaui_env.render.letters import width_of
from miaui_env.render.palette import (
    FOAM,
    INK,
    LEAF,
    MUTED,
    ORANGE,
    PAPER,
    PINK,
    SAND,
    SAND_EDGE,
    WHITE,
    WOOD,
)
from miaui_env.render.shapes import BODY, TAIL, starfish
from miaui_env.render.svg import (
    END,
    at,
    circle,
    document,
    gradient,
    line,
    path,
    rect,
    shared,
    words,
)

SKY_TOP, SKY_LOW = "#8fd3f4", "#fdf3d8"
WATER = ("#7fe3d6", "#2fb5c7", "#0f7fae", "#0b4f82")


def beach(wide: float, high: float, sand: float) -> str:
    """Sky with a sun, and sand from the height `sand` down."""
    sky = gradient("sky", [SKY_TOP, SKY_LOW]) + rect(0, 0, wide, high, "url(#sky)")
    sun = circle(wide - 74, 20, 46, "#fff6cf", opacity=0.55) + circle(wide - 74, 20, 30, "#ffe9a0")
    ground = path(
        f"M0 {sand + 8}Q{wide * 0.25} {sand - 10} {wide * 0.5} {sand}T{wide} {sand - 6}V{high}H0Z",
        SAND,
    )
    return sky + sun + ground


def headline(wide: float, title: str, notes: Sequence[str] = ()) -> str:
    """The game's name large, and notes beside it."""
    name = words(16, 30, title, 24, INK, bold=True)
    return name + words(wide - 16, 28, "  ·  ".join(notes), 13.5, INK, anchor=END, room=wide - 160)


def lagoon(wide: float, top: float, low: float) -> str:
    """Water from a wavy shore down to the deep, with light falling in."""
    waves = f"M0 {top}" + "".join(
        f"Q{x + 25} {top - 9} {x + 50} {top}T{x + 100} {top}" for x in range(0, int(wide), 100)
    )
    water = gradient("water", WATER) + path(f"{waves}V{low}H0Z", "url(#water)")
    foam = line(waves, WHITE, 3.5, opacity=0.85)
    rays = "".join(
        f"M{x} {top + 4}L{x - 70} {low}H{x - 20}L{x + 26} {top + 4}Z"
        for x in range(150, int(wide), 190)
    )
    light = path(rays, WHITE, opacity=0.07)
    reef = _coral(wide * 0.42, low, PINK) + _coral(wide * 0.62, low, ORANGE) + _weeds(wide, low)
    return water + light + foam + _school(wide, top, low) + _bubbles(wide, top, low) + reef


def _school(wide: float, top: float, low: float) -> str:
    """Small fish far off, too faint to be taken for a piece of the game."""
    one = shared("far-fish", path(BODY + TAIL, WHITE))
    return "".join(
        at(wide * x, top + (low - top) * y, one, scale=size, opacity=0.16) for x, y, size in _FAR
    )


_FAR = (
    *((0.46, 0.2, 0.5), (0.5, 0.12, 0.4), (0.53, 0.24, 0.45), (0.6, 0.46, 0.6)),
    *((0.44, 0.6, 0.4), (0.48, 0.53, 0.32), (0.57, 0.86, 0.5)),
)
"""Where they swim, as shares of the water, and their sizes."""


def _coral(x: float, low: float, colour: str) -> str:
    """A branch of coral on the floor."""
    branch = f"M{x} {low}v-22m0 8q-13 -4 -12 -18m12 12q12 -3 12 -17m-12 4q-2 -9 2 -17"
    return line(branch, colour, 5, opacity=0.8)


def _bubbles(wide: float, top: float, low: float) -> str:
    places = ((0.385, 0.4, 4), (0.395, 0.31, 2.5), (0.5, 0.9, 3), (0.69, 0.3, 3), (0.7, 0.22, 2))
    return "".join(
        circle(wide * x, top + (low - top) * y, r, "none", stroke=FOAM, stroke_width=1, opacity=0.6)
        for x, y, r in places
    )


def _weeds(wide: float, low: float) -> str:
    """Seaweed that grows from the floor."""
    blades = "".join(
        f"M{x} {low}q-7 -14 0 -26t0 -24M{x + 9} {low}q6 -11 0 -20t2 -18"
        for x in (wide * 0.006, wide * 0.655, wide * 0.988)
    )
    return line(blades, LEAF, 4, opacity=0.75)


def floor(wide: float, top: float, low: float) -> str:
    """Sand below the water."""
    edge = f"M0 {top + 5}Q{wide * 0.2} {top - 9} {wide * 0.45} {top}T{wide} {top - 2}V{low}H0Z"
    stones = circle(wide * 0.93, top + 12, 5, "#c8b48a") + circle(
        wide * 0.945, top + 14, 3, "#b6a27a"
    )
    return (
        path(edge, SAND, stroke=SAND_EDGE, stroke_width=3)
        + stones
        + at(wide * 0.97, low - 18, starfish(), turn=18)
    )


def jetty(x: float, y: float, wide: float, high: float) -> str:
    """Planks to lay things on."""
    planks = rect(x, y, wide, high, "#d7a46a", rx=6, stroke=WOOD, stroke_width=2)
    seams = "".join(f"M{x + 6} {y + high * i / 3:.1f}H{x + wide - 6}" for i in (1, 2))
    return planks + line(seams, WOOD, 1, opacity=0.6)


def caption(x: float, y: float, text: str, size: float = 11) -> str:
    """Quiet words on sand."""
    return words(x, y, text, size, MUTED)


def sheet(text: str, title: str = "", wide: float = 800, high: float = 600) -> str:
    """Words on paper, as large as they fit: a picture for a game that has none of its own."""
    wrapped = (textwrap.wrap(one, 96, subsequent_indent="    ") for one in text.splitlines())
    lines = [part for parts in wrapped for part in parts or [""]] or [""]
    widest = max(width_of(one, 1) for one in lines)
    size = min(15.0, (wide - 48) / max(widest, 1), (high - 76) / (1.5 * len(lines)))
    rows = (words(24, 62 + 1.5 * size * i, one, size) for i, one in enumerate(lines))
    paper = rect(12, 40, wide - 24, high - 52, PAPER, rx=10, opacity=0.94)
    return document(
        wide, high, beach(wide, high, high / 3), headline(wide, title), paper, *rows, title=title
    )
