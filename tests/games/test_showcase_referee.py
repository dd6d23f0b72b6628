"""Random games of Showcase, replayed move by move against the referee of `referee/showcase.py`.

`SHOWCASE_REFEREE_GAMES=10000 python -m pytest tests/games/test_showcase_referee.py` plays 10,000.
Game number i is the same game in every run.
"""

import os
import random
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

import pytest

from miaui_env import showcase_v0
from tests.referee.replaying import Replay
from tests.referee.showcase import ALL_CARDS, KINDS, Options, Referee

GAMES = int(os.environ.get("SHOWCASE_REFEREE_GAMES", "96"))
NO_OR_YES = [False, True]
TABLES = list(product((2, 3, 4), NO_OR_YES, NO_OR_YES, NO_OR_YES))
STUDIES = [{}, {"min_turns": 1}, {"target": 25, "min_turns": 2}, {"target": 4}, {"target": 30}]
HABITS = [
    {},
    {"declare": 0.2, "swap": 0.1, "play": 0.2},
    {"declare": 0.1, "swap": 0.02, "play": 0.02},
    {"declare": 0.02, "swap": 0.05, "play": 3.0},
    {"declare": 3.0, "swap": 1.0, "play": 1.0, "pass": 0.3},
    {"declare": 0.005, "draw": 0.0, "take": 0.02, "play": 0.01},
]
"""How willingly a game's players do what; 1 where nothing is said."""


def what(action: int) -> str:
    """The family of an action."""
    for first, name in ((42, "discard"), (41, "pass"), (40, "declare"), (12, "swap"), (8, "take")):
        if action >= first:
            return name
    return "draw" if action == 7 else "play"


class Game(Replay[Referee]):
    """Game number `number` on both sides."""

    def __init__(self, env: Any, options: Options, recall: bool, seats: int, number: int) -> None:
        """A random deck and starter, the same for both."""
        luck = random.Random(number)
        self.deck = luck.sample(ALL_CARDS, len(ALL_CARDS))
        self.first = luck.randrange(seats)
        self.habit = HABITS[number % len(HABITS)]
        referee = Referee(seats, options, self.deck, self.first, recall)
        super().__init__(env, referee, luck, number)

    def play(self) -> None:
        """To the end, comparing on the way."""
        self.env.reset(seed=self.number, options={"deck": self.deck, "first": self.first})
        self.look()
        while not self.referee.over:
            seat = self.referee.to_act()[0]
            legal = self.referee.legal()
            self.check_decision(seat, legal)
            action = self.choose(legal)
            self.step(action)
            self.referee.play(action, self.shuffled)  # which is told what was shuffled
            self.look()
        self.check_ends()
        self.check_rewards()

    def choose(self, legal: list[int]) -> int:
        """A random legal action, as the players of this game like it."""
        return self.luck.choices(legal, [self.habit.get(what(a), 1.0) + 1e-9 for a in legal])[0]

    def shuffled(self, discards: list[str]) -> Sequence[str]:
        """The new deck; the record keeps the cards that have been drawn from it."""
        deck = self.env.unwrapped.table.tables.states["deck"][0]
        return [KINDS[kind] for kind in deck[len(deck) - len(discards) :]]

    def look(self) -> None:
        """The referee's view, and all seats'; at most steps two seats', in long games none."""
        seats = list(range(self.seats))
        if len(self.moves) > 80 and len(self.moves) % 4 and not self.referee.over:
            return
        if len(self.moves) % 7 and self.referee.phase != "clean_up" and not self.referee.over:
            seats = [*self.referee.to_act(), len(self.moves) % self.seats]
        self.check_views([None, *seats])

    def told(self) -> str:
        """All it takes to play this game again."""
        return (
            f"game {self.number}: {self.seats} seats, {self.referee.options}, "
            f"deck {self.deck}, first {self.first}, actions {self.moves}"
        )


@pytest.mark.parametrize("first", range(len(TABLES)), ids=["-".join(map(str, t)) for t in TABLES])
def test_random_games_agree_with_the_referee(first: int) -> None:
    """All seats' views, the legal actions, points, win shares and rewards, at every table."""
    seats, played_count, discard_scored, recall = TABLES[first]
    envs: dict[int, Any] = {}
    for number in range(first, GAMES, len(TABLES)):
        which = number // len(TABLES) % len(STUDIES)
        options = Options(played_count, discard_scored, **STUDIES[which])
        if which not in envs:
            envs[which] = showcase_v0.env(
                num_players=seats, perfect_recall=recall, **asdict(options)
            )
        Game(envs[which], options, recall, seats, number).play()


def test_the_referee_accepts_no_shuffle_of_other_cards() -> None:
    """S9: what becomes the deck are the discards."""
    referee = Referee(2, Options(), ALL_CARDS, 0)
    referee.deck.clear()
    referee.discards["milk"] = 2
    with pytest.raises(ValueError, match="S9"):
        referee.play(7, lambda _: ["milk", "red:2"])
