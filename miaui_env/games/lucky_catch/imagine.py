"""What a seat cannot know, imagined anew.

*Perfect recall*: the seat has seen every tile that ever moved, so all it does not know is which of
the tiles never turned over lies where in the sea. They are dealt anew, exactly.

*The table view* hides the past. Three changes leave what the seat sees as it is, and lead to a
table that can be reached:

- *Sea*: tiles of the sea that the seat does not know change places, each with what others know of
  it. The sea was shuffled, so the same game is as likely there.
- *Creatures*: any two that the seat does not know change parts: where they lie, who has seen them.
  Their rolls, which the seat does not know either, change with them: as likely again.
- *Boots*: how many of the tiles that nobody was shown lately are boots and lie in the rows, and
  which. This is an approximation of uniformly random play: it is drawn as if those tiles had left
  the sea one after the other, a boot `READILY` times as readily as a creature (which must match,
  one roll in four), and were then spread over the rows at random, whoever took them. It is made
  only where casts enough were played for *any* such arrangement to have come about (`_could_be`);
  elsewhere, early in a game above all and longer with more seats, boots stay in their rows, and
  so do they at the end, where scores are told. What others were shown lately, and how many casts
  ago, is left as it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import draw, mix
from miaui_env.games.lucky_catch.pieces import (
    ALL_BOOTS,
    ALL_CREATURES,
    ALL_TILES,
    CHEST,
    WORTH,
    Luck,
)
from miaui_env.games.lucky_catch.rules import in_sea, owner, row_start

READILY = 4
"""A creature turned over matches one roll in four, a boot is always taken."""


@kernel
def resample(state: Any, seat: int, key: Any) -> None:
    """Replace what the seat cannot know by an alternative that leaves its view as it is."""
    state.dice_stacked = 0  # nobody knows the dice to come
    if state.perfect_recall:
        _shuffle_places(state, ALL_TILES & ~np.int64(state.turned), mix(key, 0))
        return
    if state.to_act:
        _redeal_boots(state, mix(key, 1))
    unknown = ALL_TILES & ~np.int64(state.recent[seat])
    _swap_creatures(state, unknown & ALL_CREATURES, mix(key, 2))
    _shuffle_places(state, unknown & in_sea(state), mix(key, 3))


# --- bit sets of tiles --------------------------------------------------------------------------


@kernel
def count(tiles: int) -> int:
    """How many tiles a set has: bits added up in pairs, then in fours, then in bytes."""
    tiles -= (tiles >> 1) & 0x555555
    tiles = (tiles & 0x333333) + ((tiles >> 2) & 0x333333)
    tiles = (tiles + (tiles >> 4)) & 0x0F0F0F
    return (tiles + (tiles >> 8) + (tiles >> 16)) & 0x1F


@kernel
def member(tiles: int, number: int) -> int:
    """The tile with `number` others of the set before it."""
    for _ in range(number):
        tiles &= tiles - 1
    return count((tiles & -tiles) - 1)


@kernel
def _swap_places(state: Any, one: int, other: int) -> None:
    place = state.place[one]
    state.place[one] = state.place[other]
    state.place[other] = place


@kernel
def _swap_bits(bits: int, one: int, other: int) -> int:
    """The set, with the two tiles changed for each other."""
    differ = ((bits >> one) ^ (bits >> other)) & 1
    return bits ^ ((differ << one) | (differ << other))


# --- sea and creatures --------------------------------------------------------------------------


@kernel
def _shuffle_places(state: Any, tiles: int, key: Any) -> None:
    """The tiles of a set change places, in a uniformly random order (Fisher-Yates)."""
    for left in range(count(tiles), 1, -1):
        one, other = member(tiles, 0), member(tiles, draw(key, Luck.IMAGINED, left, left))
        _swap_places(state, one, other)
        tiles &= tiles - 1


@kernel
def _swap_creatures(state: Any, tiles: int, key: Any) -> None:
    """Creatures of a set change places, and what seats know of them, at random."""
    for left in range(count(tiles), 1, -1):
        one, other = member(tiles, 0), member(tiles, draw(key, Luck.IMAGINED, left, left))
        tiles &= tiles - 1
        _swap_places(state, one, other)
        state.turned = _swap_bits(np.int64(state.turned), one, other)
        for seat in range(state.num_players):
            state.recent[seat] = _swap_bits(np.int64(state.recent[seat]), one, other)


# --- boots --------------------------------------------------------------------------------------


@kernel
def _redeal_boots(state: Any, key: Any) -> None:
    """Draw which of the tiles that nobody was shown lately are the boots in the rows."""
    lately = shown_lately(state)
    sea = in_sea(state)
    hidden = (ALL_CREATURES | ALL_BOOTS) & ~lately
    rows = hidden & ~sea
    if not rows or not _explained(state):
        return
    creatures, boots = count(hidden & ALL_CREATURES), count(hidden & ALL_BOOTS)
    wanted = _boots_taken(count(rows), creatures, boots, mix(key, 0))
    there = count(rows & ALL_BOOTS)
    others = count(ALL_BOOTS & ~hidden & ~sea)
    if not _could_be(state, wanted + others, count(lately)):
        return
    while there < wanted:
        rows = _exchange(state, rows & ALL_CREATURES, hidden & ALL_BOOTS & ~rows, rows)
        there += 1
    while there > wanted:
        rows = _exchange(state, rows & ALL_BOOTS, hidden & ALL_CREATURES & ~rows, rows)
        there -= 1
    _shuffle_places(state, rows, mix(key, 1))
    _settle(state, lately)


@kernel
def shown_lately(state: Any) -> int:
    """Tiles turned over since the earliest of all seats' last decisions.

    Who casts last decided last, so the seat behind it is the one whose decision lies longest ago.
    """
    return np.int64(state.recent[(np.int64(state.last_seat) + 1) % np.int64(state.num_players)])


@kernel
def _boots_taken(taken: int, creatures: int, boots: int, key: Any) -> int:
    """How many of the tiles taken are boots, if tiles leave one by one, boots more readily."""
    found = 0
    for j in range(taken):
        readily = READILY * (boots - found)
        if draw(key, Luck.IMAGINED, j, readily + creatures - (j - found)) < readily:
            found += 1
    return found


@kernel
def _exchange(state: Any, leaving: int, coming: int, rows: int) -> int:
    """The first tile of `leaving` and the first of `coming` change places; the tiles in rows."""
    one, other = member(leaving, 0), member(coming, 0)
    _swap_places(state, one, other)
    return rows ^ ((1 << one) | (1 << other))


@kernel
def _settle(state: Any, lately: int) -> None:
    """Catches are worth what lies in them; of the sea, only tiles shown lately were turned over."""
    taken = ALL_TILES & ~in_sea(state)
    state.turned = taken | lately
    for seat in range(state.num_players):
        state.points[seat] = WORTH[CHEST] if state.chest == seat else 0
    for tile in range(CHEST):
        if (taken >> tile) & 1:
            state.points[owner(np.int64(state.place[tile]))] += WORTH[tile]


# --- could it have come about? ------------------------------------------------------------------
#
# Let W be the tiles shown lately. Below is a game that leads to the table as it is, with boots and
# creatures outside W exchanged as one likes, and with all that anybody was shown lately:
#
# 1. Seats fill their rows in turn, place by place. Where a row has gaps, tiles stand in that belong
#    into the row of a seat z without gaps, which fills its own row last, and takes them from there.
#    A creature is taken by a match, and the seat goes on. A boot ends the turn; before the seat can
#    go on, all others miss: one round. Whoever has nothing to do misses some creature.
# 2. When there are casts too many, somebody turns over a creature in the own row again and again.
# 3. In a last round each seat turns over, where they lie, the tiles of W that it turned over in
#    truth, from its last decision on: creatures in the own row by a match, then one by a miss.
#
# Rounds: one for each boot taken and for the chest, one until all but z have had a turn, one for z,
# one to get to the seat that begins the last round, and the last. One cast more for each match.


@kernel
def _could_be(state: Any, boots: int, lately: int) -> bool:
    """Whether so many boots can lie in any places of the rows, with `lately` tiles in W."""
    n = np.int64(state.num_players)
    size, gaps, widest, firm = 0, 0, 0, 0
    for seat in range(n):
        length, tiles = _row_before(state, seat)
        size += tiles
        gaps += length - tiles
        widest = max(widest, length - tiles)
        if length == tiles:
            firm = max(firm, tiles)  # z
    creatures = size - boots
    if creatures < 1 or firm < widest:
        return False
    stand_ins = 0 if firm - boots >= widest else gaps  # boots among them, at the worst
    rounds = boots + stand_ins + (state.chest >= 0) + 4
    return bool(np.int64(state.turn) >= creatures + gaps + lately + n * rounds)


@kernel
def _row_before(state: Any, seat: int) -> tuple[int, int]:
    """Places of a row up to its last tile, and tiles there, as they were before the last cast."""
    start, end = row_start(seat), row_start(seat + 1)
    length, tiles = 0, 0
    for tile in range(CHEST):
        place = np.int64(state.last_place if tile == state.last_tile else state.place[tile])
        if start <= place < end:
            tiles += 1
            length = max(length, place - start + 1)
    return length, tiles


@kernel
def _explained(state: Any) -> bool:
    """Whether the last round above finds a tile for the last decision of each seat.

    It is one that was not turned over since; where there is none, a creature that was.
    """
    n = np.int64(state.num_players)
    for behind in range(1, n):
        seat = (np.int64(state.last_seat) + behind) % n
        since = np.int64(state.recent[(seat + 1) % n])
        if np.int64(state.recent[seat]) == since and not since & ALL_CREATURES:
            return False
    return True
