"""How fast the environments are here: decisions per second by interface, and the time to start."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from rich.table import Table

import miaui_env
from miaui_env.benchmark.driving import A_DECISION, INTERFACES, Once, tables_player
from miaui_env.benchmark.yardsticks import NoYardstick, Yardstick
from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup

SCHEMA = "miaui_env.speed/1"
BATCHES = (1, 64, 4096)
SECONDS = 0.2
"""Time inside the environment for one measurement."""


def measure(game: Game, repeats: int, say: Callable[[str], object]) -> dict[str, Any]:
    """Everything that `miaui bench` tells, as JSON-able values; `say` hears what goes on.

    Raises:
        ValueError: for no repeats.
    """
    if repeats < 1:
        raise ValueError(f"repeats is 1 or more, not {repeats}")
    rates = []
    for seats in game.players:
        for batch in BATCHES:
            say(f"tables, {seats} seats, {batch} side by side")
            rates.append(_tables_rate(Setup.of(game, seats), batch, repeats))
    skipped = {}
    say("the same in C")
    try:
        rates += _beside_c(game, repeats)
    except NoYardstick as missing:
        skipped["c"] = str(missing)
    for interface in INTERFACES:
        say(interface)
        try:
            rates.append(_interface_rate(game, interface, repeats))
        except ImportError as missing:
            skipped[interface] = str(missing)
    say("start of a fresh process, first cold, then warm")
    return {
        "schema": SCHEMA,
        "game": game.name,
        "game_version": game.version,
        "machine": machine(),
        "versions": versions(),
        "repeats": repeats,
        "decision": A_DECISION,
        "rates": rates,
        "skipped": skipped,
        "start": starts(game, repeats),
    }


# --- decisions per second -----------------------------------------------------------------------


def _rate(once: Once, repeats: int) -> dict[str, float]:
    """Decisions per second: median, least and greatest of several measurements."""
    once()  # compiles what is not compiled yet
    measured = []
    for _ in range(repeats):
        decisions, spent = 0, 0.0
        while spent < SECONDS:
            more, seconds = once()
            decisions, spent = decisions + more, spent + seconds
        measured.append(decisions / spent)
    return _spread(measured)


def _spread(measured: list[float]) -> dict[str, float]:
    return {"median": statistics.median(measured), "low": min(measured), "high": max(measured)}


def _tables_rate(setup: Setup, batch: int, repeats: int) -> dict[str, Any]:
    once = tables_player(Tables(setup, batch, seed=0))
    told = {"interface": "tables", "seats": setup.num_players, "batch": batch}
    return told | {"per_second": _rate(once, repeats), "nothing": None}


def _beside_c(game: Game, repeats: int) -> list[dict[str, Any]]:
    """`Tables` and the game in C, measured in turns, so that they meet the same machine."""
    yard = Yardstick(game)
    ours, its = (Tables(yard.setup, BATCHES[-1], seed=0) for _ in range(2))
    players = {"tables": tables_player(ours), "c": tables_player(its, yard.step)}
    measured: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(repeats):
        for name, once in players.items():
            measured[name].append(_rate(once, 1)["median"])
    ratios = [ours / its for ours, its in zip(*measured.values(), strict=True)]
    about = {"interface": "c", "seats": yard.setup.num_players, "batch": BATCHES[-1]}
    told = {"per_second": _spread(measured["c"]), "nothing": None}
    return [about | told | {"tables_to_c": _spread(ratios), "compiler": yard.compiler}]


def _interface_rate(game: Game, interface: str, repeats: int) -> dict[str, Any]:
    """An interface at the default seats, beside an environment that does nothing."""
    player, arguments, nothing = INTERFACES[interface]
    env = miaui_env.make(game.name, interface, **arguments)
    told = {
        "interface": interface,
        "seats": game.default_players,
        "batch": arguments.get("num_envs", 1),
        "per_second": _rate(player(env), repeats),
    }
    if nothing is None:
        return told | {"nothing": None}
    from miaui_env.benchmark import nothing as does_nothing

    empty = getattr(does_nothing, nothing)(env)
    return told | {"nothing": _rate(player(empty), repeats)}


# --- starting -----------------------------------------------------------------------------------

_FIRST_STEP = """
import miaui_env
tables = miaui_env.Tables({game!r}, 1, seed=0)
tables.reset()
tables.step(tables.random_actions())
"""


def starts(game: Game, repeats: int) -> dict[str, Any]:
    """Seconds from starting Python to the end of the first step: nothing compiled, then warm."""
    with tempfile.TemporaryDirectory(prefix="miaui-bench-") as folder:
        cold, *warm = [_start(game, folder) for _ in range(1 + repeats)]
    return {
        "cold": cold,
        "warm": {"median": statistics.median(warm), "low": min(warm), "high": max(warm)},
    }


def _start(game: Game, folder: str) -> float:
    environment = os.environ | {"NUMBA_CACHE_DIR": folder}
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", _FIRST_STEP.format(game=game.name)], env=environment, check=True
    )
    return time.perf_counter() - begun


# --- telling ------------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    """What it was measured on, and how busy that was at the end."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": load,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [
                line.partition(":")[2].strip() for line in lines if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def versions() -> dict[str, str]:
    """Of everything that speed depends on."""
    libraries = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")
    found = {name: importlib.metadata.version(name) for name in libraries}
    return {"miaui_env": miaui_env.__version__, "python": platform.python_version(), **found}


def table(report: dict[str, Any]) -> Table:
    """The report for people."""
    about, start = report["machine"], report["start"]
    title = (
        f"{report['game']} on {about['processor']}, {about['cores']} cores, load {about['load']}"
    )
    shown = Table(title=title, title_justify="left", caption_justify="left")
    for column in ("interface", "seats", "batch", "decisions/s", "spread", "do-nothing"):
        shown.add_column(column, justify="left" if column == "interface" else "right")
    for rate in report["rates"]:
        speed, empty = rate["per_second"], rate["nothing"]
        ratio = "" if empty is None else f"{speed['median'] / empty['median']:.0%}"
        spread = f"{_short(speed['low'])} – {_short(speed['high'])}"
        row = (rate["interface"], str(rate["seats"]), f"{rate['batch']:,}", _short(speed["median"]))
        shown.add_row(*row, spread, ratio)
    beside = "".join(
        f"Tables plays at {rate['tables_to_c']['median']:.2f} of the speed of C "
        f"({rate['tables_to_c']['low']:.2f} – {rate['tables_to_c']['high']:.2f}, in turns).\n"
        for rate in report["rates"]
        if "tables_to_c" in rate
    )
    skipped = "".join(f"\nskipped: {name} ({why})" for name, why in report["skipped"].items())
    shown.caption = (
        f"A decision: {report['decision']}\n"
        f"Median of {report['repeats']} measurements; do-nothing: the speed as a share of an "
        "environment's that does nothing and has the same spaces.\n"
        f"{beside}"
        f"A fresh process takes {start['cold']:.1f} s to its first step with nothing compiled, "
        f"{start['warm']['median']:.2f} s after that.{skipped}"
    )
    return shown


def _short(number: float) -> str:
    """`157 k` or `5.48 M`."""
    return f"{number / 1e6:.2f} M" if number >= 1e6 else f"{number / 1e3:.1f} k"
