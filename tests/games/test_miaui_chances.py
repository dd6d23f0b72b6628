"""Every way a game of Miaui may begin, held against the rules page and against real deals."""

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, Tables, find
from miaui_env.games.miaui.chances import chances, count, deals, probability
from miaui_env.games.miaui.pieces import NAMES

FEW = {"hand_size": 3, "spaces": 1, "cards": ("lantern:3", "tuna:12", "seagull", "seagull")}
SMALL = [
    FEW,
    {**FEW, "no_fighting": True},
    {"hand_size": 3, "spaces": 1, "kiti": 1, "cards": ("tuna:12", "tuna:12", "seagull", "seagull")},
    {"hand_size": 2, "spaces": 2, "cards": ("jellyfish:-10", "tuna:12", *["seagull"] * 2)},
    {
        "hand_size": 2,
        "spaces": 2,
        "kiti": 0,
        "cards": ("kittenfish:4", "kittenfish:4", "tuna:12", "lantern:1", "seagull", "seagull"),
    },
    {"hand_size": 1, "spaces": 3, "cards": {"tuna:12": 2, "jellyfish:-15": 2}},
]


def set_up(options: dict[str, Any], players: int = 2) -> Setup:
    return Setup.of(find("miaui"), players, **options)


def by_the_page(setup: Setup) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
    """Each shuffle, and each way to return the Seagulls one by one, by M1, M2 and M4."""
    options = setup.options
    kitis = [-1] if options.no_fighting else range(setup.num_players)
    if options.kiti is not None:
        kitis = [options.kiti]
    shuffles = list(itertools.permutations(options.multiset))
    for deck in shuffles:
        laid: list[str] = []
        rest = list(deck[len(deck) - options.hand_size * options.spaces :])
        aside = 0
        while len(laid) < options.spaces:
            card = rest.pop(0)
            aside += card == "seagull"
            laid += [] if card == "seagull" else [card]
        sizes = [len(rest) + back + 1 for back in range(aside)]
        for places in itertools.product(*map(range, sizes)):
            back = rest[:]
            for place in places:
                back.insert(place, "seagull")
            for kiti in kitis:
                chance = Fraction(1, len(shuffles) * int(np.prod(sizes)) * len(kitis))
                yield (kiti, (*laid, *back), aside), chance


@pytest.mark.parametrize("options", SMALL, ids=range(len(SMALL)))
def test_deals_are_those_of_the_rules_page_exactly(options: dict[str, Any]) -> None:
    setup = set_up(options)
    wanted: dict[tuple[Any, ...], Fraction] = Counter()  # type: ignore[assignment]
    for deal, chance in by_the_page(setup):
        wanted[deal] += chance
    listed = list(deals(setup))
    given = {
        (deal.kiti, tuple(NAMES[card] for card in deal.cards), deal.gulls_returned): probability(
            setup, deal
        )
        for deal in listed
    }
    assert given == dict(wanted)
    assert len(given) == len(listed) == count(setup)
    assert sum(given.values()) == 1


def essence(states: np.ndarray, boxed: int) -> list[bytes]:
    """The records, whatever the order of what lies in the box and how the deal came about."""
    states = states.copy()
    states["deck"][:, :boxed].sort(1)
    return [state.tobytes() for state in states]


@pytest.mark.parametrize(("options", "players"), [(SMALL[4], 2), (SMALL[3], 3), (SMALL[0], 6)])
def test_real_deals_are_listed_and_as_frequent_as_that(
    options: dict[str, Any], players: int
) -> None:
    setup = set_up(options, players)
    told = chances(setup)
    tables = Tables(setup, 120_000, seed=5)
    tables.reset()
    dealt = Counter(essence(tables.states, setup.options.boxed))
    listed = essence(told.states, setup.options.boxed)
    assert set(dealt) <= set(listed)
    expected = np.array([float(chance) for chance in told.probabilities]) * tables.num_tables
    assert expected.min() > 20
    counted = np.array([dealt[state] for state in listed])
    chi_squared = ((counted - expected) ** 2 / expected).sum()
    freedom = len(listed) - 1
    assert abs(chi_squared - freedom) < 4 * np.sqrt(2 * freedom)


def test_what_follows_draws_no_luck() -> None:
    setup = set_up(SMALL[4])
    told = chances(setup)
    ends = []
    for key in (1, 2):
        tables = Tables(setup, len(told.states), auto_reset=False)
        tables.states[:], tables.keys[:] = told.states, key
        step = tables.deal(np.zeros(len(told.states), np.bool_))
        while not step.terminated.all():
            step = tables.step(step.action_masks.argmax(2))
        ends.append(tables.states.tobytes())
    assert ends[0] == ends[1]


def test_more_deals_than_can_be_listed_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r"begins in [0-9,]+ ways, and more than 500,000 "):
        chances(set_up({}, 4))
