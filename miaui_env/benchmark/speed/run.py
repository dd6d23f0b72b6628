"""How speed is measured: what is compared plays in turns, so that all meet the same machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from miaui_env.game import Game

Once = Callable[[], tuple[int, float]]
"""Does a little; returns how many things it did and the seconds that these took."""
WARMING = 5
"""Before its turn is timed a player plays for a fifth as long: others had caches and memory."""
Spread = dict[str, float]
"""`median`, `low` (the least) and `high` (the greatest) of several measurements."""


class Absent(RuntimeError):
    """Something that cannot be measured here; the message says why."""


def spread(measured: Iterable[float]) -> Spread:
    """Of one number or more, to five digits."""
    values = sorted(measured)
    told = {"median": statistics.median(values), "low": values[0], "high": values[-1]}
    return {name: float(f"{value:.5g}") for name, value in told.items()}


@dataclass(frozen=True)
class Turns:
    """What several players reached, turn by turn.

    Attributes:
        measured: player → its figure in each turn.
    """

    measured: Mapping[str, list[float]]

    def spread(self, name: str) -> Spread:
        """One player's figures."""
        return spread(self.measured[name])

    def ratio(self, name: str, other: str) -> Spread:
        """One player's figures, each over the other's in the same turn."""
        pairs = zip(self.measured[name], self.measured[other], strict=True)
        return spread(own / its for own, its in pairs)


@dataclass(frozen=True)
class Run:
    """One run of the benchmark.

    Attributes:
        game: whose interfaces, training and start are measured; the tables are, of every game.
        repeats: turns, 1 or more; every figure is the median of so many.
        quick: small batches and short turns: to see that all works, not to publish.
        say: hears what goes on.
        peers: the Python that has the other libraries; None leaves them out.
        skipped: what could not be measured → why; filled on the way.
    """

    game: Game
    repeats: int = 5
    quick: bool = False
    say: Callable[[str], object] = print
    peers: Path | None = None
    skipped: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """ValueError for no repeats."""
        if self.repeats < 1:
            raise ValueError(f"repeats is 1 or more, not {self.repeats}")

    def turns(self, players: Mapping[str, Once], seconds: float = 0.2) -> Turns:
        """Things a second of each player, over at least `seconds` in each turn."""
        least = min(seconds, 0.002) if self.quick else seconds
        for once in players.values():
            once()  # compiles what is not compiled yet, and touches the memory
        measured: dict[str, list[float]] = {name: [] for name in players}
        for _ in range(self.repeats):
            for name, once in players.items():
                if least:
                    rate(once, least / WARMING)
                measured[name].append(rate(once, least))
        return Turns(measured)


def rate(once: Once, seconds: float) -> float:
    """Things a second, over at least so many seconds."""
    done, spent = 0, 0.0
    while spent < seconds or not done:
        more, took = once()
        done, spent = done + more, spent + took
    return done / spent


def timed(act: Callable[[], object], number: int = 1) -> Once:
    """A player that does `number` things by one call."""

    def once() -> tuple[int, float]:
        begun = time.perf_counter()
        act()
        return number, time.perf_counter() - begun

    return once
