"""Showcase's fish and milk as drawings and as pieces of the table, and the stall they lie on."""

from __future__ import annotations

from miaui_env.render.palette import (
    BLACK,
    BLUE,
    DARK_WOOD,
    FOAM,
    GOLD,
    GREY,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    RED,
    WHITE,
    WOOD,
    seat_colour,
)
from miaui_env.render.pieces import card
from miaui_env.render.scene import jetty
from miaui_env.render.shapes import BODY, crown, fish, paw, stripes
from miaui_env.render.svg import MIDDLE, at, circle, line, path, rect, shared, words
from miaui_env.render.things import milk

MINI = (24, 27)
"""A small card: one kind, and how many of it."""
PLANKS = 116
"""Height of the stall's table, which begins 30 below its upper edge."""


def _outlined(edge: str) -> str:
    return line(BODY, edge, 2)


def _freckles(colour: str) -> str:
    return "".join(circle(x, y, 1.7, colour) for x, y in ((-9, -4), (-5, 3), (0, -6), (4, 1)))


_WHITE = fish("#fdfefe", "#8ba1af", _freckles("#8ba1af"), _outlined("#5f7482"), length=0.92)
_GREY = fish(GREY, "#5f6c76", stripes("#66737d", -11, -4, 3))
_BLACK = fish(BLACK, "#55616d", path("M-14 3Q2 13 20 5Q8 12 -4 11Z", WHITE), length=1.08)
_RED = fish(RED, "#8f3c00", line("M-9 -5Q-5 0 -9 5M-3 -6Q1 0 -3 6M3 -6Q7 0 3 6", "#ffd2ad", 1.6))
_BLUE = fish(BLUE, "#00406a", line("M-12 -1Q-8 -6 -4 -1T4 -1M-10 5Q-6 1 -2 5T6 5", "#a5dcf7", 1.8))
_GOLD = fish("#f5c93a", ORANGE, path("M-13 2Q2 12 20 4Q8 11 -4 10Z", "#fff1b8")) + crown(8, -16)

KINDS = {
    "white:1": ("1", "#a3b9c6", shared("showcase-white", _WHITE)),
    "grey:1": ("1", "#7f8b95", shared("showcase-grey", _GREY)),
    "black:1": ("1", BLACK, shared("showcase-black", _BLACK)),
    "red:2": ("2", RED, shared("showcase-red", _RED)),
    "blue:2": ("2", BLUE, shared("showcase-blue", _BLUE)),
    "gold:2": ("2", GOLD, shared("showcase-gold", _GOLD)),
    "milk": ("1", "#7cc4e8", shared("showcase-milk", milk())),
}
"""Name → (points, colour, drawing)."""


def big_card(x: float, y: float, name: str, scale: float) -> str:
    """A card that can be played, taken or given; its foot names it as the words do."""
    points, colour, art = KINDS[name]
    drawn = card(0, 0, art, points, colour, name=name.partition(":")[0], title=name)
    return at(x, y, shared(f"showcase-card-{_slug(name)}", drawn), scale=scale)


def mini(x: float, y: float, name: str, count: int = 1, scale: float = 1) -> str:
    """A kind, and how many of it there are."""
    wide, high = MINI
    _, colour, art = KINDS[name]
    sheet = rect(0, 0, wide, high, PAPER, rx=4, stroke=colour, stroke_width=1.8)
    number = words(wide / 2, high - 3.5, f"×{count}", 10, bold=True, anchor=MIDDLE)
    middle = at(wide / 2 + 0.4, 9.5 if count > 1 else high / 2, art, scale=0.42)
    drawn = at(0, 0, sheet, middle, number if count > 1 else "", title=name)
    return at(x, y, shared(f"showcase-mini-{_slug(name)}-{count}", drawn), scale=scale)


def mini_back(x: float, y: float, seat: int, scale: float = 1) -> str:
    """A small card whose face is not told, in the colour of who holds it."""
    wide, high = MINI
    sheet = rect(0, 0, wide, high, seat_colour(seat), rx=4, stroke=INK, stroke_width=1.2)
    drawn = sheet + at(wide / 2, high / 2, paw(INK), opacity=0.75)
    return at(x, y, shared(f"showcase-back-{seat}", drawn), scale=scale)


def _slug(name: str) -> str:
    return name.replace(":", "-")


def stall(x: float, y: float, wide: float, low: float) -> str:
    """A fishmonger's stall in the water: an awning, a table with ice, legs down to `low`."""
    legs = "".join(
        rect(left, y + 10, 11, low - y - 10, WOOD, stroke=DARK_WOOD, stroke_width=1.2)
        for left in (x + 6, x + wide - 17)
    )
    table = jetty(x - 6, y + 30, wide + 12, PLANKS)
    ice = rect(x + 20, y + 37, wide - 40, PLANKS - 14, FOAM, rx=12, opacity=0.82)
    return (
        legs + table + ice + _glints(x + 34, y + 50, wide - 68) + at(x - 14, y, _awning(wide + 28))
    )


def _glints(x: float, y: float, wide: float) -> str:
    """Edges that shine in the ice."""
    places = ((0, 0), (0.24, 58), (0.255, 12), (0.5, 40), (0.76, 70), (0.985, 22), (0.01, 76))
    drawn = "".join(
        f"M{x + wide * share - 4:.1f} {y + down}l4 -5l4 5l-4 5Z" for share, down in places
    )
    return line(drawn, "#9ccfdd", 1.1)


def _awning(wide: float) -> str:
    """Striped cloth with a scalloped edge."""
    number = 21
    step = wide / number
    strip = f"v17a{step / 2:.2f} {step / 2:.2f} 0 0 1 -{step:.2f} 0v-17Z"
    red, white = (
        "".join(f"M{step * i:.2f} 0h{step:.2f}{strip}" for i in range(first, number, 2))
        for first in (0, 1)
    )
    shade = rect(6, 20, wide - 12, 12, INK, opacity=0.18)
    cloth = path(red, "#e0583c") + path(white, WHITE)
    edge = line(f"M0 0H{wide}", DARK_WOOD, 4)
    return shade + cloth + edge


def place_sign(x: float, y: float, number: int) -> str:
    """The number of a place, on a tag that hangs from the awning."""
    strings = line(f"M{x - 7} {y - 8}V{y}M{x + 7} {y - 8}V{y}", DARK_WOOD, 1)
    tag = rect(x - 12, y, 24, 17, PAPER, rx=4, stroke=DARK_WOOD, stroke_width=1.4)
    return strings + tag + words(x, y + 13, str(number), 13, bold=True, anchor=MIDDLE)


def bare_place(x: float, y: float, wide: float, high: float) -> str:
    """A place of the showcase where nothing lies."""
    hole = rect(x, y, wide, high, WHITE, rx=8, stroke=MUTED, stroke_dasharray="3 4", opacity=0.7)
    return hole + words(x + wide / 2, y + high / 2 + 4, "empty", 12, MUTED, anchor=MIDDLE)
