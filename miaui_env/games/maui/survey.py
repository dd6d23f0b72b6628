"""Everything there is to know of a table, as one flat vector, for a central critic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, Field, put, put_bits
from miaui_env.games.maui.pieces import (
    CELLS,
    COLUMNS,
    LAST,
    MARKET,
    MARKET_ROWS,
    NO_TILE,
    NUM_TILES,
    PATTERNS,
    Umbrella,
)
from miaui_env.games.maui.view import penalty_bound, track_bound

if TYPE_CHECKING:
    from miaui_env.game import Setup


def survey_fields(setup: Setup) -> list[Field]:
    """The referee's vector, in the order in which `survey` writes it; seats are absolute."""
    n, over, money = setup.num_players, setup.options.overhang, setup.num_players + 2
    tile = NUM_TILES - 1
    return [
        Field("turn", (1,), 1, n * setup.longest, "the turn, of all seats together"),
        Field("to_act", (n,), 0, 1, "whose turn it is"),
        Field("first", (1,), 0, n - 1, "who had the first turn"),
        Field("market", (MARKET,), 0, tile, "tiles by row and place, by number"),
        Field("piles", (MARKET_ROWS,), 0, money, "dollars beside each row of the market"),
        Field("track_tokens", (PATTERNS,), 0, 1, "towel tokens still on their tracks"),
        Field("step_patterns", (2,), 0, PATTERNS - 1, "patterns of the two step umbrellas"),
        Field("laid", (n,), 0, LAST, "tiles laid after the start tile"),
        Field("tops", (n, COLUMNS), min(0, 1 - over), 5 + over, "row of each tile's top section"),
        Field("columns", (n, COLUMNS), 0, PATTERNS**3 - 1, "1 + 25a + 5b + c; 0: no tile"),
        Field("umbrellas", (n, len(CELLS)), 0, max(Umbrella), "umbrellas by kind"),
        Field("dollars", (n,), 0, money, "money in hand"),
        Field("penalties", (n,), 0, penalty_bound(setup), "penalty tokens"),
        Field("tokens", (n, PATTERNS), 0, 1, "towel tokens in hand"),
        Field("tracks", (n, PATTERNS), 0, track_bound(setup), "steps on each track"),
        Field("pearls", (n, 2), 0, 3, "white and black pearls"),
        Field("bag", (NUM_TILES - n - MARKET,), NO_TILE, tile, "tiles from the top, then -1"),
    ]


@kernel
def survey(state: Any, out: Any) -> Any:
    """Write everything there is to know; returns the cursor behind it."""
    n = np.int64(state.num_players)
    at = put(out, START, state.turn)
    at = put_bits(out, at, np.int64(state.to_act), n)
    at = put(out, at, state.first)
    for place in range(MARKET):
        at = put(out, at, state.market[place])
    for pile in range(MARKET_ROWS):
        at = put(out, at, state.piles[pile])
    at = put_bits(out, at, np.int64(state.track_tokens), PATTERNS)
    at = put(out, at, state.steps[0])
    at = put(out, at, state.steps[1])
    at = _survey_beaches(state, out, at)
    at = _survey_seats(state, out, at)
    for i in range(state.top, NUM_TILES):
        at = put(out, at, state.bag[i])
    for _ in range(n + MARKET, state.top):
        at = put(out, at, NO_TILE)
    return at


@kernel
def _survey_beaches(state: Any, out: Any, at: Any) -> Any:
    """Columns and umbrellas of each seat."""
    for seat in range(state.num_players):
        at = put(out, at, state.laid[seat])
    for seat in range(state.num_players):
        for column in range(COLUMNS):
            at = put(out, at, state.tops[seat, column])
    for seat in range(state.num_players):
        for column in range(COLUMNS):
            at = put(out, at, state.columns[seat, column])
    for seat in range(state.num_players):
        for cell in range(len(CELLS)):
            at = put(out, at, state.umbrellas[seat, cell])
    return at


@kernel
def _survey_seats(state: Any, out: Any, at: Any) -> Any:
    """What lies before each seat."""
    for seat in range(state.num_players):
        at = put(out, at, state.dollars[seat])
    for seat in range(state.num_players):
        at = put(out, at, state.penalties[seat])
    for seat in range(state.num_players):
        at = put_bits(out, at, np.int64(state.tokens[seat]), PATTERNS)
    for seat in range(state.num_players):
        for pattern in range(PATTERNS):
            at = put(out, at, state.tracks[seat, pattern])
    for seat in range(state.num_players):
        for kind in range(2):
            at = put(out, at, state.pearls[seat, kind])
    return at
