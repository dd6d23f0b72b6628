"""What a seat may know of a table of Miaui, as one flat vector of named fields.

`knowledge.py` tells the same as a dict and back. Observations are relative: the own seat first,
then clockwise; views name absolute seats. Fields in reading order (`See`); the table view comes
first, then what Open Baskets or perfect recall add, then what perfect recall alone adds, so that a
bot of the table can be cut a prefix of a perfect-recall observation.

A card is `CARD` entries: value, then whether it is a plain fish, Lantern, Jellyfish, Seagull, face
down; all 0 where none lies. Where order matters more than worth (piles, catches) a card is one
entry, its number.
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
    put_last,
    put_one_hot,
    put_seat,
    put_word,
    wide,
    words_of,
)
from miaui_env.engine.seats import bits_around, clockwise, steps_to
from miaui_env.games.miaui.pieces import (
    FACE_DOWN,
    FISH,
    GULL,
    KINDS,
    MAX_SPACES,
    NO_CARD,
    VALUE,
    Fish,
    multiset_counts,
)
from miaui_env.games.miaui.rules import is_used, jellyfish

if TYPE_CHECKING:
    from miaui_env.game import Setup

CARD = 6
"""Entries of a card shown by its properties."""
TOP_CARD = 4
"""Entries of the top card of a pile, which is never a Seagull and never face down."""


def _properties(card: int) -> tuple[int, ...]:
    if card == FACE_DOWN:
        return (0, 0, 0, 0, 0, 1)
    fish = int(FISH[card])
    plain = fish in (Fish.KITTENFISH, Fish.TIGERFISH, Fish.TUNA)
    others = (fish == other for other in (Fish.LANTERN, Fish.JELLYFISH, Fish.SEAGULL))
    return (int(VALUE[card]), int(plain), *map(int, others), 0)


PROPERTIES = np.array([_properties(card) for card in range(KINDS + 1)], np.int8)
"""Each card number's entries; NO_CARD is all 0."""
_WORDS = words_of(PROPERTIES)


class See(IntEnum):
    """The fields of an observation, in order; a bot reads field f from `offsets[f]` on."""

    ROUND = 0
    GULLS_RETURNED = 1
    KITI = 2
    TO_ACT = 3
    HAND = 4
    COMMITTED = 5
    LAGOON = 6
    PEEKER = 7
    PILE_SIZE = 8
    PILE_TOP = 9
    PILE = 10
    JELLYFISH = 11
    SCORE_HIGH = 12
    SCORE_LOW = 13
    LAST_DIVES = 14
    LAST_TAKER = 15
    LAST_CATCH = 16
    PILES = 17
    SCORES_HIGH = 18
    SCORES_LOW = 19
    DIVED = 20
    HANDS = 21
    UNSEEN = 22
    GULLS_RECALLED = 23


# --- which fields there are ---------------------------------------------------------------------

ALL_GULLS = "every Seagull must come up before the lagoon is stocked"
TALL_PILE = "one seat must catch in each round, after ties of all until then under No Fighting"
RICH_PILE = "one seat must make almost all the best catches"


def stack_limit(setup: Setup) -> int:
    """The most cards on one space: ties pile them up only under No Fighting (M18)."""
    return setup.options.hand_size if setup.options.no_fighting else 1


def pile_limit(setup: Setup) -> int:
    """The most cards in a pile: one catch a round (M6), of one card, or of all that lies there.

    Under No Fighting the most come from ties until the last rounds, and then from one space each.
    """
    rounds, spaces = setup.options.hand_size, setup.options.spaces
    if not setup.options.no_fighting:
        return rounds
    return sum(rounds - later for later in range(min(spaces, rounds)))


def most_in_pile(setup: Setup) -> int:
    """The most cards that come together in a pile; `pile_limit` but for few seats.

    Under No Fighting, two seats always catch in the same round, so nothing is left over for either;
    and with three nobody ties in the rounds that let one of them catch at shallow.
    """
    rounds = setup.options.hand_size
    if setup.options.no_fighting and setup.num_players == 2:
        return rounds
    one_less = setup.options.spaces == 3 and setup.num_players == 3 and rounds > 2
    return pile_limit(setup) - int(setup.options.no_fighting and one_less)


def fields(setup: Setup) -> list[Field]:
    """The seat's observation, in the order in which `observe` writes it."""
    n, hand, spaces = setup.num_players, setup.options.hand_size, setup.options.spaces
    stack, pile = stack_limit(setup), pile_limit(setup)
    counts = multiset_counts(setup.options.multiset)
    least, most = _score_bounds(setup)
    gulls = int(counts[GULL])
    least_card, most_card = _card_bounds(counts)
    fish = max((kind for kind in range(KINDS - 1) if counts[kind]), default=1)
    gull = max(kind for kind in range(KINDS) if counts[kind])
    listed = [
        Field("round", (1,), 1, hand, "the round"),
        Field(
            "gulls_returned",
            (1,),
            0,
            gulls,
            "seagulls shuffled back, in rounds 1 and 2; then 0",
            rare=ALL_GULLS,
        ),
        Field(
            "kiti", (0 if setup.options.no_fighting else n,), 0, 1, "Kiti's gap, behind that seat"
        ),
        Field("to_act", (n,), 0, 1, "who owes a diver card"),
        Field("hand", (hand,), 0, 1, "diver cards in the own hand"),
        Field("committed", (1,), 0, hand, "the own diver card face down on the table; 0: none"),
        Field("lagoon", (spaces, stack, CARD), least_card, most_card, "cards there, oldest first"),
        Field("peeker", (spaces, n), 0, 1, "who may look at the face-down card of a space"),
        Field("pile_size", (n,), 0, most_in_pile(setup), "cards in each pile", rare=TALL_PILE),
        Field("pile_top", (n, TOP_CARD), least_card[:TOP_CARD], most_card[:TOP_CARD], "top cards"),
        Field("pile", (pile,), 0, fish, "own pile from the top down, by card number"),
        Field("jellyfish", (1,), 0, 2, "Jellyfish in the own pile"),
        *wide("score", (1,), least, most, "value of the own pile", rare=RICH_PILE),
        Field("last_dives", (n,), 0, hand, "diver cards of the last reveal; 0 before the first"),
        Field("last_taker", (spaces, n), 0, 1, "who took what lay there; all 0: nobody"),
        Field("last_catch", (spaces, stack), 0, gull, "cards taken there, oldest first, by number"),
    ]
    if setup.options.open_baskets or setup.perfect_recall:
        listed += [
            Field(
                "piles", (n - 1, pile), 0, fish, "the others' piles from the top down, by number"
            ),
            *wide("scores", (n - 1,), least, most, "values of the others' piles", rare=RICH_PILE),
            Field("dived", (n, hand), 0, hand, "diver cards revealed by each seat, in order"),
            Field("hands", (n - 1, hand), 0, 1, "the others' diver cards not yet revealed"),
        ]
    if setup.perfect_recall:
        listed += [
            Field("unseen", (KINDS - 1,), 0, tuple(map(int, counts[1:])), "not yet seen, by kind"),
            Field(
                "gulls_recalled",
                (1,),
                0,
                gulls,
                "seagulls shuffled back in round 1, remembered",
                rare=ALL_GULLS,
            ),
        ]
    return listed


def _card_bounds(counts: np.ndarray) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Least and greatest of each entry of a card, over the kinds that there are, none and "?"."""
    kinds = [kind for kind in range(KINDS) if counts[kind]]
    shown = PROPERTIES[[NO_CARD, *kinds, FACE_DOWN]]
    return tuple(map(int, shown.min(0))), tuple(map(int, shown.max(0)))


def _score_bounds(setup: Setup) -> tuple[int, int]:
    """The sum of the two worst Jellyfish; the best pile that the cards could make."""
    worth = sorted(int(VALUE[kind]) for kind in _codes(setup.options.multiset))
    return sum(min(0, value) for value in worth[:2]), sum(
        max(0, value) for value in worth[-pile_limit(setup) :]
    )


def _codes(names: tuple[str, ...]) -> list[int]:
    counts = multiset_counts(names)
    return [kind for kind in range(KINDS) for _ in range(counts[kind])]


# --- observe ------------------------------------------------------------------------------------


@kernel
def stack_slots(state: Any) -> int:
    """Cards that an observation has room for on one space; `stack_limit` of the setup."""
    return np.int64(state.hand_size) if state.no_fighting else 1


@kernel
def pile_slots(state: Any) -> int:
    """Cards that an observation has room for in one pile; `pile_limit` of the setup."""
    rounds = np.int64(state.hand_size)
    slots = rounds
    if state.no_fighting:
        for later in range(1, min(np.int64(state.spaces), rounds)):
            slots += rounds - later
    return slots


@kernel
def put_card(out: Any, at: Any, card: int, entries: int) -> Any:
    """A card by its properties, the first `entries` of them; the others are 0."""
    return put_word(out, at, _WORDS[card], entries)


@kernel
def put_wide_high(out: Any, at: Any, value: int) -> Any:
    """The upper part of a number beyond int8."""
    return put(out, at, value >> 7)


@kernel
def put_wide_low(out: Any, at: Any, value: int) -> Any:
    """The lower part of a number beyond int8."""
    return put(out, at, value & (WIDE - 1))


@kernel
def observe(state: Any, seat: int, out: Any) -> Any:
    """Write what the seat may know; returns the cursor behind it."""
    at = _put_progress(state, seat, out, START)
    at = _put_lagoon(state, seat, out, at)
    at = _put_piles(state, seat, out, at)
    at = _put_last_round(state, seat, out, at)
    if state.open_baskets or state.perfect_recall:
        at = _put_open(state, seat, out, at)
    if state.perfect_recall:
        at = put_unseen(state, seat, out, at)
        at = put(out, at, state.gulls_returned)
    return at


@kernel
def _put_progress(state: Any, seat: int, out: Any, at: Any) -> Any:
    """Round, gulls returned, Kiti, who is to act, own hand and commitment."""
    n = np.int64(state.num_players)
    at = put(out, at, state.turn)
    at = put(out, at, state.gulls_returned if state.turn <= 2 else 0)
    kiti = np.int64(state.kiti)
    if kiti >= 0:
        at = put_one_hot(out, at, steps_to(kiti, seat, n), n)
    at = put_bits(out, at, bits_around(np.int64(state.to_act), seat, n), n)
    at = put_bits(out, at, np.int64(state.hands[seat]), np.int64(state.hand_size))
    return put(out, at, state.committed[seat])


@kernel
def _put_lagoon(state: Any, seat: int, out: Any, at: Any) -> Any:
    """Cards on the spaces as the seat sees them, and who may look at face-down ones."""
    n = np.int64(state.num_players)
    slots = stack_slots(state)
    for space in range(MAX_SPACES):
        if is_used(state, space):
            for i in range(slots):
                at = put_card(out, at, seen_card(state, seat, space, i), CARD)
    for space in range(MAX_SPACES):
        if is_used(state, space):
            peeker = np.int64(state.peeker[space]) if state.lagoon_size[space] > 0 else -1
            at = put_seat(out, at, peeker, seat, n)
    return at


@kernel
def seen_card(state: Any, seat: int, space: int, i: int) -> int:
    """Card i of a space for the seat: FACE_DOWN unless it may look, NO_CARD beyond the last."""
    card = np.int64(state.lagoon[space, i])
    peeker = np.int64(state.peeker[space])
    hidden = (i == 0) & (card != NO_CARD) & (peeker >= 0) & (peeker != seat)
    return FACE_DOWN if hidden else card


@kernel
def _put_piles(state: Any, seat: int, out: Any, at: Any) -> Any:
    """Sizes and tops of all piles; the own pile, its Jellyfish and its score."""
    n = np.int64(state.num_players)
    at = put_around(out, at, state.pile_size, seat, n)
    for steps in range(n):
        at = put_card(out, at, top_card(state, clockwise(seat, steps, n)), TOP_CARD)
    at = put_pile(state, seat, out, at)
    at = put(out, at, jellyfish(state, seat, pile_slots(state)))
    at = put_wide_high(out, at, np.int64(state.points[seat]))
    return put_wide_low(out, at, np.int64(state.points[seat]))


@kernel
def top_card(state: Any, seat: int) -> int:
    """The open card of a pile; NO_CARD, which lies in every empty place, for an empty one."""
    return np.int64(state.piles[seat, max(np.int64(state.pile_size[seat]) - 1, 0)])


@kernel
def put_pile(state: Any, seat: int, out: Any, at: Any) -> Any:
    """A pile from the top down, by card number, then NO_CARD."""
    size = np.int64(state.pile_size[seat])
    return put_last(out, at, state.piles[seat], size, pile_slots(state))


@kernel
def _put_last_round(state: Any, seat: int, out: Any, at: Any) -> Any:
    """What the last reveal showed."""
    n = np.int64(state.num_players)
    slots = stack_slots(state)
    at = put_around(out, at, state.last_dives, seat, n)
    for space in range(MAX_SPACES):
        if is_used(state, space):
            at = put_seat(out, at, np.int64(state.last_taker[space]), seat, n)
    for space in range(MAX_SPACES):
        if is_used(state, space):
            for i in range(slots):
                at = put(out, at, state.last_catch[space, i] * (i < state.last_catch_size[space]))
    return at


@kernel
def _put_open(state: Any, seat: int, out: Any, at: Any) -> Any:
    """All piles with their scores, all dives, all hands (a card committed still counts as held)."""
    n = np.int64(state.num_players)
    rounds = np.int64(state.hand_size)
    for steps in range(1, n):
        at = put_pile(state, clockwise(seat, steps, n), out, at)
    for steps in range(1, n):
        at = put_wide_high(out, at, np.int64(state.points[clockwise(seat, steps, n)]))
    for steps in range(1, n):
        at = put_wide_low(out, at, np.int64(state.points[clockwise(seat, steps, n)]))
    for steps in range(n):
        for i in range(rounds):
            at = put(out, at, state.dived[clockwise(seat, steps, n), i])
    for steps in range(1, n):
        at = put_bits(out, at, unrevealed(state, clockwise(seat, steps, n)), rounds)
    return at


@kernel
def unrevealed(state: Any, seat: int) -> int:
    """Bit set of diver cards that the others have not seen the seat dive with."""
    hand = np.int64(state.hands[seat])
    committed = np.int64(state.committed[seat])
    return hand | (1 << (committed - 1)) if committed else hand


@kernel
def put_unseen(state: Any, seat: int, out: Any, at: Any) -> Any:
    """How many of each kind the seat has never seen: not shown to all, nor peeked at by itself."""
    for kind in range(1, KINDS):
        count = np.int64(state.unseen[kind])
        for space in range(MAX_SPACES):
            if state.peeker[space] == seat and state.lagoon[space, 0] == kind:
                count -= 1
        at = put(out, at, count)
    return at
