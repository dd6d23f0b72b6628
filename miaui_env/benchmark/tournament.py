"""Every bot of a field against every other, on the same deals, in a run that may be killed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from miaui_env.benchmark.arena import (
    LineUp,
    Progress,
    Purpose,
    arena_key,
    in_blocks,
    refuse,
)
from miaui_env.benchmark.log import Log, Place, opened
from miaui_env.benchmark.result import versions
from miaui_env.benchmark.schedule import Match, schedule
from miaui_env.benchmark.seating import seatings
from miaui_env.benchmark.summary import Games, card_of, joined
from miaui_env.benchmark.workers import play_blocks
from miaui_env.bots import Bot
from miaui_env.engine.choices import one_of
from miaui_env.game import Setup


@dataclass(frozen=True, eq=False)
class Tournament:
    """Who plays whom, on which deals; `play` does it.

    Attributes:
        setup: game, seats and options.
        bots: the field, name → bot.
        matches: all line-ups.
        deals: of each match; all matches play the same ones.
        seed: which deals, and which mixed tables.
        purpose: one of `Purpose`.
        move_limit: seconds for a move; None for no limit.
    """

    setup: Setup
    bots: Mapping[str, Bot]
    matches: tuple[Match, ...]
    deals: int
    seed: int
    purpose: str
    move_limit: float | None

    @classmethod
    def of(
        cls,
        setup: Setup,
        bots: Mapping[str, Bot],
        *,
        deals: int,
        seed: int = 0,
        purpose: str = "measurement",
        tables: int | None = None,
        move_limit: float | None = None,
    ) -> Tournament:
        """The whole schedule of a field, see `schedule`; ValueError for what makes no sense."""
        one_of("purpose", purpose, tuple(known.value for known in Purpose))
        matches = tuple(schedule(list(bots), setup.num_players, tables, seed))
        for match in matches:
            seated = [bots[name] for name in match.lineup]
            refuse(setup, seated, match.lineup, deals=deals, workers=1, move_limit=move_limit)
        return cls(setup, bots, matches, deals, seed, purpose, move_limit)

    @property
    def key(self) -> int:
        """Of all games: the deals do not depend on the match."""
        return arena_key(self.seed, Purpose(self.purpose))

    @property
    def plan(self) -> dict[str, Any]:
        """Everything that decides what is played, but for the number of deals; JSON-able."""
        told = {
            "schema": "miaui_env.tournament-log/1",
            "game": self.setup.game.name,
            "game_version": self.setup.game.version,
            "setup": self.setup.description,
            "bots": list(self.bots),
            "cards": {name: card for name, bot in self.bots.items() if (card := card_of(bot))},
            "seed": self.seed,
            "purpose": self.purpose,
            "move_limit": self.move_limit,
            "matches": [[match.kind, *match.lineup] for match in self.matches],
            "versions": versions(),
        }
        plain: dict[str, Any] = json.loads(json.dumps(told))
        return plain

    @property
    def population(self) -> str:
        """Sha256 of the plan without seed and versions: who plays whom at which table."""
        about = {k: v for k, v in self.plan.items() if k not in ("seed", "purpose", "versions")}
        return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()

    def lineup(self, match: Match) -> LineUp:
        """A match, ready to be played."""
        seated = [self.bots[name] for name in match.lineup]
        return LineUp.of(self.setup, seated, self.key, seatings(match.lineup))

    def lineups(self) -> list[LineUp]:
        """All matches, ready to be played, with the same fitted bots."""
        return [self.lineup(match) for match in self.matches]

    @property
    def games(self) -> int:
        """How many games it takes."""
        return self.deals * sum(len(seatings(match.lineup)) for match in self.matches)

    def play(
        self, file: Path, *, workers: int = 1, progress: Progress | None = None, apart: bool = True
    ) -> list[Games]:
        """Play what the log does not hold yet, and return the games of each match.

        Args:
            file: the log; where it exists, the run goes on from there.
            workers: processes; the games do not depend on them.
            progress: see `Progress`; told at once of games that were played before.
            apart: False plays in this process.

        Raises:
            ValueError: for a log of another tournament.
        """
        told = progress or (lambda games: None)
        with opened(file, self.plan) as log:
            lineups, places = self.lineups(), self._places()
            todo = [place for place in places if place not in log.done]
            times = [len(lineup.seatings) for lineup in lineups]
            told(sum(times[match] * number for match, _, number in set(places) - set(todo)))
            blocks = [(match, np.arange(first, first + number)) for match, first, number in todo]
            played = play_blocks(lineups, blocks, workers if apart else 0, told, self.move_limit)
            for i, games in played:
                log.add(todo[i], games)
            return self._collected(log, places)

    def _places(self) -> list[Place]:
        """All blocks, the first deals of every match first: half a run then says something."""
        return [
            (match, int(part[0]), len(part))
            for part in in_blocks(self.deals)
            for match in range(len(self.matches))
        ]

    def _collected(self, log: Log, places: Sequence[Place]) -> list[Games]:
        return [
            joined([log.done[place] for place in places if place[0] == match])
            for match in range(len(self.matches))
        ]
