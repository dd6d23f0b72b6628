"""Equilibria of games that `exact` has written out, by counterfactual regret minimisation.

PCFR+ (Farina, Kroer and Sandholm 2021, "Faster game solving via predictive Blackwell
approachability"): regret matching+ that also expects each regret to come once more, seats in turn,
iteration t counting t² in the average. With two seats the average goes to equilibrium; with more
it has no guarantee, and NashConv tells what came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from miaui_env.benchmark.exact import Exact, Side

LOOK_EVERY = 50
"""Iterations between two looks at NashConv, which cost as much as one."""


@dataclass(frozen=True)
class Solution:
    """What solving came to.

    Attributes:
        profile: the average policies, float64 `(infosets, actions)` each.
        nash_conv: of that profile.
        iterations: how many it took.
    """

    profile: list[np.ndarray]
    nash_conv: float
    iterations: int


class _Learner:
    """One seat's regrets, policy, and average so far."""

    def __init__(self, side: Side) -> None:
        self.side, self._legal = side, side.masks != 0
        self._regrets = np.zeros(side.masks.shape)
        self._average = np.zeros(side.sequences)
        self.policy = side.masks / side.masks.sum(1, keepdims=True)

    def learn(self, gains: np.ndarray) -> None:
        """Add this iteration's regrets, and expect them once more in the next policy."""
        total = gains.copy()
        of_actions = self.side.by_action(total)
        regrets = np.zeros_like(self._regrets)
        for level in reversed(self.side.levels):
            value = (self.policy[level] * of_actions[level]).sum(1)
            regrets[level] = of_actions[level] - value[:, None]
            np.add.at(total, self.side.befores[level], value)
        regrets[~self._legal] = 0.0
        self._regrets = np.maximum(self._regrets + regrets, 0.0)
        self.policy = self._matched(np.maximum(self._regrets + regrets, 0.0))

    def remember(self, weight: float) -> None:
        """Count the present policy in the average, by how it reaches each sequence."""
        self._average += weight * self.side.reach(self.policy)

    def average(self) -> np.ndarray:
        """The average policy; uniform where it never comes."""
        return self._matched(self.side.by_action(self._average))

    def _matched(self, weights: np.ndarray) -> np.ndarray:
        weights = np.where(self._legal, weights, 0.0)
        sums = weights.sum(1, keepdims=True)
        uniform = self._legal / self._legal.sum(1, keepdims=True)
        return np.asarray(np.divide(weights, sums, out=uniform, where=sums > 0))


def solve(
    game: Exact,
    nash_conv: float,
    iterations: int,
    progress: Callable[[int, float], object] = lambda iteration, reached: None,
) -> Solution:
    """Play the game against itself until NashConv is small.

    Args:
        game: written out.
        nash_conv: good enough.
        iterations: at most so many.
        progress: hears the iteration and its NashConv now and then.
    """
    if iterations < 1:
        raise ValueError(f"iterations is 1 or more, not {iterations}")
    learners = [_Learner(side) for side in game.sides]
    for iteration in range(1, iterations + 1):
        for learner in learners:
            others = [other.policy for other in learners]
            learner.learn(game.gains(others, learner.side.seat))
            learner.remember(float(iteration) ** 2)
        if iteration % LOOK_EVERY == 0 or iteration == iterations:
            profile = [learner.average() for learner in learners]
            reached = game.nash_conv(profile)
            progress(iteration, reached)
            if reached <= nash_conv:
                break
    return Solution(profile, reached, iteration)
