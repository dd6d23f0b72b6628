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
from miaui_env.benchmark.arena import Progress, Purpose, play_lineup
from miaui_env.benchmark.entries import Entry
from miaui_env.benchmark.exact import write_out
from miaui_env.benchmark.noise import arena_bot
from miaui_env.benchmark.result import SCHEMA, versions
from miaui_env.benchmark.summary import card_of
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


def rung_of(told: Mapping[str, Any]) -> str | None:
    """Whom the first bot sat among; None for a table of several kinds."""
    others = set(told["lineup"][1:])
    return others.pop() if len(others) == 1 else None


def departure(told: Mapping[str, Any]) -> str | None:
    """What sets a line-up apart from the protocol, in words; None for one of its rungs."""
    rung = rung_of(told)
    if rung is None or rung not in RUNGS:
        among = ", ".join(told["lineup"][1:])
        return f"its bot sits among {among}, not among copies of one of {', '.join(RUNGS)}"
    asked = {
        "purpose": Purpose.MEASUREMENT.value,
        "seed": SEED,
        "deals": RUNGS[rung],
        "rotations": len(told["lineup"]),
        "move_limit": None,
    }
    for what, value in asked.items():
        if told[what] != value:
            return f"it has {what} {told[what]!r}, where the protocol has {value!r} among {rung}"
    return None


# --- a table -------------------------------------------------------------------------------------


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
        ValueError: for a bot that cannot play this setup, goes by another's name, or is not the one
            that the entry is of, as far as cards tell.
    """
    check_name(entry.name, setup, bot)
    check_card(entry, bot)
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


def check_name(name: str, setup: Setup, bot: Bot) -> None:
    """ValueError for another bot by the name of a rung, or of one of the game's own bots."""
    if name not in {"random", *setup.game.bots, *RUNGS}:
        return
    known = arena_bot(name)
    if (type(bot), bot.name) != (type(known), known.name):
        raise ValueError(f"{name!r} is the name of another bot, which is known by it; choose one")


def check_card(entry: Entry, bot: Bot) -> None:
    """ValueError where the entry has line-ups of a bot with another card, or of one without."""
    card = card_of(bot)
    for told in entry.of(SCHEMA):
        held = told["cards"].get(told["lineup"][0])
        if held != card:
            cards = " and ".join(f"{known:.12}" if known else "none" for known in (held, card))
            raise ValueError(
                f"{entry.file or 'the entry'} has results of another {entry.name}: the sha256 of "
                f"their cards are {cards}; begin another file"
            )


def faults(entry: Entry, setup: Setup) -> list[str]:
    """A line for each rung at one table where the entry's bot forfeited games."""
    return [
        f"{entry.name} forfeited {told['bots'][0]['forfeits']} games among {rung_of(told)}: "
        f"{told['errors'].get(entry.name, 'no reason known')}"
        for told in entry.of(SCHEMA)
        if told["bots"][0]["forfeits"] and _at(told, setup)
    ]


def has(entry: Entry, setup: Setup, lineup: list[str], deals: int) -> bool:
    """Whether the entry has that rung, by this version of everything and with so many deals."""
    wanted = {"lineup": lineup, "deals": deals, "seed": SEED, "versions": versions()}
    return any(_at(told, setup) and _agrees(told, wanted) for told in entry.of(SCHEMA))


# --- a small game --------------------------------------------------------------------------------


def solve(entry: Entry, configuration: str, setup: Setup, bot: Bot) -> None:
    """Exact NashConv on a game small enough, unless the entry has it.

    Raises:
        ValueError: for a bot that cannot play there, fails or answers what is not legal.
    """
    about = {"game": configuration, "game_version": setup.game.version, "setup": plain(setup)}
    about |= {"bot": entry.name, "versions": versions()}
    if any(_agrees(told, about) for told in entry.of(exploit.SCHEMA)):
        return
    game = write_out(setup)
    try:
        found = exploit.exploit(bot, game).to_json()
    except Exception as error:  # whatever a bot may raise
        raise ValueError(
            f"{entry.name} at {configuration}: {type(error).__name__}: {error}"
        ) from error
    entry.take({**found, **about})


def _at(told: Mapping[str, Any], setup: Setup) -> bool:
    """Whether a line-up sat at that table."""
    here = {"game": setup.game.name, "game_version": setup.game.version, "setup": plain(setup)}
    return _agrees(told, here)


def _agrees(told: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(told.get(name) == value for name, value in wanted.items())


def plain(setup: Setup) -> dict[str, Any]:
    """A setup as JSON gives it back."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in setup.description.items()}
