"""Everything there is to know of a table, as one flat vector, for a central critic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, Field, put, put_bits, put_zeros
from miaui_env.games.miaui.pieces import GULL, KINDS, MAX_SPACES
from miaui_env.games.miaui.rules import boxed_at_setup, is_used
from miaui_env.games.miaui.view import pile_limit, put_pile, stack_limit, stack_slots

if TYPE_CHECKING:
    from miaui_env.game import Setup


def survey_fields(setup: Setup) -> list[Field]:
    """The referee's vector, in the order in which `survey` writes it; seats are absolute."""
    n, hand, spaces = setup.num_players, setup.options.hand_size, setup.options.spaces
    stack, pile = stack_limit(setup), pile_limit(setup)
    total = len(setup.options.multiset)
    return [
        Field("round", (1,), 1, hand, "the round"),
        Field("gulls_returned", (1,), 0, total, "seagulls shuffled back in round 1"),
        Field("kiti", (1,), -1, n - 1, "Kiti's gap; -1 under No Fighting"),
        Field("to_act", (n,), 0, 1, "who owes a diver card"),
        Field("hands", (n, hand), 0, 1, "diver cards in hand"),
        Field("committed", (n,), 0, hand, "diver cards face down on the table; 0: none"),
        Field("dived", (n, hand), 0, hand, "diver cards revealed, in order"),
        Field("lagoon", (spaces, stack), 0, GULL, "cards on each space, oldest first, by number"),
        Field("peeker", (spaces,), -1, n - 1, "who may look at the face-down card of a space"),
        Field("piles", (n, pile), 0, GULL, "piles from the top down, by card number"),
        Field("last_dives", (n,), 0, hand, "diver cards of the last reveal"),
        Field("last_taker", (spaces,), -1, n - 1, "who took what lay there; -1: nobody"),
        Field("last_catch", (spaces, stack), 0, GULL, "cards taken there, by number"),
        Field("boxed", (KINDS - 1,), 0, total, "cards of each kind in the box"),
        Field("deck", (total,), 0, GULL, "returned to the box, then the deck from its top, then 0"),
    ]


@kernel
def survey(state: Any, out: Any) -> Any:
    """Write everything there is to know; returns the cursor behind it."""
    n = np.int64(state.num_players)
    rounds = np.int64(state.hand_size)
    at = put(out, START, state.turn)
    at = put(out, at, state.gulls_returned)
    at = put(out, at, state.kiti)
    at = put_bits(out, at, np.int64(state.to_act), n)
    for seat in range(n):
        at = put_bits(out, at, np.int64(state.hands[seat]), rounds)
    for seat in range(n):
        at = put(out, at, state.committed[seat])
    for seat in range(n):
        for i in range(rounds):
            at = put(out, at, state.dived[seat, i])
    at = _survey_lagoon(state, out, at)
    for seat in range(n):
        at = put_pile(state, seat, out, at)
    at = _survey_last_round(state, out, at)
    for kind in range(1, KINDS):
        at = put(out, at, state.boxed[kind])
    return _survey_deck(state, out, at)


@kernel
def _survey_lagoon(state: Any, out: Any, at: Any) -> Any:
    """Cards as they are, and the peeker of each space that holds a face-down one."""
    for space in range(MAX_SPACES):
        if is_used(state, space):
            for i in range(stack_slots(state)):
                at = put(out, at, state.lagoon[space, i])
    for space in range(MAX_SPACES):
        if is_used(state, space):
            at = put(out, at, state.peeker[space] if state.lagoon_size[space] > 0 else -1)
    return at


@kernel
def _survey_last_round(state: Any, out: Any, at: Any) -> Any:
    """What the last reveal showed, with absolute seats."""
    for seat in range(state.num_players):
        at = put(out, at, state.last_dives[seat])
    for space in range(MAX_SPACES):
        if is_used(state, space):
            at = put(out, at, state.last_taker[space])
    for space in range(MAX_SPACES):
        if is_used(state, space):
            count = np.int64(state.last_catch_size[space])
            for i in range(count):
                at = put(out, at, state.last_catch[space, i])
            at = put_zeros(out, at, stack_slots(state) - count)
    return at


@kernel
def _survey_deck(state: Any, out: Any, at: Any) -> Any:
    """The cards for the box, the deck from its top, zeros for those drawn."""
    boxed = boxed_at_setup(state)
    for i in range(boxed):
        at = put(out, at, state.deck[i])
    for i in range(state.top, state.num_cards):
        at = put(out, at, state.deck[i])
    return put_zeros(out, at, np.int64(state.top) - boxed)
