"""sb3-contrib's own masked distribution, where it has failed: many actions, and often a single one.

Trainings have died with "not a Simplex" where probabilities of many actions did not add up to 1 to
the last digit, others learned nothing where that check was off (sb3-contrib#322), and there were
rare illegal actions in long runs (sb3-contrib#200).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch.distributions import Distribution

from miaui_env import Setup, find, games
from miaui_env.adapters.sb3 import TablesVecEnv

WIDEST = max((Setup.of(find(name)) for name in games()), key=lambda setup: setup.num_actions)


class HalfForced(TablesVecEnv):
    """Every second learner has no choice: of its legal actions only the first one is left."""

    def action_masks(self) -> np.ndarray:
        """See the class; bool `(num_envs, actions)`."""
        masks: np.ndarray = super().action_masks().copy()
        first = masks[::2].argmax(1)
        masks[::2] = np.arange(masks.shape[1]) == first[:, None]
        return masks


class Watch(BaseCallback):
    """Counts decisions, those without a choice, and actions that were illegal."""

    decisions, forced, illegal = 0, 0, 0

    def _on_step(self) -> bool:
        masks, actions = self.locals["action_masks"], self.locals["actions"]
        self.decisions += len(actions)
        self.forced += int((masks.sum(1) == 1).sum())
        self.illegal += int((~masks[np.arange(len(actions)), actions]).sum())
        self.illegal += sum(info["illegal"] for info in self.locals["infos"])
        return True


@pytest.fixture(params=[True, False], ids=["checked", "unchecked"])
def checked(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether torch checks the arguments of distributions."""
    before, threads = Distribution._validate_args, torch.get_num_threads()
    Distribution.set_default_validate_args(request.param)
    torch.set_num_threads(1)
    yield request.param
    torch.set_num_threads(threads)
    Distribution.set_default_validate_args(before)


@pytest.mark.parametrize("steps", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_training_with_many_actions_and_often_a_single_one(checked: bool, steps: int) -> None:
    env = HalfForced(WIDEST, 32, seats=None, illegal="replace")
    learner = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=3e-3,
        n_steps=steps // 32 // 5 + 1,
        batch_size=128,
        device="cpu",
        seed=3,
    )
    before = [weights.clone() for weights in learner.policy.parameters()]
    watch = Watch()
    learner.learn(steps, callback=watch)
    assert watch.decisions >= steps and watch.forced >= watch.decisions / 2
    assert watch.illegal == 0
    after = list(learner.policy.parameters())
    assert all(bool(weights.isfinite().all()) for weights in after)
    assert not any(torch.equal(one, other) for one, other in zip(before, after, strict=True))
