"""A small exported bot, made once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.engine.tables import Tables


@pytest.fixture(scope="session")
def setup() -> Setup:
    return Setup.of(find("miaui"), 4)


@pytest.fixture(scope="session")
def policy(setup: Setup) -> Any:
    torch = pytest.importorskip("torch")
    from miaui_env.adapters.sb3 import TablesVecEnv
    from training.policy import MaskedPolicy, ordinary_observations

    torch.manual_seed(4)
    env = TablesVecEnv(setup, 1)
    made = MaskedPolicy(env.observation_space, env.action_space, lambda _: 1e-3, widths=(32, 32))
    for weights in made.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    made.features_extractor.fit(ordinary_observations(setup, seed=5, tables=64))
    return made


@pytest.fixture(scope="session")
def original(setup: Setup, policy: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from training.export import export

    folder = tmp_path_factory.mktemp("bots") / "small"
    return export(policy, setup, folder, name="small", plays={"how": "sample", "temperature": 1.0})


@pytest.fixture
def bot_folder(original: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(original, tmp_path / "small"))


Recorded = tuple[np.ndarray, np.ndarray]


@pytest.fixture(scope="session")
def recorded(setup: Setup) -> Callable[[int], Recorded]:
    """So many observations and masks from random play."""

    def record(number: int) -> Recorded:
        tables = Tables(setup, 256, seed=11)
        step = tables.reset()
        rows: list[np.ndarray] = []
        masks: list[np.ndarray] = []
        while sum(len(part) for part in rows) < number:
            rows.append(step.observations[step.to_act])
            masks.append(step.action_masks[step.to_act])
            step = tables.step(tables.random_actions())
        return np.concatenate(rows)[:number], np.concatenate(masks)[:number]

    return record
