"""What fits where in Maui, and what a seat may do (U8-U11).

Kernels take one record of `pieces.STATE`; sets of positions are bit sets, the topmost lowest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.bits import lowest
from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, put_zeros
from miaui_env.games.maui.actions import BUYS, ON_BEACH, TOKEN_CHOICES
from miaui_env.games.maui.pieces import (
    MARKET,
    MARKET_ROWS,
    MAX_OVERHANG,
    MAX_POSITIONS,
    PATTERNS,
    PLACES,
    SECTION_ON_BEACH,
    SECTIONS,
    TILES,
)

_SLOTS = np.arange(MARKET * MAX_POSITIONS)
_POSITIONS = ON_BEACH + 2 * np.arange(MAX_OVERHANG + 1)[:, None]
_PLACE = (_SLOTS // _POSITIONS).astype(np.int8)
"""The market tile of each slot, by overhang; looked up, since to divide takes longer."""
_BUY = (_SLOTS // MAX_POSITIONS * _POSITIONS + _SLOTS % MAX_POSITIONS) * TOKEN_CHOICES
"""The buy without a token that each bit of `all_fitting` stands for, by overhang."""
_ALL = (1 << MAX_POSITIONS) - 1
_AFFORDABLE = np.array(
    [
        sum(_ALL << (MAX_POSITIONS * place) for place in range(MARKET) if place % PLACES <= dollars)
        for dollars in range(PLACES)
    ]
)
"""The bits of `all_fitting` that are of tiles for so many dollars or less."""


@kernel
def owes(state: Any, seat: int) -> bool:
    """Whether it is the seat's turn."""
    return bool((state.to_act >> seat) & 1)


@kernel
def positions(state: Any) -> int:
    """In how many places of a column a tile may lie."""
    return ON_BEACH + 2 * np.int64(state.overhang)


@kernel
def place_and_position(state: Any, action: int) -> tuple[int, int]:
    """The market tile that a buy is of, and where it is laid."""
    slot = action // TOKEN_CHOICES
    place = np.int64(_PLACE[np.int64(state.overhang), slot])
    return place, slot - place * positions(state)


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
def all_fitting(state: Any, seat: int) -> int:
    """`fitting` of each place of the market, `MAX_POSITIONS` bits each, the first place lowest."""
    fits = 0
    for place in range(MARKET):
        fits |= fitting(state, seat, place) << (MAX_POSITIONS * place)
    return fits


@kernel
def affordable(state: Any, seat: int) -> int:
    """U8: all positions of the tiles that the seat can pay, in the order of `all_fitting`."""
    dollars = np.int64(state.dollars[seat])
    return np.int64(_AFFORDABLE[dollars if dollars < PLACES else PLACES - 1])


@kernel
def at_place(everywhere: int, place: int) -> int:
    """The positions of one place among those of `all_fitting`."""
    return (everywhere >> (MAX_POSITIONS * place)) & _ALL


@kernel
def can_pay(state: Any, seat: int, place: int) -> bool:
    """U8: whether the seat has the money for a market tile."""
    return at_place(affordable(state, seat), place) != 0


@kernel
def printed_besides(state: Any, seat: int, place: int, section: int) -> int:
    """U11: the positions in which one of a tile's other two sections matches as printed."""
    fits = 0
    for other in range(SECTIONS):
        if other != section:
            fits |= matching_printed(state, seat, place, other)
    return fits


@kernel
def fitting_with(state: Any, seat: int, others: int, section: int, pattern: int) -> int:
    """U11: where a tile fits with a token on a section, which must lie on the beach.

    By that pattern, or by the `others` as they are printed.
    """
    fits = others | matching(state, seat, pattern, section)
    return fits & np.int64(SECTION_ON_BEACH[np.int64(state.overhang), section])


@kernel
def may_take_free(state: Any, seat: int, everywhere: int) -> bool:
    """U10: whether no tile fits, or nothing else is left: no pile, no buy."""
    if everywhere == 0:
        return True
    if state.piles[0] + state.piles[1] > 0 or everywhere & affordable(state, seat):
        return False
    for place in range(MARKET):
        if can_pay(state, seat, place) and _fits_with_a_token(state, seat, place):
            return False
    return True


@kernel
def _fits_with_a_token(state: Any, seat: int, place: int) -> bool:
    """U11: whether a token in hand makes a tile fit somewhere."""
    fits = 0
    for section in range(SECTIONS):
        others = printed_besides(state, seat, place, section)
        for pattern in range(PATTERNS):
            if (state.tokens[seat] >> pattern) & 1:
                fits |= fitting_with(state, seat, others, section, pattern)
    return fits != 0


# --- one action ----------------------------------------------------------------------------------


@kernel
def allows(state: Any, seat: int, action: int) -> bool:
    """U8-U11: what `legal` says of one action."""
    if not owes(state, seat) or action < 0:
        return False
    takes = BUYS * positions(state)
    if action < takes:
        return _allows_buy(state, seat, action)
    pile = action - takes
    if pile < MARKET_ROWS:
        return bool(state.piles[pile] > 0)
    place = (pile - MARKET_ROWS) // ON_BEACH
    if place >= MARKET or fitting(state, seat, place):
        return False
    return may_take_free(state, seat, all_fitting(state, seat))


@kernel
def _allows_buy(state: Any, seat: int, action: int) -> bool:
    """U8, U11: of one buy."""
    place, position = place_and_position(state, action)
    if not can_pay(state, seat, place):
        return False
    token = action % TOKEN_CHOICES - 1
    if token < 0:
        return bool((fitting(state, seat, place) >> position) & 1)
    section, pattern = token // PATTERNS, token % PATTERNS
    others = printed_besides(state, seat, place, section)
    fits = fitting_with(state, seat, others, section, pattern)
    return bool((state.tokens[seat] >> pattern) & (fits >> position) & 1)


# --- all actions ---------------------------------------------------------------------------------


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """U8-U11: buys, piles with money, and free tiles where nothing fits or nothing else is left."""
    put_zeros(mask, START, len(mask))
    if not owes(state, seat):
        return
    everywhere = all_fitting(state, seat)
    _allow_buys(state, everywhere & affordable(state, seat), mask)
    if state.tokens[seat]:
        _allow_tokens(state, seat, mask)
    takes = BUYS * positions(state)
    for pile in range(MARKET_ROWS):
        mask[takes + pile] = state.piles[pile] > 0
    if may_take_free(state, seat, everywhere):
        _allow_free(everywhere, takes + MARKET_ROWS, mask)


@kernel
def _allow_buys(state: Any, everywhere: int, mask: Any) -> None:
    """U8: tiles that can be paid, where they fit.

    One action for each bit: there are about six. (With an entry for each place and position,
    fitting or not, a mask took 86 ns at two seats; so: 64.)
    """
    numbers = _BUY[np.int64(state.overhang)]
    while everywhere:
        mask[numbers[lowest(everywhere)]] = 1
        everywhere &= everywhere - 1


@kernel
def _allow_tokens(state: Any, seat: int, mask: Any) -> None:
    """U11: buys with a token in hand."""
    for place in range(MARKET):
        if can_pay(state, seat, place):
            for section in range(SECTIONS):
                _allow_token_on(state, seat, place, section, mask)


@kernel
def _allow_token_on(state: Any, seat: int, place: int, section: int, mask: Any) -> None:
    """U11: tokens on one section."""
    start = place * positions(state) * TOKEN_CHOICES + 1 + section * PATTERNS
    others = printed_besides(state, seat, place, section)
    for pattern in range(PATTERNS):
        if (state.tokens[seat] >> pattern) & 1:
            _allow(mask, start + pattern, fitting_with(state, seat, others, section, pattern))


@kernel
def _allow(mask: Any, start: int, fits: int) -> None:
    """One action for each position of a set."""
    while fits:
        mask[start + lowest(fits) * TOKEN_CHOICES] = 1
        fits &= fits - 1


@kernel
def _allow_free(everywhere: int, start: int, mask: Any) -> None:
    """U10: any tile that does not fit, anywhere on the beach: it matches nothing."""
    for place in range(MARKET):
        if at_place(everywhere, place) == 0:
            for position in range(ON_BEACH):
                mask[start + place * ON_BEACH + position] = 1
