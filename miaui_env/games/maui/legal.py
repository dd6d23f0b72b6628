"""What fits where in Maui, and what a seat may do (U8-U11).

Kernels take one record of `pieces.STATE`; sets of positions are bit sets, the topmost lowest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.games.maui.actions import BUYS, ON_BEACH, TOKEN_CHOICES
from miaui_env.games.maui.pieces import (
    LOWEST,
    MARKET,
    MARKET_ROWS,
    MAX_POSITIONS,
    PATTERNS,
    PLACES,
    SECTION_ON_BEACH,
    SECTIONS,
    TILES,
)


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
def all_fitting(state: Any, seat: int) -> int:
    """`fitting` of each place of the market, `MAX_POSITIONS` bits each, the first place lowest."""
    fits = 0
    for place in range(MARKET):
        fits |= fitting(state, seat, place) << (MAX_POSITIONS * place)
    return fits


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """U8-U11: buys, piles with money, and free tiles where nothing fits or nothing else is left."""
    for action in range(len(mask)):
        mask[action] = 0
    if not owes(state, seat):
        return
    slots = positions(state)
    everywhere = all_fitting(state, seat)  # asked before anything is written, so only once
    dollars = np.int64(state.dollars[seat])
    unfit = 0
    allowed = 0
    for place in range(MARKET):
        fits = (everywhere >> (MAX_POSITIONS * place)) & ((1 << MAX_POSITIONS) - 1)
        unfit |= (fits == 0) << place
        fits *= place % PLACES <= dollars
        allowed |= fits
        _allow_buys(place, slots, fits, mask)
    if state.tokens[seat]:
        allowed |= _allow_tokens(state, seat, mask)
    takes = BUYS * slots
    for pile in range(MARKET_ROWS):
        mask[takes + pile] = state.piles[pile] > 0
        allowed |= state.piles[pile] > 0
    if unfit == (1 << MARKET) - 1 or not allowed:
        _allow_free(unfit, takes + MARKET_ROWS, mask)


@kernel
def _allow_buys(place: int, slots: int, fits: int, mask: Any) -> None:
    """U8: a tile that can be paid, wherever it fits."""
    start = place * slots * TOKEN_CHOICES
    for position in range(slots):
        mask[start + position * TOKEN_CHOICES] = (fits >> position) & 1


@kernel
def _allow_tokens(state: Any, seat: int, mask: Any) -> int:
    """U11: buys with a token in hand. Says if there is one, by more than 0."""
    found = 0
    for place in range(MARKET):
        if place % PLACES <= state.dollars[seat]:
            for section in range(SECTIONS):
                found |= _allow_token_on(state, seat, place, section, mask)
    return found


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
