"""The table of Lucky Catch as a picture: tiles in the lagoon, jetties with catches around it.

All of it comes from the view. The seats sit clockwise, seat 0 below on the left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from miaui_env.games.lucky_catch.art import (
    DOWN,
    FACE_UP,
    RECALLED,
    gap,
    islet,
    posts,
    print_of,
    ring,
    rod,
    rolled,
    swimmer,
    tile,
    treasure,
)
from miaui_env.games.lucky_catch.pieces import COLOUR_DIE, CREATURE_DIE, FACES, FITS, SEA
from miaui_env.games.lucky_catch.words import SEA_COLUMNS, came_of, row_name
from miaui_env.render import (
    DARK_WOOD,
    FOAM,
    GREEN,
    INK,
    MIDDLE,
    MUTED,
    NIGHT,
    PAPER,
    at,
    badge,
    beach,
    cat,
    crown,
    document,
    floor,
    headline,
    jetty,
    lagoon,
    rect,
    seat_colour,
    shared,
    width_of,
    words,
)

if TYPE_CHECKING:
    from miaui_env.game import View

WIDE, HIGH = 800, 600
WATER, FLOOR = 64, 500
"""Where the lagoon begins and ends."""
TILE, STEP = 54, 62
"""Of the sea: a tile, and from one to the next."""
SEA_X, SEA_Y = (WIDE - 3 * STEP - TILE) / 2, 92
JETTY, INSIDE = 258, 246
"""How far jetties reach into the picture, and the width of what lies on them."""
HEAD = 43
"""Height of what stands above a row."""
A_ROW = (5, 6, 8)
"""Places side by side: as few as will do, so that tiles are large."""
TOLD = 524
"""Where the foot begins."""


def draw(view: View) -> str:
    """The table as SVG, exactly what the view tells."""
    return document(
        WIDE,
        HIGH,
        beach(WIDE, HIGH, FLOOR),
        at(330, WATER - 6, shared("lucky-islet", islet())),
        headline(WIDE, "Lucky Catch", _notes(view)),
        lagoon(WIDE, WATER, FLOOR + 8),
        floor(WIDE, FLOOR, HIGH),
        _swimmers(view),
        _jetties(view),
        *(_place(view, f"sea:{place}", *_sea_corner(place), TILE) for place in range(SEA)),
        _legend(view),
        _last_cast(view),
        _next_cast(view),
        title="Lucky Catch",
    )


def _notes(view: View) -> list[str]:
    left, casts = sum(view["sea"]), view["casts"]
    return [
        *(["the referee’s view"] if view["seat"] is None else []),
        f"{left} tile{'s' * (left != 1)} in the sea",
        f"{casts} cast{'s' * (casts != 1)}{' so far' if view['to_act'] else ', the end'}",
    ]


# --- tiles --------------------------------------------------------------------------------------


def _sea_corner(place: int) -> tuple[float, float]:
    return SEA_X + place % SEA_COLUMNS * STEP, SEA_Y + place // SEA_COLUMNS * STEP


def _place(view: View, name: str, x: float, y: float, size: float) -> str:
    """A place by its name: its tile as far as it is known, or the gap; and the marks there."""
    area, _, index = name.partition(":")
    last = view["last_cast"]
    mark = print_of(x, y, size, last["seat"]) if last and last["place"] == name else ""
    held = view["sea"] if area == "sea" else view["rows"][int(area[3:])]
    if not held[int(index)]:
        return gap(x, y, size, index, FOAM if area == "sea" else DARK_WOOD) + mark
    piece = tile(x, y, size, index, view["known"].get(name), _lying(view, name))
    return (ring(x, y, size) if name in _fitting(view) else "") + piece + mark


def _lying(view: View, name: str) -> str:
    """Whether the table shows the face, or memory alone."""
    if name not in view["known"]:
        return DOWN
    return FACE_UP if name in view.get("recent", [name]) else RECALLED


def _fitting(view: View) -> list[str]:
    """Places of tiles that are known, may be fished, and match the roll (L3, L4)."""
    if not view["dice"]:
        return []
    colour, creature = view["dice"]
    fits = FITS[COLOUR_DIE.index(colour), CREATURE_DIE.index(creature)]
    faces = {face for face, matches in zip(FACES, fits, strict=True) if matches}
    known = view["known"].items()
    return [name for name, face in known if face in faces and _open(view, name.split(":")[0])]


def _open(view: View, area: str) -> bool:
    """Whether this roll lets one fish there (L4)."""
    return area == "sea" or view["dice"] != ["wild", "lucky"]


def _legend(view: View) -> str:
    """What pale faces mean, where there are any."""
    if all(_lying(view, name) == FACE_UP for name in view["known"]):
        return ""
    told = "pale blue: known from memory alone"
    return words(WIDE / 2, SEA_Y - 10, told, 11.5, NIGHT, anchor=MIDDLE, bold=True)


# --- seats --------------------------------------------------------------------------------------


def _slot(view: View, seat: int) -> tuple[bool, float, float]:
    """Whether the seat sits on the left, where its jetty begins, and how high it may be."""
    n = view["num_players"]
    left = -(-n // 2)
    on_left = seat < left
    row = left - 1 - seat if on_left else seat - left
    spare = 0 if on_left else 2 * left - n
    room = (FLOOR - WATER - 6) / left
    first = WATER + 8 if left > 1 else 108
    return on_left, first + (row + spare / 2) * room, min(room - 4, 300)


def _swimmers(view: View) -> str:
    """In the free water below jetties, where there is some."""
    n = view["num_players"]
    left = swimmer(120, 450, right=False) if n == 2 else ""
    return left + (swimmer(690, 448, right=True) if n in (2, 3, 5) else "")


def _grid(view: View) -> tuple[int, int]:
    """Columns and rows in which the longest catch finds room."""
    high = _slot(view, 0)[2] - HEAD - 3
    longest = max(1, *map(len, view["rows"]))
    roomy = (a for a in A_ROW if a * int(high / (INSIDE / a)) >= longest)
    columns = next(roomy, A_ROW[-1])
    return columns, -(-longest // columns)


def _jetties(view: View) -> str:
    """As long as the longest catch needs them; the posts stand behind all planks."""
    columns, rows = _grid(view)
    high = HEAD + rows * INSIDE / columns + 3
    seats = range(view["num_players"])
    slots = [_slot(view, seat) for seat in seats]
    legs = [at(0 if left else WIDE - JETTY, y, posts(JETTY, high)) for left, y, _ in slots]
    return "".join([*legs, *(_seat(view, seat, columns, high) for seat in seats)])


def _seat(view: View, seat: int, columns: int, high: float) -> str:
    """A jetty: whose it is, what lies on it, and the rod of who casts."""
    on_left, y, _ = _slot(view, seat)
    parts = [
        jetty(-10 if on_left else 0, 0, JETTY + 10, high),
        _head(view, seat),
        _row(view, seat, columns),
    ]
    if seat in view["to_act"]:
        fishing = rod(min(high - 30, 130))
        parts.append(at(JETTY - 5 if on_left else 5, 40, fishing, flip=not on_left))
    return at(0 if on_left else WIDE - JETTY, y, *parts)


def _head(view: View, seat: int) -> str:
    """Cat, name, points where they are told, the chest, whose cast it is."""
    own = seat == view["seat"]
    edge = {"stroke": INK, "stroke_width": 2.4} if own else {}
    plate = rect(6, 4, INSIDE, 33, PAPER, rx=8, opacity=0.94, **edge)
    parts = [
        plate,
        rect(6, 4, 9, 33, seat_colour(seat), rx=4),
        at(36, 20, cat(seat), scale=0.86),
        crown(36, 3, 1.1) if seat in _winners(view) else "",
        words(60, 19, f"you, {seat}" if own else f"seat {seat}", 13.5, bold=True),
        words(60, 32, _called(view, seat), 10.5, MUTED),
        _standing(view, seat),
        treasure(183, 21, 0.78) if view["chest"] == seat else "",
        badge(246, 12, "casts", GREEN, anchor=1) if seat in view["to_act"] else "",
    ]
    return "".join(parts)


def _called(view: View, seat: int) -> str:
    """How the one who looks calls this row."""
    if view["seat"] is None:
        return f"row {seat}"
    ahead = (seat - view["seat"]) % view["num_players"]
    return f"row {row_name(ahead)}" if ahead else "own row"


def _standing(view: View, seat: int) -> str:
    """Points, or the number of tiles where only that is known."""
    number = sum(view["rows"][seat]) if view["scores"] is None else view["scores"][seat]
    unit = "tile" if view["scores"] is None else "point"
    text = str(number).replace("-", "−")
    told = words(118, 28, text, 18, bold=True)
    unit += "s" * (abs(number) != 1)
    return told + words(123 + width_of(text, 18), 28, unit, 10.5, MUTED)


def _winners(view: View) -> list[int]:
    if view["to_act"] or not view["scores"]:
        return []
    return [seat for seat, score in enumerate(view["scores"]) if score == max(view["scores"])]


def _row(view: View, seat: int, columns: int) -> str:
    """The places of a catch, by number; dim where this roll closes them."""
    if not view["rows"][seat]:
        return words(14, HEAD + 20, "no catch yet", 11.5, DARK_WOOD)
    step = INSIDE / columns
    places = (
        _place(view, f"row{seat}:{i}", 8 + i % columns * step, HEAD + i // columns * step, step - 4)
        for i in range(len(view["rows"][seat]))
    )
    return at(0, 0, *places, opacity=None if _open(view, "row") else 0.65)


# --- the foot -----------------------------------------------------------------------------------


def _last_cast(view: View) -> str:
    """Who turned over what, where, and what came of it."""
    last = view["last_cast"]
    if not last:
        return words(24, TOLD + 38, "Nobody has cast yet.", 12.5, MUTED)
    number = last["place"].partition(":")[2]
    roll = f"{_name(view, last['seat'])} rolled {' and '.join(last['dice'])},"
    return "".join(
        [
            at(38, TOLD + 34, cat(last["seat"])),
            tile(66, TOLD + 5, TILE, number, last["face"], FACE_UP),
            words(130, TOLD + 17, roll, 12.5, bold=True, room=204),
            words(130, TOLD + 36, f"turned over {_told(last['face'])}", 12.5, room=204),
            words(130, TOLD + 55, f"{_where(view)} and {came_of(last)}", 12.5, room=204),
        ]
    )


def _name(view: View, seat: int) -> str:
    return "you" if seat == view["seat"] else f"seat {seat}"


def _told(face: str) -> str:
    """`the red crab`, `a boot`, `the chest`."""
    return "a boot" if face == "boot" else f"the {face.replace(':', ' ')}"


def _where(view: View) -> str:
    """`at sea 4`, `at 2 in row +1`, `at 0 in your row`."""
    area, _, number = view["last_cast"]["place"].partition(":")
    if area == "sea":
        return f"at sea {number}"
    row = _called(view, int(area[3:])).replace("own", "your")
    return f"at {number} in {row}"


def _next_cast(view: View) -> str:
    """The dice, whose they are, what they ask for."""
    if not view["dice"]:
        return words(350, TOLD + 38, _end(view), 14, bold=True, room=420)
    dice = [rolled(346 + 72 * i, TOLD, 62, side) for i, side in enumerate(view["dice"])]
    own = view["seat"] in view["to_act"]
    who = "Your cast" if own else f"Seat {view['to_act'][0]} casts"
    ringed = " (ringed)" if _fitting(view) else ""
    lines = [f"wanted: {_wanted(*view['dice'])}{ringed}"]
    if not _open(view, "row"):
        lines.append("a lucky catch: the sea only")
    elif own:
        lines.append("say where, as in sea 4, own 2, +1 0")
    told = [words(500, TOLD + 37 + 19 * i, text, 12.5, room=256) for i, text in enumerate(lines)]
    return "".join([*dice, words(500, TOLD + 17, who, 14.5, bold=True), *told])


def _wanted(colour: str, creature: str) -> str:
    """`the red crab`, `any red creature`, `any crab`, `any creature`."""
    if colour != "wild" and creature != "lucky":
        return f"the {colour} {creature}"
    kind = "creature" if creature == "lucky" else creature
    return f"any {kind}" if colour == "wild" else f"any {colour} {kind}"


def _end(view: View) -> str:
    """Who won, with how much."""
    winners = _winners(view)
    if not winners:
        return "The game is over."
    most = max(view["scores"])
    points = f"{most} point{'s' * (most != 1)}"
    if len(winners) == 1:
        who = "You win" if winners == [view["seat"]] else f"Seat {winners[0]} wins"
        return f"The game is over. {who} with {points}."
    sharing = f"{', '.join(map(str, winners[:-1]))} and {winners[-1]}"
    return f"The game is over. Seats {sharing} share the win with {points}."
