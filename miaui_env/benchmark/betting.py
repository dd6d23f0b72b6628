"""How sure a mean is that is looked at all the time: a confidence sequence by betting.

For each candidate mean m, two gamblers bet on every observation x in [0, 1]: one that the truth
lies above m, one that it lies below. Where m is the truth neither can expect to win, so the chance
that one ever multiplies the capital by 1/alpha is at most alpha, whenever one stops (Ville's
inequality). The means against which nobody got rich are the confidence sequence (Waudby-Smith and
Ramdas 2024, "Estimating means of bounded random variables by betting"). Nothing is assumed of the
observations but their bounds and that they are independent deals; bets are their approximate GRAPA.
"""

from __future__ import annotations

import numpy as np

GRID = 1001
"""Candidate means, from 0 to 1."""
_BOLDEST = 0.5
"""Share of the capital that a bet may lose."""


class Betting:
    """Bets on a stream of observations in [0, 1].

    Attributes:
        candidates: means that are tested; float64, ascending.
        above: log capital of those who bet that the truth is above each candidate.
        below: likewise, that it is below.
        observations: how many there were.
    """

    def __init__(self, *more: float) -> None:
        """`more` are candidates beside those of the grid."""
        self.candidates = np.unique([*np.linspace(0.0, 1.0, GRID), *more])
        self.above = np.zeros(len(self.candidates))
        self.below = np.zeros(len(self.candidates))
        self.observations, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        """Settle the bets on one more observation; ValueError for one outside [0, 1]."""
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"observations lie in 0 to 1, not {value!r}")
        m, bet = self.candidates, self._bets()
        high = np.clip(bet, 0.0, _BOLDEST / np.maximum(m, 1e-9))
        low = np.clip(-bet, 0.0, _BOLDEST / np.maximum(1.0 - m, 1e-9))
        self.above += np.log1p(high * (value - m))
        self.below += np.log1p(low * (m - value))
        self.observations += 1
        self._sum += value
        self._squares += value * value

    def _bets(self) -> np.ndarray:
        """By what was seen before: mean and variance, with one observation of 1/2 in advance."""
        seen = self.observations + 1
        mean = (0.5 + self._sum) / seen
        variance = (0.25 + self._squares + 0.25) / seen - mean**2  # the quarter: never 0
        off = mean - self.candidates
        return np.asarray(off / (variance + off**2))

    @property
    def mean(self) -> float:
        """Of the observations; too far from the truth where it decided when to stop."""
        return self._sum / max(1, self.observations)

    def refuted(self, candidate: float, above: bool, alpha: float) -> bool:
        """Whether the truth is surely above (else below) a candidate, given at construction."""
        (at,) = np.flatnonzero(self.candidates == candidate)
        return bool((self.above if above else self.below)[at] >= -np.log(alpha))

    def interval(self, alpha: float) -> tuple[float, float]:
        """Holds the truth, at every time together, with a chance of 1 - `alpha`."""
        rich = -np.log(alpha / 2)
        low, high = self.candidates[self.above >= rich], self.candidates[self.below >= rich]
        return float(low.max(initial=0.0)), float(high.min(initial=1.0))
