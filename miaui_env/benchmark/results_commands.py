"""`miaui benchmark` and `miaui solve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from miaui_env.commandline import (
    JsonFile,
    Options,
    Players,
    Recall,
    bar,
    check_writable,
    polite,
    setup_of,
    write_json,
)
from miaui_env.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from miaui_env.game import Setup

AlgoResults = Annotated[
    list[Path],
    typer.Option("--algo-results", metavar="FILES…", help="Make the tables from these entries."),
]


def benchmark(
    bot: Annotated[
        str | None, typer.Argument(help="A bot, as `miaui arena` takes it.", metavar="BOT")
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="Where it plays; a small game gives its NashConv instead.")
    ] = None,
    players: Players = None,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
    workers: Annotated[int, typer.Option(help="Processes; results do not depend on them.")] = 1,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="The entry, which grows; or all tables."),
    ] = None,
    algo_results: AlgoResults = [],  # noqa: B006  # typer copies it
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Put the tables between its markers.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the curves there, as SVG.")
    ] = None,
) -> None:
    """Play a bot through the benchmark's protocol, or make tables of what was entered."""
    with polite():
        check_writable(json_file)
        if (bot is None) is not bool(algo_results):
            raise ValueError("name a BOT to play, or --algo-results FILES to make tables from")
        if bot is None:
            _tables(algo_results, json_file, page, pictures)
        elif game is None or json_file is None:
            raise ValueError("a bot plays at --game NAME, and --json FILE takes the entry in")
        else:
            setup = setup_of(game, players, option, perfect_recall)
            _play(bot, game, setup, workers, json_file)
            _tables([json_file], None, None, None)


def solve(
    algorithm: Annotated[str, typer.Argument(help="CFR, CFR+ or MCCFR.")],
    games: Annotated[list[str], typer.Argument(help="Small games, see `miaui exact`.")],
    json_file: JsonFile = None,
    iterations: Annotated[int, typer.Option(help="Of each run.")] = 1000,
    seed: Annotated[list[int], typer.Option(help="Of MCCFR's luck, a run each; repeatable.")] = [1],  # noqa: B006  # typer copies it
) -> None:
    """Run an algorithm of OpenSpiel's on small games, and keep the curve of its exact NashConv.

    Typed again, it goes on with the runs that its file lacks.
    """
    from miaui_env.benchmark.curves import last
    from miaui_env.benchmark.entries import Entry
    from miaui_env.benchmark.solvers import ALGORITHMS, extend
    from miaui_env.engine.tables import one_of
    from miaui_env.registry import configured

    with polite():
        check_writable(json_file)
        one_of("algorithm", algorithm, tuple(ALGORITHMS))
        for game in games:
            configured(game)
        entry = Entry.begun(json_file, algorithm, ALGORITHMS[algorithm])
        keep = lambda entry: entry.keep(json_file)  # noqa: E731
        with bar(len(games) * len(seed) * iterations) as progress:
            for game in games:
                told = extend(entry, algorithm, game, iterations, seed, keep, progress)
                typer.echo(f"{game}: NashConv {last(told)}", err=str(json_file) == "-")


def _play(bot: str, game: str, setup: Setup, workers: int, file: Path) -> None:
    """What the protocol asks of a bot at one table; the file has each part once it is done."""
    from miaui_env.benchmark import arena_bot, protocol
    from miaui_env.benchmark.entries import Entry, described
    from miaui_env.registry import configurations

    player = arena_bot(bot)
    entry = Entry.begun(file, bot, *described(player))
    if game in configurations():
        protocol.solve(entry, game, setup, player)
        entry.keep(file)
        return
    games = sum(protocol.rungs_of(setup).values()) * setup.num_players
    with bar(games) as progress:
        protocol.climb(
            entry,
            setup,
            player,
            workers=workers,
            apart=True,
            keep=lambda entry: entry.keep(file),
            progress=progress,
        )


def _tables(
    files: Sequence[Path], json_file: Path | None, page: Path | None, pictures: Path | None
) -> None:
    """Tables to the screen, and to all files that were asked for."""
    from miaui_env.benchmark import results_page
    from miaui_env.benchmark.entries import read_all

    entries = read_all(files)
    data = results_page.tables(entries)
    chapters = results_page.chapters(data)
    write_json(json_file, data)
    if page is not None:
        written = results_page.written_into(page.read_text(encoding="utf-8"), chapters)
        write_text(page, written)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for name, drawn in results_page.pictures(entries).items():
            write_text(pictures / name, drawn)
    if str(json_file) != "-":
        typer.echo("\n\n".join(chapters.values()))
