"""Maui's table as a picture: the market on a jetty, shells in the lagoon, towels on the beaches.

All of it comes from the view. Rows and market tiles are numbered as the words number them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from miaui_env.games.maui.art import (
    CELL,
    COIN,
    PEARLS,
    PENALTY,
    SAND,
    TOWEL,
    knot,
    last_towel,
    next_column,
    number,
    parasol,
    pattern,
    row_top,
    shell,
    token,
    towel,
    towel_on,
)
from miaui_env.games.maui.pieces import (
    NUM_TILES,
    PATTERN_NAMES,
    PLACES,
    ROWS,
    TILE_NAMES,
    TOKEN_STEP,
)
from miaui_env.render import (
    END,
    FOAM,
    INK,
    MIDDLE,
    NIGHT,
    WHITE,
    at,
    badge,
    beach,
    cat,
    circle,
    crown,
    document,
    floor,
    headline,
    jetty,
    lagoon,
    line,
    panel,
    rect,
    seat_colour,
    shared,
    spread,
    words,
)
from miaui_env.render import token as disc

if TYPE_CHECKING:
    from miaui_env.game import View

WIDE = 800
MARGIN = 10
WATER, SHORE = 50, 214
"""Where the lagoon begins, and where it ends."""
PANELS, PANEL, GAP = 222, (386, 296), 8
"""Where the beaches begin, the size of one, and what is between them."""
BAG = 66
"""Height of the bag's strip, where it has no beach's place."""


def draw(view: View) -> str:
    """The table as SVG, exactly what the view tells."""
    n = view["num_players"]
    low = PANELS + (n + 1) // 2 * (PANEL[1] + GAP) + (0 if n % 2 else BAG)
    return document(
        WIDE,
        low,
        beach(WIDE, low, SHORE),
        headline(WIDE, "Maui", _notes(view)),
        lagoon(WIDE, WATER, SHORE + 44),
        floor(WIDE, SHORE, low),
        _market(view),
        _tracks(view),
        *(at(*_place(seat), _seat(view, seat)) for seat in range(n)),
        _bag(view, low),
        title="Maui",
    )


def _notes(view: View) -> list[str]:
    notes = ["the referee’s view"] if view["seat"] is None else []
    notes += [f"{view['bag_size']} tiles in the bag", f"seat {view['first']} began"]
    over = "the end, after" if not view["to_act"] else "turn"
    return [*notes, f"{over} {view['turn']}{' turns' if not view['to_act'] else ''}"]


def _place(seat: int) -> tuple[float, float]:
    """Where a seat's beach lies: two side by side."""
    right, down = seat % 2, seat // 2
    return MARGIN + right * (PANEL[0] + GAP), PANELS + down * (PANEL[1] + GAP)


# --- the market on its jetty --------------------------------------------------------------------


def _market(view: View) -> str:
    """Both rows, each behind its pile."""
    rows = [_market_row(view, row, 22 + 192 * row) for row in range(len(view["market"]))]
    return jetty(MARGIN, 58, 392, 150) + "".join(rows)


def _market_row(view: View, row: int, x: float) -> str:
    """A pile and its three tiles."""
    tiles = [
        _on_sale(x + 56 + 43 * place, row * PLACES + place, name)
        for place, name in enumerate(view["market"][row])
    ]
    return _pile(x + 20, row, view["piles"][row]) + "".join(tiles)


def _on_sale(x: float, place: int, name: str) -> str:
    """A tile with its number above, and its price below."""
    scale = 1.16
    middle = x + TOWEL[0] * scale / 2
    price = place % PLACES
    coins = "".join(
        at(middle + 13 * (i - (price - 1) / 2), 193, COIN, scale=0.5) for i in range(price)
    )
    nothing = "" if price else words(middle, 197, "0 $", 12, INK, anchor=MIDDLE, bold=True)
    return (
        disc(middle, 73, 10, str(place), NIGHT)
        + at(x, 86, towel(0, 0, name), scale=scale)
        + coins
        + nothing
    )


def _pile(x: float, row: int, dollars: int) -> str:
    """The money beside a row."""
    label = words(x, 78, f"pile {row}", 12.5, INK, anchor=MIDDLE, bold=True)
    coins = "".join(at(x, 166 - 12 * i, COIN, scale=0.85) for i in range(dollars))
    empty = circle(x, 166, 12, WHITE, stroke=INK, stroke_dasharray="3 3", fill_opacity=0.25)
    told = words(x, 197, f"{dollars} $", 13, INK, anchor=MIDDLE, bold=True)
    return label + (coins or empty) + told


# --- shells on their tracks ---------------------------------------------------------------------

LANES, LANE = 84, 24
START, STEP, FAR_STEP = 456, 15, 7
"""Where tracks begin; how long their first steps are, and the others."""
NEAR, FARTHEST = 10, 34


def _tracks(view: View) -> str:
    """A lane of water for each pattern, with everybody's shells."""
    water = rect(412, 58, 378, 150, NIGHT, rx=10, opacity=0.45)
    numbers = "".join(
        words(_step(step), 71, str(step), 9, FOAM, anchor=MIDDLE) for step in (0, 6, 10, 20, 30)
    )
    lanes = "".join(_lane(view, i, name) for i, name in enumerate(PATTERN_NAMES))
    return water + numbers + lanes + _steps_of_umbrellas(view)


def _step(step: int) -> float:
    return START + STEP * min(step, NEAR) + FAR_STEP * max(0, step - NEAR)


def _lane(view: View, i: int, name: str) -> str:
    y = LANES + LANE * i
    lane = at(0, y, shared("maui-lane", _dots()), opacity=0.75)
    prize = token(_step(TOKEN_STEP), y, name) if name in view["track_tokens"] else ""
    return pattern(429, y, name, 21) + lane + prize + _shells(view, name, y)


def _dots() -> str:
    """The steps of a track, and where its token lies."""
    near = line(f"M{START} 0H{_step(NEAR)}", FOAM, 3.2, stroke_dasharray=f"0 {STEP}")
    far = line(
        f"M{_step(NEAR)} 0H{_step(FARTHEST) + 0.1:.1f}", FOAM, 2.4, stroke_dasharray=f"0 {FAR_STEP}"
    )
    return near + far + circle(_step(TOKEN_STEP), 0, 9, NIGHT, stroke=FOAM, stroke_width=1.2)


def _shells(view: View, name: str, y: float) -> str:
    """Those on the same step lie around it."""
    steps = [about["tracks"][name] for about in view["seats"]]
    drawn = []
    for step in sorted(set(steps)):
        here = [seat for seat, reached in enumerate(steps) if reached == step]
        places = zip(here, AROUND[len(here)], strict=True)
        drawn += [shell(_step(step) + x, y + down, seat) for seat, (x, down) in places]
    return "".join(drawn)


AROUND: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(0, -5.5), (0, 5.5)],
    3: [(-6, -5.5), (6, -5.5), (0, 5.5)],
    4: [(-6, -5.5), (6, -5.5), (-6, 5.5), (6, 5.5)],
}
"""How so many shells lie around one step."""


def _steps_of_umbrellas(view: View) -> str:
    """Which two patterns umbrellas move, in their order."""
    told = words(690, 202, "umbrellas move", 10.5, FOAM, anchor=END)
    return told + "".join(
        pattern(706 + 22 * i, 198, name) for i, name in enumerate(view["step_patterns"])
    )


# --- seats on their beaches ---------------------------------------------------------------------

TOP = 78
"""Where row 1 begins in a panel."""
LEFT = 26
"""Where column 1 begins."""


def _seat(view: View, seat: int) -> str:
    about = view["seats"][seat]
    who = f"you, {seat}" if seat == view["seat"] else f"seat {seat}"
    parts = [
        panel(0, 0, *PANEL, seat_colour(seat), own=seat == view["seat"]),
        at(26, 31, cat(seat), scale=0.95),
        crown(26, 12, 1.2) if seat in _winners(view) else "",
        words(52, 24, who, 14, bold=True),
        words(52, 44, _points(about["score"]), 14.5, bold=True, room=82),
        _gathered(about),
        _tokens(about["tokens"]),
        _ways(about["tracks"]),
        _turn(view, seat),
        at(LEFT, TOP, _beach(view, seat)),
    ]
    return "".join(parts)


def _points(score: int) -> str:
    return f"{score} point{'s' * (abs(score) != 1)}".replace("-", "−")


def _winners(view: View) -> list[int]:
    """Who won, once it is over."""
    scores = [about["score"] for about in view["seats"]]
    if view["to_act"]:
        return []
    return [seat for seat, score in enumerate(scores) if score == max(scores)]


def _turn(view: View, seat: int) -> str:
    if seat not in view["to_act"]:
        return ""
    return badge(377, 32, "your turn" if seat == view["seat"] else "chooses", NIGHT, 10, anchor=END)


def _gathered(about: View) -> str:
    """Dollars, pearls, penalties: a sign of each, and how many."""
    counts = [
        (COIN, 0.55, about["dollars"], "dollars"),
        (PEARLS["white"], 0.62, about["pearls"]["white"], "white pearls"),
        (PEARLS["black"], 0.62, about["pearls"]["black"], "black pearls"),
        (PENALTY, 0.62, about["penalties"], "penalty tokens"),
    ]
    return "".join(
        at(
            148 + 38 * i,
            19,
            _sign(art, scale, held),
            number(12, 4.5, held),
            title=f"{what}: {held}",
        )
        for i, (art, scale, held, what) in enumerate(counts)
    )


def _sign(art: str, scale: float, held: int) -> str:
    return at(0, 0, art, scale=scale, opacity=None if held else 0.4)


def _tokens(held: list[str]) -> str:
    """Towel tokens in hand."""
    xs = spread(len(held), 70, 19, 3)
    return "".join(token(368 - x, 19, name) for x, name in zip(xs, reversed(held), strict=True))


def _ways(tracks: dict[str, int]) -> str:
    """How far each shell has come."""
    return "".join(
        pattern(148 + 36 * i, 41, name) + number(159 + 36 * i, 45.5, step)
        for i, (name, step) in enumerate(tracks.items())
    )


# --- a beach ------------------------------------------------------------------------------------


def _beach(view: View, seat: int) -> str:
    """Sand, umbrellas, towels; drawn from its row 1 and column 1 on."""
    about = view["seats"][seat]
    columns = about["columns"]
    towels = [towel_on(CELL * i, top, name) for i, (top, name) in enumerate(columns)]
    return "".join(
        [
            SAND,
            next_column(len(columns), seat in view["to_act"]) if view["to_act"] else "",
            *(_parasol(cell, kind) for cell, kind in about["umbrellas"].items()),
            *towels,
            *_knots(columns),
            last_towel(len(columns), columns[-1][0]),
        ]
    )


def _parasol(cell: str, kind: str) -> str:
    column, row = map(int, cell.split(","))
    return parasol(CELL * (column - 0.5), row_top(row) + CELL / 2, kind)


def _knots(columns: list[tuple[int, str]]) -> list[str]:
    """Where towels beside each other show the same pattern."""
    shown = [dict(enumerate(name.split("/"), top)) for top, name in columns]
    return [
        knot(CELL * column, row_top(row) + CELL / 2)
        for column, (before, after) in enumerate(pairwise(shown), 1)
        for row in range(1, ROWS + 1)
        if row in before and before[row] == after.get(row)
    ]


# --- what is in the bag -------------------------------------------------------------------------


def _bag(view: View, low: float) -> str:
    """Tiles not yet seen: each in its own place, or for the referee in the bag's order."""
    if view["num_players"] % 2:
        x, y = _place(view["num_players"])
        return _tiles(view, x + 6, y + 28, 20, 0.66) + _call(view, x + 6, low - 26)
    y = low - BAG
    call = _call(view, WIDE - 44, y + 11, anchor=END)
    return _tiles(view, 16, y + 17, NUM_TILES, 0.42) + call


def _tiles(view: View, x: float, y: float, a_row: int, scale: float) -> str:
    names = TILE_NAMES if view["seat"] is not None else view["bag"]
    told = "Still in the bag" if view["seat"] is not None else "The bag, next tile first"
    wide, high = TOWEL[0] + 2, TOWEL[1] + 16
    places = [(i % a_row * wide, i // a_row * high) for i in range(NUM_TILES)]
    lying = [
        towel(*place, name)
        for place, name in zip(places, names, strict=False)
        if name in view["unseen"]
    ]
    label = words(x, y - 6, told, 12, bold=True)
    return label + at(x, y, _gaps(a_row, wide, high), *lying, scale=scale)


def _gaps(a_row: int, wide: float, high: float) -> str:
    """The places of all tiles, empty; those in the bag lie on them."""
    middles = "".join(
        f"M3 {high * i + TOWEL[1] / 2}H{wide * a_row}" for i in range(NUM_TILES // a_row)
    )
    dashes = f"{wide - 6} 6"
    return line(middles, "#e4cd98", TOWEL[1] - 6, stroke_dasharray=dashes, stroke_linecap="butt")


def _call(view: View, x: float, y: float, anchor: float = 0) -> str:
    """What is to be done."""
    if view["seat"] is None:
        return ""
    if not view["to_act"]:
        points = _points(view["seats"][view["seat"]]["score"])
        told = f"The game is over; you have {points}."
    elif view["seat"] in view["to_act"]:
        told = "Buy a tile, 0 to 5, on a row, or take pile 0 or 1."
    else:
        told = f"Seat {view['to_act'][0]} is choosing."
    return words(x, y, told, 13, bold=True, anchor=anchor)
