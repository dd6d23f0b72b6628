"""What a seat cannot know, imagined anew: `resample` a state, or build one `from_view`.

A record holds its whole game: the deck with the cards drawn from it, and every dive. To imagine
another game that looks the same to a seat is to change a card or a dive, play all rounds again by
the rules, and compare what the seat sees. So whatever comes out is reachable.

*Perfect recall*: the seat has seen all but the deck, the cards boxed at setup, face-down cards of
others and commitments. Those are drawn anew exactly. *The table view* hides most of the past too.
It is walked through by a Markov chain (Metropolis) of swaps that leave the view as it is; its
stationary distribution is that of uniformly random play, `SWAPS` proposals are an approximation of
it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import allocating, kernel
from miaui_env.engine.rng import draw, mix
from miaui_env.games.miaui.pieces import (
    GULL,
    KINDS,
    MAX_HAND,
    MAX_SPACES,
    STATE,
    Luck,
)
from miaui_env.games.miaui.rules import boxed_at_setup, clear, owes, reveal, stock
from miaui_env.games.miaui.unseen import box_weight, fraction, redeal_unseen
from miaui_env.games.miaui.view import observe

SWAPS = 400
"""Proposals of the chain in one `resample` of a table view."""
MAX_OBSERVATION = 2048
"""Room for the largest observation: 6 seats, 12 rounds, all options."""


@kernel
def resample(state: Any, seat: int, key: Any) -> None:
    """Replace what the seat cannot know by an alternative that leaves its view as it is."""
    redeal_unseen(state, seat, mix(key, 0))
    take_back(state, seat)
    if not state.perfect_recall:
        walk_through_pasts(state, seat, mix(key, 1))
        if state.turn > 2:
            _recount_gulls(state, mix(key, 2))
        redeal_unseen(state, seat, mix(key, 3))
    recommit(state, seat, mix(key, 4))


# --- what was shown, and what others have committed ----------------------------------------------


@kernel
def _recount_gulls(state: Any, key: Any) -> None:
    """How many Seagulls a deck of these cards shows before round 1 is stocked (M4)."""
    boxed = boxed_at_setup(state)
    left = np.int64(state.num_cards) - boxed
    gulls = 0
    for i in range(boxed, state.num_cards):
        gulls += state.deck[i] == GULL
    aside = 0
    needed = np.int64(state.spaces)
    while needed > 0:
        if draw(key, Luck.IMAGINED, left, left) < gulls:
            gulls -= 1
            aside += 1
        else:
            needed -= 1
        left -= 1
    state.gulls_returned = aside


@kernel
def take_back(state: Any, seat: int) -> None:
    """Put what others have committed back into their hands: it may be any card of those."""
    for other in range(state.num_players):
        if other != seat and state.committed[other]:
            state.hands[other] |= 1 << (np.int64(state.committed[other]) - 1)
            state.committed[other] = 0


@kernel
def recommit(state: Any, seat: int, key: Any) -> None:
    """Let the others who have committed have committed any card of their hand."""
    for other in range(state.num_players):
        if other != seat and not owes(state, other) and state.hands[other]:
            action = any_bit(np.int64(state.hands[other]), mix(key, other))
            state.hands[other] &= ~(1 << action)
            state.committed[other] = action + 1


@kernel
def any_bit(bits: int, key: Any) -> int:
    """One of the bits that are set, uniformly."""
    number = 0
    for i in range(MAX_HAND):
        number += (bits >> i) & 1
    left = draw(key, Luck.IMAGINED, 0, number)
    for i in range(MAX_HAND):
        if (bits >> i) & 1:
            if left == 0:
                return i
            left -= 1
    return 0


# --- other pasts that look the same -------------------------------------------------------------


@allocating
def walk_through_pasts(state: Any, seat: int, key: Any) -> None:
    """Propose swaps of cards or dives; keep those after which the seat sees what it saw."""
    target = np.zeros(MAX_OBSERVATION, np.int8)
    seen = np.zeros(MAX_OBSERVATION, np.int8)
    size = np.int64(observe(state, seat, target))
    past = np.empty(1, dtype=STATE)
    table = np.empty(1, dtype=STATE)
    kept = np.empty(1, dtype=STATE)
    kept[0] = state
    past[0] = state
    for step in range(SWAPS):
        luck = mix(key, step)
        if step % 2 or state.open_baskets:
            swapped = _swap_cards(past[0], luck)
        else:
            swapped = swap_dives(past[0], seat, luck)
        if swapped:
            table[0] = past[0]
            replay(past[0], table[0])
            observe(table[0], seat, seen)
            if _same(target, seen, size):
                kept[0] = table[0]
            past[0] = kept[0]
    _adopt(state, kept[0])


@kernel
def _adopt(state: Any, other: Any) -> None:
    """Take over from another game that looks the same what may differ in it."""
    for i in range(state.num_cards):
        state.deck[i] = other.deck[i]
    for kind in range(KINDS):
        state.boxed[kind] = other.boxed[kind]
        state.unseen[kind] = other.unseen[kind]
    for space in range(MAX_SPACES):
        state.lagoon[space, 0] = other.lagoon[space, 0]
    for seat in range(state.num_players):
        state.hands[seat] = other.hands[seat]
        state.points[seat] = other.points[seat]
        for i in range(state.hand_size):
            state.dived[seat, i] = other.dived[seat, i]
        for i in range(state.pile_size[seat]):
            state.piles[seat, i] = other.piles[seat, i]


@kernel
def _same(one: Any, other: Any, size: int) -> bool:
    for i in range(size):
        if one[i] != other[i]:
            return False
    return True


@kernel
def _swap_cards(past: Any, key: Any) -> bool:
    """Swap two cards of the deck as it was; False where it changes nothing or may not be (M4)."""
    boxed = boxed_at_setup(past)
    total = np.int64(past.num_cards)
    one = draw(key, Luck.IMAGINED, 0, total)
    other = draw(key, Luck.IMAGINED, 1, total)
    low, high = min(one, other), max(one, other)
    first, second = past.deck[low], past.deck[high]
    if first == second:
        return False
    opening = boxed + np.int64(past.spaces)
    if (boxed <= low < opening and second == GULL) or (boxed <= high < opening and first == GULL):
        return False
    if low < boxed <= high and not _box_may_change(past, first, second, key):
        return False
    past.deck[low] = second
    past.deck[high] = first
    return True


@kernel
def _box_may_change(past: Any, out: int, into: int, key: Any) -> bool:
    """Metropolis: a Seagull comes into the box only as often as `box_weight` has it there."""
    if into != GULL or out == GULL:
        return True
    inside = 0
    for i in range(boxed_at_setup(past)):
        inside += past.deck[i] == GULL
    boxed = boxed_at_setup(past)
    likely = box_weight(past, inside + 1, boxed) / box_weight(past, inside, boxed)
    return bool(fraction(mix(key, 7)) < likely)


@kernel
def rounds_done(state: Any) -> int:
    """How many rounds have been revealed."""
    return np.int64(state.turn) if state.over else np.int64(state.turn) - 1


@kernel
def swap_dives(past: Any, seat: int, key: Any) -> bool:
    """Swap two dives that a seat made before the last round, or one with a card in its hand."""
    hidden = rounds_done(past) - 1
    if hidden < 1:
        return False
    other = draw(key, Luck.IMAGINED, 0, np.int64(past.num_players))
    one = draw(key, Luck.IMAGINED, 1, hidden)
    hand = np.int64(past.hands[other])
    if other != seat and hand and draw(key, Luck.IMAGINED, 2, 2):
        card = any_bit(hand, mix(key, 3))
        past.hands[other] = (hand & ~(1 << card)) | (1 << (np.int64(past.dived[other, one]) - 1))
        past.dived[other, one] = card + 1
        return True
    two = draw(key, Luck.IMAGINED, 4, hidden)
    dive = past.dived[other, one]
    past.dived[other, one] = past.dived[other, two]
    past.dived[other, two] = dive
    return one != two


@kernel
def replay(past: Any, table: Any) -> None:
    """Play the game of `past` again on `table`, a copy of it: deck after M4, dives, commitments."""
    begin_again(past, table)
    for turn in range(rounds_done(past)):
        dive_again(past, table, turn)
    for seat in range(past.num_players):
        table.hands[seat] = past.hands[seat]
        table.committed[seat] = past.committed[seat]
    table.to_act = past.to_act


@kernel
def begin_again(past: Any, table: Any) -> None:
    """Round 1 of the game of `past`, before anyone dives."""
    n = np.int64(past.num_players)
    clear(table)
    table.gulls_returned = past.gulls_returned
    if past.kiti >= 0:
        table.kiti = (np.int64(past.kiti) + n * MAX_HAND - rounds_done(past)) % n
    table.top = boxed_at_setup(table)
    for i in range(table.top):
        table.boxed[table.deck[i]] += 1
    stock(table)
    table.turn = 1


@kernel
def dive_again(past: Any, table: Any, turn: int) -> None:
    """All dives of one round, and what follows."""
    for seat in range(past.num_players):
        table.committed[seat] = past.dived[seat, turn]
    reveal(table)
