"""Copies, resamples and views a second: what a search and a reader of states ask for."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import miaui_env
from miaui_env.benchmark.speed.run import Once, Run, timed
from miaui_env.engine.loops import engine_of
from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup

BATCH = 4096
RESAMPLED = 256
"""So many at most by one call: where it is exact, a resample is slow."""
WHAT = {
    "copies": "states copied to other tables in one call",
    "branches": "copies of one state, made in one call",
    "whole tables": "`get_state` and `set_state`, with all that was last shown",
    "resample": f"states with all that a seat cannot know drawn anew, {RESAMPLED} in one call",
    "view": "views as dicts, one a call",
    "view_of": "views from observations, one a call",
    "from_view": "states made from views, one a call",
}


def measure(run: Run) -> dict[str, Any]:
    """A row for each game, at its usual number of seats, states from the middle of games."""
    games = [run.game] if run.quick else [miaui_env.find(name) for name in miaui_env.games()]
    return {"batch": _batch(run), "what": WHAT, "rows": [_row(run, game) for game in games]}


def _row(run: Run, game: Game) -> dict[str, Any]:
    run.say(f"states of {game.title}")
    turns = run.turns(_players(Setup.of(game), _batch(run)), 0.1)
    per_second = {name: turns.spread(name) for name in WHAT}
    return {"game": game.name, "seats": game.default_players, "per_second": per_second}


def _batch(run: Run) -> int:
    return 16 if run.quick else BATCH


def _in_the_middle(setup: Setup, batch: int) -> Tables:
    """Tables, each a few decisions into a game."""
    tables = Tables(setup, batch)
    tables.reset()
    for _ in range(5 if setup.game.simultaneous else 5 * setup.num_players):
        tables.step(tables.random_actions())
    return tables


def _players(setup: Setup, batch: int) -> dict[str, Once]:
    tables, others = _in_the_middle(setup, batch), Tables(setup, batch)
    others.reset()
    copied, imagined = tables.states.copy(), tables.states[:RESAMPLED].copy()
    few = len(imagined)
    keys, seats = miaui_env.keys(0, few), np.zeros(few, np.int64)
    engine = engine_of(setup.game)
    views = itertools.cycle([setup.view(state, 0) for state in tables.states[:16]])
    seen = itertools.cycle([tables.observe(table, 0)[0] for table in range(min(16, batch))])
    states = itertools.cycle(tables.states[:16])
    return {
        "copies": timed(lambda: np.copyto(copied, tables.states), batch),
        "branches": timed(lambda: np.repeat(tables.states[:1], batch), batch),
        "whole tables": timed(lambda: others.set_state(tables.get_state()), batch),
        "resample": timed(lambda: engine.imagine(imagined, seats, keys), few),
        "view": timed(lambda: setup.view(next(states), 0)),
        "view_of": timed(lambda: setup.view_of(next(seen))),
        "from_view": timed(lambda: setup.from_view(next(views))),
    }
