"""What lies in Maui's box: towels, beaches, the market, options, and the record of a table in play.

Rows and columns of a beach count from 1, as in the rulebook. A position is the place of a tile's
top section in the column to be filled, from the top down; with overhang v there are 5 + 2v.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import permutations
from typing import Any

import numpy as np

from miaui_env.checks import check_flags, check_wholes
from miaui_env.engine.layout import record

MAX_SEATS = 4
ROWS = 7
COLUMNS = 13
LAST = COLUMNS - 1
"""Tiles that a player lays after the start tile."""
SECTIONS = 3
START_TOP = 3
"""The row of a start tile's top section (U7)."""
MAX_OVERHANG = 2
MAX_POSITIONS = ROWS - SECTIONS + 1 + 2 * MAX_OVERHANG


class Pattern(IntEnum):
    """The five patterns (U1); each has a track and a towel token."""

    WAVES = 0
    PALMS = 1
    FISH = 2
    FLOWERS = 3
    TURTLES = 4


class Umbrella(IntEnum):
    """What lies on an umbrella's cell (U3); the two steps are those of `steps`, in that order."""

    NONE = 0
    WHITE = 1
    BLACK = 2
    STEP = 3
    OTHER_STEP = 4


class Luck(IntEnum):
    """Purposes of random draws."""

    BAG = 0
    FIRST = 1
    STEPS = 2
    IMAGINED = 3
    UMBRELLAS = 4  # one more for each seat


PATTERNS = len(Pattern)
PATTERN_NAMES = tuple(pattern.name.lower() for pattern in Pattern)

# --- tiles (U1) -----------------------------------------------------------------------------------

TILES = np.array(list(permutations(range(PATTERNS), SECTIONS)), np.int8)
"""The patterns of each tile, top to bottom; int8 `(60, 3)`."""
NUM_TILES = len(TILES)
NO_TILE = -1
"""Where a tile was drawn from the bag."""


def triple_name(patterns: Any) -> str:
    """Three patterns as they are written: `waves/fish/palms`."""
    return "/".join(PATTERN_NAMES[pattern] for pattern in patterns)


TILE_NAMES = tuple(map(triple_name, TILES))
"""The name of each tile, by its number."""
TILE_NUMBERS = {name: number for number, name in enumerate(TILE_NAMES)}

# --- a beach (U2, U3) -----------------------------------------------------------------------------

ROW_VALUE = np.array([0, 3, 2, 1, 1, 1, 2, 3], np.int8)
"""Steps for a match, by row; row 0 is none."""
CELLS = ((3, 2), (4, 6), (6, 4), (7, 1), (8, 5), (10, 7), (11, 3), (12, 4))
"""Column and row of each umbrella's cell; no two share a column."""
CELL_NAMES = tuple(f"{column},{row}" for column, row in CELLS)
NO_CELL = -1
CELL_OF = np.full(COLUMNS + 1, NO_CELL, np.int8)
"""The cell in a column, as an index into `CELLS`."""
CELL_ROW = np.zeros(COLUMNS + 1, np.int8)
"""The row of the cell in a column; 0 where there is none."""
for _cell, (_column, _row) in enumerate(CELLS):
    CELL_OF[_column], CELL_ROW[_column] = _cell, _row
FULL_BEACH = np.array([1, 1, 1, 2, 2, 2, 3, 4], np.int8)
"""The umbrellas of a beach before they are shuffled."""
PEARL_WORTH = np.array([0, 2, 5, 9], np.int8)
"""Points for so many pearls of one kind (U17)."""


def _positions_on_beach(overhang: int, section: int) -> int:
    """Bit set of the positions in which a tile's section lies on the beach."""
    tops = range(1 - overhang, ROWS - SECTIONS + 2 + overhang)
    return sum(1 << i for i, top in enumerate(tops) if 1 <= top + section <= ROWS)


SECTION_ON_BEACH = np.array(
    [
        [_positions_on_beach(overhang, section) for section in range(SECTIONS)]
        for overhang in range(MAX_OVERHANG + 1)
    ]
)
"""Positions by overhang and section."""

# --- the market and the tracks (U4, U5) -----------------------------------------------------------

MARKET_ROWS = 2
PLACES = 3
MARKET = MARKET_ROWS * PLACES
TOKEN_STEP = 6
"""The step of a track on which its towel token lies."""


@dataclass(frozen=True)
class Options:
    """Options.

    Attributes:
        flat_match_points: a match is worth 1 step in every row (U12).
        overhang: at most so many sections of a tile may hang over the edge (U8).
    """

    flat_match_points: bool = False
    overhang: int = 1

    def __post_init__(self) -> None:
        """Check each value."""
        check_flags(self, "flat_match_points")
        check_wholes(self, overhang=(0, MAX_OVERHANG))

    @property
    def positions(self) -> int:
        """In how many places of a column a tile may lie."""
        return ROWS - SECTIONS + 1 + 2 * self.overhang


STATE = record(
    [
        # What every game's record has.
        ("num_players", "i1"),  # 2 … 4
        ("perfect_recall", "i1"),  # 0 or 1; all is open here, so it changes nothing
        ("over", "i1"),  # 0 or 1
        ("to_act", "i4"),  # bit of the seat whose turn it is
        ("turn", "i2"),  # from 1, of all seats together; stays at the last
        ("points", "i4", (MAX_SEATS,)),  # U17 as counted at the end of the seat's last turn
        # Options.
        ("flat_match_points", "i1"),  # 0 or 1
        ("overhang", "i1"),  # 0 … 2
        # What lies ready for the next deal.
        ("bag_stacked", "i1"),  # 1: `bag`
        ("steps_stacked", "i1"),  # 1: `steps`
        ("umbrellas_stacked", "i1"),  # 1: `umbrellas`
        ("first_stacked", "i1"),  # 1 + the first seat; 0: drawn
        # The table.
        ("first", "i1"),  # the seat of turn 1
        ("bag", "i1", (NUM_TILES,)),  # tiles from `top` on, in order; before that NO_TILE
        ("top", "i1"),  # index of the next tile
        ("unseen", "i1", (NUM_TILES,)),  # 1: this tile is in the bag
        ("market", "i1", (MARKET,)),  # tiles by row and place, cheap first
        ("piles", "i1", (MARKET_ROWS,)),  # dollars beside each row
        ("track_tokens", "i4"),  # bit set of the patterns whose token is still on its track
        ("steps", "i1", (2,)),  # patterns of the two step umbrellas
        # The seats.
        ("laid", "i1", (MAX_SEATS,)),  # tiles after the start tile, 0 … 12
        ("tops", "i1", (MAX_SEATS, COLUMNS)),  # row of each tile's top section
        ("columns", "i1", (MAX_SEATS, COLUMNS)),  # the patterns as they count: 1 + 25a + 5b + c
        ("front", "i4", (MAX_SEATS, PATTERNS)),  # rows where the last tile shows it; bit row - 1
        ("umbrellas", "i1", (MAX_SEATS, len(CELLS))),  # what lies on each cell
        ("dollars", "i1", (MAX_SEATS,)),
        ("penalties", "i1", (MAX_SEATS,)),
        ("tokens", "i4", (MAX_SEATS,)),  # bit set of towel tokens in hand
        ("tracks", "i1", (MAX_SEATS, PATTERNS)),  # the step on which the shell lies
        ("pearls", "i1", (MAX_SEATS, 2)),  # white, black
    ]
)
