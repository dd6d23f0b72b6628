"""Hand-written players of Maui, the benchmark's yardsticks. Frozen: a better one gets a new name.

Each is a kernel `(observation, offsets, mask, key) -> action` that reads the table view's fields;
field f begins at `offsets[f]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.games.maui.actions import BUYS, ON_BEACH, TOKEN_CHOICES
from miaui_env.games.maui.pieces import (
    CELL_OF,
    CELL_ROW,
    MARKET,
    MARKET_ROWS,
    PATTERNS,
    PEARL_WORTH,
    PLACES,
    ROW_VALUE,
    ROWS,
    SECTIONS,
)
from miaui_env.games.maui.view import KINDS, See

TOKEN_WORTH = 1.0
"""A towel token is laid only where it brings more than that."""
EDGE_WORTH = 0.4
"""What a section brings the next tile, for each step that a match with it would be worth."""
TAKE_WORTH = 1.5
"""What money is worth in hand, beside a point for each dollar."""


@kernel
def greedy(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """What brings most points at once, with an eye on the rows where matches are worth most."""
    best = -1
    best_worth = 0.0
    for action in range(len(mask)):
        if mask[action]:
            worth = _worth(observation, offsets, action, len(mask))
            if best < 0 or worth > best_worth:
                best = action
                best_worth = worth
    return best


@kernel
def _worth(observation: Any, offsets: Any, action: int, actions: int) -> float:
    """Points that an action brings, and what it is good for later."""
    places = (actions - MARKET_ROWS - MARKET * ON_BEACH) // BUYS
    buys = BUYS * places
    if action < buys:
        slot = action // TOKEN_CHOICES
        top = slot % places + 1 - (places - ON_BEACH) // 2
        worth = np.float64(observation[offsets[See.GAINS] + slot])
        worth += _token(observation, offsets, slot // places, top, action % TOKEN_CHOICES - 1)
        return worth - slot // places % PLACES + _beach(observation, offsets, top)
    if action < buys + MARKET_ROWS:
        return observation[offsets[See.PILES] + action - buys] + TAKE_WORTH
    top = (action - buys - MARKET_ROWS) % ON_BEACH + 1
    return _beach(observation, offsets, top) - 1.0


@kernel
def _token(observation: Any, offsets: Any, tile: int, top: int, choice: int) -> float:
    """Steps that a token on a tile brings beyond the pattern that it covers."""
    if choice < 0:
        return 0.0
    section = choice // PATTERNS
    row = top + section
    worth = -TOKEN_WORTH
    for pattern in range(PATTERNS):
        if observation[offsets[See.FRONT] + pattern * ROWS + row - 1]:
            if pattern == choice % PATTERNS:
                worth += ROW_VALUE[row]
            at = offsets[See.MARKET] + (tile * SECTIONS + section) * PATTERNS
            if observation[at + pattern]:
                worth -= ROW_VALUE[row]
    return worth


@kernel
def _beach(observation: Any, offsets: Any, top: int) -> float:
    """What a tile brings where it lies: penalties, an umbrella, a good place for the next one."""
    worth = 0.0
    for row in range(top, top + SECTIONS):
        if row < 1 or row > ROWS:
            worth -= 1.0
        else:
            worth += EDGE_WORTH * ROW_VALUE[row]
    column = observation[offsets[See.LAID]] + 2
    cell = np.int64(CELL_OF[column])
    if cell >= 0 and top <= CELL_ROW[column] < top + SECTIONS:
        worth += _umbrella(observation, offsets, offsets[See.UMBRELLAS] + cell * KINDS)
    return worth


@kernel
def _umbrella(observation: Any, offsets: Any, at: int) -> float:
    """Points for the umbrella whose flags stand at `at`: the next pearl of its kind, or a step."""
    for kind in range(2):
        if observation[at + kind]:
            pearls = np.int64(observation[offsets[See.PEARLS] + kind])
            return PEARL_WORTH[pearls + 1] - PEARL_WORTH[pearls]
    return 1.0


BOTS = {"greedy": greedy}
