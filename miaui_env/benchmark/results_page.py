"""The benchmark's tables and pictures, made from entries alone: JSON, Markdown, SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from miaui_env.benchmark import charts, curves, exploit, response, result
from miaui_env.benchmark.entries import TABLES, Entry
from miaui_env.benchmark.figures import Figure
from miaui_env.benchmark.protocol import rung_of
from miaui_env.benchmark.report import Row, markdown
from miaui_env.game import Setup
from miaui_env.registry import find

BEGIN, END = "<!-- results: {} -->", "<!-- end of results -->"
"""Around what is written into a page; the first one names the chapter."""
MARKER = re.compile(r"^<!-- (?:results: (\S+)|end of results) -->$", re.MULTILINE)
"""Either of them, alone in its line."""


def tables(entries: Sequence[Entry]) -> dict[str, Any]:
    """All tables, as JSON has them.

    Returns:
        `entries`: name, algorithm, budget of each; `ladders`: a table a setup; `small`: NashConv by
        game and entry; `responses`: what learned best responses gained.
    """
    return {
        "schema": TABLES,
        "entries": [_about(entry) for entry in entries],
        "ladders": ladders(entries),
        "small": small(entries),
        "responses": [_response(told) for told in _all(entries, response.SCHEMA)],
    }


def _all(entries: Iterable[Entry], schema: str) -> list[dict[str, Any]]:
    return [told for entry in entries for told in entry.of(schema)]


def _about(entry: Entry) -> dict[str, Any]:
    """What it is, and what it cost, if only as its curves tell."""
    runs = [run for told in entry.of(curves.SCHEMA) for run in told["runs"]]
    drawing = {"runs": len(runs), "seconds": round(sum(run["seconds"] for run in runs))}
    budget = entry.budget or (drawing if runs else {})
    return {"name": entry.name, "algorithm": entry.algorithm, "budget": budget}


# --- the ladder -----------------------------------------------------------------------------------


def ladders(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """One table for each setup at which entries sat alone among copies of another bot."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        for told in entry.of(result.SCHEMA):
            rung = rung_of(told)
            if rung is not None:
                table = found.setdefault(_where(told), _table(told))
                if rung not in table["rungs"]:
                    table["rungs"].append(rung)
                table["rows"].setdefault(entry.name, {})[rung] = _cell(told)
    return list(found.values())


def _where(told: Mapping[str, Any]) -> str:
    return repr((told["game"], told["game_version"], sorted(told["setup"].items())))


def _table(told: Mapping[str, Any]) -> dict[str, Any]:
    about = {name: told[name] for name in ("game", "game_version", "setup", "equal_share")}
    return {**about, "rungs": [], "rows": {}}


def _cell(told: Mapping[str, Any]) -> dict[str, Any]:
    """What one line-up gave the bot, and under which conditions."""
    name = told["lineup"][0]
    mine = told["bots"][0]
    return {
        "win_share": mine["win_share"],
        "forfeits": mine["forfeits"],
        "deterministic": told.get("deterministic", {}).get(name),
        "milliseconds": told["milliseconds"][name],
        "card": told["cards"].get(name),
        **{what: told[what] for what in ("deals", "rotations", "purpose", "seed", "versions")},
    }


# --- small games ----------------------------------------------------------------------------------


def small(entries: Sequence[Entry]) -> dict[str, dict[str, Any]]:
    """Game → entry → NashConv: at the end of each run of a curve, or of a bot."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        for told in entry.of(curves.SCHEMA):
            ends = {"nash_conv": curves.last(told), "unit": told["unit"], "spent": _spent(told)}
            found.setdefault(told["configuration"], {})[entry.name] = ends
        for told in entry.of(exploit.SCHEMA):
            ends = {"nash_conv": [told["nash_conv"]], "exact": told["exact"]}
            found.setdefault(told["game"], {})[entry.name] = ends
    return dict(sorted(found.items()))


def _spent(told: Mapping[str, Any]) -> int:
    """Iterations or decisions of a run."""
    return int(told["runs"][-1]["points"][-1][0])


def _response(told: Mapping[str, Any]) -> dict[str, Any]:
    arena = told["arena"]
    return {
        **{name: told[name] for name in ("bot", "game", "configuration", "setup", "budget")},
        **{name: told[name] for name in ("gain", "nash_conv")},
        "of_nash_conv": vars(response.of_nash_conv(told)),
        "verdict": response.verdict(told),
        "win_share": arena["bots"][0]["win_share"],
        **{name: arena[name] for name in ("deals", "rotations", "purpose", "seed", "equal_share")},
    }


# --- in words -------------------------------------------------------------------------------------


def chapters(data: Mapping[str, Any]) -> dict[str, str]:
    """Markdown by chapter: entries, ladder, small, responses; only those that have something."""
    told = {
        "entries": markdown(("entry", "what it is", "what it cost"), _entries(data)),
        "ladder": "\n\n".join(map(_ladder, data["ladders"])),
        "small": _small(data["small"]) if data["small"] else "",
        "responses": _responses(data["responses"]) if data["responses"] else "",
    }
    return {name: text for name, text in told.items() if text}


def _entries(data: Mapping[str, Any]) -> list[Row]:
    return [(told["name"], told["algorithm"], _budget(told["budget"])) for told in data["entries"]]


def _budget(budget: Mapping[str, Any]) -> str:
    """`8,042,496 decisions, 240 seconds, seed 1`."""
    told = [
        f"seed {value}" if name == "seed" else f"{_number(value)} {name}"
        for name, value in budget.items()
        if value is not None
    ]
    return ", ".join(told) or "–"


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, (int, float)) else str(value)


def _ladder(table: Mapping[str, Any]) -> str:
    rungs, rows = table["rungs"], table["rows"]
    heads = ("alone among", *rungs, "ms a move", "forfeits")
    body = [_ladder_row(name, cells, rungs) for name, cells in _strongest_first(rows, rungs)]
    return f"{_heading(table, rows.values())}\n\n{markdown(heads, body)}"


def _heading(table: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> str:
    """Game, options, and how many deals each rung has."""
    deals: dict[str, set[int]] = {}
    for cells in rows:
        for rung, cell in cells.items():
            deals.setdefault(rung, set()).add(cell["deals"])
    played = ", ".join(f"{rung} {'/'.join(map(str, sorted(n)))}" for rung, n in deals.items())
    n = table["setup"]["num_players"]
    return (
        f"**{table['game']}** version {table['game_version']}, {n} seats{_options(table)}: win "
        f"share, equal share {table['equal_share']:.3f}; deals (each in {n} rotations): {played}"
    )


def _options(table: Mapping[str, Any]) -> str:
    """Those that are not as the game has them by itself."""
    usual = Setup.of(find(table["game"]), table["setup"]["num_players"]).description
    told = [
        name if value is True else f"{name} {value}"
        for name, value in table["setup"].items()
        if value != usual[name]
    ]
    return "".join(f", {words}" for words in told)


def _strongest_first(
    rows: Mapping[str, Mapping[str, Any]], rungs: Sequence[str]
) -> list[tuple[str, Mapping[str, Any]]]:
    """By the mean over all rungs; rows that lack some come last."""

    def worth(item: tuple[str, Mapping[str, Any]]) -> tuple[int, float]:
        shares = [cell["win_share"]["mean"] for cell in item[1].values()]
        return len(shares), sum(shares) / len(shares)

    return sorted(rows.items(), key=worth, reverse=True)


def _ladder_row(name: str, cells: Mapping[str, Any], rungs: Sequence[str]) -> Row:
    shares = [
        Figure(**cells[rung]["win_share"]).words(3) if rung in cells else "–" for rung in rungs
    ]
    pace = sum(cell["milliseconds"] for cell in cells.values()) / len(cells)
    forfeits = sum(cell["forfeits"] for cell in cells.values())
    clock = any(cell["deterministic"] is False for cell in cells.values())
    return f"{name} (by the clock)" if clock else name, *shares, f"{pace:.3g}", str(forfeits)


def _small(found: Mapping[str, Mapping[str, Any]]) -> str:
    units = {name: told.get("unit") for game in found.values() for name, told in game.items()}
    rows = [
        (
            f"{name} ({unit})" if unit else name,
            *(_nash_conv(game.get(name)) for game in found.values()),
        )
        for name, unit in units.items()
    ]
    return markdown(("NashConv of", *found), rows)


def _nash_conv(told: Mapping[str, Any] | None) -> str:
    """`0.0123`, or the mean over seeds with the least and the most."""
    if told is None:
        return "–"
    ends = told["nash_conv"]
    spread = f" [{_small_number(min(ends))}, {_small_number(max(ends))}]" if len(ends) > 1 else ""
    spent = f" after {told['spent']:,}" if "spent" in told else ""
    sure = "" if told.get("exact", True) else " (estimated)"
    return _small_number(sum(ends) / len(ends)) + spread + spent + sure


def _small_number(value: float) -> str:
    return f"{value:.4f}" if value >= 0.001 else f"{value:.1e}"


def _responses(found: Sequence[Mapping[str, Any]]) -> str:
    heads = ("bot", "table", "decisions", "win share", "gain a seat", "of NashConv", "exactly")
    return markdown(heads, [_response_row(told) for told in found])


def _response_row(told: Mapping[str, Any]) -> Row:
    n, gain = told["setup"]["num_players"], Figure(**told["gain"])
    bounded = Figure(**told["of_nash_conv"])
    proven = gain.low is not None and gain.low > 0
    exactly = "–" if told["nash_conv"] is None else f"{told['nash_conv']:.4f}"
    return (
        told["bot"],
        told["configuration"] or f"{told['game']}, {n} seats",
        f"{told['budget']['decisions']:,}",
        Figure(**told["win_share"]).words(3),
        gain.words(3),
        bounded.words(3) if proven else "nothing gained",
        exactly,
    )


# --- the page -------------------------------------------------------------------------------------


def written_into(page: str, parts: Mapping[str, str]) -> str:
    """The page with each chapter between its markers.

    Raises:
        ValueError: for a chapter whose markers the page lacks, and for markers that are not in
            pairs or that a page has twice.
    """
    there = chapters_of(page)
    for name, text in parts.items():
        begin = BEGIN.format(name)
        if name not in there:
            raise ValueError(f"the page lacks {begin!r} and, below it, {END!r}")
        old = re.search(f"^{re.escape(begin)}$.*?^{END}$", page, re.MULTILINE | re.DOTALL)
        assert old is not None  # as `chapters_of` has seen
        page = f"{page[: old.start()]}{begin}\n\n{text}\n\n{END}{page[old.end() :]}"
    return page


def chapters_of(page: str) -> list[str]:
    """Names of the chapters that a page has markers for.

    Raises:
        ValueError: see `written_into`.
    """
    found, still_open = list[str](), ""
    for name in MARKER.findall(page):
        if name and still_open:
            raise ValueError(f"{BEGIN.format(name)!r} comes before the end of {still_open!r}")
        if not name and not still_open:
            raise ValueError(f"the page has an {END!r} that ends nothing")
        if name in found:
            raise ValueError(f"the page has {BEGIN.format(name)!r} twice")
        found += [name] if name else []
        still_open = name
    if still_open:
        raise ValueError(f"the page lacks an {END!r} below {BEGIN.format(still_open)!r}")
    return found


# --- pictures -------------------------------------------------------------------------------------


def pictures(entries: Sequence[Entry]) -> dict[str, str]:
    """File name → SVG: for each small game, NashConv of all curves."""
    found: dict[str, dict[str, list[list[tuple[float, float]]]]] = {}
    for entry in entries:
        for told in entry.of(curves.SCHEMA):
            drawn = [line for run in told["runs"] if (line := _drawable(run["points"]))]
            if drawn:
                found.setdefault(told["configuration"], {})[entry.name] = drawn
    return {
        f"nashconv-{game}.svg": charts.lines(
            f"NashConv on {game}", series, "iterations, or decisions learned from"
        )
        for game, series in sorted(found.items())
    }


def _drawable(points: Iterable[Sequence[float]]) -> list[tuple[float, float]]:
    """Those that logarithmic axes have."""
    return [(x, y) for x, y in points if x > 0 and y > 0]
