"""Who took how many turns, and who was shown which tiles since the own last decision.

`rebuild.py` makes up a past for a view; this is the part of it that others remember. Seats decide
in turn, so what each was shown lately holds what the seats after it were shown. A turn is any
number of matches, whose creatures lie in the own row, and a last cast that is none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from miaui_env.games.lucky_catch.pieces import CHEST, CREATURE_TILES, ROW, SEA

if TYPE_CHECKING:
    from miaui_env.game import Setup, View


class Unexplained(ValueError):
    """No past leads to these tiles."""


def whose(place: int) -> int:
    """The seat whose row a place belongs to; -1 for the sea."""
    return (place - SEA) // ROW if place >= SEA else -1


@dataclass(frozen=True)
class Turns:
    """How the casts that were played fall into turns.

    Attributes:
        viewer: whose view is explained.
        last: who cast last.
        ended: how many turns each seat has ended.
        needed: how many of those ended with a boot that lies in its row, with the chest, or with
            a miss that the viewer was shown.
        acting: seats whose last decision the viewer was shown, the earliest first, `last` at the
            end; the viewer's own is first if it has decided.
    """

    viewer: int
    last: int
    ended: tuple[int, ...]
    needed: tuple[int, ...]
    acting: tuple[int, ...]

    @classmethod
    def of(
        cls,
        setup: Setup,
        told: View,
        tiles: Mapping[int, int],
        recent: set[int],
        luck: random.Random,
    ) -> Turns:
        """Some turns that add up; Unexplained if none do."""
        n, last = setup.num_players, told["last_cast"]["seat"]
        options = [
            turns
            for first in (range(n) if setup.options.first is None else [setup.options.first])
            for ends in range((last - first) % n, told["casts"], n)
            if (turns := _adding_up(setup, told, tiles, recent, first, ends))
        ]
        if not options:
            raise Unexplained
        return luck.choice(options)


def _adding_up(
    setup: Setup,
    told: View,
    tiles: Mapping[int, int],
    recent: set[int],
    first: int,
    ends: int,
) -> Turns | None:
    """The turns, if seat `first` began and `ends` turns had ended before the last cast."""
    n, last, again = setup.num_players, told["last_cast"], setup.options.chest_casts_again
    seat, q, chest = told["seat"], last["seat"], told["chest"]
    goes_on = last["result"] == "match" or (last["result"] == "chest" and again)
    total = ends + (not goes_on)
    ended = [(total - 1 - (i - first) % n) // n + 1 for i in range(n)]
    decided = [ended[i] > 0 or i == q for i in range(n)]
    start = seat if decided[seat] else first
    acting = tuple((start + i) % n for i in range((q - start) % n + 1))
    boots = Counter(whose(place) for place, tile in tiles.items() if _is_boot(tile))
    creatures = sum(whose(place) >= 0 and tile < CREATURE_TILES for place, tile in tiles.items())
    needed = [boots[i] + (chest == i and not again) for i in range(n)]
    ends_shown = {
        whose(place) for place, tile in tiles.items() if _is_boot(tile) and tile in recent
    }
    for i in acting:
        missed = i not in ends_shown and chest != i and (i != q or last["result"] == "miss")
        needed[i] += missed
    on = told["casts"] - total - (chest is not None and again)
    if any(ended[i] < needed[i] for i in range(n)) or on < creatures or (on and not creatures):
        return None
    return Turns(seat, q, tuple(ended), tuple(needed), acting)


def _is_boot(tile: int) -> bool:
    return CREATURE_TILES <= tile < CHEST


# --- who was shown what -------------------------------------------------------------------------


def shown_to_each(
    turns: Turns,
    tiles: Mapping[int, int],
    recent: set[int],
    last_tile: int,
    turnable: set[int],
    luck: random.Random,
) -> list[set[int]]:
    """For each seat the tiles turned over since its last decision; the viewer's are `recent`.

    Creatures that others have missed before are among `turnable`.
    """
    n = len(turns.ended)
    when = _when(turns, tiles, recent, last_tile, luck)
    shown: list[set[int]] = [set() for _ in range(n)]
    for time, seat in enumerate(turns.acting):
        shown[seat] = {tile for tile in recent if when[tile] >= time}
    shown[turns.viewer] = set(recent)
    seen = set(recent)
    for behind in range(1, n):
        seat = (turns.acting[0] - behind) % n
        if seat in turns.acting or seat == turns.viewer:
            continue
        if turns.ended[seat]:
            seen = seen | _last_of(turns, seat, tiles, seen, turnable, luck)
        shown[seat] = set(seen)
    everything = {tile for place, tile in tiles.items() if place >= SEA} | seen
    for seat in range(n):
        if not turns.ended[seat] and seat != turns.last and seat != turns.viewer:
            shown[seat] = everything
    return shown


def _when(
    turns: Turns, tiles: Mapping[int, int], recent: set[int], last_tile: int, luck: random.Random
) -> dict[int, float]:
    """For each recent tile the place in `acting` of who ended its turn with it, or half before it.

    Half before: it matched, and its finder went on.
    """
    times = {seat: time for time, seat in enumerate(turns.acting)}
    when: dict[int, float] = {last_tile: len(turns.acting) - 1}
    missed = []
    for place, tile in sorted(tiles.items()):
        seat = whose(place)
        if tile not in recent or tile == last_tile:
            continue
        if _is_boot(tile):
            if seat not in times:
                raise Unexplained
            when[tile] = times[seat]
        elif seat in times and (times[seat] or seat != turns.viewer):
            when[tile] = times[seat] - 0.5
        else:
            missed.append(tile)
    free = [time for time in range(len(turns.acting) - 1) if time not in when.values()]
    if len(missed) > len(free):
        raise Unexplained
    when.update(zip(missed, luck.sample(free, len(missed)), strict=True))
    return when


def _last_of(
    turns: Turns,
    seat: int,
    tiles: Mapping[int, int],
    seen: set[int],
    turnable: set[int],
    luck: random.Random,
) -> set[int]:
    """What a seat turned over last: a creature that it missed, or a boot that it had to take."""
    boots = [tile for place, tile in tiles.items() if _is_boot(tile) and whose(place) == seat]
    creatures = [tile for tile in turnable if tile < CREATURE_TILES]
    if turns.ended[seat] > turns.needed[seat] and creatures:
        return {luck.choice(sorted(creatures))}
    return {luck.choice(sorted(set(boots) - seen))} if set(boots) - seen else set()
