"""Tables and pictures of entries: numbers as they were measured, and the page as they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import charts, curves, play_lineup
from miaui_env.benchmark.admission import read_all
from miaui_env.benchmark.entries import Entry
from miaui_env.benchmark.results_page import chapters, pictures, tables, written_into
from miaui_env.bots import Bot
from tests.benchmark import duels
from tests.benchmark.duels import Leaning

PAGE, FOLDER = Path("docs/benchmark.md"), Path("docs/benchmarks")
PUBLISHED = read_all(sorted((FOLDER / "results").glob("*.json")))


def alone(name: str, hand: Bot, rung: str, other: Bot, seats: int = 3) -> dict[str, Any]:
    others = seats - 1
    bots, names = [hand, *[other] * others], [name, *[rung] * others]
    return play_lineup(Setup.of(duels.GAME, seats), bots, names=names, deals=2).to_json()


def hands() -> list[Entry]:
    """Paper beats rock, rock draws with rock."""
    rock, paper = Leaning(0, 100), Leaning(1, 100)
    return [
        Entry("rock", "always rock", {}, [alone("rock", rock, "rocks", Leaning(0, 100))]),
        Entry("paper", "always paper", {"seconds": 7}, [alone("paper", paper, "rocks", rock)]),
    ]


@pytest.fixture(autouse=True)
def duels_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    known = lambda name: duels.GAME if name == "duels" else find(name)  # noqa: E731
    monkeypatch.setattr("miaui_env.benchmark.results_page.find", known)


# --- the ladder ---------------------------------------------------------------------------------


def test_a_row_is_what_a_bot_wins_alone_the_strongest_first() -> None:
    told = chapters(tables(hands()))["ladder"].splitlines()
    assert told[0].startswith("**duels** version 0, 3 seats: win share, equal share 0.333")
    assert told[0].endswith("rocks 2")
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in told[4:]]
    assert rows == [["paper", "1.000 [1.000, 1.000]"], ["rock", "0.333 [0.333, 0.333]"]]


def test_other_seats_or_options_make_another_table_and_mixed_line_ups_none() -> None:
    rock, paper = Leaning(0, 100), Leaning(1, 100)
    mixed = play_lineup(
        Setup.of(duels.GAME, 3), [rock, paper, rock], names=["a", "b", "a"], deals=1
    )
    three = play_lineup(
        Setup.of(duels.GAME, 3), [rock, paper, Leaning(2, 100)], names=["a", "b", "c"], deals=1
    )
    pair = alone("rock", rock, "rocks", Leaning(0, 100), 2)
    apart = [pair, three.to_json(), mixed.to_json()]
    found = tables([*hands(), Entry("rock", "", {}, apart)])["ladders"]
    assert [table["setup"]["num_players"] for table in found] == [3, 2]
    assert list(found[0]["rows"]) == ["rock", "paper"]


def test_bots_by_the_clock_are_marked() -> None:
    entry = hands()[0]
    entry.results[0]["deterministic"]["rock"] = False
    assert "| rock (by the clock) |" in chapters(tables([entry]))["ladder"]


# --- small games, entries -----------------------------------------------------------------------


def drawn(*ends: float) -> Entry:
    told = curves.curve("CFR", "miaui-mini-1", "iterations", {}, {})
    for seed, end in enumerate(ends):
        curves.add_run(told, seed, [(1, 1.0), (1000, end)], 2.0)
    return Entry("CFR", "regrets", {}, [told])


def test_several_seeds_are_told_with_the_least_and_the_most() -> None:
    told = chapters(tables([drawn(0.1, 0.4, 0.25)]))["small"]
    assert "| CFR (iterations) | 0.2500 [0.1000, 0.4000] after 1,000 |" in told
    assert "| CFR (iterations) | 0.1000 after 1,000 |" in chapters(tables([drawn(0.1)]))["small"]
    assert (
        "| CFR (iterations) | 2.0e-05 after 1,000 |" in chapters(tables([drawn(0.00002)]))["small"]
    )


def test_entries_say_what_they_cost() -> None:
    told = chapters(tables(hands()))["entries"]
    assert "| rock | always rock | – |" in told and "| paper | always paper | 7 seconds |" in told
    runs = chapters(tables([drawn(0.1, 0.2)]))["entries"]
    assert "| CFR | regrets | 2 runs, 4 seconds |" in runs


# --- the page and its pictures ------------------------------------------------------------------


def test_a_page_without_the_marker_is_refused() -> None:
    begun = "<!-- results: small -->\nold\n"
    end = "<!-- end of results -->\n"
    for page, wrong in (
        ("", "the page lacks '<!-- results: small -->'"),
        (f"say `<!-- results: small -->`\n{end[:-1]} in words\n", "the page lacks '<!-- results"),
        (begun, "lacks an '<!-- end of results -->' below '<!-- results: small -->'"),
        (end, "an '<!-- end of results -->' that ends nothing"),
        (f"<!-- results: ladder -->\n{begun}{end}", "comes before the end of 'ladder'"),
        (f"{begun}<!-- results: ladder -->\n{end}", "comes before the end of 'small'"),
        (f"{begun}{end}{begun}{end}", "has '<!-- results: small -->' twice"),
    ):
        with pytest.raises(ValueError, match=wrong):
            written_into(page, {"small": "new"})
    written = written_into(f"{begun}<!-- end of results -->\nafter", {"small": "new"})
    assert written == "<!-- results: small -->\n\nnew\n\n<!-- end of results -->\nafter"


def test_a_picture_has_a_line_for_each_run_and_no_point_that_no_logarithm_has() -> None:
    entry = drawn(0.1, 0.01)
    entry.results[0]["runs"][0]["points"].insert(0, [0, 1.25])
    ((name, svg),) = pictures([entry]).items()
    assert name == "nashconv-miaui-mini-1.svg"
    assert svg.count("<polyline") == 2 and ">CFR</text>" in svg


def test_curves_without_a_point_to_draw_are_left_out() -> None:
    nothing = drawn(0.1)
    nothing.results[0]["runs"][0]["points"] = [[0, 1.25], [10, 0.0]]
    assert pictures([nothing]) == {}
    (svg,) = pictures([nothing, Entry("CFR+", "", {}, drawn(0.2).results)]).values()
    assert svg.count("<polyline") == 1 and ">CFR</text>" not in svg


def test_lines_stand_where_their_logarithms_are() -> None:
    svg = charts.lines("t", {"a": [[(1, 1.0), (10, 0.1), (100, 0.01)]]}, "x")
    (path,) = [part.split('"')[0] for part in svg.split('points="')[1:]]
    xs, ys = zip(*(map(float, point.split(",")) for point in path.split()), strict=True)
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)
    assert ys[1] - ys[0] == pytest.approx(ys[2] - ys[1], abs=0.2) and ys[0] < ys[2]


def test_the_published_page_is_as_the_entries_say() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written_into(page, chapters(tables(PUBLISHED))) == page


def test_the_published_pictures_are_as_the_entries_say() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, svg in pictures(PUBLISHED).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == svg and f"benchmarks/{name}" in page


def test_what_is_published_was_played_without_a_fault() -> None:
    for table in tables(PUBLISHED)["ladders"]:
        for cells in table["rows"].values():
            assert all(cell["forfeits"] == 0 and cell["deterministic"] for cell in cells.values())


def test_learned_bounds_are_no_higher_than_what_is_exact() -> None:
    """A bound's low end may exceed the truth by chance, once in forty."""
    known = [told for told in tables(PUBLISHED)["responses"] if told["nash_conv"] is not None]
    above = [told for told in known if told["of_nash_conv"]["low"] > told["nash_conv"]]
    assert len(known) >= 5 and len(above) <= 1
