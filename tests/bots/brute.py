"""A small duel, whole: every deck, every pair of moves. What a best response wins against a bot.

Python rather than speed, and nothing shared with the benchmark's solvers. Information sets are
histories of own observations and actions. `python -m tests.bots.brute` prints how far search bots
are from an equilibrium, over simulations.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env import Setup, Tables, find, keys
from miaui_env.bots.search import SearchBot

CARDS = ("kittenfish:2", "tigerfish:6", "tigerfish:9", "tuna:13")
SMALL = Setup.of(find("miaui"), 2, hand_size=3, spaces=1, kiti=0, cards=CARDS, perfect_recall=True)
"""Three rounds for one fish each, of four. Two decisions a seat: the last card is forced."""
Policy = list[np.ndarray]
"""For each seat, probabilities `(its information sets, actions)`."""


@dataclass
class Level:
    """All positions after so many rounds; arrays have a row for each.

    Attributes:
        parents: which position of the level before it came from.
        moves: the seats' actions there; `(positions, 2)`.
        sets: the seats' information sets; `(positions, 2)`.
        shares: win shares, where the game is over.
    """

    parents: np.ndarray
    moves: np.ndarray
    sets: np.ndarray
    shares: np.ndarray


class Duel:
    """The game tree of a setup without luck but the order of the deck, and Seagulls in none."""

    def __init__(self, setup: Setup) -> None:
        """Play everything."""
        self.setup = setup
        self.names: list[dict[Any, int]] = [{}, {}]
        self.observations: list[list[np.ndarray]] = [[], []]
        self.masks: list[list[np.ndarray]] = [[], []]
        self.levels: list[Level] = []
        states = np.concatenate([self._dealt(deck) for deck in self._decks()])
        nobody = np.zeros((len(states), 2), np.int64)
        self.levels.append(self._level(states, np.arange(len(states)), nobody))
        while not states["over"].all():
            parents, moves = self._all_moves(self.levels[-1])
            states = self._played(states[parents], moves)
            self.levels.append(self._level(states, parents, moves))

    def _decks(self) -> list[tuple[str, ...]]:
        """Every order of the cards, all different, so equally likely."""
        return list(itertools.permutations(self.setup.options.multiset))

    def _dealt(self, deck: tuple[str, ...]) -> np.ndarray:
        tables = Tables(self.setup, 1, auto_reset=False)
        tables.reset(options={"deck": list(deck)})
        states: np.ndarray = tables.states
        return states

    def _played(self, states: np.ndarray, moves: np.ndarray) -> np.ndarray:
        tables = Tables(self.setup, len(states), auto_reset=False)
        tables.reset()
        tables.states[:] = states
        tables.step(moves)
        states = tables.states
        return states

    def _level(self, states: np.ndarray, parents: np.ndarray, moves: np.ndarray) -> Level:
        points = states["points"][:, :2].astype(np.int64)
        shares = np.where(
            states["over"][:, None] != 0, (1 + np.sign(points - points[:, ::-1])) / 2, 0
        )
        tables = Tables(self.setup, len(states), auto_reset=False)
        tables.states[:] = states
        sets = np.zeros((len(states), 2), np.int64)
        for i, seat in itertools.product(range(len(states)), (0, 1)):
            before = self.levels[-1].sets[parents[i], seat] if self.levels else -1
            seen = tables.observe(i, seat)
            sets[i, seat] = self._set_of(seat, (before, moves[i, seat], seen[0].tobytes()), seen)
        return Level(parents, moves, sets, shares)

    def _set_of(self, seat: int, history: Any, seen: tuple[np.ndarray, np.ndarray]) -> int:
        """A number for what the seat saw and did."""
        if history not in self.names[seat]:
            self.names[seat][history] = len(self.names[seat])
            self.observations[seat].append(seen[0])
            self.masks[seat].append(seen[1])
        return self.names[seat][history]

    def _all_moves(self, level: Level) -> tuple[np.ndarray, np.ndarray]:
        """Every position with every pair of legal moves."""
        found = [
            (i, one, two)
            for i, (first, second) in enumerate(level.sets)
            for one in np.flatnonzero(self.masks[0][first])
            for two in np.flatnonzero(self.masks[1][second])
        ]
        table = np.array(found)
        return table[:, 0], table[:, 1:]

    # --- policies --------------------------------------------------------------------------------

    def uniform(self) -> Policy:
        """Any legal move."""
        masks = [np.array(rows, np.float64) for rows in self.masks]
        return [rows / np.maximum(rows.sum(1, keepdims=True), 1) for rows in masks]

    def policy_of(self, bot: SearchBot, times: int, seed: int = 0) -> Policy:
        """How the bot moves, on average over so many keys."""
        fitted = bot.fitted(self.setup)
        assert isinstance(fitted, SearchBot)
        policy = self.uniform()
        for seat in (0, 1):
            choosing = policy[seat].max(1) < 1
            choosing &= policy[seat].sum(1) > 0
            seen = np.repeat(np.array(self.observations[seat])[choosing], times, 0)
            masks = np.repeat(np.array(self.masks[seat])[choosing], times, 0)
            thought = fitted.think(seen, masks, keys(seed + seat, len(seen)))
            policy[seat][choosing] = thought.reshape(-1, times, masks.shape[1]).mean(1)
        return policy

    # --- values ----------------------------------------------------------------------------------

    def best_response(self, seat: int, policy: Policy) -> float:
        """The win share of the best play against the other seat's policy."""
        other = 1 - seat
        reach = [np.full(len(self.levels[0].sets), 1 / len(self.levels[0].sets))]
        for before, level in itertools.pairwise(self.levels):
            chances = policy[other][before.sets[level.parents, other], level.moves[:, other]]
            reach.append(reach[-1][level.parents] * chances)
        worth = reach[-1] * self.levels[-1].shares[:, seat]  # each position's, times its reach
        for before, level in zip(self.levels[-2::-1], self.levels[:0:-1], strict=True):
            own = before.sets[level.parents, seat]
            table = np.zeros(policy[seat].shape)
            np.add.at(table, (own, level.moves[:, seat]), worth)
            best = np.where(np.array(self.masks[seat]) != 0, table, -1.0).argmax(1)
            kept = worth * (level.moves[:, seat] == best[own])
            worth = np.zeros(len(before.sets))
            np.add.at(worth, level.parents, kept)
        return float(worth.sum())

    def nash_conv(self, policy: Policy) -> float:
        """What both could gain together by best responses; win shares of a game add up to 1."""
        return self.best_response(0, policy) + self.best_response(1, policy) - 1.0


def main() -> None:
    """Print the curve."""
    duel = Duel(SMALL)
    print(f"{[len(names) for names in duel.names]} information sets")
    print(f"uniform play: {duel.nash_conv(duel.uniform()):.4f}")
    for kind, times in (("search-rm", 4), ("search", 32), ("flat", 32)):
        for simulations in (30, 100, 300, 1000, 3000, 10000):
            policy = duel.policy_of(SearchBot(kind, simulations), times)
            print(f"{kind}:{simulations}: {duel.nash_conv(policy):.4f}", flush=True)


if __name__ == "__main__":
    main()
