"""Everything the referee is told of a table, as one flat vector, for a central critic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, WIDE, Field, put, put_bits, put_zeros, wide
from miaui_env.games.lucky_catch.pieces import ANY, MOST_CASTS, RESULT_KINDS, ROW, SEA, TILES
from miaui_env.games.lucky_catch.view import (
    BOOT_CODE,
    CHEST_CODE,
    CODE,
    LEAST_SCORE,
    MOST_SCORE,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup


def survey_fields(setup: Setup) -> list[Field]:
    """The referee's vector, in the order in which `survey` writes it; seats are absolute."""
    n = setup.num_players
    last = SEA + ROW * n - 1
    return [
        Field("to_act", (n,), 0, 1, "whose cast it is"),
        *wide("casts", (1,), 0, MOST_CASTS, "casts played"),
        Field("dice", (2,), 0, ANY, "colour and creature die, 1 to 4, 5: wild, lucky; 0: none"),
        Field("chest", (1,), -1, n - 1, "who took the chest; -1: nobody yet"),
        Field("sea", (SEA,), 0, CHEST_CODE, "code of the face at each place; 0: empty"),
        Field("rows", (n, ROW), 0, BOOT_CODE, "code of the face at each place; 0: empty"),
        Field("last_seat", (1,), -1, n - 1, "who cast last; -1 before the first cast"),
        Field("last_dice", (2,), 0, ANY, "dice of the last cast"),
        *wide("last_place", (1,), -1, last, "where it was turned over; -1 before the first cast"),
        Field("last_face", (1,), 0, CHEST_CODE, "code of its face; 0 before the first cast"),
        Field("last_result", (1,), -1, RESULT_KINDS - 1, "match, miss, boot, chest; -1: none yet"),
        Field("scores", (n,), LEAST_SCORE, MOST_SCORE, "what each catch is worth"),
    ]


@kernel
def survey(state: Any, out: Any) -> Any:
    """Write everything the referee is told; returns the cursor behind it."""
    n = np.int64(state.num_players)
    at = put_bits(out, START, np.int64(state.to_act), n)
    at = put(out, at, np.int64(state.turn) >> 7)
    at = put(out, at, np.int64(state.turn) & (WIDE - 1))
    at = put(out, at, state.colour)
    at = put(out, at, state.creature)
    at = put(out, at, state.chest)
    places = at
    at = put_zeros(out, at, SEA + ROW * n)
    for tile in range(TILES):
        if state.place[tile] >= 0:
            out[places + np.uint64(state.place[tile])] = CODE[tile]
    at = _survey_last_cast(state, out, at)
    for seat in range(n):
        at = put(out, at, state.points[seat])
    return at


@kernel
def _survey_last_cast(state: Any, out: Any, at: Any) -> Any:
    """The last cast, with absolute seats and places."""
    place = np.int64(state.last_place)
    at = put(out, at, state.last_seat)
    at = put(out, at, state.last_colour)
    at = put(out, at, state.last_creature)
    at = put(out, at, place >> 7)
    at = put(out, at, place & (WIDE - 1))
    at = put(out, at, CODE[np.int64(state.last_tile)] if state.last_seat >= 0 else 0)
    return put(out, at, state.last_result)
