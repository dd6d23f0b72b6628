"""Loops over many tables, each written once for all games.

`engine_of(game)` rebuilds them, and what `rows.py` does at one table, with the game's kernels as
their globals: the names `deal`, `legal`, `play`, `observe` and `record` mean that game's verbs and
its state's dtype; `may`, `leave` and `pass_over` are those of our own functions that suit it.
Nothing is allocated inside; every result goes into a buffer that the caller owns.

All that a `Tables` asks for in the course of a game is one loop, `serve`: a process loads or
compiles one piece of machine code, and enters it with next to no arguments (see `desk.py`).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.bits import how_many, load_word
from miaui_env.engine.compile import fingerprint, kernel, plain, specialise
from miaui_env.engine.desk import opened
from miaui_env.engine.rng import draw, mix
from miaui_env.engine.rows import (
    CHOOSE,
    COMMITS_NOTHING,
    DEAL,
    EXAMINE,
    LOOK,
    MOVE,
    NAME,
    PLAY,
    begin_row,
    deal_row,
    emit,
    fetch,
    keep_row,
    move_row,
    pay,
    play_row,
    see,
    share_out,
)
from miaui_env.engine.shares import WAITING, next_share, summed, taken

if TYPE_CHECKING:
    from miaui_env.game import Game

    legal: Any
    survey: Any
    resample: Any
    record: Any
    allows: Any
    may: Any
    pass_over: Any

FINE, NOT_OWED, ILLEGAL = 0, 1, 2
BLOCK = 8
"""So many tables of a game in turns move before their rows are written. Those rows lie far apart,
and meanwhile their memory is on its way. (4,096 tables, ns a decision: Lucky Catch with 4 and 6
seats 540 and 720 one by one, 430 and 515 so; Showcase with 4 570 and 480, Maui with 4 800 and 720;
nothing at two. Where all choose at once rows lie side by side, and Miaui took 200 and 215.)"""
REFUSED = -1
"""Some action cannot be played: `faults` says which; nothing has moved."""
RANDOM_ACTION, REPLACEMENT, BOT = 1 << 32, 1 << 33, 1 << 34
"""Purposes of draws that belong to no game; games number theirs from 0."""


def by_rule(state: Any, seat: int, action: int, mask: Any) -> bool:
    """Whether a seat that owes an action may play this one, as the game says of one action.

    (At two seats a decision's check took 92 ns in Maui by the mask, 46 in Lucky Catch and 27 in
    Showcase; so: 23, 38 and 20.)
    """
    return bool(allows(state, seat, action))


def by_mask(state: Any, seat: int, action: int, mask: Any) -> bool:
    """The same of a game that says it of all actions only."""
    legal(state, seat, mask)
    return bool(0 <= action < len(mask) and mask[action] != 0)


def examine(desk: Any, first: int, last: int, mask: Any) -> int:
    """Find actions that cannot be played; returns how many, and `faults` says which and why."""
    found = 0
    for i in range(first, last):
        state = desk.states[i]
        for seat in range(desk.actions.shape[1]):
            action = np.int64(desk.actions[i, seat])
            fault = FINE
            if action != COMMITS_NOTHING:
                if state.over or not (state.to_act >> seat) & 1:
                    fault = NOT_OWED
                elif not may(state, seat, action, mask):
                    fault = ILLEGAL
            desk.faults[i, seat] = fault
            found += fault != FINE
    return found


def one_by_one(desk: Any, first: int, last: int, errand: int) -> int:
    """Move the tables from `first` to before `last`; returns how many `terminated` their games.

    Each one's row is written when it leaves it.
    """
    ended = 0
    for i in range(first, last):
        ended += move_row(desk, i, errand)
    return ended


def in_blocks(desk: Any, first: int, last: int, errand: int) -> int:
    """The same; the rows of `BLOCK` tables are written when all of them have moved."""
    ended = 0
    for start in range(first, last, BLOCK):
        stop = min(start + BLOCK, last)
        for i in range(start, stop):
            ended += move_row(desk, i, errand)
        for i in range(start, stop):
            over = desk.terminated[i] and not desk.auto_reset[i]
            emit(desk, i, bool(desk.chosen[i] if errand == DEAL else over))
    return ended


def at_share(desk: Any, errand: int, share: int, shares: int) -> int:
    """EXAMINE, MOVE, MOVE_ON, DEAL or CHOOSE at one of so many shares of the tables."""
    first = share * len(desk.states) // shares
    last = (share + 1) * len(desk.states) // shares
    mask = desk.masks[share, : desk.action_masks.shape[2]]
    if errand == EXAMINE:
        return examine(desk, first, last, mask)
    if errand == CHOOSE:
        choose_random(desk, first, last, mask)
        return 0
    return pass_over(desk, first, last, errand)


def serve(desks: Any, side: int, errand: int, first: int, second: int) -> int:
    """An errand of a `Tables`; `first` and `second` belong to it.

    NAME makes `decision_keys` for the purpose `first`. LOOK writes `observation` and `masks[0]` of
    table `first`, seat `second`. All others are for all tables: EXAMINE says how many actions
    cannot be played; MOVE plays them, MOVE_ON those that were mended, DEAL deals where that is
    `chosen`, and each says at how many tables it `terminated` the game. PLAY is EXAMINE, then MOVE
    unless that is REFUSED. CHOOSE makes `actions` of random legal ones.

    There are as many shares as `masks`. If there are several, this is one of the threads that have
    their board at the address `first`; it takes from the back if `second` is 1, and is to come
    again if it is WAITING. (All in one loop with one call: numba compiles a part anew for other
    constants, and this one is the whole game.)
    """
    desk = opened(desks, side, record)
    if errand == LOOK:
        mask = desk.masks[0, : desk.action_masks.shape[2]]
        see(desk.states[first], second, desk.observation, mask)
        return 0
    if errand == NAME:
        name_decisions(desk.keys, first, desk.decisions, desk.decision_keys)
        return 0
    jobs, shares, answer = 2 if errand == PLAY else 1, len(desk.masks), 0
    for job in range(jobs):
        doing = errand if errand != PLAY else MOVE if job else EXAMINE
        share = 0 if shares == 1 else taken(first, job, shares, second)
        while share >= 0:
            answer = at_share(desk, doing, share, shares)
            share = -1 if shares == 1 else next_share(first, job, shares, second, answer)
        if shares > 1:
            answer = 0 if second and job == jobs - 1 else summed(first, job, shares)
        if answer and job < jobs - 1:
            return answer if answer == WAITING else REFUSED
    return answer


def look(states: Any, i: int, seat: int, observation: Any, mask: Any) -> None:
    """One seat's observation and mask at one table, whether or not it owes an action."""
    see(states[i], seat, observation, mask)


def choose_random(desk: Any, first: int, last: int, mask: Any) -> None:
    """A uniformly random legal action for each seat that owes one, COMMITS_NOTHING for others."""
    purpose = np.int64(RANDOM_ACTION)  # a number like others, or its hashing is compiled again
    for i in range(first, last):
        state = desk.states[i]
        for seat in range(desk.actions.shape[1]):
            desk.actions[i, seat] = COMMITS_NOTHING
            if not state.over and (state.to_act >> seat) & 1:
                made = np.int64(desk.decisions[i, seat])
                key = decision_key(desk.keys[i], purpose, seat, made)
                legal(state, seat, mask)
                desk.actions[i, seat] = any_legal(mask, key)


@kernel
def decision_key(key: Any, purpose: int, seat: int, decisions: int) -> Any:
    """A key for a seat's next decision: a hash of (game key, purpose, seat, decisions made).

    `mix` can be undone by who knows its words, so the last step feeds its input forward: a bot that
    is handed the key cannot get back to the deal.
    """
    own = mix(mix(key, purpose), seat)
    return mix(own, decisions) ^ own


def name_decisions(keys: Any, purpose: int, decisions: Any, out: Any) -> None:
    """A `decision_key` for each seat."""
    for i in range(out.shape[0]):
        for seat in range(out.shape[1]):
            made = np.int64(decisions[i, seat])
            out[i, seat] = decision_key(keys[i], purpose, seat, made)


@kernel
def any_legal(mask: Any, key: Any) -> int:
    """A uniformly random action among the legal ones of a mask.

    Eight entries at a time. (To find all legal actions and one of them took 562 ns in Maui and 190
    in Lucky Catch when this went one by one; so: 249 and 133.)
    """
    whole, first = len(mask) // 8 * 8, 0
    number = np.int64(0)
    for at in range(0, whole, 8):
        number += how_many(load_word(mask, np.uint64(at)))
    for at in range(whole, len(mask)):
        number += mask[at]
    left = draw(key, RANDOM_ACTION, 0, number)
    while first < whole and left >= how_many(load_word(mask, np.uint64(first))):
        left -= how_many(load_word(mask, np.uint64(first)))
        first += 8
    for action in range(first, len(mask)):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return 0


def tell_all(states: Any, i: int, out: Any) -> None:
    """The referee's vector of one table."""
    survey(states[i], out)


def imagine(states: Any, seats: Any, keys: Any) -> None:
    """At each table, replace what a seat cannot know by an alternative."""
    for i in range(len(states)):
        resample(states[i], np.int64(seats[i]), keys[i])


_ROW = (share_out, pay, see, emit, fetch, deal_row, play_row, keep_row, begin_row)
_ALL = (examine, name_decisions, choose_random, at_share)
_LOOPS = (serve, look, tell_all, imagine)
_VERBS = ("deal", "legal", "allows", "play", "observe", "survey", "resample")


@functools.cache
def engine_of(game: Game) -> types.SimpleNamespace:
    """All loops for one game."""
    kernels = _kernels_for(game)
    loops = {loop.__name__: specialise(plain(loop), game.name, **kernels) for loop in _LOOPS}
    return types.SimpleNamespace(**loops)


@functools.cache
def _kernels_for(game: Game) -> dict[str, Any]:
    """What the free names of the loops mean for a game."""
    known = {verb: getattr(game, verb) for verb in _VERBS} | {"record": game.state}

    def build(function: Any, name: str = "") -> None:
        known[name or function.__name__] = kernel(rebuilt(plain(function), game.name, known))

    build(by_mask if game.allows is None else by_rule, "may")
    for inner in _ROW:
        build(inner)
    known["leave"] = known["emit" if game.simultaneous else "fetch"]
    build(move_row)
    build(one_by_one if game.simultaneous else in_blocks, "pass_over")
    for inner in _ALL:
        build(inner)
    return known


def rebuilt(function: Any, game: str, names: dict[str, Any]) -> Callable[..., Any]:
    """`function` with `names` as further globals, not yet compiled, and under a name of its own.

    Machine code on disk comes from many processes, and numba tells record types apart by a number
    that each process counts for itself. So what is compiled for the records of several games must
    not bear one name: the linker would take the first it finds for all of them.
    """
    known = {**function.__globals__, **names}
    built = types.FunctionType(function.__code__, known, function.__name__)
    built.__qualname__ = f"{game}.{function.__name__}.{fingerprint(built)[:16]}"
    return built
