"""What a seat may know of a table of Lucky Catch, as one flat vector of named fields.

`knowledge.py` tells the same as a dict and back. Observations are relative: the own seat first,
then clockwise; places stand in the order of the actions: the sea, the own row, the rows clockwise.
The table view comes first, then what perfect recall adds, so that a bot of the table can be cut a
prefix of a perfect-recall observation.

A place is one entry: EMPTY, FACE_DOWN for a tile that the seat was not shown lately, or the code
of the face. Beside it, in a field of its own, stands whether that face fits the dice (L3), which is
what a player looks for: 1 it does, -1 it does not, 0 for a face not known and where no dice lie.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.bits import lowest
from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import (
    START,
    WIDE,
    Field,
    put,
    put_around,
    put_bits,
    put_one_hot,
    put_seat,
    put_word,
    put_zeros,
    wide,
)
from miaui_env.engine.seats import bits_around, steps_to
from miaui_env.games.lucky_catch.pieces import (
    ANY,
    BOOTS,
    CHEST,
    CREATURE_TILES,
    FITS,
    MAX_SEATS,
    MOST_CASTS,
    NO_DIE,
    NOWHERE,
    RESULT_KINDS,
    ROW,
    SEA,
    TILES,
)
from miaui_env.games.lucky_catch.rules import owner, to_relative

if TYPE_CHECKING:
    from miaui_env.game import Setup

EMPTY = 0
FACE_DOWN = 1
FIRST_FACE = 2
"""Code of the first creature."""
BOOT_CODE = FIRST_FACE + CREATURE_TILES
CHEST_CODE = BOOT_CODE + 1
CODE = np.array([*range(FIRST_FACE, BOOT_CODE), *[BOOT_CODE] * BOOTS, CHEST_CODE], np.int8)
"""Code of the face of each tile."""
_SIGNS = np.where(FITS, 1, -1).astype(np.int8)
"""What an observation says of a tile that it shows, by dice: 1 it fits, -1 it does not, 0: none."""
_SIGNS[NO_DIE], _SIGNS[:, NO_DIE] = 0, 0
_IN_AREA = np.array([1] * SEA + [1 << 8 * (1 + i // ROW) for i in range(MAX_SEATS * ROW)])
"""One tile, by its place, in a word that has a byte for the sea and one for each row."""


class See(IntEnum):
    """The fields of an observation, in order; a bot reads field f from `offsets[f]` on."""

    TO_ACT = 0
    CASTS_HIGH = 1
    CASTS_LOW = 2
    COLOUR_DIE = 3
    CREATURE_DIE = 4
    SEA_SIZE = 5
    ROW_SIZES = 6
    CHEST = 7
    SEA = 8
    ROWS = 9
    SEA_FITS = 10
    ROWS_FITS = 11
    LAST_SEAT = 12
    LAST_COLOUR = 13
    LAST_CREATURE = 14
    LAST_AREA = 15
    LAST_INDEX = 16
    LAST_FACE = 17
    LAST_RESULT = 18
    SCORES = 19
    RECALLED_SEA = 20
    RECALLED_ROWS = 21
    RECALLED_SEA_FITS = 22
    RECALLED_ROWS_FITS = 23
    RECALLED_SCORES = 24
    UNSEEN = 25


LEAST_SCORE, MOST_SCORE = -BOOTS, CREATURE_TILES + 2
"""All boots and nothing else; all creatures and the chest."""
LONG_GAME = "a game must take 384 casts, and random play takes about 110"
LONG_ROW = "one seat must take all creatures and all boots before the sea is empty"
LOPSIDED = "one seat must take all boots, or all creatures and the chest, and nothing else"


def fields(setup: Setup) -> list[Field]:
    """The seat's observation, in the order in which `observe` writes it."""
    n = setup.num_players
    listed = [
        Field("to_act", (n,), 0, 1, "whose cast it is"),
        *wide("casts", (1,), 0, MOST_CASTS, "casts played", rare=LONG_GAME),
        Field("colour_die", (ANY,), 0, 1, "red, green, blue, yellow, wild; all 0 at the end"),
        Field("creature_die", (ANY,), 0, 1, "the four creatures, lucky; all 0 at the end"),
        Field("sea_size", (1,), 0, SEA, "tiles in the sea"),
        Field("row_sizes", (n,), 0, ROW, "tiles in each row", rare=LONG_ROW),
        Field("chest", (n,), 0, 1, "who took the chest; all 0: nobody yet"),
        *_places(n, "", "turned over since the own last decision"),
        Field("last_seat", (n,), 0, 1, "who cast last; all 0 before the first cast"),
        Field("last_colour", (ANY,), 0, 1, "colour die of the last cast"),
        Field("last_creature", (ANY,), 0, 1, "creature die of the last cast"),
        Field("last_area", (1 + n,), 0, 1, "where it was turned over: the sea, or whose row"),
        Field("last_index", (1,), 0, SEA - 1, "at which place there"),
        Field("last_face", (1,), 0, CHEST_CODE, "code of its face; 0 before the first cast"),
        Field("last_result", (RESULT_KINDS,), 0, 1, "match, miss, boot, chest"),
        Field(
            "scores", (n,), LEAST_SCORE, MOST_SCORE, "points at the end; 0 before", rare=LOPSIDED
        ),
    ]
    if setup.perfect_recall:
        unseen = (CREATURE_TILES, BOOTS, 1, CREATURE_TILES)
        listed += [
            *_places(n, "recalled_", "ever turned over"),
            Field(
                "recalled_scores",
                (n,),
                LEAST_SCORE,
                MOST_SCORE,
                "what each catch is worth",
                rare=LOPSIDED,
            ),
            Field("unseen", (4,), 0, unseen, "never turned over: creatures, boots, chest, fitting"),
        ]
    return listed


def _places(n: int, name: str, since: str) -> list[Field]:
    """All places, and faces of tiles turned over `since`; boots turned over leave the sea."""
    codes = f"0: empty, 1: face down; faces of tiles {since}"
    return [
        Field(f"{name}sea", (SEA,), EMPTY, BOOT_CODE - 1, f"the sea, row by row; {codes}"),
        Field(f"{name}rows", (n, ROW), EMPTY, BOOT_CODE, f"the rows; {codes}"),
        Field(f"{name}sea_fits", (SEA,), -1, 1, "whether that face fits the dice; 0: not known"),
        Field(f"{name}rows_fits", (n, ROW), -1, 1, "whether that face fits the dice; 0: not known"),
    ]


# --- observe ------------------------------------------------------------------------------------


@kernel
def observe(state: Any, seat: int, out: Any) -> Any:
    """Write what the seat may know; returns the cursor behind it."""
    n = np.int64(state.num_players)
    at = _put_progress(state, seat, out, START)
    at = _put_places(state, seat, np.int64(state.recent[seat]), out, at)
    at = _put_last_cast(state, seat, out, at)
    at = put_zeros(out, at, n) if state.to_act else put_around(out, at, state.points, seat, n)
    if state.perfect_recall:
        at = _put_places(state, seat, np.int64(state.turned), out, at)
        at = put_around(out, at, state.points, seat, n)
        at = _put_unseen(state, out, at)
    return at


@kernel
def _put_progress(state: Any, seat: int, out: Any, at: Any) -> Any:
    """Whose cast, how many there were, the dice, how many tiles lie where, the chest."""
    n = np.int64(state.num_players)
    at = put_bits(out, at, bits_around(np.int64(state.to_act), seat, n), n)
    casts = np.int64(state.turn)
    at = put(out, at, casts >> 7)
    at = put(out, at, casts & (WIDE - 1))
    at = put_one_hot(out, at, np.int64(state.colour) - 1, ANY)
    at = put_one_hot(out, at, np.int64(state.creature) - 1, ANY)
    at = _put_sizes(state, seat, out, at)
    return put_seat(out, at, np.int64(state.chest), seat, n)


@kernel
def _put_sizes(state: Any, seat: int, out: Any, at: Any) -> Any:
    """How many tiles lie in the sea and in each row: counted in the bytes of one word.

    The rows are turned to the seat once, at the end: 12 ns, 27 with each tile turned.
    """
    n = np.int64(state.num_players)
    sizes = np.int64(state.place[CHEST] != NOWHERE)
    for tile in range(CHEST):
        sizes += _IN_AREA[np.int64(state.place[tile])]
    rows = bits_around(sizes >> 8, 8 * seat, 8 * n)
    return put_word(out, at, rows << 8 | sizes & 0xFF, 1 + n)


@kernel
def _put_places(state: Any, seat: int, known: int, out: Any, at: Any) -> Any:
    """Every place, and whether the face there fits the dice, for the tiles `known`.

    First all face down, then the few that are known. (In one pass over all: 71 ns at two seats, and
    102 at six; so: 40 and 51.)
    """
    n = np.int64(state.num_players)
    slots = SEA + ROW * n
    codes, fits = at, at + np.uint64(slots)
    at = put_zeros(out, at, 2 * slots)
    for tile in range(CHEST):
        out[codes + _slot(state, seat, tile, n)] = FACE_DOWN
    if state.place[CHEST] != NOWHERE:
        out[codes + np.uint64(state.place[CHEST])] = FACE_DOWN
    signs = _SIGNS[np.int64(state.colour), np.int64(state.creature)]
    known &= ~(1 << CHEST)  # as soon as it is known, it lies nowhere
    while known:
        tile = lowest(known)
        slot = _slot(state, seat, tile, n)
        out[codes + slot] = CODE[tile]
        out[fits + slot] = signs[tile]
        known &= known - 1
    return at


@kernel
def _slot(state: Any, seat: int, tile: int, n: int) -> Any:
    """Where the seat sees a tile that lies somewhere."""
    return np.uint64(to_relative(np.int64(state.place[tile]), seat, n))


@kernel
def _put_last_cast(state: Any, seat: int, out: Any, at: Any) -> Any:
    """Who cast last, with which dice, where, what was turned over, what came of it."""
    n = np.int64(state.num_players)
    caster, place = np.int64(state.last_seat), np.int64(state.last_place)
    at = put_seat(out, at, caster, seat, n)
    at = put_one_hot(out, at, np.int64(state.last_colour) - 1, ANY)
    at = put_one_hot(out, at, np.int64(state.last_creature) - 1, ANY)
    area = owner(place)
    relative = steps_to(area, seat, n) + 1 if area >= 0 else 0
    at = put_one_hot(out, at, relative if caster >= 0 else -1, 1 + n)
    index = place if area < 0 else (place - SEA) % ROW
    at = put(out, at, max(index, 0))
    at = put(out, at, CODE[np.int64(state.last_tile)] if caster >= 0 else 0)
    return put_one_hot(out, at, np.int64(state.last_result), RESULT_KINDS)


@kernel
def _put_unseen(state: Any, out: Any, at: Any) -> Any:
    """How many tiles were never turned over: creatures, boots, the chest, those that fit."""
    counts = at
    at = put_zeros(out, at, 4)
    colour, creature = np.int64(state.colour), np.int64(state.creature)
    for tile in range(TILES):
        if not (np.int64(state.turned) >> tile) & 1:
            kind = 0 if tile < CREATURE_TILES else 2 if tile == CHEST else 1
            out[counts + np.uint64(kind)] += 1
            if FITS[colour, creature, tile]:
                out[counts + np.uint64(3)] += 1
    return at
