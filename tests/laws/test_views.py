"""What laws of views leave to examples: words, refusals, and the referee's vector."""

from __future__ import annotations

import numpy as np
import pytest

import miaui_env
from miaui_env import Setup, Tables
from miaui_env.testing import setups_of
from miaui_env.testing.play import decisions, name_of
from miaui_env.testing.secrets import imagined
from tests.adapters import coins

GAMES = [*map(miaui_env.find, miaui_env.games()), coins.GAME]
ALL = [setup for game in GAMES for setup in setups_of(game)]
every_setup = pytest.mark.parametrize("setup", ALL, ids=name_of)


@every_setup
def test_kernels_stop_where_the_layout_ends(setup: Setup) -> None:
    state = next(decisions(setup)).states[0]
    observation = np.empty(setup.layout.size, np.int8)
    survey = np.empty(setup.survey_layout.size, np.int8)
    plain = (getattr(f, "py_func", f) for f in (setup.game.observe, setup.game.survey))
    observe, tell_all = plain
    assert int(observe(state, 0, observation)) == setup.layout.size
    assert int(tell_all(state, survey)) == setup.survey_layout.size


@every_setup
def test_the_referee_is_told_everything_in_both_forms(setup: Setup) -> None:
    """Two states that look alike to a seat give equal surveys exactly if equal referee's views."""
    alike = 0
    for k, tables in enumerate(decisions(setup)):
        other = Tables(setup, 1)
        other.states[:] = imagined(tables, 0, k) if k % 2 else tables.states
        same = other.view(0, None) == tables.view(0, None)
        assert (other.survey(0).tobytes() == tables.survey(0).tobytes()) == same
        alike += same
    assert alike


@every_setup
def test_words_name_every_action_and_are_read_back(setup: Setup) -> None:
    for action in range(setup.num_actions):
        assert setup.read(setup.say(action)) == action
    for action in (-1, setup.num_actions):
        with pytest.raises(ValueError, match=r"\d"):
            setup.say(action)
    with pytest.raises(ValueError, match="nonsense"):
        setup.read("nonsense")


@every_setup
def test_a_view_of_another_table_is_refused(setup: Setup) -> None:
    tables = next(decisions(setup))
    with pytest.raises(ValueError, match="num_players"):
        setup.from_view({**tables.view(0, 0), "num_players": 99})
    with pytest.raises(ValueError, match="seat"):
        setup.from_view(tables.view(0, None))
