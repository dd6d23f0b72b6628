"""Who meets whom in a tournament: a list of line-ups, derived from the field and the seats."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from miaui_env.benchmark.seating import mix_of
from miaui_env.engine.rng import mixed


@dataclass(frozen=True)
class Match:
    """One line-up of a tournament.

    Attributes:
        kind: "duel": the first bot alone among copies of the other; "same": copies of one bot;
            "mixed": drawn from the field.
        lineup: names, slot by slot.
    """

    kind: str
    lineup: tuple[str, ...]

    @property
    def title(self) -> str:
        """The line-up in words."""
        return mix_of(self.lineup)


def schedule(
    names: Sequence[str], seats: int, tables: int | None = None, seed: int = 0
) -> list[Match]:
    """All matches of a field, in order.

    Duels: each ordered pair (a, b), a alone among n - 1 times b; with two seats each pair once.
    Same: each bot among its own copies, for points. Mixed: tables drawn by the seed, each bot
    equally often (give or take one); none with two seats, where all were duels.

    Args:
        names: of the bots, all different.
        seats: at a table.
        tables: how many mixed ones; by itself as many as there are bots.
        seed: which mixed tables.

    Raises:
        ValueError: for fewer than two bots, two of one name, or a negative number of tables.
    """
    doubles = [name for name, count in Counter(names).items() if count > 1]
    if len(names) < 2 or doubles:
        raise ValueError(
            f"{doubles[0]!r} is in the field twice; a name stands for one bot"
            if doubles
            else f"a tournament takes two bots or more, not {len(names)}"
        )
    tables = len(names) if tables is None else tables
    if tables < 0:
        raise ValueError(f"mixed tables are 0 or more, not {tables}")
    pairs = itertools.combinations(names, 2) if seats == 2 else itertools.permutations(names, 2)
    duels = [Match("duel", (a, *[b] * (seats - 1))) for a, b in pairs]
    same = [Match("same", (name,) * seats) for name in names]
    drawn = mixed_tables(names, seats, tables if seats > 2 else 0, seed)
    return [*duels, *same, *(Match("mixed", lineup) for lineup in drawn)]


def mixed_tables(names: Sequence[str], seats: int, tables: int, seed: int) -> list[tuple[str, ...]]:
    """Line-ups drawn from the field: always the bots that sat down least, in the seed's order."""
    sat: Counter[str] = Counter()
    drawn = []
    for table in range(tables):
        luck = {name: int(mixed(seed, table, i)) for i, name in enumerate(names)}
        here: Counter[str] = Counter()
        for _ in range(seats):
            chosen = min(names, key=lambda name: (here[name], sat[name], luck[name]))
            here[chosen] += 1
            sat[chosen] += 1
        drawn.append(tuple(here.elements()))
    return drawn
