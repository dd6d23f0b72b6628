"""Small runs that end in seconds."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch")

from training.config import TrainConfig, typed

SMALL: dict[str, Any] = {
    "name": "small",
    "game": {"name": "miaui", "players": 3, "options": {"hand_size": 4, "spaces": 2}},
    "tables": {"number": 16, "pool_share": 0.5},
    "algo": {"widths": [16], "rollout": 8, "minibatch": 128, "epochs": 1},
    "pool": {"size": 4, "at_once": 2},
    "exam": {"every": 1000, "deals": 4, "final_deals": 8},
    "threads": 1,
    "steps": 20_000,
    "checkpoint_every": 1,
}


@pytest.fixture
def small() -> TrainConfig:
    return typed(SMALL)
