"""The bootstrap, where the truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from miaui_env.benchmark.figures import Figure, block_figures, resampling_weights


def whole(values: object) -> np.ndarray:
    return np.asarray(values, np.int64)


@pytest.mark.parametrize("law", ["even", "skewed"])
def test_95_percent_intervals_hold_the_truth_about_95_times_in_100(law: str) -> None:
    luck, blocks, repeats = np.random.default_rng(0), 100, 400
    draw = {
        "even": lambda: luck.integers(0, 13, blocks),
        "skewed": lambda: luck.geometric(0.2, blocks),
    }
    truth = {"even": 6.0, "skewed": 5.0}[law]
    columns = np.stack([draw[law]() for _ in range(repeats)], 1)
    figures = block_figures(whole(columns), np.ones_like(columns), 1, resamples=500)
    held = [f.low is not None and f.high is not None and f.low <= truth <= f.high for f in figures]
    assert 0.90 < np.mean(held) < 0.985


def test_deals_are_resampled_whole_with_all_their_games() -> None:
    blocks = 50
    games = np.random.default_rng(1).integers(0, 2, blocks)
    fourfold = np.stack([games, games * 4], 1)  # the same game four times tells nothing new
    single, repeated = block_figures(fourfold, whole([[1, 4]] * blocks), 1)
    assert single == repeated


def test_a_ratio_of_sums_where_blocks_have_unequal_numbers_of_games() -> None:
    totals, counts = whole([[10], [0], [3]]), whole([[5], [0], [1]])
    figure = block_figures(totals, counts, 1)[0]
    assert figure.mean == 13 / 6
    assert figure.low is not None and 2.0 <= figure.low <= 13 / 6


def test_no_games_no_figure() -> None:
    assert block_figures(whole([[0], [0]]), whole([[0], [0]]), 1) == [Figure(None)]


def test_resampling_draws_as_many_blocks_as_there_are_all_alike() -> None:
    weights = np.concatenate(list(resampling_weights(40, 1, 3000)))
    assert weights.shape == (3000, 40) and (weights.sum(1) == 40).all()
    assert np.abs(weights.mean(0) - 1).max() < 0.1


def test_batches_of_resamples_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = np.concatenate(list(resampling_weights(40, 7, 100)))
    monkeypatch.setattr("miaui_env.benchmark.figures._AT_ONCE", 40 * 13)
    assert (np.concatenate(list(resampling_weights(40, 7, 100))) == at_once).all()


def test_words() -> None:
    assert Figure(0.25, 0.2, 0.3).words(3) == "0.250 [0.200, 0.300]"
    assert Figure(12.345).words(1) == "12.3" and Figure(None).words(1) == "-"
