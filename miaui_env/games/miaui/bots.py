"""Hand-written players of Miaui, the benchmark's yardsticks. Frozen: a better one gets a new name.

Each is a kernel `(observation, offsets, mask, key) -> action` that reads the table view's fields;
field f begins at `offsets[f]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.games.miaui.pieces import MAX_SPACES
from miaui_env.games.miaui.view import CARD, See

USUAL_WORTH = 4.5
"""What a card in the lagoon is worth on average; a dive that catches less is a card wasted."""
UNKNOWN_WORTH = 4.0
"""What a face-down card is taken for: about the mean of the box, (197 - 50) / 37."""
PEEK_WORTH = 1.0
"""What it is worth to know, alone, the next card of a space (M11)."""
GULL_WORTH = -1.0
"""A Seagull over an empty pile takes nothing but the round."""


@kernel
def lowest(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """The lowest diver card in hand."""
    for action in range(len(mask)):
        if mask[action]:
            return action
    return 0


@kernel
def highest(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """The highest diver card in hand."""
    for action in range(len(mask) - 1, -1, -1):
        if mask[action]:
            return action
    return 0


@kernel
def greedy(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """Dive where the catch is worth most above the usual, against others who dive anywhere.

    Each card in hand is played once in the game, so a card is not chosen for the most points but
    for the most points above what it would bring in a usual round.
    """
    seats = offsets[See.HAND] - offsets[See.TO_ACT]
    spaces = (offsets[See.LAST_CATCH] - offsets[See.LAST_TAKER]) // seats
    worths = (
        worth_above(observation, offsets, 0, spaces),
        worth_above(observation, offsets, 1, spaces),
        worth_above(observation, offsets, 2, spaces),
    )
    best = -1
    best_gain = 0.0
    for action in range(len(mask)):
        if mask[action]:
            above = (len(mask) - action - 0.5) / len(mask)
            gain = gain_of(worths, above, seats - 1, spaces)
            if best < 0 or gain > best_gain:
                best = action
                best_gain = gain
    return best


@kernel
def gain_of(worths: Any, above: float, others: int, spaces: int) -> float:
    """What a dive brings, space by space the worth × the probability of winning it.

    `above` is the probability that one of the others dives above: with any of all cards, a tie
    counts as half above, half below. At deepest nobody may be above; at deep exactly one; at
    shallow all, and the spaces before must be taken by others (M6).
    (All powers by hand, and each but once: a greedy decision of 4 seats took 222 ns, so 74.)
    """
    gain = worths[0] * power(1.0 - above, others)
    if spaces == MAX_SPACES:
        gain += worths[1] * (others * above * power(1.0 - above, others - 1))
    if spaces > 1 and others >= spaces - 1:
        gain += worths[spaces - 1] * power(above, others)
    return gain


@kernel
def power(base: float, exponent: int) -> float:
    """A power by squaring, the same to the last bit with and without compiling."""
    result = 1.0
    while exponent > 0:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return result


@kernel
def worth_above(observation: Any, offsets: Any, space: int, spaces: int) -> float:
    """Points that all cards lying on a space would bring the own pile, above the usual."""
    if space >= spaces:
        return 0.0  # there is none such
    stack = (offsets[See.PILES] - offsets[See.LAST_CATCH]) // spaces
    worth = 0.0
    for i in range(stack):
        worth += card_worth(observation, offsets, offsets[See.LAGOON] + (space * stack + i) * CARD)
    return worth - USUAL_WORTH


@kernel
def card_worth(observation: Any, offsets: Any, at: int) -> float:
    """Points that the card written at `at` would bring the own pile."""
    value = np.float64(observation[at])
    jellyfish = observation[offsets[See.JELLYFISH]]
    if observation[at + 5]:
        return UNKNOWN_WORTH
    if observation[at + 4]:
        own_top = np.float64(observation[offsets[See.PILE_TOP]])
        return GULL_WORTH - own_top
    if observation[at + 3] and jellyfish == 2:
        return 25.0  # the third rids the pile of two others, -25 on average (M10)
    if observation[at + 2]:
        return value + PEEK_WORTH
    return value


BOTS = {"lowest": lowest, "highest": highest, "greedy": greedy}
