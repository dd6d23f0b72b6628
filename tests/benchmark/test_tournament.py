"""Tournaments: killed and gone on with, the same for any number of workers, told in 80 columns."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import arena_bot, charts, play_lineup, report
from miaui_env.benchmark.field import findings
from miaui_env.benchmark.log import opened
from miaui_env.benchmark.summary import Games
from miaui_env.benchmark.tournament import Tournament
from tests.benchmark.players import Faulty

NAMES = ("greedy", "lowest", "random")
SETUP = Setup.of(find("miaui"), 3)


def planned(deals: int = 40, setup: Setup = SETUP, **more: Any) -> Tournament:
    return Tournament.of(setup, {name: arena_bot(name) for name in NAMES}, deals=deals, **more)


def numbers(games: list[Games]) -> list[list[int]]:
    return [[*part.credits.ravel(), *part.points.ravel()] for part in games]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    log = tmp_path_factory.mktemp("found") / "log"
    return findings(planned(), planned().play(log, apart=False), 1.0)


# --- running --------------------------------------------------------------------------------------


def test_a_match_is_what_the_arena_plays(found: dict[str, Any]) -> None:
    bots = {name: arena_bot(name) for name in NAMES}
    for told in found["matches"]:
        seated = [bots[name] for name in told["lineup"]]
        result = play_lineup(SETUP, seated, deals=40)
        again = {bot["name"]: bot for bot in result.to_json()["bots"]}
        for name, figures in told["bots"].items():
            assert all(figures[what] == again[name][what] for what in figures)


def test_workers_do_not_change_a_tournament_and_a_rerun_plays_nothing(tmp_path: Path) -> None:
    told: list[int] = []
    tournament = planned(deals=40)
    first = tournament.play(tmp_path / "log", workers=2, progress=told.append)
    assert sum(told) == tournament.games
    text = (tmp_path / "log").read_text()
    told.clear()
    again = tournament.play(tmp_path / "log", progress=told.append)
    assert told == [tournament.games] and (tmp_path / "log").read_text() == text
    alone = tournament.play(tmp_path / "other", apart=False)
    assert numbers(first) == numbers(again) == numbers(alone)
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".lock"] == []


def test_a_torn_line_is_played_again_and_more_deals_go_on(tmp_path: Path) -> None:
    expected = planned(deals=64).play(tmp_path / "whole", apart=False)
    log = tmp_path / "log"
    planned(deals=40).play(log, apart=False)
    torn = log.read_bytes()[:-100]
    log.write_bytes(torn)
    assert numbers(planned(deals=64).play(log, apart=False)) == numbers(expected)
    assert log.read_bytes().startswith(torn[: torn.rfind(b"\n") + 1])
    assert numbers(planned(deals=64).play(log, apart=False)) == numbers(expected)


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    log = tmp_path / "log"
    line = f"tournament miaui --players 3 --bots {' '.join(NAMES)} --deals 300 --log {log}"
    command = [sys.executable, "-m", "miaui_env", *line.split()]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while time.monotonic() < until and (not log.exists() or log.read_bytes().count(b"\n") < 4):
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    before = log.read_bytes()
    assert before.count(b"\n") >= 4
    told: list[int] = []
    games = planned(deals=300).play(log, progress=told.append, apart=False)
    assert log.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert told[0] > 0 and sum(told) == planned(deals=300).games
    whole = planned(deals=300).play(tmp_path / "whole", apart=False)
    assert numbers(games) == numbers(whole)


def test_a_log_that_was_torn_in_its_first_line_begins_anew(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(json.dumps(planned(deals=1).plan)[:50])
    planned(deals=1).play(log, apart=False)
    assert json.loads(log.read_text().splitlines()[0]) == planned(deals=1).plan


def test_a_log_of_another_tournament_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log"
    planned(deals=1).play(log, apart=False)
    with pytest.raises(ValueError, match="belongs to another tournament: its seed is 0, this"):
        planned(deals=1, seed=1).play(log)
    with pytest.raises(ValueError, match="its setup is "):
        planned(deals=1, setup=SETUP.with_recall(True)).play(log)
    for other in ("hello\n", "a letter, unfinished", "{}", "[]\n"):
        log.write_text(other)
        with pytest.raises(ValueError, match=r"is no log of a tournament|another tournament"):
            planned(deals=1).play(log)
        assert log.read_text() == other
    busy = tmp_path / "busy"
    with (
        opened(busy, planned().plan),
        pytest.raises(ValueError, match="is being written by another run"),
    ):
        planned().play(busy)


# --- telling --------------------------------------------------------------------------------------


def test_findings_are_complete_and_count_everything(found: dict[str, Any]) -> None:
    assert json.loads(json.dumps(found)) == found
    assert found["title"] == (
        "miaui, 3 seats, a field of greedy, lowest, random; measurement seed 0"
    )
    games = sum(match["counts"]["requested"] for match in found["matches"])
    assert found["counts"]["requested"] == games == planned().games
    assert sum(told["games"] for told in found["field"].values()) == 3 * games
    assert {"miaui_env", "numpy", "numba"} <= set(found["versions"])
    assert len(found["population"]) == 64
    assert planned(seed=9, tables=3).population != planned(tables=2).population


def test_a_field_with_a_faulty_bot_is_rated_all_the_same(tmp_path: Path) -> None:
    bots = {"crash": Faulty("crash", 30), "random": arena_bot("random")}
    tournament = Tournament.of(Setup.of(find("miaui"), 2), bots, deals=20)
    found = findings(tournament, tournament.play(tmp_path / "log", apart=False), 0.0)
    assert found["field"]["crash"]["forfeits"] > 0 == found["field"]["random"]["forfeits"]
    assert found["field"]["crash"]["error"] == "RuntimeError: no idea"
    assert found["counts"]["failed"] + found["counts"]["forfeited"] > 0
    assert found["ratings"]["crash"]["mean"] < 0
    assert "crash: RuntimeError: no idea" in report.words(found)


def renamed(data: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return dict(json.loads(json.dumps(data).replace(f'"{old}"', f'"{new}"')))


def test_tables_fit_80_columns_also_with_long_names_and_many_bots(found: dict[str, Any]) -> None:
    told = report.words(found)
    for chapter in ("Pay-offs", "Ratings", "Cycles", "Mixed tables", "Answers", "requested"):
        assert chapter in told
    long = renamed(found, "greedy", "/a/folder/with/a/name/that/does/not/end/greedy-forever")
    bots = [*long["bots"], *(f"bot {i}" for i in range(12))]
    share = {"win_share": {"mean": 0.25}}
    duels = [
        {"kind": "duel", "lineup": [a, b, b], "bots": {a: share}}
        for a, b in itertools.permutations(bots, 2)
    ]
    many = {**long, "bots": bots, "matches": [*long["matches"], *duels]}
    for data in (found, long, many):
        told = report.words(data)
        rows = [line for line in told.splitlines() if "/a/folder/with/a/name" not in line]
        assert max(map(len, rows)) <= 80
    assert "greedy-forever" not in report.aligned(("x",), [("y",)])


def test_markdown_has_the_same_cells(found: dict[str, Any]) -> None:
    told = report.words(found, report.markdown)
    share = report.payoff(found)[0][1]
    assert share is not None and f"| {100 * share:.1f} |" in told
    assert "| --- | ---: |" in told and "| 1 greedy |" in told
    assert report.markdown(("a",), [("x|y",)]).endswith("| x\\|y |")


def test_payoffs_of_two_seats_are_told_from_both_sides(tmp_path: Path) -> None:
    tournament = planned(deals=20, setup=Setup.of(find("miaui"), 2))
    found = findings(tournament, tournament.play(tmp_path / "log", apart=False), 0.0)
    table = np.array(report.payoff(found), float)
    assert np.nansum(table + table.T, axis=None) == pytest.approx(6)
    assert np.isnan(np.diag(table)).all()


def test_pictures_are_drawn_from_the_json_alone(found: dict[str, Any]) -> None:
    drawn = report.pictures(found)
    assert set(drawn) == {"payoff.svg", "ratings.svg"}
    for picture in drawn.values():
        root = ElementTree.fromstring(picture)
        words = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert all(any(name in text for text in words) for name in NAMES)
    share = report.payoff(found)[0][1]
    assert f">{100 * (share or 0):.1f}<" in drawn["payoff.svg"]
    assert "&lt;b&gt;" in report.pictures(renamed(found, "greedy", "<b>"))["ratings.svg"]


def test_strength_over_a_parameter_is_a_curve() -> None:
    names = ["search:1600", "search:100", "search:400", "greedy~0.1", "greedy~0.5", "random"]
    assert report.families(names) == {
        "search:…": [(100, "search:100"), (400, "search:400"), (1600, "search:1600")]
    }
    assert report.families(["x:1ms", "x:5ms", "x:10ms"])["x:…ms"][2] == (10, "x:10ms")
    figure = {"mean": 3.0, "low": 1.0, "high": 5.0}
    curve = charts.curve("strength", [(10.0, figure), (100.0, figure), (1000.0, figure)])
    dots = [
        float(dot.attrib["cx"])
        for dot in ElementTree.fromstring(curve).iter("{http://www.w3.org/2000/svg}circle")
    ]
    assert dots[1] - dots[0] == pytest.approx(dots[2] - dots[1]), "a logarithmic axis"


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-84.0, 413.0), (3.0, 3.0), (0.01, 0.013)])
def test_ticks_are_round_and_few(low: float, high: float) -> None:
    marks = charts.ticks(low, high)
    assert 1 <= len(marks) <= 7 and all(low - 1e-9 <= mark <= high + 1e-9 for mark in marks)


def test_only_a_tournaments_json_is_reported() -> None:
    with pytest.raises(ValueError, match=r"no miaui_env.tournament/1, but 'miaui_env.arena/2'"):
        report.checked({"schema": "miaui_env.arena/2"})
    with pytest.raises(ValueError, match="but 'list'"):
        report.checked([])
