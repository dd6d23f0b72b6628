"""What a seat cannot know, imagined anew (`resample`), and back from views to states (`from_view`).

All but the order of the bag lies open, so a view is nearly a state. Tracks, pearls and penalties
follow from the columns and the umbrellas that are left: a view that tells them otherwise, or that
contradicts itself in another way, is none of this table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.checks import whole
from miaui_env.engine.compile import kernel, plain
from miaui_env.engine.loops import engine_of
from miaui_env.engine.rng import keys, shuffle
from miaui_env.games.maui.knowledge import view
from miaui_env.games.maui.pieces import (
    CELL_NAMES,
    COLUMNS,
    FULL_BEACH,
    LAST,
    MARKET,
    MARKET_ROWS,
    NO_TILE,
    NUM_TILES,
    PATTERN_NAMES,
    PATTERNS,
    ROWS,
    SECTIONS,
    START_TOP,
    TOKEN_STEP,
    Luck,
    Umbrella,
)
from miaui_env.games.maui.rules import row_value, score, show
from miaui_env.games.maui.setup import pattern_numbers, tile_numbers, umbrella_kinds

if TYPE_CHECKING:
    from miaui_env.game import Setup, View


@kernel
def resample(state: Any, seat: int, key: Any) -> None:
    """Put the tiles in the bag into another order: exactly as likely as any, whatever was played.

    Nothing else is hidden, and what is open says nothing about the order.
    """
    shuffle(state.bag, np.int64(state.top), NUM_TILES, key, Luck.IMAGINED)


def from_view(setup: Setup, told: View, key: int) -> np.ndarray:
    """A state with that view and the bag in any order, as a record array `(1,)`.

    Raises:
        ValueError: for a view of another setup, or one that contradicts itself.
    """
    states = _rebuilt(setup, told)
    engine_of(setup.game).imagine(states, np.array([told["seat"]]), keys(key, 1))
    return states


def remember(setup: Setup, remembered: View | None, told: View) -> View:
    """The table hides nothing that one could forget: its view is the perfect-recall view.

    Raises:
        ValueError: for a view of another table, or one that comes after a turn of this seat that
            was not seen.
    """
    _rebuilt(setup, told)
    seen, owing = (0, False) if remembered is None else _own_turns(remembered)
    turns, _ = _own_turns(told)
    if not seen <= turns <= seen + owing:
        raise ValueError(
            f"this seat has had {turns} turns; every one of them must be seen, and the last that "
            f"was is number {seen + owing}"
        )
    return told


def _own_turns(told: View) -> tuple[int, bool]:
    """How many turns the seat has had, and whether it is its turn now."""
    n, seat = told["num_players"], told["seat"]
    done = told["turn"] - 1 if told["to_act"] else told["turn"]
    return (done + n - 1 - (seat - told["first"]) % n) // n, seat in told["to_act"]


# --- the state ------------------------------------------------------------------------------------


def _rebuilt(setup: Setup, told: View) -> np.ndarray:
    """The state that a view tells, with the bag in the order of all tiles."""
    try:
        if len(told["seats"]) != setup.num_players:
            raise ValueError(f"it tells of {len(told['seats'])} seats")
        states = setup.blank.copy()
        _lay_table(states[0], told)
        for seat, about in enumerate(told["seats"]):
            _lay_beach(states[0], seat, about)
        _refuse_contradiction(told, view(states[0], told["seat"]))
    except ValueError as problem:
        raise ValueError(f"this is no view of this table: {problem}") from None
    _refuse_impossible(states[0])
    _count_points(states[0])
    return states


def _lay_table(state: Any, told: View) -> None:
    n = int(state.num_players)
    state.turn = whole("turn", told["turn"], 1, np.iinfo(np.int16).max)
    state.first = whole("first", told["first"], 0, n - 1)
    state.to_act = sum(1 << whole("to_act", seat, 0, n - 1) for seat in told["to_act"])
    state.over = not told["to_act"]
    market = [tile for row in told["market"] for tile in row]
    state.market[:] = _exactly("market", tile_numbers("market", market), MARKET)
    for row, dollars in enumerate(_exactly("piles", told["piles"], MARKET_ROWS)):
        state.piles[row] = whole("piles", dollars, 0, n + 2)
    state.track_tokens = _bits("track_tokens", told["track_tokens"])
    steps = pattern_numbers("step_patterns", told["step_patterns"])
    state.steps[:] = _exactly("step_patterns", steps, 2)
    bag = tile_numbers("unseen", told["unseen"])
    state.unseen[bag] = 1
    state.top = NUM_TILES - len(bag)
    state.bag[:] = NO_TILE
    state.bag[state.top :] = sorted(bag)


def _lay_beach(state: Any, seat: int, about: View) -> None:
    """Lay the columns one by one, and count the steps of each; what else follows from them."""
    if not 1 <= len(about["columns"]) <= COLUMNS:
        raise ValueError(f"a beach has 1 to {COLUMNS} columns, not {len(about['columns'])}")
    for column, (top, triple) in enumerate(about["columns"]):
        _lay_column(state, seat, column, top, triple)
    state.laid[seat] = len(about["columns"]) - 1
    names = list(about["umbrellas"].values())
    kinds = umbrella_kinds(names, state.steps)
    for cell, kind in zip(about["umbrellas"], kinds, strict=True):
        state.umbrellas[seat, CELL_NAMES.index(cell)] = kind
    _lift(state, seat)
    state.dollars[seat] = whole("dollars", about["dollars"], 0, int(state.num_players) + 2)
    state.tokens[seat] = _bits("tokens", about["tokens"])


def _lay_column(state: Any, seat: int, column: int, top: Any, triple: Any) -> None:
    """U8, U10, U12: steps for what matches; a penalty where nothing does, or for what hangs."""
    over = int(state.overhang)
    lowest, highest = (1 - over, 5 + over) if column else (START_TOP, START_TOP)
    top = whole(f"or of another table: the top of column {column + 1}", top, lowest, highest)
    patterns = [PATTERN_NAMES.index(name) for name in triple.split("/")]
    rows = range(top, top + SECTIONS)
    matches = 0
    for row, pattern in zip(rows, patterns, strict=True):
        if 1 <= row <= ROWS and (int(state.front[seat, pattern]) >> (row - 1)) & 1:
            matches += 1
            state.tracks[seat, pattern] += plain(row_value)(state, row)
    if column:
        hanging = sum(not 1 <= row <= ROWS for row in rows)
        state.penalties[seat] += hanging if matches else 1
    plain(show)(state, seat, column, top, *patterns)


def _lift(state: Any, seat: int) -> None:
    """U13: what is missing of the umbrellas has been lifted."""
    lying = state.umbrellas[seat]
    full, left = (np.bincount(kinds, minlength=len(Umbrella)) for kinds in (FULL_BEACH, lying))
    gone = (full - left).tolist()
    if min(gone[1:]) < 0:
        raise ValueError(f"seat {seat} has an umbrella too many")
    state.pearls[seat] = gone[Umbrella.WHITE], gone[Umbrella.BLACK]
    for pattern, steps in zip(state.steps, gone[Umbrella.STEP :], strict=True):
        state.tracks[seat, pattern] += steps


def _count_points(state: Any) -> None:
    """U17, for the seats that have had a turn."""
    n = int(state.num_players)
    done = int(state.turn) - (not state.over)
    for seat in range(n):
        if (seat - int(state.first)) % n < done:
            state.points[seat] = plain(score)(state, seat)


# --- what is refused ----------------------------------------------------------------------------


def _exactly(what: str, values: list[Any], number: int) -> list[Any]:
    if len(values) != number:
        raise ValueError(f"{what} has {number} entries, not {len(values)}")
    return values


def _bits(what: str, names: Any) -> int:
    return sum(1 << pattern for pattern in pattern_numbers(what, names))


def _refuse_contradiction(told: View, rebuilt: View) -> None:
    """What follows from columns and umbrellas must be what is told."""
    for name, value in rebuilt.items():
        if name != "seats" and told[name] != value:
            raise ValueError(f"it contradicts itself: {name} is {told[name]!r}, not {value}")
    for seat, (about, found) in enumerate(zip(told["seats"], rebuilt["seats"], strict=True)):
        for name, value in found.items():
            if about[name] != value:
                raise ValueError(
                    f"it is of another table, or contradicts itself: seat {seat} has {name} "
                    f"{about[name]!r}, and by its columns and umbrellas {value}"
                )


def _refuse_impossible(state: Any) -> None:
    """Pieces that are too many or too few, a turn that is not this seat's."""
    n, turn = int(state.num_players), int(state.turn)
    laid = int(state.laid[:n].sum()) + n
    money = int(state.dollars[:n].sum()) + int(state.piles.sum())
    astray = any(_token_is_astray(state, pattern) for pattern in range(PATTERNS))
    whose = (int(state.first) + turn - 1) % n
    for wrong, problem in (
        (int(state.top) != laid + MARKET, f"{laid} tiles on beaches and {state.top} drawn"),
        (len({*state.market}) < MARKET or state.unseen[state.market].any(), "a tile twice"),
        (money != n + 2, f"{money} dollars instead of {n + 2}"),
        (astray, "a token where it cannot be"),
        (not state.over and int(state.to_act) != 1 << whose, "a turn of another seat"),
        (bool(state.over) and (turn % n or state.laid[:n].max() < LAST), "no end"),
    ):
        if wrong:
            raise ValueError(f"this view contradicts itself: it has {problem}")


def _token_is_astray(state: Any, pattern: int) -> bool:
    """U14: on its track until somebody reaches it, then with one who has, or on a beach."""
    reached = state.tracks[: int(state.num_players), pattern] >= TOKEN_STEP
    held = (state.tokens[: int(state.num_players)] >> pattern) & 1
    on_track = bool((int(state.track_tokens) >> pattern) & 1)
    return bool(on_track == reached.any() or held.sum() > 1 or (held > reached).any())
