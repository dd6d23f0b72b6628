"""Who remembers what the table showed at each own decision knows all that perfect recall tells."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator

import numpy as np
import pytest

import miaui_env
from miaui_env import Recall, Setup, Tables
from miaui_env.game import View
from miaui_env.testing import setups_of, variants
from miaui_env.testing.play import name_of
from tests.adapters import coins

SETUPS = [
    setup
    for name in miaui_env.games()
    for setup in setups_of(miaui_env.find(name))
    if setup.perfect_recall
]

ORDERS = ("first", "last", "any", "together")
"""Which of the seats that owe an action commits next."""


@pytest.fixture(params=SETUPS, ids=name_of)
def setup(request: pytest.FixtureRequest) -> Setup:
    chosen: Setup = request.param
    return chosen


def seen_at_the_table(tables: Tables, seat: int) -> View:
    """The seat's view if the table told no more than it shows, as a front end sends it."""
    states = tables.states[:1].copy()
    states["perfect_recall"] = False
    view: View = json.loads(json.dumps(tables.setup.view(states[0], seat)))
    return view


def looks(setup: Setup, seed: int, order: str) -> Iterator[tuple[Tables, list[int]]]:
    """A random game: the tables with those who decide next, and with all seats at the end."""
    rng = random.Random(seed)
    tables = Tables(setup, 1, seed=seed, auto_reset=False)
    tables.reset()
    while tables.to_act.any():
        owing = np.flatnonzero(tables.to_act[0]).tolist()
        one = {"first": owing[0], "last": owing[-1], "any": rng.choice(owing)}
        deciding = owing if order == "together" else [one[order]]
        yield tables, deciding
        actions = np.full_like(tables.random_actions(), -1)
        actions[0, deciding] = tables.random_actions()[0, deciding]
        tables.step(actions)
    yield tables, list(range(setup.num_players))


def memories(setup: Setup) -> list[Recall]:
    return [Recall(setup) for _ in range(setup.num_players)]


@pytest.mark.parametrize("order", ORDERS)
def test_the_table_seen_at_own_decisions_and_the_end_is_perfect_recall(
    setup: Setup, order: str
) -> None:
    recalls = memories(setup)
    for tables, deciding in looks(setup, ORDERS.index(order), order):
        for seat in deciding:
            whole = recalls[seat].see(seen_at_the_table(tables, seat))
            assert json.dumps(whole) == json.dumps(tables.view(0, seat))


@pytest.mark.parametrize("number", coins.GAME.players)
def test_so_it_is_in_a_game_in_turns(number: int) -> None:
    setup = Setup.of(coins.GAME, number, perfect_recall=True)
    for order in ORDERS:
        test_the_table_seen_at_own_decisions_and_the_end_is_perfect_recall(setup, order)


def test_the_observation_is_the_one_under_perfect_recall(setup: Setup) -> None:
    recalls = memories(setup)
    for tables, deciding in looks(setup, 5, "any"):
        for seat in deciding:
            recalls[seat].see(seen_at_the_table(tables, seat))
            observation, mask = tables.observe(0, seat)
            assert recalls[seat].observation.tobytes() == observation.tobytes()
            assert recalls[seat].action_mask.tobytes() == mask.tobytes()


def test_looks_in_between_and_twice_do_no_harm(setup: Setup) -> None:
    recalls = memories(setup)
    for point, (tables, deciding) in enumerate(looks(setup, 6, "any")):
        for seat in [point % setup.num_players, *deciding, *deciding]:
            assert recalls[seat].see(seen_at_the_table(tables, seat)) == tables.view(0, seat)


def test_what_is_told_may_be_changed_without_changing_the_memory(setup: Setup) -> None:
    recall = Recall(setup)
    tables, _ = next(looks(setup, 7, "first"))
    shown = seen_at_the_table(tables, 0)
    before = copy.deepcopy(shown)
    told = recall.see(shown)
    told["seats"].clear()
    assert shown == before and recall.view == tables.view(0, 0)
    recall.forget()
    with pytest.raises(ValueError, match="nothing has been seen"):
        _ = recall.observation


def test_a_decision_that_was_not_seen_is_missed(setup: Setup) -> None:
    own = [
        seen_at_the_table(tables, 0)
        for tables, deciding in looks(setup, 8, "first")
        if 0 in deciding
    ]
    for missing in range(len(own) - 1):
        recall = Recall(setup)
        for view in own[:missing]:
            recall.see(view)
        before = recall.view
        with pytest.raises(ValueError, match=r"every .* must be seen"):
            recall.see(own[missing + 1])
        assert recall.view == before, "a view that is refused changes nothing"


def test_a_view_of_another_seat_game_or_table_is_refused(setup: Setup) -> None:
    tables, _ = next(looks(setup, 9, "first"))
    recall = Recall(setup)
    view = seen_at_the_table(tables, 0)
    recall.see(view)
    for wrong, complaint in (
        (seen_at_the_table(tables, 1), "seat"),
        (tables.view(0, None), "seat"),
        ({**view, "game": "snap"}, "game"),
        ({**view, "version": -1}, "version"),
        ({**view, "num_players": 99}, "num_players"),
        (tables.view(0, 0), "perfect_recall"),
    ):
        with pytest.raises(ValueError, match=complaint):
            recall.see(wrong)
    with pytest.raises(ValueError, match="seat"):
        Recall(setup).see(tables.view(0, None))


def test_a_view_under_other_options_is_refused(setup: Setup) -> None:
    """Unless nothing in it tells them apart: then it is a view of this table, too."""
    own, _ = next(looks(setup, 9, "first"))
    for options in variants(setup.game):
        other = Setup.of(setup.game, setup.num_players, **options)
        tables, _ = next(looks(other, 9, "first"))
        view = seen_at_the_table(tables, 0)
        if view == seen_at_the_table(own, 0):
            assert Recall(setup).see(view) == own.view(0, 0)
        else:
            with pytest.raises(ValueError, match="another table"):
                Recall(setup).see(view)
