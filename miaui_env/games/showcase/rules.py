"""Showcase's rules as kernels, in the order of `RULES.md`: deal, play, act, declare, clean up.

Kernels take one record of `pieces.STATE`. Fields that enter arithmetic are widened first: compiled
and plain Python then agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, put_bits, put_zeros
from miaui_env.engine.rng import draw, shuffle
from miaui_env.engine.seats import clockwise, steps_to
from miaui_env.games.showcase.cards import (
    end_game,
    fill_showcase,
    gain,
    lose,
    take_openly,
    top_card,
)
from miaui_env.games.showcase.pieces import (
    ACTIONS,
    CARDS,
    COPIES,
    DECLARE,
    DISCARD,
    DRAW,
    HAND,
    KINDS,
    LAST_TURN,
    MAX_SEATS,
    MILK,
    NO_CARD,
    PASS,
    PLACES,
    PLAY,
    SWAP,
    TAKE,
    VALUE,
    Act,
    Luck,
    Phase,
)
from miaui_env.games.showcase.recall import forget, look_back

# --- queries -------------------------------------------------------------------------------------


@kernel
def owes(state: Any, seat: int) -> bool:
    """Whether the seat owes an action."""
    return bool((np.int64(state.to_act) >> seat) & 1)


@kernel
def may_declare(state: Any) -> bool:
    """S4: whether each player has had enough turns this round, the current one counted."""
    turns = np.int64(state.turn) - np.int64(state.round_turn) + 1
    return bool(turns >= np.int64(state.num_players) * np.int64(state.min_turns))


@kernel
def counted(state: Any, seat: int, kind: int) -> int:
    """S5: how many cards of a kind decide together whether they score, and for how much."""
    cards = np.int64(state.hands[seat, kind])
    if state.played_count and kind != MILK:
        cards += np.int64(state.played[seat, kind])
    return cards


@kernel
def scores(state: Any, seat: int, kind: int) -> bool:
    """S5: whether the seat's cards of this kind score: milk always, fish from two on."""
    return bool(kind == MILK or counted(state, seat, kind) >= 2)


@kernel
def hand_score(state: Any, seat: int) -> int:
    """S5: what a scoring brings the seat."""
    total = 0
    for kind in range(KINDS):
        if scores(state, seat, kind):
            total += counted(state, seat, kind) * np.int64(VALUE[kind])
    return total


# --- setup (S1) ---------------------------------------------------------------------------------


@kernel
def deal(state: Any, key: Any) -> None:
    """S1: shuffle, deal five cards each, lay the showcase, find who begins."""
    _clear(state)
    n = np.int64(state.num_players)
    if not state.stacked:
        _fill_deck(state)
        shuffle(state.deck, 0, CARDS, key, Luck.DECK)
    first = np.int64(state.first_stacked)
    if first < 0:
        first = draw(key, Luck.FIRST, 0, n)
    state.stacked = 0
    state.first_stacked = -1
    for seat in range(n):
        for _ in range(HAND):
            gain(state, seat, top_card(state, key))
    fill_showcase(state, key)
    _begin_turn(state, first)


@kernel
def _clear(state: Any) -> None:
    """Take everything of an earlier game off the table; options and a stacked deck stay."""
    state.over = 0
    state.turn = 1
    state.rounds = 1
    state.round_turn = 1
    state.finisher = -1
    state.last_finisher = -1
    state.top = 0
    state.reshuffles = 0
    for kind in range(KINDS):
        state.discards[kind] = 0
    for place in range(PLACES):
        state.showcase[place] = NO_CARD
    for seat in range(MAX_SEATS):
        _clear_seat(state, seat)


@kernel
def _clear_seat(state: Any, seat: int) -> None:
    """No cards, no points, nothing done and nothing known."""
    state.points[seat] = 0
    state.hand_size[seat] = 0
    state.act[seat] = Act.NONE
    state.act_turn[seat] = 0
    state.given[seat] = NO_CARD
    state.taken[seat] = NO_CARD
    state.shown[seat] = 0
    for kind in range(KINDS):
        state.hands[seat, kind] = 0
        state.played[seat, kind] = 0
        state.revealed[seat, kind] = 0
        state.traced[seat, kind] = 0
    forget(state, seat)


@kernel
def _fill_deck(state: Any) -> None:
    """All cards, in the order of the box."""
    place = 0
    for kind in range(KINDS):
        for _ in range(COPIES[kind]):
            state.deck[place] = kind
            place += 1


# --- what is allowed ----------------------------------------------------------------------------


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """S2-S4, S6: by phase; all 0 for a seat not to act."""
    put_zeros(mask, START, len(mask))
    if not owes(state, seat):
        return
    if state.phase == Phase.PLAY:
        _allow_play_and_act(state, seat, mask)
    elif state.phase == Phase.DECLARE:
        mask[DECLARE] = may_declare(state)
        mask[PASS] = 1
    else:
        for kind in range(KINDS):
            mask[DISCARD + kind] = holds(state, seat, kind)


@kernel
def holds(state: Any, seat: int, kind: int) -> bool:
    """Whether the seat has a card of this kind in hand."""
    return bool(state.hands[seat, kind] > 0)


@kernel
def lies_open(state: Any, place: int) -> bool:
    """Whether there is a card on that place of the showcase."""
    return bool(state.showcase[place] != NO_CARD)


@kernel
def _allow_play_and_act(state: Any, seat: int, mask: Any) -> None:
    """S2, S3: what is in hand can be played or swapped, what lies open taken, and always a draw."""
    mask[DRAW] = 1
    cards = 0
    for place in range(PLACES):
        cards |= lies_open(state, place) << place
    at = put_bits(mask, np.uint64(TAKE), cards, PLACES)
    for kind in range(KINDS):
        held = holds(state, seat, kind)
        mask[PLAY + kind] = held
        at = put_bits(mask, at, cards * held, PLACES)


@kernel
def allows(state: Any, seat: int, action: int) -> bool:
    """S2-S4, S6: what `legal` says of one action."""
    if not owes(state, seat) or action < 0 or action >= ACTIONS:
        return False
    if state.phase == Phase.PLAY:
        return action < DECLARE and _may_play_or_act(state, seat, action)
    if state.phase == Phase.DECLARE:
        return action == PASS or (action == DECLARE and may_declare(state))
    return action >= DISCARD and holds(state, seat, action - DISCARD)


@kernel
def _may_play_or_act(state: Any, seat: int, action: int) -> bool:
    """S2, S3: of one action before DECLARE."""
    if action < DRAW:
        return holds(state, seat, action - PLAY)
    if action < SWAP:
        return action == DRAW or lies_open(state, action - TAKE)
    kind, place = divmod(action - SWAP, PLACES)
    return holds(state, seat, kind) and lies_open(state, place)


# --- a turn (S2-S4) -----------------------------------------------------------------------------


@kernel
def play(state: Any, seat: int, action: int, key: Any) -> None:
    """One legal action of the seat to act, and all that follows up to the next decision."""
    look_back(state, seat)
    state.shown[seat] = 0
    if action < DRAW:
        _play_card(state, seat, action - PLAY)
    elif action < DECLARE:
        _act(state, seat, action, key)
    elif action == DECLARE:
        _declare(state, seat, key)
    elif action == PASS:
        _end_turn(state, seat)
    else:
        _discard(state, seat, action - DISCARD, key)


@kernel
def _begin_turn(state: Any, seat: int) -> None:
    """The seat is to play and act."""
    state.phase = Phase.PLAY
    state.to_act = 1 << seat


@kernel
def _play_card(state: Any, seat: int, kind: int) -> None:
    """S2: lay a card open; milk pays at once, and may win (S8)."""
    lose(state, seat, kind)
    state.played[seat, kind] += 1
    if kind == MILK:
        _pay(state, seat)


@kernel
def _pay(state: Any, seat: int) -> None:
    """S8: a point gained in a turn; it wins if it reaches the target."""
    state.points[seat] += 1
    if state.points[seat] >= state.target:
        end_game(state)


@kernel
def _act(state: Any, seat: int, action: int, key: Any) -> None:
    """S3: draw, take or swap; then the seat may declare."""
    if action == DRAW:
        card = top_card(state, key)
        if state.over:
            return  # there was nothing to draw, so nothing has been done
        gain(state, seat, card)
        _note_act(state, seat, Act.DRAW, NO_CARD, NO_CARD)
    elif action < SWAP:
        place = action - TAKE
        _take(state, seat, place, NO_CARD)
        fill_showcase(state, key)
    else:
        place = (action - SWAP) % PLACES
        _take(state, seat, place, (action - SWAP) // PLACES)
    if not state.over:
        state.phase = Phase.DECLARE


@kernel
def _take(state: Any, seat: int, place: int, given: int) -> None:
    """S3: take an open card, and lay `given` in its place, if it is a card."""
    taken = np.int64(state.showcase[place])
    if given != NO_CARD:
        lose(state, seat, given)
    take_openly(state, seat, taken)
    state.showcase[place] = given
    _note_act(state, seat, Act.TAKE if given == NO_CARD else Act.SWAP, given, taken)


@kernel
def _note_act(state: Any, seat: int, act: int, given: int, taken: int) -> None:
    """Everybody has seen it."""
    state.act[seat] = act
    state.given[seat] = given
    state.taken[seat] = taken
    state.act_turn[seat] = state.turn
    for other in range(state.num_players):
        state.acted[other] |= 1 << seat


@kernel
def _end_turn(state: Any, seat: int) -> None:
    """S4: pass the turn clockwise; S10: after turn 200 there is none."""
    if state.turn == LAST_TURN:
        end_game(state)
        return
    state.turn += 1
    _begin_turn(state, clockwise(seat, 1, np.int64(state.num_players)))


@kernel
def _declare(state: Any, seat: int, key: Any) -> None:
    """S4, S5, S8: a point at once, then all hands are revealed and scored at the same time."""
    _pay(state, seat)
    if state.over:
        return
    state.finisher = seat
    state.last_finisher = seat
    won = False
    for other in range(state.num_players):
        state.points[other] += hand_score(state, other)
        won = won or state.points[other] >= state.target
        _reveal(state, other)
    if won:
        end_game(state)
    else:
        _begin_clean_up(state, key)


@kernel
def _reveal(state: Any, seat: int) -> None:
    """S5: everybody sees the hand; the seat itself will be told all hands."""
    state.shown[seat] = 1
    state.scorings[seat] = min(np.int64(state.scorings[seat]) + 1, 2)
    for kind in range(KINDS):
        state.revealed[seat, kind] = state.hands[seat, kind]
        state.traced[seat, kind] = state.hands[seat, kind]


# --- clean-up (S6, S7) --------------------------------------------------------------------------


@kernel
def _begin_clean_up(state: Any, key: Any) -> None:
    """S6: played cards become discards, and by option what scored; the finisher is first."""
    if state.discard_scored:
        for seat in range(state.num_players):
            _discard_scored(state, seat)
    for seat in range(state.num_players):
        for kind in range(KINDS):
            state.discards[kind] += state.played[seat, kind]
            state.played[seat, kind] = 0
    state.phase = Phase.CLEAN_UP
    _clean_up(state, np.int64(state.finisher), key)


@kernel
def _discard_scored(state: Any, seat: int) -> None:
    """S6, `discard_scored`: every card in hand that scored; played ones go anyway."""
    for kind in range(KINDS):
        if scores(state, seat, kind):
            for _ in range(state.hands[seat, kind]):
                _discard_one(state, seat, kind)


@kernel
def _discard_one(state: Any, seat: int, kind: int) -> None:
    """A card goes from a hand to the discards."""
    lose(state, seat, kind)
    state.discards[kind] += 1


@kernel
def _discard(state: Any, seat: int, kind: int, key: Any) -> None:
    """S6: one card of the seat's choice."""
    _discard_one(state, seat, kind)
    if state.perfect_recall:
        state.out[seat, kind] += 1  # the seat knows whose card this was
    _clean_up(state, seat, key)


@kernel
def _clean_up(state: Any, seat: int, key: Any) -> None:
    """S6: clockwise from `seat`, draw up to five or stop where a seat must discard."""
    n = np.int64(state.num_players)
    finisher = np.int64(state.finisher)
    for done in range(steps_to(seat, finisher, n), n):
        cleaning = clockwise(finisher, done, n)
        if state.hand_size[cleaning] > HAND:
            state.to_act = 1 << cleaning
            return
        while state.hand_size[cleaning] < HAND:
            gain(state, cleaning, top_card(state, key))
            if state.over:
                return
    _next_round(state, key)


@kernel
def _next_round(state: Any, key: Any) -> None:
    """S7: the seat after the finisher begins, with a full showcase; S10: if there is a turn."""
    finisher = np.int64(state.finisher)
    if state.turn == LAST_TURN:
        end_game(state)
        return
    fill_showcase(state, key)
    if not state.over:
        state.rounds += 1
        state.finisher = -1
        state.round_turn = state.turn + 1
        _end_turn(state, finisher)
