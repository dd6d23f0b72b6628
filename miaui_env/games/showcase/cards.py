"""Cards on their way: from the deck into hands and the showcase, and the discards into a deck."""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import mix, shuffle
from miaui_env.games.showcase.pieces import CARDS, KINDS, NO_CARD, PLACES, Luck


@kernel
def top_card(state: Any, key: Any) -> int:
    """S9: the deck's top card, of the discards if need be; with none at all the game is over."""
    if state.top == CARDS and not _reshuffle(state, key):
        end_game(state)
        return NO_CARD
    card = np.int64(state.deck[state.top])
    state.top += 1
    return card


@kernel
def _reshuffle(state: Any, key: Any) -> bool:
    """S9: shuffle the discards into a new deck; False if there are none."""
    place = CARDS
    for kind in range(KINDS):
        for _ in range(state.discards[kind]):
            place -= 1
            state.deck[place] = kind
        state.discards[kind] = 0
    state.top = place
    if place == CARDS:
        return False
    state.reshuffles += 1
    shuffle(state.deck, place, CARDS, mix(key, np.int64(state.reshuffles)), Luck.DECK)
    for seat in range(state.num_players):
        state.reshuffled[seat] = 1
    return True


@kernel
def gain(state: Any, seat: int, kind: int) -> None:
    """A card comes into a hand, unseen; NO_CARD is none."""
    if kind != NO_CARD:
        state.hands[seat, kind] += 1
        state.hand_size[seat] += 1


@kernel
def take_openly(state: Any, seat: int, kind: int) -> None:
    """A card comes into a hand from the showcase, and all have seen it."""
    gain(state, seat, kind)
    state.traced[seat, kind] += 1


@kernel
def lose(state: Any, seat: int, kind: int) -> None:
    """A card leaves a hand, and all see it."""
    state.hands[seat, kind] -= 1
    state.hand_size[seat] -= 1
    if state.traced[seat, kind] > 0:
        state.traced[seat, kind] -= 1


@kernel
def fill_showcase(state: Any, key: Any) -> None:
    """S1, S3, S7: a card from the deck on each place that lacks one, while there are any."""
    for place in range(PLACES):
        if state.showcase[place] == NO_CARD and not state.over:
            state.showcase[place] = top_card(state, key)


@kernel
def end_game(state: Any) -> None:
    """S8-S10: the game is over, with the points as they stand."""
    state.over = 1
    state.to_act = 0
