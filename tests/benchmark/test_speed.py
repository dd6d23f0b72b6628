"""The speed report: every part is there, and its numbers make sense."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from rich.console import Console

from miaui_env import find, make
from miaui_env.benchmark import nothing, speed
from miaui_env.benchmark.driving import INTERFACES


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speed, "SECONDS", 0.002)
        patch.setattr(speed, "starts", lambda game, repeats: {"cold": 9.0, "warm": {"median": 1.0}})
        told = speed.measure(find("miaui"), 2, lambda line: None)
    plain: dict[str, Any] = json.loads(json.dumps(told))
    return plain


def test_tables_are_measured_at_all_seats_and_batches(report: dict[str, Any]) -> None:
    measured = [(r["seats"], r["batch"]) for r in report["rates"] if r["interface"] == "tables"]
    assert measured == [(seats, batch) for seats in range(2, 7) for batch in (1, 64, 4096)]


def test_every_interface_is_measured_or_skipped_with_a_note(report: dict[str, Any]) -> None:
    measured = {rate["interface"] for rate in report["rates"]} - {"tables"}
    assert measured | set(report["skipped"]) == {*INTERFACES, "c"}
    assert not measured & set(report["skipped"])
    assert all(report["skipped"].values())


def test_speeds_are_positive_and_ordered(report: dict[str, Any]) -> None:
    for rate in report["rates"]:
        for measured in filter(None, (rate["per_second"], rate["nothing"])):
            assert 0 < measured["low"] <= measured["median"] <= measured["high"]


def test_c_stands_beside_tables_where_there_is_a_compiler(report: dict[str, Any]) -> None:
    rows = [rate for rate in report["rates"] if rate["interface"] == "c"]
    assert len(rows) == ("c" not in report["skipped"])
    assert all(0 < row["tables_to_c"]["median"] < 10 and row["compiler"] for row in rows)


def test_the_table_tells_all_of_it(report: dict[str, Any]) -> None:
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(speed.table(report))
    text = console.export_text()
    assert "9.0 s to its first step" in text and report["machine"]["processor"] in text
    assert text.count("│ tables") == 15


def test_a_fresh_process_starts() -> None:
    assert 0 < speed._start(find("miaui"), "") < 600


def test_doing_nothing_has_the_spaces_of_the_real_thing() -> None:
    real = make("miaui", "aec", num_players=3)
    empty = nothing.NothingAEC(real)
    empty.reset()
    observation, *_ = empty.last()
    space = real.observation_space("player_0")
    assert {*space.spaces} == {*empty.observe("player_0")}
    assert observation is not None and space.contains(observation)


def test_no_repeats_is_refused() -> None:
    with pytest.raises(ValueError, match="repeats is 1 or more"):
        speed.measure(find("miaui"), 0, lambda line: None)
