"""Random games of Lucky Catch, replayed cast by cast against `tests/referee/lucky_catch.py`.

`LUCKY_CATCH_REFEREE_GAMES=10000 python -m pytest tests/games/test_lucky_catch_referee.py` plays
10,000. Game number i is the same game in every run.
"""

import os
import random
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from miaui_env import lucky_catch_v0
from tests.referee.lucky_catch import BOX, COLOUR_DIE, CREATURE_DIE, Referee
from tests.referee.replaying import Replay

GAMES = int(os.environ.get("LUCKY_CATCH_REFEREE_GAMES", "60"))


@dataclass(frozen=True)
class Variant:
    """Who plays, by which variant, and whether they forget."""

    num_players: int
    chest_casts_again: bool
    perfect_recall: bool


NO_OR_YES = [False, True]
VARIANTS = [Variant(*how) for how in product(range(2, 7), NO_OR_YES, NO_OR_YES)]
MANNERS = ["any", "sea", "rows", "memory", "matches"]
"""How seats choose: any legal place; mostly the sea, or rows; a tile known; most of all a match."""


class Game(Replay[Referee]):
    """Game number `number` on both sides."""

    def __init__(self, env: Any, variant: Variant, number: int) -> None:
        """A random sea and first seat, the same for both; dice stacked for some casts or all."""
        luck = random.Random(number)
        self.variant = variant
        self.sea = luck.sample(BOX, len(BOX))
        self.first = luck.randrange(variant.num_players)
        stacked = luck.choice([0, 7, 500])
        self.dice = [[luck.choice(COLOUR_DIE), luck.choice(CREATURE_DIE)] for _ in range(stacked)]
        self.manner = luck.choice(MANNERS)
        referee = Referee(
            variant.num_players,
            self.sea,
            self.first,
            chest_casts_again=variant.chest_casts_again,
            perfect_recall=variant.perfect_recall,
        )
        super().__init__(env, referee, luck, number)

    def play(self) -> None:
        """To the end, comparing on the way."""
        options = {"sea": self.sea, "dice": self.dice, "first": self.first}
        self.env.reset(seed=self.number, options=options)
        while not self.referee.over:
            self.roll()
            self.check_all_views()
            self.cast()
        self.check_all_views()
        self.check_ends()

    def roll(self) -> None:
        """The dice as stacked; beyond, as the environment rolled them, if dice have such sides."""
        fallen = self.env.unwrapped.view(None)["dice"]
        if self.referee.casts < len(self.dice):
            self.check(fallen, self.dice[self.referee.casts], "dice")
        self.referee.roll(fallen)

    def cast(self) -> None:
        """One decision: who, what is legal; the same move on both sides; what it pays."""
        seat = self.referee.turn
        legal = self.referee.legal(seat)
        self.check_decision(seat, legal)
        action, before = self.choose(seat, legal), self.referee.scores
        paid = self.step(action)
        self.referee.cast(seat, action)
        gained = [float(new - old) for new, old in zip(self.referee.scores, before, strict=True)]
        self.check(paid, gained, "points gained")

    def choose(self, seat: int, legal: list[int]) -> int:
        """A random legal place, after this game's manner if it can be had."""
        known = set(self.referee.view(seat)["known"])
        liked = [action for action in legal if self.likes(seat, action, known)]
        return self.luck.choice(liked if liked and self.luck.random() < 0.8 else legal)

    def likes(self, seat: int, action: int, known: set[str]) -> bool:
        area, index = self.referee.area(seat, action)
        tile = self.referee.tile(area, index)
        assert tile
        name = f"sea:{index}" if area is None else f"row{area}:{index}"
        return {
            "any": True,
            "sea": area is None,
            "rows": area is not None,
            "memory": name in known,
            "matches": self.referee.matches(tile.face),
        }[self.manner]

    def told(self) -> str:
        """All it takes to play this game again."""
        return (
            f"game {self.number}: {self.variant}, {self.manner}\nsea {self.sea}, "
            f"first {self.first}, dice {self.dice}, actions {self.moves}"
        )


def in_words(variant: Variant) -> str:
    """A short name for the test's report."""
    named = ["again"] * variant.chest_casts_again + ["recall"] * variant.perfect_recall
    return "-".join([f"{variant.num_players}p", *named])


@pytest.mark.parametrize("first", range(len(VARIANTS)), ids=[in_words(v) for v in VARIANTS])
def test_random_games_agree_with_the_referee(first: int) -> None:
    """All seats' views, the legal places, points, win shares and rewards, in every variant."""
    variant = VARIANTS[first]
    env = lucky_catch_v0.env(
        variant.num_players,
        reward="points",
        chest_casts_again=variant.chest_casts_again,
        perfect_recall=variant.perfect_recall,
    )
    for number in range(first, GAMES, len(VARIANTS)):
        Game(env, variant, number).play()
