"""What happens at one table of a batch: deal, play, pay, and write what its seats are shown.

Each is rebuilt with a game's kernels as its globals, see `loops.py`; `leave` is the one of `emit`
and `fetch` that suits the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.bits import lowest
from miaui_env.engine.compile import kernel
from miaui_env.engine.desk import bring
from miaui_env.engine.rng import mix

if TYPE_CHECKING:
    deal: Any
    legal: Any
    play: Any
    observe: Any
    leave: Any

COMMITS_NOTHING = -1
"""Stands among actions for none."""
PLAY, EXAMINE, MOVE, MOVE_ON, DEAL, CHOOSE, NAME, LOOK = range(8)
"""Errands of `loops.serve`."""


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


def move_row(desk: Any, i: int, errand: int) -> int:
    """Table i deals if it is chosen, or plays its actions; then it can `leave` its row.

    Returns `terminated`, 0 or 1. All errands that move are one function, since all that games
    are made of would else be compiled for each.
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
