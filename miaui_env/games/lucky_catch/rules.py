"""Lucky Catch's rules as kernels, in the order of `RULES.md`: deal, roll, cast, take, end.

Kernels take one record of `pieces.STATE`. Fields that enter arithmetic are widened first: compiled
and plain Python then agree. Loops over all tiles do the same for each, whatever lies there: where a
tile lies is luck, and a wrongly predicted branch costs as much as several tiles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.bits import lowest
from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, put_zeros
from miaui_env.engine.rng import draw, shuffle
from miaui_env.engine.seats import clockwise
from miaui_env.games.lucky_catch.pieces import (
    ANY,
    CHEST,
    CREATURE_TILES,
    DIE_SIDES,
    FITS,
    MAX_SEATS,
    MOST_CASTS,
    NO_DIE,
    NO_TILE,
    NOWHERE,
    ROW,
    SEA,
    TILES,
    WORTH,
    Luck,
    Result,
)

_N, _SEAT, _PLACE = np.ogrid[: MAX_SEATS + 1, :MAX_SEATS, : SEA + MAX_SEATS * ROW]
_AHEAD = _PLACE - ROW * _SEAT
_RELATIVE = np.where(_PLACE < SEA, _PLACE, _AHEAD + ROW * _N * (_AHEAD < SEA)).astype(np.int16)
"""Looked up, as each look and each mask asks it for all tiles; int16 `(seats, seat, place)`."""

# --- queries -------------------------------------------------------------------------------------


@kernel
def owes(state: Any, seat: int) -> bool:
    """Whether it is the seat's cast."""
    return bool((state.to_act >> seat) & 1)


@kernel
def sea_only(state: Any) -> bool:
    """L4: wild and lucky together, so nothing but the sea may be fished."""
    return bool(state.colour == ANY and state.creature == ANY)


@kernel
def to_relative(place: int, seat: int, n: int) -> int:
    """The number of a place as the seat counts: the sea, its own row, then clockwise."""
    return np.int64(_RELATIVE[n, seat, place])


@kernel
def to_absolute(action: int, seat: int, n: int) -> int:
    """The place that the seat counts as number `action`."""
    if action < SEA:
        return action
    place = action + ROW * seat
    return place if place < SEA + ROW * n else place - ROW * n


@kernel
def row_start(seat: int) -> int:
    """The first place of a seat's row."""
    return SEA + ROW * seat


@kernel
def owner(place: int) -> int:
    """Whose row a place belongs to; -1 for the sea."""
    return -1 if place < SEA else (place - SEA) // ROW


@kernel
def tile_at(state: Any, place: int) -> int:
    """The tile that lies there; NO_TILE if none does."""
    found = NO_TILE
    for tile in range(TILES):
        found = tile if state.place[tile] == place else found
    return found


@kernel
def in_sea(state: Any) -> int:
    """Bit set of the tiles in the sea."""
    tiles = 0
    for tile in range(TILES):
        place = np.int64(state.place[tile])
        tiles |= ((place >= 0) & (place < SEA)) << tile
    return tiles


@kernel
def first_free(state: Any, seat: int) -> int:
    """L9: the first free place of the seat's row."""
    start = row_start(seat)
    taken = 0
    for tile in range(TILES):
        ahead = np.int64(state.place[tile]) - start
        taken |= ((ahead >= 0) & (ahead < ROW)) << (ahead & 31)
    return start + lowest(~taken)


# --- setup (L1) ---------------------------------------------------------------------------------


@kernel
def deal(state: Any, key: Any) -> None:
    """L1: lay out the sea, find who begins, roll the first dice."""
    clear(state)
    if not state.stacked_sea:
        for tile in range(TILES):
            state.place[tile] = tile
        shuffle(state.place, 0, TILES, key, Luck.SEA)
    first = np.int64(state.stacked_first) if state.stacked_first >= 0 else np.int64(state.first)
    if first < 0:
        first = draw(key, Luck.FIRST, 0, np.int64(state.num_players))
    state.stacked_sea = 0
    state.stacked_first = -1
    _keep_stacked_dice(state)
    state.to_act = 1 << first
    roll(state, key)


@kernel
def clear(state: Any) -> None:
    """Take everything of an earlier game off the table; options and a stacked deal stay."""
    state.over = 0
    state.turn = 0
    state.chest = -1
    state.turned = 0
    state.last_seat = -1
    state.last_colour = NO_DIE
    state.last_creature = NO_DIE
    state.last_place = NOWHERE
    state.last_tile = NO_TILE
    state.last_result = -1
    for seat in range(MAX_SEATS):
        state.points[seat] = 0
        state.recent[seat] = 0


@kernel
def _keep_stacked_dice(state: Any) -> None:
    """Dice stacked for this deal lie ready; those of the deal before are put away."""
    if not state.stacked_now:
        for cast in range(np.int64(state.dice_stacked)):
            state.dice_ahead[cast] = 0
        state.dice_stacked = 0
    state.stacked_now = 0


@kernel
def roll(state: Any, key: Any) -> None:
    """L2: roll both dice for the next cast, or show the sides that a stacked deal asks for."""
    cast = np.int64(state.turn)
    if cast < state.dice_stacked:
        sides = np.int64(state.dice_ahead[cast])
        state.colour = sides // 6
        state.creature = sides % 6
    else:
        state.colour = min(1 + draw(key, Luck.COLOUR, cast, DIE_SIDES), ANY)
        state.creature = min(1 + draw(key, Luck.CREATURE, cast, DIE_SIDES), ANY)


# --- a cast (L2-L9) -----------------------------------------------------------------------------


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """L2, L4: places that hold a tile, of the sea alone if wild and lucky were rolled."""
    put_zeros(mask, START, len(mask))
    if not owes(state, seat):
        return
    n = np.int64(state.num_players)
    for tile in range(CHEST):
        mask[to_relative(np.int64(state.place[tile]), seat, n)] = 1
    if state.place[CHEST] != NOWHERE:
        mask[np.int64(state.place[CHEST])] = 1
    if sea_only(state):
        put_zeros(mask, np.uint64(SEA), ROW * n)


@kernel
def allows(state: Any, seat: int, action: int) -> bool:
    """L2, L4: what `legal` says of one place."""
    n = np.int64(state.num_players)
    if not owes(state, seat) or action < 0 or action >= (SEA if sea_only(state) else SEA + ROW * n):
        return False
    return tile_at(state, to_absolute(action, seat, n)) != NO_TILE


@kernel
def play(state: Any, seat: int, action: int, key: Any) -> None:
    """L2-L11: turn over the tile there, see what comes of it, and roll for the next cast."""
    n = np.int64(state.num_players)
    place = to_absolute(action, seat, n)
    tile = tile_at(state, place)
    result = _judge(state, seat, place, tile)
    _show(state, seat, tile)
    _note(state, seat, place, tile, result)
    if result == Result.CHEST:
        _take_chest(state, seat)
    elif owner(place) != seat and result != Result.MISS:
        _take(state, seat, place, tile)
    state.turn += 1
    if state.turn == MOST_CASTS or (result != Result.MISS and in_sea(state) == 0):
        _end(state)
        return
    if result != Result.MATCH and not (result == Result.CHEST and state.chest_casts_again):
        state.to_act = 1 << clockwise(seat, 1, n)
    roll(state, key)


@kernel
def _judge(state: Any, seat: int, place: int, tile: int) -> int:
    """L3, L6-L8: what comes of turning over a tile; a boot in one's own row is just a miss."""
    if tile == CHEST:
        return np.int64(Result.CHEST)
    if tile >= CREATURE_TILES:
        return np.int64(Result.MISS) if owner(place) == seat else np.int64(Result.BOOT)
    if FITS[np.int64(state.colour), np.int64(state.creature), tile]:
        return np.int64(Result.MATCH)
    return np.int64(Result.MISS)


@kernel
def _show(state: Any, seat: int, tile: int) -> None:
    """Everyone sees the tile; for who has cast, what it saw before is no longer recent."""
    state.turned |= 1 << tile
    shown = 0 if tile == CHEST else 1 << tile  # from now on the chest lies nowhere
    for other in range(state.num_players):
        state.recent[other] |= shown
    state.recent[seat] = shown


@kernel
def _note(state: Any, seat: int, place: int, tile: int, result: int) -> None:
    """Keep the last cast for all to see."""
    state.last_seat = seat
    state.last_colour = state.colour
    state.last_creature = state.creature
    state.last_place = place
    state.last_tile = tile
    state.last_result = result


@kernel
def _take(state: Any, seat: int, place: int, tile: int) -> None:
    """L5, L7, L9: the tile goes to the first free place of the row; a gap stays where it lay."""
    worth = np.int64(WORTH[tile])
    if place >= SEA:
        state.points[owner(place)] -= worth
    state.points[seat] += worth
    state.place[tile] = first_free(state, seat)


@kernel
def _take_chest(state: Any, seat: int) -> None:
    """L8: the chest lies face up beside the catch, and in no place any more."""
    state.place[CHEST] = NOWHERE
    state.chest = seat
    state.points[seat] += WORTH[CHEST]


@kernel
def _end(state: Any) -> None:
    """L10, L11: it is over, and the dice are gone."""
    state.over = 1
    state.to_act = 0
    state.colour = NO_DIE
    state.creature = NO_DIE
