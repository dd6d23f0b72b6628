"""What an entry to the benchmark plays: alone among copies of each rung of the ladder.

A rung is a fixed opponent that every game has, and each is played on the same deals, of purpose
"measurement" and seed 0, in all rotations. Rungs that think get fewer deals: there are n - 1 of
them. On a game small enough to solve it is exact NashConv instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from miaui_env.benchmark import exploit
from miaui_env.benchmark.arena import Progress, play_lineup
from miaui_env.benchmark.entries import Entry
from miaui_env.benchmark.exact import write_out
from miaui_env.benchmark.noise import arena_bot
from miaui_env.benchmark.result import SCHEMA, versions
from miaui_env.bots import Bot
from miaui_env.game import Setup

RUNGS: Mapping[str, int] = MappingProxyType(
    {"random": 50, "greedy": 100, "flat:100": 30, "search:100": 30}
)
"""Opponent → deals."""
SEED = 0


def rungs_of(setup: Setup) -> dict[str, int]:
    """Those that the game has, and their deals."""
    plain = {"random", *setup.game.bots}
    return {name: deals for name, deals in RUNGS.items() if ":" in name or name in plain}


def climb(
    entry: Entry,
    setup: Setup,
    bot: Bot,
    *,
    workers: int = 1,
    apart: bool | None = None,
    keep: Callable[[Entry], object] = lambda entry: None,
    progress: Progress = lambda games: None,
) -> None:
    """Play what the entry lacks of one table's rungs; `keep` hears of each that is done.

    Raises:
        ValueError: for a bot that cannot play this setup.
    """
    others = setup.num_players - 1
    for rung, deals in rungs_of(setup).items():
        lineup = [entry.name, *[rung] * others]
        if has(entry, setup, lineup, deals):
            progress(deals * setup.num_players)
            continue
        same = rung == entry.name
        sitting = [bot, *[bot if same else arena_bot(rung)] * others]
        result = play_lineup(
            setup,
            sitting,
            names=lineup,
            deals=deals,
            seed=SEED,
            seating="rotations",
            workers=workers,
            apart=apart,
            progress=progress,
        )
        entry.take(result.to_json())
        keep(entry)


def has(entry: Entry, setup: Setup, lineup: list[str], deals: int) -> bool:
    """Whether the entry has that rung, by this version of everything and with so many deals."""
    wanted = {
        "game": setup.game.name,
        "game_version": setup.game.version,
        "setup": _plain(setup),
        "lineup": lineup,
        "deals": deals,
        "seed": SEED,
        "versions": versions(),
    }
    return any(all(told[name] == wanted[name] for name in wanted) for told in entry.of(SCHEMA))


def solve(entry: Entry, configuration: str, setup: Setup, bot: Bot) -> None:
    """Exact NashConv on a game small enough; ValueError where the bot cannot play there."""
    found = exploit.exploit(bot, write_out(setup)).to_json()
    about = {"game": configuration, "game_version": setup.game.version, "setup": _plain(setup)}
    entry.take({**found, **about, "bot": entry.name, "versions": versions()})


def _plain(setup: Setup) -> dict[str, Any]:
    """As JSON gives it back."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in setup.description.items()}
