"""`docs/benchmarks/speed.md` and its pictures, from the report's JSON alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from miaui_env.benchmark.charts import curves
from miaui_env.benchmark.speed.telling import Sheet, busy, sheets
from miaui_env.files import write_text

PREFACE = """<!-- Written by `miaui bench --from docs/benchmarks/speed.json \
--page docs/benchmarks/speed.md`; change the JSON by measuring, never this page. -->

# How fast the environments are

{warnings}By {command}, on {machine}.

Every figure is the median of {repeats} turns, in which all that is compared plays one after the
other, each for a moment before its time is taken; ratios are taken turn by turn, and brackets hold
the least and the greatest. Machines differ, and so do hours: compare ratios, not speeds. The JSON
beside this page has every figure's spread.

A decision: {decision}

{versions}.
"""
QUICK = "**A quick run, which shows that all works; its figures mean nothing.**\n\n"


def write_page(file: Path, report: dict[str, Any]) -> None:
    """The page, and its pictures beside it; each whole or not at all."""
    write_text(file, page(report, file.stem))
    for name, drawn in pictures(report, file.stem).items():
        write_text(file.with_name(name), drawn)


def page(report: dict[str, Any], stem: str = "speed") -> str:
    """The report in Markdown, with links to `pictures(report, stem)`."""
    shown = "".join(_section(sheet) for sheet in sheets(report))
    drawn = "".join(f"\n![{name}]({name})\n" for name in pictures(report, stem))
    return f"{_preface(report)}{drawn}{shown}"


def _preface(report: dict[str, Any]) -> str:
    about = report["machine"]
    load = "" if about["load"] is None else f", at a load of {about['load']:.1f} in the end"
    machine = f"{about['processor']}, {about['cores']} cores, {about['system']}{load}"
    first, peers = ("`make peers` and ", " --peers") if "peers" in report["sections"] else ("", "")
    quick = " --quick" if report["quick"] else ""
    files = "--json docs/benchmarks/speed.json --page docs/benchmarks/speed.md"
    command = f"{first}`miaui bench{peers}{quick} --repeats {report['repeats']} {files}`"
    return PREFACE.format(
        command=command,
        warnings=(QUICK if report["quick"] else "") + _warning(about),
        machine=machine,
        repeats=report["repeats"],
        decision=report["decision"],
        versions=", ".join(f"{name} {release}" for name, release in report["versions"].items()),
    )


def _warning(about: dict[str, Any]) -> str:
    told = busy(about)
    return f"**{told}**\n\n" if told else ""


def _section(sheet: Sheet) -> str:
    sides = ["---" if column in sheet.words else "---:" for column in range(len(sheet.heads))]
    lines = [sheet.heads, sides, *(map(_in_one_cell, row) for row in sheet.rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    notes = f"{sheet.notes}\n\n" if sheet.notes else ""
    return f"\n## {sheet.title}\n\n{notes}{table}\n"


def _in_one_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# --- pictures -----------------------------------------------------------------------------------


def pictures(report: dict[str, Any], stem: str = "speed") -> dict[str, str]:
    """File name → SVG: speed over batch size, and cost over seats; none where it was left out."""
    tables = report["sections"].get("tables")
    if tables is None:
        return {}
    own = [row for row in tables["rows"] if row["game"] == report["game"]]
    seats = _usual(own, report)
    batches = _over_batches([row for row in own if row["seats"] == seats], tables)
    title = f"Tables of {report['game']}, {seats} seats: decisions a second"
    return {
        f"{stem}-batch.svg": curves(title, batches, "tables side by side", logarithmic=True),
        f"{stem}-seats.svg": curves(
            "Everything that a step does, on one core: ns a decision",
            dict(_over_seats(tables["rows"])),
            "seats",
        ),
    }


def _usual(rows: Sequence[dict[str, Any]], report: dict[str, Any]) -> int:
    """The seats at which all else was measured, or the most there are."""
    told = report["sections"].get("interfaces") or {}
    return int(told.get("seats") or max(row["seats"] for row in rows))


def _over_batches(
    rows: Sequence[dict[str, Any]], tables: dict[str, Any]
) -> dict[str, dict[float, float]]:
    lines = {
        f"{layer}, one core": {row["batch"]: row["one"][layer]["median"] for row in rows}
        for layer in tables["layers"]
    }
    everything = list(tables["layers"])[-1]
    all_cores = {row["batch"]: row["all"][everything]["median"] for row in rows}
    copied = {row["batch"]: row["copy"]["median"] for row in rows}
    return {**lines, f"{everything}, all cores": all_cores, "a plain copy": copied}


def _over_seats(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, dict[float, float]]]:
    """Of each game, at the greatest batch at which no memory is short: 4096, or the greatest."""
    batches = {row["batch"] for row in rows}
    batch = 4096 if 4096 in batches else max(batches)
    for game in dict.fromkeys(row["game"] for row in rows):
        yield (
            game,
            {
                row["seats"]: 1e9 / row["one"]["observations"]["median"]
                for row in rows
                if row["game"] == game and row["batch"] == batch
            },
        )
