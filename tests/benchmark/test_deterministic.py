"""Results say of each bot whether another run would find the same."""

from __future__ import annotations

from pathlib import Path

from miaui_env import Setup
from miaui_env.benchmark import Result, arena_bot, play_lineup, report
from miaui_env.benchmark.field import findings
from miaui_env.benchmark.tournament import Tournament
from tests.benchmark import duels
from tests.benchmark.duels import Leaning


class Hasty(Leaning):
    """Says that it looks at the clock."""

    deterministic = False


SURE, HASTY = Leaning(0, 50), Hasty(1, 50)
SETUP = Setup.of(duels.GAME, 2)


def test_a_line_up_says_which_bots_are_deterministic() -> None:
    result = play_lineup(SETUP, [SURE, HASTY], names=["sure", "hasty"], deals=2)
    assert result.deterministic == {"sure": True, "hasty": False}
    assert result.repeatable == "deterministic: sure yes, hasty no"
    assert Result.from_json(result.to_json()) == result


def test_a_result_from_before_says_nothing_of_it() -> None:
    told = play_lineup(SETUP, [SURE, HASTY], deals=2).to_json()
    del told["deterministic"]
    assert Result.from_json(told).deterministic == {}


def test_a_tournament_says_it_and_its_report_does(tmp_path: Path) -> None:
    planned = Tournament.of(SETUP, {"sure": SURE, "hasty": HASTY}, deals=2)
    found = findings(planned, planned.play(tmp_path / "log", apart=False), 0.0)
    assert [found["field"][name]["deterministic"] for name in ("sure", "hasty")] == [True, False]
    answers = report.words(found).split("Answers")[1].splitlines()[3:5]
    assert [row.split()[-1] for row in answers] == ["yes", "no"]
    del found["field"]["sure"]["deterministic"]
    assert "–" in report.words(found).split("Answers")[1]


def test_a_search_by_time_is_not_and_noise_changes_nothing() -> None:
    for name, sure in (("search:50ms", False), ("search:50ms~0.1", False), ("search:9", True)):
        assert arena_bot(name).deterministic is sure
