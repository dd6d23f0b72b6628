"""Maui's rules as kernels, in the order of `RULES.md`: deal, a turn, the end; see `legal.py`, too.

Kernels take one record of `pieces.STATE`. Fields that enter arithmetic are widened first: compiled
and plain Python then agree. Sets of positions and of rows are bit sets, the topmost lowest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import draw, shuffle
from miaui_env.engine.seats import clockwise
from miaui_env.games.maui.actions import BUYS, ON_BEACH, TOKEN_CHOICES
from miaui_env.games.maui.legal import place_and_position, positions
from miaui_env.games.maui.pieces import (
    CELL_OF,
    CELL_ROW,
    FULL_BEACH,
    LAST,
    MARKET,
    MARKET_ROWS,
    MAX_SEATS,
    NO_CELL,
    NO_TILE,
    NUM_TILES,
    PATTERNS,
    PEARL_WORTH,
    PLACES,
    ROW_VALUE,
    ROWS,
    SECTIONS,
    START_TOP,
    TILES,
    TOKEN_STEP,
    Luck,
    Umbrella,
)

NO_SECTION = -1
"""Where no token is laid."""


# --- queries -------------------------------------------------------------------------------------


@kernel
def row_value(state: Any, row: int) -> int:
    """U12: the steps that a match in that row is worth."""
    return 1 if state.flat_match_points else np.int64(ROW_VALUE[row])


@kernel
def score(state: Any, seat: int) -> int:
    """U17, as it stands."""
    points = np.int64(state.dollars[seat]) - np.int64(state.penalties[seat])
    for pattern in range(PATTERNS):
        points += state.tracks[seat, pattern]
    for kind in range(2):
        points += PEARL_WORTH[state.pearls[seat, kind]]
    return points


# --- setup (U3-U7) -------------------------------------------------------------------------------


@kernel
def deal(state: Any, key: Any) -> None:
    """U3-U7: fill the bag, lay umbrellas, start tiles and market, hand out money, find who begins.

    What is stacked lies in the record already.
    """
    n = np.int64(state.num_players)
    _fill_bag(state, key)
    _draw_steps(state, key)
    for seat in range(MAX_SEATS):
        _clear_seat(state, seat, seat < n)
        _lay_umbrellas(state, seat, key)
    for seat in range(n):
        _lay_start(state, seat, draw_tile(state))
    for place in range(MARKET):
        state.market[place] = draw_tile(state)
    state.piles[:] = 1
    state.track_tokens = (1 << PATTERNS) - 1
    state.first = state.first_stacked - 1 if state.first_stacked else draw(key, Luck.FIRST, 0, n)
    state.bag_stacked = state.steps_stacked = state.umbrellas_stacked = state.first_stacked = 0
    state.over = 0
    state.turn = 1
    state.to_act = 1 << np.int64(state.first)


@kernel
def _fill_bag(state: Any, key: Any) -> None:
    """U1: all 60 tiles, shuffled."""
    state.unseen[:] = 1
    state.top = 0
    if not state.bag_stacked:
        for tile in range(NUM_TILES):
            state.bag[tile] = tile
        shuffle(state.bag, 0, NUM_TILES, key, Luck.BAG)


@kernel
def _draw_steps(state: Any, key: Any) -> None:
    """U3: two different patterns, the same for all."""
    if not state.steps_stacked:
        one = draw(key, Luck.STEPS, 0, PATTERNS)
        state.steps[0] = one
        state.steps[1] = (one + 1 + draw(key, Luck.STEPS, 1, PATTERNS - 1)) % PATTERNS


@kernel
def _clear_seat(state: Any, seat: int, plays: bool) -> None:
    """An empty beach, and 1 dollar for those who play (U6)."""
    state.points[seat] = 0
    state.laid[seat] = 0
    state.dollars[seat] = 1 if plays else 0
    state.penalties[seat] = 0
    state.tokens[seat] = 0
    state.tops[seat, :] = 0
    state.columns[seat, :] = 0
    state.front[seat, :] = 0
    state.tracks[seat, :] = 0
    state.pearls[seat, :] = 0


@kernel
def _lay_umbrellas(state: Any, seat: int, key: Any) -> None:
    """U3: eight umbrellas on their cells, shuffled for each seat that plays."""
    if seat >= state.num_players:
        state.umbrellas[seat, :] = Umbrella.NONE
    elif not state.umbrellas_stacked:
        for cell in range(len(FULL_BEACH)):
            state.umbrellas[seat, cell] = FULL_BEACH[cell]
        shuffle(state.umbrellas[seat], 0, len(FULL_BEACH), key, Luck.UMBRELLAS + seat)


@kernel
def _lay_start(state: Any, seat: int, tile: int) -> None:
    """U7: the start tile, in the middle of column 1."""
    show(state, seat, 0, START_TOP, TILES[tile, 0], TILES[tile, 1], TILES[tile, 2])


@kernel
def draw_tile(state: Any) -> int:
    """The next tile of the bag, which cannot run out: 4 seats × 13 + the market are 58."""
    top = np.int64(state.top)
    tile = np.int64(state.bag[top])
    state.bag[top] = NO_TILE
    state.unseen[tile] = 0
    state.top = top + 1
    return tile


# --- a turn (U8-U15) -----------------------------------------------------------------------------


@kernel
def play(state: Any, seat: int, action: int, key: Any) -> None:
    """A turn; the seat's points are counted at its end."""
    buys = BUYS * positions(state)
    if action < buys:
        _buy(state, seat, action)
    elif action < buys + MARKET_ROWS:
        _take_money(state, seat, action - buys)
    else:
        _take_free(state, seat, action - buys - MARKET_ROWS)
    state.points[seat] = score(state, seat)
    _pass_turn(state, seat)


@kernel
def _buy(state: Any, seat: int, action: int) -> None:
    """U8: pay into the row's pile, lay the tile, a token on it if one is chosen."""
    choice = action % TOKEN_CHOICES - 1
    place, position = place_and_position(state, action)
    cost = place % PLACES
    state.dollars[seat] -= cost
    state.piles[place // PLACES] += cost
    section = NO_SECTION
    if choice >= 0:
        section = choice // PATTERNS
        state.tokens[seat] ^= 1 << (choice % PATTERNS)
    top = position + 1 - np.int64(state.overhang)
    _lay(state, seat, place, top, section, choice % PATTERNS)


@kernel
def _take_money(state: Any, seat: int, pile: int) -> None:
    """U9: all dollars of a pile."""
    state.dollars[seat] += state.piles[pile]
    state.piles[pile] = 0


@kernel
def _take_free(state: Any, seat: int, choice: int) -> None:
    """U10: a tile that costs nothing but a penalty token."""
    state.penalties[seat] += 1
    _lay(state, seat, choice // ON_BEACH, choice % ON_BEACH + 1, NO_SECTION, 0)


@kernel
def _lay(state: Any, seat: int, place: int, top: int, section: int, pattern: int) -> None:
    """U8, U11-U15: lay a market tile in the next column, and all that follows."""
    tile = np.int64(state.market[place])
    a = pattern if section == 0 else np.int64(TILES[tile, 0])
    b = pattern if section == 1 else np.int64(TILES[tile, 1])
    c = pattern if section == 2 else np.int64(TILES[tile, 2])
    for row, shown in ((top, a), (top + 1, b), (top + 2, c)):
        if row < 1 or row > ROWS:
            state.penalties[seat] += 1
        elif (state.front[seat, shown] >> (row - 1)) & 1:
            state.tracks[seat, shown] += row_value(state, row)  # U12
    state.laid[seat] += 1
    show(state, seat, np.int64(state.laid[seat]), top, a, b, c)
    _lift_umbrella(state, seat, np.int64(state.laid[seat]) + 1, top)
    _win_tokens(state, seat)
    _refill(state, place)


@kernel
def show(state: Any, seat: int, column: int, top: int, a: int, b: int, c: int) -> None:
    """A tile lies in a column, counted from 0, and is the last one now."""
    state.tops[seat, column] = top
    state.columns[seat, column] = 1 + PATTERNS * (PATTERNS * np.int64(a) + b) + c
    state.front[seat, :] = 0
    for row, shown in ((top, a), (top + 1, b), (top + 2, c)):
        if 1 <= row <= ROWS:
            state.front[seat, shown] |= 1 << (row - 1)


@kernel
def _lift_umbrella(state: Any, seat: int, column: int, top: int) -> None:
    """U13: the umbrella under the tile, if there is one; no column, from 1, has two cells."""
    cell = np.int64(CELL_OF[column])
    row = np.int64(CELL_ROW[column])
    if cell == NO_CELL or row < top or row >= top + SECTIONS:
        return
    lifted = np.int64(state.umbrellas[seat, cell])
    state.umbrellas[seat, cell] = Umbrella.NONE
    if lifted >= Umbrella.STEP:
        state.tracks[seat, state.steps[lifted - Umbrella.STEP]] += 1
    else:
        state.pearls[seat, lifted - Umbrella.WHITE] += 1


@kernel
def _win_tokens(state: Any, seat: int) -> None:
    """U14: tokens still on tracks whose step the own shell has reached or passed."""
    for pattern in range(PATTERNS):
        won = np.int64(state.track_tokens) & (1 << pattern)
        if won and state.tracks[seat, pattern] >= TOKEN_STEP:
            state.track_tokens ^= won
            state.tokens[seat] |= won


@kernel
def _refill(state: Any, place: int) -> None:
    """U15: tiles of that row slide to the cheap side, a new one enters at the dearest place."""
    dearest = place - place % PLACES + PLACES - 1
    for i in range(place, dearest):
        state.market[i] = state.market[i + 1]
    state.market[dearest] = draw_tile(state)


# --- the end (U16) -------------------------------------------------------------------------------


@kernel
def _pass_turn(state: Any, seat: int) -> None:
    """U16: the next seat, unless a round ends in which somebody has filled the beach."""
    n = np.int64(state.num_players)
    following = clockwise(seat, 1, n)
    if following == state.first:
        for other in range(n):
            if state.laid[other] == LAST:
                state.over = 1
                state.to_act = 0
                return
    state.turn += 1
    state.to_act = 1 << following
