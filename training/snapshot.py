"""Export the bot of a run that goes on or was stopped: `python -m training.snapshot runs/…`."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import typer
from omegaconf import OmegaConf

from training.checkpoint import Checkpoint
from training.coach import CHECKPOINTS
from training.config import typed
from training.export import export
from training.learner import lay_tables, make_learner, policy_of
from training.policy import put_weights
from training.train import BOT, CONFIG, told


def main(run: Path) -> None:
    """Write RUN/bot from the newest checkpoint of RUN."""
    typer.echo(snapshot(run))


def snapshot(run: Path) -> Path:
    """The bot as it is at the newest checkpoint; ValueError where there is none."""
    checkpoint = Checkpoint.newest(run / CHECKPOINTS)
    if checkpoint is None:
        raise ValueError(f"{str(run)!r} has no checkpoint yet")
    config = typed(OmegaConf.load(run / CONFIG))
    config.start_from = None  # its weights are long in the checkpoint
    env = lay_tables(config)
    policy = policy_of(make_learner(config, env))
    put_weights(policy, checkpoint.part("average"))
    return export(
        policy,
        env.tables.setup,
        run / BOT,
        name=config.name,
        plays=dataclasses.asdict(config.play),
        training=told(config, checkpoint.state["steps"], checkpoint.state["seconds"]),
    )


if __name__ == "__main__":
    typer.run(main)
