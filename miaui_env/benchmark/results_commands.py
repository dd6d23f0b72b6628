"""`miaui benchmark` and `miaui solve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from miaui_env.commandline import (
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

    from miaui_env.benchmark.entries import Entry
    from miaui_env.bots import Bot
    from miaui_env.game import Setup

AlgoResults = Annotated[
    list[Path],
    typer.Option("--algo-results", metavar="FILES…", help="Make the tables from these entries."),
]
EntryFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="The entry, which grows.")
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
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes, else 1; results do not depend on them.")
    ] = None,
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
    table = {"--players": players, "--option": option, "--perfect-recall": perfect_recall}
    with polite():
        if (bot is None) is not bool(algo_results):
            raise ValueError("name a BOT to play, or --algo-results FILES to make tables from")
        if bot is None:
            refuse_given("tables are made", {"--game": game, **table, "--workers": workers})
            _check_tables_file(json_file, algo_results)
            _tables(algo_results, json_file, page, pictures)
        elif game is None or json_file is None:
            raise ValueError("a bot plays at --game NAME, and --json FILE takes the entry in")
        else:
            refuse_given("a bot plays", {"--page": page, "--pictures": pictures})
            check_entry_file(json_file)
            setup = setup_of(game, players, option, perfect_recall)
            _play(bot, game, setup, workers, json_file)
            _tables([json_file], None, None, None)


def solve(
    algorithm: Annotated[str, typer.Argument(help="CFR, CFR+ or MCCFR.")],
    games: Annotated[list[str], typer.Argument(help="Small games, see `miaui exact`.")],
    json_file: EntryFile = None,
    iterations: Annotated[int, typer.Option(min=1, help="Of each run.")] = 1000,
    seed: Annotated[
        list[int],
        typer.Option(min=0, help="Of MCCFR's luck, a run each; repeatable; else 1."),
    ] = [],  # noqa: B006  # typer copies it
) -> None:
    """Run an algorithm of OpenSpiel's on small games, and keep the curve of its exact NashConv.

    Typed again, it goes on with the runs that its file lacks.
    """
    from miaui_env.benchmark.entries import Entry
    from miaui_env.benchmark.solvers import ALGORITHMS, SAMPLES, begun, extend
    from miaui_env.engine.choices import one_of

    with polite():
        check_entry_file(json_file)
        one_of("algorithm", algorithm, tuple(ALGORITHMS))
        if seed and algorithm != SAMPLES:
            raise ValueError(f"{algorithm} draws nothing, so it takes no --seed; {SAMPLES} does")
        seeds = seed or [1]
        entry = Entry.begun(json_file, algorithm, ALGORITHMS[algorithm])
        for game in games:
            entry.check(begun(algorithm, game, iterations))
        with bar(len(games) * len(seeds) * iterations, "iterations") as progress:
            for game in games:
                how = (iterations, seeds, lambda entry: entry.keep(json_file), progress)
                _say_ends(extend(entry, algorithm, game, *how))


def _say_ends(told: dict[str, Any]) -> None:
    """`miaui-mini-1, seed 1: NashConv 0.123 after 500 iterations`, for each run."""
    for run in told["runs"]:
        after, nash_conv = run["points"][-1]
        seed = "" if run["seed"] is None else f", seed {run['seed']}"
        found = f"NashConv {nash_conv:.3g} after {after:,} {told['unit']}"
        typer.echo(f"{told['configuration']}{seed}: {found}")


# --- what is refused before anything is played ---------------------------------------------------


def refuse_given(where: str, options: dict[str, Any]) -> None:
    """ValueError for options that have no meaning there."""
    given = [name for name, value in options.items() if value not in (None, [], False)]
    if given:
        raise ValueError(f"where {where}, {', '.join(given)} would mean nothing; leave it out")


def check_entry_file(file: Path | None) -> None:
    """ValueError for what cannot hold an entry that grows."""
    if str(file) == "-":
        raise ValueError("an entry grows in a file: --json takes the name of one here, not -")
    check_writable(file)


def _check_tables_file(file: Path | None, entries: Sequence[Path]) -> None:
    """ValueError for a file that tables would wipe out: an entry, or anything but tables."""
    from miaui_env.benchmark.entries import TABLES, read_json

    check_writable(file)
    if file is None or str(file) == "-" or not file.exists():
        return
    if file.resolve() in {entry.resolve() for entry in entries}:
        raise ValueError(f"--json {file} is one of the entries, and tables would take its place")
    held = read_json(file)
    if not isinstance(held, dict) or held.get("schema") != TABLES:
        raise ValueError(f"--json {file} holds something other than tables; name another file")


# --- what is done --------------------------------------------------------------------------------


def _play(bot: str, game: str, setup: Setup, workers: int | None, file: Path) -> None:
    """What the protocol asks of a bot at one table; the file has each part once it is done."""
    from miaui_env.benchmark import arena_bot
    from miaui_env.benchmark.entries import Entry, described
    from miaui_env.registry import configurations

    player = arena_bot(bot)
    entry = Entry.begun(file, bot, *described(player))
    if game in configurations():
        refuse_given("a small game is solved", {"--workers": workers})
        _solve(entry, game, setup, player, file)
    else:
        _climb(entry, setup, player, 1 if workers is None else workers, file)


def _solve(entry: Entry, game: str, setup: Setup, player: Bot, file: Path) -> None:
    """A small game's NashConv, which is of the game as it is named."""
    from miaui_env.benchmark import protocol
    from miaui_env.registry import configured

    if setup != configured(game):
        raise ValueError(f"{game} is solved as it is, without --perfect-recall")
    typer.echo(f"{game}: writing all of it out, and asking {entry.name} everywhere …", err=True)
    protocol.solve(entry, game, setup, player)
    entry.keep(file)


def _climb(entry: Entry, setup: Setup, player: Bot, workers: int, file: Path) -> None:
    """All rungs of the ladder, and a line where the bot forfeited games."""
    from miaui_env.benchmark import protocol

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
    for line in protocol.faults(entry, setup):
        typer.echo(line, err=True)


def _tables(
    files: Sequence[Path], json_file: Path | None, page: Path | None, pictures: Path | None
) -> None:
    """Tables to the screen, and to all files that were asked for."""
    from miaui_env.benchmark import results_page
    from miaui_env.benchmark.admission import read_all

    entries = read_all(files)
    data = results_page.tables(entries)
    chapters = results_page.chapters(data)
    written = None if page is None else _written(page, chapters)  # it may be refused
    write_json(json_file, data)
    if page is not None and written is not None:
        write_text(page, written)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for name, drawn in results_page.pictures(entries).items():
            write_text(pictures / name, drawn)
    if str(json_file) != "-":
        typer.echo("\n\n".join(chapters.values()))


def _written(page: Path, chapters: dict[str, str]) -> str:
    """The page with the tables in it; tells which chapters have none to put there."""
    from miaui_env.benchmark import results_page

    text = page.read_text(encoding="utf-8")
    written = results_page.written_into(text, chapters)
    left = [name for name in results_page.chapters_of(text) if name not in chapters]
    if left:
        told = f"{page}: left as before, because no entry has any: {', '.join(left)}"
        typer.echo(told, err=True)
    return written
