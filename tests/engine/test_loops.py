"""Random actions are uniform over the legal ones, however long the mask is."""

from __future__ import annotations

import numpy as np
import pytest

from miaui_env.engine.loops import RANDOM_ACTION, any_legal
from miaui_env.engine.rng import draw

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 16, 29, 162])
@pytest.mark.parametrize("share", [0.05, 0.5, 1.0])
def test_the_drawn_number_counts_the_legal_actions_from_the_first(size: int, share: float) -> None:
    for key in RNG.integers(0, 2**63, 40, np.uint64):
        mask = (RNG.random(size) < share).astype(np.int8)
        mask[RNG.integers(size)] = 1
        legal = np.flatnonzero(mask)
        assert any_legal(mask, key) == legal[draw(key, RANDOM_ACTION, 0, len(legal))]


def test_every_legal_action_comes_up_alike() -> None:
    mask = np.zeros(30, np.int8)
    mask[[0, 7, 8, 21, 29]] = 1
    drawn = [any_legal(mask, key) for key in RNG.integers(0, 2**63, 5000, np.uint64)]
    actions, counts = np.unique(drawn, return_counts=True)
    assert actions.tolist() == [0, 7, 8, 21, 29]
    assert (abs(counts - 1000) < 150).all()  # five standard deviations
