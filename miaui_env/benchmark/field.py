"""What a tournament found, as JSON: pay-offs first, then ratings, then cycles.

All intervals come from the same resampled deals, each with all its matches and seatings.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env.benchmark import cycles, rating
from miaui_env.benchmark.asking import Account
from miaui_env.benchmark.figures import (
    LEVEL,
    RESAMPLES,
    Figure,
    block_figures,
    interval,
    resampling_weights,
)
from miaui_env.benchmark.result import FIGURES, METHOD
from miaui_env.benchmark.summary import (
    RESAMPLING,
    Games,
    amounts_of,
    counts_of,
    milliseconds,
    unit,
)
from miaui_env.benchmark.tournament import Tournament
from miaui_env.engine.rng import mixed

SCHEMA = "miaui_env.tournament/1"
ANCHOR = "random"
"""Has rating 0 where it plays; else the field's mean has."""


def findings(tournament: Tournament, played: Sequence[Games], seconds: float) -> dict[str, Any]:
    """Everything about a tournament, as values that `json.dumps` takes."""
    told = {
        **tournament.plan,
        "schema": SCHEMA,
        "title": title_of(tournament),
        "population": tournament.population,
        "deals": tournament.deals,
        "method": {**METHOD, "block": "a deal in all its matches and seatings"},
        "matches": matches_of(tournament, played),
        "counts": counts(played),
        "field": accounts_of(tournament, played),
        **standing_of(tournament, played),
        "seconds": round(seconds, 3),
    }
    plain: dict[str, Any] = json.loads(json.dumps(told))
    return plain


def title_of(tournament: Tournament) -> str:
    """What the figures are of, with everyone who played."""
    return (
        f"{tournament.setup.game.name}, {tournament.setup.num_players} seats, a field of "
        f"{', '.join(tournament.bots)}; {tournament.purpose} seed {tournament.seed}"
    )


# --- each match -----------------------------------------------------------------------------------


def matches_of(tournament: Tournament, played: Sequence[Games]) -> list[dict[str, Any]]:
    """Each match with every figure of each bot in it."""
    columns, figures = _match_figures(tournament, played)
    told: list[dict[str, Any]] = [
        {
            "kind": match.kind,
            "title": match.title,
            "lineup": match.lineup,
            "seatings": games.credits.shape[1],
            "counts": dataclasses.asdict(counts_of(games.at_fault)),
            "bots": {},
        }
        for match, games in zip(tournament.matches, played, strict=True)
    ]
    for (match, name, what), figure in zip(columns, figures, strict=True):
        told[match]["bots"].setdefault(name, {})[what] = dataclasses.asdict(figure)
    return told


def _match_figures(
    tournament: Tournament, played: Sequence[Games]
) -> tuple[list[tuple[int, str, str]], list[Figure]]:
    columns, totals, numbers = [], [], []
    for i, (match, games) in enumerate(zip(tournament.matches, played, strict=True)):
        amounts, divisors = amounts_of(games)
        for name in dict.fromkeys(match.lineup):
            slots = [slot for slot, other in enumerate(match.lineup) if other == name]
            for what, amount, divisor in zip(FIGURES, amounts, divisors, strict=True):
                columns.append((i, name, what))
                totals.append(amount[:, :, slots].sum((1, 2)))
                numbers.append(divisor * len(slots))
    key = int(mixed(tournament.key, RESAMPLING))
    return columns, block_figures(np.stack(totals, 1), np.stack(numbers, 1), key)


def counts(played: Sequence[Games]) -> dict[str, int]:
    """Games of all matches by how they ended."""
    each = [dataclasses.asdict(counts_of(games.at_fault)) for games in played]
    return {name: sum(count[name] for count in each) for name in each[0]}


def accounts_of(tournament: Tournament, played: Sequence[Games]) -> dict[str, dict[str, Any]]:
    """How each bot answered, over all its matches."""
    told = {}
    for name in tournament.bots:
        accounts, forfeits, seats = [], 0, 0
        for match, games in zip(tournament.matches, played, strict=True):
            if name in match.lineup:
                players = list(dict.fromkeys(id(tournament.bots[other]) for other in match.lineup))
                accounts.append(games.accounts[players.index(id(tournament.bots[name]))])
                slots = [slot for slot, other in enumerate(match.lineup) if other == name]
                forfeits += int(games.at_fault[:, :, slots].sum())
                seats += games.at_fault[:, :, slots].size
        total = Account.total(accounts)
        told[name] = {
            "games": seats,
            "forfeits": forfeits,
            "late": total.late,
            "milliseconds": milliseconds(total),
            "deterministic": tournament.bots[name].deterministic,
            "error": total.error,
        }
    return told


# --- the field ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Shares:
    """Win shares of a field in all its matches of more than one bot, as played and resampled.

    Attributes:
        copies: how many of each bot sit in each match; `(matches, bots)`.
        means: share of the win of all copies together, as played; `(matches, bots)`.
        resampled: likewise, for each resample; `(resamples, matches, bots)`.
        duels: match number of a's duel among copies of b, -1 for none; `(bots, bots)`.
        deals: how many.
        seats: at a table.
    """

    copies: np.ndarray
    means: np.ndarray
    resampled: np.ndarray
    duels: np.ndarray
    deals: int
    seats: int

    @classmethod
    def of(cls, tournament: Tournament, played: Sequence[Games]) -> Shares:
        """From a tournament's games."""
        names, n = list(tournament.bots), tournament.setup.num_players
        pairs = zip(tournament.matches, played, strict=True)
        chosen = [(match, games) for match, games in pairs if len(set(match.lineup)) > 1]
        copies = np.array([[m.lineup.count(name) for name in names] for m, _ in chosen])
        duels = np.full((len(names), len(names)), -1)
        for i, (match, _) in enumerate(chosen):
            if match.kind == "duel":
                duels[names.index(match.lineup[0]), names.index(match.lineup[1])] = i
        by_deal = np.stack([_by_bot(m.lineup, names, games) for m, games in chosen], 1)
        key = int(mixed(tournament.key, RESAMPLING))
        return cls(copies, by_deal.mean(0), resampled(by_deal, key), duels, tournament.deals, n)

    def payoffs(self, shares: np.ndarray) -> np.ndarray:
        """What a wins alone among copies of b: `(…, matches, bots)` → `(…, bots, bots)`.

        With two seats, where a pair is played once, from both sides of it. NaN on the diagonal.
        """
        bots = range(len(self.duels))
        out = np.full((*shares.shape[:-2], len(bots), len(bots)), np.nan)
        for a in bots:
            for b in bots:
                match = self.duels[a, b] if self.duels[a, b] >= 0 else self.duels[b, a]
                if a != b and match >= 0:
                    out[..., a, b] = shares[..., match, a]
        return out


def _by_bot(lineup: Sequence[str], names: Sequence[str], games: Games) -> np.ndarray:
    """Share of the win of each bot's copies, as the mean over the seatings: `(deals, bots)`."""
    n = len(lineup)
    slots = games.credits.mean(1) / unit(n)
    placed = np.array([[other == name for name in names] for other in lineup], np.float64)
    return np.asarray(slots @ placed)


def resampled(by_deal: np.ndarray, key: int) -> np.ndarray:
    """Means over resampled deals: `(deals, …)` → `(resamples, …)`."""
    deals = len(by_deal)
    flat = by_deal.reshape(deals, -1)
    drawn = [weights @ flat / deals for weights in resampling_weights(deals, key, RESAMPLES)]
    return np.concatenate(drawn).reshape(-1, *by_deal.shape[1:])


def standing_of(tournament: Tournament, played: Sequence[Games]) -> dict[str, Any]:
    """Pay-offs, ratings, cycles."""
    names = list(tournament.bots)
    shares = Shares.of(tournament, played)
    anchor = names.index(ANCHOR) if ANCHOR in names else None
    fitted = strengths_of(shares, shares.means[None])
    again = rating.elo(strengths_of(shares, shares.resampled), anchor)
    here = rating.elo(fitted, anchor)[0]
    figures = [_figure(here[i], again[:, i], tournament.deals) for i in range(len(names))]
    order = sorted(range(len(names)), key=lambda i: -here[i])
    return {
        "anchor": None if anchor is None else ANCHOR,
        "ratings": {names[i]: dataclasses.asdict(figures[i]) for i in order},
        "misfit": _misfit(tournament, shares, fitted[0]),
        "cycles": _cycles(names, shares),
    }


def strengths_of(shares: Shares, means: np.ndarray) -> np.ndarray:
    """Of win shares `(fits, matches, bots)`; `(fits, bots)`."""
    return rating.strengths(shares.copies, means, shares.deals)


def _figure(mean: float, drawn: np.ndarray, deals: int) -> Figure:
    return interval(float(mean), drawn) if deals > 1 else Figure(float(mean))


def _misfit(tournament: Tournament, shares: Shares, strength: np.ndarray) -> dict[str, Any]:
    """How far the ratings' shares are from those played: root mean square, and the worst one."""
    expected = rating.expected(shares.copies, strength)
    seated = shares.copies > 0
    off = np.where(seated, shares.means - expected, 0.0)
    match, bot = np.unravel_index(np.abs(off).argmax(), off.shape)
    chosen = [m for m in tournament.matches if len(set(m.lineup)) > 1]
    return {
        "root_mean_square": float(np.sqrt((off[seated] ** 2).mean())),
        "worst": {
            "match": chosen[match].title,
            "bot": list(tournament.bots)[bot],
            "played": float(shares.means[match, bot]),
            "by_rating": float(expected[match, bot]),
        },
    }


def _cycles(names: Sequence[str], shares: Shares) -> dict[str, Any]:
    """The cyclic share of the duels, what noise alone would make, and cycles that are sure."""
    here = cycles.advantages(shares.payoffs(shares.means)[None], shares.deals, shares.seats)
    again = cycles.advantages(shares.payoffs(shares.resampled), shares.deals, shares.seats)
    share = _figure(cycles.cyclic_share(here)[0], cycles.cyclic_share(again), shares.deals)
    low = np.quantile(again, (1 - LEVEL) / 2, axis=0)
    found = cycles.sure_cycles(low) if shares.deals > 1 else []
    return {
        "share": dataclasses.asdict(share),
        "by_chance": cycles.by_chance(here, again),
        "found": [[names[i] for i in cycle] for cycle in found],
    }
