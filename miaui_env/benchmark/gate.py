"""The gate: is a candidate better than the bot that it is to replace? As few deals as it takes.

The candidate sits alone among copies of the other. After each block of deals two claims are tested:
that its win share is no more than the equal share, and that it is at least that much and a margin.
The first to fall decides. Errors of either kind have a chance of at most `error`, however often one
looks (see `betting.py`). For the same reason the mean at the end is no measurement: a run that
stops because it looks good looks too good. So gates have deals of their own, and what passed is
measured on others.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from miaui_env.benchmark.arena import LineUp, Progress, Purpose, arena_key, in_blocks, refuse
from miaui_env.benchmark.betting import Betting
from miaui_env.benchmark.result import versions
from miaui_env.benchmark.seating import seatings
from miaui_env.benchmark.summary import Games, card_of, unit
from miaui_env.benchmark.workers import play_blocks
from miaui_env.bots import Bot
from miaui_env.game import Setup

SCHEMA = "miaui_env.gate/1"
BIASED = "biased: the run stopped because of them; measure on other deals (miaui arena)"


@dataclass(frozen=True)
class Verdict:
    """What a gate found.

    Attributes:
        game: its name.
        setup: seats and options.
        candidate: name of the bot that wants in.
        incumbent: name of the bot in all other seats.
        decision: "accept", "refuse", or "undecided" when all deals were used.
        deals: how many were used.
        most_deals: how many there might have been.
        equal_share: what equals win.
        margin: a candidate that is not at least that much above is refused.
        error: chance of a wrong decision of either kind, at most.
        seed: of the gate's own deals.
        win_share: mean at the end; biased.
        low: lower end of the confidence sequence, valid whenever one stops.
        high: upper end.
        forfeits: games that the candidate lost by its own fault.
        cards: name → sha256 of the bot's card.json.
        seconds: time it took.
        versions: of what decides what is played.
    """

    game: str
    setup: dict[str, Any]
    candidate: str
    incumbent: str
    decision: str
    deals: int
    most_deals: int
    equal_share: float
    margin: float
    error: float
    seed: int
    win_share: float
    low: float
    high: float
    forfeits: int
    cards: dict[str, str]
    seconds: float = dataclasses.field(compare=False)
    versions: dict[str, str] = dataclasses.field(default_factory=versions)

    def to_json(self) -> dict[str, Any]:
        """Everything, as values that `json.dumps` takes."""
        return {"schema": SCHEMA, "figures": BIASED, **dataclasses.asdict(self)}


def gate(
    setup: Setup,
    candidate: Bot,
    incumbent: Bot,
    *,
    names: tuple[str, str] | None = None,
    seed: int = 0,
    most_deals: int = 5000,
    margin: float = 0.02,
    error: float = 0.05,
    workers: int = 1,
    apart: bool | None = None,
    move_limit: float | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Decide; the decision does not depend on the number of workers.

    Args:
        setup: game, seats and options.
        candidate: the bot that wants in.
        incumbent: the bot in all other seats.
        names: of both, else their own.
        seed: which of the deals that are kept for gates.
        most_deals: when to give up.
        margin: how much above the equal share is worth having.
        error: chance of a wrong decision of either kind, at most.
        workers: see `play_lineup`.
        apart: see `play_lineup`.
        move_limit: see `play_lineup`.
        progress: see `Progress`.

    Raises:
        ValueError: for what makes no sense.
    """
    begun = time.perf_counter()
    n = setup.num_players
    who = names or (candidate.name, incumbent.name)
    bots, called = [candidate, *[incumbent] * (n - 1)], [who[0], *[who[1]] * (n - 1)]
    refuse(setup, bots, called, deals=most_deals, workers=workers, move_limit=move_limit)
    _refuse(n, margin, error, who)
    lineup = LineUp.of(setup, bots, arena_key(seed, Purpose.GATE), seatings(called))
    processes = workers if apart or (apart is None and workers > 1) else 0
    blocks = [(0, part) for part in in_blocks(most_deals)]
    played = in_order(play_blocks([lineup], blocks, processes, progress, move_limit))
    bets, decision, forfeits = decide(played, n, margin, error)
    low, high = bets.interval(2 * error)
    cards = {name: card_of(bot) for name, bot in zip(who, (candidate, incumbent), strict=True)}
    return Verdict(
        game=setup.game.name,
        setup=setup.description,
        candidate=who[0],
        incumbent=who[1],
        decision=decision,
        deals=bets.observations,
        most_deals=most_deals,
        equal_share=1 / n,
        margin=margin,
        error=error,
        seed=seed,
        win_share=bets.mean,
        low=low,
        high=high,
        forfeits=forfeits,
        cards={name: card for name, card in cards.items() if card},
        seconds=round(time.perf_counter() - begun, 3),
    )


def _refuse(n: int, margin: float, error: float, names: tuple[str, str]) -> None:
    if not 0 < margin < 1 - 1 / n:
        raise ValueError(f"the margin is more than 0 and less than {1 - 1 / n:g}, not {margin}")
    if not 0 < error < 0.5:
        raise ValueError(f"the chance of an error is more than 0 and less than 0.5, not {error}")
    if names[0] == names[1]:
        raise ValueError(f"a gate compares two bots, and both are {names[0]!r}")


def decide(
    blocks: Iterator[Games], n: int, margin: float, error: float
) -> tuple[Betting, str, int]:
    """Look after each block; returns the bets, the decision, and the candidate's forfeits."""
    equal, worth = 1 / n, 1 / n + margin
    bets, forfeits = Betting(equal, worth), 0
    for games in blocks:
        forfeits += int(games.at_fault[:, :, 0].sum())
        for share in (games.credits[:, :, 0].mean(1) / unit(n)).tolist():
            bets.add(share)
        if bets.refuted(equal, above=True, alpha=error):
            return bets, "accept", forfeits
        if bets.refuted(worth, above=False, alpha=error):
            return bets, "refuse", forfeits
    return bets, "undecided", forfeits


def in_order(played: Iterator[tuple[int, Games]]) -> Iterator[Games]:
    """The blocks by their number, each as soon as all before it are there."""
    kept: dict[int, Games] = {}
    for number in itertools.count():
        while number not in kept:
            found = next(played, None)
            if found is None:
                return
            kept[found[0]] = found[1]
        yield kept.pop(number)
