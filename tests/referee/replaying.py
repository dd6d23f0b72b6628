"""One game on both sides: in an AEC environment and before a referee in plain Python."""

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import pytest


class Judge(Protocol):
    """What every game's referee knows in the end."""

    @property
    def scores(self) -> list[int]:
        """Points of each seat."""

    @property
    def win_shares(self) -> list[float]:
        """What each seat has of the win."""

    def view(self, viewer: int | None) -> dict[str, Any]:
        """What a seat knows; None is the referee."""


AReferee = TypeVar("AReferee", bound=Judge)


class Replay(Generic[AReferee]):
    """Game number `number`, the same in every run; a game's own test says how it is played."""

    def __init__(self, env: Any, referee: AReferee, luck: random.Random, number: int) -> None:
        """Sit down; `luck` has dealt for the referee and chooses the moves."""
        self.env, self.referee, self.luck, self.number = env, referee, luck, number
        self.seats = int(env.unwrapped.setup.num_players)
        self.agents = [f"player_{seat}" for seat in range(self.seats)]
        self.moves: list[int] = []
        self.rewards = [0.0] * self.seats

    def told(self) -> str:
        """All it takes to play this game again."""
        raise NotImplementedError

    def check_decision(self, seat: int, legal: list[int]) -> None:
        """Whose decision it is, and what is legal."""
        self.check(self.env.agent_selection, self.agents[seat], "agent_selection")
        mask = self.env.observe(self.agents[seat])["action_mask"]
        self.check(mask.nonzero()[0].tolist(), legal, f"legal actions of seat {seat}")

    def step(self, action: int) -> list[float]:
        """The environment's side of a move; what it paid to each seat."""
        self.moves.append(action)
        self.env.step(action)
        paid = [float(self.env.rewards[agent]) for agent in self.agents]
        self.rewards = [old + new for old, new in zip(self.rewards, paid, strict=True)]
        return paid

    def check_ends(self) -> None:
        """Over for all at once; points, and shares of the win."""
        infos = [self.env.infos[agent] for agent in self.agents]
        ends = [bool(self.env.terminations[agent]) for agent in self.agents]
        self.check(ends, [True] * self.seats, "terminations")
        points = [float(info["points"]) for info in infos]
        self.check(points, [float(score) for score in self.referee.scores], "points")
        shares = [info["win_share"] for info in infos]
        assert shares == pytest.approx(self.referee.win_shares), self.told()

    def check_rewards(self) -> None:
        """All that was paid for winning, from -1/(n-1) to 1, which sums to zero."""
        n = self.seats
        rewards = [(n * share - 1) / (n - 1) for share in self.referee.win_shares]
        assert self.rewards == pytest.approx(rewards, abs=1e-6), self.told()

    def check_all_views(self) -> None:
        """Every seat's and the referee's."""
        self.check_views([None, *range(self.seats)])

    def check_views(self, viewers: Iterable[int | None]) -> None:
        """These seats' views; None is the referee's."""
        for viewer in viewers:
            name = None if viewer is None else self.agents[viewer]
            said = self.env.unwrapped.view(name)
            self.check(said, self.referee.view(viewer), f"view({name!r})")

    def check(self, env_says: Any, referee_says: Any, what: str) -> None:
        """Equal to the letter as JSON: values, types, and the order of the keys."""
        if json.dumps(env_says) != json.dumps(referee_says):
            where = first_difference(env_says, referee_says)
            pytest.fail(f"{what}: the environment and the referee differ{where}\n{self.told()}")


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
