"""A learner that goes round in circles is noticed; one that learns, or has learned, is not."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from training.config import TrainConfig
from training.monitor import MARGIN, WINDOW, Monitor
from training.train import train

ROCK, PAPER, SCISSORS = 0, 1, 2
LONG = 4 * WINDOW


def win_share(one: int, other: int) -> float:
    """Of rock, paper, scissors."""
    return (0.5, 1.0, 0.0)[(one - other) % 3]


def watched(learner: list[int], anchors: list[int]) -> Monitor:
    """A monitor that has seen a scripted learner, whose pool holds all it has been."""
    monitor = Monitor(0.5)
    for now in range(1, len(learner)):
        pool = fmean(win_share(learner[now], earlier) for earlier in learner[:now])
        field = [*(win_share(learner[now], anchor) for anchor in anchors), pool]
        monitor.take(win_share(learner[now], learner[now - 1]), field)
    return monitor


def test_a_learner_that_always_beats_itself_and_nobody_else_is_cycling() -> None:
    monitor = watched([ROCK, PAPER, SCISSORS] * LONG, [ROCK, PAPER, SCISSORS])
    assert set(monitor.before) == {1.0}, "against itself alone it looks better and better"
    assert monitor.cycling


def test_it_is_noticed_as_soon_as_there_is_enough_to_tell() -> None:
    moves = [(ROCK, PAPER, SCISSORS)[i % 3] for i in range(LONG)]
    noticed = [watched(moves[:n], [ROCK, PAPER, SCISSORS]).cycling for n in range(2, LONG)]
    assert not any(noticed[: WINDOW - 1]) and all(noticed[2 * WINDOW :])


@pytest.mark.parametrize(
    ("before", "standing", "cycling"),
    [
        (0.5, 0.5, False),  # as it was
        (0.5, 0.9, False),  # has learned, and wins its equal share of its like
        (0.8, 0.6, True),
        (0.5 + MARGIN - 0.01, 0.6, False),  # too little to look better
    ],
)
def test_a_learner_that_stands_still(before: float, standing: float, cycling: bool) -> None:
    monitor = Monitor(0.5)
    for _ in range(LONG):
        monitor.take(before, [standing])
    assert monitor.cycling is cycling


def test_a_learner_that_learns_is_not_cycling_until_it_stops_to() -> None:
    monitor = Monitor(0.25)
    for update in range(LONG):
        monitor.take(0.6, [0.25 + 0.03 * update, 0.3 + 0.03 * update])
        assert not monitor.cycling
    for _ in range(WINDOW):
        monitor.take(0.6, [0.9, 0.95])
    assert monitor.cycling


def test_a_run_shows_its_standing_and_says_when_it_goes_in_circles(
    tmp_path: Path, small: TrainConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.steps, small.exam.every = 4_000, 2
    monkeypatch.setattr("training.monitor.DEALS", 4)
    monkeypatch.setattr(Monitor, "cycling", True)
    console = Console(file=(tmp_path / "told").open("w"), width=120)
    train(small, tmp_path / "run", console)
    console.file.close()
    assert "a cycle?" in (tmp_path / "told").read_text()
    curves = EventAccumulator(str(tmp_path / "run" / "tensorboard"))
    curves.Reload()
    names = ("win_share_against_self_before", "win_share_against_pool", "standing", "cycling")
    for name in names:
        shown = [one.value for one in curves.Scalars(f"exam/{name}")]
        assert len(shown) > 2 and all(0.0 <= value <= 1.0 for value in shown)
