"""Runs whose game comes from a command line, in folders where they go on when typed again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import hydra
from omegaconf import OmegaConf
from rich.console import Console

from miaui_env.game import Setup
from training.checkpoint import Checkpoint
from training.coach import CHECKPOINTS
from training.config import GameConfig, TrainConfig, register, typed
from training.train import CONFIG

CONFIGS = Path(__file__).parents[1] / "configs"
SPOKEN_FOR = ("game", "seed", "runs", "resume")
"""Settings that such a command has by other arguments, or not at all."""
register()


def composed(name: str, setup: Setup, words: Sequence[str]) -> TrainConfig:
    """The settings of `configs/<name>.yaml` at that table, with `key=value` words on top.

    Raises:
        ValueError: for a word that is no setting, or none that words may change.
    """
    for word in words:
        if word.partition("=")[0].partition(".")[0].strip("+~") in SPOKEN_FOR:
            raise ValueError(f"{word!r} would mean nothing here; see the options of this command")
    try:
        with hydra.initialize_config_dir(str(CONFIGS), version_base=None):
            config = hydra.compose(name, list(words))
        config.game = table_of(setup)
        settings = typed(config)
    except Exception as problem:  # Hydra's and OmegaConf's have no ancestor but this
        raise ValueError(f"settings {' '.join(words)!r}: {problem}") from None
    if settings.steps < 1:
        raise ValueError(f"steps is 1 or more, not {settings.steps}")
    return settings


def table_of(setup: Setup) -> GameConfig:
    """A setup as settings have it."""
    options = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in dataclasses.asdict(setup.options).items()
    }
    return GameConfig(setup.game.name, setup.num_players, setup.perfect_recall, options)


def held(config: TrainConfig, folder: Path) -> Path:
    """The folder, with the run's settings in it; ValueError if it holds a run of others."""
    file, settings = folder / CONFIG, OmegaConf.structured(config)
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        OmegaConf.save(settings, file)
    elif typed(OmegaConf.load(file)) != config:
        raise ValueError(f"{folder} holds a run with other settings; move it away, or name another")
    return folder


@contextmanager
def resumable(folder: Path, console: Console) -> Iterator[None]:
    """Where Ctrl-C stops a run, say how to go on, and from where."""
    try:
        yield
    except KeyboardInterrupt:
        newest = Checkpoint.newest(folder / CHECKPOINTS)
        steps = newest.state["steps"] if newest else 0
        console.print(
            f"stopped; to go on, type the same command again: this run has {steps:,} decisions "
            f"saved in {folder}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
        raise
