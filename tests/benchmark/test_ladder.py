"""`miaui ladder`: equal deals, differences deal by deal, and runs that go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import arena_bot, play_lineup
from miaui_env.benchmark import ladder as module
from miaui_env.benchmark.arena import play_games
from miaui_env.benchmark.ladder import climb, shares, speed, table
from miaui_env.bots.search import SearchBot
from tests.test_cli import miaui

SETUP = Setup.of(find("miaui"), 3)


def run(bots: list[str], file: Path | None = None, deals: int = 20) -> dict[str, Any]:
    return climb(SETUP, bots, "random", deals=deals, seed=4, file=file)


def test_a_bot_does_as_it_does_in_the_arena() -> None:
    report = run(["highest", "lowest"])
    line = [arena_bot("lowest"), *[arena_bot("random")] * 2]
    arena = play_lineup(SETUP, line, deals=20, seed=4)
    assert shares(report, "lowest").mean == arena.of("lowest").win_share.mean
    assert report["bots"]["lowest"]["forfeits"] == 0


def test_differences_are_taken_deal_by_deal() -> None:
    report = run(["highest", "lowest"])
    less = shares(report, "lowest", "highest")
    apart = [shares(report, name).mean or 0 for name in ("lowest", "highest")]
    assert less.mean == pytest.approx(apart[0] - apart[1])
    nothing = shares(report, "lowest", "lowest")
    assert (nothing.mean, nothing.low, nothing.high) == (0, 0, 0)


def test_a_run_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run.json"
    run(["highest"], file)
    played: list[Any] = []

    def play(lineup: Any, *rest: Any) -> Any:
        played.append(lineup.players[0].name)
        return play_games(lineup, *rest)

    monkeypatch.setattr(module, "play_games", play)
    report = run(["highest", "lowest"], file)
    assert played == ["miaui.lowest"] and json.loads(file.read_text()) == report
    assert report["bots"]["highest"]["credits"] == run(["highest"])["bots"]["highest"]["credits"]
    with pytest.raises(ValueError, match="holds another run: its deals differ"):
        run(["highest"], file, deals=21)


def test_a_speed_is_measured_for_searches_of_each_kind() -> None:
    for kind in ("flat", "search"):
        assert speed(SETUP, SearchBot(kind, 12), 0.01) > 0


def test_the_command_prints_a_row_for_each_bot(tmp_path: Path) -> None:
    line = "ladder miaui --players 3 --bots random flat:100 --against random --deals 1"
    told = miaui(f"{line} --json {tmp_path / 'run.json'}")
    assert told.code == 0 and "one against 2 × random, 1 deals" in told.out
    assert "flat:100: " in told.out, "rich would make a picture of :100:"
    assert "roll-out decisions a second" in told.out
    assert miaui("ladder miaui --bots search:ten").code == 2


def test_the_first_bot_has_none_to_be_above() -> None:
    shown = table(run(["highest", "lowest"]), ["highest", "lowest"])
    assert next(iter(shown.columns[2].cells)) == ""
