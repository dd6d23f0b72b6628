"""Random games of Lucky Catch, replayed cast by cast against `tests/referee/lucky_catch.py`.

`LUCKY_CATCH_REFEREE_GAMES=10000 python -m pytest tests/games/test_lucky_catch_referee.py` plays
10,000. Game number i is the same game in every run.
"""

import json
import os
import random
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

from miaui_env import lucky_catch_v0
from tests.referee.lucky_catch import BOX, COLOUR_DIE, CREATURE_DIE, Referee

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


class Replay:
    """Game number `number` on both sides."""

    def __init__(self, env: Any, variant: Variant, number: int) -> None:
        """A random sea and first seat, the same for both; dice stacked for some casts or all."""
        self.env, self.variant, self.number = env, variant, number
        self.luck = random.Random(number)
        self.sea = self.luck.sample(BOX, len(BOX))
        self.first = self.luck.randrange(variant.num_players)
        stacked = self.luck.choice([0, 7, 500])
        self.dice = [
            [self.luck.choice(COLOUR_DIE), self.luck.choice(CREATURE_DIE)] for _ in range(stacked)
        ]
        self.manner = self.luck.choice(MANNERS)
        self.referee = Referee(
            variant.num_players,
            self.sea,
            self.first,
            chest_casts_again=variant.chest_casts_again,
            perfect_recall=variant.perfect_recall,
        )
        self.moves: list[int] = []
        self.rewards = np.zeros(variant.num_players)

    def play(self) -> None:
        """To the end, comparing on the way."""
        options = {"sea": self.sea, "dice": self.dice, "first": self.first}
        self.env.reset(seed=self.number, options=options)
        while not self.referee.over:
            self.roll()
            self.check_all_views()
            self.cast()
        self.check_all_views()
        self.finish()

    def roll(self) -> None:
        """The dice as stacked; beyond, as the environment rolled them, if dice have such sides."""
        fallen = self.env.unwrapped.view(None)["dice"]
        if self.referee.casts < len(self.dice):
            self.check(fallen, self.dice[self.referee.casts], "dice")
        self.referee.roll(fallen)

    def cast(self) -> None:
        """One decision: who, what is legal; the same move on both sides; what it pays."""
        seat = self.referee.turn
        agent = f"player_{seat}"
        self.check(self.env.agent_selection, agent, "agent_selection")
        legal = np.flatnonzero(self.env.observe(agent)["action_mask"]).tolist()
        self.check(legal, self.referee.legal(seat), f"legal actions of seat {seat}")
        action = self.choose(seat, legal)
        self.moves.append(action)
        before = self.referee.scores
        self.env.step(action)
        self.referee.cast(seat, action)
        gained = np.subtract(self.referee.scores, before)
        paid = [self.env.rewards[f"player_{i}"] for i in range(self.variant.num_players)]
        self.check([float(x) for x in paid], [float(x) for x in gained], "points gained")

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

    def finish(self) -> None:
        """Over for all at once: points and shares of the win."""
        n = self.variant.num_players
        agents = [f"player_{i}" for i in range(n)]
        self.check([bool(self.env.terminations[a]) for a in agents], [True] * n, "terminations")
        points = [int(self.env.infos[a]["points"]) for a in agents]
        self.check(points, self.referee.scores, "points")
        shares = [self.env.infos[a]["win_share"] for a in agents]
        assert shares == pytest.approx(self.referee.win_shares), self.told()

    def check_all_views(self) -> None:
        """Every seat's and the referee's."""
        for viewer in [None, *range(self.variant.num_players)]:
            name = None if viewer is None else f"player_{viewer}"
            env_says = self.env.unwrapped.view(name)
            self.check(env_says, self.referee.view(viewer), f"view({name!r})")

    def check(self, env_says: Any, referee_says: Any, what: str) -> None:
        """Equal to the letter as JSON: values, types, and the order of the keys."""
        if json.dumps(env_says) != json.dumps(referee_says):
            pytest.fail(f"{what}: {env_says!r}, the referee {referee_says!r}\n{self.told()}")

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
        Replay(env, variant, number).play()
