"""A hand-written player of Showcase, the benchmark's yardstick.

Frozen: a better one gets a new name. It is a kernel `(observation, offsets, mask, key) -> action`
that reads the table view's fields; field f begins at `offsets[f]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.games.showcase.pieces import (
    DECLARE,
    DISCARD,
    DRAW,
    KINDS,
    MILK,
    PASS,
    PLACES,
    PLAY,
    TAKE,
    VALUE,
    Phase,
)
from miaui_env.games.showcase.view import See

TARGET = 10
"""Points that win; an observation does not tell it."""
PROMISE = 0.3
"""What a single fish is worth for the second that may come, as a share of its points."""
DRAWN = 0.9
"""What a card from the deck is worth; a better one in the showcase is taken."""
USUAL_CARD = 0.8
"""What a card in another's hand scores, about; 0.7 in a hand as dealt, more in one well kept."""


@kernel
def greedy(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """Gather sets, end the round when that brings more than it brings the others, keep the best."""
    if observation[offsets[See.PHASE] + Phase.PLAY]:
        return _play(observation, offsets, mask)
    if observation[offsets[See.PHASE] + Phase.DECLARE]:
        return _declare(observation, offsets, mask)
    return _discard(observation, offsets)


@kernel
def _play(observation: Any, offsets: Any, mask: Any) -> int:
    """Play milk if that wins; otherwise take the card worth most, or draw."""
    milk = np.int64(observation[offsets[See.HAND] + MILK])
    if milk > 0 and np.int64(observation[offsets[See.SCORES]]) + milk >= TARGET:
        return PLAY + MILK
    best = DRAW
    most = DRAWN
    for place in range(PLACES):
        if mask[TAKE + place]:
            worth = _gain(observation, offsets, _open_card(observation, offsets, place))
            if worth > most:
                best = TAKE + place
                most = worth
    return best


@kernel
def _declare(observation: Any, offsets: Any, mask: Any) -> int:
    """Declare if it wins at once, or brings more than it is likely to bring any other."""
    if not mask[DECLARE]:
        return PASS
    own = np.int64(observation[offsets[See.SCORES]]) + 1
    if own >= TARGET:
        return DECLARE
    own += hand_worth(observation, offsets)
    seats = offsets[See.TURN_HIGH] - offsets[See.TO_ACT]
    lead = np.float64(own)
    gain = 1.0 + hand_worth(observation, offsets)
    best_gain = 0.0
    for i in range(1, seats):
        expected = USUAL_CARD * np.int64(observation[offsets[See.HAND_SIZE] + i])
        best_gain = max(best_gain, expected)
        lead = min(lead, own - np.int64(observation[offsets[See.SCORES] + i]) - expected)
    if own >= TARGET:
        return DECLARE if lead > 0 else PASS
    return DECLARE if gain > best_gain else PASS


@kernel
def _discard(observation: Any, offsets: Any) -> int:
    """Discard what the hand misses least."""
    best = -1
    least = 0.0
    for kind in range(KINDS):
        if observation[offsets[See.HAND] + kind] > 0:
            loss = _loss(observation, offsets, kind)
            if best < 0 or loss < least:
                best = kind
                least = loss
    return DISCARD + best


@kernel
def hand_worth(observation: Any, offsets: Any) -> int:
    """Points that the own hand scores."""
    worth = 0
    for kind in range(KINDS):
        count = np.int64(observation[offsets[See.HAND] + kind])
        if kind == MILK or count >= 2:
            worth += count * np.int64(VALUE[kind])
    return worth


@kernel
def _open_card(observation: Any, offsets: Any, place: int) -> int:
    """The kind that lies on a place of the showcase."""
    for kind in range(KINDS):
        if observation[offsets[See.SHOWCASE] + place * KINDS + kind]:
            return kind
    return MILK


@kernel
def _gain(observation: Any, offsets: Any, kind: int) -> float:
    """What one more card of a kind is worth: its points, and those of one that waits for it."""
    if kind == MILK:
        return 1.0
    value = np.float64(VALUE[kind])
    count = np.int64(observation[offsets[See.HAND] + kind])
    if count == 0:
        return PROMISE * value
    return 2 * value - PROMISE * value if count == 1 else value


@kernel
def _loss(observation: Any, offsets: Any, kind: int) -> float:
    """What one card less of a kind costs."""
    if kind == MILK:
        return 1.0
    value = np.float64(VALUE[kind])
    count = np.int64(observation[offsets[See.HAND] + kind])
    if count == 1:
        return PROMISE * value
    return 2 * value - PROMISE * value if count == 2 else value


BOTS = {"greedy": greedy}
