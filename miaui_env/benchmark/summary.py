"""From single games to a `Result`: pooled by bot and by slot, with intervals over deals."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from miaui_env.benchmark.asking import Asker
from miaui_env.benchmark.figures import Figure, block_figures
from miaui_env.benchmark.result import Counts, Result, Standing
from miaui_env.bots import Bot
from miaui_env.engine.rng import mixed
from miaui_env.game import Setup


@dataclass(frozen=True, eq=False)
class Games:
    """Outcomes, game by game, in whole numbers, so that sums do not depend on their order.

    Attributes:
        credits: win shares × `unit(n)`; int64 `(deals, rotations, slots)`.
        points: int64, likewise.
        at_fault: whose crash or illegal action ended the game; bool, likewise.
        askers: those that asked each distinct bot, chunk by chunk.
    """

    credits: np.ndarray
    points: np.ndarray
    at_fault: np.ndarray
    askers: list[tuple[Asker, ...]]


def unit(num_players: int) -> int:
    """A win in credits: divisible by any number of winners."""
    return math.lcm(*range(1, num_players + 1))


def joined(parts: Sequence[Games]) -> Games:
    """The games of several chunks, in their order."""
    return Games(
        np.concatenate([part.credits for part in parts]),
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.at_fault for part in parts]),
        [askers for part in parts for askers in part.askers],
    )


def summary(
    setup: Setup,
    bots: Sequence[Bot],
    names: Sequence[str],
    games: Games,
    key: int,
    about: dict[str, Any],
    begun: float,
) -> Result:
    """Everything about a run; `begun` is the clock (`time.perf_counter`) when it began."""
    n = setup.num_players
    slots_of = {name: tuple(i for i in range(n) if names[i] == name) for name in names}
    groups = [*slots_of.items(), *((name, (slot,)) for slot, name in enumerate(names))]
    standings = _standings(games, groups, key)
    errors, milliseconds = _faults_and_times(bots, names, games)
    return Result(
        game=setup.game.name,
        game_version=setup.game.version,
        setup={k: list(v) if isinstance(v, tuple) else v for k, v in setup.description.items()},
        lineup=tuple(names),
        deals=len(games.credits),
        rotations=n,
        counts=_counts(games),
        equal_share=1 / n,
        bots=tuple(standings[: len(slots_of)]),
        slots=tuple(standings[len(slots_of) :]),
        errors=errors,
        cards={name: card for name, bot in zip(names, bots, strict=True) if (card := card_of(bot))},
        milliseconds=milliseconds,
        seconds=round(time.perf_counter() - begun, 3),
        **about,
    )


def _counts(games: Games) -> Counts:
    spoiled, failed = games.at_fault.any(2), games.at_fault.all(2)
    return Counts(
        requested=spoiled.size,
        finished=int((~spoiled).sum()),
        forfeited=int((spoiled & ~failed).sum()),
        failed=int(failed.sum()),
    )


def _standings(
    games: Games, groups: Sequence[tuple[str, tuple[int, ...]]], key: int
) -> list[Standing]:
    """One standing for each (name, slots); all figures from the same resampled deals."""
    n = games.credits.shape[2]
    finished = ~games.at_fault.any(2, keepdims=True)
    points = games.points * finished
    margins = n * points - points.sum(2, keepdims=True)  # × 1 / (n - 1), as whole numbers
    totals, counts = [], []
    for _, slots in groups:
        for amounts in (games.credits, points, margins):
            totals.append(amounts[:, :, slots].sum((1, 2)))
        played = finished.sum((1, 2)) * len(slots)
        counts += [np.full(len(played), n * len(slots)) * unit(n), played, played * (n - 1)]
    figures = block_figures(np.stack(totals, 1), np.stack(counts, 1), int(mixed(key, _RESAMPLING)))
    return [
        _standing(games, name, slots, figures[3 * i : 3 * i + 3])
        for i, (name, slots) in enumerate(groups)
    ]


_RESAMPLING = -1
"""A word that no deal's number is, for the bootstrap's key."""


def _standing(
    games: Games, name: str, slots: tuple[int, ...], figures: Sequence[Figure]
) -> Standing:
    at_fault = games.at_fault
    return Standing(
        name,
        slots,
        at_fault[:, :, slots].size,
        int((~at_fault.any(2)).sum()) * len(slots),
        int(at_fault[:, :, slots].sum()),
        *figures,
    )


def _faults_and_times(
    bots: Sequence[Bot], names: Sequence[str], games: Games
) -> tuple[dict[str, str], dict[str, float]]:
    """Each bot's first error, and its mean milliseconds for a decision."""
    distinct = list({id(bot): name for bot, name in zip(bots, names, strict=True)}.values())
    errors: dict[str, str] = {}
    spent: dict[str, list[float]] = {name: [0, 0.0] for name in names}
    for chunk in games.askers:
        for name, asker in zip(distinct, chunk, strict=True):
            spent[name] = [spent[name][0] + asker.decisions, spent[name][1] + asker.seconds]
            if asker.error is not None:
                errors.setdefault(name, asker.error)
    return errors, {name: 1e3 * s / max(1, number) for name, (number, s) in spent.items()}


def card_of(bot: Bot) -> str | None:
    """Sha256 of the card in the folder that a bot came from; None for one that came from none."""
    inner = getattr(bot, "bot", bot)
    folder = getattr(inner, "folder", None)
    card = None if folder is None else Path(folder) / "card.json"
    return hashlib.sha256(card.read_bytes()).hexdigest() if card and card.is_file() else None
