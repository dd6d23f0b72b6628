"""Laying the table: options into a fresh record, and decks stacked through `reset(options=…)`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.checks import whole
from miaui_env.games.miaui.pieces import card_codes, multiset_counts

if TYPE_CHECKING:
    from miaui_env.game import Setup

STACK_OPTIONS = frozenset({"deck", "kiti"})
"""What `reset(options=…)` understands: `deck`, all cards, those for the box first, then from the
top; `kiti`, the gap where Kiti starts."""


def hand_size(setup: Setup) -> int:
    """Diver cards, so actions, and rounds, so decisions of a seat."""
    size: int = setup.options.hand_size
    return size


def write_options(state: Any, setup: Setup) -> None:
    """Put the options into a fresh record."""
    options = setup.options
    if options.kiti is not None:
        whole("kiti", options.kiti, 0, setup.num_players - 1)
    state.open_baskets, state.no_fighting = options.open_baskets, options.no_fighting
    state.hand_size, state.spaces = options.hand_size, options.spaces
    state.kiti_fixed = -1 if options.kiti is None else options.kiti
    state.kiti_stacked = -1
    state.cards[:] = multiset_counts(options.multiset)
    state.num_cards = len(options.multiset)


def stack(state: Any, setup: Setup, options: Mapping[str, Any]) -> None:
    """Prepare the next deal of `state`: its deck, card by card, and Kiti's gap.

    Raises:
        ValueError: for an unknown card, another multiset than the game's `cards`, a gap that is
        none.
    """
    deck, kiti = options.get("deck"), options.get("kiti")
    codes = None if deck is None else _checked_deck(setup, deck)
    gap = -1 if kiti is None else whole("kiti", kiti, 0, setup.num_players - 1)
    if codes is not None:
        state.deck[: len(codes)] = codes
        state.stacked = 1
    state.kiti_stacked = gap


def _checked_deck(setup: Setup, deck: Any) -> list[int]:
    if isinstance(deck, str) or not isinstance(deck, Iterable):
        raise ValueError(f"deck is a list of card names, not {deck!r}")
    names = list(deck)
    codes = card_codes(names)
    wanted = setup.options.multiset
    if len(codes) != len(wanted):
        raise ValueError(f"deck holds {len(codes)} cards, but the game has {len(wanted)}")
    surplus = multiset_counts(names).astype(np.int64) - multiset_counts(wanted)
    if surplus.any():
        too_many = [names[codes.index(kind)] for kind in np.flatnonzero(surplus > 0)]
        raise ValueError(f"deck is no order of the game's cards: too many of {', '.join(too_many)}")
    return codes
