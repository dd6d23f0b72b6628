"""`miaui benchmark BOT`: every rung, on equal deals, once."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from miaui_env import Setup, find, games
from miaui_env.benchmark import Result, arena_bot, play_lineup, protocol
from miaui_env.benchmark.entries import Entry
from tests.test_cli import miaui

SETUP = Setup.of(find("miaui"), 3)


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    rungs = MappingProxyType({"random": 3, "greedy": 2})
    monkeypatch.setattr(protocol, "RUNGS", rungs)


def climbed(entry: Entry, setup: Setup = SETUP) -> list[int]:
    """Climb; how many results there were each time that something was kept."""
    kept: list[int] = []
    keep = lambda told: kept.append(len(told.results))  # noqa: E731
    protocol.climb(entry, setup, arena_bot("lowest"), keep=keep)
    return kept


def test_a_rung_is_what_the_arena_plays() -> None:
    entry = Entry("lowest", "by hand")
    assert climbed(entry) == [1, 2]
    for told, (rung, deals) in zip(entry.results, protocol.RUNGS.items(), strict=True):
        bots = [arena_bot("lowest"), *[arena_bot(rung)] * 2]
        names = ["lowest", rung, rung]
        again = play_lineup(SETUP, bots, names=names, deals=deals, seating="rotations")
        assert Result.from_json(told) == again and told["purpose"] == "measurement"


def test_what_an_entry_has_is_not_played_again() -> None:
    entry = Entry("lowest", "by hand")
    climbed(entry)
    del entry.results[0]
    assert climbed(entry) == [2] and climbed(entry) == []
    assert climbed(entry, Setup.of(find("miaui"), 2)) == [3, 4], "another table"
    entry.results[0]["versions"] = {"miaui_env": "0.0.1"}
    assert climbed(entry) == [4], "an older version is played anew"


def test_a_bot_sits_among_copies_of_itself_where_it_is_a_rung() -> None:
    entry = Entry("greedy", "by hand")
    protocol.climb(entry, SETUP, arena_bot("greedy"))
    (among_itself,) = entry.results[1]["bots"]
    assert among_itself["win_share"]["mean"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", games())
def test_every_game_has_every_rung(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert list(protocol.rungs_of(Setup.of(find(name)))) == list(protocol.RUNGS)


# --- the command --------------------------------------------------------------------------------


def test_the_command_fills_an_entry_and_shows_its_tables(tmp_path: Path) -> None:
    file = tmp_path / "lowest.json"
    told = miaui(f"benchmark lowest --game miaui --players 3 --json {file}")
    assert told.code == 0 and "alone among" in told.out and "random" in told.out
    again = miaui(f"benchmark lowest --game miaui-mini-1 --json {file}")
    assert again.code == 0 and "miaui-mini-1" in again.out
    entry = Entry.read(file)
    assert len(entry.results) == 3
    assert entry.results[2]["nash_conv"] == pytest.approx(1.0)  # as docs/benchmarks/exact.md says


def test_tables_of_entries_go_to_json_and_between_the_markers_of_a_page(tmp_path: Path) -> None:
    for name, nash_conv in (("a", 0.25), ("b", 0.5)):
        told: dict[str, Any] = {"schema": "miaui_env.exploit/1", "game": "small", "bot": name}
        entry = Entry(name, "made up", {}, [{**told, "nash_conv": nash_conv, "exact": True}])
        entry.keep(tmp_path / f"{name}.json")
    page = tmp_path / "page.md"
    empty = "\n<!-- end of results -->\n"
    page.write_text(
        f"# Page\n<!-- results: entries -->{empty}<!-- results: small -->{empty}after\n"
    )
    files = f"{tmp_path / 'a.json'} {tmp_path / 'b.json'}"
    line = f"benchmark --algo-results {files} --json {tmp_path / 'all.json'} --page {page}"
    assert miaui(line).code == 0
    told = json.loads((tmp_path / "all.json").read_text())
    assert told["small"]["small"]["b"]["nash_conv"] == [0.5]
    written = page.read_text()
    assert "| a | 0.2500 |" in written and "| b | made up | – |" in written
    assert written.startswith("# Page\n") and written.endswith("after\n")
    assert miaui(line).code == 0 and page.read_text() == written


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("benchmark", "name a BOT to play, or --algo-results FILES to make tables from"),
        ("benchmark random --algo-results x.json", "name a BOT to play, or --algo-results"),
        ("benchmark random --game miaui", "a bot plays at --game NAME, and --json FILE"),
        ("benchmark nobody --game miaui --json x.json", "no bot 'nobody'"),
        ("benchmark --algo-results nowhere.json", "nowhere.json"),
        ("solve FR miaui-mini-1", "algorithm is one of 'CFR', 'CFR+', 'MCCFR', not 'FR'"),
        ("solve CFR mini", "no configuration 'mini'"),
    ],
)
def test_mistakes_are_told_in_a_line(line: str, wrong: str) -> None:
    told = miaui(line)
    assert told.code == 2 and wrong in told.err, told.err
