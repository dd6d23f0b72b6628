"""From a view back to a reachable state: `from_view`.

Under perfect recall nearly everything is told, and the rest is dealt. A table view tells no past,
so one is made up: *dives* in which every seat caught as many cards as its pile needs (`anneal`),
then *fish* for those catches that leave the piles as they are told (`piles.py`), then the whole
game is played by the rules; only one that gives the view is returned, mixed by `resample`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.loops import engine_of
from miaui_env.engine.rng import mixed
from miaui_env.games.miaui.knowledge import spaces_used, view
from miaui_env.games.miaui.past import Past
from miaui_env.games.miaui.pieces import CODES, GULL, KINDS, SPACE_NAMES, multiset_counts

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

ATTEMPTS = 600


def from_view(setup: Setup, told: View, key: int) -> np.ndarray:
    """A reachable state with that view, as a record array `(1,)`; another one for each key.

    Raises:
        ValueError: for a view for which no game is found (with cards of one's own a past can be
            hard to find).
    """
    if (told["kiti"] is None) != setup.options.no_fighting:
        raise ValueError(f"this view has kiti {told['kiti']!r}, not as the setup plays")
    blank = public_part(setup, told)
    past = None if setup.perfect_recall else Past(setup, told, blank)
    for attempt in range(ATTEMPTS):
        states = blank.copy()
        luck = mixed(key, attempt)
        if past is None:
            _fill_remembered(setup, states[0], told)
        elif not past.fill(states, int(luck)):
            continue
        seats, keys = np.array([told["seat"]]), np.array([mixed(luck, 1)])
        engine_of(setup.game).imagine(states, seats, keys)  # `resample`, as it is kept on disk
        if view(states[0], told["seat"]) == told:
            return states
    raise ValueError("found no game of this setup that gives that view")


def public_part(setup: Setup, told: View) -> np.ndarray:
    """A record with all that the view tells; what it hides is empty or face down."""
    states = setup.blank.copy()
    state = states[0]
    state.turn, state.over = told["round"], not told["to_act"]
    state.to_act = sum(1 << seat for seat in told["to_act"])
    state.kiti = -1 if told["kiti"] is None else told["kiti"]
    state.gulls_returned = told["gulls_returned"] or 0
    state.top = setup.options.boxed + setup.options.spaces * told["round"]
    state.peeker[:] = -1
    state.last_taker[:] = -1
    for space in spaces_used(setup.options.spaces):
        _lay_out(state, told, space)
    if told["last_round"]:
        state.last_dives[: setup.num_players] = told["last_round"]["dives"]
    for seat, about in enumerate(told["seats"]):
        own = seat == told["seat"]
        hand = told["hand"] if own else about["hand"]
        state.committed[seat] = (told["committed"] or 0) if own else 0
        state.hands[seat] = bits(hand or [])
        state.pile_size[seat] = about["pile_size"]
        if about["dived"]:
            state.dived[seat, : len(about["dived"])] = about["dived"]
    return states


def _lay_out(state: Any, told: View, space: int) -> None:
    name = SPACE_NAMES[space]
    cards = told["lagoon"][name]
    state.lagoon[space, : len(cards)] = [CODES.get(card, 0) for card in cards]
    state.lagoon_size[space] = len(cards)
    for _, peeker in told["face_down"][name]:
        state.peeker[space] = peeker
    if told["last_round"]:
        taker, caught = told["last_round"]["catches"][name]
        state.last_taker[space] = -1 if taker is None else taker
        state.last_catch[space, : len(caught)] = [CODES[card] for card in caught]
        state.last_catch_size[space] = len(caught)


def bits(cards: list[int]) -> int:
    """Diver cards as a bit set."""
    return sum(1 << (card - 1) for card in cards)


def _fill_remembered(setup: Setup, state: Any, told: View) -> None:
    """Perfect recall: piles, hands and cards gone are known; the unseen cards lie anywhere."""
    unseen = np.zeros(KINDS, np.int64)
    for name, count in told["unseen"].items():
        unseen[CODES[name]] = count
    seen_in_play = np.zeros(KINDS, np.int64)
    for seat, about in enumerate(told["seats"]):
        pile = [CODES[card] for card in about["pile"]]
        state.piles[seat, : len(pile)] = pile
        state.points[seat] = about["score"]
        np.add.at(seen_in_play, pile, 1)
        if seat != told["seat"] and told["to_act"] and seat not in told["to_act"]:
            state.committed[seat] = about["hand"][0]
            state.hands[seat] = bits(about["hand"][1:])
    pool = [kind for kind in range(KINDS) for _ in range(unseen[kind])]
    _place_unseen(setup, state, pool)
    state.unseen[:] = unseen
    for space in spaces_used(setup.options.spaces):
        for i in range(state.lagoon_size[space]):
            card = int(state.lagoon[space, i])
            if i == 0 and state.peeker[space] >= 0:
                state.unseen[card] += state.peeker[space] == told["seat"]
                seen_in_play[card] += state.peeker[space] == told["seat"]
            else:
                seen_in_play[card] += 1
    gone = multiset_counts(setup.options.multiset) - unseen - seen_in_play
    if gone.min() < 0:
        raise ValueError("this view shows more cards of a kind than there are")
    state.boxed[:] = gone
    for card in state.deck[: setup.options.boxed]:
        state.boxed[card] += 1


def _place_unseen(setup: Setup, state: Any, pool: list[int]) -> None:
    """Unseen cards into the box, the face-down places, the deck; their order is drawn later."""
    gulls_last = sorted(pool, key=lambda card: card == GULL)
    for space in spaces_used(setup.options.spaces):
        if state.lagoon_size[space] and not state.lagoon[space, 0]:
            state.lagoon[space, 0] = gulls_last.pop()
    state.deck[: setup.options.boxed] = gulls_last[: setup.options.boxed]
    state.deck[state.top : state.num_cards] = gulls_last[setup.options.boxed :]
