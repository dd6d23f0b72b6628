"""From a view back to a reachable state: `from_view`.

A view tells all but the others' unknown cards and the order of the deck. While a scoring is shown,
a hand that held five or more then can only hold cards of those; they are dealt first.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import plain
from miaui_env.games.showcase.knowledge import by_kind, view
from miaui_env.games.showcase.pieces import (
    ACT_NAMES,
    CARDS,
    CODES,
    COPIES,
    HAND,
    KINDS,
    NO_CARD,
    PHASE_NAMES,
)
from miaui_env.games.showcase.recall import after_act, forget, known, look_back

if TYPE_CHECKING:
    from miaui_env.game import Setup, View


def from_view(setup: Setup, told: View, key: int) -> np.ndarray:
    """A reachable state with that view, as a record array `(1,)`; another one for each key.

    With `min_turns` the view does not say when the round began: as late as lets its players
    declare now, if that can be.

    Raises:
        ValueError: for a view of the other recall mode, or one that contradicts itself.
    """
    if (told["unseen"] is not None) != setup.perfect_recall:
        raise ValueError("this view is of the other mode of perfect_recall")
    states = _found(setup, told, random.Random(int(key) & 0xFFFFFFFFFFFFFFFF))
    if view(states[0], told["seat"]) != told:
        raise ValueError("no table of this setup gives that view")
    return states


def _found(setup: Setup, told: View, luck: random.Random) -> np.ndarray:
    states = setup.blank.copy()
    state, own = states[0], told["seat"]
    _lay_out(state, told)
    state.hands[own] = by_kind(told["hand"])
    if state.hands[own].sum() != state.hand_size[own]:
        raise ValueError("this view has another number of cards in hand than it says")
    for other, about in enumerate(told["seats"]):
        if other != own:
            state.hands[other] = _certain(state, told, other, about)
            state.traced[other] = state.hands[other]
    pool = _unseen(state)
    for other, about in enumerate(told["seats"]):
        if other != own:
            _fill_hand(state, other, about, pool, luck)
    deck = [kind for kind in range(KINDS) for _ in range(pool[kind])]
    luck.shuffle(deck)
    state.top = CARDS - len(deck)
    state.deck[int(state.top) :] = deck
    _remember(state, told)
    return states


def _lay_out(state: Any, told: View) -> None:
    """All that the view tells of the table; hands are empty, nobody knows anything."""
    n = len(told["seats"])
    state.over = not told["to_act"]
    state.to_act = sum(1 << seat for seat in told["to_act"])
    state.phase = PHASE_NAMES.index(told["phase"])
    state.turn, state.rounds = told["turn"], told["round"]
    state.finisher = state.last_finisher = -1 if told["finisher"] is None else told["finisher"]
    state.points[:n] = told["scores"]
    state.showcase[:] = [NO_CARD if card is None else CODES[card] for card in told["showcase"]]
    state.discards[:] = by_kind(told["discards"])
    _date_round(state, n)
    state.given[:], state.taken[:] = NO_CARD, NO_CARD
    for seat, about in enumerate(told["seats"]):
        state.hand_size[seat] = about["hand_size"]
        state.played[seat] = by_kind(about["played"])
        if about["revealed"] is not None:
            state.revealed[seat] = by_kind(about["revealed"])
            state.shown[seat] = 1
        if about["last_act"]:
            _lay_act(state, seat, about["last_act"])


def _date_round(state: Any, n: int) -> None:
    """When the round began: in turn 1, or not before there were so many rounds."""
    latest = max(int(state.turn) - n * int(state.min_turns) + 1, int(state.rounds))
    state.round_turn = 1 if state.rounds == 1 else min(latest, int(state.turn))


def _lay_act(state: Any, seat: int, told: list[str]) -> None:
    act, *kinds = told
    state.act[seat] = ACT_NAMES.index(act)
    state.act_turn[seat] = state.round_turn
    if kinds:
        state.taken[seat] = CODES[kinds[-1]]
    if len(kinds) == 2:
        state.given[seat] = CODES[kinds[0]]


def _certain(state: Any, told: View, other: int, about: View) -> np.ndarray:
    """Cards that are surely in another's hand; without memory or scoring, the one taken last."""
    if about["known"] is not None:
        return by_kind(about["known"])
    if about["revealed"] is not None:
        return _left_of_revealed(state, told["seat"], other, about)
    cards = np.zeros(KINDS, np.int64)
    taken = int(state.taken[other])
    if taken >= 0 and state.hand_size[other]:
        cards[taken] = _unseen(state)[taken] > 0
    return cards


def _left_of_revealed(state: Any, viewer: int, other: int, about: View) -> np.ndarray:
    """What is surely left of a revealed hand, wherever the seat's last Act falls."""
    blank = state.copy()
    plain(forget)(blank, viewer)
    blank.scorings[viewer], blank.cleaning[viewer] = 2, 1
    cards = np.array([plain(known)(blank, viewer, other, kind) for kind in range(KINDS)])
    if state.finisher < 0:
        grown = bool(about["hand_size"] + sum(about["played"].values()) > HAND)
        act, given, taken = (int(what[other]) for what in (state.act, state.given, state.taken))
        seen = (act, given, taken, False, False, grown, False)
        cards[:] = [plain(after_act)(cards[kind], kind, *seen) for kind in range(KINDS)]
    return cards


def _unseen(state: Any) -> np.ndarray:
    """How many of each kind lie in no place that the state has filled yet."""
    lying = np.bincount(state.showcase[state.showcase >= 0], minlength=KINDS)
    seen = lying + state.discards + state.hands.sum(0) + state.played.sum(0)
    unseen: np.ndarray = COPIES - seen
    if unseen.min() < 0:
        raise ValueError("this view shows more cards of a kind than there are")
    return unseen


def _fill_hand(state: Any, other: int, about: View, pool: np.ndarray, luck: random.Random) -> None:
    """Deal the rest of a hand from the pool, first cards of a large revealed hand."""
    missing = about["hand_size"] - int(state.hands[other].sum())
    if missing < 0:
        raise ValueError(f"this view knows more cards in the hand of seat {other} than it holds")
    revealed = by_kind(about["revealed"] or {})
    likely = np.maximum(revealed - state.hands[other], 0) * (revealed.sum() >= HAND)
    for _ in range(missing):
        choice = np.minimum(likely, pool)
        if not choice.any():
            choice = pool
        kind = luck.choices(range(KINDS), [int(weight) for weight in choice])[0]
        state.hands[other, kind] += 1
        pool[kind] -= 1
        likely[kind] -= likely[kind] > 0
        if choice is not pool:
            state.traced[other, kind] += 1


def _remember(state: Any, told: View) -> None:
    """The seat has just looked; the others have, too, and know nothing yet."""
    viewer, n = told["seat"], len(told["seats"])
    perfect_recall = bool(state.perfect_recall)
    state.perfect_recall = True
    for seat in range(n):
        plain(forget)(state, seat)
        plain(look_back)(state, seat)
    for other, about in enumerate(told["seats"]):
        if about["known"] is not None and other != viewer:
            state.recalled[viewer, other] = by_kind(about["known"])
            if state.finisher < 0:
                state.recalled[viewer, other] += state.played[other]
    state.perfect_recall = perfect_recall
    if state.rounds > 1 and not state.shown[viewer]:
        state.last_finisher = max(int(state.last_finisher), 0)
        state.revealed[:n] = state.hands[:n]
