"""`Tables` of every game: by seats, batch, threads and what is written; beside C, and a copy."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import miaui_env
from miaui_env.benchmark.speed.driving import tables_player
from miaui_env.benchmark.speed.goals import BIG
from miaui_env.benchmark.speed.run import Once, Run, timed
from miaui_env.benchmark.yardsticks import NoYardstick, Yardstick
from miaui_env.engine.compile import direct, kernel
from miaui_env.engine.crew import cores
from miaui_env.engine.loops import engine_of
from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup

BATCHES = (1, 16, 256, 4096, 65_536)
QUICK_BATCHES = (1, 8)
BATCH = 4096
"""Where one figure has to do."""
STEPS_APART = 4
"""Steps of tables of its own that a thread plays at a stretch."""
LAYERS = {
    "rules": "actions checked, rules, rewards, the next game dealt",
    "masks": "and the masks of all who owe an action",
    "observations": "and their observations: everything that a step does",
}


def measure(run: Run) -> dict[str, Any]:
    """A row for each game, number of seats and batch."""
    rows = [_row(run, setup, batch) for setup in _setups(run) for batch in _batches(run)]
    return {"layers": LAYERS, "all_cores": cores(), "rows": rows}


def measure_beside_c(run: Run) -> dict[str, Any]:
    """Every game at one batch and on one core, in turns with `run.game` in C."""
    batch = _batches(run)[-1] if run.quick else BATCH
    setups = {f"{setup.game.name} {setup.num_players}": setup for setup in _setups(run)}
    run.say(f"the tables in turns with C, {batch} side by side")
    players = {name: tables_player(Tables(setup, batch)) for name, setup in setups.items()}
    about = _add_c(run, players, batch)
    turns = run.turns(players)
    rows = [
        {
            "game": setup.game.name,
            "seats": setup.num_players,
            "per_second": turns.spread(name),
            "to_c": turns.ratio(name, "c") if "c" in players else None,
        }
        for name, setup in setups.items()
    ]
    per_second = turns.spread("c") if "c" in players else None
    return {"batch": batch, **about, "per_second": per_second, "rows": rows}


def _add_c(run: Run, players: dict[str, Once], batch: int) -> dict[str, Any]:
    """The yardstick as the player "c", and what it is; a note in `run.skipped` where it is not."""
    try:
        yard = Yardstick(run.game)
    except NoYardstick as missing:
        run.skipped["c"] = str(missing)
        return {"game": None, "seats": None, "compiler": None}
    players["c"] = tables_player(Tables(yard.setup, batch), yard.step)
    seats = yard.setup.num_players
    return {"game": run.game.name, "seats": seats, "compiler": yard.compiler}


# --- one row ------------------------------------------------------------------------------------


def _row(run: Run, setup: Setup, batch: int) -> dict[str, Any]:
    run.say(f"{setup.game.title}, {setup.num_players} seats, {batch:,} tables")
    players: dict[str, Once] = {"copy": _copying(setup, batch)}
    for layer in LAYERS:
        for threads, name in ((1, "one"), (cores(), "all")):
            players[f"{layer} {name}"] = tables_player(_layer(layer, setup, batch, threads))
    shared = batch >= BIG
    if shared:
        for threads, name in ((1, "one"), (cores(), "all")):
            players[f"apart {name}"] = _apart(setup, batch, threads)
    turns = run.turns(players, 0.1 if shared else 0.05)
    return {
        "game": setup.game.name,
        "seats": setup.num_players,
        "batch": batch,
        "one": {layer: turns.spread(f"{layer} one") for layer in LAYERS},
        "all": {layer: turns.spread(f"{layer} all") for layer in LAYERS},
        "all_to_one": turns.ratio("observations all", "observations one"),
        "apart_to_one": turns.ratio("apart all", "apart one") if shared else None,
        "bytes": _bytes(setup),
        "copy": turns.spread("copy"),
        "to_copy": turns.ratio("observations one", "copy"),
    }


def _setups(run: Run) -> Iterator[Setup]:
    """Every game at every number of seats; in a quick run, `run.game` as it is by itself."""
    for game in [run.game] if run.quick else map(miaui_env.find, miaui_env.games()):
        for seats in [game.default_players] if run.quick else game.players:
            yield Setup.of(game, seats)


def _batches(run: Run) -> tuple[int, ...]:
    return QUICK_BATCHES if run.quick else BATCHES


def _bytes(setup: Setup) -> int:
    """What is written a decision: one seat's observation and mask."""
    return setup.layout.size + setup.num_actions


def _copying(setup: Setup, batch: int) -> Once:
    """A plain copy of the bytes that a step of so many tables writes, counted in decisions."""
    rows = batch * (setup.num_players if setup.game.simultaneous else 1)
    written, copied = (np.ones((rows, _bytes(setup)), np.int8) for _ in range(2))
    return timed(lambda: np.copyto(copied, written), rows)


def _apart(setup: Setup, batch: int, threads: int) -> Once:
    """Threads that have nothing to do with each other: what so many cores of this machine give."""
    own = [Tables(setup, batch, seed=batch * thread) for thread in range(threads)]
    crew = ThreadPoolExecutor(threads)
    for tables in own:
        tables.reset()

    def play(tables: Tables) -> int:
        done = 0
        for _ in range(STEPS_APART):
            actions = tables.random_actions()
            tables.step(actions)
            done += int((actions >= 0).sum())
        return done

    def once() -> tuple[int, float]:
        begun = time.perf_counter()
        return sum(crew.map(play, own)), time.perf_counter() - begun

    return once


# --- steps that write less ----------------------------------------------------------------------


@kernel
def _writes_nothing(state: Any, seat: int, out: Any) -> None:
    """Stands for `observe`, or for `legal` where only a mask is written."""


class _Layer(Tables):
    """Tables whose steps write less; their actions are chosen, and checked, by the rules."""

    def random_actions(self) -> np.ndarray:
        """See `Tables.random_actions`, from masks that steps do not write."""
        own, real = self._serve, miaui_env.find(self.setup.game.name.split(".")[0])
        self._serve = direct(engine_of(real).serve)
        try:
            return super().random_actions()
        finally:
            self._serve = own


def _layer(layer: str, setup: Setup, batch: int, threads: int) -> Tables:
    """Tables whose steps do so much."""
    if layer == "observations":
        return Tables(setup, batch, threads=threads)
    less = dataclasses.replace(setup, game=_writing_less(setup.game, layer))
    tables = _Layer(less, batch, threads=threads)
    for part in (part for step in tables._steps for part in step):
        part.fill(0)  # memory that was never written is slow to be asked for
    return tables


@functools.cache
def _writing_less(game: Game, layer: str) -> Game:
    """The game without observations, or without those and masks; to the engine, another one."""
    less: dict[str, Any] = {"observe": _writes_nothing, "name": f"{game.name}.{layer}"}
    if layer == "rules":
        less["legal"] = _writes_nothing
    return dataclasses.replace(game, **less)
