"""Maui's rules as kernels, in the order of `RULES.md`: deal, what is legal, a turn, the end.

Kernels take one record of `pieces.STATE`. Fields that enter arithmetic are widened first: compiled
and plain Python then agree. Sets of positions and of rows are bit sets, the topmost lowest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import draw, shuffle
from miaui_env.games.maui.actions import BUYS, ON_BEACH, TOKEN_CHOICES
from miaui_env.games.maui.pieces import (
    CELL_OF,
    CELL_ROW,
    FULL_BEACH,
    LAST,
    LOWEST,
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
    SECTION_ON_BEACH,
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
def owes(state: Any, seat: int) -> bool:
    """Whether it is the seat's turn."""
    return bool((state.to_act >> seat) & 1)


@kernel
def positions(state: Any) -> int:
    """In how many places of a column a tile may lie."""
    return ON_BEACH + 2 * np.int64(state.overhang)


@kernel
def matching(state: Any, seat: int, pattern: int, section: int) -> int:
    """U8: the positions in which a section of that pattern matches the seat's last tile."""
    rows = np.int64(state.front[seat, pattern])
    return ((rows << np.int64(state.overhang)) >> section) & ((1 << positions(state)) - 1)


@kernel
def matching_printed(state: Any, seat: int, place: int, section: int) -> int:
    """The positions in which a market tile's section matches as it is printed."""
    return matching(state, seat, TILES[state.market[place], section], section)


@kernel
def fitting(state: Any, seat: int, place: int) -> int:
    """U8, U10: the positions in which a market tile fits by its printed patterns."""
    fits = 0
    for section in range(SECTIONS):
        fits |= matching_printed(state, seat, place, section)
    return fits


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
        state.umbrellas[seat, :] = FULL_BEACH
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


# --- what is legal (U8-U11) ----------------------------------------------------------------------


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """U8-U11: buys, piles with money, and free tiles where nothing fits or nothing else is left."""
    for action in range(len(mask)):
        mask[action] = 0
    if not owes(state, seat):
        return
    unfit = 0
    allowed = False
    for place in range(MARKET):
        fits = fitting(state, seat, place)
        if fits == 0:
            unfit |= 1 << place
        if place % PLACES <= state.dollars[seat]:
            allowed |= _allow_buys(state, seat, place, fits, mask)
    takes = BUYS * positions(state)
    for pile in range(MARKET_ROWS):
        if state.piles[pile] > 0:
            mask[takes + pile] = 1
            allowed = True
    if unfit == (1 << MARKET) - 1 or not allowed:
        _allow_free(unfit, takes + MARKET_ROWS, mask)


@kernel
def _allow_buys(state: Any, seat: int, place: int, fits: int, mask: Any) -> bool:
    """U8: a tile that can be paid, wherever it fits; also with a token. Says if there is a buy."""
    start = place * positions(state) * TOKEN_CHOICES
    _allow(mask, start, fits)
    if state.tokens[seat] == 0:
        return fits != 0
    found = fits
    for section in range(SECTIONS):
        found |= _allow_token_on(state, seat, place, section, mask)
    return found != 0


@kernel
def _allow_token_on(state: Any, seat: int, place: int, section: int, mask: Any) -> int:
    """U11: tokens on one section, which must lie on the beach; the other two match as printed."""
    start = place * positions(state) * TOKEN_CHOICES + 1 + section * PATTERNS
    found = 0
    others = 0
    for other in range(SECTIONS):
        if other != section:
            others |= matching_printed(state, seat, place, other)
    for pattern in range(PATTERNS):
        if (state.tokens[seat] >> pattern) & 1:
            fits = others | matching(state, seat, pattern, section)
            fits &= SECTION_ON_BEACH[state.overhang, section]
            _allow(mask, start + pattern, fits)
            found |= fits
    return found


@kernel
def _allow(mask: Any, start: int, fits: int) -> None:
    """One action for each position of a set."""
    while fits:
        mask[start + LOWEST[fits] * TOKEN_CHOICES] = 1
        fits &= fits - 1


@kernel
def _allow_free(unfit: int, start: int, mask: Any) -> None:
    """U10: any tile that does not fit, anywhere on the beach: it matches nothing."""
    for place in range(MARKET):
        if (unfit >> place) & 1:
            for position in range(ON_BEACH):
                mask[start + place * ON_BEACH + position] = 1


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
    _pass_turn(state)


@kernel
def _buy(state: Any, seat: int, action: int) -> None:
    """U8: pay into the row's pile, lay the tile, a token on it if one is chosen."""
    choice = action % TOKEN_CHOICES - 1
    slot = action // TOKEN_CHOICES
    place = slot // positions(state)
    cost = place % PLACES
    state.dollars[seat] -= cost
    state.piles[place // PLACES] += cost
    section = NO_SECTION
    if choice >= 0:
        section = choice // PATTERNS
        state.tokens[seat] ^= 1 << (choice % PATTERNS)
    top = slot % positions(state) + 1 - np.int64(state.overhang)
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
def _pass_turn(state: Any) -> None:
    """U16: the next seat, unless a round ends in which somebody has filled the beach."""
    n = np.int64(state.num_players)
    turn = np.int64(state.turn)
    if turn % n == 0:
        for seat in range(n):
            if state.laid[seat] == LAST:
                state.over = 1
                state.to_act = 0
                return
    state.turn = turn + 1
    state.to_act = 1 << ((np.int64(state.first) + turn) % n)
