"""A tournament's JSON in words: tables for the terminal (80 columns) and Markdown, and pictures."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from miaui_env.benchmark import charts
from miaui_env.benchmark.field import SCHEMA
from miaui_env.benchmark.figures import Figure

Row = tuple[str, ...]
Render = Callable[[Row, Sequence[Row]], str]
"""Makes a table of headings and rows."""
_NAME = 20
"""Characters of a name in a narrow table."""
_COLUMNS = 10
"""Opponents side by side in one table of pay-offs."""
_PARAMETER = re.compile(r"^(.*?[:~])(\d+(?:\.\d+)?)(\D*)$")


def checked(data: Any) -> Mapping[str, Any]:
    """The JSON of a tournament; ValueError for anything else."""
    found = data.get("schema") if isinstance(data, dict) else type(data).__name__
    if found != SCHEMA:
        raise ValueError(f"this is no {SCHEMA}, but {found!r}")
    return dict(data)


def seats_of(data: Mapping[str, Any]) -> int:
    """At a table."""
    return int(data["setup"]["num_players"])


def payoff(data: Mapping[str, Any], what: str = "win_share") -> list[list[float | None]]:
    """What each bot has alone among copies of each other one; None where they did not meet."""
    names = data["bots"]
    met: dict[tuple[str, str], float | None] = {}
    for match in data["matches"]:
        if match["kind"] == "duel":
            one, other = match["lineup"][:2]
            met[one, other] = match["bots"][one][what]["mean"]
            if seats_of(data) == 2:
                met[other, one] = match["bots"][other][what]["mean"]
    return [[met.get((a, b)) for b in names] for a in names]


# --- tables ---------------------------------------------------------------------------------------


def aligned(headings: Row, rows: Sequence[Row]) -> str:
    """A table in plain text; the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in (headings, *rows)
    )


def markdown(headings: Row, rows: Sequence[Row]) -> str:
    """A table in Markdown."""
    rule = ("---", *("---:" for _ in headings[1:]))
    cells = (tuple(cell.replace("|", "\\|") for cell in row) for row in (headings, rule, *rows))
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def words(data: Mapping[str, Any], render: Render = aligned) -> str:
    """All tables of a tournament, in the order in which they should be read."""
    title = textwrap.fill(data["title"], 80)
    return "\n\n".join([title, *_chapters(data, render), _counts(data)]) + "\n"


def _chapters(data: Mapping[str, Any], render: Render) -> Iterator[str]:
    short = short_names(data["bots"], _NAME if render is aligned else None)
    yield "Pay-offs: % of the win, the row's bot alone among copies of the column's"
    yield from _payoff_tables(data, short, render)
    yield f"Ratings (400 points are ten times the strength; 0 is the {_zero(data)})"
    yield render(("bot", "rating [95 %]"), [*_ratings(data, short)])
    yield _misfit(data)
    yield _cycles(data)
    if any(match["kind"] == "mixed" for match in data["matches"]):
        yield f"Mixed tables: % of the win of each bot there; equals win {100 / seats_of(data):.0f}"
        yield from _mixed(data, short, render)
    yield "Answers"
    heads = ("bot", "games", "forfeits", "late", "ms a move", "deterministic")
    yield render(heads, [*_answers(data, short)])


def short_names(names: Sequence[str], most: int | None) -> dict[str, str]:
    """Names cut to `most` characters, with a number in front, which tells them apart."""
    told = {name: f"{i + 1} {name}" for i, name in enumerate(names)}
    if most is None:
        return told
    return {n: t if len(t) <= most else f"{t[: most - 9]}…{t[-8:]}" for n, t in told.items()}


def _payoff_tables(
    data: Mapping[str, Any], short: Mapping[str, str], render: Render
) -> Iterator[str]:
    table = payoff(data)
    for first in range(0, len(table), _COLUMNS):
        columns = range(first, min(first + _COLUMNS, len(table)))
        headings = ("bot", *(str(j + 1) for j in columns))
        yield render(
            headings,
            [
                (short[name], *(_percent(table[i][j]) for j in columns))
                for i, name in enumerate(data["bots"])
            ],
        )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _zero(data: Mapping[str, Any]) -> str:
    return "mean of the field" if data["anchor"] is None else f"bot {data['anchor']!r}"


def _ratings(data: Mapping[str, Any], short: Mapping[str, str]) -> Iterator[Row]:
    for name, figure in data["ratings"].items():
        yield short[name], Figure(**figure).words(0)


def _misfit(data: Mapping[str, Any]) -> str:
    off, worst = data["misfit"]["root_mean_square"], data["misfit"]["worst"]
    return (
        f"Ratings miss the win shares by {100 * off:.1f} % (root mean square), most in\n"
        f"{worst['match']}:\n{worst['bot']} won {100 * worst['played']:.1f} %, "
        f"by its rating {100 * worst['by_rating']:.1f} %"
    )


def _cycles(data: Mapping[str, Any]) -> str:
    told = data["cycles"]
    found = "\n".join(" > ".join([*cycle, cycle[0]]) for cycle in told["found"])
    return (
        f"Cycles: {Figure(**told['share']).words(3)} of the duels' squared advantages\n"
        f"(noise alone would make {told['by_chance']:.3f}); "
        + (f"beyond doubt:\n{found}" if found else "no cycle beyond doubt")
    )


def _mixed(data: Mapping[str, Any], short: Mapping[str, str], render: Render) -> Iterator[str]:
    tables = [match["bots"] for match in data["matches"] if match["kind"] == "mixed"]
    for first in range(0, len(tables), _COLUMNS):
        columns = tables[first : first + _COLUMNS]
        headings = ("bot", *(f"t{first + j + 1}" for j in range(len(columns))))
        yield render(
            headings,
            [
                (short[name], *(_percent(_share(table, name)) for table in columns))
                for name in data["bots"]
            ],
        )


def _share(table: Mapping[str, Any], name: str) -> float | None:
    """What a bot (each of its copies) wins at a table; None where it does not sit."""
    share: float | None = table[name]["win_share"]["mean"] if name in table else None
    return share


def _answers(data: Mapping[str, Any], short: Mapping[str, str]) -> Iterator[Row]:
    for name, told in data["field"].items():
        numbers = (str(told[what]) for what in ("games", "forfeits", "late"))
        sure = {True: "yes", False: "no"}.get(told.get("deterministic"), "–")
        yield short[name], *numbers, f"{told['milliseconds']:.3g}", sure


def _counts(data: Mapping[str, Any]) -> str:
    counts = data["counts"]
    lines = [
        f"{data['deals']} deals × {len(data['matches'])} matches: {counts['requested']} games "
        f"requested, {counts['finished']} finished,",
        f"{counts['forfeited']} forfeited, {counts['failed']} failed; "
        f"population {data['population'][:12]}",
    ]
    errors = [f"{name}: {told['error']}" for name, told in data["field"].items() if told["error"]]
    return "\n".join([*lines, *errors])


# --- pictures -------------------------------------------------------------------------------------


def pictures(data: Mapping[str, Any]) -> dict[str, str]:
    """File name → SVG: the pay-offs, the ratings, and strength over a parameter where there is one.

    A parameter is the number in names like `search:100`; three of a kind make a curve.
    """
    title = f"{data['game']}, {seats_of(data)} seats"
    equal = 1 / seats_of(data)
    drawn = {
        "payoff.svg": charts.heat_map(f"% of the win: {title}", data["bots"], payoff(data), equal),
        "ratings.svg": charts.whiskers(f"Ratings: {title}", data["ratings"], "rating"),
    }
    for family, members in families(data["bots"]).items():
        points = [(number, data["ratings"][name]) for number, name in members]
        file = re.sub(r"[^\w.-]+", "-", f"strength-{family}").strip("-")
        drawn[f"{file}.svg"] = charts.curve(f"Rating of {family}: {title}", points)
    return drawn


def families(names: Sequence[str]) -> dict[str, list[tuple[float, str]]]:
    """Bots that differ by a number only, by that number, where there are three or more."""
    found: dict[str, list[tuple[float, str]]] = {}
    for name in names:
        if match := _PARAMETER.match(name):
            found.setdefault(match[1] + "…" + match[3], []).append((float(match[2]), name))
    return {family: sorted(members) for family, members in found.items() if len(members) > 2}
