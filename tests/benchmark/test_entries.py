"""Entries: one file a bot, which grows, and refuses what does not belong there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from miaui_env import Setup, find, load_bot
from miaui_env.benchmark import arena_bot, curves, play_lineup, result
from miaui_env.benchmark.entries import SCHEMA, Entry, described, read_all
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
    with pytest.raises(ValueError, match=r"holds lowest \(by hand\), not highest"):
        Entry.begun(tmp_path / "entry.json", "highest", "by hand")


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
    assert held(20)["runs"] == [] and len(entry.results) == 1


def test_a_single_result_is_an_entry_of_its_first_bot(tmp_path: Path) -> None:
    (tmp_path / "arena.json").write_text(json.dumps(played()))
    entry = Entry.read(tmp_path / "arena.json")
    assert entry.name == "lowest" and entry.of(result.SCHEMA) == entry.results


def test_entries_of_one_name_are_one(tmp_path: Path) -> None:
    Entry("lowest", "", {}, [played()]).keep(tmp_path / "a.json")
    Entry("lowest", "by hand", {"seconds": 3}, [played(2, "greedy")]).keep(tmp_path / "b.json")
    Entry("other", "").keep(tmp_path / "c.json")
    first, other = read_all([tmp_path / f"{name}.json" for name in "abc"])
    assert (first.algorithm, first.budget, len(first.results)) == ("by hand", {"seconds": 3}, 2)
    assert other.name == "other"


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
            "a result is one of miaui_env.arena/2",
        ),
    ],
)
def test_what_is_no_entry_is_refused_in_words(tmp_path: Path, text: str, wrong: str) -> None:
    (tmp_path / "entry.json").write_text(text)
    with pytest.raises(ValueError, match=wrong):
        Entry.read(tmp_path / "entry.json")


def test_a_bot_with_a_card_says_what_it_cost() -> None:
    assert described(load_bot("greedy")) == ("nothing learned", {})
    bot = load_bot("miaui/ppo-4p")
    assert isinstance(bot, ExportedBot)
    algorithm, budget = described(bot)
    assert algorithm == bot.card.training["algorithm"]
    assert budget["decisions"] == bot.card.training["steps"] and budget["seed"] == 1
    assert described(arena_bot("miaui/ppo-4p~0.1")) == (algorithm, budget)
