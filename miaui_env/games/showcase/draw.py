"""Showcase's table as a picture: cats on the beach, a stall in the lagoon, the own hand below.

All of it comes from the view. The stall's places are numbered as the words number them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from miaui_env.games.showcase.art import (
    MINI,
    bare_place,
    big_card,
    mini,
    mini_back,
    place_sign,
    stall,
)
from miaui_env.render import (
    CARD,
    END,
    FOAM,
    GOLD,
    GREEN,
    MIDDLE,
    MUTED,
    RED,
    at,
    badge,
    beach,
    card_back,
    cat,
    crab,
    crown,
    document,
    empty_place,
    floor,
    headline,
    jetty,
    lagoon,
    panel,
    seat_colour,
    shared,
    spread,
    width_of,
    words,
)

if TYPE_CHECKING:
    from miaui_env.game import View

WIDE = 800
MARGIN = 10
BEACH, PANEL = 46, 208
"""Where the panels begin, and their height."""
ROWS = 88
"""In a panel, where its rows of cards begin."""
SHORE, WATER, FLOOR = 244, 272, 450
STALL, SHELF, OPEN = 190, 420, 1.42
"""Left edge and width of the stall, and the scale of its cards."""
LOW, LOWEST = 600, 652
"""Height of the picture; the second where it tells what is unseen."""
HELD = 1.22
"""Scale of the own cards."""
HINTS = {
    "play": "Play cards, as many as you like; then draw, take or swap.",
    "declare": "Declare to end the round, or pass.",
    "clean_up": "Discard a card; five stay.",
}
CRAB = shared("showcase-crab", crab(RED))
DOING = {"play": "to play", "declare": "to declare?", "clean_up": "to discard"}


def draw(view: View) -> str:
    """The table as SVG, exactly what the view tells."""
    low = LOW if view["unseen"] is None or view["seat"] is None else LOWEST
    return document(
        WIDE,
        low,
        beach(WIDE, low, SHORE - 60),
        headline(WIDE, "Showcase", _notes(view)),
        lagoon(WIDE, WATER, FLOOR + 8),
        floor(WIDE, FLOOR, low),
        at(706, FLOOR + 126, CRAB, scale=0.8),
        *(_seat(view, seat) for seat in range(view["num_players"])),
        _deck(view),
        _showcase(view),
        _discards(view),
        _foot(view),
        title="Showcase",
    )


def _notes(view: View) -> list[str]:
    notes = ["the referee’s view"] if view["seat"] is None else []
    notes += [f"turn {view['turn']}", f"round {view['round']}"]
    return notes if view["to_act"] else [*notes, "the end"]


# --- cats on the beach --------------------------------------------------------------------------


def _seat(view: View, seat: int) -> str:
    step = (WIDE - 2 * MARGIN + 8) / view["num_players"]
    wide = step - 8
    parts = [
        panel(0, 0, wide, PANEL, seat_colour(seat), own=seat == view["seat"]),
        at(28, 37, cat(seat)),
        crown(28, 17, 1.2) if seat in _leaders(view) else "",
        words(56, 29, f"you, {seat}" if seat == view["seat"] else f"seat {seat}", 14, bold=True),
        _points(view["scores"][seat]),
        _doing(view, seat, wide),
        _last_act(view["seats"][seat]["last_act"]),
        *_rows(view, seat, wide),
    ]
    return at(MARGIN + seat * step, BEACH, *parts)


def _leaders(view: View) -> list[int]:
    """Who has most points, at the end."""
    scores = view["scores"]
    return [s for s in range(len(scores)) if scores[s] == max(scores) and not view["to_act"]]


def _points(points: int) -> str:
    number = words(56, 51, str(points), 19, bold=True)
    unit = "point" if points == 1 else "points"
    return number + words(61 + width_of(str(points), 19), 51, unit, 11, MUTED)


def _doing(view: View, seat: int, wide: float) -> str:
    """What the seat is to do now, and whether it ended the round."""
    doing = badge(wide - 8, 14, DOING[view["phase"]], GREEN, 10.5, anchor=END)
    ended = badge(wide - 8, 36, "ended it", GOLD, 10.5, anchor=END)
    due = seat in view["to_act"]
    return (doing if due else "") + (ended if seat == view["finisher"] else "")


def _last_act(told: list[str] | None) -> str:
    """What the seat did last: drew, took this, gave that for this."""
    if told is None:
        return words(10, 75, "has not acted yet", 11, MUTED)
    act, *kinds = told
    parts, x = [], 10.0
    for word, kind in zip(_ACTS[act], [*kinds, None], strict=False):
        parts.append(words(x, 75, word, 11.5))
        x += width_of(word, 11.5) + 5
        if kind is not None:
            parts.append(mini(x, 60, kind, scale=0.84))
            x += MINI[0] * 0.84 + 6
    return "".join(parts)


_ACTS = {"draw": ("drew a card",), "take": ("took",), "swap": ("gave", "for")}


def _rows(view: View, seat: int, wide: float) -> list[str]:
    """Hand, played cards, the hand of the last scoring: below each other, or two side by side."""
    about = view["seats"][seat]
    rows = [_hand_told(view, seat, *_cell(view, 0, wide)[2:])]
    if about["played"]:
        rows.append(_heap("played", about["played"], *_cell(view, 1, wide)[2:]))
    if about["revealed"] is not None:
        rows.append(_heap("showed", about["revealed"], *_cell(view, len(rows), wide)[2:]))
    return [at(*_cell(view, i, wide)[:2], row) for i, row in enumerate(rows)]


def _cell(view: View, i: int, wide: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of the i-th row of a panel."""
    if view["num_players"] > 2:
        return 9, ROWS + 40 * i, wide - 18, 37
    half = (wide - 28) / 2
    return 9 + (half + 10) * (i % 2), ROWS + 60 * (i // 2), half, 58


def _heap(name: str, cards: Mapping[str, int], wide: float, high: float) -> str:
    """Cards by kind under their name."""
    label = words(0, 9, name if cards else f"{name} no cards", 10.5, MUTED)
    return label + at(0, 12.5, _minis(cards, _scale(len(cards), wide, high)))


def _scale(number: int, wide: float, high: float) -> float:
    """At which so many small cards fit under a label."""
    return min((high - 12.5) / MINI[1], (wide / max(number, 5) - 2) / MINI[0])


def _minis(cards: Mapping[str, int], scale: float) -> str:
    """A small card for each kind."""
    step = MINI[0] * scale + 2
    return "".join(
        mini(i * step, 0, name, count, scale) for i, (name, count) in enumerate(cards.items())
    )


def _hand_told(view: View, seat: int, wide: float, high: float) -> str:
    """What is known of a hand: its kinds, and backs for the rest."""
    about = view["seats"][seat]
    size, known = about["hand_size"], about["known"] or {}
    own = ", below" if seat == view["seat"] else ""
    label = words(0, 9, f"{size or 'nothing'} in hand{own}", 10.5, MUTED)
    if own:
        return label
    hidden = size - sum(known.values())
    scale = _scale(len(known) + min(hidden, 2), wide, high)
    left = len(known) * (MINI[0] * scale + 2)
    xs = spread(hidden, wide - left, MINI[0] * scale, 2)
    backs = "".join(mini_back(left + x, 0, seat, scale) for x in xs)
    return label + at(0, 12.5, _minis(known, scale), backs)


# --- the stall ----------------------------------------------------------------------------------


def _showcase(view: View) -> str:
    wide, high = CARD[0] * OPEN, CARD[1] * OPEN
    gap = (SHELF - 4 * wide) / 5
    xs = [STALL + gap + i * (wide + gap) for i in range(len(view["showcase"]))]
    parts = [stall(STALL, WATER - 12, SHELF, FLOOR + 4)]
    for number, (x, name) in enumerate(zip(xs, view["showcase"], strict=True), 1):
        lying = (
            big_card(x, WATER + 46, name, OPEN) if name else bare_place(x, WATER + 46, wide, high)
        )
        parts += [lying, place_sign(x + wide / 2, WATER + 24, number)]
    return "".join(parts)


def _deck(view: View) -> str:
    """The deck, as high as it is, and how many cards it has."""
    number, x, y = view["deck_size"], 62, WATER + 40
    if not number:
        pile = empty_place(x, y, CARD[0] * 1.25, CARD[1] * 1.25, FOAM)
    else:
        layers = range(-(-number // 8), -1, -1)
        pile = "".join(
            at(x + 2.5 * i, y - 2.5 * i, card_back(0, 0, str(number)), scale=1.25) for i in layers
        )
    told = f"{number or 'no'} card{'s' * (number != 1)} in the deck"
    return pile + words(x + 29, y + 97, told, 12, FOAM, anchor=MIDDLE)


def _discards(view: View) -> str:
    """What lies on the heap, open, kind by kind."""
    x, y, cards = 632, WATER + 32, list(view["discards"].items())
    raft = jetty(x - 8, y - 4, 160, 94)
    minis = "".join(
        mini(x + 2 + 36 * (i % 4), y + 3 + 42 * (i // 4), name, count, 1.35)
        for i, (name, count) in enumerate(cards)
    )
    number = sum(view["discards"].values())
    told = f"{number or 'no'} discard{'s' * (number != 1)}"
    return raft + minis + words(x + 72, y + 109, told, 12, FOAM, anchor=MIDDLE)


# --- what lies at the own feet ------------------------------------------------------------------


def _foot(view: View) -> str:
    if view["seat"] is None:
        return _deck_told(view["deck"])
    unseen = "" if view["unseen"] is None else _unseen(view["unseen"])
    return _hand(view["hand"]) + words(16, FLOOR + 133, _hint(view), 13.5, bold=True) + unseen


def _hand(cards: Mapping[str, int]) -> str:
    """The own cards, kind by kind; of several alike the left edges show."""
    lying = sum(cards.values()) - len(cards)
    wide, gap, room = CARD[0] * HELD, 14, WIDE - 100
    step = min(22.0, (room - len(cards) * (wide + gap)) / max(lying, 1))
    parts, x = [_label("Your", "hand", FLOOR + 46)], 84.0
    for name, count in cards.items():
        parts += [big_card(x + i * step, FLOOR + 18, name, HELD) for i in range(count)]
        many = words(x, FLOOR + 106, f"×{count}", 13, bold=True)
        parts.append(many if count > 1 else "")
        x += wide + gap + (count - 1) * step
    return "".join(parts)


def _label(first: str, second: str, y: float) -> str:
    return words(16, y, first, 13, bold=True) + words(16, y + 16, second, 13, bold=True)


def _hint(view: View) -> str:
    """What is to be done, or who is to do it."""
    if not view["to_act"]:
        points = view["scores"][view["seat"]]
        return f"The game is over; you have {points} point{'s' * (points != 1)}."
    if view["seat"] in view["to_act"]:
        return HINTS[view["phase"]]
    doing = {"play": "play", "declare": "declare or pass", "clean_up": "discard"}[view["phase"]]
    return f"Seat {view['to_act'][0]} is to {doing}."


def _unseen(cards: Mapping[str, int]) -> str:
    """Kinds whose place this seat does not know (perfect recall)."""
    return words(16, LOW + 26, "Unseen", 13, bold=True) + at(84, LOW + 2, _minis(cards, 1.3))


def _deck_told(deck: list[str]) -> str:
    """The deck in its order, which only the referee knows."""
    a_row, step = 25, 28
    minis = "".join(
        mini(84 + step * (i % a_row), FLOOR + 30 + 34 * (i // a_row), name)
        for i, name in enumerate(deck)
    )
    return _label("Deck", "top first", FLOOR + 44) + minis
