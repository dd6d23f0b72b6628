"""Play very many random decisions over all games and options: `python -m miaui_env.testing.fuzz`.

Run it with `NUMBA_BOUNDSCHECK=1`, so that an index beyond an array raises instead of reading on. To
go on another time, give another `--seed`: the decisions of each run are its own.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np
from rich.progress import track

from miaui_env.engine.rng import keys
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup
from miaui_env.registry import find, games
from miaui_env.testing.play import setups_of
from miaui_env.testing.secrets import imagined, refuse_what_shows

TABLES = 256


def fuzz(setup: Setup, decisions: int, seed: int) -> int:
    """Play at least so many decisions at one kind of table, imagining now and then; how many.

    Raises:
        LawBroken: where what a seat cannot know shows in its observation or mask.
    """
    tables = Tables(setup, TABLES, seed=seed, reward="points")
    tables.reset()
    played = 0
    for step in itertools.count():
        if played >= decisions:
            return played
        actions = tables.random_actions()
        if step % 3 == 0:
            actions[:, step % setup.num_players] = -1
        played += int((actions >= 0).sum())
        tables.step(actions)
        if step % 50 == 0:
            seat = step // 50 % setup.num_players
            refuse_what_shows(tables, imagined(tables, seat, step), seat)
            tables.survey(step % TABLES)
    raise AssertionError("unreachable")


def main() -> None:
    """Share the decisions among all setups of all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    setups = [setup for name in games() for setup in setups_of(find(name))]
    seeds = keys(chosen.seed, len(setups))
    each = -(-chosen.decisions // len(setups))
    played = 0
    for setup, seed in zip(track(setups, "fuzzing"), seeds, strict=True):
        played += fuzz(setup, each, int(seed))
    checked = "with" if bounds_are_checked() else "without"
    print(f"{played:,} decisions at {len(setups)} kinds of tables, {checked} bounds checking")


def bounds_are_checked() -> bool:
    """Whether this process compiles with bounds checking."""
    from numba import config

    return bool(config.BOUNDSCHECK) or bool(config.DISABLE_JIT)


if __name__ == "__main__":
    np.seterr(all="raise")
    main()
