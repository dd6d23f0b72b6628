"""`miaui exploit` and `miaui exact`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from miaui_env.commandline import JsonFile, check_writable, polite, write_json

if TYPE_CHECKING:
    from miaui_env.benchmark.exact import Exact
    from miaui_env.benchmark.exploit import Exploited


def exploit(
    bot: Annotated[str, typer.Argument(help="A bot, as `miaui arena` takes it.", metavar="BOT")],
    game: Annotated[
        str, typer.Option(help="Name of a configuration small enough, such as miaui-mini-2.")
    ],
    samples: Annotated[
        int, typer.Option(help="Keys a state, for bots that cannot say their probabilities.")
    ] = 100,
    seed: Annotated[int, typer.Option(help="Luck of those keys.")] = 0,
    json_file: JsonFile = None,
) -> None:
    """Measure exactly how much can be won against a bot: NashConv on a small game."""
    from miaui_env.benchmark import arena_bot
    from miaui_env.benchmark.exact import write_out
    from miaui_env.benchmark.exploit import exploit as measured
    from miaui_env.benchmark.result import versions
    from miaui_env.registry import configured

    with polite():
        setup, player = configured(game), arena_bot(bot)
        player.fitted(setup.with_recall(bool(player.perfect_recall)))  # complains now, if it must
        check_writable(json_file)
        with _bar(f"write out {game}") as progress:
            tree = write_out(setup, progress)
        with _bar(f"ask {bot}") as progress:
            result = measured(player, tree, samples=samples, seed=seed, progress=progress)
        about = {
            "game": game,
            "game_version": setup.game.version,
            "setup": setup.description,
            "infosets": tree.infosets,
            "seed": seed,
            "versions": versions(),
        }
        write_json(json_file, {**result.to_json(), **about})
    _show(game, tree, result, Console(stderr=str(json_file) == "-"))


def exact(
    names: Annotated[
        list[str] | None, typer.Argument(help="Configurations; else all.", metavar="NAME")
    ] = None,
    json_file: JsonFile = None,
    page_file: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="Write the page there.")
    ] = None,
    check_file: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Compare with such a JSON; exit code 1."),
    ] = None,
) -> None:
    """Solve the games that are small enough, and tell their sizes and values."""
    from miaui_env.benchmark.exact_page import measure, page, table
    from miaui_env.registry import configurations, configured

    console = Console(stderr=str(json_file) == "-")
    with polite():
        chosen = names or list(configurations())
        for name in chosen:
            configured(name)
        for file in (json_file, page_file):
            check_writable(file)
        published = None if check_file is None else json.loads(check_file.read_text("utf-8"))
        with Console(stderr=True).status("") as status:
            report = measure(chosen, status.update)
        write_json(json_file, report)
        if page_file is not None:
            page_file.write_text(page(report), encoding="utf-8")
    console.print(table(report), highlight=False)
    if published is not None:
        _compare(report, published, console)


def _compare(report: dict[str, Any], published: dict[str, Any], console: Console) -> None:
    """Say what differs; exit code 1 where something does."""
    from miaui_env.benchmark.exact_page import differences

    known = {told["name"]: told for told in published["games"]}
    wrong = [
        line
        for told in report["games"]
        for line in (
            differences(told, known[told["name"]])
            if told["name"] in known
            else [f"{told['name']}: not published"]
        )
    ]
    for line in wrong:
        console.print(line, style="red", markup=False, highlight=False)
    if wrong:
        raise typer.Exit(1)
    console.print("all as published")


@contextmanager
def _bar(what: str) -> Iterator[Callable[[float], None]]:
    """A progress bar on stderr, none where that is no terminal; yields what to tell of shares."""
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda share: progress.update(task, completed=share)


def _show(name: str, game: Exact, result: Exploited, console: Console) -> None:
    """The result as a table."""
    told = Table(title=f"{result.bot} at every seat of {name}", title_justify="left")
    for head in ("seat", "expects", "gains by its best response"):
        told.add_column(head, justify="right")
    for seat, figures in enumerate(zip(result.values, result.improvements, strict=True)):
        told.add_row(str(seat), *(f"{figure + 0.0:.6f}" for figure in figures))
    console.print(told, highlight=False)
    console.print(
        f"NashConv {result.nash_conv.words(6)} ({result.label}); uniform play has "
        f"{game.nash_conv(game.uniform()):.6f}; {game.infosets:,} information states",
        highlight=False,
        markup=False,
    )
