"""Maui's drawings: five patterns, towels of three, umbrellas, shells, and what a seat gathers.

Squares of side `CELL` and towels begin at their upper left corner, all else lies around x, y.
"""

from __future__ import annotations

import functools
import math

from miaui_env.games.maui.pieces import COLUMNS, PATTERN_NAMES, ROWS, SECTIONS
from miaui_env.render import (
    BLACK,
    BLUE,
    FOAM,
    GOLD,
    GREEN,
    INK,
    MIDDLE,
    MUTED,
    NIGHT,
    ORANGE,
    PAPER,
    RED,
    WHITE,
    YELLOW,
    at,
    circle,
    coin,
    empty_place,
    fish,
    flower,
    ink_on,
    line,
    palm,
    path,
    pearl,
    rect,
    seat_colour,
    shared,
    tag,
    turtle,
    waves,
    words,
)

CELL = 27
HANG = 0.42
"""How high a section is that hangs over an edge, as a share of one that lies."""
SIGN = 17
"""Width of a pattern's sign."""
TOWEL = (CELL, SECTIONS * CELL)


def _put(name: str, x: float, y: float, drawing: str) -> str:
    """A shared drawing at a place, in the fewest signs."""
    shared(f"maui-{name}", drawing)
    return _use(name, x, y)


def _use(name: str, x: float, y: float) -> str:
    return tag("use", href=f"#maui-{name}", x=x or None, y=y or None)


# --- patterns -----------------------------------------------------------------------------------

_COLOURS = {
    "waves": BLUE,
    "palms": GREEN,
    "fish": RED,
    "flowers": "#b8578f",
    "turtles": YELLOW,
}
_ART = {
    "waves": at(0, 0, waves("#bfe6f7"), scale=0.54),
    "palms": at(-0.5, 0.5, palm("#d6f5c9"), scale=0.64),
    "fish": at(0.5, 0.5, fish("#ffe0bd", ORANGE), scale=0.46),
    "flowers": at(0, 0, flower("#fbe3f1"), scale=0.66),
    "turtles": at(-1, 0, turtle("#4f8f3a"), scale=0.5),
}


def _art(name: str) -> str:
    return shared(f"maui-{name}", _ART[name])


def _square(number: int, name: str) -> str:
    square = rect(0, 0, CELL, CELL, _COLOURS[name]) + at(CELL / 2, CELL / 2, _art(name))
    return shared(f"maui-{number}", square)


PATTERNS = {name: _square(number, name) for number, name in enumerate(PATTERN_NAMES)}
"""A section of a towel with that pattern, from its upper left corner on."""


def pattern(x: float, y: float, name: str, size: float = SIGN) -> str:
    """A pattern as a small round sign around x, y."""
    disc = circle(0, 0, SIGN / 2, _COLOURS[name], stroke=WHITE)
    drawn = disc + at(0, 0, _art(name), scale=0.54)
    if size == SIGN:
        return _put(f"sign-{name}", x, y, drawn)
    return at(x, y, _put(f"sign-{name}", 0, 0, drawn), scale=size / SIGN)


# --- towels -------------------------------------------------------------------------------------


def _seam(top: float, low: float) -> str:
    """The edge of a towel, with its hems."""
    hems = line(f"M3 {top + 2.2}H{CELL - 3}M3 {low - 2.2}H{CELL - 3}", WHITE, 1.3, opacity=0.8)
    return hems + rect(
        0.5, top, CELL - 1, low - top, "none", rx=2.5, stroke=PAPER, stroke_width=1.6
    )


_SEAM = shared("maui-seam", _seam(0, TOWEL[1]))


def towel(x: float, y: float, name: str) -> str:
    """A towel that lies flat, by its three patterns from the top."""
    numbers = [PATTERN_NAMES.index(each) for each in name.split("/")]
    sections = [_use(str(number), 0, CELL * i) for i, number in enumerate(numbers)]
    drawn = tag("title", name) + "".join(sections) + _SEAM
    return _put("".join(map(str, numbers)), x, y, drawn)


def row_top(row: int) -> float:
    """Where a row begins, in a beach whose first row begins at 0; beyond it rows are flatter."""
    if row < 1:
        return (row - 1) * CELL * HANG
    return (min(row, ROWS + 1) - 1) * CELL + max(0, row - ROWS - 1) * CELL * HANG


def towel_on(x: float, top: int, name: str) -> str:
    """A towel on a beach, its top section on that row; what hangs over an edge is bent away."""
    if 1 <= top <= ROWS - SECTIONS + 1:
        return towel(x, row_top(top), name)
    rows = range(top, top + SECTIONS)
    sections = [_section(row, p) for row, p in zip(rows, name.split("/"), strict=True)]
    seam = _seam(row_top(top), row_top(top + SECTIONS))
    return at(x, 0, *sections, seam, title=name)


def _section(row: int, name: str) -> str:
    y = row_top(row)
    if 1 <= row <= ROWS:
        return at(0, y, PATTERNS[name])
    bent = tag("g", PATTERNS[name], transform=f"translate(0 {y:.4g})scale(1 {HANG})")
    return bent + rect(0, y, CELL, CELL * HANG, INK, opacity=0.28)


def knot(x: float, y: float) -> str:
    """Where two towels beside each other match."""
    return _put("knot", x, y, circle(0, 0, 3.6, GOLD, stroke=INK, stroke_width=1.2))


def number(x: float, y: float, amount: int) -> str:
    """How many there are; none is pale."""
    told = words(0, 0, str(amount), 12.5, INK if amount else MUTED, bold=amount > 0)
    return _put(f"n{amount}", x, y, told)


# --- a beach --------------------------------------------------------------------------------------

_TONES = ("#edd5a0", "#f3dfb0", "#f8e9c6", "#f8e9c6", "#f8e9c6", "#f3dfb0", "#edd5a0")
"""Of the sand, by row: wetter towards the water."""


def _sand() -> str:
    """The beach between two edges of water, and the numbers of its rows."""
    wide, low, reach = COLUMNS * CELL, row_top(ROWS + 1), 2 * CELL * HANG
    sea = rect(0, -reach, wide, low + 2 * reach, "#9fdde0", rx=7)
    rows = [rect(0, row_top(row), wide, CELL, tone) for row, tone in enumerate(_TONES, 1)]
    grid = line("".join(f"M{CELL * i} 0V{low}" for i in range(1, COLUMNS)), WHITE, 0.8, opacity=0.5)
    half = CELL / 2
    wave = f"q{half / 2} -4 {half} 0" + f"t{half} 0" * (2 * COLUMNS - 1)
    foam = line(f"M0 0{wave}M0 {low}{wave}", WHITE, 2.6)
    return "".join([sea, *rows, grid, foam, *map(_row_number, range(-1, ROWS + 1))])


def _row_number(row: int) -> str:
    """Beside a row; small beyond the beach, where only a hanging section lies."""
    text = str(row).replace("-", "−")
    if row < 1:
        return words(-11, row_top(row) + 9, text, 8.5, MUTED, anchor=MIDDLE)
    return words(-11, row_top(row) + 18, text, 11, MUTED, anchor=MIDDLE, bold=True)


SAND = shared("maui-sand", _sand())
"""An empty beach, from its row 1 and column 1 on."""


def next_column(laid: int, now: bool) -> str:
    """Where the next towel goes."""
    if laid == COLUMNS:
        return ""
    place = empty_place(
        CELL * laid + 1, 1, CELL - 2, row_top(ROWS + 1) - 2, NIGHT if now else MUTED
    )
    return at(0, 0, place, opacity=1 if now else 0.45)


def last_towel(laid: int, top: int) -> str:
    """The towel that the next one has to meet."""
    y, low = row_top(top), row_top(top + SECTIONS)
    x = CELL * (laid - 1)
    return rect(x, y, CELL, low - y, "none", rx=3, stroke=GOLD, stroke_width=2.6)


# --- umbrellas, and what a seat gathers -----------------------------------------------------------


def parasol(x: float, y: float, kind: str) -> str:
    """An umbrella around x, y, and what lies under it: a pearl, or a pattern's step."""
    step = kind.removeprefix("step:")
    if step in _ART:
        colour, under = _COLOURS[step], pattern(5, 5, step, 16)
    else:
        colour, under = _SHADE[kind], at(6, 6, PEARLS[kind], scale=0.52)
    drawn = tag("title", kind) + path(_cloth(), "#fff1d6") + path(_cloth(2), colour)
    rim = shared("maui-rim", line(_cloth(), INK, 1))
    return _put(f"umbrella-{step}", x, y, drawn + rim + under)


@functools.cache
def _cloth(every: int = 1) -> str:
    """Bows of an umbrella seen from above."""
    edges = [(12 * math.cos(math.pi * i / 4), 12 * math.sin(math.pi * i / 4)) for i in range(9)]
    bows = []
    for i in range(0, 8, every):
        (x, y), (to_x, to_y) = edges[i], edges[i + 1]
        out = f"{(x + to_x) * 0.67:.1f} {(y + to_y) * 0.67:.1f}"
        bows.append(f"M0 0L{x:.1f} {y:.1f}Q{out} {to_x:.1f} {to_y:.1f}Z")
    return "".join(bows)


_PEARL = {"white": WHITE, "black": BLACK}
_SHADE = {"white": "#3f9fc0", "black": "#e8863a"}
PEARLS = {kind: shared(f"maui-pearl-{kind}", pearl(colour)) for kind, colour in _PEARL.items()}
COIN = shared("maui-dollar", coin())
PENALTY = shared(
    "maui-penalty",
    path("M-9 -12H9L13 0L9 12H-9L-13 0Z", "#3d2b3a", stroke=INK, stroke_width=1.4)
    + words(0, 5, "−1", 14, WHITE, anchor=MIDDLE, bold=True),
)
"""A penalty token, about 26 wide."""


def token(x: float, y: float, name: str) -> str:
    """A towel token: one square of a pattern with a golden edge, around x, y."""
    edge = rect(-CELL / 2, -CELL / 2, CELL, CELL, "none", rx=5, stroke=GOLD, stroke_width=4)
    drawn = at(-CELL / 2, -CELL / 2, PATTERNS[name]) + edge
    return _put(f"token-{name}", x, y, at(0, 0, drawn, scale=0.66))


def shell(x: float, y: float, seat: int) -> str:
    """A seat's shell around x, y, about 14 wide, with the seat's number."""
    colour = seat_colour(seat)
    edge = "M-2.6 7H2.6L7 2.5Q8.5 -2 5 -5Q2.5 -7.5 0 -7Q-2.5 -7.5 -5 -5Q-8.5 -2 -7 2.5Z"
    ribs = line("M-4.5 -4.5L-1.5 6M4.5 -4.5L1.5 6", FOAM, 0.8, opacity=0.7)
    body = path(edge, colour, stroke=INK, stroke_width=1.1) + ribs
    number = words(0, 3.4, str(seat), 9.5, ink_on(colour), anchor=MIDDLE, bold=True)
    return _put(f"shell-{seat}", x, y, body + number)
