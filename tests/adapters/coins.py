"""A small game in turns, made to be awkward for adapters; nothing to be proud of as a game.

The starting seat takes 1 to 3 coins from a pile. Then all others guess, at the same time, each with
a card face down. Then seats go on taking coins in turn; who takes one coin goes on. Points come at
all times: for coins, for a guess (when the *next* seat takes that many; the card is then turned
up), and for the seat after one that took three, which so may be paid before it ever decides. The
number on the lucky stone, shown until all have guessed and at the end, pays who takes the last
coins in just that number. One deal in four has a single coin: most seats then decide nothing.

It is also a whole game of one's own: `check_game(coins.GAME)` holds it to all laws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from miaui_env.engine.compile import kernel
from miaui_env.engine.layout import START, Field, put, put_bits, record
from miaui_env.engine.loops import engine_of
from miaui_env.engine.rng import draw, keys
from miaui_env.game import Game, Setup, View

SEATS = 4
MOST_COINS = 9
STATE = record(
    [
        ("num_players", "i1"),
        ("perfect_recall", "i1"),
        ("over", "i1"),
        ("to_act", "i4"),
        ("turn", "i2"),  # 0: the starter takes, 1: the others guess, then 1 more for each taking
        ("points", "i4", (SEATS,)),
        ("coins", "i2"),  # on the pile
        ("taken", "i2", (SEATS,)),  # coins that each seat has
        ("amounts", "i2", (SEATS,)),  # bit a: since the guesses, it took a + 1 coins at a time
        ("starter", "i1"),
        ("guess", "i1", (SEATS,)),  # 1 to 3; 0 before the guess, and for those who do not guess
        ("turned_up", "i1", (SEATS,)),  # whether the guess lies open
        ("lucky", "i1"),
    ]
)


@dataclass(frozen=True)
class Options:
    """None."""


# --- rules ----------------------------------------------------------------------------------------


@kernel
def deal(state: Any, key: Any) -> None:
    """Find a starter and a lucky number, and lay the pile."""
    n = np.int64(state.num_players)
    state.over, state.turn = 0, 0
    state.points[:] = 0
    state.taken[:] = 0
    state.amounts[:] = 0
    state.guess[:] = 0
    state.turned_up[:] = 0
    state.starter = draw(key, 0, 0, n)
    state.lucky = 1 + draw(key, 4, 0, 3)
    state.coins = 1 if draw(key, 1, 0, 4) == 0 else 5 + draw(key, 2, 0, 5)
    state.to_act = 1 << np.int64(state.starter)


@kernel
def guesses(state: Any, seat: int) -> bool:
    """Whether the seat's next action is a guess."""
    return bool(state.turn == 1 and seat != state.starter)


@kernel
def legal(state: Any, seat: int, mask: Any) -> None:
    """Any guess; no more coins than there are."""
    owes = (np.int64(state.to_act) >> seat) & 1
    for action in range(3):
        mask[action] = 1 if owes and (guesses(state, seat) or action < state.coins) else 0


@kernel
def play(state: Any, seat: int, action: int, key: Any) -> None:
    """Guess, or take coins."""
    if guesses(state, seat):
        state.guess[seat] = action + 1
        state.to_act = np.int64(state.to_act) ^ (1 << seat)
        if state.to_act == 0:
            starter = np.int64(state.starter)
            goes_on = state.taken[starter] == 1
            state.to_act = 1 << (starter if goes_on else (starter + 1) % state.num_players)
            state.turn = 2
    else:
        take(state, seat, action + 1)


@kernel
def take(state: Any, seat: int, number: int) -> None:
    """Take so many coins, and pay everyone that they pay."""
    n = np.int64(state.num_players)
    before, following = (seat + n - 1) % n, (seat + 1) % n
    state.coins -= number
    state.taken[seat] += number
    state.points[seat] += number
    if state.turn > 0:
        state.amounts[seat] |= 1 << (number - 1)
    if state.guess[before] == number and not state.turned_up[before]:
        state.points[before] += 1
        state.turned_up[before] = 1
    if number == 3:
        state.points[following] += 1
    state.turn += 1
    state.to_act = 1 << (seat if number == 1 else following)
    if state.turn == 1:
        state.to_act = ((1 << n) - 1) ^ (1 << seat)
    if state.coins == 0:
        state.over = 1
        state.to_act = 0
        if number == state.lucky:
            state.points[seat] += 1


@kernel
def resample(state: Any, seat: int, key: Any) -> None:
    """Guesses face down are any that were not hit; the lucky number is forgotten, or it is not."""
    n = np.int64(state.num_players)
    for other in range(n):
        if other != seat and state.guess[other] != 0 and not state.turned_up[other]:
            hit = np.int64(state.amounts[(other + 1) % n])
            guess = draw(key, 3, other, 3)
            while (hit >> guess) & 1:
                guess = (guess + 1) % 3
            state.guess[other] = guess + 1
    if not state.perfect_recall and not shows_lucky(state):
        state.lucky = 1 + draw(key, 5, 0, 3)


# --- views ----------------------------------------------------------------------------------------


@kernel
def shows_lucky(state: Any) -> bool:
    """Whether the stone lies with its number up."""
    return bool(state.turn <= 1 or state.over != 0)


@kernel
def observe(state: Any, seat: int, out: Any) -> Any:
    """See `fields`."""
    n = np.int64(state.num_players)
    at = put(out, START, state.coins)
    at = put(out, at, state.turn)
    at = put(out, at, (np.int64(state.starter) - seat) % n)
    at = put(out, at, state.lucky if shows_lucky(state) else 0)
    for i in range(n):
        other = (seat + i) % n
        at = put(out, at, state.points[other])
        at = put(out, at, state.taken[other])
        at = put(out, at, (np.int64(state.to_act) >> other) & 1)
        at = put_bits(out, at, np.int64(state.amounts[other]), 3)
        at = put(out, at, 1 if state.guess[other] != 0 else 0)
        at = put(out, at, state.turned_up[other])
        at = put(out, at, state.guess[other] if i == 0 or state.turned_up[other] else 0)
    if state.perfect_recall:
        at = put(out, at, state.lucky)
    return at


def fields(setup: Setup) -> list[Field]:
    """What `observe` writes."""
    seat = "points, coins, owes, took 1, took 2, took 3, has guessed, turned up, guess"
    high = (MOST_COINS + 1, MOST_COINS, 1, 1, 1, 1, 1, 1, 3)
    all_coins = "a seat must take all coins one by one"
    seen = [
        Field("coins", (1,), 0, MOST_COINS, "on the pile"),
        Field("turn", (1,), 0, 10, "0: who starts takes, 1: the others guess, …", all_coins),
        Field("starter", (1,), 0, setup.num_players - 1, "seats after this one"),
        Field("lucky", (1,), 0, 3, "while it is shown"),
        Field("seats", (setup.num_players, len(high)), 0, high, f"from here on: {seat}", all_coins),
    ]
    return seen + [Field("remembered", (1,), 1, 3, "the lucky number")] * setup.perfect_recall


@kernel
def survey(state: Any, out: Any) -> Any:
    """See `survey_fields`."""
    at = put(out, observe(state, 0, out), state.starter)
    at = put(out, at, state.lucky)
    for seat in range(state.num_players):
        at = put(out, at, state.guess[seat])
    return at


def survey_fields(setup: Setup) -> list[Field]:
    """What seat 0 observes, and what is hidden."""
    hidden = [
        Field("who", (1,), 0, setup.num_players - 1, "starts"),
        Field("number", (1,), 1, 3, "lucky"),
    ]
    return [*fields(setup), *hidden, Field("guesses", (setup.num_players,), 0, 3, "by seat")]


def view(state: Any, seat: int | None) -> View:
    """What the seat may know; None is the referee."""
    recalls = seat is None or bool(state.perfect_recall)
    seats = range(int(state.num_players))
    return {
        "game": "coins",
        "version": 0,
        "seat": seat,
        "num_players": len(seats),
        "coins": int(state.coins),
        "turn": int(state.turn),
        "starter": int(state.starter),
        "lucky": int(state.lucky) if recalls or shows_lucky(state) else None,
        "to_act": [other for other in seats if (int(state.to_act) >> other) & 1],
        "seats": [view_seat(state, other, open=seat in (None, other)) for other in seats],
    }


def view_seat(state: Any, seat: int, *, open: bool) -> View:
    """What lies before a seat; `open` for whoever may look at its guess."""
    told = open or bool(state.turned_up[seat])
    return {
        "points": int(state.points[seat]),
        "coins": int(state.taken[seat]),
        "amounts": [number for number in (1, 2, 3) if (int(state.amounts[seat]) >> number - 1) & 1],
        "has_guessed": bool(state.guess[seat]),
        "turned_up": bool(state.turned_up[seat]),
        "guess": int(state.guess[seat]) or None if told else None,
    }


def view_of(setup: Setup, observation: np.ndarray, seat: int) -> View:
    """The view, read back from what `observe` wrote."""
    read, n = setup.layout.read, setup.num_players
    seats = np.roll(read(observation, "seats"), seat, 0).tolist()
    lucky = read(observation, "remembered" if setup.perfect_recall else "lucky")
    return {
        "game": "coins",
        "version": 0,
        "seat": seat,
        "num_players": n,
        "coins": int(read(observation, "coins")[0]),
        "turn": int(read(observation, "turn")[0]),
        "starter": (int(read(observation, "starter")[0]) + seat) % n,
        "lucky": int(lucky[0]) or None,
        "to_act": [other for other in range(n) if seats[other][2]],
        "seats": [
            {
                "points": points,
                "coins": coins,
                "amounts": [i + 1 for i in range(3) if amounts[i]],
                "has_guessed": bool(guessed),
                "turned_up": bool(turned_up),
                "guess": guess or None,
            }
            for points, coins, _, *amounts, guessed, turned_up, guess in seats
        ],
    }


def from_view(setup: Setup, told: View, key: int) -> np.ndarray:
    """A state with all that the view tells, and the rest drawn by `resample`."""
    states = setup.blank.copy()
    state = states[0]
    state.coins, state.turn, state.starter = told["coins"], told["turn"], told["starter"]
    state.lucky = told["lucky"] or 1
    state.to_act = sum(1 << seat for seat in told["to_act"])
    state.over = not told["to_act"]
    for seat, about in enumerate(told["seats"]):
        state.points[seat], state.taken[seat] = about["points"], about["coins"]
        state.amounts[seat] = sum(1 << number - 1 for number in about["amounts"])
        state.turned_up[seat] = about["turned_up"]
        state.guess[seat] = about["guess"] or int(about["has_guessed"])
    engine_of(setup.game).imagine(states, np.array([told["seat"]]), keys(key, 1))
    return states


def remember(setup: Setup, remembered: View | None, told: View) -> View:
    """The lucky number as it was seen: a seat's first decision, or the end, comes while it is."""
    if told["lucky"] is None and remembered is None:
        raise ValueError("every decision of a game must be seen, and the first one was not")
    return {**told, "lucky": told["lucky"] or (remembered or {})["lucky"]}


def inventory(state: Any) -> dict[str, int]:
    """Coins, on the pile and taken."""
    return {"coins": int(state.coins) + int(state.taken.sum())}


# --- words ----------------------------------------------------------------------------------------

NUMBERS = ("one", "two", "three")


def say(setup: Setup, action: int) -> str:
    """A number of coins, taken or guessed."""
    if action not in range(3):
        raise ValueError(f"no action {action}: they are 0 to 2")
    return NUMBERS[action]


def read(setup: Setup, text: str) -> int:
    """The number that the text names."""
    if text not in NUMBERS:
        raise ValueError(f"say {', '.join(NUMBERS)}, not {text!r}")
    return NUMBERS.index(text)


# --- the game -------------------------------------------------------------------------------------


@kernel
def most(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """As many coins as there are."""
    for action in range(len(mask) - 1, -1, -1):
        if mask[action]:
            return action
    return 0


def three(setup: Setup) -> int:
    """One, two, three."""
    return 3


def all_one_by_one(setup: Setup) -> int:
    """The starter takes all coins, one by one."""
    return MOST_COINS


def write_nothing(state: Any, setup: Setup) -> None:
    """There are no options."""


def stack(state: Any, setup: Setup, options: Any) -> None:
    """What the pile is, the deal says."""
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
    longest=all_one_by_one,
    fields=fields,
    survey_fields=survey_fields,
    view=view,
    view_of=view_of,
    from_view=from_view,
    inventory=inventory,
    remember=remember,
    say=say,
    read=read,
    words=str,
    bots={"most": most},
)
