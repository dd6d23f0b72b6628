"""The commands of the arena: `miaui arena`, `tournament`, `report`, `gate`."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from miaui_env.commandline import (
    Bots,
    GameName,
    JsonFile,
    Options,
    Players,
    Recall,
    bar,
    check_writable,
    filled,
    polite,
    setup_of,
    write_json,
)
from miaui_env.files import write_text

if TYPE_CHECKING:
    from miaui_env.benchmark.gate import Verdict
    from miaui_env.benchmark.replacement import Replacement
    from miaui_env.benchmark.result import Result
    from miaui_env.bots import Bot
    from miaui_env.game import Setup

Deals = Annotated[int, typer.Option(help="Deals; each is played in several seatings.")]
Seed = Annotated[int, typer.Option(help="Which deals.")]
PurposeName = Annotated[
    str,
    typer.Option(help="development, gate, measurement or confirmation: each has its own deals."),
]
Workers = Annotated[int, typer.Option(help="Processes; results do not depend on them.")]
MoveLimit = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="A move that takes longer forfeits its game."),
]
Field = Annotated[
    list[str],
    typer.Option("--bots", metavar="A B …", help="The field: two bots or more, see `miaui arena`."),
]


def arena(
    game: GameName,
    bots: Bots,
    players: Players = None,
    deals: Deals = 1000,
    seed: Seed = 0,
    purpose: PurposeName = "measurement",
    seating: Annotated[
        str,
        typer.Option(help="auto: all different seatings, or a Latin square; or only rotations."),
    ] = "auto",
    instead: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Play the same deals with BOT in the first one's place."),
    ] = None,
    move_limit: MoveLimit = None,
    workers: Workers = 1,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
    json_file: JsonFile = None,
    replays: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write each game there, for `miaui replay`."),
    ] = None,
) -> None:
    """Compare bots over duplicate deals: the same luck for everyone, at every seat."""
    run = {
        "deals": deals,
        "seed": seed,
        "purpose": purpose,
        "workers": workers,
        "apart": True,
        "move_limit": move_limit,
    }
    result: Result | Replacement
    with polite():
        setup = setup_of(game, players, option, perfect_recall)
        names = filled(bots, setup.num_players)
        check_writable(json_file)
        if instead is None:
            result = _one_lineup(setup, names, seating, replays, run)
        elif replays is not None:
            raise ValueError("--replays goes with one line-up, not with --instead")
        else:
            result = _two_lineups(setup, names, instead, run)
        write_json(json_file, result.to_json())
    console = Console(stderr=str(json_file) == "-")
    _show_replacement(result, console) if instead else _show(result, console)


def tournament(
    game: GameName,
    bots: Field,
    log: Annotated[
        Path,
        typer.Option(help="Where each finished block is written down; if it exists, go on there."),
    ],
    players: Players = None,
    deals: Deals = 200,
    tables: Annotated[
        int | None, typer.Option(help="Mixed tables drawn from the field; else one a bot.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Which deals, and which mixed tables.")] = 0,
    purpose: PurposeName = "measurement",
    move_limit: MoveLimit = None,
    workers: Workers = 1,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
    json_file: JsonFile = None,
) -> None:
    """Play every bot of a field against every other: pay-offs, then ratings, then cycles.

    A run that was stopped, however hard, goes on when it is typed again.
    """
    from miaui_env.benchmark.field import findings
    from miaui_env.benchmark.report import words
    from miaui_env.benchmark.tournament import Tournament

    with polite():
        begun = time.perf_counter()
        setup = setup_of(game, players, option, perfect_recall)
        check_writable(json_file)
        check_writable(log)
        planned = Tournament.of(
            setup,
            loaded_bots(bots, once=True),
            deals=deals,
            seed=seed,
            purpose=purpose,
            tables=tables,
            move_limit=move_limit,
        )
        with bar(planned.games) as progress:
            played = planned.play(log, workers=workers, progress=progress)
        found = findings(planned, played, time.perf_counter() - begun)
        write_json(json_file, found)
    typer.echo(words(found), nl=False, err=str(json_file) == "-")


def report(
    file: Annotated[Path, typer.Argument(help="JSON of `miaui tournament`.", metavar="FILE")],
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables in Markdown.")] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the pictures there, as SVG."),
    ] = None,
) -> None:
    """Print a tournament's tables again, from its JSON alone, and draw its pictures."""
    from miaui_env.benchmark import report as told

    with polite():
        data = told.checked(_read(file))
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            for name, drawn in told.pictures(data).items():
                write_text(pictures / name, drawn)
    typer.echo(told.words(data, told.markdown if markdown else told.aligned), nl=False)


def gate(
    game: GameName,
    candidate: Annotated[str, typer.Argument(help="The bot that wants in.", metavar="A")],
    incumbent: Annotated[str, typer.Argument(help="In all other seats.", metavar="B")],
    players: Players = None,
    most_deals: Annotated[int, typer.Option(help="When to give up.")] = 5000,
    margin: Annotated[
        float, typer.Option(help="Win share above the equal one that is worth having.")
    ] = 0.02,
    error: Annotated[float, typer.Option(help="Chance of either wrong decision, at most.")] = 0.05,
    seed: Annotated[int, typer.Option(help="Which of the deals that are kept for gates.")] = 0,
    move_limit: MoveLimit = None,
    workers: Workers = 1,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
    json_file: JsonFile = None,
) -> None:
    """Accept or refuse a candidate on as few deals as it takes; no measurement.

    Exit code 0: accepted; 1: refused, or undecided when all deals were used.
    """
    from miaui_env.benchmark.gate import gate as decided

    with polite():
        setup = setup_of(game, players, option, perfect_recall)
        loaded = loaded_bots([candidate, incumbent])
        check_writable(json_file)
        with bar(most_deals * setup.num_players) as progress:
            verdict = decided(
                setup,
                loaded[candidate],
                loaded[incumbent],
                names=(candidate, incumbent),
                seed=seed,
                most_deals=most_deals,
                margin=margin,
                error=error,
                workers=workers,
                apart=True,
                move_limit=move_limit,
                progress=progress,
            )
        write_json(json_file, verdict.to_json())
    typer.echo(_verdict(verdict), err=str(json_file) == "-")
    raise typer.Exit(0 if verdict.decision == "accept" else 1)


# --- inside -------------------------------------------------------------------------------------


def _one_lineup(
    setup: Setup, names: list[str], seating: str, replays: Path | None, run: dict[str, Any]
) -> Result:
    from miaui_env.benchmark import play_lineup, seatings

    loaded = loaded_bots(names)
    if replays is not None:
        replays.mkdir(parents=True, exist_ok=True)
    with bar(run["deals"] * len(seatings(names, seating))) as progress:
        return play_lineup(
            setup,
            [loaded[name] for name in names],
            names=names,
            seating=seating,
            progress=progress,
            replays=replays,
            **run,
        )


def _two_lineups(setup: Setup, names: list[str], instead: str, run: dict[str, Any]) -> Replacement:
    from miaui_env.benchmark import play_replacement

    called = [names[0], instead, *names[1:]]
    loaded = loaded_bots(called)
    others = [loaded[name] for name in names[1:]]
    with bar(2 * run["deals"] * setup.num_players) as progress:
        return play_replacement(
            setup,
            loaded[names[0]],
            loaded[instead],
            others,
            names=called,
            progress=progress,
            **run,
        )


def loaded_bots(names: Sequence[str], once: bool = False) -> dict[str, Bot]:
    """Bots by name; with `once`, ValueError for a name that is said twice."""
    from miaui_env.benchmark import arena_bot

    for name in names:
        if once and names.count(name) > 1:
            raise ValueError(f"{name!r} is in the field twice; a name stands for one bot")
    return {name: arena_bot(name) for name in names}


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # no text, or no JSON
        raise ValueError(f"{file} is no JSON: {error}") from None


def _show(result: Any, console: Console) -> None:
    """The result of a line-up as a table."""
    console.print(_figures(result), highlight=False)
    console.print(_ends(result), highlight=False, markup=False)
    console.print(result.repeatable, highlight=False, markup=False)
    for bot in result.bots:
        if bot.forfeits:
            lost = f"{bot.name} forfeited {bot.forfeits} of its {bot.games} games: "
            told = lost + result.errors.get(bot.name, "")
            console.print(told, style="red", markup=False, highlight=False)


def _figures(result: Result) -> Table:
    """Fits 80 columns, whatever the names."""
    title = f"{result.game}, {len(result.lineup)} seats"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("bot", overflow="fold", max_width=18)
    for column in ("win share [95 %]", "rank", "points [95 %]", "ms/move"):
        table.add_column(escape(column), justify="right", no_wrap=True)
    for bot in result.bots:
        row = (
            bot.name,
            bot.win_share.words(3),
            "-" if bot.rank_credit.mean is None else f"{bot.rank_credit.mean:.3f}",
            bot.points.words(1),
            f"{result.milliseconds[bot.name]:.3g}",
        )
        table.add_row(*map(escape, row))
    return table


def _ends(result: Result) -> str:
    counts = result.counts
    how = "rotations" if result.rotations == len(result.lineup) else "seatings"
    doubt = f" (a win share in doubt by up to {counts.doubt:.3f})" if counts.doubt else ""
    return (
        f"{result.deals} deals × {result.rotations} {how}: {counts.requested} games requested, "
        f"{counts.finished} finished, {counts.forfeited} forfeited, {counts.failed} failed{doubt}; "
        f"equal share {result.equal_share:.3f}; {result.seconds:.1f} s"
    )


def _show_replacement(result: Any, console: Console) -> None:
    """Both line-ups, and what the change was worth."""
    for one in (result.first, result.second):
        _show(one, console)
        console.print()
    console.print(f"{result.title}, paired by deal:", highlight=False, markup=False)
    for name, figure in result.differences.items():
        digits = 1 if name in ("points", "margin") else 3
        line = f"  {name.replace('_', ' '):<12}{figure.words(digits)}"
        console.print(line, highlight=False, markup=False)


def _verdict(verdict: Verdict) -> str:
    from miaui_env.benchmark.gate import BIASED

    return "\n".join(
        [
            f"{verdict.decision}: {verdict.candidate} for {verdict.incumbent}, "
            f"{verdict.game} with {verdict.setup['num_players']} seats",
            f"{verdict.deals} of {verdict.most_deals} deals used, gate seed {verdict.seed}; "
            f"{verdict.forfeits} games forfeited by the candidate",
            f"win share {verdict.win_share:.3f}, within [{verdict.low:.3f}, {verdict.high:.3f}] "
            f"whenever one stops ({100 * (1 - 2 * verdict.error):g} %);",
            f"equal share {verdict.equal_share:.3f}, worth having from "
            f"{verdict.equal_share + verdict.margin:.3f}",
            f"figures are {BIASED}",
        ]
    )
