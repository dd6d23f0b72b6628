"""Laying the table: options into a fresh record, and deals stacked through `reset(options=…)`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from miaui_env.checks import whole
from miaui_env.games.lucky_catch.pieces import (
    COLOUR_DIE,
    CREATURE_DIE,
    MOST_CASTS,
    ROW,
    SEA,
    tiles_of,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup

STACK_OPTIONS = frozenset({"sea", "dice", "first"})
"""What `reset(options=…)` understands: `sea`, the 24 faces row by row; `dice`, [colour, creature]
for each cast, those after the last are random; `first`, the seat that begins."""


def actions(setup: Setup) -> int:
    """One for each place: the sea, then each seat's row, the own first."""
    return SEA + ROW * setup.num_players


def longest(setup: Setup) -> int:
    """All casts (L11): who begins, matches, and then turns that tile over, match after match."""
    return MOST_CASTS


def write_options(state: Any, setup: Setup) -> None:
    """Put the options into a fresh record."""
    options = setup.options
    if options.first is not None:
        whole("first", options.first, 0, setup.num_players - 1)
    state.first = -1 if options.first is None else options.first
    state.chest_casts_again = options.chest_casts_again
    state.stacked_first = -1


def stack(state: Any, setup: Setup, options: Mapping[str, Any]) -> None:
    """Prepare the next deal of `state`: its sea, the dice of its first casts, who begins.

    Raises:
        ValueError: for faces that are not those of the box, dice that are none, a seat that is
            none.
    """
    sea, dice, first = options.get("sea"), options.get("dice"), options.get("first")
    tiles = None if sea is None else _checked_sea(sea)
    rolls = None if dice is None else _checked_dice(dice)
    state.stacked_first = -1 if first is None else whole("first", first, 0, setup.num_players - 1)
    state.stacked_sea = tiles is not None
    for place, tile in enumerate(tiles or []):
        state.place[tile] = place
    state.stacked_now = rolls is not None
    if rolls is not None:
        state.dice_ahead[:] = 0
        state.dice_ahead[: len(rolls)] = rolls
        state.dice_stacked = len(rolls)


def _checked_sea(sea: Any) -> list[int]:
    if isinstance(sea, str) or not isinstance(sea, Iterable):
        raise ValueError(f"sea is a list of {SEA} faces, row by row, not {sea!r}")
    tiles = tiles_of(sea)
    if len(tiles) != SEA:
        raise ValueError(f"sea holds {len(tiles)} tiles, but the box has {SEA}")
    return tiles


def _checked_dice(dice: Any) -> list[int]:
    if isinstance(dice, str) or not isinstance(dice, Iterable):
        raise ValueError(f"dice is a list of [colour, creature], not {dice!r}")
    rolls = [_checked_roll(roll) for roll in dice]
    if len(rolls) > MOST_CASTS:
        raise ValueError(f"dice holds {len(rolls)} rolls; a game has at most {MOST_CASTS} casts")
    return rolls


def _checked_roll(roll: Any) -> int:
    if isinstance(roll, str) or not isinstance(roll, Iterable) or len(sides := list(roll)) != 2:
        raise ValueError(f"a roll is [colour, creature], as in ['red', 'lucky'], not {roll!r}")
    codes = []
    for side, die in zip(sides, (COLOUR_DIE, CREATURE_DIE)):
        name = side.replace("_", " ") if isinstance(side, str) else side
        if name is None or name not in die:
            raise ValueError(f"no side {side!r} of a die that has {', '.join(filter(None, die))}")
        codes.append(die.index(name))
    return 6 * codes[0] + codes[1]
