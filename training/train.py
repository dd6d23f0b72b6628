"""Train a bot: `python -m training.train`, or `… experiment=miaui-ppo-4p`, or `… resume=runs/…`.

One story, top to bottom: lay the tables, make the learner, learn, export, examine. Every setting
has its sentence in `config.py`. What a run writes lies in its own folder:

    config.yaml    every setting
    checkpoints/   to go on from, see `resume`
    tensorboard/   curves: tensorboard --logdir runs
    bot/           the bot: miaui_env.load_bot("runs/…/bot")
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import hydra
import torch
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from miaui_env import load_bot
from miaui_env.benchmark.noise import arena_bot
from training.average import Average
from training.checkpoint import Checkpoint
from training.coach import CHECKPOINTS, Coach
from training.config import TrainConfig, register, setup_for, typed
from training.display import Display
from training.examiners import against, table_of
from training.export import export, library_versions
from training.learner import (
    SEATS,
    key_of,
    lay_tables,
    make_learner,
    policy_of,
    put_back,
)
from training.policy import put_weights
from training.pool import Pool

CONFIG = "config.yaml"
BOT = "bot"
register()


@hydra.main(version_base=None, config_path="../configs", config_name="train")
def main(config: DictConfig) -> None:
    """What Hydra calls with the composed settings; wrong ones end in one clear line."""
    try:
        if config.resume is None:
            settings, folder = begun(config)
        else:
            settings, folder = resumed(config.resume, HydraConfig.get().overrides.task)
        train(settings, folder)
    except ValueError as problem:
        raise SystemExit(f"error: {problem}") from None
    except KeyboardInterrupt:
        raise SystemExit(f"stopped; to go on: python -m training.train resume={folder}") from None


def begun(config: Any) -> tuple[TrainConfig, Path]:
    """A new run: its settings, checked, and a folder that holds them."""
    settings = typed(config)
    setup = setup_for(settings.game)
    for name in settings.exam.yardsticks:
        arena_bot(name).fitted(setup)
    now = datetime.datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    folder = Path(settings.runs) / f"{settings.game.name}-{settings.game.players}p" / now
    folder.mkdir(parents=True)
    OmegaConf.save(OmegaConf.structured(settings), folder / CONFIG)
    return settings, folder


def resumed(run: str, words: Sequence[str]) -> tuple[TrainConfig, Path]:
    """An old run, with the settings that it began with and no others; `words` are the command's."""
    if given := [word for word in words if not word.startswith("resume=")]:
        raise ValueError(
            f"a run goes on as it began: give resume alone, without {', '.join(given)}"
        )
    if not (Path(run) / CONFIG).is_file():
        raise ValueError(f"no run in {run!r}: {CONFIG} is missing")
    return typed(OmegaConf.load(Path(run) / CONFIG)), Path(run)


def train(
    config: TrainConfig,
    folder: Path,
    console: Console | None = None,
    coaching: Callable[..., Coach] = Coach,
) -> Path:
    """A whole run; returns the folder of the bot. `coaching` makes the coach."""
    console = console or Console()
    torch.set_num_threads(config.threads)

    # THE TABLES, THE LEARNER, ITS EARLIER SELVES AND ITS AVERAGE
    console.print(
        "laying the tables; the first time, their rules are compiled, which takes a while"
    )
    env = lay_tables(config)
    learner = make_learner(config, env)
    policy = policy_of(learner)
    pool = Pool(config.pool, policy, key_of(config, SEATS))
    average = Average(config.algo.averaging, policy)

    # WHERE AN EARLIER PROCESS STOPPED
    checkpoint = Checkpoint.newest(folder / CHECKPOINTS)
    if checkpoint:
        put_back(checkpoint, learner, env, pool, average)

    # LEARN
    console.print(f"{env.num_envs} learners at {env.tables.num_tables} tables; run folder {folder}")
    with Display(config.name, config.steps, console) as display:
        coach = coaching(config, folder, env, pool, average, display, checkpoint)
        learn(learner, coach, config, folder)

    # EXPORT
    put_weights(policy, average.weights)
    bot = export(
        policy,
        env.tables.setup,
        folder / BOT,
        name=config.name,
        plays=dataclasses.asdict(config.play),
        training=told(config, learner.num_timesteps, coach.seconds),
    )

    # EXAMINE
    if config.exam.yardsticks:
        closing_table(config, bot, console)
    return bot


def learn(learner: MaskablePPO, coach: Coach, config: TrainConfig, folder: Path) -> None:
    """The rest of the steps; the coach looks after everything between two updates."""
    learner.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    left = config.steps - learner.num_timesteps
    if left > 0:
        learner.learn(left, callback=coach, reset_num_timesteps=learner.num_timesteps == 0)
    learner.logger.close()


def told(config: TrainConfig, steps: int, seconds: float) -> dict[str, Any]:
    """What the card says of how the bot was made."""
    settings = dataclasses.asdict(config)
    del settings["runs"], settings["resume"]
    return {
        "command": "python -m training.train",
        "algorithm": "MaskablePPO, self-play",
        "config": settings,
        "steps": steps,
        "seconds": round(seconds),
        "versions": library_versions(),
    }


def closing_table(config: TrainConfig, folder: Path, console: Console) -> None:
    """The exported bot, as anyone would load it, against each yardstick."""
    bot, setup, exam = load_bot(folder), setup_for(config.game), config.exam
    results = [
        against(setup, bot, yardstick, deals=exam.final_deals, workers=config.threads)
        for yardstick in exam.yardsticks
    ]
    console.print(table_of(results, bot.name, f"{bot.name} in the arena, development deals"))
    console.print(f'Load it: miaui_env.load_bot("{folder}")', highlight=False)


if __name__ == "__main__":
    main()
