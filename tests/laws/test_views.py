"""Views and observations tell the same and no more; what a seat cannot know can be imagined."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, Tables, keys
from miaui_env.engine.loops import engine_of
from tests.laws.play import decisions


def seen(setup: Setup, states: np.ndarray, seat: int) -> tuple[bytes, bytes, Any]:
    """Observation, mask and view of a seat: all that a state gives it."""
    observation = np.full(setup.layout.size + 3, 99, np.int8)
    mask = np.full(setup.num_actions, 99, np.int8)
    engine_of(setup.game).look(states, 0, seat, observation[:-3], mask)
    assert (observation[-3:] == 99).all(), "observe wrote beyond its fields"
    return observation.tobytes(), mask.tobytes(), setup.view(states[0], seat)


def test_an_observation_tells_the_view_and_a_view_the_observation(setup: Setup) -> None:
    for tables in decisions(setup):
        for seat in range(setup.num_players):
            observation, _ = tables.observe(1, seat)
            view = tables.view(1, seat)
            assert setup.view_of(observation, seat) == view
            assert json.loads(json.dumps(view)) == view
            rebuilt = setup.from_view(view, seat)
            assert seen(setup, rebuilt, seat) == seen(setup, tables.states[1:2], seat)


def test_what_is_imagined_looks_the_same_to_the_seat(setup: Setup) -> None:
    imagine = engine_of(setup.game).imagine
    for k, tables in enumerate(decisions(setup)):
        for seat in range(setup.num_players):
            states = tables.states[:1].copy()
            imagine(states, np.array([seat]), keys(k, 1))
            assert seen(setup, states, seat) == seen(setup, tables.states[:1], seat)


def test_whatever_is_hidden_is_changed_sooner_or_later(setup: Setup) -> None:
    """Each key of the referee's view that a seat is not told is changed by `resample` some time."""
    imagine = engine_of(setup.game).imagine
    hidden, changed = set(), set()
    for k, tables in enumerate(decisions(setup, tables=8)):
        states = tables.states.copy()
        seat = k % setup.num_players
        imagine(states, np.full(8, seat), keys(k, 8))
        for i in range(8):
            truth, other = tables.view(i, None), setup.view(states[i], None)
            changed |= {name for name in truth if truth[name] != other[name]}
            told = tables.view(i, seat)
            hidden |= {n for n in truth if n in told and told[n] is None and truth[n] is not None}
    assert {"deck"} <= changed or "deck" not in truth
    # Told to nobody but the referee, yet no secret: who looks, and what is known of it all.
    assert hidden - changed <= {"seat", "hand", "unseen"}


def test_the_table_view_comes_first_under_perfect_recall(setup: Setup) -> None:
    table = setup.with_recall(False)
    for tables in decisions(setup):
        states = tables.states[:1].copy()
        states["perfect_recall"] = False
        for seat in range(setup.num_players):
            whole, _ = tables.observe(0, seat)
            part, _, _ = seen(table, states, seat)
            assert whole[: table.layout.size].tobytes() == part[:-3]


def test_observations_and_surveys_keep_within_their_bounds(setup: Setup) -> None:
    for tables in decisions(setup, tables=20):
        for i in range(20):
            survey = tables.survey(i)
            assert (setup.survey_layout.low <= survey).all()
            assert (survey <= setup.survey_layout.high).all()
            for seat in range(setup.num_players):
                observation, _ = tables.observe(i, seat)
                assert (setup.layout.low <= observation).all()
                assert (observation <= setup.layout.high).all()


def test_kernels_stop_where_the_layout_ends(setup: Setup) -> None:
    state = next(decisions(setup)).states[0]
    observation = np.empty(setup.layout.size, np.int8)
    survey = np.empty(setup.survey_layout.size, np.int8)
    plain = (getattr(f, "py_func", f) for f in (setup.game.observe, setup.game.survey))
    observe, tell_all = plain
    assert int(observe(state, 0, observation)) == setup.layout.size
    assert int(tell_all(state, survey)) == setup.survey_layout.size


def test_the_referee_is_told_everything_in_both_forms(setup: Setup) -> None:
    """Two states that look alike to a seat give equal surveys exactly if equal referee's views."""
    imagine = engine_of(setup.game).imagine
    alike = 0
    for k, tables in enumerate(decisions(setup)):
        other = Tables(setup, 1)
        other.states[:] = tables.states[:1]
        if k % 2:
            imagine(other.states, np.array([0]), keys(k, 1))
        same = other.view(0, None) == tables.view(0, None)
        assert (other.survey(0).tobytes() == tables.survey(0).tobytes()) == same
        alike += same
    assert alike


def test_words_name_every_action_and_are_read_back(setup: Setup) -> None:
    for action in range(setup.num_actions):
        assert setup.read(setup.say(action)) == action
    for action in (-1, setup.num_actions):
        with pytest.raises(ValueError, match=r"\d"):
            setup.say(action)
    with pytest.raises(ValueError, match="nonsense"):
        setup.read("nonsense")


def test_a_view_in_words_shows_what_the_seat_sees(setup: Setup) -> None:
    for tables in decisions(setup):
        text = setup.game.words(tables.view(0, 0))
        assert setup.game.title in text
        assert text == setup.game.words(json.loads(json.dumps(tables.view(0, 0))))


def test_a_view_of_another_table_is_refused(setup: Setup) -> None:
    tables = next(decisions(setup))
    with pytest.raises(ValueError, match="num_players"):
        setup.from_view({**tables.view(0, 0), "num_players": 99})
    with pytest.raises(ValueError, match="seat"):
        setup.from_view(tables.view(0, None))
