"""Goals, tables, page and pictures say what the report's JSON says, and nothing else."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from miaui_env.benchmark.charts import curves
from miaui_env.benchmark.speed import SCHEMA, SECTIONS, goals, peers
from miaui_env.benchmark.speed.goals import Goal
from miaui_env.benchmark.speed.page import page, pictures
from miaui_env.benchmark.speed.telling import SHEETS, sheets, short
from tests.test_cli import miaui

FOLDER = Path("docs/benchmarks")
PUBLISHED: dict[str, Any] = json.loads((FOLDER / "speed.json").read_text("utf-8"))


def one(figure: float) -> dict[str, float]:
    return {"median": figure, "low": figure / 2, "high": figure * 2}


def row(batch: int, gain: float, game: str = "miaui") -> dict[str, Any]:
    """Of the section `tables`, invented."""
    speeds = {layer: one(1e6) for layer in ("rules", "masks", "observations")}
    about = {"game": game, "seats": 4, "batch": batch, "bytes": 119}
    gains = {"all_to_one": one(gain), "apart_to_one": one(1.9)}
    copied = {"copy": one(1e8), "to_copy": one(0.01)}
    return {**about, "one": speeds, "all": speeds, **gains, **copied}


def report(**sections: Any) -> dict[str, Any]:
    """A report with these sections."""
    about = {key: PUBLISHED[key] for key in ("schema", "game", "machine", "versions", "decision")}
    return {**about, "repeats": 2, "quick": False, "sections": sections, "skipped": {}}


def peer(name: str, cores: str, tables: float, aec: float) -> dict[str, Any]:
    """Of the section `peers`, invented."""
    about = {"peer": name, "cores": cores, "what": "Poker.", "releases": {"lib": "1.0"}}
    return {
        **about,
        "per_second": one(1000),
        "tables_to_it": one(tables),
        "aec_to_it": one(aec),
    }


def goal(told: dict[str, Any], key: str) -> Goal:
    (found,) = [goal for goal in goals.goals(told) if goal.key == key]
    return found


# --- goals --------------------------------------------------------------------------------------


def test_a_goal_is_met_missed_or_not_measured() -> None:
    assert Goal("a", "", 2.0, one(2.0)).met is True
    assert Goal("a", "", 2.0, one(1.9)).met is False
    assert Goal("a", "", 2.0, one(2.1), at_most=True).met is False
    assert Goal("a", "", 2.0, one(2.0), at_most=True).met is True
    assert Goal("a", "", 2.0, None).met is None


def test_a_missed_goal_has_its_reason_or_says_that_none_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goals, "REASONS", tmp_path / "reasons.toml")
    goals.REASONS.write_text('known = "It is heavy."\n')
    assert Goal("known", "", 2.0, one(1.0)).reason == "It is heavy."
    assert Goal("other", "", 2.0, one(1.0)).reason == goals.UNKNOWN
    assert Goal("known", "", 2.0, one(3.0)).reason == ""


def test_every_reason_is_of_a_goal() -> None:
    assert set(goals.reasons()) <= {goal.key for goal in goals.goals(PUBLISHED)}


def test_ratios_to_a_peer_are_those_on_one_core_to_its_faster_way() -> None:
    rows = [
        peer("pgx leduc", "1", 5, 1),
        peer("pgx leduc, scanned", "1", 4, 1),
        peer("pgx leduc", "all", 2, 1),
        peer("pettingzoo rps", "1", 400, 3),
    ]
    told = report(peers={"batch": 4096, "ours": {}, "rows": rows})
    assert goal(told, "pgx leduc").reached == one(4) and goal(told, "pgx leduc").met
    assert goal(told, "pettingzoo rps").reached == one(3)
    assert goal(told, "envpool kuhn").met is None


def test_all_cores_are_judged_where_they_gain_least_among_big_batches() -> None:
    rows = [row(256, 1.0), row(4096, 1.8), row(65_536, 1.6), row(4096, 1.9, "maui")]
    told = report(tables={"layers": {}, "all_cores": 2, "rows": rows})
    assert goal(told, "cores miaui").reached == one(1.6)
    assert not goal(told, "cores miaui").met and goal(told, "cores maui").met


def test_other_games_are_to_reach_three_million_where_c_makes_eight() -> None:
    rows = [
        {"game": "miaui", "seats": 4, "per_second": one(1), "to_c": one(0.95)},
        {"game": "miaui", "seats": 2, "per_second": one(1), "to_c": one(0.2)},
        {"game": "maui", "seats": 4, "per_second": one(1), "to_c": one(0.37)},
        {"game": "maui", "seats": 2, "per_second": one(1), "to_c": one(0.38)},
    ]
    told = report(beside_c={"game": "miaui", "seats": 4, "rows": rows})
    assert goal(told, "c").reached == one(0.95) and goal(told, "c").met
    assert goal(told, "maui 4").met is False and goal(told, "maui 2").met is True


def test_a_process_that_grows_is_found() -> None:
    rows = [{"game": "miaui", "seats": 4, "record": 600, "all": 2000.0}]
    told = {"tables": 4, "rows": rows, "games": 1000, "before": 1000, "after": 1000}
    assert goal(report(memory=told), "growth").met and goal(report(memory=told), "record").met
    grown = report(memory={**told, "after": 1010})
    assert goal(grown, "growth").reached == pytest.approx(
        dict.fromkeys(("median", "low", "high"), 0.01)
    )
    assert not goal(grown, "growth").met


def test_without_sections_every_goal_is_told_as_not_measured() -> None:
    assert {goal.met for goal in goals.goals(report())} == {None}
    (sheet,) = sheets(report())
    assert {line[3] for line in sheet.rows} == {"not measured"}


# --- what we publish ----------------------------------------------------------------------------


def test_the_page_and_its_pictures_say_what_the_figures_say() -> None:
    assert (FOLDER / "speed.md").read_text("utf-8") == page(PUBLISHED)
    drawn = pictures(PUBLISHED)
    assert set(drawn) == {"speed-batch.svg", "speed-seats.svg"}
    for name, picture in drawn.items():
        assert (FOLDER / name).read_text("utf-8") == picture


def test_what_is_published_is_a_whole_run() -> None:
    assert PUBLISHED["schema"] == SCHEMA and not PUBLISHED["quick"]
    assert list(PUBLISHED["sections"]) == list(SECTIONS) == list(SHEETS)


# --- page and pictures --------------------------------------------------------------------------


def test_what_is_absent_stands_on_the_page_with_the_reason() -> None:
    told = report()
    told["skipped"] = {"pgx kuhn": "No module | named 'pgx'"}
    assert "| pgx kuhn | No module \\| named 'pgx' |" in page(told)


@pytest.mark.parametrize(("load", "warned"), [(None, False), (2.9, False), (3.1, True)])
def test_a_busy_machine_is_told(load: float | None, warned: bool) -> None:
    told = report()
    told["machine"] = {**told["machine"], "cores": 2, "load": load}
    assert ("too noisy to judge by" in page(told)) == warned


def test_pictures_are_of_speed_over_batch_and_of_cost_over_seats() -> None:
    rows = [row(1, 1.0), row(4096, 1.8), row(4096, 1.8, "maui")]
    layers = dict.fromkeys(("rules", "masks", "observations"), "")
    drawn = pictures(report(tables={"layers": layers, "all_cores": 2, "rows": rows}))
    words = {
        name: [text.text for text in ElementTree.fromstring(picture).iter() if text.text]
        for name, picture in drawn.items()
    }
    for name in ("rules, one core", "observations, all cores", "a plain copy", "4,096"):
        assert name in words["speed-batch.svg"]
    for name in ("miaui", "maui", "seats"):
        assert name in words["speed-seats.svg"]
    assert pictures(report()) == {}


def test_names_of_lines_that_end_together_do_not_cover_each_other() -> None:
    drawn = curves("t", {"a": {1: 5, 2: 7}, "b": {1: 5, 2: 7}, "c": {1: 1, 2: 7}}, "x")
    texts = [part for part in ElementTree.fromstring(drawn).iter() if part.text in ("a", "b", "c")]
    heights = sorted(float(part.attrib["y"]) for part in texts)
    assert len(heights) == 3 and all(b - a >= 14 for a, b in itertools.pairwise(heights))


@pytest.mark.parametrize(
    ("number", "words"),
    [(5_480_000, "5.48 M"), (157_300, "157 k"), (1024, "1,024"), (0.9312, "0.931"), (40, "40")],
)
def test_figures_are_short(number: float, words: str) -> None:
    assert short(number) == words


# --- the command --------------------------------------------------------------------------------


def test_one_section_alone_is_measured_and_told() -> None:
    told = miaui("bench --quick --repeats 1 --only memory --json -")
    data = json.loads(told.out)
    assert list(data["sections"]) == ["memory"] and data["repeats"] == 1 and data["quick"]
    assert "bytes of state of a table of miaui" in told.err and "A decision:" in told.err


def test_a_page_is_written_anew_from_its_json(tmp_path: Path) -> None:
    file = tmp_path / "speed.md"
    told = miaui(f"bench --from {FOLDER / 'speed.json'} --page {file}")
    assert told.code == 0 and PUBLISHED["machine"]["processor"] in told.out
    for name in ("speed.md", "speed-batch.svg", "speed-seats.svg"):
        assert (tmp_path / name).read_text("utf-8") == (FOLDER / name).read_text("utf-8")
    assert len(list(tmp_path.iterdir())) == 3


def test_peers_that_are_not_installed_are_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "default_python", lambda: Path("/no/such/python"))
    told = miaui("bench --peers")
    assert told.code == 2 and "no peers are installed" in told.err and "make peers" in told.err


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--only memry", "no section 'memry'; there are start, memory"),
        ("--from pyproject.toml", "pyproject.toml is no JSON of `miaui bench`"),
        ("--from docs/benchmarks/exact.json", "schema 'miaui_env.exact/1', not 'miaui_env.speed/"),
        ("--page /no/such/folder/x.md", "cannot write"),
        ("--game mioui", "did you mean 'miaui'?"),
    ],
)
def test_a_mistake_is_one_line(line: str, complaint: str) -> None:
    told = miaui(f"bench {line}")
    assert told.code == 2 and complaint in told.err and len(told.err.splitlines()) == 1
