"""Rock, paper, scissors for two to four: a field with a cycle, and a seat with a head start.

Each seat scores one for every other seat that it beats. With the option `head_start` seat 0 has ten
points more in so many deals of a hundred, whoever sits there. Just enough of a game for the arena.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env.bots import Bot
from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, Field, put, record
from miaui_env.engine.rng import draw, mixed
from miaui_env.game import Game, Setup

SEATS = 4
STATE = record(
    [
        ("num_players", "i1"),
        ("perfect_recall", "i1"),
        ("over", "i1"),
        ("to_act", "i4"),
        ("turn", "i2"),
        ("points", "i4", (SEATS,)),
        ("head_start", "i1"),  # deals of a hundred
        ("shown", "i1", (SEATS,)),
    ]
)


@dataclass(frozen=True)
class Options:
    """How often seat 0 has won already."""

    head_start: int = 0


@kernel
def deal(state: Any, key: Any) -> None:
    """Everybody is to show a hand."""
    state.over, state.turn = 0, 0
    state.points[:] = 0
    if draw(key, 1, 0, 100) < state.head_start:
        state.points[0] = 10
    state.to_act = (1 << np.int64(state.num_players)) - 1


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """Rock, paper or scissors."""
    mask[:] = (np.int64(state.to_act) >> seat) & 1


@kernel
def play(state: Any, seat: int, action: int, key: Any) -> None:
    """Show a hand; the last one settles."""
    state.shown[seat] = action
    state.to_act = np.int64(state.to_act) ^ (1 << seat)
    if state.to_act == 0:
        n = np.int64(state.num_players)
        state.over = 1
        for one in range(n):
            for other in range(n):
                if (np.int64(state.shown[one]) - np.int64(state.shown[other])) % 3 == 1:
                    state.points[one] += 1


@kernel
def observe(state: Any, seat: int, out: Any) -> Any:
    """Nothing worth seeing."""
    return put(out, START, state.over)


@kernel
def resample(state: Any, seat: int, key: Any) -> None:
    """Nothing is hidden."""


def fields(setup: Setup) -> list[Field]:
    """What `observe` writes."""
    return [Field("over", (1,), 0, 1, "whether all is over")]


def write_options(state: Any, setup: Setup) -> None:
    """The head start."""
    state.head_start = setup.options.head_start


def nothing(*_: Any) -> Any:
    """No answer: nobody asks in the arena."""
    raise NotImplementedError


GAME = Game(
    name="duels",
    title="Duels",
    version=0,
    players=range(2, SEATS + 1),
    default_players=2,
    simultaneous=True,
    options=Options,
    state=STATE,
    deal=deal,
    legal=legal,
    play=play,
    observe=observe,
    survey=observe,
    resample=resample,
    write_options=write_options,
    stack=nothing,
    stack_options=frozenset(),
    actions=lambda setup: 3,
    longest=lambda setup: 1,
    fields=fields,
    survey_fields=fields,
    view=nothing,
    view_of=nothing,
    from_view=nothing,
    remember=nothing,
    inventory=nothing,
    say=nothing,
    read=nothing,
    words=nothing,
)


class Leaning(Bot):
    """Shows one hand in `often` of a hundred decisions, and any in the others."""

    def __init__(self, hand: int, often: int = 100) -> None:
        self.hand, self.often = hand, often
        self.name = f"{('rock', 'paper', 'scissors')[hand]} {often}"

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        luck = mixed(keys, 1) % np.uint64(100)
        any_hand = (mixed(keys, 2) % np.uint64(3)).astype(np.int64)
        return np.where(luck < self.often, self.hand, any_hand)
