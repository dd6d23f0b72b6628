"""From single games to a `Result`: pooled by bot and by slot, with intervals over deals."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.benchmark.asking import Account
from miaui_env.benchmark.figures import Figure, block_figures
from miaui_env.benchmark.result import Counts, Result, Standing
from miaui_env.bots import Bot
from miaui_env.engine.rng import mixed

if TYPE_CHECKING:
    from miaui_env.benchmark.arena import LineUp


@dataclass(frozen=True, eq=False)
class Games:
    """Outcomes, game by game, in whole numbers, so that sums do not depend on their order.

    Attributes:
        credits: win shares × `unit(n)`; int64 `(deals, seatings, slots)`.
        points: int64, likewise.
        at_fault: who ended the game by a crash, an illegal action or being late; bool, likewise.
        accounts: how each distinct bot answered.
    """

    credits: np.ndarray
    points: np.ndarray
    at_fault: np.ndarray
    accounts: tuple[Account, ...]

    @property
    def ranks(self) -> np.ndarray:
        """Rank credits × 2 (n - 1): 2 for each seat that one stands above, 1 for one beside it.

        Seats at fault stand below all others, who stand side by side; where all were, nobody has
        any. int64, likewise.
        """
        spoiled = self.at_fault.any(2, keepdims=True)
        placed = np.where(spoiled, ~self.at_fault, self.points)
        mine, theirs = placed[..., :, None], placed[..., None, :]
        beaten = 2 * (mine > theirs).sum(3) + (mine == theirs).sum(3) - 1
        return np.asarray(beaten * ~self.at_fault)


def unit(num_players: int) -> int:
    """A win in credits: divisible by any number of winners."""
    return math.lcm(*range(1, num_players + 1))


def joined(parts: Sequence[Games]) -> Games:
    """The games of several blocks, in their order."""
    accounts = zip(*(part.accounts for part in parts), strict=True)
    return Games(
        np.concatenate([part.credits for part in parts]),
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.at_fault for part in parts]),
        tuple(map(Account.total, accounts)),
    )


def summary(
    lineup: LineUp,
    bots: Sequence[Bot],
    names: Sequence[str],
    games: Games,
    about: dict[str, Any],
    begun: float,
) -> Result:
    """Everything about a run; `begun` is the clock (`time.perf_counter`) when it began."""
    setup, n = lineup.setup, lineup.setup.num_players
    slots_of = {name: tuple(i for i in range(n) if names[i] == name) for name in names}
    groups = [*slots_of.items(), *((name, (slot,)) for slot, name in enumerate(names))]
    standings = _standings(games, groups, lineup.key)
    errors, milliseconds = _faults_and_times(bots, names, games.accounts)
    return Result(
        game=setup.game.name,
        game_version=setup.game.version,
        setup={k: list(v) if isinstance(v, tuple) else v for k, v in setup.description.items()},
        lineup=tuple(names),
        deals=len(games.credits),
        rotations=len(lineup.seatings),
        seatings=tuple(map(tuple, lineup.seatings.tolist())),
        counts=counts_of(games.at_fault),
        equal_share=1 / n,
        bots=tuple(standings[: len(slots_of)]),
        slots=tuple(standings[len(slots_of) :]),
        errors=errors,
        cards={name: card for name, bot in zip(names, bots, strict=True) if (card := card_of(bot))},
        deterministic={name: bot.deterministic for name, bot in zip(names, bots, strict=True)},
        milliseconds=milliseconds,
        seconds=round(time.perf_counter() - begun, 3),
        **about,
    )


def counts_of(at_fault: np.ndarray) -> Counts:
    """Games by how they ended; `at_fault` is bool `(deals, seatings, slots)`."""
    spoiled, failed = at_fault.any(2), at_fault.all(2)
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
    amounts, numbers = amounts_of(games)
    totals = [amount[:, :, slots].sum((1, 2)) for _, slots in groups for amount in amounts]
    counts = [number * len(slots) for _, slots in groups for number in numbers]
    figures = block_figures(np.stack(totals, 1), np.stack(counts, 1), int(mixed(key, RESAMPLING)))
    width = len(amounts)
    return [
        _standing(games, name, slots, figures[width * i : width * (i + 1)])
        for i, (name, slots) in enumerate(groups)
    ]


def amounts_of(games: Games) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Win shares, rank credits, points and margins in whole numbers, and what to divide them by.

    Returns:
        Amounts, int64 `(deals, seatings, slots)`, and for each its divisor for one slot in all
        seatings, int64 `(deals,)`.
    """
    n = games.credits.shape[2]
    finished = ~games.at_fault.any(2, keepdims=True)
    points = games.points * finished
    margins = n * points - points.sum(2, keepdims=True)  # × 1 / (n - 1), as whole numbers
    played = finished.sum((1, 2))
    times = np.full(len(played), games.credits.shape[1])
    amounts = [games.credits, games.ranks, points, margins]
    return amounts, [times * unit(n), times * 2 * (n - 1), played, played * (n - 1)]


RESAMPLING = -1
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
    bots: Sequence[Bot], names: Sequence[str], accounts: Sequence[Account]
) -> tuple[dict[str, str], dict[str, float]]:
    """Each bot's first error, and its mean milliseconds for a decision."""
    distinct = list({id(bot): name for bot, name in zip(bots, names, strict=True)}.values())
    told = dict(zip(distinct, accounts, strict=True))
    errors = {name: account.error for name, account in told.items() if account.error is not None}
    return errors, {name: milliseconds(account) for name, account in told.items()}


def milliseconds(account: Account) -> float:
    """Mean time for a decision."""
    return 1e3 * account.seconds / max(1, account.decisions)


def card_of(bot: Bot) -> str | None:
    """Sha256 of the card in the folder that a bot came from; None for one that came from none."""
    inner = getattr(bot, "bot", bot)
    folder = getattr(inner, "folder", None)
    card = None if folder is None else Path(folder) / "card.json"
    return hashlib.sha256(card.read_bytes()).hexdigest() if card and card.is_file() else None
