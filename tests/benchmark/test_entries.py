"""Entries: one file a bot, which grows, and refuses what does not belong there."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest

from miaui_env import Setup, find, load_bot
from miaui_env.benchmark import arena_bot, curves, play_lineup, result
from miaui_env.benchmark.admission import read_all
from miaui_env.benchmark.entries import LONGEST_NAME, SCHEMA, Entry, described
from miaui_env.benchmark.results_page import tables
from miaui_env.bots.exported import ExportedBot

SETUP = Setup.of(find("miaui"), 2)


def played(deals: int = 2, against: str = "random") -> dict[str, Any]:
    bots = [arena_bot("lowest"), arena_bot(against)]
    return play_lineup(SETUP, bots, deals=deals).to_json()


def test_an_entry_is_read_back_as_it_was(tmp_path: Path) -> None:
    entry = Entry("lowest", "by hand", {"seconds": 3}, [played()])
    entry.keep(tmp_path / "entry.json")
    assert Entry.read(tmp_path / "entry.json") == entry
    assert Entry.begun(tmp_path / "entry.json", "lowest", "by hand") == entry
    assert json.loads((tmp_path / "entry.json").read_text())["schema"] == SCHEMA


def test_a_file_of_another_bot_is_not_gone_on_with(tmp_path: Path) -> None:
    Entry("lowest", "by hand").keep(tmp_path / "entry.json")
    with pytest.raises(ValueError, match=r"entry.json holds 'lowest', not 'highest'"):
        Entry.begun(tmp_path / "entry.json", "highest", "by hand")


def test_what_a_file_says_of_a_bot_stays(tmp_path: Path) -> None:
    """Whoever sends it in may write better words than a command knows."""
    file = str(tmp_path / "entry.json")
    Entry("lowest", "tuned for a week", {"hours": 168}).keep(file)
    kept = Entry.begun(file, "lowest", "nothing learned", {"seconds": 1})
    assert (kept.algorithm, kept.budget) == ("tuned for a week", {"hours": 168})
    Entry("lowest", "").keep(file)
    filled = Entry.begun(file, "lowest", "nothing learned", {"seconds": 1})
    assert (filled.algorithm, filled.budget) == ("nothing learned", {"seconds": 1})


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\n", "<!-- a -->", "x" * (LONGEST_NAME + 1)])
def test_names_that_no_table_can_show_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the name of an entry is one line of 1 to 60 characters"):
        Entry(name, "")
    told = {**Entry("x" * LONGEST_NAME, "").to_json(), "name": name}
    (tmp_path / "entry.json").write_text(json.dumps(told))
    with pytest.raises(ValueError, match=r"entry\.json: the name of an entry"):
        Entry.read(tmp_path / "entry.json")


def test_of_two_results_of_the_same_the_later_one_stays() -> None:
    entry = Entry("lowest", "by hand")
    for told in (played(2), played(2, "greedy"), played(3)):
        entry.take(told)
    assert [(told["lineup"][1], told["deals"]) for told in entry.results] == [
        ("greedy", 2),
        ("random", 3),
    ]


def test_a_curve_is_gone_on_with_where_it_was_made_the_same_way() -> None:
    entry = Entry("CFR", "")

    def held(iterations: int) -> dict[str, Any]:
        how = {"iterations": iterations}
        return entry.held(curves.curve("CFR", "miaui-mini-1", "iterations", how, {}))

    curves.add_run(held(10), None, [(10, 0.5)], 1.0)
    assert curves.last(held(10)) == [0.5] and curves.seeds_of(held(10)) == [None]
    with pytest.raises(ValueError, match=r"CFR holds runs on miaui-mini-1.*iterations 10, not 20"):
        held(20)
    assert curves.last(held(10)) == [0.5], "nothing is lost"


def test_a_single_result_is_an_entry_of_its_first_bot(tmp_path: Path) -> None:
    (tmp_path / "arena.json").write_text(json.dumps(played()))
    entry = Entry.read(tmp_path / "arena.json")
    assert entry.name == "lowest" and entry.of(result.SCHEMA) == entry.results


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", "is no JSON"),
        ("[]", "is 'list', not one of miaui_env.entry/1"),
        ('{"schema": "miaui_env.gate/1"}', "is 'miaui_env.gate/1', not one of"),
        (f'{{"schema": "{SCHEMA}", "name": 3}}', "an entry needs 'name', a str"),
        (
            f'{{"schema": "{SCHEMA}", "name": "a", "algorithm": "", "budget": {{}}, '
            '"results": [{"schema": "miaui_env.gate/1"}]}',
            "entry.json, result 1: a result is one of miaui_env.arena/2",
        ),
        ('{"schema": "miaui_env.results/1"}', "entry.json holds tables made from entries"),
        (
            f'{{"schema": "{SCHEMA}", "name": "a", "algorithm": "", "budget": {{"hours": NaN}}, '
            '"results": []}',
            "entry.json: budget.hours is text or a finite number, not nan",
        ),
    ],
)
def test_what_is_no_entry_is_refused_in_words(tmp_path: Path, text: str, wrong: str) -> None:
    (tmp_path / "entry.json").write_text(text)
    with pytest.raises(ValueError, match=wrong):
        Entry.read(tmp_path / "entry.json")


ONE_RUN: dict[str, Any] = {"seed": 1, "points": [[1, 0.5]], "seconds": 1.0}


def drawn() -> dict[str, Any]:
    told = curves.curve("CFR", "miaui-mini-1", "iterations", {}, {})
    return {**told, "runs": [ONE_RUN]}


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"runs": []}, r"runs is a list that is not empty, not \[\]"),
        ({"runs": [{**ONE_RUN, "points": []}]}, r"runs\[0\].points is a list that is not empty"),
        ({"runs": [{**ONE_RUN, "points": [[1]]}]}, r"points\[0\] is a list of 2, not of 1"),
        ({"runs": [{**ONE_RUN, "points": [[1, math.nan]]}]}, r"\[0\]\[1\] is a finite number"),
        ({"runs": [{**ONE_RUN, "points": [[True, 0.5]]}]}, r"\[0\]\[0\] is a whole number"),
        ({"runs": [{**ONE_RUN, "seconds": "1"}]}, r"seconds is a finite number, not '1'"),
        ({"runs": [{"seed": 1}]}, r"runs\[0\].points is missing"),
        ({"setup": {}}, "setup.num_players is missing"),
        ({"configuration": None}, "configuration is text, not None"),
    ],
)
def test_a_curve_that_no_picture_can_show_is_refused(
    change: dict[str, Any], wrong: str, tmp_path: Path
) -> None:
    Entry("CFR", "", {}, [drawn(), drawn() | change]).keep(tmp_path / "entry.json")
    with pytest.raises(ValueError, match=f"entry.json, result 2: .*{wrong}"):
        Entry.read(tmp_path / "entry.json")


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"lineup": []}, "lineup is a list that is not empty"),
        ({"lineup": ["lowest"] * 3}, "lineup has 3 bots, and setup.num_players is 2"),
        ({"lineup": ["other", "random"]}, "bots.0. and milliseconds are of 'other'"),
        ({"bots": [{}]}, r"bots\[0\].name is missing"),
        ({"deals": True}, "deals is a whole number, not True"),
        ({"equal_share": math.inf}, "equal_share is a finite number, not inf"),
        ({"milliseconds": {"lowest": None}}, "milliseconds.lowest is a finite number, not None"),
        ({"cards": []}, r"cards is an object, not \[\]"),
        ({"deterministic": None}, "deterministic is an object, not None"),
        ({"schema": []}, r"a result is one of .*, not \[\]"),
    ],
)
def test_a_line_up_that_no_table_can_show_is_refused(
    change: dict[str, Any], wrong: str, tmp_path: Path
) -> None:
    Entry("lowest", "", {}, [played() | change]).keep(tmp_path / "entry.json")
    with pytest.raises(ValueError, match=f"entry.json, result 1: {wrong}"):
        Entry.read(tmp_path / "entry.json")


def test_no_field_of_what_is_published_can_be_left_out(tmp_path: Path) -> None:
    """Whatever is missing or null is an entry that is read as before, or a clear refusal."""
    entry = Entry.read("docs/benchmarks/results/response-greedy.json")
    others: list[Any] = [None, "x", []]
    for name, value in itertools.product(entry.results[0], others):
        (tmp_path / "one.json").write_text(json.dumps({**entry.results[0], name: value}))
        try:
            tables(read_all([tmp_path / "one.json"]))
        except ValueError as error:
            assert "one.json" in str(error), error


def test_a_bot_with_a_card_says_what_it_cost() -> None:
    assert described(load_bot("greedy")) == ("nothing learned", {})
    bot = load_bot("miaui/ppo-4p")
    assert isinstance(bot, ExportedBot)
    algorithm, budget = described(bot)
    assert algorithm == bot.card.training["algorithm"]
    assert budget["decisions"] == bot.card.training["steps"] and budget["seed"] == 1
    assert described(arena_bot("miaui/ppo-4p~0.1")) == (algorithm, budget)
