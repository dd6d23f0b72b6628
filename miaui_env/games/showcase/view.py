"""What a seat may know of a table of Showcase, as one flat vector of named fields.

`knowledge.py` tells the same as a dict and back. Observations are relative: the own seat first,
then clockwise; views name absolute seats. Fields in reading order (`See`); perfect recall adds its
own behind the table's, so that a bot of the table can be cut a prefix of them. Cards are counts by
kind, in the order of the box; a single open card is one-hot over the kinds.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import (
    START,
    WIDE,
    Field,
    put,
    put_around,
    put_bits,
    put_one_hot,
    put_row,
    put_seat,
    put_zeros,
    wide,
)
from miaui_env.engine.seats import bits_around, clockwise
from miaui_env.games.showcase.pieces import (
    CARDS,
    COPIES,
    HAND,
    KINDS,
    LAST_TURN,
    MILK,
    PLACES,
    VALUE,
    Act,
)
from miaui_env.games.showcase.recall import known

if TYPE_CHECKING:
    from miaui_env.game import Setup

PHASES = 3
LONG = "random play ends rounds, and with them games, within some twenty turns"
GATHERED = "a hand of all cards of a kind takes patience, which random play lacks"
PATIENT = "takes a round in which nobody declares until the deck is empty"
ACTS = 3
"""Draw, take, swap; all 0 before a seat's first Act."""


class See(IntEnum):
    """The fields of an observation, in order; a bot reads field f from `offsets[f]` on."""

    PHASE = 0
    TO_ACT = 1
    TURN_HIGH = 2
    TURN_LOW = 3
    ROUND = 4
    FINISHER = 5
    SCORES = 6
    SHOWCASE = 7
    HAND = 8
    HAND_SIZE = 9
    PLAYED = 10
    ACT = 11
    GIVEN = 12
    TAKEN = 13
    SHOWN = 14
    REVEALED = 15
    DISCARDS = 16
    DECK_SIZE = 17
    KNOWN = 18
    UNSEEN = 19


# --- which fields there are ---------------------------------------------------------------------


def fields(setup: Setup) -> list[Field]:
    """The seat's observation, in the order in which `observe` writes it."""
    n, copies = setup.num_players, tuple(map(int, COPIES))
    listed = [
        Field("phase", (PHASES,), 0, 1, "play (and act), declare, clean up"),
        Field("to_act", (n,), 0, 1, "who owes an action"),
        *wide("turn", (1,), 1, LAST_TURN, "the turn, over the whole game", rare=LONG),
        Field("round", (1,), 1, most_rounds(setup), "the round", rare=LONG),
        Field("finisher", (n,), 0, 1, "who ended the round that is scored; all 0 in a round"),
        Field("scores", (n,), 0, best_score(setup), "points", rare=PATIENT),
        Field("showcase", (PLACES, KINDS), 0, 1, "the kind on each place; all 0: none"),
        Field("hand", (KINDS,), 0, copies, "the own hand", rare=GATHERED),
        Field("hand_size", (n,), 0, largest_hand(n), "cards in each hand", rare=PATIENT),
        Field(
            "played",
            (n, KINDS),
            0,
            most_played(setup),
            "cards lying open before each seat",
            rare=GATHERED,
        ),
        Field("act", (n, ACTS), 0, 1, "whether each seat last drew, took or swapped"),
        Field("given", (n, KINDS), 0, 1, "the kind swapped away in it"),
        Field("taken", (n, KINDS), 0, 1, "the kind taken in it"),
        Field("shown", (1,), 0, 1, "whether the last scoring's hands are shown"),
        Field("revealed", (n, KINDS), 0, copies, "hands as they were then", rare=GATHERED),
        Field("discards", (KINDS,), 0, copies, "the discards", rare=GATHERED),
        Field("deck_size", (1,), 0, largest_deck(setup), "cards in the deck", rare=PATIENT),
    ]
    if setup.perfect_recall:
        listed += [
            Field(
                "known",
                (n - 1, KINDS),
                0,
                copies,
                "cards known to be in the others' hands",
                rare=GATHERED,
            ),
            Field("unseen", (KINDS,), 0, copies, "cards whose place is unknown"),
        ]
    return listed


def most_rounds(setup: Setup) -> int:
    """Each round before the last one brought its finisher a point, and nobody to the target."""
    return int(setup.num_players * (setup.options.target - 1)) + 1


def most_played(setup: Setup) -> tuple[int, ...]:
    """All cards of a kind can lie before a seat, but milk only until it wins."""
    return (*map(int, COPIES[:MILK]), min(int(COPIES[MILK]), int(setup.options.target)))


def most_held(num_players: int) -> int:
    """The most cards in a hand that is scored.

    The others were dealt five cards each this round, which they hold or have played (or cards that
    they swapped them for), and four lie in the showcase.
    """
    return CARDS - HAND * (num_players - 1) - PLACES


def largest_hand(num_players: int) -> int:
    """One card more: the last one of all can be taken from the showcase, which ends the game."""
    return most_held(num_players) + 1


def best_score(setup: Setup) -> int:
    """Just below the target, then a scoring of all but the least valuable cards."""
    if setup.options.target == 1:
        return 1  # whoever declares wins before anything is scored
    worth = sorted(int(VALUE[kind]) for kind in range(KINDS) for _ in range(COPIES[kind]))
    return int(setup.options.target) - 1 + sum(worth[-most_held(setup.num_players) :])


def largest_deck(setup: Setup) -> int:
    """The most cards in a deck when somebody decides.

    With two players that is the deck as dealt. With more it can be larger in a clean-up, after a
    reshuffle: the finisher has drawn up to five, the next seat still holds six, and those who
    follow, not yet filled up, hold one each (or none, if all they held has scored and gone).
    """
    n = setup.num_players
    waiting = 0 if setup.options.discard_scored else 1
    in_clean_up = CARDS - PLACES - HAND - (HAND + 1) - waiting * (n - 2)
    return max(CARDS - PLACES - HAND * n, in_clean_up)


# --- observe ------------------------------------------------------------------------------------


@kernel
def observe(state: Any, seat: int, out: Any) -> Any:
    """Write what the seat may know; returns the cursor behind it."""
    at = _put_progress(state, seat, out, START)
    at = _put_open_cards(state, seat, out, at)
    at = _put_acts(state, seat, out, at)
    at = _put_revealed(state, seat, out, at)
    at = put_kinds(out, at, state.discards)
    at = put(out, at, CARDS - np.int64(state.top))
    if state.perfect_recall:
        at = _put_recalled(state, seat, out, at)
    return at


@kernel
def put_kinds(out: Any, at: Any, counts: Any) -> Any:
    """How many of each kind."""
    return put_row(out, at, counts, 0, KINDS)


@kernel
def _put_progress(state: Any, seat: int, out: Any, at: Any) -> Any:
    """Phase, who is to act, turn, round, who ended it, points."""
    n = np.int64(state.num_players)
    at = put_one_hot(out, at, state.phase, PHASES)
    at = put_bits(out, at, bits_around(np.int64(state.to_act), seat, n), n)
    at = put(out, at, np.int64(state.turn) >> 7)
    at = put(out, at, np.int64(state.turn) & (WIDE - 1))
    at = put(out, at, state.rounds)
    finisher = np.int64(state.finisher)
    at = put_seat(out, at, finisher, seat, n)
    return put_around(out, at, state.points, seat, n)


@kernel
def _put_open_cards(state: Any, seat: int, out: Any, at: Any) -> Any:
    """The showcase, the own hand, the sizes of all hands, the cards that were played."""
    n = np.int64(state.num_players)
    for place in range(PLACES):
        at = put_one_hot(out, at, state.showcase[place], KINDS)
    at = put_kinds(out, at, state.hands[seat])
    at = put_around(out, at, state.hand_size, seat, n)
    for steps in range(n):
        at = put_kinds(out, at, state.played[clockwise(seat, steps, n)])
    return at


@kernel
def _put_acts(state: Any, seat: int, out: Any, at: Any) -> Any:
    """What each seat did last."""
    n = np.int64(state.num_players)
    for steps in range(n):
        at = put_one_hot(out, at, np.int64(state.act[clockwise(seat, steps, n)]) - Act.DRAW, ACTS)
    for steps in range(n):
        at = put_one_hot(out, at, state.given[clockwise(seat, steps, n)], KINDS)
    for steps in range(n):
        at = put_one_hot(out, at, state.taken[clockwise(seat, steps, n)], KINDS)
    return at


@kernel
def _put_revealed(state: Any, seat: int, out: Any, at: Any) -> Any:
    """The hands of the last scoring, until the seat has taken its next decision."""
    n = np.int64(state.num_players)
    at = put(out, at, state.shown[seat])
    if not state.shown[seat]:
        return put_zeros(out, at, n * KINDS)
    for steps in range(n):
        at = put_kinds(out, at, state.revealed[clockwise(seat, steps, n)])
    return at


@kernel
def _put_recalled(state: Any, seat: int, out: Any, at: Any) -> Any:
    """What the seat knows of the others' hands, and the cards whose place it does not know."""
    n = np.int64(state.num_players)
    unseen = at + np.uint64((n - 1) * KINDS)
    for kind in range(KINDS):
        out[unseen + np.uint64(kind)] = not_in_sight(state, seat, kind)
    for steps in range(1, n):
        for kind in range(KINDS):
            cards = known(state, seat, clockwise(seat, steps, n), kind)
            out[unseen + np.uint64(kind)] -= cards
            at = put(out, at, cards)
    return at + np.uint64(KINDS)


@kernel
def not_in_sight(state: Any, seat: int, kind: int) -> int:
    """Cards of a kind that lie in the deck or in others' hands."""
    cards = np.int64(COPIES[kind]) - np.int64(state.hands[seat, kind])
    cards -= np.int64(state.discards[kind])
    for other in range(state.num_players):
        cards -= np.int64(state.played[other, kind])
    for place in range(PLACES):
        if state.showcase[place] == kind:
            cards -= 1
    return cards
