"""Hand-written players of Lucky Catch, the benchmark's yardsticks.

Frozen: a better one gets a new name. Each is a kernel `(observation, offsets, mask, key) ->
action`, and field f begins at `offsets[f]`. `greedy` reads the table view, `rememberer` what
perfect recall adds to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import draw
from miaui_env.games.lucky_catch.pieces import ANY, BOOTS, CREATURE_TILES, ROW, SEA
from miaui_env.games.lucky_catch.view import BOOT_CODE, FACE_DOWN, See

AGAIN = 0.25
"""What it is worth to cast again, in points."""
TIE = 1 << 20
"""Purpose of the draws between places that are worth the same."""


def _expected(worth: int) -> list[float]:
    """Boots, or with 1 the chest, expected in a sea of so many tiles.

    Boots and the chest leave it as soon as they are turned over, a creature one time in four; so
    when a share x of the creatures is left, x⁴ of the others are.
    """
    shares = [step / 1000 for step in range(1001)]
    sizes = [CREATURE_TILES * x + (BOOTS + 1) * x**4 for x in shares]
    nearest = [min(range(1001), key=lambda i: abs(sizes[i] - size)) for size in range(SEA + 1)]
    return [worth * shares[i] ** 4 for i in nearest]


BOOTS_LEFT = np.array(_expected(BOOTS))
CHEST_LEFT = np.array(_expected(1))


@kernel
def greedy(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """Take a creature that was turned over lately and fits; else fish where most is to be hoped.

    What lies in the sea it guesses from the number of tiles there, what lies in rows from that.
    """
    size = np.int64(observation[offsets[See.SEA_SIZE]])
    boots, chest = BOOTS_LEFT[size], CHEST_LEFT[size]
    creatures = max(size - boots - chest, 0.0)
    fit = creatures * _chance(observation, offsets) / max(size, 1)
    sea = fit * (1.0 + AGAIN) + (2.0 * chest - boots) / max(size, 1)
    taken = SEA - size - (1.0 - chest)
    row_boots = (BOOTS - boots) / max(taken, 1.0)
    row_fit = (1.0 - row_boots) * _chance(observation, offsets)
    return _best(observation, offsets, mask, key, offsets[See.SEA], sea, row_fit, row_boots)


@kernel
def rememberer(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """Greedy with the faces of all tiles ever turned over, and so of all that are left."""
    at = offsets[See.UNSEEN]
    creatures, boots = np.float64(observation[at]), np.float64(observation[at + 1])
    chest, fitting = np.float64(observation[at + 2]), np.float64(observation[at + 3])
    unseen = max(creatures + boots + chest, 1.0)
    sea = (fitting * (1.0 + AGAIN) + 2.0 * chest - boots) / unseen
    return _best(observation, offsets, mask, key, offsets[See.RECALLED_SEA], sea, 0.0, 0.0)


@kernel
def _chance(observation: Any, offsets: Any) -> float:
    """How likely a creature fits the dice: each die takes one in four, or any."""
    colour = 1.0 if observation[offsets[See.COLOUR_DIE] + ANY - 1] else 0.25
    creature = 1.0 if observation[offsets[See.CREATURE_DIE] + ANY - 1] else 0.25
    return colour * creature


@kernel
def _best(
    observation: Any,
    offsets: Any,
    mask: Any,
    key: Any,
    at: Any,
    sea: float,
    row_fit: float,
    row_boots: float,
) -> int:
    """The legal place that promises most, one of several at random.

    Args:
        observation: see `greedy`.
        offsets: see `greedy`.
        mask: see `greedy`.
        key: see `greedy`.
        at: where the places begin; whether they fit stands behind them.
        sea: points to be hoped for from a tile of the sea that is not known.
        row_fit: how likely a tile of a row that is not known fits.
        row_boots: how likely it is a boot.
    """
    seats = offsets[See.CASTS_HIGH] - offsets[See.TO_ACT]
    chosen, ties, best = 0, 0, 0.0
    for action in range(len(mask)):
        if mask[action]:
            code = observation[at + action]
            fits = observation[at + len(mask) + action]
            if action < SEA:
                worth = sea if code == FACE_DOWN else _sea_worth(fits)
            elif action < SEA + ROW:
                worth = AGAIN * (row_fit if code == FACE_DOWN else max(fits, 0))
            else:
                worth = _steal_worth(code, fits, row_fit, row_boots, seats)
            if ties == 0 or worth > best:
                chosen, ties, best = action, 1, worth
            elif worth == best:
                ties += 1
                if draw(key, TIE, ties, ties) == 0:
                    chosen = action
    return chosen


@kernel
def _sea_worth(fits: int) -> float:
    """A creature of the sea that is known: a point and another cast, or nothing."""
    return 1.0 + AGAIN if fits > 0 else 0.0


@kernel
def _steal_worth(code: int, fits: int, row_fit: float, row_boots: float, seats: int) -> float:
    """A tile of another's row: what one gains is lost by one of the others."""
    point = 1.0 + 1.0 / (seats - 1)
    if code == FACE_DOWN:
        return row_fit * (point + AGAIN) - row_boots * point
    if code == BOOT_CODE:
        return -point
    return point + AGAIN if fits > 0 else 0.0


BOTS = {"greedy": greedy, "rememberer": rememberer}
REMEMBERING = frozenset({"rememberer"})
"""Those that read what perfect recall adds."""
