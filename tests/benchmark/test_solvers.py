"""Curves of OpenSpiel's solvers: the tree is the game, and NashConv the one that we compute."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the extra [openspiel] is not installed")

from miaui_env.adapters.efg import efg_of  # noqa: E402  # after the check that it can be
from miaui_env.benchmark.curves import last  # noqa: E402
from miaui_env.benchmark.entries import Entry  # noqa: E402
from miaui_env.benchmark.exact import Exact, write_out  # noqa: E402
from miaui_env.benchmark.solvers import ALGORITHMS, looks, points, stepping, tree_of  # noqa: E402
from miaui_env.registry import configured  # noqa: E402
from tests.test_cli import miaui  # noqa: E402

PUBLISHED = json.loads(Path("docs/benchmarks/exact.json").read_text(encoding="utf-8"))
MINI = "miaui-mini-1"


@pytest.fixture(scope="module")
def mini() -> Exact:
    return write_out(configured(MINI))


@pytest.mark.parametrize("told", PUBLISHED["games"][:2], ids=lambda told: told["name"])
def test_the_tree_is_the_game(told: dict[str, Any]) -> None:
    tree = tree_of(told["name"])
    uniform = pyspiel.UniformPolicy()
    assert pyspiel.nash_conv(tree, uniform, True) == pytest.approx(told["uniform_nash_conv"])


def test_a_game_in_turns_is_written_out_too() -> None:
    """Kuhn poker, of which it is known that uniform play has NashConv 11/12."""
    tree = pyspiel.load_efg_game(efg_of(pyspiel.load_game("kuhn_poker")))
    assert pyspiel.nash_conv(tree, pyspiel.UniformPolicy(), True) == pytest.approx(11 / 12)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nash_conv_along_a_curve_is_the_one_that_we_compute(algorithm: str, mini: Exact) -> None:
    """Through the names of information sets, which are OpenSpiel's number, and our keys."""
    tree = tree_of(MINI)
    solver, step = stepping(algorithm, tree, 1)
    for _ in range(40):
        step()
    policy = solver.average_policy()
    odds = [np.zeros(side.masks.shape) for side in mini.sides]
    numbers = [{key: i for i, key in enumerate(side.keys)} for side in mini.sides]

    def walk(state: Any) -> None:
        if state.is_player_node():
            seat = state.current_player()
            key = state.information_state_string().split()[-1]
            legal = np.flatnonzero(mini.sides[seat].masks[numbers[seat][key]])
            told = policy.action_probabilities(state)
            odds[seat][numbers[seat][key], legal] = [told[a] for a in state.legal_actions()]
        for action in state.legal_actions():
            walk(state.child(action))

    walk(tree.new_initial_state())
    looked, nash_conv = points(algorithm, MINI, 40, 1)[0][-1]
    assert looked == 40 and nash_conv == pytest.approx(mini.nash_conv(odds), abs=1e-9)


def test_looks_are_evenly_spread_over_powers_of_ten() -> None:
    assert list(looks(1)) == [1]
    assert list(looks(30)) == [1, 2, 5, 10, 20, 30]
    assert list(looks(100)) == [1, 2, 5, 10, 20, 50, 100]


def test_the_command_goes_on_with_what_its_file_lacks(tmp_path: Path) -> None:
    file = tmp_path / "mccfr.json"
    line = f"solve MCCFR {MINI} --iterations 20 --json {file}"
    assert miaui(f"{line} --seed 3").code == 0
    (first,) = Entry.read(file).results
    assert miaui(f"{line} --seed 3 --seed 4").code == 0
    (both,) = Entry.read(file).results
    assert both["runs"][0] == first["runs"][0] and len(both["runs"]) == 2
    assert len(set(last(both))) == 2, "seeds draw differently"
    said = miaui(f"{line} --seed 3").out
    assert f"{MINI}, seed 3: NashConv {last(both)[0]:.3g} after 20 iterations" in said
    assert first["setup"] == json.loads(json.dumps(configured(MINI).description))


def test_runs_with_other_settings_are_refused_and_kept(tmp_path: Path) -> None:
    """Before anything is solved: the first game would have been well."""
    file = tmp_path / "cfr.json"
    assert miaui(f"solve CFR {MINI} --iterations 20 --json {file}").code == 0
    kept = file.read_text()
    told = miaui(f"solve CFR miaui-mini-2 {MINI} --iterations 30 --json {file}", width=400)
    assert told.code == 2 and "cfr.json holds runs on miaui-mini-1" in told.err
    assert "settings.iterations 20, not 30" in told.err and file.read_text() == kept
