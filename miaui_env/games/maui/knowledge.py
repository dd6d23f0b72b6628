"""A seat's knowledge as a plain dict, and back from the vector that it observes.

Both go by `Shown`, what lies open: everything but the order of the bag.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.games import version_of
from miaui_env.games.maui.pieces import (
    CELL_NAMES,
    MARKET_ROWS,
    PATTERN_NAMES,
    PATTERNS,
    PEARL_WORTH,
    PLACES,
    START_TOP,
    TILE_NAMES,
    TILE_NUMBERS,
    triple_name,
)
from miaui_env.games.maui.setup import umbrella_names
from miaui_env.games.maui.view import column_patterns

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

VERSION = version_of("maui")
"""Moves only when rules, view or action numbers move; see RULES.md."""


@dataclass(frozen=True)
class Shown:
    """What lies open, with absolute seats.

    Attributes:
        turn: of all seats together, from 1. to_act: seats that owe a move. first: who began.
        market: tiles by number. piles: dollars. track_tokens: flags by pattern.
        steps: patterns of the step umbrellas. unseen: flags by tile.
        laid, dollars, penalties: `(n,)`. tokens, tracks: `(n, 5)`. pearls: `(n, 2)`.
        umbrellas: kinds, `(n, 8)`. tops, columns: `(n, 13)`.
    """

    turn: int
    to_act: list[int]
    first: int
    market: Any
    piles: Any
    track_tokens: Any
    steps: Any
    unseen: Any
    laid: Any
    dollars: Any
    penalties: Any
    tokens: Any
    tracks: Any
    pearls: Any
    umbrellas: Any
    tops: Any
    columns: Any


def view(state: Any, seat: int | None) -> View:
    """What `seat` may know, as views.md has it; the referee, None, also knows the bag's order."""
    told = _tell(shown_by(state), seat)
    if seat is None:
        told["bag"] = [TILE_NAMES[tile] for tile in state.bag[state.top :]]
    return told


def view_of(setup: Setup, observation: np.ndarray, seat: int) -> View:
    """The view that gives `observation` to `seat`; the law of views makes it the only one."""
    return _tell(_observed(setup, observation, seat), seat)


def inventory(state: Any) -> dict[str, int]:
    """Tiles, money, and umbrellas by kind (steps that were taken are gone), wherever they lie."""
    n = int(state.num_players)
    held = int(state.dollars[:n].sum())
    pearls = [int(state.pearls[:n, kind].sum()) for kind in range(2)]
    lying = [int((state.umbrellas[:n] == 1 + kind).sum()) for kind in range(2)]
    return {
        "tiles": int((state.columns[:n] > 0).sum()) + len(state.market) + int(state.unseen.sum()),
        "tiles in the bag and not seen": int(state.unseen[state.bag[state.top :]].sum())
        - int(state.unseen.sum()),
        "dollars": held + int(state.piles.sum()),
        "white pearls": pearls[0] + lying[0],
        "black pearls": pearls[1] + lying[1],
    }


# --- what lies open -------------------------------------------------------------------------------


def flags(bits: Any) -> np.ndarray:
    """A bit set of patterns as flags."""
    return (np.asarray(bits)[..., None] >> np.arange(PATTERNS)) & 1


def shown_by(state: Any) -> Shown:
    """What a state shows."""
    n = int(state.num_players)
    own = ("laid", "dollars", "penalties", "tracks", "pearls", "umbrellas", "tops", "columns")
    return Shown(
        turn=int(state.turn),
        to_act=[seat for seat in range(n) if (int(state.to_act) >> seat) & 1],
        first=int(state.first),
        track_tokens=flags(state.track_tokens),
        tokens=flags(state.tokens[:n]),
        **{name: state[name] for name in ("market", "piles", "steps", "unseen")},
        **{name: state[name][:n] for name in own},
    )


def _observed(setup: Setup, observation: np.ndarray, seat: int) -> Shown:
    """What an observation shows."""

    def read(name: str) -> np.ndarray:
        return setup.layout.read(observation, name)

    def turned(name: str) -> np.ndarray:
        return np.roll(read(name), seat, 0)

    own = ("laid", "dollars", "penalties", "tokens", "tracks", "pearls", "columns")
    umbrellas = turned("umbrellas")
    return Shown(
        turn=int(read("turn")[0]),
        to_act=np.flatnonzero(turned("to_act")).tolist(),
        first=int(turned("first").argmax()),
        market=[TILE_NUMBERS[triple_name(tile.argmax(1))] for tile in read("market")],
        steps=read("step_patterns").argmax(1),
        umbrellas=umbrellas.any(2) * (1 + umbrellas.argmax(2)),
        tops=np.insert(turned("tops"), 0, START_TOP, axis=1),
        **{name: read(name) for name in ("piles", "track_tokens", "unseen")},
        **{name: turned(name) for name in own},
    )


# --- in words -------------------------------------------------------------------------------------


def _tell(shown: Shown, seat: int | None) -> View:
    tiles = [TILE_NAMES[tile] for tile in shown.market]
    n = len(shown.laid)
    return {
        "game": "maui",
        "version": VERSION,
        "seat": seat,
        "num_players": n,
        "to_act": shown.to_act,
        "turn": shown.turn,
        "first": shown.first,
        "market": [tiles[row * PLACES : (row + 1) * PLACES] for row in range(MARKET_ROWS)],
        "piles": [int(dollars) for dollars in shown.piles],
        "track_tokens": _flagged(shown.track_tokens),
        "step_patterns": [PATTERN_NAMES[pattern] for pattern in shown.steps],
        "seats": [_tell_seat(shown, other) for other in range(n)],
        "bag_size": int(np.sum(shown.unseen)),
        "unseen": {TILE_NAMES[tile]: 1 for tile in np.flatnonzero(shown.unseen)},
    }


def _tell_seat(shown: Shown, seat: int) -> View:
    columns = range(int(shown.laid[seat]) + 1)
    names = umbrella_names(shown.steps)
    lying = zip(CELL_NAMES, shown.umbrellas[seat], strict=True)
    white, black = map(int, shown.pearls[seat])
    return {
        "columns": [_tell_column(shown, seat, column) for column in columns],
        "umbrellas": {cell: names[kind] for cell, kind in lying if kind},
        "dollars": int(shown.dollars[seat]),
        "penalties": int(shown.penalties[seat]),
        "tokens": _flagged(shown.tokens[seat]),
        "tracks": dict(zip(PATTERN_NAMES, map(int, shown.tracks[seat]), strict=True)),
        "pearls": {"white": white, "black": black},
        "score": score_of(shown, seat),
    }


def _tell_column(shown: Shown, seat: int, column: int) -> list[Any]:
    patterns = column_patterns(int(shown.columns[seat, column]))
    return [int(shown.tops[seat, column]), triple_name(patterns)]


def score_of(shown: Shown, seat: int) -> int:
    """U17, as it stands."""
    money = int(shown.dollars[seat]) - int(shown.penalties[seat])
    steps = sum(map(int, shown.tracks[seat]))
    return steps + money + sum(int(PEARL_WORTH[number]) for number in shown.pearls[seat])


def _flagged(shown: Any) -> list[str]:
    return [name for name, flag in zip(PATTERN_NAMES, shown, strict=True) if flag]
