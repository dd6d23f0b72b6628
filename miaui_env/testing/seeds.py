"""Seeds: a game is a function of its seed and episode, and of what is played; of nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from miaui_env.engine.tables import Tables
from miaui_env.game import Setup
from miaui_env.testing.play import LawBroken

ROWS = 4


def played(tables: Tables, steps: int) -> list[str]:
    """A hash a row of all that `steps` steps of random play wrote."""
    told = [hashlib.sha256() for _ in range(tables.num_tables)]
    tables.reset()
    for _ in range(steps):
        step = tables.step(tables.random_actions())
        for i, row in enumerate(told):
            owing = step.to_act[i]
            seen = (owing, step.observations[i, owing], step.action_masks[i, owing])
            for part in (*seen, step.rewards[i], step.terminated[i]):
                row.update(part.tobytes())
    return [row.hexdigest() for row in told]


def law_rows_are_single_tables(setup: Setup, seed: int) -> None:
    """Row i with seed s plays the games of a single table with seed s + i."""
    steps = 2 * setup.longest
    together = played(Tables(setup, ROWS, seed=seed), steps)
    alone = [played(Tables(setup, 1, seed=seed + i), steps)[0] for i in range(ROWS)]
    for i in range(ROWS):
        if together[i] != alone[i]:
            problem = f"row {i} of {ROWS} tables plays otherwise than a table with seed {seed + i}"
            raise LawBroken(setup, f"seed {seed}", problem)


def law_a_deal_is_seed_and_episode(setup: Setup, seed: int) -> None:
    """The second deal is the same whatever was played in the first, and other than the first."""
    deals = []
    for choose in (Tables.random_actions, lowest_actions):
        tables = Tables(setup, ROWS, seed=seed, auto_reset=False)
        tables.reset()
        first = [tables.view(i, None) for i in range(ROWS)]
        while not np.all(tables.states["over"]):
            tables.step(choose(tables))
        tables.reset()
        deals.append([tables.view(i, None) for i in range(ROWS)])
    if deals[0] != deals[1]:
        problem = "the deal of episode 1 depends on what was played in episode 0"
        raise LawBroken(setup, f"seed {seed}", problem)
    if deals[0] == first:
        raise LawBroken(setup, f"seed {seed}", "episodes 0 and 1 are dealt alike at all tables")


def lowest_actions(tables: Tables) -> np.ndarray:
    """The first legal action of each seat that owes one."""
    return np.where(tables.to_act, tables.action_masks.argmax(2), -1).astype(np.int16)


def law_a_seed_repeats_itself(setup: Setup, seed: int) -> None:
    """The same seed plays the same games, in the same tables again and in others."""
    tables = Tables(setup, ROWS, seed=seed)
    first = played(tables, setup.longest)
    tables.reset(seed=seed + 1)
    tables.reset(seed=seed)
    tables.episodes[:] = -1
    if played(tables, setup.longest) != first or first != played(
        Tables(setup, ROWS, seed=seed), setup.longest
    ):
        raise LawBroken(setup, f"seed {seed}", "the same seed plays other games")


SEEDS: dict[str, Callable[[Setup, int], None]] = {
    "rows are single tables": law_rows_are_single_tables,
    "a deal is a function of seed and episode": law_a_deal_is_seed_and_episode,
    "a seed repeats itself": law_a_seed_repeats_itself,
}
