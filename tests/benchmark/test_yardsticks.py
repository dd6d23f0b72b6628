"""The C yardsticks play what `Tables` plays, to the last bit."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from miaui_env import Tables, find, games
from miaui_env.benchmark import yardsticks
from miaui_env.benchmark.yardsticks import NoYardstick, Yardstick

WRITTEN = sorted(path.stem for path in Path(yardsticks.__file__).parent.glob("*.c"))
needs_c = pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")


def test_yardsticks_are_of_games() -> None:
    assert WRITTEN and set(WRITTEN) <= set(games())


@needs_c
@pytest.mark.parametrize("name", WRITTEN)
def test_c_plays_the_same_games(name: str) -> None:
    yard = Yardstick(find(name))
    ours = Tables(yard.setup, 200, seed=5)
    its = Tables(yard.setup, 200, seed=5)
    ours.reset()
    its.reset()
    for i in range(60):
        actions = ours.random_actions()
        if i % 5 == 4:  # some commit later
            actions[:: i % 3 + 1, i % yard.setup.num_players] = -1
        ours.step(actions)
        yard.step(its, actions)
        assert ours.get_state() == its.get_state()
    assert ours.episodes.min() >= 3


@needs_c
@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("wrong", [-2, 30000])
def test_c_checks_all_actions_before_any_table_moves(name: str, wrong: int) -> None:
    yard = Yardstick(find(name))
    tables = Tables(yard.setup, 8, seed=1)
    tables.reset()
    actions, before = tables.random_actions(), tables.states.copy()
    actions[7, 0] = wrong
    with pytest.raises(ValueError, match=r"table 7, seat 0"):
        yard.step(tables, actions)
    assert np.array_equal(tables.states, before)


def test_a_game_without_one_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardsticks, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(NoYardstick, match="nobody has written"):
        Yardstick(find(WRITTEN[0]))


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NoYardstick, match="no C compiler"):
        Yardstick(find(WRITTEN[0]))
