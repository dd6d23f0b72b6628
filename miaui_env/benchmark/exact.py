"""Exact values of games small enough to be written out in full; without OpenSpiel.

`write_out` plays every deal and every joint action through `Tables` and keeps, for each seat, its
information states (histories of its own observations and actions, `infoset_key`; never views) and,
for each end, what every seat did to get there. A seat's action at an information state, after all
its earlier ones, is a *sequence*; values and best responses are sums over sequences (Koller,
Megiddo and von Stengel 1994), so nothing here knows a rule.

A *policy* of a seat holds probabilities, float64 `(information states, actions)`; a *profile* is
one policy a seat.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from miaui_env.engine.rows import COMMITS_NOTHING
from miaui_env.engine.tables import Step, Tables
from miaui_env.game import Setup
from miaui_env.infosets import infoset_key

Profile = Sequence[np.ndarray]

AT_ONCE = 1 << 12
"""Positions played on together; their children, too, are in memory then."""
NOTHING_YET = 0
"""The sequence of a seat that has not acted."""
TOLERANCE = 1e-9
"""What rounding may do to a probability's sum or to NashConv."""


@dataclass(frozen=True, eq=False)
class Side:
    """What one seat may come to know and do. Information states are numbered from 0.

    Action a at information state i is sequence `1 + i * actions + a`.

    Attributes:
        seat: whose it is.
        befores: int64 `(infosets,)`, the sequence that led to each.
        masks: int8 `(infosets, actions)`, what is legal there.
        observations: int8 `(infosets, size)`, what the seat observes there.
        states: records `(infosets,)`, one of the states that it may then be in.
        levels: information states by the number of the seat's own actions before; int64 each.
    """

    seat: int
    befores: np.ndarray
    masks: np.ndarray
    observations: np.ndarray
    states: np.ndarray
    levels: list[np.ndarray]

    @property
    def sequences(self) -> int:
        """How many sequence numbers there are; those of illegal actions stay unused."""
        return 1 + self.masks.size

    @functools.cached_property
    def keys(self) -> list[str]:
        """`infoset_key` of each information state."""
        return [
            infoset_key(self.history(infoset), self.observations[infoset])
            for infoset in range(len(self.masks))
        ]

    def history(self, infoset: int) -> list[tuple[np.ndarray, int]]:
        """What the seat observed when it acted before, and its actions, in order."""
        told: list[tuple[np.ndarray, int]] = []
        sequence = int(self.befores[infoset])
        while sequence != NOTHING_YET:
            infoset, action = divmod(sequence - 1, self.masks.shape[1])
            told.append((self.observations[infoset], action))
            sequence = int(self.befores[infoset])
        return told[::-1]

    def by_action(self, of_sequences: np.ndarray) -> np.ndarray:
        """Numbers of sequences as `(infosets, actions)`, the same memory."""
        return of_sequences[1:].reshape(self.masks.shape)

    def reach(self, policy: np.ndarray) -> np.ndarray:
        """The seat's own part in reaching each sequence; float64 `(sequences,)`."""
        reach = np.zeros(self.sequences)
        reach[NOTHING_YET] = 1.0
        of_actions = self.by_action(reach)
        for level in self.levels:
            of_actions[level] = reach[self.befores[level], None] * policy[level]
        return reach

    def respond(self, gains: np.ndarray) -> tuple[float, np.ndarray]:
        """The most that can be made of `gains` float64 `(sequences,)`, and the actions that do.

        Actions are int64 `(infosets,)`; among equals the first.
        """
        total = gains.copy()
        of_actions, legal = self.by_action(total), self.masks != 0
        best = np.zeros(len(self.masks), np.int64)
        for level in reversed(self.levels):
            worth = np.where(legal[level], of_actions[level], -np.inf)
            best[level] = worth.argmax(1)
            np.add.at(total, self.befores[level], worth.max(1))
        return float(total[NOTHING_YET]), best


@dataclass(frozen=True, eq=False)
class Exact:
    """A game written out.

    Attributes:
        setup: which.
        sides: one a seat.
        sequences: int64 `(ends, seats)`; ends where every seat did the same are one.
        payoffs: float64 `(ends, seats)`: the reward "win" times the probability of the luck, summed
            over all deals that end there.
        deals: how many.
        histories: how many ends there are, each deal's counted apart.
    """

    setup: Setup
    sides: list[Side]
    sequences: np.ndarray
    payoffs: np.ndarray
    deals: int
    histories: int

    @property
    def infosets(self) -> int:
        """Information states of all seats together."""
        return sum(len(side.masks) for side in self.sides)

    def uniform(self) -> list[np.ndarray]:
        """The profile that plays every legal action alike."""
        return [side.masks / side.masks.sum(1, keepdims=True) for side in self.sides]

    def profile(
        self, probabilities: Callable[[int, str, np.ndarray], Any] | Sequence[Mapping[str, Any]]
    ) -> list[np.ndarray]:
        """A profile by information-state keys.

        Args:
            probabilities: `(seat, key, mask)` → a number for each action; or such numbers by key,
                one mapping a seat.

        Raises:
            ValueError: for numbers that are no probabilities of legal actions.
        """
        if callable(probabilities):
            ask = probabilities
        else:
            ask = lambda seat, key, mask: probabilities[seat][key]  # noqa: E731
        profile = [
            np.array([ask(side.seat, *told) for told in zip(side.keys, side.masks, strict=True)])
            for side in self.sides
        ]
        self.check(profile)
        return profile

    def check(self, profile: Profile) -> None:
        """ValueError unless these are probabilities of legal actions, one policy a seat."""
        shapes = [np.shape(policy) for policy in profile]
        wanted = [side.masks.shape for side in self.sides]
        if shapes != wanted:
            raise ValueError(f"a profile here has policies of shapes {wanted}, not {shapes}")
        for side, policy in zip(self.sides, profile, strict=True):
            sums = np.where(side.masks != 0, policy, 0.0).sum(1)
            wrong = (np.abs(sums - 1) > TOLERANCE) | (policy < 0).any(1) | (policy > 1).any(1)
            if (wrong | ~np.isfinite(sums)).any():
                i = int(wrong.argmax())
                raise ValueError(
                    f"seat {side.seat} has {policy[i].tolist()} at information state {i}, no "
                    f"probabilities of its legal actions {np.flatnonzero(side.masks[i]).tolist()}"
                )

    def values(self, profile: Profile) -> np.ndarray:
        """What each seat expects; float64 `(seats,)`."""
        every = self._reaches(profile)
        return np.asarray(np.prod(every, 0) @ self.payoffs)

    def gains(self, profile: Profile, seat: int) -> np.ndarray:
        """What each sequence of a seat is worth, were it played for sure; float64 `(sequences,)`.

        Only ends count that come right after the sequence, before the seat's next action.
        """
        others = self._reaches(profile, but=seat)
        weights = np.prod(others, 0) * self.payoffs[:, seat]
        return np.bincount(self.sequences[:, seat], weights, self.sides[seat].sequences)

    def best_response(self, profile: Profile, seat: int) -> tuple[float, np.ndarray]:
        """The most a seat can make against the others' policies, and how: int64 `(infosets,)`."""
        return self.sides[seat].respond(self.gains(profile, seat))

    def improvements(self, profile: Profile) -> np.ndarray:
        """What each seat would gain by its best response; float64 `(seats,)`."""
        best = [self.best_response(profile, side.seat)[0] for side in self.sides]
        return np.asarray(best - self.values(profile))

    def nash_conv(self, profile: Profile) -> float:
        """What all seats together would gain, each by its own best response; 0 in equilibrium."""
        return float(self.improvements(profile).sum())

    def _reaches(self, profile: Profile, but: int | None = None) -> list[np.ndarray]:
        """Each seat's own part in reaching each end; all 1 for the seat `but`."""
        return [
            np.ones(len(self.sequences))
            if side.seat == but
            else side.reach(policy)[self.sequences[:, side.seat]]
            for side, policy in zip(self.sides, profile, strict=True)
        ]


# --- writing a game out ---------------------------------------------------------------------------


class _Positions(NamedTuple):
    """Positions on the way.

    Attributes:
        states: records.
        weights: the probability of each one's luck.
        sequences: each seat's last one, int64 `(positions, seats)`.
        shares: of all the work, this position's.
    """

    states: np.ndarray
    weights: np.ndarray
    sequences: np.ndarray
    shares: np.ndarray

    def pick(self, rows: Any) -> _Positions:
        return _Positions(*(part[rows] for part in self))

    def parts(self) -> list[_Positions]:
        starts = range(0, len(self.weights), AT_ONCE)
        return [self.pick(slice(start, start + AT_ONCE)) for start in starts]


class _Finder:
    """Numbers a seat's information states as they are found."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._numbers: dict[bytes, int] = {}
        self._found: list[tuple[int, np.ndarray, np.ndarray, np.void]] = []

    def number(self, now: _Positions, step: Step, rows: np.ndarray) -> np.ndarray:
        """The information state of each of these rows; int64."""
        befores = now.sequences[rows, self.seat, None]
        observations = step.observations[rows, self.seat]
        told = np.hstack([befores.view(np.int8), observations])
        whole = told.view(f"V{told.shape[1]}").ravel()
        different, where, inverse = np.unique(whole, return_index=True, return_inverse=True)
        numbers = np.empty(len(different), np.int64)
        for i, at in enumerate(where.tolist()):
            numbers[i] = self._numbers.setdefault(different[i].tobytes(), len(self._found))
            if numbers[i] == len(self._found):
                mask = step.action_masks[rows[at], self.seat].copy()
                state = now.states[rows[at]].copy()
                self._found.append((int(befores[at, 0]), mask, observations[at], state))
        return numbers[inverse]

    def side(self) -> Side:
        befores, masks, observations, states = zip(*self._found, strict=True)
        actions = len(masks[0])
        depths = np.zeros(len(befores), np.int64)
        for infoset, before in enumerate(befores):  # what came before was found before
            if before != NOTHING_YET:
                depths[infoset] = depths[(before - 1) // actions] + 1
        levels = [np.flatnonzero(depths == depth) for depth in range(depths.max() + 1)]
        told = np.array(befores), np.array(masks), np.array(observations), np.array(states)
        return Side(self.seat, *told, levels)


def write_out(setup: Setup, progress: Callable[[float], object] = lambda share: None) -> Exact:
    """Play all there is.

    Args:
        setup: a small one, of a game that lists its chances.
        progress: hears now and then which share of the work is done.

    Raises:
        ValueError: for a game that does not list its chances, or a setup with too many.
    """
    if setup.game.chances is None:
        raise ValueError(
            f"{setup.game.title} does not list its chances, so it cannot be written out; see "
            "`chances` in miaui_env/game.py"
        )
    states, probabilities = setup.game.chances(setup)
    if sum(probabilities) != 1:
        raise ValueError(f"the chances of {setup.game.title} sum to {sum(probabilities)}, not to 1")
    writer = _Writer(setup)
    nothing = np.full((len(states), setup.num_players), NOTHING_YET, np.int64)
    weights = np.array([float(probability) for probability in probabilities])
    shares = np.full(len(states), 1.0 / len(states))
    waiting = _Positions(states, weights, nothing, shares).parts()
    while waiting:
        waiting += writer.play_on(waiting.pop()).parts()
        progress(writer.done)
    return writer.written(len(states))


class _Writer:
    """Plays positions on, and keeps what it finds."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._finders = [_Finder(seat) for seat in range(setup.num_players)]
        self._ends: list[tuple[np.ndarray, np.ndarray]] = []
        self._histories = 0
        self.done = 0.0

    def play_on(self, now: _Positions) -> _Positions:
        """All that may come next; what ends is noted."""
        after, actions = self._choices(now, self._laid(now.states).latest)
        tables = self._laid(after.states)
        ended = tables.step(actions).terminated
        n = self.setup.num_players
        rewards = (n * tables.win_shares[ended] - 1.0) / (n - 1)
        self._note(after.sequences[ended], rewards * after.weights[ended, None])
        self.done += float(after.shares[ended].sum())
        return after._replace(states=tables.states).pick(~ended)

    def written(self, deals: int) -> Exact:
        """All that was found."""
        sequences, payoffs = _merged(*map(np.concatenate, zip(*self._ends, strict=True)))
        sides = [finder.side() for finder in self._finders]
        return Exact(self.setup, sides, sequences, payoffs, deals, self._histories)

    def _laid(self, states: np.ndarray) -> Tables:
        tables = Tables(self.setup, len(states), auto_reset=False)
        tables.states[:] = states
        tables.deal(np.zeros(len(states), np.bool_))  # deals nothing, but looks at every table
        return tables

    def _choices(self, now: _Positions, step: Step) -> tuple[_Positions, np.ndarray]:
        """Each position once for each joint action of those to act, and those actions."""
        rows, actions, children = _joint_actions(step)
        after = now._replace(shares=now.shares / children).pick(rows)
        for finder in self._finders:
            acting = np.flatnonzero(step.to_act[:, finder.seat])
            if len(acting):
                firsts = np.zeros(len(children), np.int64)
                firsts[acting] = 1 + self.setup.num_actions * finder.number(now, step, acting)
                acted = actions[:, finder.seat] != COMMITS_NOTHING
                moved = firsts[rows[acted]] + actions[acted, finder.seat]
                after.sequences[acted, finder.seat] = moved
        return after, actions

    def _note(self, sequences: np.ndarray, payoffs: np.ndarray) -> None:
        if len(sequences):
            self._histories += len(sequences)
            self._ends.append(_merged(sequences, payoffs))


def _joint_actions(step: Step) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All combinations of what those to act may do.

    Returns:
        The row of each combination, the actions int16 `(combinations, seats)`, and how many
        combinations each row has.
    """
    legal = step.action_masks.astype(np.int64) * step.to_act[:, :, None]
    number = np.where(step.to_act, legal.sum(2), 1)
    children = number.prod(1)
    rows = np.repeat(np.arange(len(number)), children)
    left = np.arange(len(rows)) - np.repeat(children.cumsum() - children, children)
    ordered = np.argsort(-legal, axis=2, kind="stable")  # legal ones first, in order
    actions = np.full((len(rows), number.shape[1]), COMMITS_NOTHING, np.int16)
    for seat in range(number.shape[1]):
        left, which = np.divmod(left, number[rows, seat])
        acts = step.to_act[rows, seat]
        actions[acts, seat] = ordered[rows[acts], seat, which[acts]]
    return rows, actions, children


def _merged(sequences: np.ndarray, payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equal rows of sequences as one, with the sum of their payoffs."""
    order = np.lexsort(sequences.T)
    sequences, payoffs = sequences[order], payoffs[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = (sequences[1:] != sequences[:-1]).any(1)
    return sequences[first], np.add.reduceat(payoffs, np.flatnonzero(first))
