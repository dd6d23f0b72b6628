"""What a seat cannot know, imagined anew: others' cards and the order of the deck.

Some of the others' cards are fixed: under perfect recall those that the seat knows; while the last
scoring is shown, those that all who watched the table know; otherwise the card that a seat took
last, if it took it this round and has not been seen to lose it. All others are unseen: they are
mixed with the deck and dealt anew, each hand as many as before.

So the alternative is uniform over the places of the unseen cards. That is exact as long as nobody
has chosen anything by its hidden cards. It differs from uniformly random play of the others in
this: whoever plays, swaps or discards at random more likely does so with a kind of which it holds
many, so what was seen leaving a hand makes more of that kind left there a little likelier, and is
not weighed; and seats that have seen other things (a scoring that is still shown to them alone,
their own memory) keep them, as far as the cards allow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import shuffle
from miaui_env.games.showcase.pieces import CARDS, KINDS, Luck
from miaui_env.games.showcase.recall import known


@kernel
def resample(state: Any, seat: int, key: Any) -> None:
    """Replace what the seat cannot know by an alternative that leaves its view as it is."""
    start = _gather(state, seat)
    shuffle(state.deck, start, CARDS, key, Luck.IMAGINED)
    for other in range(state.num_players):
        missing = np.int64(state.hand_size[other]) if other != seat else 0
        for kind in range(KINDS):
            missing -= np.int64(state.hands[other, kind]) if other != seat else 0
        for _ in range(missing):
            state.hands[other, state.deck[start]] += 1
            start += 1
        if other != seat:
            _correct_traces(state, seat, other)


@kernel
def _gather(state: Any, seat: int) -> int:
    """Lay the others' cards that are not fixed upon the deck; returns where it begins then.

    There is room: these cards were drawn from that array.
    """
    start = np.int64(state.top)
    for other in range(state.num_players):
        if other != seat:
            for kind in range(KINDS):
                kept = fixed(state, seat, other, kind)
                for _ in range(kept, np.int64(state.hands[other, kind])):
                    start -= 1
                    state.deck[start] = kind
                state.hands[other, kind] = kept
    return start


@kernel
def fixed(state: Any, viewer: int, seat: int, kind: int) -> int:
    """How many of a kind stay in another's hand whatever the viewer imagines."""
    traced = np.int64(state.traced[seat, kind])
    if state.shown[viewer]:
        return traced
    if state.perfect_recall:
        return known(state, viewer, seat, kind)
    fresh = state.act_turn[seat] >= state.round_turn
    return min(traced, 1) if fresh and state.taken[seat] == kind else 0


@kernel
def _correct_traces(state: Any, viewer: int, seat: int) -> None:
    """Nobody has traced or remembers cards in a hand that are not in it now."""
    for kind in range(KINDS):
        cards = np.int64(state.hands[seat, kind])
        state.traced[seat, kind] = min(np.int64(state.traced[seat, kind]), cards)
        if state.perfect_recall:
            most = cards + np.int64(state.played[seat, kind])
            for other in range(state.num_players):
                if other != viewer:
                    recalled = np.int64(state.recalled[other, seat, kind])
                    state.recalled[other, seat, kind] = min(recalled, most)
