"""Random games of Miaui, replayed move by move against the referee of `tests/referee/miaui.py`.

`MIAUI_REFEREE_GAMES=10000 python -m pytest tests/games/test_miaui_referee.py` plays 10,000.
Game number i is the same game in every run.
"""

import os
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import pytest

from miaui_env import miaui_v0
from tests.referee.miaui import BOX, KINDS, SEAGULL, Options, Referee
from tests.referee.replaying import Replay

GAMES = int(os.environ.get("MIAUI_REFEREE_GAMES", "2400"))


@dataclass(frozen=True)
class Variant:
    """Who plays, by which variants, and whether they forget."""

    num_players: int
    open_baskets: bool
    no_fighting: bool
    perfect_recall: bool


@dataclass(frozen=True)
class Study:
    """The options for study."""

    hand_size: int = 12
    spaces: int = 3
    cards: Sequence[str] = tuple(BOX)


SWARM = [
    *["lantern:1", "lantern:7", "jellyfish:-10", "jellyfish:-15", SEAGULL] * 4,
    *["kittenfish:2", "tigerfish:9", "tuna:10", "tuna:15"] * 5,
]
NO_OR_YES = [False, True]
VARIANTS = [Variant(*how) for how in product(range(2, 7), NO_OR_YES, NO_OR_YES, NO_OR_YES)]
STUDIES = [
    Study(),
    Study(spaces=2),
    Study(spaces=1),
    Study(hand_size=5),
    Study(hand_size=3),
    Study(cards=SWARM),
    Study(spaces=2, cards=SWARM),
    Study(hand_size=5, cards=SWARM[4:20]),
    Study(hand_size=5, spaces=1, cards=["lantern:3", "lantern:3", SEAGULL, "tuna:12", "tuna:12"]),
    Study(hand_size=3, spaces=2, cards=[*KINDS[-8:], "jellyfish:-10", "jellyfish:-15"]),
    Study(hand_size=1, cards=["jellyfish:-10", "jellyfish:-15", "tuna:10", "tuna:10"]),
]


class Game(Replay[Referee]):
    """Game number `number` on both sides."""

    def __init__(self, env: Any, variant: Variant, study: Study, number: int) -> None:
        """A random deck and gap, the same for both; the gulls' way back (M4) is the env's luck."""
        luck = random.Random(number)
        self.variant, self.study = variant, study
        self.deck = luck.sample(study.cards, len(study.cards))
        self.kiti = None if variant.no_fighting else luck.randrange(variant.num_players)
        self.like_the_last = luck.choice([0.0, 0.3, 0.8])  # how often a seat seeks a tie
        options = Options(variant.open_baskets, variant.no_fighting, study.hand_size, study.spaces)
        referee = Referee(
            variant.num_players, options, self.deck, self.kiti, variant.perfect_recall
        )
        super().__init__(env, referee, luck, number)

    def play(self) -> None:
        """To the end, comparing on the way."""
        self.start()
        while not self.referee.over:
            self.decide()
        self.check_ends()
        self.check_rewards()

    def start(self) -> None:
        """Set up both; the first views."""
        kiti = {} if self.kiti is None else {"kiti": self.kiti}
        self.env.reset(seed=self.number, options={"deck": self.deck, **kiti})
        self.referee.return_gulls(self.env.unwrapped.view(None)["deck"])
        self.check_all_views()

    def decide(self) -> None:
        """One commitment: who, what is legal, what this seat and one other see; all at a reveal."""
        seat = self.referee.to_act()[0]
        self.check_decision(seat, self.referee.legal(seat))
        self.check_views([seat, self.one_other(seat)])
        if seat == self.referee.round % self.seats:
            self.check_views([None])
        action = self.choose(seat)
        self.step(action)
        self.referee.commit(seat, action)
        if seat == self.seats - 1:  # the last to commit: the cards show
            self.check_all_views()

    def one_other(self, seat: int) -> int:
        """Another seat, at each decision one further away."""
        return (seat + 1 + len(self.moves) % (self.seats - 1)) % self.seats

    def choose(self, seat: int) -> int:
        """A random legal action, now and then the one of the seat before."""
        legal = self.referee.legal(seat)
        if seat > 0 and self.moves[-1] in legal and self.luck.random() < self.like_the_last:
            return self.moves[-1]
        return self.luck.choice(legal)

    def told(self) -> str:
        """All it takes to play this game again."""
        return (
            f"game {self.number}: {self.variant}, {self.study}\n"
            f"deck {self.deck}, kiti {self.kiti}, actions {self.moves}"
        )


def in_words(variant: Variant) -> str:
    """A short name for the test's report."""
    named = [name for name, on in asdict(variant).items() if on is True]
    return "-".join([f"{variant.num_players}p", *named])


@pytest.mark.parametrize("first", range(len(VARIANTS)), ids=[in_words(v) for v in VARIANTS])
def test_random_games_agree_with_the_referee(first: int) -> None:
    """All seats' views, the legal cards, points, win shares and rewards, in every variant."""
    variant = VARIANTS[first]
    envs: dict[int, Any] = {}
    for number in range(first, GAMES, len(VARIANTS)):
        which = number // len(VARIANTS) % len(STUDIES)
        study = STUDIES[which]
        if which not in envs:
            options = {**asdict(study), "cards": list(study.cards)}
            envs[which] = miaui_v0.env(**asdict(variant), **options)
        Game(envs[which], variant, study, number).play()


@pytest.mark.parametrize(
    ("deck_after", "complaint"),
    [
        ("tuna:11 tuna:10 seagull seagull", "order"),
        ("seagull seagull tuna:10 tuna:11", "order"),  # the second gull lies below tuna:10
        ("tuna:10 seagull tuna:11", "same cards"),
        ("tuna:10 tuna:12 seagull seagull", "same cards"),
    ],
)
def test_the_referee_accepts_no_other_way_back_for_the_gulls(
    deck_after: str, complaint: str
) -> None:
    """M4: of tuna:10, seagull, tuna:11 and one gull put aside, the three keep their order."""
    deck = ["seagull", "tuna:13", "tuna:10", "seagull", "tuna:11"]
    referee = Referee(2, Options(hand_size=5, spaces=1), deck, kiti=0)
    with pytest.raises(ValueError, match=complaint):
        referee.return_gulls(deck_after.split())


@pytest.mark.parametrize("place", range(4))
def test_the_referee_accepts_every_lawful_way_back_for_the_gull(place: int) -> None:
    """M4: one gull goes back before, between or behind the three cards left."""
    left = ["tuna:10", "tuna:12", "tuna:11"]
    referee = Referee(2, Options(hand_size=5, spaces=1), [SEAGULL, "tuna:13", *left], kiti=0)
    after = [*left[:place], SEAGULL, *left[place:]]
    referee.return_gulls(after)
    assert referee.view(None)["deck"] == after
