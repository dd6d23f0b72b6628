"""The report in words: the same tables for a terminal and for `docs/benchmarks/speed.md`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from miaui_env.benchmark.speed.goals import Goal, goals
from miaui_env.benchmark.speed.run import Spread


class Sheet(NamedTuple):
    """One table of figures.

    Attributes:
        title: what it is about.
        heads: of the columns.
        rows: as texts, as many as heads each.
        notes: what one has to know to read it.
        words: which columns hold words, not figures: they begin at the left and may be wrapped.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: str
    words: tuple[int, ...] = (0,)


def sheets(report: dict[str, Any]) -> Iterator[Sheet]:
    """The goals, then each section that was measured."""
    yield _goals(report)
    for name, told in report["sections"].items():
        yield from SHEETS[name](told)
    if report["skipped"]:
        rows = [[name, why] for name, why in report["skipped"].items()]
        yield Sheet("Not measured", ("what", "why"), rows, "", (0, 1))


def busy(about: dict[str, Any]) -> str:
    """A warning where other work shared the machine: a run alone keeps at most all cores busy."""
    if about["load"] is None or about["load"] <= BUSY * about["cores"]:
        return ""
    return (
        f"Other work shared this machine (load {about['load']:.1f} on {about['cores']} cores): "
        "these figures are too noisy to judge by."
    )


BUSY = 1.5
"""Load for each core above which others are at work."""


def _goals(report: dict[str, Any]) -> Sheet:
    rows = [
        [goal.what, _wanted(goal), _figure(goal.reached), _verdict(goal), goal.reason]
        for goal in goals(report)
    ]
    heads = ("goal", "wanted", "reached", "met", "why not")
    notes = "Median, with the least and the greatest of all turns."
    return Sheet("Goals", heads, rows, notes, (0, 4))


def _wanted(goal: Goal) -> str:
    return f"{'at most' if goal.at_most else 'at least'} {short(goal.wanted)}"


def _verdict(goal: Goal) -> str:
    return {True: "yes", False: "NO", None: "not measured"}[goal.met]


# --- the sections -------------------------------------------------------------------------------


def _tables(told: dict[str, Any]) -> Iterator[Sheet]:
    heads = [
        "game",
        "seats",
        "tables",
        *told["layers"],
        "all cores",
        "to one",
        "apart",
        "bytes",
        "to a copy",
    ]
    rows = [
        [
            row["game"],
            str(row["seats"]),
            f"{row['batch']:,}",
            *(short(row["one"][layer]["median"]) for layer in told["layers"]),
            short(row["all"]["observations"]["median"]),
            short(row["all_to_one"]["median"]),
            short(row["apart_to_one"]["median"]) if row["apart_to_one"] else "",
            str(row["bytes"]),
            short(row["to_copy"]["median"]),
        ]
        for row in told["rows"]
    ]
    layers = "; ".join(f"{name}: {what}" for name, what in told["layers"].items())
    notes = (
        f"Decisions a second of `Tables` on one core, by what a step does ({layers}). All cores: "
        f"everything, with threads={told['all_cores']}, and as a ratio to one core; apart: that "
        "ratio of threads that play tables of their own, choose actions too and have nothing to do "
        "with each other, which is what the cores of this machine give. Bytes: what is written a "
        "decision, an observation and a mask; to a copy: the speed on one core as a share of that "
        "at which a plain copy of the same bytes makes them."
    )
    yield Sheet("Tables", heads, rows, notes)


def _beside_c(told: dict[str, Any]) -> Iterator[Sheet]:
    rows = [
        [_table_of(row), short(row["per_second"]["median"]), _figure(row["to_c"])]
        for row in told["rows"]
    ]
    if told["per_second"]:
        name = f"{told['game']}, {told['seats']} seats, in C"
        rows.append([name, short(told["per_second"]["median"]), "1"])
    notes = (
        f"Decisions a second on one core, {told['batch']:,} tables, observations and masks, in "
        f"turns with C ({told['compiler'] or 'not measured'})."
    )
    yield Sheet("Beside C", ("tables", "decisions/s", "to C"), rows, notes)


def _interfaces(told: dict[str, Any]) -> Iterator[Sheet]:
    rows = []
    for row in told["rows"]:
        speed = [f"{row['tables']:,}", short(row["per_second"]["median"])]
        name = row["interface"].partition(" ")[0]
        name += f" ({row['opponents']})" if "opponents" in row else ""
        for other, beside in row["beside"].items():
            its = short(beside["per_second"]["median"])
            rows.append([name, *speed, other, its, _figure(beside["ratio"])])
            name, speed = "", ["", ""]
    notes = (
        f"Decisions a second at tables of {told['seats']}. Doing nothing: an environment with the "
        "same spaces and agents that does nothing, the interface's own limit. In brackets: the "
        "bots that the environment seats; in the vector environment their decisions count, too, in "
        "the one for a single seat they do not."
    )
    heads = ("interface", "tables", "decisions/s", "beside", "its decisions/s", "ratio")
    yield Sheet("Interfaces", heads, rows, notes, (0, 3))


def _states(told: dict[str, Any]) -> Iterator[Sheet]:
    what = told["what"]
    rows = [
        [_table_of(row), *(short(row["per_second"][name]["median"]) for name in what)]
        for row in told["rows"]
    ]
    batch = f"One call does {told['batch']:,}, unless another number stands here. "
    notes = batch + "; ".join(f"{name}: {words}" for name, words in what.items()) + "."
    yield Sheet("States, a second", ("game", *what), rows, notes)


def _start(told: dict[str, Any]) -> Iterator[Sheet]:
    rows = [
        [
            words,
            _figure(told["warm"][name]),
            _figure(told["to_floor"].get(name)),
            _figure(told["cold"].get(name)),
            _figure(told["cold_to_imports"].get(name)),
        ]
        for name, words in told["what"].items()
    ]
    heads = ("a fresh process", "warm, s", "to the floor", "cold, s", "to the imports")
    notes = (
        "Seconds of a whole process. Cold: nothing compiled; warm: what was compiled before is "
        "read from disk. The floor is the second line."
    )
    yield Sheet("Start", heads, rows, notes)


def _memory(told: dict[str, Any]) -> Iterator[Sheet]:
    rows = [[_table_of(row), f"{row['record']:,}", f"{row['all']:,.0f}"] for row in told["rows"]]
    grown = (
        f"The greatest size of a process that plays {told['games']:,} games: after a tenth of "
        f"them {told['before'] / 2**20:,.1f} MiB, after all {told['after'] / 2**20:,.1f} MiB."
        if told["before"]
        else "How large a process grows is not told here."
    )
    notes = (
        "Bytes a table: the record that is its state, and everything that `Tables` keeps, two sets "
        f"of observations among it. {grown}"
    )
    yield Sheet("Memory", ("game", "state", "all"), rows, notes)


def _learning(told: dict[str, Any]) -> Iterator[Sheet]:
    rows = [
        [WAYS[name], _figure(speed), _figure(told["to_others"].get(name))]
        for name, speed in told["per_second"].items()
    ]
    size = told["setting"]
    notes = (
        f"Decisions learned from a second, on {size['threads']} thread of torch: a shared trunk of "
        f"{' × '.join(map(str, size['widths']))}, {size['epochs']} epochs; {size['tables']:,} "
        f"tables, {size['rollout']} decisions of each learner a rollout, minibatches of "
        f"{size['minibatch']:,}. The tutorial's way: one AEC game, {size['tutorial']:,} decisions "
        "a rollout, minibatches of 64, the same network and epochs."
    )
    yield Sheet("Training", ("a training step by", "decisions/s", "ours to it"), rows, notes)
    parts = [[name, f"{100 * part['median']:.1f} %"] for name, part in told["parts"].items()]
    yield Sheet("Where its time goes", ("part of ours", "share"), parts, "")


WAYS = {
    "ours": "MaskablePPO over our VecEnv",
    "stock": "the same with sb3-contrib's own policy",
    "bare": "bare torch over our VecEnv",
    "tutorial": "MaskablePPO as PettingZoo's tutorial has it",
}


def _peers(told: dict[str, Any]) -> Iterator[Sheet]:
    ours = {"Tables": told["ours"]["tables"], "aec": told["ours"]["aec"]}
    rows = [
        [f"ours, {name}", "1", "", short(speed["median"]), "", ""] for name, speed in ours.items()
    ]
    for row in told["rows"]:
        releases = ", ".join(f"{name} {release}" for name, release in row["releases"].items())
        ratios = [_figure(row["tables_to_it"]), _figure(row["aec_to_it"])]
        speed = short(row["per_second"]["median"])
        rows.append([row["peer"], row["cores"], releases, speed, *ratios])
    heads = ("peer", "cores", "releases", "decisions/s", "Tables to it", "aec to it")
    words = {row["peer"]: row["what"] for row in told["rows"]}
    what = " ".join(f"{name}: {word}" for name, word in words.items())
    notes = f"In turns, ours at {told['batch']:,} tables on one core. {what}"
    yield Sheet("Peers", heads, rows, notes, (0, 2))


SHEETS: dict[str, Callable[[dict[str, Any]], Iterator[Sheet]]] = {
    "start": _start,
    "memory": _memory,
    "beside_c": _beside_c,
    "tables": _tables,
    "interfaces": _interfaces,
    "states": _states,
    "learning": _learning,
    "peers": _peers,
}


# --- figures ------------------------------------------------------------------------------------


def _table_of(row: dict[str, Any]) -> str:
    return f"{row['game']}, {row['seats']} seats"


def short(number: float) -> str:
    """`5.48 M`, `157 k`, `1,024` or `0.93`."""
    if number >= 1e6:
        return f"{number / 1e6:.3g} M"
    if number >= 1e4:
        return f"{number / 1e3:.3g} k"
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def _figure(told: Spread | None) -> str:
    """The median, and from where to where it went; nothing where nothing was measured."""
    if told is None:
        return ""
    if told["low"] == told["high"]:
        return short(told["median"])
    return f"{short(told['median'])} [{short(told['low'])}, {short(told['high'])}]"
