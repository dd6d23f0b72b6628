"""A small game in turns, made to be awkward for adapters; nothing to be proud of as a game.

All but the starting seat first guess, at the same time, hidden. Then seats take 1 to 3 coins from a
pile in turn. Points come at all times: for coins, for a guess (when the *next* seat takes that
many), and for the seat after one that took three. Who takes one coin goes on. One deal in four has
a single coin, so that some seats never decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, Field, put, record
from miaui_env.engine.rng import draw
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
        ("coins", "i2"),
        ("starter", "i1"),
        ("guess", "i1", (SEATS,)),
    ]
)


@dataclass(frozen=True)
class Options:
    """None."""


@kernel
def deal(state: Any, key: Any) -> None:
    n = np.int64(state.num_players)
    state.over, state.turn = 0, 0
    state.points[:] = 0
    state.guess[:] = 0
    state.starter = draw(key, 0, 0, n)
    if draw(key, 1, 0, 4) == 0:
        state.coins = 1
        state.to_act = 1 << np.int64(state.starter)
    else:
        state.coins = 5 + draw(key, 2, 0, 5)
        state.to_act = ((1 << n) - 1) ^ (1 << np.int64(state.starter))


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    owes = (np.int64(state.to_act) >> seat) & 1
    guessing = np.int64(state.to_act) & (np.int64(state.to_act) - 1) != 0 or (
        seat != state.starter and state.turn == 0 and state.guess[seat] == 0
    )
    for action in range(3):
        mask[action] = 1 if owes and (guessing or action < state.coins) else 0


@kernel
def play(state: Any, seat: int, action: int, key: Any) -> None:
    n = np.int64(state.num_players)
    if seat != state.starter and state.turn == 0 and state.guess[seat] == 0:
        state.guess[seat] = action + 1
        state.to_act = np.int64(state.to_act) ^ (1 << seat)
        if state.to_act == 0:
            state.to_act = 1 << np.int64(state.starter)
            state.turn = 1
        return
    taken = action + 1
    state.coins -= taken
    state.points[seat] += taken
    before = (seat + n - 1) % n
    if state.guess[before] == taken:
        state.points[before] += 1
    following = (seat + 1) % n
    if taken == 3:
        state.points[following] += 1
    state.turn += 1
    state.to_act = 1 << (seat if taken == 1 else following)
    if state.coins == 0:
        state.over = 1
        state.to_act = 0


@kernel
def observe(state: Any, seat: int, out: Any) -> Any:
    at = START
    at = put(out, at, state.coins)
    at = put(out, at, state.guess[seat])
    at = put(out, at, state.turn)
    for i in range(state.num_players):
        other = (seat + i) % np.int64(state.num_players)
        at = put(out, at, state.points[other])
        at = put(out, at, (np.int64(state.to_act) >> other) & 1)
    if state.perfect_recall:
        at = put(out, at, (np.int64(state.starter) - seat) % np.int64(state.num_players))
    return at


@kernel
def survey(state: Any, out: Any) -> Any:
    at = put(out, observe(state, 0, out), state.starter)
    for seat in range(state.num_players):
        at = put(out, at, state.guess[seat])
    return at


@kernel
def resample(state: Any, seat: int, key: Any) -> None:
    for other in range(state.num_players):
        if other != seat and state.guess[other] != 0:
            state.guess[other] = 1 + draw(key, 3, other, 3)


@kernel
def most(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """As many coins as there are."""
    for action in range(len(mask) - 1, -1, -1):
        if mask[action]:
            return action
    return 0


def fields(setup: Setup) -> list[Field]:
    seen = [
        Field("coins", (1,), 0, 9, "pile"),
        Field("guess", (1,), 0, 3, "own"),
        Field("turn", (1,), 0, 20, ""),
    ]
    seen += [Field("seats", (setup.num_players, 2), 0, 30, "points, owes")]
    return seen + [Field("starter", (1,), 0, 3, "")] * setup.perfect_recall


def view(state: Any, seat: int | None) -> dict[str, Any]:
    whole = seat is None
    return {
        "seat": seat,
        "coins": int(state.coins),
        "turn": int(state.turn),
        "points": state.points[: state.num_players].tolist(),
        "guess": state.guess.tolist() if whole else int(state.guess[seat]),
        "starter": int(state.starter) if whole or state.perfect_recall else None,
        "to_act": [i for i in range(state.num_players) if (int(state.to_act) >> i) & 1],
    }


def survey_fields(setup: Setup) -> list[Field]:
    guesses = Field("guesses", (setup.num_players,), 0, 3, "")
    return [*fields(setup), Field("who", (1,), 0, 3, ""), guesses]


def three(setup: Setup) -> int:
    return 3


def write_nothing(state: Any, setup: Setup) -> None:
    """The pile is what the deal makes it."""


def not_needed(*_: Any) -> Any:
    raise NotImplementedError


def stack(state: Any, setup: Setup, options: Any) -> None:
    raise ValueError("this pile cannot be stacked")


GAME = Game(
    name="coins",
    title="Coins",
    version=0,
    players=range(2, SEATS + 1),
    default_players=3,
    simultaneous=False,
    options=Options,
    state=STATE,
    deal=deal,
    legal=legal,
    play=play,
    observe=observe,
    survey=survey,
    resample=resample,
    write_options=write_nothing,
    stack=stack,
    stack_options=frozenset({"pile"}),
    actions=three,
    longest=three,
    fields=fields,
    survey_fields=survey_fields,
    view=view,
    view_of=not_needed,
    from_view=not_needed,
    inventory=not_needed,
    remember=not_needed,
    say=not_needed,
    read=not_needed,
    words=str,
    bots={"most": most},
)
