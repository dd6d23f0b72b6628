"""What a seat imagines under perfect recall is distributed as it should be: by enumeration."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from miaui_env import Setup, Tables, keys
from miaui_env.engine.loops import engine_of
from miaui_env.games.miaui import GAME
from miaui_env.games.miaui.imagine import replay
from miaui_env.games.miaui.pieces import NAMES
from miaui_env.testing import check_setup

CARDS = ["tuna:12", "tuna:10", "kittenfish:1", "tigerfish:6", "seagull", "seagull"]
ROUNDS, BOXED = 4, 2
Deal = tuple[tuple[str, ...], tuple[str, ...]]


def insertions(deck: tuple[str, ...], gulls: int) -> Iterator[tuple[str, ...]]:
    """Every way to slip that many Seagulls into the deck, one after the other (M4)."""
    if gulls == 0:
        yield deck
        return
    for place in range(len(deck) + 1):
        yield from insertions((*deck[:place], "seagull", *deck[place:]), gulls - 1)


def posterior(shown: list[str], gulls: int) -> dict[Deal, Fraction]:
    """How likely each box (in no order) and deck is, after the cards `shown` and so many gulls.

    One space; the first card shown is the first that is no Seagull (M2, M4).
    """
    weight: Counter[Deal] = Counter()
    for order in itertools.permutations(range(len(CARDS))):
        cards = [CARDS[i] for i in order]
        box, deck = tuple(sorted(cards[:BOXED])), cards[BOXED:]
        aside = next(i for i, card in enumerate(deck) if card != "seagull")
        rest = tuple(deck[aside + 1 :])
        if aside != gulls or deck[aside] != shown[0]:
            continue
        ways = list(insertions(rest, aside))
        for after in ways:
            if list(after[: len(shown) - 1]) == shown[1:]:
                weight[box, after[len(shown) - 1 :]] += Fraction(1, len(ways))  # type: ignore[assignment]
    total = sum(weight.values())
    return {deal: Fraction(w) / total for deal, w in weight.items()}


def at_round(turn: int, gulls: int) -> Tables:
    """A table of two in that round, where so many Seagulls went back in round 1."""
    for seed in range(1000):
        tables = Tables(
            "miaui",
            1,
            2,
            seed=seed,
            auto_reset=False,
            hand_size=ROUNDS,
            spaces=1,
            cards=CARDS,
            perfect_recall=True,
        )
        tables.reset()
        if tables.view(0, 0)["gulls_returned"] == gulls:
            for _ in range(turn - 1):
                tables.step(tables.random_actions())
            return tables
    raise AssertionError("no such deal")


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize("gulls", [0, 1, 2])
def test_box_and_deck_are_as_likely_as_enumeration_says(turn: int, gulls: int) -> None:
    tables = at_round(turn, gulls)
    shown = [NAMES[card] for card in tables.states[0].deck[BOXED : BOXED + turn]]
    expected = posterior(shown, gulls)
    number = 20_000
    states = np.repeat(tables.states, number)
    engine_of(tables.setup.game).imagine(states, np.zeros(number, np.int64), keys(turn, number))
    found: Counter[Deal] = Counter()
    for deck in states["deck"][:, : len(CARDS)]:
        names = [NAMES[card] for card in deck]
        found[tuple(sorted(names[:BOXED])), tuple(names[BOXED + turn :])] += 1
    assert set(found) <= set(expected)
    chi_squared = sum(
        float((found[deal] - number * p) ** 2 / (number * p)) for deal, p in expected.items()
    )
    freedom = len(expected) - 1
    assert chi_squared < freedom + 4 * (2 * freedom) ** 0.5 + 4


def test_commitments_are_any_card_of_the_hand() -> None:
    tables = at_round(2, 0)
    actions = tables.random_actions()
    actions[0, 0] = -1
    tables.step(actions)
    number = 9000
    states = np.repeat(tables.states, number)
    engine_of(tables.setup.game).imagine(states, np.zeros(number, np.int64), keys(3, number))
    held = tables.view(0, 0)["seats"][1]["hand"]
    counts = Counter(int(card) for card in states["committed"][:, 1])
    assert sorted(counts) == held
    assert len(held) == ROUNDS - 1
    assert all(abs(count - number / len(held)) < 200 for count in counts.values())


@pytest.mark.parametrize("no_fighting", [False, True])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_an_imagined_past_leads_to_where_it_says(seats: int, no_fighting: bool) -> None:
    """In the table view too: its deck and dives, played again by the rules, give the same table."""
    tables = Tables("miaui", 20, seats, seed=8, auto_reset=False, no_fighting=no_fighting)
    tables.reset()
    again = getattr(replay, "py_func", replay)
    for turn in range(12):
        states = tables.states.copy()
        engine_of(tables.setup.game).imagine(states, np.zeros(20, np.int64), keys(turn, 20))
        for i in range(0, 20, 7):
            table = states[i : i + 1].copy()
            again(states[i], table[0])
            assert tables.setup.view(table[0], None) == tables.setup.view(states[i], None)
        tables.step(tables.random_actions())


@pytest.mark.parametrize(
    ("seats", "open_baskets", "seed"),
    [
        (3, False, 6),  # a Lantern that a Seagull took out of the very catch it came with
        (4, True, 12),  # five Seagulls for two other cards: some found no pile to eat from
        (4, True, 21),
        (5, True, 21),
    ],
)
def test_a_past_is_found_for_views_that_have_few(seats: int, open_baskets: bool, seed: int) -> None:
    setup = Setup.of(GAME, seats, no_fighting=True, open_baskets=open_baskets)
    check_setup(setup, laws=["views and observations tell the same"], seed=seed)
