"""Curves of self-play on games small enough to solve: exact NashConv while MaskablePPO learns.

    python -m training.curves miaui-mini-1 miaui-mini-2 --seed 1 --seed 2 --seed 3 --json ppo.json

What is measured is what an export would play: the average of the weights, sampled. A seed is a run
in a folder of its own; typed again, the command goes on where it was stopped. Settings are those of
`configs/mini.yaml`, and `key=value` words among the games change them.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from omegaconf import OmegaConf
from rich.console import Console

from miaui_env.benchmark.curves import Point, add_run, curve, seeds_of
from miaui_env.benchmark.entries import Entry
from miaui_env.benchmark.exact import write_out
from miaui_env.benchmark.exploit import exploit
from miaui_env.benchmark.results_commands import check_entry_file
from miaui_env.commandline import polite
from miaui_env.registry import configurations, configured
from training.checkpoint import Checkpoint, write_whole
from training.coach import CHECKPOINTS, Coach
from training.config import TrainConfig
from training.export import library_versions
from training.learner import policy_of
from training.policy import put_weights
from training.pool import PolicyBot
from training.runs import composed, held, resumable
from training.train import train

SETTINGS = "mini"
POINTS = "nash_conv.json"
ALGORITHM = "MaskablePPO, self-play"


class NashCoach(Coach):
    """Looks at exact NashConv instead of yardsticks, and keeps it in the run's folder."""

    def examine(self) -> None:
        """NashConv of the average, and a line of it."""
        bot = PolicyBot(policy_of(self.learner), "learner")
        put_weights(bot.policy, self.average.weights)
        nash_conv = exploit(bot, self.game).nash_conv.mean
        assert nash_conv is not None
        steps = self.learner.num_timesteps
        self.logger.record("exam/nash_conv", nash_conv)
        keep_point(self.folder, (steps, nash_conv))
        self.display.console.print(f"{steps:>12,} steps  NashConv {nash_conv:.4f}", highlight=False)

    @functools.cached_property
    def game(self) -> Any:
        """All of it."""
        return write_out(self.env.tables.setup)


def keep_point(folder: Path, point: Point) -> None:
    """Write a point down; one that a stopped run had already is the same again."""
    kept = {**dict(points(folder)), point[0]: point[1]}
    write_whole(folder / POINTS, json.dumps(sorted(kept.items())).encode())


def points(folder: Path) -> list[Point]:
    """Those so far."""
    file = folder / POINTS
    kept = json.loads(file.read_text()) if file.exists() else []
    return [(steps, nash_conv) for steps, nash_conv in kept]


def run(config: TrainConfig, folder: Path, console: Console) -> tuple[list[Point], float]:
    """One seed, from where it was: its curve, and the seconds that it took."""
    held(config, folder)
    begun = points(folder)
    if not begun or begun[-1][0] < config.steps:
        with resumable(folder, console):
            train(config, folder, console, NashCoach)
    newest = Checkpoint.newest(folder / CHECKPOINTS)
    return points(folder), newest.state["seconds"] if newest else 0.0


def settings_of(config: TrainConfig) -> dict[str, Any]:
    """What a curve says of how it was made: all that a seed does not change."""
    told: Any = OmegaConf.to_container(OmegaConf.structured(config))
    return {name: told[name] for name in ("steps", "tables", "algo")}


def main(
    words: Annotated[list[str], typer.Argument(help="Configurations, and settings as key=value.")],
    seed: Annotated[list[int], typer.Option(min=0, help="A run each; repeatable.")],
    json_file: Annotated[Path, typer.Option("--json", help="Takes the curves in.")],
    runs: Annotated[Path, typer.Option(help="Folder of the runs.")] = Path("runs/curves"),
    name: Annotated[str, typer.Option(help="What the algorithm is called.")] = "PPO",
) -> None:
    """Draw curves, game by game and seed by seed."""
    console, changes = Console(), [word for word in words if "=" in word]
    with polite():
        check_entry_file(json_file)
        entry = Entry.begun(json_file, name, ALGORITHM)
        games = {word: settings(word, changes) for word in words if "=" not in word}
        if not games:
            raise ValueError(f"name a configuration, such as {', '.join(configurations())}")
        for game, config in games.items():
            entry.check(begun(name, game, config))
        for game, config in games.items():
            told = entry.held(begun(name, game, config))
            for number in seed:
                if number not in seeds_of(told):
                    config.seed = number
                    add_run(told, number, *run(config, runs / f"{game}-seed{number}", console))
                    entry.keep(json_file)


def settings(game: str, changes: list[str]) -> TrainConfig:
    """Those of a small game, where the learner forgets nothing."""
    return composed(SETTINGS, configured(game, perfect_recall=True), changes)


def begun(name: str, game: str, config: TrainConfig) -> dict[str, Any]:
    """A curve without a run yet."""
    return curve(name, game, "decisions", settings_of(config), libraries())


def libraries() -> dict[str, str]:
    """Versions of what learns."""
    told = library_versions()
    return {name: told[name] for name in ("torch", "stable-baselines3", "sb3-contrib")}


if __name__ == "__main__":
    typer.run(main)
