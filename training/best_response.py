"""Learn a best response to a bot: a lower bound on how exploitable it is.

    python -m training.best_response greedy --game miaui --players 2 --json greedy.json
    python -m training.best_response runs/…/bot --game miaui-mini-2 steps=1_000_000
    python -m training.best_response runs/…/bot --game miaui --same-view start_from=runs/…/bot

MaskablePPO learns at one seat, remembering all it has seen, against copies of the bot that never
change at all others. Against a strong network it gets further by beginning as that network, as in
the third line. The export is then measured on deals of their own, see
`miaui_env/benchmark/response.py`; on games small enough to solve, beside the exact figure. Settings
are those of `configs/best_response.yaml`, changed by `key=value` words. Typed again, a command goes
on where it was stopped; only against a bot that remembers it begins anew.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from miaui_env import load_bot
from miaui_env.benchmark.arena import Purpose, play_lineup
from miaui_env.benchmark.entries import Entry, described
from miaui_env.benchmark.exact import write_out
from miaui_env.benchmark.exploit import exploit
from miaui_env.benchmark.noise import arena_bot
from miaui_env.benchmark.response import RESPONSE, Frozen, bound, in_words, measure
from miaui_env.benchmark.results_commands import check_entry_file
from miaui_env.bots.exported import ExportedBot
from miaui_env.commandline import Options, Players, Recall, bar, polite, setup_of
from miaui_env.game import Setup
from miaui_env.registry import configurations
from training.checkpoint import Checkpoint
from training.coach import CHECKPOINTS, Coach, temperature_of
from training.config import TrainConfig
from training.learner import policy_of
from training.policy import put_weights
from training.pool import PolicyBot
from training.runs import composed, held, resumable
from training.train import BOT, train

SETTINGS = "best_response"


class ResponseCoach(Coach):
    """Seats the bot once, and examines the learner against nobody else."""

    def __init__(self, *arguments: Any, bot: Frozen) -> None:
        """As `Coach`; `bot` is whom to exploit."""
        super().__init__(*arguments)
        self.bot = bot
        self.env.set_opponents(bot)

    def seat(self) -> None:
        """Nobody changes places."""

    def examine(self) -> None:
        """The average's win share against the bot, on development deals."""
        setup, learner = self.env.tables.setup, PolicyBot(policy_of(self.learner), RESPONSE)
        learner.temperature = temperature_of(self.config.play)
        put_weights(learner.policy, self.average.weights)
        line = [learner, *[self.bot] * (setup.num_players - 1)]
        names = [RESPONSE, *[self.bot.name] * (setup.num_players - 1)]
        run: dict[str, Any] = {"deals": self.config.exam.deals, "purpose": Purpose.DEVELOPMENT}
        result = play_lineup(setup, line, names=names, seating="rotations", **run)
        share = result.of(RESPONSE).win_share.mean or 0.0
        self.logger.record("exam/win_share", share)
        self.display.figures[self.bot.name] = share
        self.display.tell(self.learner.num_timesteps)

    def save(self) -> None:
        """A checkpoint; none where the bot has memories, which no checkpoint holds."""
        if not self.env.learners.seating.remembers:
            super().save()


def learned(
    config: TrainConfig, folder: Path, bot: Frozen, console: Console
) -> tuple[ExportedBot, dict[str, Any]]:
    """The response, from the folder if it is there already, and what it cost."""
    held(config, folder)
    newest = Checkpoint.newest(folder / CHECKPOINTS)
    if not (folder / BOT).exists() or (newest and newest.state["steps"] < config.steps):
        with resumable(folder, console):
            train(config, folder, console, functools.partial(ResponseCoach, bot=bot))
    response = load_bot(folder / BOT)
    assert isinstance(response, ExportedBot)
    made = response.card.training
    return response, {
        "algorithm": "MaskablePPO against copies of the bot",
        "decisions": made["steps"],
        "seconds": made["seconds"],
        "seed": config.seed,
        "versions": made["versions"],
    }


def nash_conv_of(bot: Frozen, setup: Setup, name: str) -> float | None:
    """The exact figure, where the game is small enough and the bot says its probabilities."""
    if name not in configurations():
        return None
    exact = exploit(bot.bot, write_out(setup))
    return None if exact.samples else exact.nash_conv.mean


def folder_for(bot: str, game: str, setup: Setup, seed: int) -> Path:
    """A run's own, by what it is of."""
    name = f"{bot}-{game}-{setup.num_players}p-seed{seed}"
    return Path(re.sub(r"[^\w.~-]+", "-", name).strip("-"))


def main(
    bot: Annotated[str, typer.Argument(help="Whom to exploit, as `miaui arena` takes it.")],
    game: Annotated[str, typer.Option(help="A game, or a configuration such as miaui-mini-2.")],
    words: Annotated[
        list[str] | None, typer.Argument(help="Settings.", metavar="KEY=VALUE …")
    ] = None,
    players: Players = None,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
    same_view: Annotated[
        bool, typer.Option("--same-view", help="Learn from what the bot itself is shown.")
    ] = False,
    deals: Annotated[int, typer.Option(min=1, help="To measure on, in all rotations.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of learning, and of the deals.")] = 1,
    json_file: Annotated[Path | None, typer.Option("--json", help="Takes the result in.")] = None,
    runs: Annotated[Path, typer.Option(help="Folder of the runs.")] = Path("runs/responses"),
) -> None:
    """Bound from below what can be gained against a bot."""
    console = Console()
    with polite():
        check_entry_file(json_file)
        setup = setup_of(game, players, option, perfect_recall)
        player = Frozen(arena_bot(bot), setup)
        entry = Entry.begun(json_file, bot, *described(player.bot))
        recall = player.perfect_recall if same_view else True
        config = composed(SETTINGS, setup.with_recall(recall), words or [])
        config.seed = seed
        folder = runs / folder_for(bot, game, setup, seed)
        response, budget = learned(config, folder, player, console)
        with bar(deals * setup.num_players) as progress:
            how: dict[str, Any] = {"deals": deals, "seed": seed, "progress": progress}
            result = measure(setup, response, player, bot, **how)
        named = game if game in configurations() else None
        told = bound(result, budget, named, nash_conv_of(player, setup, game))
        entry.take(told)
        entry.keep(json_file)
    console.print(in_words(told), highlight=False, markup=False)


if __name__ == "__main__":
    typer.run(main)
