"""Miaui's table as a picture: cats on the beach, Kiti between them, fish in the lagoon below.

All of it comes from the view. The water gets deeper downwards: shallow, deep, deepest.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from miaui_env.games.miaui.art import HIDDEN, counted_chip, fish_card, fish_chip
from miaui_env.render import (
    CARD,
    CHIP,
    DIVER,
    END,
    FOAM,
    INK,
    MIDDLE,
    MUTED,
    NIGHT,
    WHITE,
    at,
    badge,
    beach,
    blank_chip,
    cat,
    crown,
    diver,
    document,
    empty_place,
    floor,
    headline,
    lagoon,
    line,
    panel,
    rect,
    seat_colour,
    shared,
    spread,
    tiki,
    width_of,
    words,
)

if TYPE_CHECKING:
    from miaui_env.game import View

WIDE = 800
MARGIN = 10
BEACH, PANEL = 46, 168
"""Where the panels begin, and their height."""
HAND, PILE = 61, 94
"""In a panel, where hands and piles begin."""
SHORE, WATER, FLOOR = 222, 262, 478
LOW, LOWEST = 600, 664
"""Height of the picture; the second where it tells what is unseen."""
LYING = 216
"""Where the first fish of a band lies."""
BANDS = ("shallow", "deep", "deepest")
TAKES = {
    "shallow": "last, for the lowest dive",
    "deep": "then, for the next highest",
    "deepest": "first, for the highest dive",
}


def draw(view: View) -> str:
    """The table as SVG, exactly what the view tells."""
    low = LOW if view["unseen"] is None or view["seat"] is None else LOWEST
    return document(
        WIDE,
        low,
        beach(WIDE, low, SHORE - 60),
        headline(WIDE, "Miaui", _notes(view)),
        lagoon(WIDE, WATER, FLOOR + 8),
        floor(WIDE, FLOOR, low),
        *(_seat(view, seat) for seat in range(view["num_players"])),
        _kiti(view),
        *_bands(view),
        _foot(view),
        title="Miaui",
    )


# --- the headline -------------------------------------------------------------------------------


def hand_size(view: View) -> int:
    """With how many divers, so for how many rounds, this game is played."""
    most = max(about["hand_size"] for about in view["seats"])
    return max(view["round"], view["round"] - 1 + most)


def _notes(view: View) -> list[str]:
    gulls = view["gulls_returned"]
    notes = [f"{gulls} gull{'s' * (gulls != 1)} went back"] if gulls else []
    notes += ["no fighting"] if view["kiti"] is None else []
    notes += ["the referee’s view"] if view["seat"] is None else []
    deck = f"{view['deck_size'] or 'none'} in the deck"
    over = "the end" if not view["to_act"] else f"round {view['round']} of {hand_size(view)}"
    return [*notes, deck, over]


# --- cats on the beach --------------------------------------------------------------------------


def _columns(view: View) -> tuple[float, float]:
    """Width of a seat's panel, and from one to the next."""
    n = view["num_players"]
    step = (WIDE - 2 * MARGIN + 8) / n
    return step - 8, step


def _seat(view: View, seat: int) -> str:
    wide, step = _columns(view)
    parts = [
        panel(0, 0, wide, PANEL, seat_colour(seat), own=seat == view["seat"]),
        at(26, 36, cat(seat), scale=0.95),
        crown(26, 17, 1.2) if seat in _leaders(view) else "",
        words(52, 30, _name(view, seat), 14, bold=True, room=wide - 90),
        _standing(view, seat, wide),
        _commitment(view, seat, wide),
        _hand_row(view, seat, wide),
        _pile(view["seats"][seat], 64 if seat == view["seat"] else PILE, wide),
    ]
    return at(MARGIN + seat * step, BEACH, *parts)


def _name(view: View, seat: int) -> str:
    return f"you, {seat}" if seat == view["seat"] else f"seat {seat}"


def _leaders(view: View) -> list[int]:
    """Who won, where the view tells it."""
    scores = [about["score"] for about in view["seats"]]
    if view["to_act"] or None in scores:
        return []
    return [seat for seat, score in enumerate(scores) if score == max(scores)]


def _standing(view: View, seat: int, wide: float) -> str:
    """Points, or the number of fish where only that is known."""
    about = view["seats"][seat]
    number, unit = about["score"], "points" if wide > 140 else "pts"
    if number is None:
        number, unit = about["pile_size"], "fish"
    text = str(number).replace("-", "−")
    x = 57 + width_of(text, 17)
    return words(52, 50, text, 17, bold=True) + words(x, 50, unit, 11, MUTED, room=wide - 36 - x)


def _commitment(view: View, seat: int, wide: float) -> str:
    """The diver chosen for this round, if one is; face down unless the view tells it."""
    if not view["to_act"]:
        return ""
    if seat in view["to_act"]:
        dots = words(wide - 20, 36, "…", 15, MUTED, anchor=MIDDLE, bold=True)
        return empty_place(wide - 33, 14, 26, 35) + dots
    committed = view["committed"]
    shown = committed[seat] if view["seat"] is None else committed if seat == view["seat"] else None
    return diver(wide - 33, 14, shown, seat, scale=0.6)


def _hand_row(view: View, seat: int, wide: float) -> str:
    """Which divers are in hand: by number where they are known, else as so many backs."""
    held = view["seats"][seat]["hand"]
    if seat == view["seat"]:
        return ""  # it lies below
    if held is None:
        return _backs(view["seats"][seat]["hand_size"], seat, wide)
    number = hand_size(view)
    a_row = number if wide >= 26 * number else -(-number // 2)
    step = min(27, int((wide - 14) / a_row))
    places = [(8 + i % a_row * step, HAND + i // a_row * 15, i + 1) for i in range(number)]
    pips = "".join(_pip(x, y, step - 2, card, card in held) for x, y, card in places)
    dived = view["seats"][seat]["dived"]
    return at(0, 0, pips, title=f"dived: {', '.join(map(str, dived))}" if dived else None)


def _backs(number: int, seat: int, wide: float) -> str:
    xs = spread(number, wide - 70, 12, 2)
    colour = seat_colour(seat)
    backs = (rect(10 + x, HAND + 3, 12, 17, colour, rx=2.5, stroke=INK, stroke_width=1) for x in xs)
    return "".join(backs) + words(wide - 9, HAND + 16, f"{number} left", 10.5, MUTED, anchor=END)


def _pip(x: float, y: float, wide: int, card: int, held: bool) -> str:
    """One diver of a hand: bright while it is there."""
    fill, ink = (WHITE, INK) if held else ("#d9dfe2", "#98a4ac")
    place = rect(0, 0, wide, 13, fill, rx=3, stroke=ink, stroke_width=0.8)
    number = words(wide / 2, 10, str(card), 9.5, ink, bold=held, anchor=MIDDLE)
    return at(x, y, shared(f"miaui-pip-{card}-{held}-{wide}", place + number))


def _pile(about: View, top: float, wide: float) -> str:
    """Caught fish: all of them, bottom first, where they are known; else the top one."""
    if not about["pile_size"]:
        return words(10, top + 14, "no fish yet", 11, MUTED)
    if about["pile"] is None:
        return _closed_pile(about, top)
    pile, room = about["pile"], (wide - 16, PANEL - top - 4)
    scale, a_row = _fitting(len(pile), *room)
    xs = spread(a_row, room[0], CHIP[0] * scale, 3)
    return "".join(
        fish_chip(8 + xs[i % a_row], top + i // a_row * (CHIP[1] * scale + 3), name, scale)
        for i, name in enumerate(pile)
    )


def _fitting(number: int, wide: float, high: float) -> tuple[float, int]:
    """The largest scale at which so many chips fit without overlap, and how many make a row."""
    for scale in (1.5, 1.25, 1.0):
        a_row = int((wide + 3) // (CHIP[0] * scale + 3))
        rows = int((high + 3) // (CHIP[1] * scale + 3))
        if number <= a_row * rows:
            return scale, a_row
    return 1.0, -(-number // rows)


def _closed_pile(about: View, top: float) -> str:
    """The top fish on as many others as there are."""
    size = about["pile_size"]
    below = min(size - 1, 12)
    rest = "".join(blank_chip(10 + 3 * i, top + 14 + i, 1.5) for i in range(below))
    label = words(10, top + 8, f"on top of {size - 1}" if size > 1 else "one fish", 10.5, MUTED)
    return label + rest + fish_chip(10 + 3 * below, top + 14 + below, about["pile_top"], 1.5)


def _kiti(view: View) -> str:
    """Kiti in its gap on the shore, and which way ties go from there (M7)."""
    if view["kiti"] is None:
        return ""
    last = view["kiti"] == view["num_players"] - 1  # on its far side is seat 0
    x = WIDE - 26 if last else MARGIN + (view["kiti"] + 1) * _columns(view)[1] - 4
    left = badge(x - 22, WATER - 27, "← deep ties", NIGHT, 10.5, anchor=END)
    right = badge(MARGIN if last else x + 22, WATER - 27, "shallow ties →", NIGHT, 10.5)
    shallow = right if "shallow" in view["lagoon"] else ""
    return left + shallow + at(x, WATER + 1, tiki(), scale=0.72)


# --- fish in the lagoon -------------------------------------------------------------------------


def _bands(view: View) -> list[str]:
    """A band of water for each space, the shallow one on top."""
    names = [name for name in BANDS if name in view["lagoon"]]
    top = WATER + 7
    height = (FLOOR - top) / len(names)
    return [_band(view, name, top + i * height, height) for i, name in enumerate(names)]


def _band(view: View, name: str, top: float, height: float) -> str:
    y = top + (height - CARD[1]) / 2
    edge = line(f"M14 {top}H{WIDE - 14}", FOAM, 1, stroke_dasharray="2 7", opacity=0.7)
    ink = INK if name == "shallow" else FOAM
    label = words(18, y + 28, name, 17, ink, bold=True)
    label += words(18, y + 45, TAKES[name], 11, ink)
    parts = [
        edge if top > WATER + 7 else "",
        label,
        _lying(view, name, y),
        _last_catch(view, name, y),
    ]
    return "".join(parts)


def _lying(view: View, name: str, y: float) -> str:
    cards, peekers = view["lagoon"][name], dict(view["face_down"][name])
    xs = [LYING + x for x in spread(len(cards), 316, CARD[0], 8)]
    if not cards:
        return empty_place(LYING, y, *CARD, FOAM)
    drawn = [fish_card(x, y, card) for x, card in zip(xs, cards, strict=True)]
    drawn += [_peeker(xs[i], y, who, cards[i]) for i, who in peekers.items()]
    return "".join(drawn)


def _peeker(x: float, y: float, seat: int, card: str) -> str:
    """Who may look at a card that lies face down; those who know it see it through a veil."""
    veil = "" if card == HIDDEN else rect(x, y, *CARD, NIGHT, rx=6, opacity=0.35)
    looks = words(x - 32, y + 55, f"seat {seat} looks", 10, FOAM, anchor=MIDDLE)
    return veil + at(x - 32, y + 24, cat(seat), scale=0.8) + looks


def _last_catch(view: View, name: str, y: float) -> str:
    """Who took what here in the last round, with which diver."""
    if not view["last_round"]:
        return ""
    seat, cards = view["last_round"]["catches"][name]
    box = rect(548, y + 5, 240, 50, NIGHT, rx=10, opacity=0.45)
    if seat is None:
        return box + words(564, y + 35, "nobody took a fish here", 12, FOAM)
    dive = diver(555, y + 11, view["last_round"]["dives"][seat], seat, scale=0.65)
    return box + dive + _caught(f"seat {seat} took", cards, y)


def _caught(who: str, cards: list[str], y: float) -> str:
    """The catch beside the words, or below where it is a large one."""
    if len(cards) < 3:
        chips = [fish_chip(672 + 57 * i, y + 15, card, 1.4) for i, card in enumerate(cards)]
        return words(593, y + 35, who, 12, FOAM) + "".join(chips)
    xs = spread(len(cards), 186, CHIP[0], 3)
    chips = [fish_chip(593 + x, y + 29, card) for x, card in zip(xs, cards, strict=True)]
    return words(593, y + 23, who, 12, FOAM) + "".join(chips)


# --- what lies at the own feet ------------------------------------------------------------------


def _foot(view: View) -> str:
    if view["seat"] is None:
        return _secrets(view) + _last_dives(view)
    unseen = "" if view["unseen"] is None else _unseen(view["unseen"])
    return _hand(view) + _next(view) + _last_dives(view) + unseen


def _hand(view: View) -> str:
    """The own divers, each in its place; the committed one is raised."""
    number = hand_size(view)
    xs = spread(number, 640, DIVER[0], 8)
    parts = [
        words(16, FLOOR + 42, "Your", 13, bold=True),
        words(16, FLOOR + 58, "divers", 13, bold=True),
    ]
    for card, x in enumerate(xs, 1):
        if card in view["hand"]:
            parts.append(diver(78 + x, FLOOR + 22, card, view["seat"]))
        elif card == view["committed"]:
            parts.append(diver(78 + x, FLOOR + 4, card, view["seat"]))
        else:
            gone = words(78 + x + 22, FLOOR + 57, str(card), 16, "#c9ae74", anchor=MIDDLE)
            parts.append(empty_place(78 + x, FLOOR + 22, *DIVER, "#cdb47c") + gone)
    return "".join(parts)


def _next(view: View) -> str:
    """What is to be done."""
    if not view["to_act"]:
        points = str(view["seats"][view["seat"]]["score"]).replace("-", "−")
        told = f"The game is over; you have {points} points."
    elif view["committed"]:
        told = f"You dive {view['committed']}; the others still choose."
    else:
        told = "Choose a diver."
    return words(16, FLOOR + 102, told, 13.5, bold=True)


def _last_dives(view: View) -> str:
    if not view["last_round"]:
        return ""
    dives = "  ".join(f"seat {s}: {dive}" for s, dive in enumerate(view["last_round"]["dives"]))
    return words(WIDE - 60, FLOOR + 102, f"last dives   {dives}", 12, anchor=END)


def _unseen(cards: dict[str, int]) -> str:
    """Kinds whose place this seat does not know (perfect recall)."""
    xs = spread(len(cards), WIDE - 144, CHIP[0], 3)
    chips = "".join(
        counted_chip(78 + x, LOW + 8, name, number)
        for x, (name, number) in zip(xs, cards.items(), strict=True)
    )
    return words(16, LOW + 23, "Unseen", 13, bold=True) + chips


def _secrets(view: View) -> str:
    """What only the referee knows: the deck in its order, and what left the game."""
    deck: list[str] = view["deck"]
    box: Counter[str] = Counter(view["box"])
    parts = [
        words(16, FLOOR + 34, "Deck", 13, bold=True),
        words(16, FLOOR + 49, "top first", 10, MUTED),
    ]
    a_row = max(17, -(-len(deck) // 2))
    for row, cards in enumerate((deck[:a_row], deck[a_row:])):
        xs = spread(len(cards), WIDE - 130, CHIP[0], 3)
        parts += [
            fish_chip(78 + x, FLOOR + 20 + 25 * row, c) for x, c in zip(xs, cards, strict=True)
        ]
    xs = spread(len(box), WIDE - 130, CHIP[0], 3)
    parts.append(words(16, FLOOR + 91, "Box", 13, bold=True))
    parts += [
        counted_chip(78 + x, FLOOR + 76, name, number)
        for x, (name, number) in zip(xs, box.items(), strict=True)
    ]
    return "".join(parts)
