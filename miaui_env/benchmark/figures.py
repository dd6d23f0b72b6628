"""Means and how sure they are: percentile bootstrap over deals, each with all its rotations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from miaui_env.engine.rng import mixed

RESAMPLES = 2000
LEVEL = 0.95
_AT_ONCE = 1 << 20
"""Draws held in memory at a time."""


@dataclass(frozen=True)
class Figure:
    """A mean with its interval; None where no game counts, or (the interval) with a single deal."""

    mean: float | None
    low: float | None = None
    high: float | None = None

    def words(self, digits: int) -> str:
        """`0.251 [0.243, 0.259]`, with that many digits after the point."""
        if self.mean is None:
            return "-"
        if self.low is None:
            return f"{self.mean:.{digits}f}"
        return f"{self.mean:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"


def block_figures(
    totals: np.ndarray, counts: np.ndarray, key: int, resamples: int = RESAMPLES
) -> list[Figure]:
    """Ratio of sums for each column, with a 95 % interval that treats each row as one observation.

    Args:
        totals: `(blocks, figures)`, what a block's games add up to. Whole numbers make the result
            independent of the order of summation.
        counts: `(blocks, figures)`, over how many games that is.
        key: luck of the resampling.
        resamples: how many times the blocks are drawn anew, with replacement.
    """
    blocks = len(totals)
    sums, numbers = totals.sum(0), counts.sum(0)
    means = [float(s / n) if n else None for s, n in zip(sums, numbers, strict=True)]
    if blocks < 2:
        return [Figure(mean) for mean in means]
    with np.errstate(invalid="ignore"):  # 0/0: a resample without any game that counts
        drawn = [(w @ totals) / (w @ counts) for w in resampling_weights(blocks, key, resamples)]
    ratios = np.concatenate(drawn)
    return [interval(mean, ratios[:, column]) for column, mean in enumerate(means)]


def interval(mean: float | None, ratios: np.ndarray) -> Figure:
    """A mean with the middle 95 % of its resampled values, which are NaN where no game counted."""
    drawn = ratios[~np.isnan(ratios)]
    if mean is None or not len(drawn):
        return Figure(mean)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Figure(mean, float(low), float(high))


def resampling_weights(blocks: int, key: int, resamples: int) -> Iterator[np.ndarray]:
    """How often each block is drawn in each resample; whole float64 `(some resamples, blocks)`."""
    some = max(1, _AT_ONCE // blocks)
    for first in range(0, resamples, some):
        rows = np.arange(first, min(first + some, resamples), dtype=np.uint64)
        luck = mixed(mixed(key, rows)[:, None], np.arange(blocks, dtype=np.uint64)[None, :])
        # 32 random bits scaled to a block; the bias is below blocks / 2**32.
        drawn = ((luck >> np.uint64(32)) * np.uint64(blocks) >> np.uint64(32)).astype(np.int64)
        flat = drawn + np.arange(len(rows))[:, None] * blocks
        counted = np.bincount(flat.ravel(), minlength=len(rows) * blocks)
        yield counted.reshape(len(rows), blocks).astype(np.float64)
