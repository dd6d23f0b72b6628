"""Examiners: fixed yardsticks. They never learn, and nobody learns from them.

Self-play says nothing about strength: against itself a bot always wins its equal share. So each
examination seats one bot against copies of a yardstick, on deals that are the same every time.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from miaui_env.benchmark.arena import Purpose, play_lineup
from miaui_env.benchmark.noise import arena_bot
from miaui_env.benchmark.result import Result
from miaui_env.bots import Bot
from miaui_env.game import Setup


def examine(
    setup: Setup,
    bot: Bot,
    others: Sequence[str],
    *,
    deals: int,
    seed: int = 0,
    purpose: Purpose = Purpose.DEVELOPMENT,
    workers: int = 1,
) -> Result:
    """The bot at one seat, others (names, see `arena_bot`) at the rest; equal names are copies."""
    players = {name: arena_bot(name) for name in others}
    bots = [bot, *(players[name] for name in others)]
    names = [bot.name, *others]
    return play_lineup(
        setup,
        bots,
        deals=deals,
        seed=seed,
        purpose=purpose,
        names=names,
        seating="rotations",  # one bot is judged: that it takes every seat is enough
        workers=workers,
    )


def against(setup: Setup, bot: Bot, yardstick: str, *, deals: int, workers: int = 1) -> Result:
    """The bot against copies of one yardstick, on development deals."""
    others = [yardstick] * (setup.num_players - 1)
    return examine(setup, bot, others, deals=deals, workers=workers)


def table_of(results: Sequence[Result], bot: str, title: str) -> Table:
    """Results in rows, for the terminal."""
    table = Table(title=title)
    for heading in ("against", "games", "win share [95 %]", "equal", "margin [95 %]"):
        table.add_column(heading)
    for result in results:
        standing = result.of(bot)
        table.add_row(
            opposition(result),
            f"{result.deals:,} × {result.rotations}",
            standing.win_share.words(3),
            f"{result.equal_share:.3f}",
            standing.margin.words(1),
        )
    return table


def opposition(result: Result) -> str:
    """The others of a line-up in words: `3 × greedy`, or `greedy, highest, random`."""
    others = list(result.lineup[1:])
    return f"{len(others)} × {others[0]}" if len(set(others)) == 1 else ", ".join(others)
