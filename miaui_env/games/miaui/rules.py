"""Miaui's rules as kernels, in the order of `RULES.md`: deal, commit, reveal, catch, restock.

Kernels take one record of `pieces.STATE`. Fields that enter arithmetic are widened first: compiled
and plain Python then agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, put_bits
from miaui_env.engine.rng import draw, shuffle
from miaui_env.engine.seats import clockwise, steps_to
from miaui_env.games.miaui.pieces import (
    FISH,
    GULL,
    KINDS,
    MAX_HAND,
    MAX_SEATS,
    MAX_SPACES,
    NO_CARD,
    VALUE,
    Fish,
    Luck,
    Space,
)

_HIGHEST = 8 * MAX_HAND
"""The highest rank in `_ahead`."""

# --- queries -------------------------------------------------------------------------------------


@kernel
def is_used(state: Any, space: int) -> bool:
    """Whether the game is played with this space (option `spaces`)."""
    if space == Space.SHALLOW:
        return bool(state.spaces >= 2)
    return bool(state.spaces == 3 or space == Space.DEEPEST)


@kernel
def owes(state: Any, seat: int) -> bool:
    """Whether the seat still owes a diver card."""
    return bool((state.to_act >> seat) & 1)


@kernel
def boxed_at_setup(state: Any) -> int:
    """How many cards returned to the box unseen; they lie first in `deck` (M2)."""
    return np.int64(state.num_cards) - np.int64(state.hand_size) * np.int64(state.spaces)


# --- setup (M1-M4) ------------------------------------------------------------------------------


@kernel
def deal(state: Any, key: Any) -> None:
    """M1-M5: shuffle, return the spare cards, place Kiti, stock round 1, ask for dives."""
    clear(state)
    _place_kiti(state, key)
    if not state.stacked:
        _fill_deck(state)
        shuffle(state.deck, 0, np.int64(state.num_cards), key, Luck.DECK)
    state.stacked = 0
    state.kiti_stacked = -1
    state.top = boxed_at_setup(state)
    for place in range(state.top):
        state.boxed[state.deck[place]] += 1
    _stock_first_round(state, key)
    state.turn = 1
    state.to_act = (1 << np.int64(state.num_players)) - 1


@kernel
def clear(state: Any) -> None:
    """Take everything of an earlier game off the table; options and a stacked deck stay."""
    state.over = 0
    state.gulls_returned = 0
    for kind in range(KINDS):
        state.boxed[kind] = 0
        state.unseen[kind] = state.cards[kind]
    for space in range(MAX_SPACES):
        _empty(state, space)
        state.peeker[space] = -1
        state.last_taker[space] = -1
        state.last_catch_size[space] = 0
        for i in range(MAX_HAND):
            state.last_catch[space, i] = NO_CARD
    for seat in range(MAX_SEATS):
        _clear_seat(state, seat)


@kernel
def _clear_seat(state: Any, seat: int) -> None:
    """An empty pile, no dives, a full hand for those who play."""
    playing = seat < state.num_players
    state.hands[seat] = (1 << np.int64(state.hand_size)) - 1 if playing else 0
    state.points[seat] = 0
    state.pile_size[seat] = 0
    state.committed[seat] = 0
    state.last_dives[seat] = 0
    for i in range(state.piles.shape[1]):
        state.piles[seat, i] = NO_CARD
    for i in range(MAX_HAND):
        state.dived[seat, i] = 0


@kernel
def _place_kiti(state: Any, key: Any) -> None:
    """M1: Kiti stands in a random gap, or where an option says; M16: or stays in the box."""
    if state.no_fighting:
        state.kiti = -1
    elif state.kiti_stacked >= 0:
        state.kiti = state.kiti_stacked
    elif state.kiti_fixed >= 0:
        state.kiti = state.kiti_fixed
    else:
        state.kiti = draw(key, Luck.KITI, 0, np.int64(state.num_players))


@kernel
def _fill_deck(state: Any) -> None:
    """All cards, in the order of the box."""
    place = 0
    for kind in range(KINDS):
        for _ in range(state.cards[kind]):
            state.deck[place] = kind
            place += 1


@kernel
def _stock_first_round(state: Any, key: Any) -> None:
    """M4: Seagulls drawn in round 1 are put aside, replaced, then shuffled back in."""
    aside = 0
    for space in range(MAX_SPACES):
        if is_used(state, space):
            while state.deck[state.top] == GULL:
                state.top += 1
                aside += 1
            _lay(state, space)
    for back in range(aside):
        below = np.int64(state.num_cards) - np.int64(state.top)
        _slip_in(state, GULL, draw(key, Luck.GULLS, back, below + 1))
    state.gulls_returned = aside
    _note_drawn(state)


@kernel
def _note_drawn(state: Any) -> None:
    """Keep the cards of round 1 where they were drawn from, so that `deck` tells the whole game."""
    place = boxed_at_setup(state)
    for space in range(MAX_SPACES):
        if is_used(state, space):
            state.deck[place] = state.lagoon[space, 0]
            place += 1


@kernel
def _slip_in(state: Any, card: int, place: int) -> None:
    """Put a card back into the deck with `place` cards above it."""
    state.top -= 1
    for i in range(state.top, state.top + place):
        state.deck[i] = state.deck[i + 1]
    state.deck[state.top + place] = card


@kernel
def stock(state: Any) -> None:
    """M3: one card on each space, from the bottom up."""
    for space in range(MAX_SPACES):
        if is_used(state, space):
            _lay(state, space)


@kernel
def _lay(state: Any, space: int) -> None:
    """Lay the top card on a space; face down where a Lantern was just caught (M11)."""
    card = state.deck[state.top]
    state.top += 1
    size = np.int64(state.lagoon_size[space])
    state.lagoon[space, size] = card
    state.lagoon_size[space] = size + 1
    if size > 0 or state.peeker[space] < 0:
        state.unseen[card] -= 1


# --- a round (M5-M13) ---------------------------------------------------------------------------


@kernel
def choices(state: Any, seat: int) -> int:
    """M5: any diver card still in hand, of a seat that owes one; none for the others. A bit set."""
    return np.int64(state.hands[seat]) * owes(state, seat)


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """M5: the choices, one entry each."""
    put_bits(mask, START, choices(state, seat), len(mask))


@kernel
def allows(state: Any, seat: int, action: int) -> bool:
    """M5: whether a diver card is among the choices."""
    return bool(0 <= action < MAX_HAND and (choices(state, seat) >> action) & 1)


@kernel
def play(state: Any, seat: int, action: int, key: Any) -> None:
    """M5: commit diver card `action` + 1; the last commitment reveals them all."""
    state.hands[seat] &= ~(1 << action)
    state.to_act &= ~(1 << seat)
    state.committed[seat] = action + 1
    if state.to_act == 0:
        reveal(state)


@kernel
def reveal(state: Any) -> None:
    """M5-M13: turn the divers over, resolve the spaces, clear up, begin the next round or end."""
    fought = _resolve(state)
    _clear_leftovers(state, fought)
    _discard_divers(state)
    if state.kiti >= 0:
        state.kiti = clockwise(np.int64(state.kiti), 1, np.int64(state.num_players))
    if state.turn == state.hand_size:
        state.over = 1
        return
    stock(state)
    state.turn += 1
    state.to_act = (1 << np.int64(state.num_players)) - 1


@kernel
def _resolve(state: Any) -> bool:
    """M6: deepest, deep, shallow, among divers still in. Says whether a tie was fought (M16)."""
    divers = (1 << np.int64(state.num_players)) - 1
    fought = False
    for space in range(MAX_SPACES):
        state.last_taker[space] = -1
        state.last_catch_size[space] = 0
        if is_used(state, space) and divers:
            taker = _ahead(state, space, divers)
            tied = _tied(state, taker, divers) if state.no_fighting else 0
            if tied:
                divers &= ~tied
                fought = True
            else:
                divers &= ~(1 << taker)
                _catch(state, taker, space)
    return fought


@kernel
def _ahead(state: Any, space: int, divers: int) -> int:
    """M6, M7: whose card is the best for a space; of equal cards, whose seat is.

    The highest card takes, of equals the one nearest Kiti counter-clockwise; at shallow it is the
    lowest, and nearest clockwise: so there the whole order is turned round. Told by one number a
    diver and no branch, since nobody, least of all a processor, can predict who wins. (The rules
    took 42 ns a decision with branches, 20 ns so.)
    """
    n = np.int64(state.num_players)
    best = 0
    for seat in range(n):
        rank = 8 * np.int64(state.committed[seat]) - steps_to(np.int64(state.kiti), seat, n)
        rank = _HIGHEST - rank if space == Space.SHALLOW else rank
        best = max(best, (8 * (rank + 8) + seat) * ((divers >> seat) & 1))
    return best & 7


@kernel
def _tied(state: Any, seat: int, divers: int) -> int:
    """M16: bit set of the divers with a seat's card, if there are several, else 0."""
    tied = 0
    for other in range(state.num_players):
        tied |= ((divers >> other) & (state.committed[other] == state.committed[seat])) << other
    return tied if tied & (tied - 1) else 0


@kernel
def _catch(state: Any, seat: int, space: int) -> None:
    """M8, M17: the catcher takes all that lies there, oldest first, each acting at once."""
    count = np.int64(state.lagoon_size[space])
    peeker = -1
    for i in range(count):
        card = state.lagoon[space, i]
        state.last_catch[space, i] = card
        if i == 0 and state.peeker[space] >= 0:
            state.unseen[card] -= 1  # M12: seen by all now
        if FISH[card] == Fish.LANTERN:
            peeker = seat
        land(state, seat, card)
    state.last_taker[space] = seat
    state.last_catch_size[space] = count
    _empty(state, space)
    state.peeker[space] = peeker  # M11: of the next card laid here


@kernel
def land(state: Any, seat: int, card: int) -> None:
    """M8-M10: a card reaches the pile; a Seagull takes the top, a third Jellyfish all three."""
    if card == GULL:
        state.boxed[GULL] += 1
        if state.pile_size[seat] > 0:
            _box_from_pile(state, seat, np.int64(state.pile_size[seat]) - 1)
        return
    size = np.int64(state.pile_size[seat])
    state.piles[seat, size] = card
    state.pile_size[seat] = size + 1
    state.points[seat] += VALUE[card]
    if FISH[card] == Fish.JELLYFISH and jellyfish(state, seat, size + 1) == 3:
        _box_jellyfish(state, seat)


@kernel
def jellyfish(state: Any, seat: int, places: int) -> int:
    """How many Jellyfish lie in the pile, in that many places of it; an empty one holds none."""
    count = 0
    for i in range(places):
        count += FISH[state.piles[seat, i]] == Fish.JELLYFISH
    return count


@kernel
def _box_jellyfish(state: Any, seat: int) -> None:
    """M10: all Jellyfish go to the box; the others keep their order."""
    for i in range(np.int64(state.pile_size[seat]) - 1, -1, -1):
        if FISH[state.piles[seat, i]] == Fish.JELLYFISH:
            _box_from_pile(state, seat, i)


@kernel
def _box_from_pile(state: Any, seat: int, place: int) -> None:
    """A card leaves the pile for the box; those above it move down."""
    card = state.piles[seat, place]
    last = np.int64(state.pile_size[seat]) - 1
    for i in range(place, last):
        state.piles[seat, i] = state.piles[seat, i + 1]
    state.piles[seat, last] = NO_CARD
    state.pile_size[seat] = last
    state.points[seat] -= VALUE[card]
    state.boxed[card] += 1


@kernel
def _empty(state: Any, space: int) -> None:
    """Nothing lies on the space any more."""
    state.lagoon_size[space] = 0
    for i in range(MAX_HAND):
        state.lagoon[space, i] = NO_CARD


@kernel
def _clear_leftovers(state: Any, fought: bool) -> None:
    """M19: fish nobody took stay if a tie was fought, else they go to the box as they lie."""
    if fought:
        return
    for space in range(MAX_SPACES):
        size = np.int64(state.lagoon_size[space])
        for i in range(size):
            state.boxed[state.lagoon[space, i]] += 1
        if size > 0:
            _empty(state, space)
            state.peeker[space] = -1


@kernel
def _discard_divers(state: Any) -> None:
    """M13: all divers are discarded, and everyone has seen them."""
    for seat in range(state.num_players):
        state.last_dives[seat] = state.committed[seat]
        state.dived[seat, np.int64(state.turn) - 1] = state.committed[seat]
        state.committed[seat] = 0
