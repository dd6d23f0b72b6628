"""What a seat can know of another's hand: kernels for perfect recall.

Who watches every step knows exactly what came openly into a hand and has not been seen leaving it
(`traced`). But a seat is told the table at its own decisions, and between two of them much may
happen at once. Perfect recall is what follows from these looks: the cards that a seat knew at its
last decision (or that a scoring has revealed since), less those that may have gone, and with those
that surely came. In three places the table does not tell enough, and then the least is assumed:

- Discards of a clean-up lie in one heap. A seat that discarded d cards may have discarded d of
  any kind, but no more than the discards of that kind have grown since the last look, where that
  can be told (no reshuffle in between, at most one scoring, not `discard_scored`).
- A swap seen after a scoring may have come before it, if nothing else shows that its seat has had
  a turn since; not so if the looking seat itself ended that round. Then the card given counts as
  gone, and of the kind taken only one as there.
- Under `discard_scored` with `played_count` fish revealed may have scored with cards played
  unseen, and count as gone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.games.showcase.pieces import HAND, KINDS, MAX_SEATS, MILK, Act


@kernel
def known(state: Any, viewer: int, seat: int, kind: int) -> int:
    """Cards of a kind that `viewer` knows to be in a hand, under perfect recall."""
    if viewer == seat:
        return np.int64(state.hands[seat, kind])
    lost = discarded(state, viewer, seat)
    cards = _kept(state, viewer, seat, kind)
    cards -= min(lost, _most_gone(state, viewer, kind, lost))
    if state.finisher >= 0:  # the round is over, so nothing was played or taken since
        return max(cards, 0)
    cards = max(cards - np.int64(state.played[seat, kind]), 0)
    if not (np.int64(state.acted[viewer]) >> seat) & 1:
        return cards
    sure = state.scorings[viewer] == 0 or state.last_finisher == viewer
    act = np.int64(state.act[seat])
    given, taken = np.int64(state.given[seat]), np.int64(state.taken[seat])
    played = 0
    for other in range(KINDS):
        played += np.int64(state.played[seat, other])
    grown = np.int64(state.hand_size[seat]) + played > HAND
    stays = lost == 0 and not state.discard_scored
    return after_act(cards, kind, act, given, taken, sure, played > 0, grown, stays)


@kernel
def after_act(
    cards: int,
    kind: int,
    act: int,
    given: int,
    taken: int,
    sure: bool,
    played: bool,
    grown: bool,
    stays: bool,
) -> int:
    """Cards known of a kind after the seat's Act, which may have come before the scoring.

    Args:
        cards: known of it before.
        kind: the kind that is asked for.
        act: what the seat did.
        given: the kind that it swapped away.
        taken: the kind that it took.
        sure: it certainly came after what `cards` tells of.
        played: the seat has played a card this round, so has had a turn in it.
        grown: hand and played cards are more than five, so the Act brought one in this round.
        stays: a card in hand at the scoring is still there.
    """
    if act == Act.TAKE and kind == taken and (sure or grown):
        return cards + 1
    if act != Act.SWAP:
        return cards
    if kind == given:
        cards = max(cards - 1, 0)
    if kind == taken:
        if sure or played:
            return cards + 1
        if stays:
            return max(cards, 1)
    return cards


@kernel
def _kept(state: Any, viewer: int, seat: int, kind: int) -> int:
    """Cards known of a kind before any discards: as revealed, or as the viewer remembers."""
    if state.scorings[viewer] == 0:
        return np.int64(state.recalled[viewer, seat, kind])
    cards = np.int64(state.revealed[seat, kind])
    if state.discard_scored and not (state.finisher >= 0 and state.over and scored_out(state)):
        return left_unscored(cards, kind, state.played_count != 0)
    return cards


@kernel
def scored_out(state: Any) -> bool:
    """S8: whether somebody has reached the target, so that nobody cleaned up."""
    for seat in range(state.num_players):
        if state.points[seat] >= state.target:
            return True
    return False


@kernel
def left_unscored(cards: int, kind: int, played_count: bool) -> int:
    """S6, `discard_scored`: what of a revealed kind has surely stayed in hand: a single fish."""
    return cards if cards == 1 and kind != MILK and not played_count else 0


@kernel
def discarded(state: Any, viewer: int, seat: int) -> int:
    """How many cards the seat has discarded in clean-ups, as far as it matters to `viewer`."""
    size = np.int64(state.sizes[viewer, seat])
    if state.scorings[viewer] > 0:
        size = 0
        for kind in range(KINDS):
            size += _kept(state, viewer, seat, kind)
    left = max(np.int64(state.hand_size[seat]), HAND) if state.finisher >= 0 else HAND
    return max(size - left, 0)


@kernel
def _most_gone(state: Any, viewer: int, kind: int, lost: int) -> int:
    """The most of a kind that others can have discarded: what the discards have grown by."""
    since = np.int64(state.scorings[viewer])
    told = since == 0 or (since == 1 and not state.cleaning[viewer])
    if state.reshuffled[viewer] or state.discard_scored or not told:
        return lost
    return max(np.int64(state.discards[kind]) - np.int64(state.out[viewer, kind]), 0)


@kernel
def look_back(state: Any, viewer: int) -> None:
    """At its decision a seat looks at the table: what it knows now is what it will remember."""
    if state.perfect_recall:
        _learn(state, viewer)
    state.cleaning[viewer] = state.finisher >= 0
    state.acted[viewer] = 0
    state.scorings[viewer] = 0
    state.reshuffled[viewer] = 0


@kernel
def _learn(state: Any, viewer: int) -> None:
    """Keep what is known of all hands, their sizes, and then what lies open."""
    in_round = state.finisher < 0
    for seat in range(state.num_players):
        size = np.int64(state.hand_size[seat])
        for kind in range(KINDS):
            cards = known(state, viewer, seat, kind)
            if in_round:
                cards += np.int64(state.played[seat, kind])
            state.recalled[viewer, seat, kind] = cards
        state.sizes[viewer, seat] = min(size, HAND) if in_round else size
    for kind in range(KINDS):
        state.out[viewer, kind] = state.discards[kind]
        for seat in range(state.num_players):
            state.out[viewer, kind] += state.played[seat, kind]


@kernel
def forget(state: Any, viewer: int) -> None:
    """Before the first decision: five cards in each hand, and nothing known."""
    state.cleaning[viewer] = 0
    state.acted[viewer] = 0
    state.scorings[viewer] = 0
    state.reshuffled[viewer] = 0
    for kind in range(KINDS):
        state.out[viewer, kind] = 0
    for seat in range(MAX_SEATS):
        state.sizes[viewer, seat] = HAND
        for kind in range(KINDS):
            state.recalled[viewer, seat, kind] = 0
