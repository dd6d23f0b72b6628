"""Laying the table: options into a fresh record, and deals stacked through `reset(options=…)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from miaui_env.checks import whole
from miaui_env.games.maui.actions import num_actions
from miaui_env.games.maui.pieces import (
    CELLS,
    LAST,
    NUM_TILES,
    PATTERN_NAMES,
    TILE_NUMBERS,
    Umbrella,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup

STACK_OPTIONS = frozenset({"bag", "step_patterns", "umbrellas", "first"})
"""What `reset(options=…)` understands: `bag`, all 60 tiles, first the start tiles seat by seat,
then the market, then the bag from its top; `step_patterns`, the two of the step umbrellas;
`umbrellas`, for each seat its 8 in the order of the cells; `first`, the seat that begins."""
STEP = "step:"


def actions(setup: Setup) -> int:
    """Number of actions: 704 unless `overhang` is changed."""
    return num_actions(setup.options.overhang)


def longest(setup: Setup) -> int:
    """The most turns of one seat.

    Before the last round nobody has laid more than 11 tiles. Each taking empties a pile, and only a
    payment fills it again: so n seats take money 2 + 11n times at most, and lay 11n tiles. That
    makes (22n + 2) / n rounds, and all seats have the same number of turns.
    """
    n = setup.num_players
    return (2 * (LAST - 1) * n + 2) // n + 1


def write_options(state: Any, setup: Setup) -> None:
    """Put the options into a fresh record."""
    state.flat_match_points = setup.options.flat_match_points
    state.overhang = setup.options.overhang


def stack(state: Any, setup: Setup, options: Mapping[str, Any]) -> None:
    """Prepare the next deal of `state`; what is left out is drawn.

    Raises:
        ValueError: for a bag that is no order of all tiles, patterns that are not two, umbrellas
            that are not those of a beach, a seat that is none.
    """
    bag = None if options.get("bag") is None else _checked_bag(options["bag"])
    steps, beaches = _checked_umbrellas(setup, options)
    first = options.get("first")
    state.first_stacked = (
        0 if first is None else 1 + whole("first", first, 0, setup.num_players - 1)
    )
    if bag is not None:
        state.bag[:] = bag
        state.bag_stacked = 1
    if steps is not None:
        state.steps[:] = steps
        state.steps_stacked = 1
    for seat, beach in enumerate(beaches):
        state.umbrellas[seat, :] = beach
        state.umbrellas_stacked = 1


def listed(what: str, given: Any) -> list[Any]:
    """`given` as a list, or a ValueError that names it."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(f"{what} is a list, not {given!r}")
    return list(given)


def tile_numbers(what: str, names: Iterable[Any]) -> list[int]:
    """Tiles by number; ValueError for a name that is not in the box."""
    numbers = []
    for name in names:
        if not isinstance(name, str) or name not in TILE_NUMBERS:
            raise ValueError(
                f"{what} holds {name!r}; a tile is three different patterns of "
                f"{', '.join(PATTERN_NAMES)}, as in 'waves/fish/palms'"
            )
        numbers.append(TILE_NUMBERS[name])
    return numbers


def pattern_numbers(what: str, names: Iterable[Any]) -> list[int]:
    """Patterns by number; ValueError for one that does not exist, or that is named twice."""
    numbers = []
    for name in names:
        if not isinstance(name, str) or name not in PATTERN_NAMES:
            raise ValueError(f"{what} holds {name!r}; patterns are {', '.join(PATTERN_NAMES)}")
        numbers.append(PATTERN_NAMES.index(name))
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"{what} names a pattern twice")
    return numbers


def _checked_bag(given: Any) -> list[int]:
    tiles = tile_numbers("bag", listed("bag", given))
    if len(tiles) != NUM_TILES:
        raise ValueError(f"bag holds {len(tiles)} tiles, but there are {NUM_TILES}")
    if len(set(tiles)) < NUM_TILES:
        raise ValueError("bag holds a tile twice; there is one of each")
    return tiles


# --- umbrellas ------------------------------------------------------------------------------------


def _checked_umbrellas(
    setup: Setup, options: Mapping[str, Any]
) -> tuple[list[int] | None, list[list[int]]]:
    """The step patterns, None if they are to be drawn, and each seat's umbrellas, or none."""
    given = options.get("step_patterns")
    steps = None if given is None else _checked_steps(listed("step_patterns", given))
    if options.get("umbrellas") is None:
        return steps, []
    beaches = [listed("umbrellas", beach) for beach in listed("umbrellas", options["umbrellas"])]
    if len(beaches) != setup.num_players:
        raise ValueError(f"umbrellas are those of {setup.num_players} seats, not {len(beaches)}")
    if steps is None:
        steps = _steps_of(beaches[0])
    return steps, [_checked_beach(beach, steps) for beach in beaches]


def _checked_steps(names: list[Any]) -> list[int]:
    if len(names) != 2:
        raise ValueError(f"step_patterns are two patterns, not {len(names)}")
    return pattern_numbers("step_patterns", names)


def _steps_of(beach: list[Any]) -> list[int]:
    """The patterns of the steps that lie on a beach, in the order of its cells."""
    names = [str(umbrella) for umbrella in beach]
    return _checked_steps([name[len(STEP) :] for name in names if name.startswith(STEP)])


def _checked_beach(beach: list[Any], steps: list[int]) -> list[int]:
    kinds = umbrella_kinds(beach, steps)
    wanted = {Umbrella.WHITE: 3, Umbrella.BLACK: 3, Umbrella.STEP: 1, Umbrella.OTHER_STEP: 1}
    if len(kinds) != len(CELLS) or Counter(kinds) != wanted:
        raise ValueError(
            f"umbrellas of a seat are 3 'white', 3 'black' and {umbrella_names(steps)[3]!r} and "
            f"{umbrella_names(steps)[4]!r}, in the order of the cells; not {beach}"
        )
    return kinds


def umbrella_names(steps: Any) -> list[str]:
    """What each umbrella is called, by its kind; the first is none."""
    return ["", "white", "black", *(STEP + PATTERN_NAMES[pattern] for pattern in steps)]


def umbrella_kinds(names: Iterable[Any], steps: Any) -> list[int]:
    """Umbrellas by kind; ValueError for one that is not in this game."""
    known = umbrella_names(steps)
    kinds = []
    for name in names:
        if not name or name not in known:
            raise ValueError(f"unknown umbrella {name!r}; there are {', '.join(known[1:])}")
        kinds.append(known.index(name))
    return kinds
