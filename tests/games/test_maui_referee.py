"""Random games of Maui, replayed move by move against the referee of `tests/referee/maui.py`.

`MAUI_REFEREE_GAMES=10000 python -m pytest tests/games/test_maui_referee.py` plays 10,000.
Game number i is the same game in every run.
"""

import json
import os
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import pytest

from miaui_env import maui_v0
from tests.referee.maui import BOX, PATTERNS, Options, Referee

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


class Replay:
    """Game number `number` on both sides."""

    def __init__(self, env: Any, variant: Variant, number: int) -> None:
        """A random deal, the same for both."""
        self.env, self.variant, self.number = env, variant, number
        self.luck = random.Random(number)
        n = variant.num_players
        steps = self.luck.sample(PATTERNS, 2)
        beach = [*["white"] * 3, *["black"] * 3, *(f"step:{pattern}" for pattern in steps)]
        self.deal: dict[str, Any] = {
            "bag": self.luck.sample(BOX, len(BOX)),
            "step_patterns": steps,
            "umbrellas": [self.luck.sample(beach, len(beach)) for _ in range(n)],
            "first": self.luck.randrange(n),
        }
        self.taste = self.luck.choice(["any", "spend", "match", "token", "stay poor"])
        self.referee = Referee(n, variant.options, **self.deal)
        self.moves: list[int] = []
        self.rewards = [0.0] * n

    def play(self) -> None:
        """To the end, comparing on the way."""
        self.env.reset(seed=self.number, options=self.deal)
        self.check_all_views()
        while not self.referee.over:
            self.decide()
        self.finish()

    def decide(self) -> None:
        """One turn: whose it is, what is legal; then what one seat and now and then all see."""
        n = self.variant.num_players
        seat = self.referee.to_act()[0]
        self.check(self.env.agent_selection, f"player_{seat}", "agent_selection")
        legal = self.referee.legal(seat)
        for other in range(n):
            mask = self.env.observe(f"player_{other}")["action_mask"]
            expected = legal if other == seat else []
            self.check(mask.nonzero()[0].tolist(), expected, f"legal for {other}")
        before = self.referee.scores[seat] if self.referee.turn > n else 0
        action = self.choose(seat, legal)
        self.moves.append(action)
        self.env.step(action)
        self.referee.act(seat, action)
        paid = [float(self.env.rewards[f"player_{i}"]) for i in range(n)]
        gained = [float(self.referee.scores[i] - before) if i == seat else 0.0 for i in range(n)]
        self.check(paid, gained, "points gained")
        self.rewards = [old + new for old, new in zip(self.rewards, paid, strict=True)]
        if self.luck.random() < 0.1:
            self.check_all_views()
        self.check_view(self.luck.choice([None, *range(n)]))

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

    def finish(self) -> None:
        """Over for all at once: points, shares of the win, rewards."""
        self.check_all_views()
        n = self.variant.num_players
        agents = [f"player_{i}" for i in range(n)]
        self.check([bool(self.env.terminations[a]) for a in agents], [True] * n, "terminations")
        points = [float(self.env.infos[a]["points"]) for a in agents]
        self.check(points, [float(score) for score in self.referee.scores], "points")
        shares = self.referee.win_shares
        assert [self.env.infos[a]["win_share"] for a in agents] == pytest.approx(shares)
        assert self.rewards == pytest.approx(self.referee.scores), self.told()

    def check_all_views(self) -> None:
        """Every seat's and the referee's."""
        for viewer in [None, *range(self.variant.num_players)]:
            self.check_view(viewer)

    def check_view(self, viewer: int | None) -> None:
        """One view on both sides, and the one that the observation stands for."""
        name = None if viewer is None else f"player_{viewer}"
        view = self.referee.view(viewer)
        self.check(self.env.unwrapped.view(name), view, f"view({name!r})")
        if viewer is not None:
            seen = self.env.observe(name)["observation"]
            told = self.env.unwrapped.setup.view_of(seen, viewer)
            self.check(told, view, f"view_of({name!r})")

    def check(self, env_says: Any, referee_says: Any, what: str) -> None:
        """Equal to the letter as JSON: values, types, and the order of the keys."""
        if json.dumps(env_says) != json.dumps(referee_says):
            where = first_difference(env_says, referee_says)
            pytest.fail(f"{what}: the environment and the referee differ{where}\n{self.told()}")

    def told(self) -> str:
        """All it takes to play this game again."""
        return f"game {self.number}: {self.variant}\n{self.deal}, actions {self.moves}"


def first_difference(left: Any, right: Any) -> str:
    """The path of keys to the first place where two JSON values part, and both sides there."""
    if isinstance(left, dict) and isinstance(right, dict) and list(left) == list(right):
        keys: Sequence[Any] = list(left)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        keys = range(len(left))
    else:
        return f": {left!r} against {right!r}"
    key = next(key for key in keys if json.dumps(left[key]) != json.dumps(right[key]))
    return f" / {key}{first_difference(left[key], right[key])}"


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
        Replay(env, variant, number).play()


def test_win_rewards_follow_the_referees_shares() -> None:
    env = maui_v0.env(num_players=3)
    replay = Replay(env, Variant(3, False, 1, False), 5)
    env.reset(seed=5, options=replay.deal)
    while not replay.referee.over:
        seat = replay.referee.to_act()[0]
        action = replay.choose(seat, replay.referee.legal(seat))
        env.step(action)
        replay.referee.act(seat, action)
    expected = [(3 * share - 1) / 2 for share in replay.referee.win_shares]
    assert [env.rewards[f"player_{seat}"] for seat in range(3)] == pytest.approx(expected)
