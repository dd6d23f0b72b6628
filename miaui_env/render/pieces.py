"""What lies on a table: cards, chips, dice, tokens, panels. Each begins at its upper left corner.

`art` is a drawing around (0, 0), about 48 wide and 32 high (`shapes`, `things`, or a game's own). A
`title` is the piece's name, told when one points at it.
"""

from __future__ import annotations

from miaui_env.render.letters import width_of
from miaui_env.render.palette import FOAM, INK, MUTED, NIGHT, PAPER, WHITE, ink_on, seat_colour
from miaui_env.render.shapes import paw
from miaui_env.render.svg import MIDDLE, at, circle, line, path, rect, words

CARD = (46, 60)
CHIP = (39, 21)
DIVER = (44, 58)


def card(
    x: float, y: float, art: str, label: str, colour: str, *, name: str = "", title: str = ""
) -> str:
    """A card face up: a picture, a label in its corner, its name at the foot."""
    wide, high = CARD
    sheet = rect(0, 0, wide, high, PAPER, rx=6, stroke=colour, stroke_width=3)
    foot = rect(1.5, high - 14, wide - 3, 12.5, colour, rx=4) if name else ""
    foot += words(
        wide / 2, high - 4.6, name, 9, ink_on(colour), anchor=MIDDLE, room=wide - 6, bold=True
    )
    corner = words(6, 17, label, 15, INK, bold=True)
    middle = at(wide / 2, 31 if name else 37, art, scale=0.74)
    return at(x, y, sheet, middle, corner, foot, title=title or None)


def card_back(x: float, y: float, mark: str = "?") -> str:
    """A card face down."""
    wide, high = CARD
    sheet = rect(0, 0, wide, high, NIGHT, rx=6, stroke=FOAM, stroke_width=2)
    waves = "".join(
        f"M6 {at_y}Q11.7 {at_y - 5} 17.3 {at_y}T28.7 {at_y}T40 {at_y}" for at_y in range(12, 61, 10)
    )
    hole = circle(wide / 2, high / 2, 12, NIGHT)
    sign = words(wide / 2, high / 2 + 7, mark, 20, FOAM, bold=True, anchor=MIDDLE)
    return at(x, y, sheet, line(waves, "#2f7ea6", 1.4), hole, sign)


def chip(
    x: float, y: float, art: str, label: str, colour: str, *, title: str = "", scale: float = 1
) -> str:
    """A small card; of a row that overlaps the left edges with the labels show."""
    wide, high = CHIP
    sheet = rect(0, 0, wide, high, PAPER, rx=4, stroke=colour, stroke_width=1.8)
    middle = at(wide - 12 if label else wide / 2, high / 2, art, scale=0.4)
    number = words(4, 14.5, label, 11.5, INK, bold=True)
    return at(x, y, sheet, middle, number, title=title or None, scale=scale)


def blank_chip(x: float, y: float, scale: float = 1) -> str:
    """A small card whose face is not known."""
    wide, high = CHIP[0] * scale, CHIP[1] * scale
    return rect(x, y, wide, high, "#cfdde4", rx=4 * scale, stroke=MUTED, stroke_width=1.2)


def diver(x: float, y: float, number: int | None, seat: int | None, *, scale: float = 1) -> str:
    """A numbered card in a seat's colour, or its back with a paw."""
    wide, high = DIVER
    colour = "#c9d3d9" if seat is None else seat_colour(seat)
    if number is None:
        back = rect(0, 0, wide, high, colour, rx=7, stroke=INK, stroke_width=1.6)
        return at(x, y, back, at(wide / 2, high / 2, paw(INK), scale=1.7), scale=scale)
    sheet = rect(0, 0, wide, high, PAPER, rx=7, stroke=INK, stroke_width=1.6)
    band = rect(4, 4, wide - 8, 8, colour, rx=3) + rect(4, high - 12, wide - 8, 8, colour, rx=3)
    middle = words(wide / 2, high / 2 + 9, str(number), 26, INK, bold=True, anchor=MIDDLE)
    return at(x, y, sheet, band, middle, scale=scale)


def empty_place(x: float, y: float, wide: float, high: float, colour: str = MUTED) -> str:
    """Where a piece may lie, and none does."""
    return rect(
        x, y, wide, high, WHITE, rx=5, stroke=colour, stroke_dasharray="3 3", fill_opacity=0.25
    )


def tile(x: float, y: float, size: float, *inside: str, fill: str = PAPER, edge: str = INK) -> str:
    """A square tile; what is inside is drawn around its middle."""
    sheet = rect(0, 0, size, size, fill, rx=size * 0.14, stroke=edge, stroke_width=1.6)
    return at(x, y, sheet, at(size / 2, size / 2, *inside))


def die(x: float, y: float, size: float, *inside: str, fill: str = WHITE) -> str:
    """A die with one face to see; what is inside is drawn around its middle."""
    shade = rect(2, 3, size, size, INK, rx=size * 0.22, opacity=0.25)
    face = rect(0, 0, size, size, fill, rx=size * 0.22, stroke=INK, stroke_width=2)
    return at(x, y, shade, face, at(size / 2, size / 2, *inside))


def token(x: float, y: float, r: float, label: str, colour: str) -> str:
    """A round one with a short label, around x, y."""
    disc = circle(x, y, r, colour, stroke=INK, stroke_width=1.3)
    size = r * 1.15
    letters = words(
        x, y + size * 0.35, label, size, ink_on(colour), bold=True, anchor=MIDDLE, room=r * 1.6
    )
    return disc + letters


def badge(x: float, y: float, text: str, colour: str, size: float = 11, anchor: float = 0) -> str:
    """Words on a pill; y is its upper edge."""
    wide = width_of(text, size) + size * 1.3
    left = x - anchor * wide
    pill = rect(left, y, wide, size * 1.7, colour, rx=size * 0.85)
    return pill + words(
        left + wide / 2, y + size * 1.2, text, size, ink_on(colour), bold=True, anchor=MIDDLE
    )


def panel(x: float, y: float, wide: float, high: float, colour: str, *, own: bool = False) -> str:
    """A seat's place on the table; the own one shines."""
    edge = INK if own else "#ffffff"
    sheet = rect(
        x, y, wide, high, PAPER, rx=10, stroke=edge, stroke_width=2.4 if own else 1.2, opacity=0.94
    )
    right = f"H{x + wide - 10}Q{x + wide} {y} {x + wide} {y + 7}"
    return sheet + path(f"M{x + 10} {y}{right}H{x}Q{x} {y} {x + 10} {y}Z", colour)


def event(x: float, y: float, text: str, wide: float) -> str:
    """A line that tells what happened, on a strip."""
    strip = rect(x, y, wide, 22, NIGHT, rx=11, opacity=0.82)
    return strip + words(x + 12, y + 15.5, text, 12.5, FOAM, room=wide - 24)
