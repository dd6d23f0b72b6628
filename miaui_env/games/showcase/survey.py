"""Everything there is to know of a table, as one flat vector, for a central critic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, WIDE, Field, put, put_bits, put_one_hot, wide
from miaui_env.games.showcase.pieces import CARDS, COPIES, KINDS, LAST_TURN, PLACES, Act
from miaui_env.games.showcase.view import (
    PHASES,
    best_score,
    largest_deck,
    largest_hand,
    most_played,
    most_rounds,
    put_kinds,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup


def survey_fields(setup: Setup) -> list[Field]:
    """The referee's vector, in the order in which `survey` writes it; seats are absolute."""
    n, copies = setup.num_players, tuple(map(int, COPIES))
    return [
        Field("phase", (PHASES,), 0, 1, "play (and act), declare, clean up"),
        Field("to_act", (n,), 0, 1, "who owes an action"),
        *wide("turn", (1,), 1, LAST_TURN, "the turn, over the whole game"),
        Field("round", (1,), 1, most_rounds(setup), "the round"),
        *wide("round_turn", (1,), 1, LAST_TURN, "the turn in which the round began"),
        Field("finisher", (1,), -1, n - 1, "who ended the round that is scored; -1 in a round"),
        Field("last_finisher", (1,), -1, n - 1, "who ended the last round; -1: nobody yet"),
        Field("scores", (n,), 0, best_score(setup), "points"),
        Field("showcase", (PLACES,), -1, KINDS - 1, "the kind on each place; -1: none"),
        Field("hands", (n, KINDS), 0, copies, "all hands"),
        Field("hand_size", (n,), 0, largest_hand(n), "cards in each hand"),
        Field("played", (n, KINDS), 0, most_played(setup), "cards lying open before each seat"),
        Field("act", (n,), 0, Act.SWAP, "what each seat did last; 0: nothing yet"),
        Field("given", (n,), -1, KINDS - 1, "the kind swapped away in it; -1: none"),
        Field("taken", (n,), -1, KINDS - 1, "the kind taken in it; -1: none"),
        Field("shown", (n,), 0, 1, "who is shown the last scoring's hands"),
        Field("revealed", (n, KINDS), 0, copies, "hands as they were then"),
        Field("discards", (KINDS,), 0, copies, "the discards"),
        Field("deck_size", (1,), 0, largest_deck(setup), "cards in the deck"),
        Field("deck", (CARDS - PLACES,), -1, KINDS - 1, "the deck from its top, then -1"),
    ]


@kernel
def survey(state: Any, out: Any) -> Any:
    """Write everything there is to know; returns the cursor behind it."""
    n = np.int64(state.num_players)
    at = _survey_progress(state, out, START)
    for place in range(PLACES):
        at = put(out, at, state.showcase[place])
    for seat in range(n):
        at = put_kinds(out, at, state.hands[seat])
    for seat in range(n):
        at = put(out, at, state.hand_size[seat])
    for seat in range(n):
        at = put_kinds(out, at, state.played[seat])
    for seat in range(n):
        at = put(out, at, state.act[seat])
    for seat in range(n):
        at = put(out, at, state.given[seat])
    for seat in range(n):
        at = put(out, at, state.taken[seat])
    for seat in range(n):
        at = put(out, at, state.shown[seat])
    for seat in range(n):
        at = put_kinds(out, at, state.revealed[seat])
    at = put_kinds(out, at, state.discards)
    return _survey_deck(state, out, at)


@kernel
def _survey_progress(state: Any, out: Any, at: Any) -> Any:
    """Phase, turn, round, finishers, points."""
    n = np.int64(state.num_players)
    at = put_one_hot(out, at, state.phase, PHASES)
    at = put_bits(out, at, np.int64(state.to_act), n)
    at = put(out, at, np.int64(state.turn) // WIDE)
    at = put(out, at, np.int64(state.turn) % WIDE)
    at = put(out, at, state.rounds)
    at = put(out, at, np.int64(state.round_turn) // WIDE)
    at = put(out, at, np.int64(state.round_turn) % WIDE)
    at = put(out, at, state.finisher)
    at = put(out, at, state.last_finisher)
    for seat in range(n):
        at = put(out, at, state.points[seat])
    return at


@kernel
def _survey_deck(state: Any, out: Any, at: Any) -> Any:
    """How many cards the deck has, and which, from its top."""
    at = put(out, at, CARDS - np.int64(state.top))
    most = CARDS - PLACES
    for i in range(most):
        place = np.int64(state.top) + i
        at = put(out, at, state.deck[place] if place < CARDS else -1)
    return at
