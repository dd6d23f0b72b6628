"""A person at one seat, bots at the others, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from miaui_env.benchmark.arena import LineUp
from miaui_env.bots import Bot
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup

Say = Callable[[str], object]
Ask = Callable[[str], str]

LEAVING = ("quit", "exit", "q")
HELP = ("help", "?", "")


class Left(Exception):  # no error: somebody went home
    """The person at the table leaves."""


class TerminalGame:
    """One game of a person against bots.

    The person reads the view that the seat's observation stands for, and nothing else; so do bots.
    """

    def __init__(self, setup: Setup, bots: Sequence[Bot], seat: int, seed: int) -> None:
        """Lay the table; `bots` sit at the other seats, in order.

        Raises:
            ValueError: for a seat that is none, a wrong number of bots, or one that cannot play.
        """
        if seat not in range(setup.num_players):
            raise ValueError(f"seats are 0 to {setup.num_players - 1}, not {seat}")
        if len(bots) != setup.num_players - 1:
            raise ValueError(f"{setup.num_players - 1} seats are free, not {len(bots)}")
        self.setup, self.seat = setup, seat
        self.lineup = LineUp.of(setup, bots, seed)
        self.players = dict(zip(self._others(), self.lineup.slots.tolist(), strict=True))
        self.names = {s: bots[i].name for i, s in enumerate(self._others())} | {seat: "you"}
        self.memories = {s: self.lineup.players[p].begin(1) for s, p in self.players.items()}
        self.tables = Tables(self.lineup.setup, 1, seed=seed, auto_reset=False)

    def play(self, say: Say, ask: Ask) -> None:
        """Play to the end; raises Left when the person leaves."""
        self.tables.reset()
        while self.tables.to_act.any():
            actions = np.full((1, self.setup.num_players), -1, np.int16)
            for seat in np.flatnonzero(self.tables.to_act[0]).tolist():
                chosen = self._person(say, ask) if seat == self.seat else self._bot(seat)
                actions[0, seat] = chosen
            self.tables.step(actions)
        say(self._words())
        say(self.result())

    def result(self) -> str:
        """Everybody's points and who won, in two lines."""
        points, shares = self.tables.final_points[0], self.tables.win_shares[0]
        seats = range(self.setup.num_players)
        told = ", ".join(f"seat {s} ({self.names[s]}) {points[s]}" for s in seats)
        winners = [self.names[s] if s == self.seat else f"seat {s}" for s in seats if shares[s] > 0]
        verb = "win" if len(winners) > 1 or winners == ["you"] else "wins"
        return f"Points: {told}\n{' and '.join(winners).capitalize()} {verb}."

    def _others(self) -> list[int]:
        return [seat for seat in range(self.setup.num_players) if seat != self.seat]

    def _words(self) -> str:
        """The table as the person may see it."""
        observation, _ = self.tables.observe(0, self.seat)
        view = self.setup.view_of(observation[: self.setup.layout.size], self.seat)
        return self.setup.game.words(view)

    def _person(self, say: Say, ask: Ask) -> int:
        """Show the table and ask until the answer is a legal action."""
        say("\n" + self._words())
        _, mask = self.tables.observe(0, self.seat)
        allowed = ", ".join(self.setup.say(int(action)) for action in np.flatnonzero(mask))
        while True:
            text = ask("> ").strip()
            if text.lower() in LEAVING:
                raise Left
            try:
                action = None if text.lower() in HELP else self.setup.read(text)
            except ValueError as error:
                say(f"{error}")
                continue
            if action is not None and mask[action]:
                return action
            say(f"You may: {allowed}; or quit.")

    def _bot(self, seat: int) -> int:
        """The move of the bot at a seat."""
        player = self.players[seat]
        observation, mask = self.tables.observe(0, seat)
        row = observation[None, : self.lineup.sizes[player]], mask[None]
        key = self.tables.decision_keys()[0, seat : seat + 1]
        return int(self.lineup.players[player].act(*row, key, self.memories[seat])[0])
