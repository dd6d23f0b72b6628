"""How strength grows with effort: bots one after the other, on equal deals, at the same table.

Each bot takes one seat against copies of one and the same opponent, in all rotations of the same
deals; so differences between bots are taken deal by deal. A file keeps what was played, bot by bot:
a run that was killed goes on from there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from miaui_env.benchmark.arena import LineUp, Purpose, arena_key, play_games
from miaui_env.benchmark.figures import Figure, block_figures
from miaui_env.benchmark.noise import arena_bot
from miaui_env.benchmark.result import versions
from miaui_env.benchmark.summary import Games, unit
from miaui_env.bots.search import Flat, SearchBot, Trees
from miaui_env.engine.rng import keys, mixed
from miaui_env.engine.tables import Tables
from miaui_env.files import write_text
from miaui_env.game import Setup

SCHEMA = "miaui_env.ladder/1"
_RESAMPLING = -2
"""A word that no deal's number is, for the bootstrap's key."""
_POSITIONS = 64
"""How many decisions a speed is measured over."""

Progress = Callable[[int], object]


def climb(
    setup: Setup,
    bots: Sequence[str],
    against: str = "greedy",
    *,
    deals: int = 300,
    seed: int = 0,
    purpose: str = "measurement",
    file: Path | None = None,
    progress: Progress = lambda games: None,
) -> dict[str, Any]:
    """Play each bot against n - 1 of `against`; returns, and keeps in `file`, what JSON takes.

    Under `bots`, by name: `credits`, its share of the win in each deal, in units of
    1 / (`unit` × rotations); `forfeits`; `milliseconds` a move.

    Raises:
        ValueError: for a bot that cannot play this setup, or a file of another run.
    """
    report = _begun(_about(setup, against, deals, seed, purpose), file)
    for name in bots:
        if name in report["bots"]:
            progress(deals * setup.num_players)
            continue
        line = [arena_bot(name), *[arena_bot(against)] * (setup.num_players - 1)]
        lineup = LineUp.of(setup, line, arena_key(seed, Purpose(purpose)))
        report["bots"][name] = _told(play_games(lineup, deals, 1, progress))
        _keep(report, file)
    return report


def _about(setup: Setup, against: str, deals: int, seed: int, purpose: str) -> dict[str, Any]:
    """What must be equal for results to be comparable."""
    told = {
        "schema": SCHEMA,
        "game": setup.game.name,
        "game_version": setup.game.version,
        "setup": setup.description,
        "against": against,
        "deals": deals,
        "seed": seed,
        "purpose": str(Purpose(purpose)),
        "unit": unit(setup.num_players),
        "versions": versions(),
    }
    plain: dict[str, Any] = json.loads(json.dumps(told))
    return plain


def _begun(about: dict[str, Any], file: Path | None) -> dict[str, Any]:
    """The report as far as the file has it."""
    if file is None or not file.exists():
        return {**about, "bots": {}}
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    other = [name for name in about if kept.get(name) != about[name]]
    if other:
        raise ValueError(f"{file} holds another run: its {', '.join(other)} differ")
    return kept


def _keep(report: dict[str, Any], file: Path | None) -> None:
    if file is not None:
        write_text(file, json.dumps(report) + "\n")


def _told(games: Games) -> dict[str, Any]:
    """What the bot in slot 0 did."""
    account = games.accounts[0]
    return {
        "credits": games.credits[:, :, 0].sum(1).tolist(),
        "forfeits": int(games.at_fault[:, :, 0].sum()),
        "milliseconds": 1e3 * account.seconds / account.decisions,
    }


def shares(report: dict[str, Any], name: str, less: str | None = None) -> Figure:
    """A bot's win share, with its interval over deals; or how much it is above that of `less`."""
    credits = np.array(report["bots"][name]["credits"])
    if less is not None:
        credits = credits - np.array(report["bots"][less]["credits"])
    whole = report["setup"]["num_players"] * report["unit"]
    key = int(mixed(arena_key(report["seed"], Purpose(report["purpose"])), _RESAMPLING))
    return block_figures(credits[:, None], np.full((len(credits), 1), whole), key)[0]


def speed(setup: Setup, bot: SearchBot, seconds: float = 1.0) -> float:
    """Decisions, of all seats, that a search plays in its simulations each second of one core.

    All that the bot does for a move counts as its time: it reads observations of a first round,
    imagines, and plays on. Processor time, so that a busy machine does not matter much.
    """
    setup = setup.with_recall(True)
    tables = Tables(setup, num_tables=_POSITIONS, seed=0)
    step = tables.reset()
    look = Flat(setup) if bot.kind == "flat" else Trees(setup, bot)
    owing = [(table, int(np.flatnonzero(row)[0])) for table, row in enumerate(step.to_act)]
    luck = keys(0, _POSITIONS)
    begun = 0.0
    for turn in range(1_000_000):
        if turn == 1:  # the first one compiled
            begun, look.decisions = time.process_time(), 0
        table, seat = owing[turn % _POSITIONS]
        row = step.observations[table, seat], step.action_masks[table, seat]
        bot.look_around(look, *row, luck[turn % _POSITIONS])
        if turn and time.process_time() - begun > seconds:
            break
    return look.decisions / (time.process_time() - begun)


# --- the command --------------------------------------------------------------------------------


def ladder(
    game: Annotated[str, typer.Argument(help="Name of a game, see `miaui games`.", metavar="GAME")],
    bots: Annotated[
        list[str], typer.Option("--bots", metavar="A B …", help="Each plays the same deals.")
    ],
    against: Annotated[str, typer.Option(help="Sits at all other seats.")] = "greedy",
    players: Annotated[int | None, typer.Option(help="Seats.")] = None,
    deals: Annotated[int, typer.Option(help="Deals; each is played in all rotations.")] = 300,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 0,
    purpose: Annotated[str, typer.Option(help="As for the arena.")] = "measurement",
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Keeps the run; goes on from it.")
    ] = None,
) -> None:
    """Show how strength grows: each bot alone against copies of one opponent, on equal deals."""
    import miaui_env
    from miaui_env.commandline import bar, polite

    with polite():
        setup = Setup.of(miaui_env.find(game), players)
        loaded = {name: arena_bot(name) for name in bots}
        with bar(deals * setup.num_players * len(bots)) as progress:
            report = climb(
                setup,
                bots,
                against,
                deals=deals,
                seed=seed,
                purpose=purpose,
                file=json_file,
                progress=progress,
            )
        console = Console()
        console.print(table(report, bots), highlight=False)
        for name, bot in loaded.items():
            if isinstance(bot, SearchBot):
                told = f"{name}: {speed(setup, bot) / 1e6:.2f} M roll-out decisions a second"
                console.print(f"{told} on one core", emoji=False, highlight=False)


def table(report: dict[str, Any], bots: Sequence[str]) -> Table:
    """Win shares, and how much each bot is above the first, deal by deal."""
    n = report["setup"]["num_players"]
    title = f"{report['game']}, one against {n - 1} × {report['against']}, {report['deals']} deals"
    shown = Table(title=title, title_justify="left", caption=f"equal share {1 / n:.3f}")
    for column in ("bot", "win share [95 %]", "above the first", "ms a move", "forfeits"):
        shown.add_column(escape(column), justify="left" if column == "bot" else "right")
    for name in bots:
        row = report["bots"][name]
        more = "" if name == bots[0] else shares(report, name, bots[0]).words(3)
        figures = (shares(report, name).words(3), more, f"{row['milliseconds']:.2f}")
        shown.add_row(*map(escape, (name, *figures, str(row["forfeits"]))))
    return shown
