"""The speed report: every part is there, counts what it says, and compares within one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from miaui_env import Tables, find, make
from miaui_env.benchmark.speed import (
    SECTIONS,
    Run,
    driving,
    interfaces,
    measure,
    memory,
    nothing,
    starting,
    states,
    tables,
)
from miaui_env.benchmark.speed.goals import BIG
from miaui_env.benchmark.speed.run import Turns, rate, spread
from miaui_env.engine.compile import cache_root
from miaui_env.engine.crew import cores
from miaui_env.game import Setup

MIAUI = find("miaui")


def quick(game: str = "miaui") -> Run:
    return Run(find(game), 2, quick=True, say=lambda what: None)


# --- turns --------------------------------------------------------------------------------------


def test_players_take_turns_and_ratios_are_of_the_same_turn() -> None:
    played: list[str] = []

    def player(name: str, rates: list[int]) -> Any:
        def once() -> tuple[int, float]:
            played.append(name)
            return rates[played.count(name) - 1], 1.0

        return once

    players = {"a": player("a", [0, 99, 10, 99, 60]), "b": player("b", [0, 99, 5, 99, 10])}
    turns = quick().turns(players)
    # The first of each is to compile, then one to warm up before each that is timed.
    assert played == ["a", "b", *"aabb", *"aabb"]
    assert turns.spread("a") == {"median": 35, "low": 10, "high": 60}
    assert turns.ratio("a", "b") == {"median": 4, "low": 2, "high": 6}


def test_a_rate_is_taken_over_enough_time_and_of_something_done() -> None:
    answers = iter([(0, 5.0), (4, 1.0), (100, 1.0)])
    assert rate(lambda: next(answers), 2.0) == 4 / 6


def test_a_spread_is_median_least_and_greatest() -> None:
    assert spread([4, 1, 2]) == {"median": 2, "low": 1, "high": 4}
    assert spread([1 / 3]) == dict.fromkeys(("median", "low", "high"), 0.33333)


def test_no_repeats_and_unknown_sections_are_refused() -> None:
    with pytest.raises(ValueError, match="repeats is 1 or more, not 0"):
        Run(MIAUI, 0)
    with pytest.raises(ValueError, match="no section 'memry'; there are start, memory"):
        measure(quick(), ["memory", "memry"])


def test_a_section_that_cannot_be_measured_says_why() -> None:
    report = measure(quick(), ["peers"])
    assert report["sections"] == {} and report["skipped"] == {"peers": "not asked for: --peers"}
    assert report["game"] == "miaui" and report["quick"] and report["machine"]["cores"]
    assert "peers" in SECTIONS and json.loads(json.dumps(report)) == report


# --- tables -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return tables.measure(quick())


def test_tables_are_measured_by_batch_threads_and_layer(told: dict[str, Any]) -> None:
    assert [row["batch"] for row in told["rows"]] == list(tables.QUICK_BATCHES)
    for row in told["rows"]:
        assert list(row["one"]) == list(row["all"]) == ["rules", "masks", "observations"]
        for measured in (*row["one"].values(), *row["all"].values(), row["copy"]):
            assert 0 < measured["low"] <= measured["median"] <= measured["high"]
        assert row["apart_to_one"] is None


def test_many_tables_have_the_machine_s_own_gain_beside_them() -> None:
    row = tables._row(quick(), Setup.of(MIAUI, 2), BIG)
    assert row["apart_to_one"]["median"] > 0


def test_a_decision_of_four_at_miaui_writes_107_bytes_and_a_mask_of_12(
    told: dict[str, Any],
) -> None:
    assert {row["bytes"] for row in told["rows"]} == {107 + 12}


def test_a_full_run_has_every_game_at_every_number_of_seats() -> None:
    setups = [(setup.game.name, setup.num_players) for setup in tables._setups(Run(MIAUI))]
    assert len(set(setups)) == len(setups) == 5 + 5 + 3 + 3
    assert ("miaui", 6) in setups and (tables.BATCHES[0], tables.BATCHES[-1]) == (1, 65_536)


@pytest.mark.parametrize(
    ("layer", "masks", "observations"),
    [("rules", False, False), ("masks", True, False), ("observations", True, True)],
)
def test_a_layer_plays_the_same_games_and_writes_less(
    layer: str, masks: bool, observations: bool
) -> None:
    setup = Setup.of(MIAUI, 3)
    whole, less = Tables(setup, 5), tables._layer(layer, setup, 5, 1)
    whole.reset()
    less.reset()
    for _ in range(15):
        actions = whole.random_actions()
        assert np.array_equal(actions, less.random_actions())
        step = less.step(actions)
        whole.step(actions)
        assert np.array_equal(whole.states, less.states)
        assert np.array_equal(whole.rewards, step.rewards)
        assert step.action_masks.any() == masks and step.observations.any() == observations
    assert whole.episodes.min() == 1


def test_a_layer_still_refuses_an_illegal_action() -> None:
    less = tables._layer("rules", Setup.of(MIAUI, 3), 2, 1)
    less.reset()
    with pytest.raises(ValueError, match="illegal action 12"):
        less.step(np.full((2, 3), 12))


@pytest.mark.parametrize(("game", "rows"), [("miaui", 5 * 4), ("showcase", 5)])
def test_a_copy_is_of_what_a_step_writes(game: str, rows: int) -> None:
    assert tables._copying(Setup.of(find(game)), 5)()[0] == rows


def test_c_stands_in_turns_with_tables_where_there_is_a_compiler() -> None:
    run = quick()
    told = tables.measure_beside_c(run)
    assert bool(told["compiler"]) == ("c" not in run.skipped)
    for row in told["rows"]:
        assert row["to_c"] is None or 0 < row["to_c"]["low"] <= row["to_c"]["high"]
    run = quick("showcase")
    assert tables.measure_beside_c(run)["rows"][0]["to_c"] is None
    assert run.skipped == {"c": "nobody has written Showcase in C"}


# --- interfaces ---------------------------------------------------------------------------------


def test_every_interface_is_measured_beside_something() -> None:
    run = quick()
    told = interfaces.measure(run)
    measured = {row["interface"]: row for row in told["rows"]}
    assert set(measured) | set(run.skipped) == set(interfaces.ROWS)
    for row in measured.values():
        assert row["beside"]
        for beside in row["beside"].values():
            assert beside["ratio"]["low"] <= beside["ratio"]["median"] <= beside["ratio"]["high"]
    assert measured["gymnasium"]["opponents"] == measured["vector"]["opponents"] == "greedy"


def test_a_game_of_turns_has_no_parallel_environment_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = {name: interfaces.ROWS[name] for name in ("parallel", "sb3")}
    monkeypatch.setattr(interfaces, "ROWS", chosen)
    run = quick("showcase")
    assert interfaces.measure(run)["rows"] == []
    assert run.skipped["parallel"] == "Showcase is played in turns"
    assert "unlike Showcase" in run.skipped["sb3"]


@pytest.mark.parametrize("game", ["miaui", "showcase"])
def test_every_seats_decisions_count_at_tables_with_bots(game: str) -> None:
    seats = find(game).default_players if find(game).simultaneous else 1
    by_hand = driving.seated_player(Tables(game, 6), "greedy")
    assert by_hand()[0] == 6 * seats
    env = make(game, "vector", num_envs=6, opponents="random", seat=0)
    once = driving.vector_player(env)
    decisions, seconds = (sum(column) for column in zip(*(once() for _ in range(30)), strict=True))
    assert seconds > 0
    assert decisions == 30 * 6 * 4 if find(game).simultaneous else decisions > 30 * 6


def test_doing_nothing_has_the_spaces_of_the_real_thing() -> None:
    real = make("miaui", "aec", num_players=3)
    for empty in (nothing.NothingAEC(real), nothing.wrapped(nothing.NothingAEC(real))):
        empty.reset()
        observation, *_ = empty.last()
        space = real.observation_space("player_0")
        assert isinstance(space, gymnasium.spaces.Dict)
        assert observation is not None and space.contains(observation)
        assert empty.action_space("player_2") == real.action_space("player_2")
        empty.step(0)
        assert empty.agent_selection == "player_1"


def test_a_vector_environment_that_does_nothing_counts_as_the_real_one() -> None:
    real = make("miaui", "vector", num_envs=6, opponents="random", seat=0)
    empty = nothing.NothingVector(real)
    seen, infos = empty.reset()
    assert real.observation_space.contains(seen) and infos["action_mask"].shape == (6, 12)
    assert driving.vector_player(empty)()[0] == driving.vector_player(real)()[0] == 24


# --- states, memory, start ----------------------------------------------------------------------


def test_what_is_done_with_states_is_counted_one_by_one() -> None:
    told = states.measure(quick())
    (row,) = told["rows"]
    assert list(row["per_second"]) == list(states.WHAT) == list(told["what"])
    players = states._players(Setup.of(MIAUI, 2), 7)
    numbers = {name: once()[0] for name, once in players.items()}
    many = ("copies", "branches", "whole tables", "resample")
    assert numbers == {name: 7 if name in many else 1 for name in states.WHAT}


def test_memory_is_that_of_a_table_and_of_a_process_that_plays_on() -> None:
    told = memory.measure(quick())
    (row,) = told["rows"]
    assert row["record"] == MIAUI.state.itemsize < row["all"]
    shown = 2 * 4 * (107 + 12)  # two sets of observations and masks for four seats
    assert shown < row["all"] - row["record"] < 3 * shown
    assert told["before"] is None or 10 * 2**20 < told["before"] <= told["after"] < 2**34


def test_starts_are_compared_with_the_bare_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"imports_": 1.0, "floor_": 2.0, "import_miaui_env_": 1.5, "tables_": 3.0}

    def pretended(script: Path, cache: Path) -> float:
        return seconds.get(script.stem, 4.0) * (10 if "cold" in cache.name else 1)

    monkeypatch.setattr(starting, "_seconds", pretended)
    told = starting.measure(quick())
    assert told["warm"]["tables"]["median"] == 3 and told["cold"]["aec"]["median"] == 40
    assert told["to_floor"]["tables"]["median"] == 1.5 and told["to_floor"]["aec"]["median"] == 2
    assert told["cold_to_imports"]["aec"]["median"] == 4


def test_fresh_processes_start(tmp_path: Path) -> None:
    for script in starting._written(quick(), tmp_path).values():
        assert 0 < starting._seconds(script, cache_root() or tmp_path) < 600


def test_all_cores_are_those_of_this_machine(told: dict[str, Any]) -> None:
    assert told["all_cores"] == cores()


def test_turns_keep_what_was_measured() -> None:
    assert Turns({"a": [2.0, 8.0]}).ratio("a", "a") == {"median": 1, "low": 1, "high": 1}
