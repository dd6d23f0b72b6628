"""One number for each bot, from all matches at once.

The model is Luce's choice axiom over win shares: at a table bot i wins a share of s_i over the sum
of all strengths there, copies counted. The fit makes every bot's total share what it was in play,
which is the maximum of a concave quasi-likelihood (fractional logit: Papke and Wooldridge 1996). A
win shared by two is half a win for each, for any number of seats, and the order of the games does
not matter. For two seats it is Bradley and Terry's model with a tie as half a win.

Ratings are strengths on Elo's scale: 400 points are ten times the strength.
"""

from __future__ import annotations

import numpy as np

PRIOR = 1.0
"""Deals drawn against a bot of strength 1, for each bot: keeps who never won finite."""
ELO = 400.0
_CLOSE, _MOST_STEPS = 1e-7, 200
_AT_ONCE = 1 << 21
"""Numbers held in memory at a time."""


def strengths(copies: np.ndarray, shares: np.ndarray, deals: int) -> np.ndarray:
    """Fit the model, by Newton's method in the logarithms of the strengths.

    Args:
        copies: `(matches, bots)`, how many of each sit at the table; no table of one bot alone.
        shares: `(fits, matches, bots)`, of the win, all copies together, as means over the deals.
        deals: how many were played of each match.

    Returns:
        Strengths, `(fits, bots)`.
    """
    some = max(1, _AT_ONCE // copies.size)
    parts = [shares[i : i + some] for i in range(0, len(shares), some)]
    return np.concatenate([np.exp(_logarithms(copies, deals * part)) for part in parts])


def _logarithms(copies: np.ndarray, wins: np.ndarray) -> np.ndarray:
    log = np.zeros((len(wins), wins.shape[2]))
    won = wins.sum(1) + PRIOR / 2
    games = wins.sum(2)  # less those that all forfeited
    for _ in range(_MOST_STEPS):
        step = _step(copies, won, games, log)
        log += np.clip(step, -1.0, 1.0)  # further than that the parabola is a bad guide
        if np.abs(step).max() < _CLOSE:
            break
    return log


def _step(copies: np.ndarray, won: np.ndarray, games: np.ndarray, log: np.ndarray) -> np.ndarray:
    """Towards the maximum: the slope over the curvature."""
    table = expected(copies, np.exp(log)[:, None, :])  # (fits, matches, bots)
    due = (games[:, :, None] * table).swapaxes(1, 2)
    drawn = 1.0 / (1.0 + np.exp(-log))
    slope = won - due.sum(2) - PRIOR * drawn
    curvature = -(due @ table)
    bots = np.arange(copies.shape[1])
    curvature[:, bots, bots] += due.sum(2) + PRIOR * drawn * (1.0 - drawn)
    return np.asarray(np.linalg.solve(curvature, slope[:, :, None])[:, :, 0])


def expected(copies: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """What each bot (all its copies) wins of each match by the model; `(…, matches, bots)`."""
    weights = copies * strength
    return np.asarray(weights / weights.sum(-1, keepdims=True))


def elo(strength: np.ndarray, anchor: int | None) -> np.ndarray:
    """Ratings `(fits, bots)`: 0 is the anchor's, or else the mean of the field."""
    ratings = ELO * np.log10(strength)
    zero = ratings.mean(1) if anchor is None else ratings[:, anchor]
    return np.asarray(ratings - zero[:, None])
