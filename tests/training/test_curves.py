"""Curves of self-play: what is measured is what an export would play, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from miaui_env import load_bot
from miaui_env.benchmark.curves import add_run
from miaui_env.benchmark.entries import Entry
from miaui_env.benchmark.exact import write_out
from miaui_env.benchmark.exploit import exploit
from miaui_env.registry import configured
from training import curves
from training.train import BOT

app = typer.Typer()
app.command()(curves.main)
SMALL = ("steps=3000", "tables.number=16", "algo.widths=[16]", "algo.minibatch=256", "exam.every=2")


def draw(folder: Path, *words: str) -> list[dict[str, Any]]:
    """Run the command; what the entry holds then."""
    given = ["miaui-mini-1", *words, *SMALL]
    given += ["--runs", str(folder / "runs"), "--json", str(folder / "ppo.json")]
    said = CliRunner().invoke(app, given)
    assert said.exit_code == 0, said.output
    return Entry.read(folder / "ppo.json").results


def test_a_curve_ends_with_what_the_export_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (told,) = draw(tmp_path, "--seed", "3")
    (run,) = told["runs"]
    steps = [point[0] for point in run["points"]]
    assert steps[0] == 0 and steps == sorted(set(steps)) and steps[-1] >= 3000
    assert run["points"][0][1] == pytest.approx(1.25, abs=0.1), "about uniform play, at first"
    game = write_out(configured("miaui-mini-1", perfect_recall=True))
    exported = exploit(load_bot(tmp_path / "runs" / "miaui-mini-1-seed3" / BOT), game)
    assert exported.samples == 0
    assert run["points"][-1][1] == pytest.approx(exported.nash_conv.mean, abs=1e-5)

    # A seed that is there is not learned again, and another one joins it.
    both = draw(tmp_path, "--seed", "3", "--seed", "4")[0]["runs"]
    assert both[0] == run and both[1]["seed"] == 4 and both[1]["points"] != run["points"]
    monkeypatch.setattr(curves, "train", None)
    (tmp_path / "ppo.json").unlink()
    assert draw(tmp_path, "--seed", "3")[0]["runs"][0]["points"] == run["points"]


def test_mistakes_are_told_in_a_line(tmp_path: Path) -> None:
    for words, wrong in (
        (["steps=5"], "name a configuration, such as"),
        (["miaui-mini-1", "steps=0"], "steps is 1 or more, not 0"),
        (["miaui-mini-1", "seed=3"], "'seed=3' would mean nothing here"),
        (["miaui-mini-1", "game.players=3"], "'game.players=3' would mean nothing here"),
        (["miaui-mini-1", "--seed", "-1"], "Invalid value for '--seed'"),
    ):
        line = [*words, "--seed", "1", "--json", str(tmp_path / "ppo.json")]
        said = CliRunner(env={"COLUMNS": "200"}).invoke(app, line)
        assert said.exit_code == 2 and wrong in said.output, said.output
    assert not list(tmp_path.iterdir())


def test_runs_of_other_settings_are_refused_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curves, "train", None)
    config = curves.settings("miaui-mini-1", ["steps=7"])
    told = curves.begun("PPO", "miaui-mini-1", config)
    add_run(told, 1, [(7, 0.5)], 1.0)
    Entry("PPO", "", {}, [told]).keep(tmp_path / "ppo.json")
    line = ["miaui-mini-2", "miaui-mini-1", "steps=8", "--seed", "1"]
    line += ["--json", str(tmp_path / "ppo.json"), "--runs", str(tmp_path / "runs")]
    said = CliRunner(env={"COLUMNS": "400"}).invoke(app, line)
    assert said.exit_code == 2 and "settings.steps 7, not 8" in said.output, said.output
    assert Entry.read(tmp_path / "ppo.json").results == [told]


def test_a_run_that_is_stopped_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(curves, "train", stopped)
    line = ["miaui-mini-1", "--seed", "1", "--json", str(tmp_path / "ppo.json")]
    said = CliRunner().invoke(app, [*line, "--runs", str(tmp_path / "runs")])
    assert said.exit_code == 130
    assert "type the same command again: this run has 0 decisions saved" in said.output


def test_points_are_kept_once(tmp_path: Path) -> None:
    for point in ((0, 1.0), (20, 0.5), (20, 0.5), (10, 0.7)):
        curves.keep_point(tmp_path, point)
    assert curves.points(tmp_path) == [(0, 1.0), (10, 0.7), (20, 0.5)]
