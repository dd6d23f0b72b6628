"""What `Recall` does beside the law that holds every game to it: looks, refusals, copies."""

from __future__ import annotations

import copy
import re

import pytest

import miaui_env
from miaui_env import Recall, Setup
from miaui_env.game import View
from miaui_env.testing import setups_of, variants
from miaui_env.testing.play import name_of
from miaui_env.testing.recalls import looks, seen_at_the_table

SETUPS = [
    setup
    for name in miaui_env.games()
    for setup in setups_of(miaui_env.find(name))
    if setup.perfect_recall
]


@pytest.fixture(params=SETUPS, ids=name_of)
def setup(request: pytest.FixtureRequest) -> Setup:
    chosen: Setup = request.param
    return chosen


def memories(setup: Setup) -> list[Recall]:
    return [Recall(setup) for _ in range(setup.num_players)]


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
    for part in told.values():
        if isinstance(part, (dict, list)):
            part.clear()
    assert shown == before and recall.view == tables.view(0, 0)
    recall.forget()
    with pytest.raises(ValueError, match="nothing has been seen"):
        _ = recall.observation


def could_be(setup: Setup, view: View) -> bool:
    """Whether some game of that table leads to the view."""
    try:
        setup.from_view(view)
    except ValueError:
        return False
    return True


def test_a_decision_that_was_not_seen_is_missed(setup: Setup) -> None:
    """It is where all choose at once, so that views count decisions; in turns, where it shows.

    In turns another seat may have cast on and on instead; what is remembered must then be
    something that somebody could have seen who missed nothing. In short games it may never show.
    """
    assert any(misses(setup, seed) for seed in range(8, 28)), "none of them was missed"


def misses(setup: Setup, seed: int) -> int:
    """How many of seat 0's decisions, each left out alone, are missed in a game."""
    own = [
        seen_at_the_table(tables, 0)
        for tables, deciding in looks(setup, seed, "first")
        if 0 in deciding
    ]
    missed = 0
    for missing in range(len(own) - 1):
        recall = Recall(setup)
        for view in own[:missing]:
            recall.see(view)
        before = recall.view
        try:
            told = recall.see(own[missing + 1])
        except ValueError as refusal:
            assert re.search(r"every .* must be seen", str(refusal))
            assert recall.view == before, "a view that is refused changes nothing"
            missed += 1
        else:
            assert not setup.game.simultaneous and could_be(setup, told)
    return missed


def test_a_view_of_another_seat_game_or_table_is_refused(setup: Setup) -> None:
    tables, _ = next(looks(setup, 9, "first"))
    recall = Recall(setup)
    view = seen_at_the_table(tables, 0)
    recall.see(view)
    wrong_views = [
        (seen_at_the_table(tables, 1), "seat"),
        (tables.view(0, None), "seat"),
        ({**view, "game": "snap"}, "game"),
        ({**view, "version": -1}, "version"),
        ({**view, "num_players": 99}, "num_players"),
    ]
    if tables.view(0, 0) != view:  # where there is nothing to forget, both modes tell the same
        wrong_views.append((tables.view(0, 0), "perfect_recall"))
    for wrong, complaint in wrong_views:
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
        elif not could_be(setup.with_recall(False), view):
            with pytest.raises(ValueError, match="another table"):
                Recall(setup).see(view)
