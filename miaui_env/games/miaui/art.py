"""Miaui's fish as drawings and as pieces of the table."""

from __future__ import annotations

from miaui_env.render.palette import BLACK, BLUE, GREY, ORANGE, PINK, YELLOW
from miaui_env.render.pieces import CHIP, card, card_back, chip
from miaui_env.render.shapes import (
    crown,
    ears,
    fish,
    gull,
    jellyfish,
    stripes,
    whiskers,
)
from miaui_env.render.svg import MIDDLE, at, circle, line, path, shared, words

HIDDEN = "?"
_VIOLET = "#7a5aa6"


def _lantern() -> str:
    """A fish of the deep with its own light."""
    rod = line("M6 -11Q12 -24 22 -19", _VIOLET, 2)
    light = circle(23, -17, 7, "#fff3a6", opacity=0.6) + circle(23, -17, 3.6, YELLOW)
    teeth = path("M22 4L19 8L17 4L14 9L12 5Z", "#fff")
    return fish(_VIOLET, "#4b3577") + rod + light + teeth


_CAT = fish(YELLOW, ORANGE) + ears(YELLOW, PINK) + whiskers(18, 1)
_TIGER = fish(ORANGE, "#b86e00", stripes(BLACK, -10, -3, 4), length=1.04)
_TUNA = fish("#3d8fc4", "#0b5a8c", path("M-14 3Q2 13 20 5Q8 12 -4 11Z", "#d6ecf7")) + crown(7, -15)

KINDS = {
    "kittenfish": ("Kitten", "#caa400", shared("miaui-kittenfish", _CAT)),
    "tigerfish": ("Tiger", "#d98200", shared("miaui-tigerfish", _TIGER)),
    "tuna": ("Emperor", BLUE, shared("miaui-tuna", _TUNA)),
    "lantern": ("Lantern", _VIOLET, shared("miaui-lantern", _lantern())),
    "jellyfish": ("Jelly", PINK, shared("miaui-jellyfish", jellyfish(PINK, "#f3d3e4"))),
    "seagull": ("Seagull", GREY, shared("miaui-seagull", gull())),
}
"""Kind → (short name, colour, drawing)."""


def fish_card(x: float, y: float, name: str) -> str:
    """A card of the lagoon; "?" is its back."""
    if name == HIDDEN:
        return card_back(x, y)
    kind, value = _parted(name)
    short, colour, art = KINDS[kind]
    return card(x, y, art, value, colour, name=short, title=name)


def fish_chip(x: float, y: float, name: str, scale: float = 1) -> str:
    """A small card of a pile."""
    kind, value = _parted(name)
    _, colour, art = KINDS[kind]
    piece = shared(
        f"miaui-chip-{name.replace(':', '-')}", chip(0, 0, art, value, colour, title=name)
    )
    return at(x, y, piece, scale=scale)


def counted_chip(x: float, y: float, name: str, number: int) -> str:
    """A kind, and how many of it there are."""
    many = words(x + 13, y + CHIP[1] + 11, f"×{number}", 10, anchor=MIDDLE, bold=True)
    return fish_chip(x, y, name) + (many if number > 1 else "")


def _parted(name: str) -> tuple[str, str]:
    kind, _, value = name.partition(":")
    return kind, value.replace("-", "−")
