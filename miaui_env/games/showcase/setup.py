"""Laying the table: options into a fresh record, decks stacked, and how long a game can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.checks import whole
from miaui_env.games.showcase.pieces import (
    ACTIONS,
    CARDS,
    COPIES,
    HAND,
    KINDS,
    LAST_TURN,
    NAMES,
    card_codes,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup

STACK_OPTIONS = frozenset({"deck", "first"})
"""What `reset(options=…)` understands: `deck`, all 50 cards from the top (hands seat by seat, the
showcase, the deck); `first`, the seat that begins."""


def actions(setup: Setup) -> int:
    """Number of actions, legal or not."""
    return ACTIONS


def longest(setup: Setup) -> int:
    """The most decisions of one seat: two in each turn, and each card that it plays or discards.

    Turns go round, so no seat has more than its share of 200. Every card played or discarded came
    into the hand before: five in the deal, one at most in each turn, five at most in each clean-up;
    and each clean-up follows a declaration that brought a point, but nobody to the target.
    """
    n = setup.num_players
    turns = -(-LAST_TURN // n)
    clean_ups = min(n * (setup.options.target - 1), LAST_TURN)
    return 2 * turns + HAND + turns + HAND * clean_ups


def write_options(state: Any, setup: Setup) -> None:
    """Put the options into a fresh record."""
    options = setup.options
    state.played_count, state.discard_scored = options.played_count, options.discard_scored
    state.min_turns, state.target = options.min_turns, options.target
    state.first_stacked = -1


def stack(state: Any, setup: Setup, options: Mapping[str, Any]) -> None:
    """Prepare the next deal of `state`: its deck, card by card, and who begins.

    Raises:
        ValueError: for an unknown card, other cards than the box holds, a seat that is none.
    """
    deck, first = options.get("deck"), options.get("first")
    codes = None if deck is None else _checked_deck(deck)
    begins = -1 if first is None else whole("first", first, 0, setup.num_players - 1)
    if codes is not None:
        state.deck[:] = codes
        state.stacked = 1
    state.first_stacked = begins


def _checked_deck(deck: Any) -> list[int]:
    if isinstance(deck, str) or not isinstance(deck, Iterable):
        raise ValueError(f"deck is a list of card names, not {deck!r}")
    codes = card_codes(list(deck))
    if len(codes) != CARDS:
        raise ValueError(f"deck holds {len(codes)} cards, but the game has {CARDS}")
    surplus = np.bincount(codes, minlength=KINDS) - COPIES
    if surplus.any():
        too_many = ", ".join(NAMES[kind] for kind in np.flatnonzero(surplus > 0))
        raise ValueError(f"deck is no order of the game's cards: too many of {too_many}")
    return codes
