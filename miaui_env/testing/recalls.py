"""Recall: a seat's table views, folded, are all that perfect recall tells."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import numpy as np

from miaui_env.engine.tables import Tables
from miaui_env.game import Setup, View
from miaui_env.recall import Recall
from miaui_env.testing.play import LawBroken, deciders, where

ORDERS = ("first", "last", "any", "together")
"""Which of the seats that owe an action commits next."""


def law_views_fold_into_perfect_recall(setup: Setup, seed: int) -> None:
    """`Recall` over the table's views at own decisions and the end is the perfect-recall view."""
    whole = setup.with_recall(True)
    for order in ORDERS:
        recalls = [Recall(whole) for _ in range(setup.num_players)]
        for tables, deciding in looks(whole, seed, order):
            for seat in deciding:
                folded = recalls[seat].see(seen_at_the_table(tables, seat))
                if json.dumps(folded) != json.dumps(tables.view(0, seat)):
                    problem = f"what seat {seat} saw does not add up to its perfect-recall view"
                    raise LawBroken(setup, where(tables), problem)


def looks(setup: Setup, seed: int, order: str) -> Iterator[tuple[Tables, list[int]]]:
    """A random game: the tables with those who decide next, and with all seats at the end."""
    rng = random.Random(seed)
    tables = Tables(setup, 1, seed=seed, auto_reset=False)
    tables.reset()
    while not tables.states["over"][0]:
        owing = deciders(tables)
        one = {"first": owing[0], "last": owing[-1], "any": rng.choice(owing)}
        deciding = owing if order == "together" else [one[order]]
        yield tables, deciding
        actions = np.full_like(tables.random_actions(), -1)
        actions[0, deciding] = tables.random_actions()[0, deciding]
        tables.step(actions)
    yield tables, list(range(setup.num_players))


def seen_at_the_table(tables: Tables, seat: int) -> View:
    """The seat's view if the table told no more than it shows, as a front end sends it."""
    states = tables.states[:1].copy()
    states["perfect_recall"] = False
    view: View = json.loads(json.dumps(tables.setup.view(states[0], seat)))
    return view


RECALLS: dict[str, Callable[[Setup, int], None]] = {
    "views fold into perfect recall": law_views_fold_into_perfect_recall
}
