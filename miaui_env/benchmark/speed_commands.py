"""`miaui bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from miaui_env.commandline import JsonFile, check_writable, polite, write_json

if TYPE_CHECKING:
    from rich.console import JustifyMethod

    from miaui_env.benchmark.speed import Run


def bench(
    json_file: JsonFile = None,
    page_file: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE", help="Write the page there, its pictures beside."),
    ] = None,
    game: Annotated[str, typer.Option(help="Which game; the tables are of all.")] = "miaui",
    repeats: Annotated[int, typer.Option(help="Measurements of each figure.")] = 5,
    peers: Annotated[
        bool, typer.Option("--peers", help="Other libraries, too; `make peers` installs them.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option(metavar="SECTION", help="Measure this alone; repeatable.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small and short: see that all works.")
    ] = False,
    told_file: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Measure nothing: tell what this JSON has."),
    ] = None,
) -> None:
    """Measure how fast the environments are on this machine."""
    with polite():
        for file in (json_file, page_file):
            check_writable(file)
        report = _read(told_file) if told_file else _measured(game, repeats, quick, peers, only)
        write_json(json_file, report)
        if page_file is not None:
            from miaui_env.benchmark.speed.page import write_page

            write_page(page_file, report)
    _show(report, Console(stderr=str(json_file) == "-"))


def _measured(
    game: str, repeats: int, quick: bool, peers: bool, only: list[str] | None
) -> dict[str, Any]:
    """The report of a run; ValueError where no peers are installed."""
    import miaui_env
    from miaui_env.benchmark.speed import Run, measure

    console = Console(stderr=True)
    run = Run(miaui_env.find(game), repeats, quick, lambda what: console.print(what))
    return measure(_with_peers(run) if peers else run, only or ())


def _with_peers(run: Run) -> Run:
    import dataclasses

    from miaui_env.benchmark.speed.peers import default_python

    python = default_python()
    if not python.is_file():
        raise ValueError(f"no peers are installed ({python} is missing): make peers")
    return dataclasses.replace(run, peers=python)


def _read(file: Path) -> dict[str, Any]:
    """A report of this kind, from its JSON."""
    from miaui_env.benchmark.speed import SCHEMA

    try:
        report: dict[str, Any] = json.loads(file.read_text("utf-8"))
        schema = report.get("schema")
    except (ValueError, AttributeError):
        raise ValueError(f"{file} is no JSON of `miaui bench`") from None
    if schema != SCHEMA:
        raise ValueError(f"{file} has the schema {schema!r}, not {SCHEMA!r}")
    return report


def _show(report: dict[str, Any], console: Console) -> None:
    """Every sheet as a table."""
    from rich.markup import escape
    from rich.table import Table

    from miaui_env.benchmark.speed.telling import busy, sheets

    about = report["machine"]
    releases = ", ".join(f"{name} {release}" for name, release in report["versions"].items())
    for line in (
        f"{about['processor']}, {about['cores']} cores, load {about['load']}; {releases}",
        f"Median of {report['repeats']} turns, [least, greatest] beside it.",
        f"A decision: {report['decision']}",
        busy(about),
    ):
        console.print(line, highlight=False, markup=False)
    for sheet in sheets(report):
        shown = Table(box=None, padding=(0, 1, 0, 0))
        for column, head in enumerate(sheet.heads):
            wordy = column in sheet.words
            width = min(24, max(len(row[0]) for row in sheet.rows)) if column == 0 else None
            side: JustifyMethod = "left" if wordy else "right"
            shown.add_column(head, justify=side, no_wrap=not wordy, min_width=width)
        for row in sheet.rows:
            shown.add_row(*map(escape, row))
        console.print(f"\n[bold]{sheet.title}[/bold]")
        console.print(shown, highlight=False)
        console.print(sheet.notes, highlight=False, markup=False)
