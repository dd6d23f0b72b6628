"""The ladder of games small enough to solve: their sizes and values, measured, checked, printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from rich.table import Table

from miaui_env.benchmark.exact import TOLERANCE, Exact, write_out
from miaui_env.benchmark.exploit import exploit
from miaui_env.benchmark.solving import solve
from miaui_env.benchmark.speed import machine, versions
from miaui_env.bots import load_bot
from miaui_env.registry import configured

SCHEMA = "miaui_env.exact/1"
GOOD_ENOUGH = 1e-8
"""NashConv at which solving stops."""
ITERATIONS = 5000
"""At most so many."""
COUNTS = ("deals", "histories", "infosets", "views")

Says = Callable[[str], object]


def measure(names: Sequence[str], says: Says = lambda what: None) -> dict[str, Any]:
    """All figures of these configurations, as JSON has them; `says` hears what is going on."""
    entries = [entry(name, says) for name in names]
    return {"schema": SCHEMA, "machine": machine(), "versions": versions(), "games": entries}


def entry(name: str, says: Says = lambda what: None) -> dict[str, Any]:
    """The figures of one configuration."""
    setup = configured(name)
    says(f"{name}: writing out")
    start = time.process_time()
    game = write_out(setup, lambda share: says(f"{name}: {share:.0%} written out"))
    written = time.process_time()
    solution = solve(
        game,
        GOOD_ENOUGH,
        ITERATIONS,
        lambda iteration, reached: says(f"{name}: iteration {iteration}, NashConv {reached:.1e}"),
    )
    solved = time.process_time()
    bots = {
        bot: exploit(load_bot(bot), game).nash_conv.mean for bot in ("random", *setup.game.bots)
    }
    return {
        "name": name,
        "game": setup.game.name,
        "game_version": setup.game.version,
        "setup": setup.description,
        "deals": game.deals,
        "histories": game.histories,
        "infosets": game.infosets,
        "views": views(game),
        "uniform_nash_conv": game.nash_conv(game.uniform()),
        "values": game.values(solution.profile).tolist(),
        "nash_conv": solution.nash_conv,
        "iterations": solution.iterations,
        "bots": bots,
        "seconds": {"written": written - start, "solved": solved - written},
    }


def views(game: Exact) -> int:
    """How many different observations there are at all seats' information states."""
    return sum(len({told.tobytes() for told in side.observations}) for side in game.sides)


def differences(here: dict[str, Any], published: dict[str, Any]) -> list[str]:
    """What two entries do not agree on, in words; times and iterations do not count."""
    name = here["name"]
    wrong = [
        f"{name}: {count} {here[count]}, published {published[count]}"
        for count in COUNTS
        if here[count] != published[count]
    ]
    figures = {bot: (here["bots"].get(bot), published["bots"][bot]) for bot in published["bots"]}
    figures["uniform"] = here["uniform_nash_conv"], published["uniform_nash_conv"]
    for what, (ours, theirs) in figures.items():
        if ours is None or abs(ours - theirs) > TOLERANCE:
            wrong.append(f"{name}: NashConv of {what} is {ours}, published {theirs}")
    unsure = here["nash_conv"] + published["nash_conv"]
    if len(here["values"]) == 2 and abs(here["values"][0] - published["values"][0]) > unsure:
        wrong.append(f"{name}: value {here['values'][0]}, published {published['values'][0]}")
    return wrong


# --- in words -----------------------------------------------------------------------------------


def row(told: dict[str, Any]) -> dict[str, str]:
    """A line of the table, by column."""
    seats, seconds = told["setup"]["num_players"], told["seconds"]
    return {
        "game": told["name"],
        "seats": str(seats),
        **{count: f"{told[count]:,}" for count in COUNTS},
        "value": f"{round(told['values'][0], 7) + 0.0:.7f}" if seats == 2 else "–",
        "uniform": f"{told['uniform_nash_conv']:.6f}",
        "solved": f"{told['nash_conv']:.1e}",
        "iterations": str(told["iterations"]),
        "seconds": f"{seconds['written']:.1f} + {seconds['solved']:.1f}",
    }


IN_SHORT = ("game", "infosets", "views", "value", "uniform", "solved", "seconds")
"""Columns that a terminal has room for."""


def table(report: dict[str, Any]) -> Table:
    """The report for a terminal."""
    shown = Table(box=None, padding=(0, 1, 0, 0))
    for head in IN_SHORT:
        shown.add_column(head, justify="left" if head == "game" else "right", no_wrap=True)
    for told in map(row, report["games"]):
        shown.add_row(*(told[head] for head in IN_SHORT))
    return shown


def page(report: dict[str, Any]) -> str:
    """The report as the page `docs/benchmarks/exact.md`."""
    told = report["games"]
    rows = list(map(row, told))
    bots = sorted({bot for one in told for bot in one["bots"]})
    figures = [
        [one["name"], *(f"{one['bots'][bot]:.6f}" if bot in one["bots"] else "–" for bot in bots)]
        for one in told
    ]
    setups = [f"- `{one['name']}`: {_setup_in_words(one)}" for one in told]
    processor = report["machine"]["processor"]
    return "\n".join(
        [
            PREFACE,
            *_markdown(list(rows[0]), [list(one.values()) for one in rows]),
            MEANING.format(enough=GOOD_ENOUGH, processor=processor),
            *_markdown(("NashConv of", *bots), figures),
            "",
            "## The setups",
            "",
            *setups,
            "",
        ]
    )


def _setup_in_words(told: dict[str, Any]) -> str:
    chosen = told["setup"].items()
    return ", ".join(
        f"{name}: {' '.join(value) if isinstance(value, (list, tuple)) else value}"
        for name, value in chosen
        if value is not None and value is not False
    )


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


PREFACE = """<!-- Written by `miaui exact --json docs/benchmarks/exact.json --page \
docs/benchmarks/exact.md`; change the JSON by measuring, never this page. -->

# Games small enough to solve

The names below are whole setups: `Tables("miaui-mini-1")`, `miaui_env.make("miaui-mini-1", "aec")`,
`miaui exploit BOT --game miaui-mini-1`, and for OpenSpiel
`miaui_env.adapters.openspiel.load("miaui-mini-1", chance="deals")`.
`miaui exact --check docs/benchmarks/exact.json` measures all of this again and says what differs.
"""

MEANING = """
- **deals**: ways in which all luck may come, equal ones as one: for Miaui Kiti's gap, the cards in
  the order in which they are laid, the Seagulls put back in round 1. **histories**: ways through
  the game, from a deal to an end. **infosets**: information states of all seats together, histories
  of a seat's own observations and actions. **views**: different observations at them: who decides
  by what it sees now alone plays another, smaller game.
- **value**: what seat 0 expects between two perfect players, in the reward "win" (1 win, 0 tie, −1
  loss), as exact as the column *solved* says. With three seats a game has no value.
- **uniform** and **solved**: NashConv, the sum over seats of what each could gain by its best
  response to the others: of play at random, and of what PCFR+ (`miaui_env/benchmark/solving.py`)
  came to when it stopped, at {enough:.0e}. With three seats nothing promises that it gets there.
- **seconds**: of one core of {processor}, to write the game out, and to solve it.

NashConv of bots that sit at every seat, exact, by `miaui exploit BOT --game NAME`:
"""
