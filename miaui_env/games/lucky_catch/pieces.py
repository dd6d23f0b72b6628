"""What lies in the box of Lucky Catch: tiles, dice, places, options, and the record of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from miaui_env.checks import check_flags, check_wholes
from miaui_env.engine.layout import record

MAX_SEATS = 6
MOST_CASTS = 500
"""The game ends after so many (L11)."""


class Luck(IntEnum):
    """Purposes of random draws."""

    SEA = 0
    FIRST = 1
    COLOUR = 2
    CREATURE = 3
    IMAGINED = 4


class Result(IntEnum):
    """What came of a cast."""

    MATCH = 0
    MISS = 1
    BOOT = 2
    CHEST = 3


COLOURS = ("red", "green", "blue", "yellow")
CREATURES = ("pufferfish", "crab", "octopus", "sea bass")
RESULTS = tuple(result.name.lower() for result in Result)
RESULT_KINDS = len(RESULTS)

# --- tiles: numbers 0 … 23, creatures first; the boots look all the same ------------------------

CREATURE_TILES = len(COLOURS) * len(CREATURES)
BOOTS = 7
CHEST = CREATURE_TILES + BOOTS
TILES = CHEST + 1
NO_TILE = -1

ALL_TILES = (1 << TILES) - 1
ALL_CREATURES = (1 << CREATURE_TILES) - 1
ALL_BOOTS = (1 << CHEST) - 1 - ALL_CREATURES

FACES = (
    *(f"{colour}:{creature}" for colour in COLOURS for creature in CREATURES),
    *["boot"] * BOOTS,
    "chest",
)
"""What each tile shows."""
WORTH = np.array([1] * CREATURE_TILES + [-1] * BOOTS + [2], np.int8)
"""Points of each tile (L10)."""

# --- dice: 0 is none; 1 … 4 as in COLOURS and CREATURES; 5 is wild or lucky ---------------------

NO_DIE = 0
ANY = 5
DIE_SIDES = 6
"""Four sides differ, and two are ANY."""
COLOUR_DIE = (None, *COLOURS, "wild")
CREATURE_DIE = (None, *CREATURES, "lucky")


def _fits(colour: int, creature: int, tile: int) -> bool:
    if tile >= CREATURE_TILES or NO_DIE in (colour, creature):
        return False
    own_colour, own_creature = divmod(tile, len(CREATURES))
    return colour in (own_colour + 1, ANY) and creature in (own_creature + 1, ANY)


FITS = np.array(
    [[[_fits(a, b, tile) for tile in range(TILES)] for b in range(ANY + 1)] for a in range(ANY + 1)]
)
"""Whether a roll, `[colour die, creature die]`, matches a tile (L3); bool `(6, 6, TILES)`."""

# --- places: the sea row by row, then each seat's row -------------------------------------------

SEA = TILES
ROW = TILES - 1
"""Places of a row: all tiles but the chest find room (L9)."""
NOWHERE = -1
"""Where the chest is once it is taken."""


def place_name(place: int) -> str:
    """`sea:4`, or `row1:0` for a place in the row of seat 1."""
    if place < SEA:
        return f"sea:{place}"
    seat, index = divmod(place - SEA, ROW)
    return f"row{seat}:{index}"


PLACE_NAMES = tuple(place_name(place) for place in range(SEA + MAX_SEATS * ROW))
"""Name of each place, by its number."""
PLACES = {name: place for place, name in enumerate(PLACE_NAMES)}
"""Number of each place, by its name."""


@dataclass(frozen=True)
class Options:
    """Options, both ours.

    Attributes:
        first: the seat that begins; None draws it (L1).
        chest_casts_again: who takes the chest casts again (L8).
    """

    first: int | None = None
    chest_casts_again: bool = False

    def __post_init__(self) -> None:
        """Check each value."""
        check_flags(self, "chest_casts_again")
        check_wholes(self, first=(0, MAX_SEATS - 1))


def tiles_of(faces: Iterable[Any]) -> list[int]:
    """A number for each face, boots in turn; ValueError for faces that are not those of the box."""
    left = {face: [tile for tile in range(TILES) if FACES[tile] == face] for face in FACES}
    tiles = []
    for face in faces:
        name = face.replace("_", " ") if isinstance(face, str) else face
        if not isinstance(name, str) or name not in left:
            raise ValueError(f"unknown tile {face!r}; Lucky Catch has {', '.join(left)}")
        if not left[name]:
            raise ValueError(f"one {face!r} too many: the box has {FACES.count(name)}")
        tiles.append(left[name].pop(0))
    return tiles


# Where each tile lies says all about sea and rows. The faces that a seat has been shown are bit
# sets of tiles: they stay right wherever a tile goes, and boots can be told apart.
STATE = record(
    [
        # What every game's record has.
        ("num_players", "i1"),  # 2 … 6
        ("perfect_recall", "i1"),  # 0 or 1
        ("over", "i1"),  # 0 or 1
        ("to_act", "i4"),  # bit of the seat whose cast it is
        ("turn", "i2"),  # casts played, 0 … 500
        ("points", "i4", (MAX_SEATS,)),  # worth of the catch; hidden until the end
        # Options.
        ("first", "i1"),  # the seat that begins; -1: drawn
        ("chest_casts_again", "i1"),  # 0 or 1
        # The tiles.
        ("place", "i2", (TILES,)),  # where each lies
        ("chest", "i1"),  # who took the chest; -1: nobody yet
        ("turned", "i4"),  # bit set of the tiles ever turned over
        ("recent", "i4", (MAX_SEATS,)),  # those turned over since the seat's own last decision
        # The dice of the next cast.
        ("colour", "i1"),  # 1 … 5; 0 at the end
        ("creature", "i1"),
        # The last cast.
        ("last_seat", "i1"),  # -1 before the first
        ("last_colour", "i1"),  # 1 … 5; 0 before the first
        ("last_creature", "i1"),
        ("last_place", "i2"),  # where it was turned over; -1 before the first
        ("last_tile", "i1"),  # -1 before the first
        ("last_result", "i1"),  # a Result; -1 before the first
        # A deal stacked by `reset(options=…)`.
        ("stacked_sea", "i1"),  # 1: `place` lies ready for the next deal
        ("stacked_first", "i1"),  # the seat that begins the next deal; -1: by `first`
        ("stacked_now", "i1"),  # 1: the dice ahead belong to the next deal, 0: to this one
        ("dice_stacked", "i2"),  # how many of the dice ahead there are
        ("dice_ahead", "i1", (MOST_CASTS,)),  # for each cast 6 · colour die + creature die
    ]
)
