"""Random games of Maui, replayed move by move against the referee of `tests/referee/maui.py`.

`MAUI_REFEREE_GAMES=10000 python -m pytest tests/games/test_maui_referee.py` plays 10,000.
Game number i is the same game in every run.
"""

import os
import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import pytest

from miaui_env import maui_v0
from tests.referee.maui import BOX, PATTERNS, Options, Referee
from tests.referee.replaying import Replay

GAMES = int(os.environ.get("MAUI_REFEREE_GAMES", "108"))


@dataclass(frozen=True)
class Variant:
    """Who plays, by which options, and whether they forget."""

    num_players: int
    flat_match_points: bool
    overhang: int
    perfect_recall: bool

    @property
    def options(self) -> Options:
        """As the referee takes them."""
        return Options(self.flat_match_points, self.overhang)


NO_OR_YES = [False, True]
VARIANTS = [Variant(*how) for how in product(range(2, 5), NO_OR_YES, range(3), NO_OR_YES)]


class Game(Replay[Referee]):
    """Game number `number` on both sides."""

    def __init__(self, env: Any, variant: Variant, number: int) -> None:
        """A random deal, the same for both."""
        luck = random.Random(number)
        self.variant = variant
        n = variant.num_players
        steps = luck.sample(PATTERNS, 2)
        beach = [*["white"] * 3, *["black"] * 3, *(f"step:{pattern}" for pattern in steps)]
        self.deal: dict[str, Any] = {
            "bag": luck.sample(BOX, len(BOX)),
            "step_patterns": steps,
            "umbrellas": [luck.sample(beach, len(beach)) for _ in range(n)],
            "first": luck.randrange(n),
        }
        self.taste = luck.choice(["any", "spend", "match", "token", "stay poor"])
        super().__init__(env, Referee(n, variant.options, **self.deal), luck, number)

    def play(self) -> None:
        """To the end, comparing on the way."""
        self.env.reset(seed=self.number, options=self.deal)
        self.check_all_views()
        while not self.referee.over:
            self.decide()
        self.check_all_views()
        self.check_ends()
        assert self.rewards == pytest.approx(self.referee.scores), self.told()

    def decide(self) -> None:
        """One turn: whose it is, what is legal; then what one seat and now and then all see."""
        n = self.seats
        seat = self.referee.to_act()[0]
        legal = self.referee.legal(seat)
        self.check_decision(seat, legal)
        for other in self.agents[:seat] + self.agents[seat + 1 :]:
            assert not self.env.observe(other)["action_mask"].any()
        before = self.referee.scores[seat] if self.referee.turn > n else 0
        action = self.choose(seat, legal)
        paid = self.step(action)
        self.referee.act(seat, action)
        gained = [float(self.referee.scores[i] - before) if i == seat else 0.0 for i in range(n)]
        self.check(paid, gained, "points gained")
        if self.luck.random() < 0.1:
            self.check_all_views()
        self.check_views([self.luck.choice([None, *range(n)])])

    def choose(self, seat: int, legal: list[int]) -> int:
        """A random legal action, often of a kind that leads to the corners of the rules."""
        everything = self.referee.actions
        placements = [a for a in legal if not isinstance(everything[a], int)]
        liked = legal
        if self.taste == "spend":
            liked = placements
        elif self.taste == "token":
            liked = [a for a in placements if everything[a].section is not None]  # type: ignore[union-attr]
        elif self.taste == "stay poor":
            liked = [a for a in placements if everything[a].place == 2]  # type: ignore[union-attr]
        elif self.taste == "match":
            beach = self.referee.beaches[seat]

            def steps(action: int) -> int:
                move = everything[action]
                assert not isinstance(move, int)
                return sum(
                    abs(row - 4) + 1
                    for row, _ in beach.matches(move.top, self.referee.patterns(move))
                )

            most = max(map(steps, placements), default=0)
            liked = [a for a in placements if steps(a) == most]
        return self.luck.choice(liked if liked and self.luck.random() < 0.9 else legal)

    def check_views(self, viewers: Iterable[int | None]) -> None:
        """Views on both sides, and those that the observations stand for."""
        viewers = list(viewers)
        super().check_views(viewers)
        for viewer in [viewer for viewer in viewers if viewer is not None]:
            seen = self.env.observe(self.agents[viewer])["observation"]
            told = self.env.unwrapped.setup.view_of(seen, viewer)
            self.check(told, self.referee.view(viewer), f"view_of seat {viewer}")

    def told(self) -> str:
        """All it takes to play this game again."""
        return f"game {self.number}: {self.variant}\n{self.deal}, actions {self.moves}"


def in_words(variant: Variant) -> str:
    """A short name for the test's report."""
    named = [name for name, on in asdict(variant).items() if on is True]
    return "-".join([f"{variant.num_players}p", f"overhang{variant.overhang}", *named])


@pytest.mark.parametrize("first", range(len(VARIANTS)), ids=[in_words(v) for v in VARIANTS])
def test_random_games_agree_with_the_referee(first: int) -> None:
    """All seats' views, the legal actions, points, win shares and rewards, in every variant."""
    variant = VARIANTS[first]
    env = maui_v0.env(**asdict(variant), reward="points")
    for number in range(first, GAMES, len(VARIANTS)):
        Game(env, variant, number).play()


def test_win_rewards_follow_the_referees_shares() -> None:
    env = maui_v0.env(num_players=3)
    replay = Game(env, Variant(3, False, 1, False), 5)
    env.reset(seed=5, options=replay.deal)
    while not replay.referee.over:
        seat = replay.referee.to_act()[0]
        action = replay.choose(seat, replay.referee.legal(seat))
        env.step(action)
        replay.referee.act(seat, action)
    expected = [(3 * share - 1) / 2 for share in replay.referee.win_shares]
    assert [env.rewards[f"player_{seat}"] for seat in range(3)] == pytest.approx(expected)
