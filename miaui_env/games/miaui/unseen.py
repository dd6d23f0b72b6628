"""Cards that a seat has not seen, dealt anew: in the deck, in the box, face down for others."""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import allocating, kernel
from miaui_env.engine.rng import draw, mix, shuffle
from miaui_env.games.miaui.pieces import GULL, MAX_CARDS, MAX_SPACES, Luck
from miaui_env.games.miaui.rules import boxed_at_setup, is_used


@allocating
def redeal_unseen(state: Any, seat: int, key: Any) -> None:
    """Deal the cards anew that lie in the deck, in the box since setup, or face down for others."""
    pool = np.empty(MAX_CARDS, np.int8)
    size = _gather_unseen(state, seat, pool)
    _set_boxed(state, -1)
    _deal_pool(state, pool, size, key)
    _hand_out_unseen(state, seat, pool)
    _set_boxed(state, 1)


@kernel
def _deal_pool(state: Any, pool: Any, size: int, key: Any) -> None:
    """Put `pool` into a random order: first the cards for the box, as likely as M4 makes them."""
    boxed = boxed_at_setup(state)
    shuffle(pool, 0, size, mix(key, 0), Luck.IMAGINED)
    others = _gulls_last(pool, size)
    gulls = _gulls_boxed(state, size - others, others, boxed, mix(key, 1))
    filled = min(boxed, others)  # the rest of the box holds gulls already
    for i in range(gulls - (boxed - filled)):
        pool[size - 1 - i] = pool[filled - 1 - i]
        pool[filled - 1 - i] = GULL
    shuffle(pool, 0, boxed, mix(key, 2), Luck.IMAGINED)
    shuffle(pool, boxed, size, mix(key, 3), Luck.IMAGINED)


@kernel
def _gulls_last(pool: Any, size: int) -> int:
    """Move the Seagulls behind the others, which keep their order; returns how many others."""
    others = 0
    for i in range(size):
        if pool[i] != GULL:
            pool[others] = pool[i]
            others += 1
    for i in range(others, size):
        pool[i] = GULL
    return others


@kernel
def _gather_unseen(state: Any, seat: int, pool: Any) -> int:
    """Collect those cards in `pool`: box, then face-down ones, then deck. Returns how many."""
    size = 0
    for i in range(boxed_at_setup(state)):
        pool[size] = state.deck[i]
        size += 1
    for space in range(MAX_SPACES):
        if hidden_from(state, seat, space):
            pool[size] = state.lagoon[space, 0]
            size += 1
    for i in range(state.top, state.num_cards):
        pool[size] = state.deck[i]
        size += 1
    return size


@kernel
def _hand_out_unseen(state: Any, seat: int, pool: Any) -> None:
    """Put the cards of `pool` back where `_gather_unseen` took them from."""
    place = 0
    for i in range(boxed_at_setup(state)):
        state.deck[i] = pool[place]
        place += 1
    for space in range(MAX_SPACES):
        if hidden_from(state, seat, space):
            state.lagoon[space, 0] = pool[place]
            state.deck[drawn_at(state, space)] = pool[place]
            place += 1
    for i in range(state.top, state.num_cards):
        state.deck[i] = pool[place]
        place += 1


@kernel
def hidden_from(state: Any, seat: int, space: int) -> bool:
    """Whether a card lies face down on the space and the seat may not look."""
    return bool(
        state.lagoon_size[space] > 0 and state.peeker[space] >= 0 and state.peeker[space] != seat
    )


@kernel
def drawn_at(state: Any, space: int) -> int:
    """Where in `deck` the oldest card on a space was drawn: one card a space and round (M3)."""
    order = 0
    for other in range(space):
        order += is_used(state, other)
    first_round = np.int64(state.turn) - np.int64(state.lagoon_size[space])
    return boxed_at_setup(state) + first_round * np.int64(state.spaces) + order


@kernel
def _set_boxed(state: Any, step: int) -> None:
    """Count the cards boxed at setup in or out of the box."""
    for i in range(boxed_at_setup(state)):
        state.boxed[state.deck[i]] += step


@allocating
def _gulls_boxed(state: Any, gulls: int, others: int, boxed: int, key: Any) -> int:
    """How many of the unseen `gulls` lie in the box, drawn as likely as round 1 makes it (M4).

    There are C(gulls, b) · C(others, boxed - b) boxes with b Seagulls, each `box_weight` likely.
    """
    weights = np.zeros(MAX_CARDS + 1)
    least = max(boxed - others, 0)
    most = min(boxed, gulls)
    weight = 1.0
    total = 0.0
    for b in range(least, most + 1):
        weights[b] = weight * box_weight(state, b, boxed)
        total += weights[b]
        weight *= (gulls - b) * (boxed - b) / ((b + 1) * (others - boxed + b + 1))
    left = fraction(key) * total
    for b in range(least, most):
        left -= weights[b]
        if left < 0:
            return b
    return most


@kernel
def box_weight(state: Any, inside: int, boxed: int) -> float:
    """How likely what round 1 has shown is with so many Seagulls boxed, up to a factor.

    Of G Seagulls b are boxed, so M = all - G - (boxed - b) others lie in the deck. An arrangement
    of it has weight 1 / (M)_spaces, or (G - b)_g where the seat knows that g gulls went back.
    """
    gulls = np.int64(state.cards[GULL])
    others = np.int64(state.num_cards) - gulls - boxed
    likely = 1.0
    if _knows_gulls(state):
        for i in range(state.gulls_returned):
            likely *= max(gulls - inside - i, 0) / (gulls - i)
    else:
        for i in range(state.spaces):
            likely *= (others - i) / (others + inside - i)
    return likely


@kernel
def _knows_gulls(state: Any) -> bool:
    """Whether seats know how many Seagulls went back in round 1."""
    return bool(state.perfect_recall or state.turn <= 2)


@kernel
def fraction(key: Any) -> float:
    """A random number in [0, 1)."""
    return draw(key, Luck.IMAGINED, 0, 1 << 31) / (1 << 31)
