"""Bounds are tight: what a game declares of its observations, random play reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from miaui_env.engine.layout import Field
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup
from miaui_env.testing.play import LawBroken, hold_back

OBSERVATIONS = 100_000
TABLES = 512
WAITING = 16
"""At every such table the seats that owe nothing are looked at, too."""


def law_bounds_are_reached(setup: Setup, seed: int) -> None:
    """Each declared least and greatest value is met in random play, but for fields called rare."""
    least, greatest = extremes(setup, seed)
    for field in setup.layout.fields:
        if field.size and not field.rare:
            at = setup.layout[field.name]
            _compare(setup, seed, field, "least", field.low, least[at], np.min)
            _compare(setup, seed, field, "greatest", field.high, greatest[at], np.max)


def _compare(
    setup: Setup,
    seed: int,
    field: Field,
    word: str,
    declared: int | tuple[int, ...],
    met: np.ndarray,
    extreme: Callable[..., np.ndarray],
) -> None:
    """A bound for all entries is met by one of them; one for each of a row, in one of the rows."""
    each = isinstance(declared, tuple)
    found = extreme(met.reshape(-1, field.shape[-1]), axis=0) if each else extreme(met)
    if (found != np.array(declared)).any():
        problem = f"{field.name!r} is declared with a {word} of {declared}, and has {found}"
        raise LawBroken(setup, f"{OBSERVATIONS:,} observations from seed {seed}", problem)


def extremes(setup: Setup, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest of each entry over many observations; int8 `(size,)` each."""
    least = np.full(setup.layout.size, 127, np.int8)
    greatest = np.full(setup.layout.size, -128, np.int8)
    seen = 0
    for observations in _observed(setup, seed):
        np.minimum(least, observations.min(0), out=least)
        np.maximum(greatest, observations.max(0), out=greatest)
        seen += len(observations)
        if seen >= OBSERVATIONS:
            break
    return least, greatest


def _observed(setup: Setup, seed: int) -> Iterator[np.ndarray]:
    """Observations of those who decide, of those who wait, and of ends; without end."""
    tables = Tables(setup, TABLES, seed=seed)
    tables.reset()
    for step in range(1 << 62):
        yield tables.observations[tables.to_act]
        if tables.terminated.any():
            yield tables.final_observations[tables.terminated].reshape(-1, setup.layout.size)
        for table in range(step % WAITING, TABLES, WAITING):
            yield np.stack([tables.observe(table, i)[0] for i in range(setup.num_players)])
        actions = tables.random_actions()
        if step % 2:
            hold_back(tables, actions, step // 2)
        tables.step(actions)


BOUNDS: dict[str, Callable[[Setup, int], None]] = {"bounds are reached": law_bounds_are_reached}
