"""Bytes a table, and whether they grow while games are played."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import miaui_env
from miaui_env.benchmark.speed.run import Run
from miaui_env.engine.tables import Tables
from miaui_env.game import Game

TABLES = 1024
GAMES = 1_000_000
PLAYING = """
import json, resource, sys
import miaui_env
tables = miaui_env.Tables({game!r}, {tables})
tables.reset()
unit = 1 if sys.platform == "darwin" else 1024
def peak_after(games):
    while tables.episodes.sum() < games:
        tables.step(tables.random_actions())
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
first = {games} // 10
print(json.dumps([peak_after(first), peak_after({games})]))
"""


def measure(run: Run) -> dict[str, Any]:
    """Bytes of every game's tables; and a process's greatest size over many games of one."""
    games = [run.game] if run.quick else [miaui_env.find(name) for name in miaui_env.games()]
    number = 4 * TABLES if run.quick else GAMES
    run.say(f"{number:,} games in one process, to see whether it grows")
    return {
        "tables": TABLES,
        "rows": [_row(game) for game in games],
        "games": number,
        **_grown(run.game, number),
    }


def _row(game: Game) -> dict[str, Any]:
    """A table's record, and all arrays of `Tables` (two sets of results among them), in bytes."""
    tables = Tables(game, TABLES)
    arrays: dict[int, int] = {id(array): array.nbytes for side in tables._sides for array in side}
    everything = sum(arrays.values()) / TABLES
    seats = tables.setup.num_players
    return {"game": game.name, "seats": seats, "record": game.state.itemsize, "all": everything}


def _grown(game: Game, games: int) -> dict[str, int | None]:
    """The greatest size of a fresh process after a tenth of the games, and after all; bytes."""
    script = PLAYING.format(game=game.name, tables=TABLES, games=games)
    try:
        import resource  # noqa: F401  # not everywhere; the process needs it
    except ImportError:
        return {"before": None, "after": None}
    told = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    before, after = json.loads(told.stdout)
    return {"before": before, "after": after}
