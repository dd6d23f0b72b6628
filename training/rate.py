"""Rate a bot: play it in the arena and write the figures on its card.

    python -m training.rate checkpoints/miaui/ppo-4p --seed 1

A seed is used up by being looked at: figures that a decision was made by say too much good of its
winner. So rate with one that nobody has seen, once, and keep what comes out.
"""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from miaui_env.benchmark.arena import Purpose
from miaui_env.benchmark.figures import Figure
from miaui_env.benchmark.result import Result
from miaui_env.bots.exported import ExportedBot
from miaui_env.game import Setup
from training.examiners import examine, table_of

CLAIMED = ("random", "greedy")
"""Tables of these alone come first; what is claimed of a bot's strength is against them."""
MIXED = ("greedy", "highest", "random")
NOISY = "greedy~0.1"


def main(
    bot: Annotated[Path, typer.Argument(help="folder of an exported bot")],
    seed: Annotated[int, typer.Option(help="which deals; one that nobody has looked at")],
    purpose: Annotated[Purpose, typer.Option(help="what for")] = Purpose.CONFIRMATION,
    deals: Annotated[int, typer.Option(help="each is played in all rotations")] = 2000,
    workers: Annotated[int, typer.Option(help="processes")] = 2,
) -> None:
    """Play the bot against each table of yardsticks and write what came out on its card."""
    player = ExportedBot(bot)
    results = [
        examine(
            player.setup,
            player,
            others,
            deals=deals,
            seed=seed,
            purpose=purpose,
            workers=workers,
        )
        for others in tables(player.setup)
    ]
    ratings = [rating(result) for result in results]
    dataclasses.replace(player.card, ratings=ratings).write(bot)
    Console().print(table_of(results, player.name, f"{player.name}, {purpose} seed {seed}"))


def tables(setup: Setup) -> list[list[str]]:
    """Who sits at the other seats, table by table; bots that the game does not have are left out.

    With two seats there is no mixed table, and where a bot remembers, there is one of those more.
    """
    others, having = setup.num_players - 1, {"random", *setup.game.bots}
    claimed = [*CLAIMED, *sorted(setup.game.remembering)]
    mixed = itertools.cycle([name for name in MIXED if name in having])
    listed = [
        *([name] * others for name in claimed if name in having),
        list(itertools.islice(mixed, others)),
        [NOISY] * others,
    ]
    return [table for i, table in enumerate(listed) if table not in listed[:i]]


def rating(result: Result) -> dict[str, Any]:
    """What a card says of one table."""
    return {
        "lineup": list(result.lineup),
        "purpose": result.purpose,
        "seed": result.seed,
        "deals": result.deals,
        "rotations": result.rotations,
        "forfeited": result.counts.forfeited + result.counts.failed,
        "equal_share": result.equal_share,
        "bots": [
            {
                "name": standing.name,
                "win_share": _plain(standing.win_share),
                "margin": _plain(standing.margin),
            }
            for standing in result.bots
        ],
        "versions": dict(result.versions),
    }


def _plain(figure: Figure) -> dict[str, float | None]:
    """With six digits: more are noise."""
    told = dataclasses.asdict(figure)
    return {name: None if value is None else round(value, 6) for name, value in told.items()}


if __name__ == "__main__":
    typer.run(main)
