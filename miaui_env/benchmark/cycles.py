"""How far a field is from having one order: what of its pay-offs no rating can tell.

Each duel gives an advantage A_ab in log odds, antisymmetric. Ratings r tell the part r_a - r_b; the
best (least squares) ones are the means of A's rows, and what they leave is cycles: a beats b beats
c beats a. The two parts are orthogonal, so their shares of the sum of squares add up to 1 (Hodge
decomposition: Jiang, Lim, Yao and Ye 2011, "Statistical ranking and combinatorial Hodge theory";
Balduzzi et al. 2018, "Re-evaluating evaluation"). In log odds, because there Luce's model, which
our ratings fit, is free of cycles for any number of seats.
"""

from __future__ import annotations

import itertools

import numpy as np


def advantages(shares: np.ndarray, deals: int, seats: int) -> np.ndarray:
    """Log odds of the duels, made antisymmetric, which also takes away those of equals.

    Args:
        shares: `(fits, bots, bots)`: what a wins alone among copies of b; NaN on the diagonal.
        deals: how many; one more, at the equal share, is added, so that nothing is infinite.
        seats: at a table.

    Returns:
        `(fits, bots, bots)`, 0 on the diagonal.
    """
    smoothed = (shares * deals + 1.0 / seats) / (deals + 1.0)
    odds = np.nan_to_num(np.log(smoothed / (1.0 - smoothed)))
    return np.asarray((odds - odds.swapaxes(1, 2)) / 2)


def cyclic(advantage: np.ndarray) -> np.ndarray:
    """The part that no rating tells, of the same shape."""
    rating = advantage.mean(2)
    return np.asarray(advantage - (rating[:, :, None] - rating[:, None, :]))


def energy(part: np.ndarray) -> np.ndarray:
    """Sum of squares of each fit; `(fits,)`."""
    return np.asarray((part**2).sum((1, 2)))


def cyclic_share(advantage: np.ndarray) -> np.ndarray:
    """Share of the sum of squares that is cyclic; `(fits,)`, 0 where all advantages are 0."""
    total = energy(advantage)
    return np.asarray(energy(cyclic(advantage)) / np.where(total > 0, total, 1.0))


def by_chance(advantage: np.ndarray, resampled: np.ndarray) -> float:
    """How large a cyclic share the noise of so few deals makes by itself, where there is none.

    `advantage` is `(1, bots, bots)` as played, `resampled` `(fits, bots, bots)`.
    """
    noise = float(energy(cyclic(resampled - advantage)).mean())
    total = float(energy(advantage)[0])
    return min(1.0, noise / total) if total > 0 else 0.0


def sure_cycles(low: np.ndarray) -> list[tuple[int, int, int]]:
    """Triples (a, b, c) where a beats b beats c beats a, each beyond its interval.

    `low[a, b]` is the lower end of a's advantage over b.
    """
    beats = low > 0
    turns = (
        turn
        for a, b, c in itertools.combinations(range(len(low)), 3)
        for turn in ((a, b, c), (a, c, b))
    )
    return [(a, b, c) for a, b, c in turns if beats[a, b] and beats[b, c] and beats[c, a]]
