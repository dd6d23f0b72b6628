"""`miaui benchmark BOT`: every rung, on equal deals, once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from miaui_env import Setup, find, games
from miaui_env.benchmark import Result, arena_bot, play_lineup, protocol
from miaui_env.benchmark.entries import Entry
from miaui_env.registry import configured
from tests.benchmark.players import Faulty, First
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


def test_no_other_bot_goes_by_the_name_of_one_that_is_known() -> None:
    for name in ("random", "greedy", "highest"):
        with pytest.raises(ValueError, match=f"'{name}' is the name of another bot"):
            protocol.climb(Entry(name, ""), SETUP, First(name))
    with pytest.raises(ValueError, match="'greedy' is the name of another bot"):
        protocol.climb(Entry("greedy", ""), SETUP, arena_bot("greedy~0.1"))


def test_an_entry_of_a_bot_with_another_card_is_not_gone_on_with() -> None:
    entry = Entry("lowest", "by hand")
    climbed(entry)
    entry.results[0]["cards"] = {"lowest": "abc"}
    with pytest.raises(ValueError, match=r"results of another lowest: .* are abc and none"):
        climbed(entry)


def test_forfeits_are_told_with_their_reason() -> None:
    entry, faulty = Entry("faulty", ""), Faulty("crash")
    protocol.climb(entry, SETUP, faulty)
    told = protocol.faults(entry, SETUP)
    assert len(told) == 2 and told[0].startswith("faulty forfeited 9 games among random: ")
    assert protocol.faults(entry, Setup.of(find("miaui"), 2)) == []
    assert entry.results[0]["errors"]["faulty"] in told[0]


@pytest.mark.parametrize("fault", ["crash", "illegal"])
def test_a_bot_that_fails_on_a_small_game_is_named(fault: str) -> None:
    mini = configured("miaui-mini-1")
    with pytest.raises(ValueError, match="faulty at miaui-mini-1: "):
        protocol.solve(Entry("faulty", ""), "miaui-mini-1", mini, Faulty(fault))


def test_a_small_game_is_not_solved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    entry, mini = Entry("lowest", "by hand"), configured("miaui-mini-1")
    protocol.solve(entry, "miaui-mini-1", mini, arena_bot("lowest"))
    before = list(entry.results)
    with monkeypatch.context() as patched:
        patched.setattr(protocol, "write_out", None)
        protocol.solve(entry, "miaui-mini-1", mini, arena_bot("lowest"))
    entry.results[0] = {**before[0], "versions": {"miaui_env": "0.0.1"}}
    protocol.solve(entry, "miaui-mini-1", mini, arena_bot("lowest"))
    assert entry.results == before, "an older version is solved anew"


def test_the_pages_example_enters_a_bot(tmp_path: Path) -> None:
    page = Path("docs/benchmark.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    few = 'protocol.RUNGS = {"random": 2}\n'
    (tmp_path / "mine.py").write_text(block.replace("\n\nif __name__", f"\n\n{few}\nif __name__"))
    done = subprocess.run(
        [sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and done.stdout == "\n", done.stderr
    entry = Entry.read(tmp_path / "last.json")
    assert [told["lineup"] for told in entry.results] == [["last", "random", "random", "random"]]
    assert protocol.faults(entry, Setup.of(find("miaui"), 4)) == []


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


def solved(name: str, nash_conv: float) -> dict[str, Any]:
    mini = configured("miaui-mini-1")
    about = {"game": "miaui-mini-1", "game_version": 0, "setup": protocol.plain(mini)}
    told = {"schema": "miaui_env.exploit/1", "bot": name, "nash_conv": nash_conv, "exact": True}
    return told | about


def test_forfeits_are_told_on_stderr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = lambda entry, setup: [f"{entry.name} forfeited"]  # noqa: E731
    monkeypatch.setattr(protocol, "faults", lines)
    told = miaui(f"benchmark lowest --game miaui --players 2 --json {tmp_path / 'a.json'}")
    assert told.code == 0 and "lowest forfeited" in told.err


def test_tables_take_the_place_of_nothing_else(tmp_path: Path) -> None:
    entry, other, tables = (tmp_path / f"{name}.json" for name in ("entry", "other", "tables"))
    Entry("a", "", {}, [solved("a", 0.25)]).keep(entry)
    other.write_text('{"schema": "miaui_env.gate/1"}')
    for file, wrong in (
        (entry, "is one of the entries"),
        (other, "holds something other than tables"),
        (tmp_path, "it is a folder"),
        (tmp_path / "none" / "x.json", "there is no folder"),
    ):
        told = miaui(f"benchmark --algo-results {entry} --json {file}", width=300)
        assert told.code == 2 and wrong in told.err, told.err
    assert Entry.read(entry).name == "a" and "gate" in other.read_text()
    line = f"benchmark --algo-results {entry} --json {tables}"
    assert miaui(line).code == 0 and miaui(line).code == 0
    told = miaui(f"benchmark --algo-results {entry} {tables}")
    assert told.code == 2 and "holds tables made from entries" in told.err


def test_a_page_that_is_refused_leaves_everything_as_it_was(tmp_path: Path) -> None:
    entry, page, tables = (tmp_path / name for name in ("entry.json", "page.md", "all.json"))
    Entry("a", "", {}, [solved("a", 0.25)]).keep(entry)
    page.write_text("no markers\n")
    told = miaui(f"benchmark --algo-results {entry} --page {page} --json {tables}")
    assert told.code == 2 and "the page lacks" in told.err and not tables.exists()


def test_tables_of_entries_go_to_json_and_between_the_markers_of_a_page(tmp_path: Path) -> None:
    for name, nash_conv in (("a", 0.25), ("b", 0.5)):
        Entry(name, "made up", {}, [solved(name, nash_conv)]).keep(tmp_path / f"{name}.json")
    page = tmp_path / "page.md"
    empty = "\n<!-- end of results -->\n"
    page.write_text(
        f"# Page\n<!-- results: entries -->{empty}<!-- results: small -->{empty}"
        f"<!-- results: ladder -->\nold{empty}after\n"
    )
    files = f"{tmp_path / 'a.json'} {tmp_path / 'b.json'}"
    line = f"benchmark --algo-results {files} --json {tmp_path / 'all.json'} --page {page}"
    said = miaui(line)
    assert said.code == 0 and "left as before, because no entry has any: ladder" in said.err
    told = json.loads((tmp_path / "all.json").read_text())
    assert told["small"]["miaui-mini-1"]["b"]["nash_conv"] == [0.5]
    written = page.read_text()
    assert "| a | 0.2500 |" in written and "| b | made up | – |" in written
    assert written.startswith("# Page\n") and written.endswith(f"\nold{empty}after\n")
    assert miaui(line).code == 0 and page.read_text() == written


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("benchmark", "name a BOT to play, or --algo-results FILES to make tables from"),
        ("benchmark random --algo-results x.json", "name a BOT to play, or --algo-results"),
        ("benchmark random --game miaui", "a bot plays at --game NAME, and --json FILE"),
        ("benchmark nobody --game miaui --json x.json", "no bot 'nobody'"),
        ("benchmark --algo-results nowhere.json", "nowhere.json"),
        ("benchmark random --game miaui --json -", "an entry grows in a file"),
        ("benchmark random --game miaui --json x.json --page y.md", "--page would mean nothing"),
        ("benchmark --algo-results x.json --players 3", "--players would mean nothing"),
        ("benchmark --algo-results x.json --workers 1", "--workers would mean nothing"),
        ("benchmark random --game miaui-mini-1 --perfect-recall --json x.json", "as it is"),
        ("benchmark random --game miaui-mini-1 --workers 2 --json x.json", "--workers would mean"),
        ("solve CFR miaui-mini-1 --json -", "an entry grows in a file"),
        ("solve CFR miaui-mini-1 --seed 1 --seed 2", "CFR draws nothing, so it takes no --seed"),
        ("solve CFR miaui-mini-1 --iterations 0", "Invalid value for '--iterations'"),
        ("solve MCCFR miaui-mini-1 --seed -1", "Invalid value for '--seed'"),
        ("solve FR miaui-mini-1", "algorithm is one of 'CFR', 'CFR+', 'MCCFR', not 'FR'"),
        ("solve CFR mini", "no configuration 'mini'"),
    ],
)
def test_mistakes_are_told_in_a_line(line: str, wrong: str) -> None:
    told = miaui(line)
    assert told.code == 2 and wrong in told.err, told.err
