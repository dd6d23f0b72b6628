"""Every way a game may begin, with its probability: for tables small enough to solve exactly.

A deal is what the future depends on: Kiti's gap, the cards of round 1, how many Seagulls were put
aside meanwhile, and the order in which the rest comes up after those went back (M4). Equal cards
are equal, and which cards lie in the box unseen changes nothing: the number of ways to all that is
in the probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, perm, prod
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from miaui_env.engine.tables import Tables
from miaui_env.game import Chances
from miaui_env.games.miaui.pieces import GULL, multiset_counts

if TYPE_CHECKING:
    from miaui_env.game import Setup

MOST_DEALS = 500_000
"""More than that are refused rather than listed."""


class Deal(NamedTuple):
    """One way to begin.

    Attributes:
        kiti: the gap where Kiti starts; -1 under No Fighting.
        cards: by number, as they are laid into the lagoon, round by round.
        gulls_returned: Seagulls put aside in round 1.
    """

    kiti: int
    cards: tuple[int, ...]
    gulls_returned: int


def chances(setup: Setup) -> Chances:
    """All deals of a setup, each state ready for the first decision; see `Game.chances`."""
    number = count(setup)
    if number > MOST_DEALS:
        raise ValueError(
            f"{setup.game.title} with these options begins in {number:,} ways, and more than "
            f"{MOST_DEALS:,} are not listed: give fewer cards or rounds"
        )
    listed = list(deals(setup))
    tables = Tables(setup, number)
    for state, deal in zip(tables.states, listed, strict=True):
        _stack(state, deal)
    tables.reset()
    tables.states["gulls_returned"] = [deal.gulls_returned for deal in listed]
    return Chances(tables.states, [probability(setup, deal) for deal in listed])


def count(setup: Setup) -> int:
    """How many deals there are, without listing them."""
    counts = multiset_counts(setup.options.multiset).astype(int).tolist()
    gulls = counts.pop(GULL)
    below = setup.options.stocked - setup.options.spaces
    others = [1] + [0] * setup.options.stocked  # different orders of so many that are no Seagulls
    for number in counts:
        others = [
            sum(comb(laid, new) * others[laid - new] for new in range(min(number, laid) + 1))
            for laid in range(len(others))
        ]
    orders = [comb(below, among) * others[len(others) - 1 - among] for among in range(gulls + 1)]
    returned = [among + 1 for among in range(gulls + 1)]  # 0 to all of them were put aside
    return len(kiti_gaps(setup)) * sum(map(mul, orders, returned))


def deals(setup: Setup) -> Iterator[Deal]:
    """All of them, each once."""
    for kiti in kiti_gaps(setup):
        for cards in orders(setup):
            for gulls in range(cards.count(GULL) + 1):
                yield Deal(kiti, cards, gulls)


def kiti_gaps(setup: Setup) -> list[int]:
    """M1, M16: where Kiti may start, each as likely; [-1] without Kiti."""
    if setup.options.no_fighting:
        return [-1]
    if setup.options.kiti is not None:
        return [setup.options.kiti]
    return list(range(setup.num_players))


def orders(setup: Setup) -> Iterator[tuple[int, ...]]:
    """All different orders in which cards may be laid into the lagoon; no Seagull in round 1."""
    left = multiset_counts(setup.options.multiset).astype(int).tolist()
    laid: list[int] = []

    def lay() -> Iterator[tuple[int, ...]]:
        if len(laid) == setup.options.stocked:
            yield tuple(laid)
            return
        for kind, number in enumerate(left):
            if number and not (kind == GULL and len(laid) < setup.options.spaces):
                left[kind] -= 1
                laid.append(kind)
                yield from lay()
                laid.pop()
                left[kind] += 1

    return lay()


def probability(setup: Setup, deal: Deal) -> Fraction:
    """How likely a deal is (M1, M2, M4).

    A shuffled deck shows the same cards in any given order with one probability. Of the orders that
    lead here, the Seagulls put aside may lie among the first cards in `comb(spaces + gulls - 1,
    gulls)` ways; they then go back to any `gulls` places below with equal probability, and those
    must be places of Seagulls now.
    """
    cards, gulls, spaces = deal.cards, deal.gulls_returned, setup.options.spaces
    counts = multiset_counts(setup.options.multiset).astype(int).tolist()
    shuffled = Fraction(
        prod(perm(number, cards.count(kind)) for kind, number in enumerate(counts)),
        perm(sum(counts), len(cards)),
    )
    among_first = comb(spaces + gulls - 1, gulls)
    returned = Fraction(comb(cards.count(GULL), gulls), comb(len(cards) - spaces, gulls))
    return shuffled * among_first * returned / len(kiti_gaps(setup))


def _stack(state: np.void, deal: Deal) -> None:
    """Lay the deck for a deal: first what returns to the box, in the order of the box."""
    boxed = state["cards"].astype(int)
    for kind in deal.cards:
        boxed[kind] -= 1
    deck = [kind for kind, number in enumerate(boxed) for _ in range(number)] + [*deal.cards]
    state["deck"][: len(deck)] = deck
    state["stacked"], state["kiti_stacked"] = 1, deal.kiti
