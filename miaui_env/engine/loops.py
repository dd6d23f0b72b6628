"""Loops over many tables, each written once for all games.

`engine_of(game)` rebuilds them with the game's kernels as their globals: the names `deal`, `legal`,
`play`, `observe` and `record` below mean that game's verbs and its state's dtype; `may`, `leave`
and `pass_over` are those of the loops' own functions that suit it.
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

from miaui_env.engine.bits import how_many, load_word, lowest
from miaui_env.engine.compile import fingerprint, kernel, plain, specialise
from miaui_env.engine.desk import bring, opened
from miaui_env.engine.rng import draw, mix

if TYPE_CHECKING:
    from miaui_env.game import Game

    deal: Any
    legal: Any
    play: Any
    observe: Any
    survey: Any
    resample: Any
    record: Any
    allows: Any
    may: Any
    leave: Any
    pass_over: Any

COMMITS_NOTHING = -1
FINE, NOT_OWED, ILLEGAL = 0, 1, 2
PLAY, EXAMINE, MOVE, MOVE_ON, DEAL, CHOOSE, NAME, LOOK = range(8)
"""Errands of `serve`."""
TOGETHER = 8
"""So many tables of a game in turns move before their rows are written. Those rows lie far apart,
and meanwhile their memory is on its way. (4,096 tables, ns a decision: Lucky Catch with 4 and 6
seats 540 and 720 one by one, 430 and 515 so; Showcase with 4 570 and 480, Maui with 4 800 and 720;
nothing at two. Where all choose at once rows lie side by side, and Miaui took 200 and 215.)"""
REFUSED = -1
"""Some action cannot be played: `faults` says which; nothing has moved."""
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
    ends = state.over and not stood
    total = 0
    if ends:
        for seat in range(n):
            total += state.points[seat]
    for seat in range(n):
        own = np.int64(state.points[seat])
        reward = weights[2] * (own - before[seat])
        if ends:
            reward += weights[0] * (n * shares[seat] - 1.0) / (n - 1)
            reward += weights[1] * (own - (total - own) / (n - 1))
        rewards[seat] = reward
        before[seat] = own


def see(state: Any, seat: int, observation: Any, mask: Any) -> None:
    """One seat's observation and mask; nothing is legal any more once the game is over."""
    observe(state, seat, observation)
    legal(state, seat, mask)
    if state.over:
        for action in range(len(mask)):
            mask[action] = 0


def emit(desk: Any, i: int, everyone: bool) -> None:
    """Write row i: who owes an action, and the observations and masks of those (or of everyone)."""
    state, seats = desk.states[i], desk.to_act.shape[1]
    owing = 0 if state.over else np.int64(state.to_act)
    for seat in range(seats):
        desk.to_act[i, seat] = (owing >> seat) & 1 != 0
    told = (1 << seats) - 1 if everyone else owing
    while told:
        seat = lowest(told)
        see(state, seat, desk.observations[i, seat], desk.action_masks[i, seat])
        told &= told - 1


def fetch(desk: Any, i: int, everyone: bool) -> None:
    """Ask for the memory that `emit` will write in row i, but not for all seats' at the end."""
    owing = np.int64(desk.states[i].to_act)
    while owing:
        seat = lowest(owing)
        bring(desk.observations[i, seat])
        bring(desk.action_masks[i, seat])
        owing &= owing - 1


def deal_row(desk: Any, i: int) -> None:
    """The next episode at table i."""
    desk.episodes[i] += 1
    desk.keys[i] = mix(desk.seeds[i], desk.episodes[i])
    deal(desk.states[i], desk.keys[i])
    for seat in range(desk.points.shape[1]):
        desk.points[i, seat] = desk.states[i].points[seat]
        desk.decisions[i, seat] = 0


def play_row(desk: Any, i: int) -> None:
    """The actions committed at table i, or the end of its game by forfeit; and what falls due."""
    state = desk.states[i]
    stood, owing = bool(state.over), np.int64(state.to_act)
    while owing:
        seat = lowest(owing)
        if desk.actions[i, seat] != COMMITS_NOTHING:
            play(state, seat, np.int64(desk.actions[i, seat]), desk.keys[i])
            desk.decisions[i, seat] += 1
        owing &= owing - 1
    if desk.forfeiters[i] >= 0:
        state.over = 1  # who owed an action still does, so that views go on telling the same
    if state.over and not stood:
        share_out(state, np.int64(desk.forfeiters[i]), desk.win_shares[i])
    desk.terminated[i] = state.over
    pay(state, stood, desk.points[i], desk.win_shares[i], desk.weights, desk.rewards[i])


def keep_row(desk: Any, i: int) -> None:
    """What the game that has ended at table i shows all seats, and its points."""
    for seat in range(desk.final_points.shape[1]):
        desk.final_points[i, seat] = desk.states[i].points[seat]
        observe(desk.states[i], seat, desk.final_observations[i, seat])


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


def examine(desk: Any, first: int, last: int) -> int:
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
                elif not may(state, seat, action, desk.mask):
                    fault = ILLEGAL
            desk.faults[i, seat] = fault
            found += fault != FINE
    return found


def move_row(desk: Any, i: int, errand: int) -> int:
    """Table i deals if it is chosen, or plays its actions; then it can `leave` its row.

    Returns `terminated`, 0 or 1. Both errands are one function, since all that games are made of
    would else be compiled twice.
    """
    dealing = errand == DEAL and bool(desk.chosen[i])
    everyone = dealing
    if errand == MOVE:
        desk.forfeiters[i] = -1
    if errand != DEAL:
        play_row(desk, i)
        if desk.terminated[i]:
            keep_row(desk, i)
            dealing = bool(desk.auto_reset[i])
            everyone = not dealing
    if dealing:
        deal_row(desk, i)
    if errand == DEAL:
        begin_row(desk, i)
    leave(desk, i, everyone)
    return np.int64(desk.terminated[i])


def begin_row(desk: Any, i: int) -> None:
    """Nothing has happened yet at table i."""
    desk.terminated[i] = desk.states[i].over
    if desk.chosen[i]:
        desk.forfeiters[i] = -1
    for seat in range(desk.rewards.shape[1]):
        desk.rewards[i, seat] = 0.0
        if desk.chosen[i]:
            desk.illegal[i, seat] = 0


def one_by_one(desk: Any, first: int, last: int, errand: int) -> int:
    """Move the tables from `first` to before `last`; returns how many `terminated` their games.

    Each one's row is written when it leaves it.
    """
    ended = 0
    for i in range(first, last):
        ended += move_row(desk, i, errand)
    return ended


def in_blocks(desk: Any, first: int, last: int, errand: int) -> int:
    """The same; the rows of `TOGETHER` tables are written when all of them have moved."""
    ended = 0
    for start in range(first, last, TOGETHER):
        stop = min(start + TOGETHER, last)
        for i in range(start, stop):
            ended += move_row(desk, i, errand)
        for i in range(start, stop):
            over = desk.terminated[i] and not desk.auto_reset[i]
            emit(desk, i, bool(desk.chosen[i] if errand == DEAL else over))
    return ended


def serve(desks: Any, side: int, errand: int, first: int, second: int) -> int:
    """An errand of a `Tables`; `first` and `second` belong to it.

    At the tables from `first` to before `second`: EXAMINE says how many actions cannot be played;
    MOVE plays them, MOVE_ON those that were mended, DEAL deals where that is `chosen`, and each
    says at how many tables it `terminated` the game. PLAY is EXAMINE, then MOVE unless that is
    REFUSED. At all tables: CHOOSE makes `actions` of random legal ones, NAME `decision_keys`, both
    for the purpose `first`. LOOK writes `observation` and `mask` of table `first`, seat `second`.
    """
    desk = opened(desks, side, record)
    if errand <= EXAMINE:
        found = examine(desk, first, second)
        if errand == EXAMINE or found > 0:
            return REFUSED if errand == PLAY else found
        errand = MOVE
    if errand <= DEAL:
        return pass_over(desk, first, second, errand)
    if errand == LOOK:
        see(desk.states[first], second, desk.observation, desk.mask)
    if errand in (NAME, CHOOSE):
        name_decisions(desk.keys, first, desk.decisions, desk.decision_keys)
    if errand == CHOOSE:
        choose_random(desk.states, desk.decision_keys, desk.mask, desk.actions)
    return 0


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
_ALL = (examine, name_decisions, choose_random)
_LOOPS = (serve, look, choose_random, tell_all, imagine)
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
