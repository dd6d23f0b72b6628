"""Best responses where the answer is known, in seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner, Result

from miaui_env.benchmark.entries import Entry
from miaui_env.benchmark.response import Frozen, of_nash_conv
from miaui_env.bots.card import Card
from miaui_env.registry import configured
from tests.benchmark.players import First
from training import best_response
from training.config import setup_for
from training.runs import composed, held

app = typer.Typer()
app.command()(best_response.main)
SMALL = ("tables.number=64", "algo.widths=[32]", "algo.minibatch=512", "exam.deals=8")


def learn(folder: Path, *words: str) -> Result:
    """Run the command with small settings."""
    given = [*words, *SMALL, "--runs", str(folder / "runs"), "--json", str(folder / "entry.json")]
    return CliRunner(env={"COLUMNS": "120"}).invoke(app, given)


def found(folder: Path) -> dict[str, Any]:
    (told,) = Entry.read(folder / "entry.json").results
    return told


def test_a_response_to_lowest_gains_what_can_be_gained(tmp_path: Path) -> None:
    """Exactly 1 over both seats of miaui-mini-1, as docs/benchmarks/exact.md says."""
    line = ("lowest", "--game", "miaui-mini-1", "--deals", "200", "steps=30000")
    said = learn(tmp_path, *line)
    assert said.exit_code == 0, said.output
    told = found(tmp_path)
    bounded = of_nash_conv(told)
    assert told["nash_conv"] == pytest.approx(1.0)
    assert bounded.low is not None and bounded.high is not None
    assert 0.5 < bounded.low <= 1.0 <= bounded.high + 0.1
    assert told["budget"]["decisions"] >= 30_000 and told["arena"]["purpose"] == "response"
    assert "where exactly it is 1.0000" in said.output


def test_what_was_learned_is_not_learned_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ("lowest", "--game", "miaui-mini-1", "--deals", "20", "steps=1000", "--same-view")
    assert learn(tmp_path, *line).exit_code == 0
    first = found(tmp_path)
    (bot,) = tmp_path.glob("runs/*/bot")
    assert Card.read(bot).perfect_recall is False, "lowest sees the table view, and so does this"
    monkeypatch.setattr(best_response, "train", None)
    assert learn(tmp_path, *line).exit_code == 0
    assert found(tmp_path)["gain"] == first["gain"]


class Remembering(First):
    """Counts the moves of each game."""

    def begin(self, batch: int) -> Any:
        return np.zeros((batch, 1), np.int64)

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        memory += 1
        assert (memory <= 3).all(), "a game on miaui-mini-1 has three moves"
        return np.asarray(action_masks.argmax(1))


def test_a_bot_that_remembers_can_be_responded_to(tmp_path: Path) -> None:
    """No checkpoint holds its memories, so none is written."""
    setup = configured("miaui-mini-1")
    config = composed("best_response", setup.with_recall(True), ["steps=500", *SMALL])
    bot = Frozen(Remembering(), setup)
    response, budget = best_response.learned(config, tmp_path / "run", bot, Console(quiet=True))
    assert response.name == "response" and budget["decisions"] >= 500
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_mistakes_are_told_in_a_line(tmp_path: Path) -> None:
    for words, wrong in (
        (("nobody", "--game", "miaui"), "no bot 'nobody'"),
        (("greedy", "--game", "chess"), "no game 'chess'"),
        (("greedy", "--game", "miaui", "stpes=3"), "settings 'stpes=3"),
        (("greedy", "--game", "miaui", "steps=0"), "steps is 1 or more, not 0"),
        (("greedy", "--game", "miaui", "seed=3"), "'seed=3' would mean nothing here"),
        (("greedy", "--game", "miaui", "--deals", "0"), "Invalid value for '--deals'"),
        (("greedy", "--game", "miaui", "--seed", "-1"), "Invalid value for '--seed'"),
    ):
        said = learn(tmp_path, *words)
        assert said.exit_code == 2 and wrong in said.output, said.output
    assert not list(tmp_path.iterdir())


def test_a_response_that_is_stopped_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(best_response, "train", stopped)
    said = learn(tmp_path, "greedy", "--game", "miaui-mini-1")
    assert said.exit_code == 130 and "type the same command again" in said.output


# --- runs ---------------------------------------------------------------------------------------


def test_settings_name_the_table_that_was_asked_for() -> None:
    setup = configured("miaui-mini-4", perfect_recall=True)
    config = composed("best_response", setup, ["steps=7", "algo.widths=[3]"])
    assert setup_for(config.game) == setup
    assert (config.steps, config.algo.widths, config.tables.pool_share) == (7, [3], 1.0)


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    config = composed("mini", configured("miaui-mini-1", perfect_recall=True), [])
    assert held(config, tmp_path / "run") == held(config, tmp_path / "run")
    config.seed += 1
    with pytest.raises(ValueError, match="holds a run with other settings"):
        held(config, tmp_path / "run")
