"""Loops over many tables, each written once for all games.

`engine_of(game)` rebuilds them with the game's kernels as their globals: the names `deal`, `legal`,
`play`, `observe` and `rows` below mean that game's verbs and `range` or `prange`.
Nothing is allocated inside; every result goes into a buffer that the caller owns.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import prange

from miaui_env.engine.compile import fingerprint, kernel, plain, specialise
from miaui_env.engine.rng import draw, mix

if TYPE_CHECKING:
    from miaui_env.game import Game

    deal: Any
    legal: Any
    play: Any
    observe: Any
    survey: Any
    resample: Any
    rows: Any

COMMITS_NOTHING = -1
FINE, NOT_OWED, ILLEGAL = 0, 1, 2
RANDOM_ACTION, REPLACEMENT, BOT = 1 << 32, 1 << 33, 1 << 34
"""Purposes of draws that belong to no game; games number theirs from 0."""


@kernel
def share_out(state: Any, forfeiter: int, shares: Any) -> None:
    """Win shares at the end: 1/k for each of the k seats at the top, 0 for the rest.

    After a forfeit the offender's share is 0 and the others have 1/(n-1) each.
    """
    n = np.int64(state.num_players)
    best = state.points[0]
    for seat in range(n):
        best = max(best, state.points[seat])
    winners = 0
    for seat in range(n):
        winners += state.points[seat] == best
    for seat in range(n):
        if forfeiter >= 0:
            shares[seat] = 0.0 if seat == forfeiter else 1.0 / (n - 1)
        else:
            shares[seat] = 1.0 / winners if state.points[seat] == best else 0.0


@kernel
def pay(state: Any, stood: bool, before: Any, shares: Any, weights: Any, rewards: Any) -> None:
    """weights[0] · win + weights[1] · margin + weights[2] · points, for each seat.

    win: (n · share - 1) / (n - 1) and margin: own points minus the mean of the others', both at the
    end only; points: those gained since `before`, which are brought up to date. All are 0 where the
    game `stood` finished already.
    """
    n = np.int64(state.num_players)
    total = 0
    for seat in range(n):
        total += state.points[seat]
    for seat in range(n):
        own = np.int64(state.points[seat])
        reward = weights[2] * (own - before[seat])
        if state.over:
            reward += weights[0] * (n * shares[seat] - 1.0) / (n - 1)
            reward += weights[1] * (own - (total - own) / (n - 1))
        rewards[seat] = 0.0 if stood else reward
        before[seat] = own


def see(state: Any, seat: int, observation: Any, mask: Any) -> None:
    """One seat's observation and mask; nothing is legal any more once the game is over."""
    observe(state, seat, observation)
    legal(state, seat, mask)
    if state.over:
        for action in range(len(mask)):
            mask[action] = 0


def emit(states: Any, i: int, everyone: bool, observations: Any, masks: Any, to_act: Any) -> None:
    """Write row i: who owes an action, and the observations and masks of those (or of everyone)."""
    state = states[i]
    for seat in range(to_act.shape[1]):
        owes = not state.over and (state.to_act >> seat) & 1 != 0
        to_act[i, seat] = owes
        if owes or everyone:
            see(state, seat, observations[i, seat], masks[i, seat])


def deal_row(states: Any, i: int, keys: Any, points: Any, decisions: Any) -> None:
    """A new game at table i."""
    deal(states[i], keys[i])
    for seat in range(points.shape[1]):
        points[i, seat] = states[i].points[seat]
        decisions[i, seat] = 0


def play_row(states: Any, i: int, actions: Any, keys: Any, forfeiters: Any, decisions: Any) -> None:
    """The actions committed at table i, or the end of its game by forfeit."""
    for seat in range(actions.shape[1]):
        if actions[i, seat] != COMMITS_NOTHING:
            play(states[i], seat, np.int64(actions[i, seat]), keys[i])
            decisions[i, seat] += 1
    if forfeiters[i] >= 0:
        states[i].over = 1  # who owed an action still does, so that views go on telling the same


def keep_row(states: Any, i: int, final_observations: Any, final_points: Any) -> None:
    """What the game that has ended at table i shows all seats, and its points."""
    for seat in range(final_points.shape[1]):
        final_points[i, seat] = states[i].points[seat]
        observe(states[i], seat, final_observations[i, seat])


def examine(states: Any, actions: Any, mask: Any, faults: Any) -> int:
    """Find actions that cannot be played; returns how many, and `faults` says which and why."""
    found = 0
    for i in range(len(states)):
        state = states[i]
        for seat in range(actions.shape[1]):
            action = np.int64(actions[i, seat])
            faults[i, seat] = FINE
            if action != COMMITS_NOTHING:
                if state.over or not (state.to_act >> seat) & 1:
                    faults[i, seat] = NOT_OWED
                    found += 1
                else:
                    legal(state, seat, mask)
                    if action < 0 or action >= len(mask) or mask[action] == 0:
                        faults[i, seat] = ILLEGAL
                        found += 1
    return found


def advance(
    dealing: bool,
    chosen: Any,
    states: Any,
    seeds: Any,
    episodes: Any,
    keys: Any,
    actions: Any,
    forfeiters: Any,
    auto_reset: bool,
    weights: Any,
    points: Any,
    decisions: Any,
    observations: Any,
    masks: Any,
    rewards: Any,
    terminated: Any,
    to_act: Any,
    final_observations: Any,
    final_points: Any,
    win_shares: Any,
) -> None:
    """One pass over all tables: `dealing` a new game at each chosen one, or playing the actions.

    Both in one loop, since all that games are made of would else be compiled twice.
    """
    for i in rows(len(states)):
        everyone = bool(chosen[i])
        if dealing:
            if everyone:
                deal_row(states, i, keys, points, decisions)
        else:
            stood = bool(states[i].over)
            play_row(states, i, actions, keys, forfeiters, decisions)
            if states[i].over and not stood:
                share_out(states[i], np.int64(forfeiters[i]), win_shares[i])
            terminated[i] = states[i].over
            pay(states[i], stood, points[i], win_shares[i], weights, rewards[i])
            if states[i].over:
                keep_row(states, i, final_observations, final_points)
                everyone = not auto_reset
                if auto_reset:
                    episodes[i] += 1
                    keys[i] = mix(seeds[i], episodes[i])
                    deal_row(states, i, keys, points, decisions)
        emit(states, i, everyone, observations, masks, to_act)


def look(states: Any, i: int, seat: int, observation: Any, mask: Any) -> None:
    """One seat's observation and mask at one table, whether or not it owes an action."""
    see(states[i], seat, observation, mask)


def choose_random(states: Any, decision_keys: Any, mask: Any, actions: Any) -> None:
    """A uniformly random legal action for each seat that owes one, COMMITS_NOTHING for others."""
    for i in range(len(states)):
        for seat in range(actions.shape[1]):
            actions[i, seat] = COMMITS_NOTHING
            if not states[i].over and (states[i].to_act >> seat) & 1:
                legal(states[i], seat, mask)
                actions[i, seat] = any_legal(mask, decision_keys[i, seat])


def name_decisions(keys: Any, purpose: int, decisions: Any, out: Any) -> None:
    """A key for each seat's next decision: a hash of (game key, purpose, seat, decisions made).

    `mix` can be undone by who knows its words, so the last step feeds its input forward: a bot that
    is handed the key cannot get back to the deal.
    """
    for i in range(out.shape[0]):
        key = mix(keys[i], purpose)
        for seat in range(out.shape[1]):
            own = mix(key, seat)
            out[i, seat] = mix(own, decisions[i, seat]) ^ own


@kernel
def any_legal(mask: Any, key: Any) -> int:
    """A uniformly random action among the legal ones of a mask."""
    number = 0
    for action in range(len(mask)):
        number += mask[action]
    left = draw(key, RANDOM_ACTION, 0, number)
    for action in range(len(mask)):
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


_INNER = (share_out, pay, deal_row, play_row, keep_row, see, emit)
_SERIAL = (examine, look, choose_random, name_decisions, tell_all, imagine)
_VERBS = ("deal", "legal", "play", "observe", "survey", "resample")


@functools.cache
def engine_of(game: Game, *, parallel: bool = False) -> types.SimpleNamespace:
    """All loops for one game; with `parallel`, `advance` runs on several threads."""
    verbs = {verb: getattr(game, verb) for verb in _VERBS}
    return specialised(game.name, verbs, parallel)


def specialised(
    name: str, verbs: dict[str, Callable[..., Any]], parallel: bool
) -> types.SimpleNamespace:
    """The loops with `verbs` as their globals."""
    shared = {**verbs, "rows": prange if parallel else range}
    for inner in _INNER:
        shared[inner.__name__] = kernel(rebuilt(plain(inner), name, shared))
    serial = {loop.__name__: specialise(loop, name, **shared) for loop in _SERIAL}
    return types.SimpleNamespace(
        **serial, advance=specialise(advance, name, parallel=parallel, **shared)
    )


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
