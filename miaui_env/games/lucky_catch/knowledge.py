"""A seat's knowledge as a plain dict, and back from the vector that it observes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.layout import WIDE
from miaui_env.games import version_of
from miaui_env.games.lucky_catch.pieces import (
    ALL_TILES,
    COLOUR_DIE,
    CREATURE_DIE,
    FACES,
    PLACE_NAMES,
    RESULTS,
    ROW,
    SEA,
    TILES,
)
from miaui_env.games.lucky_catch.view import CODE, EMPTY, FACE_DOWN

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

VERSION = version_of("lucky_catch")
"""Moves only when rules, view or action numbers move; see RULES.md."""

FACE_OF_CODE = {int(code): face for code, face in zip(CODE, FACES)}
"""What a code in an observation stands for."""


def view(state: Any, seat: int | None) -> View:
    """What `seat` may know; None is the referee."""
    n = int(state.num_players)
    places = {int(place): tile for tile, place in enumerate(state.place) if place >= 0}
    recent = 0 if seat is None else int(state.recent[seat])
    remembered = int(state.turned) if state.perfect_recall else recent
    known = ALL_TILES if seat is None else remembered
    over = not state.to_act
    told = {
        "game": "lucky_catch",
        "version": VERSION,
        "seat": seat,
        "num_players": n,
        "to_act": [other for other in range(n) if (int(state.to_act) >> other) & 1],
        "casts": int(state.turn),
        "dice": _dice(state.colour, state.creature),
        "sea": [place in places for place in range(SEA)],
        "rows": rows_shown(places, n),
        "chest": int(state.chest) if state.chest >= 0 else None,
        "known": {
            PLACE_NAMES[place]: FACES[places[place]]
            for place in sorted(places)
            if (known >> places[place]) & 1
        },
        "last_cast": _last_cast(state),
        "scores": [int(x) for x in state.points[:n]] if over or seat is None else None,
    }
    if seat is not None and state.perfect_recall:
        told["recent"] = [
            PLACE_NAMES[place] for place in sorted(places) if (recent >> places[place]) & 1
        ]
    return told


def rows_shown(occupied: Iterable[int], n: int) -> list[list[bool]]:
    """For each row its places up to the last one that holds a tile, and which of them do."""
    taken = set(occupied)
    rows = []
    for seat in range(n):
        row = [SEA + ROW * seat + index in taken for index in range(ROW)]
        while row and not row[-1]:
            row.pop()
        rows.append(row)
    return rows


def _dice(colour: Any, creature: Any) -> list[str] | None:
    sides = [COLOUR_DIE[int(colour)], CREATURE_DIE[int(creature)]]
    return [side for side in sides if side] or None


def _last_cast(state: Any) -> View | None:
    if state.last_seat < 0:
        return None
    return {
        "seat": int(state.last_seat),
        "dice": _dice(state.last_colour, state.last_creature),
        "place": PLACE_NAMES[int(state.last_place)],
        "face": FACES[int(state.last_tile)],
        "result": RESULTS[int(state.last_result)],
    }


def inventory(state: Any) -> dict[str, int]:
    """Tiles by face: how many lie in places of their own, or are the chest that was taken."""
    lying = [int(place) for place in state.place]
    counts = dict.fromkeys(FACES, 0)
    for tile in range(TILES):
        alone = lying.count(lying[tile]) == 1 and lying[tile] >= 0
        taken = FACES[tile] == "chest" and lying[tile] < 0 and state.chest >= 0
        counts[FACES[tile]] += alone or taken
    return counts


# --- back: the view that an observation stands for ----------------------------------------------


def view_of(setup: Setup, observation: np.ndarray, seat: int) -> View:
    """The view that gives `observation` to `seat`; the law of views makes it the only one."""
    read = _Reading(setup, observation, seat)
    n = setup.num_players
    occupied, recent = read.tiles("sea", "rows")
    known = read.tiles("recalled_sea", "recalled_rows")[1] if setup.perfect_recall else recent
    acting = read.seats_where("to_act")
    chest = read.seats_where("chest")
    scores = read.field("scores")
    told = {
        "game": "lucky_catch",
        "version": VERSION,
        "seat": seat,
        "num_players": n,
        "to_act": acting,
        "casts": WIDE * int(read.field("casts_high")[0]) + int(read.field("casts_low")[0]),
        "dice": read.dice("colour_die", "creature_die"),
        "sea": [place in occupied for place in range(SEA)],
        "rows": rows_shown(occupied, n),
        "chest": chest[0] if chest else None,
        "known": {PLACE_NAMES[place]: face for place, face in sorted(known.items())},
        "last_cast": read.last_cast(),
        "scores": None if acting else [int(scores[(other - seat) % n]) for other in range(n)],
    }
    if setup.perfect_recall:
        told["recent"] = [PLACE_NAMES[place] for place in sorted(recent)]
    return told


class _Reading:
    """An observation, read field by field and told with absolute seats and places."""

    def __init__(self, setup: Setup, observation: np.ndarray, seat: int) -> None:
        self.setup, self.observation, self.own = setup, observation, seat
        self.n = setup.num_players

    def field(self, name: str) -> np.ndarray:
        return self.setup.layout.read(self.observation, name)

    def seats_where(self, name: str) -> list[int]:
        return sorted((self.own + int(i)) % self.n for i in np.flatnonzero(self.field(name)))

    def place(self, area: int, index: int) -> int:
        """Area 0 is the sea, 1 the own row, and so on clockwise."""
        return index if area == 0 else SEA + ROW * ((self.own + area - 1) % self.n) + index

    def tiles(self, sea: str, rows: str) -> tuple[list[int], dict[int, str]]:
        """The places that hold a tile, and the faces that are known, by place."""
        areas = [self.field(sea), *self.field(rows)]
        codes = {
            self.place(area, index): int(code)
            for area, entries in enumerate(areas)
            for index, code in enumerate(entries)
            if code != EMPTY
        }
        faces = {place: FACE_OF_CODE[code] for place, code in codes.items() if code != FACE_DOWN}
        return list(codes), faces

    def dice(self, colour: str, creature: str) -> list[str] | None:
        sides = [self.field(colour), self.field(creature)]
        if not sides[0].any():
            return None
        return _dice(1 + sides[0].argmax(), 1 + sides[1].argmax())

    def last_cast(self) -> View | None:
        caster = self.seats_where("last_seat")
        if not caster:
            return None
        area, index = int(self.field("last_area").argmax()), int(self.field("last_index")[0])
        return {
            "seat": caster[0],
            "dice": self.dice("last_colour", "last_creature"),
            "place": PLACE_NAMES[self.place(area, index)],
            "face": FACE_OF_CODE[int(self.field("last_face")[0])],
            "result": RESULTS[int(self.field("last_result").argmax())],
        }
