"""Matched replacement: the same deals and opponents, with another bot in the first one's place."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env.benchmark.arena import LineUp, Progress, Purpose, arena_key, play_games, refuse
from miaui_env.benchmark.figures import Figure, block_figures
from miaui_env.benchmark.result import FIGURES, Result
from miaui_env.benchmark.seating import mix_of, seatings
from miaui_env.benchmark.summary import RESAMPLING, Games, amounts_of, summary
from miaui_env.bots import Bot
from miaui_env.engine.choices import one_of
from miaui_env.engine.rng import mixed
from miaui_env.game import Setup

SCHEMA = "miaui_env.replacement/1"


@dataclass(frozen=True)
class Replacement:
    """Two bots on the same deals, one after the other in the same seats against the same others.

    Attributes:
        first: how the one did.
        second: how the other did in its place.
        differences: second less first, deal by deal: win_share, rank_credit, points, margin; the
            latter two over games that both line-ups finished.
    """

    first: Result
    second: Result
    differences: dict[str, Figure]

    @property
    def title(self) -> str:
        """What is compared."""
        one, other = self.second.lineup[0], self.first.lineup[0]
        return f"{one} in place of {other}, among {mix_of(self.first.lineup[1:])}"

    def to_json(self) -> dict[str, Any]:
        """Everything, as values that `json.dumps` takes."""
        told = {name: dataclasses.asdict(figure) for name, figure in self.differences.items()}
        return {
            "schema": SCHEMA,
            "title": self.title,
            "first": self.first.to_json(),
            "second": self.second.to_json(),
            "differences": told,
        }


def play_replacement(
    setup: Setup,
    first: Bot,
    second: Bot,
    others: Sequence[Bot],
    *,
    deals: int,
    names: Sequence[str],
    seed: int = 0,
    purpose: str = "measurement",
    workers: int = 1,
    apart: bool | None = None,
    move_limit: float | None = None,
    progress: Progress | None = None,
) -> Replacement:
    """Play both; the arguments are those of `play_lineup`.

    `names` are those of `first`, `second`, and the others; either of the two may also sit among the
    others.
    """
    one_of("purpose", purpose, tuple(known.value for known in Purpose))
    key = arena_key(seed, Purpose(purpose))
    seated = seatings(["", *(f"another {name}" for name in names[2:])])
    processes = workers if apart or (apart is None and workers > 1) else 0
    about = {"seed": seed, "purpose": str(Purpose(purpose)), "move_limit": move_limit}
    results, played = [], []
    for bot, name in ((first, names[0]), (second, names[1])):
        begun = time.perf_counter()
        bots, called = [bot, *others], [name, *names[2:]]
        refuse(setup, bots, called, deals=deals, workers=workers, move_limit=move_limit)
        lineup = LineUp.of(setup, bots, key, seated)
        games = play_games(lineup, deals, processes, progress, move_limit)
        lineup = dataclasses.replace(lineup, setup=setup)
        results.append(summary(lineup, bots, called, games, about, begun))
        played.append(games)
    return Replacement(results[0], results[1], differences(played[0], played[1], key))


def differences(first: Games, second: Games, key: int) -> dict[str, Figure]:
    """Second less first in slot 0, with intervals over deals."""
    either = np.asarray((first.at_fault | second.at_fault).any(2, keepdims=True))
    one, other = _amounts(first, either), _amounts(second, either)
    totals = [(b - a)[:, :, 0].sum(1) for (a, _), (b, _) in zip(one, other, strict=True)]
    numbers = [divisor for _, divisor in one]
    luck = int(mixed(key, RESAMPLING))
    figures = block_figures(np.stack(totals, 1), np.stack(numbers, 1), luck)
    return dict(zip(FIGURES, figures, strict=True))


def _amounts(games: Games, spoiled: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Figures and their divisors; points and margins only where neither line-up forfeited."""
    strict = dataclasses.replace(games, at_fault=games.at_fault | spoiled)
    whole, clean = (list(zip(*amounts_of(part), strict=True)) for part in (games, strict))
    return [*whole[:2], *clean[2:]]
