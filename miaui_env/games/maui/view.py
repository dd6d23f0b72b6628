"""What a seat may know of a table of Maui, as one flat vector of named fields.

All but the order of the bag lies open, so both recall modes show the same. `knowledge.py` tells it
as a dict and back. Observations are relative: the own seat first, then clockwise; views name
absolute seats. Fields in reading order (`See`).

What the next tile meets (the market, the last tile of each seat, the umbrellas) is written in
flags; older columns, which matter no more, are numbers.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import (
    START,
    Field,
    put,
    put_bits,
    put_one_hot,
    put_row,
    put_word,
    words_of,
)
from miaui_env.engine.seats import bits_around, clockwise, steps_to
from miaui_env.games.maui.actions import ON_BEACH
from miaui_env.games.maui.legal import positions
from miaui_env.games.maui.pieces import (
    CELLS,
    COLUMNS,
    LAST,
    MARKET,
    MARKET_ROWS,
    MAX_OVERHANG,
    MAX_POSITIONS,
    NUM_TILES,
    PATTERNS,
    ROW_VALUE,
    ROWS,
    SECTIONS,
    TILES,
    Umbrella,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup

KINDS = len(Umbrella) - 1
"""Flags of one umbrella."""


class See(IntEnum):
    """The fields of an observation, in order; a bot reads field f from `offsets[f]` on."""

    TURN = 0
    TO_ACT = 1
    FIRST = 2
    MARKET = 3
    PILES = 4
    GAINS = 5
    TRACK_TOKENS = 6
    STEP_PATTERNS = 7
    LAID = 8
    DOLLARS = 9
    PENALTIES = 10
    TOKENS = 11
    TRACKS = 12
    PEARLS = 13
    FRONT = 14
    UMBRELLAS = 15
    TOPS = 16
    COLUMNS = 17
    UNSEEN = 18


# --- which fields there are ---------------------------------------------------------------------

NO_TURN_WASTED = "every tile must be paid into an empty pile, and that money be taken alone"
ALL_PENALTIES = "every tile but the first must hang over an edge, or be a free one"
ONE_WAY = "one pattern must match in every column, from the second on in an outer row"
EARLY_TOKEN = "the token of the last pattern must be won, and used at the right tile of a few"


def fields(setup: Setup) -> list[Field]:
    """The seat's observation, in the order in which `observe` writes it."""
    n, places = setup.num_players, setup.options.positions
    money = n + 2
    return [
        Field(
            "turn",
            (1,),
            1,
            n * setup.longest,
            "the turn, of all seats together",
            rare=NO_TURN_WASTED,
        ),
        Field("to_act", (n,), 0, 1, "whose turn it is"),
        Field("first", (n,), 0, 1, "who had the first turn"),
        Field("market", (MARKET, SECTIONS, PATTERNS), 0, 1, "patterns of the market's tiles"),
        Field("piles", (MARKET_ROWS,), 0, money, "dollars beside each row of the market"),
        Field("gains", (MARKET, places), 0, _gain_bounds(setup), "steps for a tile, no token"),
        Field("track_tokens", (PATTERNS,), 0, 1, "towel tokens still on their tracks"),
        Field("step_patterns", (2, PATTERNS), 0, 1, "patterns of the two step umbrellas"),
        Field("laid", (n,), 0, LAST, "tiles laid after the start tile"),
        Field("dollars", (n,), 0, money, "money in hand"),
        Field("penalties", (n,), 0, penalty_bound(setup), "penalty tokens", rare=ALL_PENALTIES),
        Field("tokens", (n, PATTERNS), 0, 1, "towel tokens in hand"),
        Field("tracks", (n, PATTERNS), 0, track_bound(setup), "steps on each track", rare=ONE_WAY),
        Field("pearls", (n, 2), 0, 3, "white and black pearls"),
        Field("front", (n, PATTERNS, ROWS), 0, 1, "rows where the last tile shows a pattern"),
        Field("umbrellas", (n, len(CELLS), KINDS), 0, 1, "umbrellas: white, black, the two steps"),
        Field("tops", (n, LAST), *_top_bounds(setup), "top rows of the tiles after the start tile"),
        Field(
            "columns",
            (n, COLUMNS),
            *_column_bounds(setup),
            "1 + 25a + 5b + c; 0: no tile",
            rare=EARLY_TOKEN,
        ),
        Field("unseen", (NUM_TILES,), 0, 1, "tiles in the bag, in the order of all tiles"),
    ]


def _gain_bounds(setup: Setup) -> tuple[int, ...]:
    """All sections on the beach match; a token has made that possible."""
    worth = [1 if setup.options.flat_match_points else int(value) for value in ROW_VALUE]
    first = 1 - setup.options.overhang
    tiles = [range(top, top + SECTIONS) for top in range(first, first + setup.options.positions)]
    return tuple(sum(worth[row] for row in tile if 1 <= row <= ROWS) for tile in tiles)


def penalty_bound(setup: Setup) -> int:
    """None for the first tile, then all hang over, or are free ones.

    A start tile lies in the middle: it and any other share a pattern, as two times three is more
    than five, and may meet there wholly on the beach. So each first tile fits, and is not free; and
    what hangs over does not reach the middle rows.
    """
    return (LAST - 1) * max(1, setup.options.overhang)


def track_bound(setup: Setup) -> int:
    """The longest way on one track.

    A pattern shows once in a column; its only token makes that twice in one column, which helps
    nothing, as its neighbours show it once. So there is one match a tile, and one step umbrella.
    Flat, twelve matches. Else eleven in row 1, the first tile matching by another pattern: a start
    tile lies where a match is worth 1.
    """
    return LAST + 1 if setup.options.flat_match_points else 3 * (LAST - 1) + 1


def _top_bounds(setup: Setup) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What hangs over would miss a start tile, so the next tile does not; 0: no tile."""
    over, bottom = setup.options.overhang, ROWS - SECTIONS + 1
    return (0, *[min(0, 1 - over)] * (LAST - 1)), (bottom, *[bottom + over] * (LAST - 1))


def _column_bounds(setup: Setup) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Printed patterns differ; with a token two may be alike.

    A token is won with the third tile at the earliest (0 + 3 + 3 steps, for the way to row 1; a
    first match is worth 1 and then there are none), flat with the fifth (and an umbrella).
    """
    printed = [column_number(tile) for tile in TILES]
    without = 6 if setup.options.flat_match_points else 4
    most = [max(printed)] * without + [column_number((4, 4, 3))] * (COLUMNS - without)
    return (min(printed), *[0] * (COLUMNS - 1)), tuple(most)


def column_number(patterns: Any) -> int:
    """Three patterns as one number from 1."""
    a, b, c = map(int, patterns)
    return 1 + PATTERNS * (PATTERNS * a + b) + c


def column_patterns(number: int) -> tuple[int, int, int]:
    """The three patterns of that number."""
    left, c = divmod(number - 1, PATTERNS)
    return (*divmod(left, PATTERNS), c)


_PRINTED = np.eye(PATTERNS, dtype=np.int8)[TILES].reshape(NUM_TILES, SECTIONS * PATTERNS)
_FLAGS = np.stack([words_of(_PRINTED[:, :8]), words_of(_PRINTED[:, 8:])], 1)
"""The market's flags of each tile, as two words; int64 `(60, 2)`."""
_KINDS = np.eye(1 + KINDS, dtype=np.int8)[:, 1:]
_TWO_UMBRELLAS = np.array([words_of([[*one, *other] for other in _KINDS]) for one in _KINDS])
"""The flags of two cells by what lies on each; int64 `(5, 5)`."""
_OVERHANGS = range(MAX_OVERHANG + 1)


def _gain_words(flat: int, overhang: int, section: int) -> np.ndarray:
    """By the set of rows that match a section, what it gains in each position; int64 `(2, 128)`.

    The first number has a byte for each of the positions 0 to 7, the second is position 8.
    """
    rows = np.arange(MAX_POSITIONS) + section + 1 - overhang
    lies = (rows >= 1) & (rows <= ROWS) & (np.arange(MAX_POSITIONS) < ON_BEACH + 2 * overhang)
    worth = np.where(lies, ROW_VALUE[rows.clip(0, ROWS)], 0)
    matches = np.arange(1 << ROWS)[:, None] >> (rows - 1).clip(0) & 1
    gains = matches * (worth > 0 if flat else worth)
    return np.stack([words_of(gains[:, :8]), gains[:, 8]])


_GAINS = np.array(
    [
        [[_gain_words(flat, v, section) for section in range(SECTIONS)] for v in _OVERHANGS]
        for flat in range(2)
    ]
)


# --- observe ------------------------------------------------------------------------------------


@kernel
def observe(state: Any, seat: int, out: Any) -> Any:
    """Write what the seat may know; returns the cursor behind it."""
    at = _put_turn(state, seat, out, START)
    at = _put_market(state, out, at)
    at = _put_gains(state, seat, out, at)
    at = put_bits(out, at, np.int64(state.track_tokens), PATTERNS)
    at = put_one_hot(out, at, np.int64(state.steps[0]), PATTERNS)
    at = put_one_hot(out, at, np.int64(state.steps[1]), PATTERNS)
    at = _put_seats(state, seat, out, at)
    at = _put_beaches(state, seat, out, at)
    return put_row(out, at, state.unseen, 0, NUM_TILES)


@kernel
def _put_turn(state: Any, seat: int, out: Any, at: Any) -> Any:
    """The turn, whose it is, who began."""
    n = np.int64(state.num_players)
    at = put(out, at, state.turn)
    at = put_bits(out, at, bits_around(np.int64(state.to_act), seat, n), n)
    return put_one_hot(out, at, steps_to(np.int64(state.first), seat, n), n)


@kernel
def _put_market(state: Any, out: Any, at: Any) -> Any:
    """Tiles by row and place, and the piles.

    A tile's flags are two words: 8 ns for the market, 26 with one for each section.
    """
    for place in range(MARKET):
        tile = np.int64(state.market[place])
        at = put_word(out, at, _FLAGS[tile, 0], 8)
        at = put_word(out, at, _FLAGS[tile, 1], SECTIONS * PATTERNS - 8)
    for pile in range(MARKET_ROWS):
        at = put(out, at, state.piles[pile])
    return at


@kernel
def _put_gains(state: Any, seat: int, out: Any, at: Any) -> Any:
    """U12: steps for each tile in each position, as it is printed; 0 where it does not fit.

    Looked up for all positions at once: how many of them match, nobody can predict. And looked up
    by the rows that match, as they lie in the record: 25 ns, 48 by positions.
    """
    slots = positions(state)
    gains = _GAINS[np.int64(state.flat_match_points), np.int64(state.overhang)]
    for place in range(MARKET):
        tile = np.int64(state.market[place])
        at = put_word(out, at, _gain(state, seat, tile, gains[:, 0]), min(slots, 8))
        if slots > 8:
            at = put(out, at, _gain(state, seat, tile, gains[:, 1]))
    return at


@kernel
def _gain(state: Any, seat: int, tile: int, gains: Any) -> int:
    """The sum over the sections of a tile."""
    steps = 0
    for section in range(SECTIONS):
        steps += gains[section, np.int64(state.front[seat, TILES[tile, section]])]
    return steps


@kernel
def _put_seats(state: Any, seat: int, out: Any, at: Any) -> Any:
    """What lies before each seat, but for its beach."""
    n = np.int64(state.num_players)
    dollars, penalties = at + np.uint64(n), at + np.uint64(2 * n)
    for steps in range(n):  # in one loop, which takes 9 ns at two seats, and not in three: 14 ns
        other = clockwise(seat, steps, n)
        at = put(out, at, state.laid[other])
        dollars = put(out, dollars, state.dollars[other])
        penalties = put(out, penalties, state.penalties[other])
    at = penalties
    for steps in range(n):
        at = put_bits(out, at, np.int64(state.tokens[clockwise(seat, steps, n)]), PATTERNS)
    for steps in range(n):
        for pattern in range(PATTERNS):
            at = put(out, at, state.tracks[clockwise(seat, steps, n), pattern])
    for steps in range(n):
        for kind in range(2):
            at = put(out, at, state.pearls[clockwise(seat, steps, n), kind])
    return at


@kernel
def _put_beaches(state: Any, seat: int, out: Any, at: Any) -> Any:
    """The last tile, the umbrellas and all columns of each seat.

    Two umbrellas are one word: all this takes 34 ns at two seats, 45 with a word for each.
    """
    n = np.int64(state.num_players)
    for steps in range(n):
        for pattern in range(PATTERNS):
            at = put_bits(out, at, np.int64(state.front[clockwise(seat, steps, n), pattern]), ROWS)
    for steps in range(n):
        other = clockwise(seat, steps, n)
        for cell in range(0, len(CELLS), 2):
            one, two = state.umbrellas[other, cell], state.umbrellas[other, cell + 1]
            at = put_word(out, at, _TWO_UMBRELLAS[one, two], 2 * KINDS)
    for steps in range(n):
        at = put_row(out, at, state.tops[clockwise(seat, steps, n)], 1, COLUMNS - 1)
    for steps in range(n):
        at = put_row(out, at, state.columns[clockwise(seat, steps, n)], 0, COLUMNS)
    return at
