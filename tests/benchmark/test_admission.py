"""Entries that make tables together: of the protocol alone, and without contradiction."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import arena_bot, curves, play_lineup, protocol
from miaui_env.benchmark.admission import read_all
from miaui_env.benchmark.entries import Entry

SETUP = Setup.of(find("miaui"), 2)


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "RUNGS", MappingProxyType({"random": 2, "greedy": 2}))


def played(against: str = "random", deals: int = 2, **how: Any) -> dict[str, Any]:
    bots = [arena_bot("lowest"), arena_bot(against)]
    return play_lineup(SETUP, bots, deals=deals, seating="rotations", **how).to_json()


def drawn(end: float = 0.5, **changes: Any) -> dict[str, Any]:
    told = curves.curve("CFR", "miaui-mini-1", "iterations", {}, {})
    curves.add_run(told, None, [(1, 1.0), (10, end)], 1.0)
    return {**told, **changes}


def read(folder: Path, *entries: Entry) -> list[Entry]:
    """What is read of them, each from a file of its own, 0.json and so on."""
    files = [folder / f"{i}.json" for i in range(len(entries))]
    for file, entry in zip(files, entries, strict=True):
        entry.keep(file)
    return read_all(files)


def lowest(*results: dict[str, Any], algorithm: str = "", **budget: Any) -> Entry:
    return Entry("lowest", algorithm, budget, list(results))


def test_entries_of_one_name_are_one(tmp_path: Path) -> None:
    """What stands in two files counts once."""
    told, more = played(), played("greedy")
    first, other = read(
        tmp_path,
        lowest(told),
        lowest(told, more, algorithm="by hand", seconds=3),
        Entry("other", ""),
    )
    assert (first.algorithm, first.budget, first.results) == (
        "by hand",
        {"seconds": 3},
        [told, more],
    )
    assert other.name == "other"


def test_two_results_for_one_place_are_refused(tmp_path: Path) -> None:
    told = played()
    slower = {**told, "milliseconds": {"lowest": 99.0, "random": 1.0}}
    with pytest.raises(ValueError, match=r"0.json, result 1 and .*1.json, result 2 are two diff"):
        read(tmp_path, lowest(told), lowest(played("greedy"), slower))
    with pytest.raises(ValueError, match="two different results of CFR"):
        read(tmp_path, Entry("CFR", "", {}, [drawn(0.5)]), Entry("CFR", "", {}, [drawn(0.1)]))


@pytest.mark.parametrize(
    ("how", "wrong"),
    [
        ({"deals": 3}, "it has deals 3, where the protocol has 2 among random"),
        ({"seed": 1}, "it has seed 1, where the protocol has 0"),
        ({"purpose": "gate"}, "it has purpose 'gate', where the protocol has 'measurement'"),
        ({"move_limit": 60.0}, "it has move_limit 60.0, where the protocol has None"),
        ({"against": "highest"}, "its bot sits among highest, not among copies of one of random,"),
    ],
)
def test_other_line_ups_than_the_protocols_are_refused(
    how: dict[str, Any], wrong: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"0.json, result 1: {wrong}"):
        read(tmp_path, lowest(played(**how)))


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"setup": {"num_players": 2, "chairs": 3}}, "chairs"),
        ({"setup": {"num_players": 2, "hand_size": "x"}}, "hand_size"),
    ],
)
def test_a_table_that_does_not_exist_is_refused(
    change: dict[str, Any], wrong: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"0.json, result 1: .*{wrong}"):
        read(tmp_path, lowest(played() | change))


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"configuration": "mini"}, "no configuration 'mini'"),
        ({"configuration": "miaui-mini-2"}, "its setup is .*, where miaui-mini-2 has"),
        ({"game_version": 9}, "its game_version is 9, where miaui-mini-1 has 0"),
        ({"game": "maui"}, "its game is 'maui', where miaui-mini-1 has 'miaui'"),
    ],
)
def test_small_games_are_as_they_are_named(
    change: dict[str, Any], wrong: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"0.json, result 1: {wrong}"):
        read(tmp_path, Entry("CFR", "", {}, [drawn(**change)]))


def test_a_response_may_be_shown_more_than_its_small_game_has(tmp_path: Path) -> None:
    (told, *_) = json.loads(Path("docs/benchmarks/results/response-greedy.json").read_text())[
        "results"
    ]
    recalling = {**told, "setup": {**told["setup"], "perfect_recall": True}}
    (entry,) = read(tmp_path, Entry("greedy", "", {}, [recalling]))
    assert entry.results == [recalling]


def test_two_bots_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"0.json and .*1.json are both named 'lowest', and"):
        read(tmp_path, lowest(algorithm="by hand"), lowest(algorithm="PPO"))
    with pytest.raises(ValueError, match="differ in budget"):
        read(tmp_path, lowest(seconds=1), lowest(seconds=2))
