"""Lucky Catch's tiles, dice and fishing gear as drawings."""

from __future__ import annotations

from miaui_env.games.lucky_catch.pieces import ANY, COLOUR_DIE, COLOURS, CREATURE_DIE
from miaui_env.render import (
    BLUE,
    DARK_WOOD,
    FOAM,
    GOLD,
    GREEN,
    INK,
    MIDDLE,
    NIGHT,
    PAPER,
    RED,
    WHITE,
    YELLOW,
    at,
    bass,
    boot,
    chest,
    circle,
    crab,
    die,
    ink_on,
    jellyfish,
    line,
    octopus,
    path,
    paw,
    pufferfish,
    rect,
    seat_colour,
    shared,
    short,
    starfish,
    turtle,
    width_of,
    words,
)

FACE_UP, RECALLED, DOWN = "up", "recalled", "down"
"""How a tile lies: shown lately; known from memory alone; not known."""

_PAINT = dict(zip(COLOURS, (RED, GREEN, BLUE, YELLOW), strict=True))
_LEATHER = "#7a5638"
MIST, MEMORY = "#aedbe8", "#2f6f92"
"""Of what is known from memory alone."""
_PALE = "#a9bcc8"
"""Of the creatures on the die, which have no colour."""
_SHAPES = {"pufferfish": pufferfish, "crab": crab, "octopus": octopus, "sea bass": bass}

# --- tiles --------------------------------------------------------------------------------------


def tile(
    x: float, y: float, size: float, number: str, face: str | None = None, lying: str = DOWN
) -> str:
    """A tile with the number of its place."""
    if face is None:
        return at(x, y, _back(size)) + _number(x, y, size, number, middle=True)
    piece = at(x, y, _face(face, size, lying), title=face)
    return piece + _number(x, y, size, number, light=lying == RECALLED)


def gap(x: float, y: float, size: float, number: str, colour: str) -> str:
    """A place with no tile, faint: one cannot turn over anything there."""
    edge = rect(0, 0, size, size, "none", rx=5, stroke=colour, stroke_dasharray="3 5")
    told = words(size / 2, size / 2 + 4, number, 12, colour, anchor=MIDDLE, room=size - 6)
    return at(x, y, shared(f"lucky-gap-{colour[1:]}-{short(size)}", edge), told, opacity=0.6)


def _number(
    x: float, y: float, size: float, number: str, *, middle: bool = False, light: bool = False
) -> str:
    """Large on a back; in the corner of a face."""
    if middle:
        large = min(20.0, size * 0.42)
        return words(
            x + size / 2, y + size / 2 + large * 0.35, number, large, FOAM, bold=True, anchor=MIDDLE
        )
    small = min(12.0, max(8.5, size * 0.23))
    wide = width_of(number, small) + 6
    fill = MIST if light else PAPER
    corner = rect(x + 1.2, y + 1.2, wide, small + 2, fill, rx=3, opacity=0.85)
    told = words(x + 4, y + 3 + small * 0.8, number, small, INK, bold=True)
    return corner + told


def _back(size: float) -> str:
    """Dark water with waves."""
    arc = size * 0.185
    waves = "".join(
        f"M{short(size * 0.13)} {short(y)}q{short(arc / 2)} {short(-size * 0.1)} {short(arc)} 0"
        + f"t{short(arc)} 0" * 3
        for y in (size * 0.2, size * 0.86)
    )
    sheet = rect(0, 0, size, size, NIGHT, rx=size * 0.14, stroke=FOAM, stroke_width=1.6)
    return shared(f"lucky-back-{short(size)}", sheet + line(waves, "#2f7ea6", 1.6))


def _face(face: str, size: float, lying: str) -> str:
    """A picture, and below what it is by name: the colour, or boot or chest."""
    name, art, paint = _parts(face)
    recalled = lying == RECALLED
    foot = max(9.5, size * 0.21)
    sheet = rect(0, 0, size, size, MIST if recalled else PAPER, rx=size * 0.14)
    band = path(_foot(size, foot), paint)
    pen = {"stroke": MEMORY, "stroke_dasharray": "2 4"} if recalled else {"stroke": INK}
    edge = rect(0, 0, size, size, "none", rx=size * 0.14, stroke_width=1.8, **pen)
    middle = at(size * 0.55, (size - foot) / 2 + size * 0.06, art, scale=size / 66)
    label = words(
        size / 2,
        size - foot / 2 + foot * 0.28,
        name,
        foot * 0.86,
        ink_on(paint),
        bold=True,
        anchor=MIDDLE,
        room=size - 7,
    )
    return shared(
        f"lucky-{face.replace(':', '-').replace(' ', '-')}-{lying}-{short(size)}",
        sheet + band + middle + label + edge,
    )


def _parts(face: str) -> tuple[str, str, str]:
    """Name, drawing and colour of a face."""
    if face == "boot":
        return "boot", shared("lucky-boot", boot()), _LEATHER
    if face == "chest":
        return "chest", shared("lucky-chest", chest()), GOLD
    colour, _, creature = face.partition(":")
    art = _SHAPES[creature](_PAINT[colour])
    return colour, shared(f"lucky-{colour}-{creature.replace(' ', '-')}", art), _PAINT[colour]


def _foot(size: float, foot: float) -> str:
    """The lower part of the tile."""
    r = size * 0.14
    return (
        f"M0 {short(size - foot)}H{short(size)}V{short(size - r)}"
        f"A{short(r)} {short(r)} 0 0 1 {short(size - r)} {short(size)}"
        f"H{short(r)}A{short(r)} {short(r)} 0 0 1 0 {short(size - r)}Z"
    )


def treasure(x: float, y: float, scale: float) -> str:
    """The chest beside a catch."""
    return at(x, y, shared("lucky-chest", chest()), scale=scale, title="chest")


# --- marks --------------------------------------------------------------------------------------


def ring(x: float, y: float, size: float) -> str:
    """Of gold, around a tile that fits the dice."""
    drawn = "".join(
        rect(-3, -3, size + 6, size + 6, "none", rx=size * 0.14 + 3, stroke=ink, stroke_width=wide)
        for ink, wide in ((INK, 5.6), (GOLD, 3.6))
    )
    return at(x, y, shared(f"lucky-ring-{short(size)}", drawn))


def print_of(x: float, y: float, size: float, seat: int) -> str:
    """Who turned over what lies, or lay, there: a paw at the corner."""
    disc = circle(0, 0, 9, WHITE, stroke=INK, stroke_width=1.2)
    drawn = shared(f"lucky-print-{seat}", disc + at(0, 0, _inked_paw(seat), scale=0.85))
    return at(x + size - 1, y + 2, drawn)


def _inked_paw(seat: int) -> str:
    return at(0, 0, paw(INK), scale=1.2) + paw(seat_colour(seat))


# --- dice ---------------------------------------------------------------------------------------


def rolled(x: float, y: float, size: float, side: str) -> str:
    """A die with this side up: a picture, and its name."""
    art, fill = _side(side)
    name = words(0, size * 0.4, side, size * 0.2, INK, bold=True, anchor=MIDDLE, room=size * 0.78)
    picture = at(0, -size * 0.12, art, scale=size / 66)
    drawn = shared(
        f"lucky-die-{side.replace(' ', '-')}-{short(size)}",
        die(0, 0, size, picture + name, fill=fill),
    )
    return at(x, y, drawn)


def _side(side: str) -> tuple[str, str]:
    if side == COLOUR_DIE[ANY]:
        quarters = zip(range(4), _PAINT.values(), strict=True)
        parts = "".join(
            at(0, 0, path("M0 0V-19A19 19 0 0 1 19 0Z", colour), turn=90 * i)
            for i, colour in quarters
        )
        return parts + circle(0, 0, 19, "none", stroke=INK, stroke_width=1.6), WHITE
    if side == CREATURE_DIE[ANY]:
        return at(0, 0, starfish(), scale=1.9), "#fff6cf"
    if side in _PAINT:
        return circle(0, 0, 19, _PAINT[side], stroke=INK, stroke_width=1.6), WHITE
    return _SHAPES[side](_PALE), WHITE


# --- the shore ----------------------------------------------------------------------------------


def rod(high: float) -> str:
    """A rod from (0, 0) to the upper right, its line, and a float on the water."""
    pole = line("M0 0Q10 -24 19 -42", DARK_WOOD, 3.2) + line("M0 0L3 -8", INK, 5)
    thread = line(f"M19 -42V{short(high - 14)}", WHITE, 1.2)
    ripple = line(f"M10 {short(high)}q4.500 4 9 0t9 0", FOAM, 1.6)
    buoy = circle(19, high - 7, 6, WHITE, stroke=INK, stroke_width=1.2)
    cap = path(f"M13 {short(high - 7)}A6 6 0 0 1 25 {short(high - 7)}Z", RED)
    return thread + pole + buoy + cap + ripple


def posts(wide: float, high: float) -> str:
    """What carries a jetty: two posts in the water below it, with rings of foam."""
    return "".join(
        rect(x, high - 4, 11, 15, DARK_WOOD, rx=3)
        + line(f"M{short(x - 7)} {short(high + 10)}q6 4 12.500 0t12.500 0", FOAM, 1.6)
        for x in (wide * 0.14, wide * 0.82)
    )


def islet() -> str:
    """Far off: an island with its palms and a sail, around (0, 0) on the horizon."""
    sand = path("M-46 2Q-30 -10 0 -11Q30 -10 46 2Z", "#f0d79a")
    trunks = line("M-8 -9Q-5 -20 -9 -28M8 -9Q9 -16 14 -22", DARK_WOOD, 2)
    leaf = "M0 0Q-7 -8 -14 0Q-6 -3 0 0ZQ8 -8 15 0Q6 -3 0 0ZQ-6 0 -9 8Q-4 2 0 0ZQ7 0 10 8Q5 2 0 0Z"
    crowns = at(-9, -28, path(leaf, "#4fa57a")) + at(14, -22, path(leaf, "#3f9a6b"), scale=0.8)
    sail = path("M0 0V-24L15 -4H0ZM-2 -2V-18L-11 -4Z", WHITE, opacity=0.95)
    hull = path("M-13 0H17L11 6H-8Z", RED)
    return sand + trunks + crowns + at(86, -3, sail + hull, scale=0.9)


def swimmer(x: float, y: float, *, right: bool) -> str:
    """Who lives where no jetty stands."""
    art = jellyfish("#f3c6dc", WHITE) if right else turtle("#57c39a")
    return at(x, y, art, scale=1.25, turn=8 if right else -16, opacity=0.6)
