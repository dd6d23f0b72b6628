"""The numbers of the actions, and the moves that they stand for.

- buy: `(tile · P + position) · 16 + token`, with P = 5 + 2·overhang positions from the top down;
  tiles 0-5 by market row and place, cheap first; token 0 for none, else 1 + 5·section + pattern
- take: `96 · P + pile`
- free: `96 · P + 2 + tile · 5 + position`, wholly on the beach
"""

from __future__ import annotations

from typing import NamedTuple

from miaui_env.checks import whole
from miaui_env.games.maui.pieces import (
    MARKET,
    MARKET_ROWS,
    PATTERNS,
    ROWS,
    SECTIONS,
    Options,
)

TOKEN_CHOICES = 1 + SECTIONS * PATTERNS
ON_BEACH = ROWS - SECTIONS + 1
"""Positions in which nothing hangs over."""
BUYS = MARKET * TOKEN_CHOICES
"""Buys for each position."""


class Buy(NamedTuple):
    """U8: a market tile, its top section on row `top`; `token` is None or (section, pattern)."""

    tile: int
    top: int
    token: tuple[int, int] | None = None


class Take(NamedTuple):
    """U9: all dollars of a market row's pile."""

    pile: int


class Free(NamedTuple):
    """U10: a market tile for nothing, its top section on row `top`."""

    tile: int
    top: int


Move = Buy | Take | Free


def num_actions(overhang: int = 1) -> int:
    """How many actions there are."""
    positions = Options(overhang=overhang).positions
    return positions * BUYS + MARKET_ROWS + MARKET * ON_BEACH


def encode(move: Move, overhang: int = 1) -> int:
    """The number of a move at a table with that overhang; ValueError for a move it has not."""
    positions = Options(overhang=overhang).positions
    if isinstance(move, Take):
        return positions * BUYS + whole("pile", move.pile, 0, MARKET_ROWS - 1)
    tile = whole("tile", move.tile, 0, MARKET - 1)
    if isinstance(move, Free):
        position = whole("top", move.top, 1, ON_BEACH) - 1
        return positions * BUYS + MARKET_ROWS + tile * ON_BEACH + position
    position = whole("top", move.top, 1 - overhang, ON_BEACH + overhang) - 1 + overhang
    return (tile * positions + position) * TOKEN_CHOICES + _token_choice(move.token)


def _token_choice(token: tuple[int, int] | None) -> int:
    if token is None:
        return 0
    section, pattern = token
    section = whole("section", section, 0, SECTIONS - 1)
    return 1 + section * PATTERNS + whole("pattern", pattern, 0, PATTERNS - 1)


def decode(action: int, overhang: int = 1) -> Move:
    """The move that a number stands for at a table with that overhang."""
    positions = Options(overhang=overhang).positions
    left = whole("action", action, 0, num_actions(overhang) - 1)
    if left < positions * BUYS:
        left, choice = divmod(left, TOKEN_CHOICES)
        tile, position = divmod(left, positions)
        token = divmod(choice - 1, PATTERNS) if choice else None
        return Buy(tile, position + 1 - overhang, token)
    left -= positions * BUYS
    if left < MARKET_ROWS:
        return Take(left)
    tile, position = divmod(left - MARKET_ROWS, ON_BEACH)
    return Free(tile, position + 1)
