"""Learning where the answer is known, in seconds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from omegaconf import OmegaConf
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from miaui_env import Tables, keys, load_bot
from miaui_env.bots.card import Card
from training.config import TrainConfig, setup_for, typed
from training.export import read_weights
from training.learner import lay_tables, make_learner, policy_of
from training.policy import weights_of
from training.snapshot import snapshot
from training.train import BOT, CONFIG, train

TWO_ROUNDS = {
    "name": "two-rounds",
    "game": {
        "name": "miaui",
        "players": 2,
        "options": {
            "hand_size": 2,
            "spaces": 1,
            "cards": ["kittenfish:1", "tuna:15"],
        },
    },
    "tables": {"number": 64, "pool_share": 0.25},
    "algo": {
        "widths": [32],
        "rollout": 8,
        "minibatch": 512,
        "learning_rate": 3e-3,
        "final_learning_rate": 3e-3,
    },
    "exam": {"yardsticks": ["random", "highest"], "every": 10, "deals": 16, "final_deals": 64},
    "play": {"how": "argmax"},
    "threads": 1,
    "steps": 40_000,
}


def test_the_high_card_goes_for_the_tuna(tmp_path: Path) -> None:
    """Two fish, one now and one later, and the cards 1 and 2: the 2 is for the tuna."""
    config = typed(TWO_ROUNDS)
    console = Console(file=(tmp_path / "told").open("w"), width=120)
    bot = load_bot(train(config, tmp_path / "run", console))
    tables = Tables(setup_for(config.game), 500, seed=1)
    step = tables.reset()
    value = step.observations[:, 0, tables.setup.layout["lagoon"]][:, 0]
    assert set(value.tolist()) == {1, 15}
    moves = bot.act(step.observations[:, 0], step.action_masks[:, 0], keys(0, 500))
    assert (moves == (value == 15)).all()


def test_a_run_shows_its_strength_from_the_first_update_on(
    tmp_path: Path, small: TrainConfig
) -> None:
    """Against fixed yardsticks: against itself a bot always wins its equal share."""
    small.steps, small.exam.every = 4_000, 2
    console = Console(file=(tmp_path / "told").open("w"), width=120)
    folder = tmp_path / "run"
    train(small, folder, console)
    console.file.close()
    told = (tmp_path / "told").read_text()
    assert "0 steps" in told and "win share against random" in told
    assert "2 × random" in told and "2 × greedy" in told and "win share [95 %]" in told
    curves = EventAccumulator(str(tmp_path / "run" / "tensorboard"))
    curves.Reload()
    shares = curves.Scalars("exam/win_share_against_greedy")
    rollout = curves.Scalars("speed/steps_per_second")
    assert shares[0].step == rollout[0].step and len(shares) > 2
    assert all(0.0 <= share.value <= 1.0 for share in shares)
    made = Card.read(folder / BOT).training
    assert made["config"]["seed"] == small.seed and made["steps"] >= small.steps
    assert np.isfinite(made["seconds"])


def test_training_goes_on_from_an_exported_bot_or_a_snapshot_of_a_run(
    tmp_path: Path, small: TrainConfig
) -> None:
    small.steps = 1_000
    run = tmp_path / "run"
    run.mkdir()
    OmegaConf.save(OmegaConf.structured(small), run / CONFIG)
    bot = train(small, run, Console(quiet=True))
    finished = read_weights(bot)
    assert all(torch.equal(read_weights(snapshot(run))[name], finished[name]) for name in finished)
    small.start_from = str(bot)
    begun = weights_of(policy_of(make_learner(small, lay_tables(small))))
    assert all(torch.equal(begun[name], finished[name]) for name in finished)
    small.start_from = "greedy"
    with pytest.raises(ValueError, match="start_from is a bot that was exported, not 'greedy'"):
        make_learner(small, lay_tables(small))
