"""The network: what is illegal never happens, what is told to SB3 is what torch would tell."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.distributions import Categorical

from miaui_env.adapters.sb3 import TablesVecEnv
from training.config import TrainConfig
from training.learner import lay_tables, make_learner, policy_of
from training.policy import (
    ILLEGAL,
    MaskedPolicy,
    gumbel_like,
    ordinary_observations,
    put_weights,
    weights_of,
)


@pytest.fixture(scope="module")
def policy() -> MaskedPolicy:
    env = TablesVecEnv("miaui", 1)
    made = MaskedPolicy(env.observation_space, env.action_space, lambda _: 1e-3, widths=(16,))
    torch.manual_seed(0)
    for weights in made.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    return made


@pytest.fixture(scope="module")
def seen() -> tuple[torch.Tensor, np.ndarray]:
    rows = torch.as_tensor(ordinary_observations(TablesVecEnv("miaui", 1).tables.setup, 1, 100))
    masks = np.random.default_rng(1).random((len(rows), 12)) < 0.3
    masks[:, 4] |= ~masks.any(1)
    return rows, masks


def test_a_million_masked_samples_are_legal() -> None:
    luck = torch.Generator().manual_seed(3)
    masks = torch.rand((1_000_000, 12), generator=luck) < 0.15
    masks[torch.arange(len(masks)), torch.randint(12, (len(masks),), generator=luck)] = True
    for scale in (1.0, 100.0):
        logits = (torch.randn(masks.shape, generator=luck) * scale).masked_fill(~masks, ILLEGAL)
        actions = (logits + gumbel_like(logits)).argmax(-1)
        assert masks[torch.arange(len(masks)), actions].all()


def test_an_illegal_action_in_training_would_stop_it(
    small: TrainConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a run that ends has had none: no counter that nobody reads."""
    env = lay_tables(small)
    learner = make_learner(small, env)
    assert env.tables.illegal_policy == "raise"
    policy = policy_of(learner)
    blind = policy.judge
    everything = lambda rows, masks: blind(rows, torch.ones_like(masks))  # noqa: E731  # a mock
    monkeypatch.setattr(policy, "judge", everything)
    with pytest.raises(ValueError, match="illegal action"):
        learner.learn(10 * env.num_envs * small.algo.rollout)


def test_samples_follow_the_softmax() -> None:
    torch.manual_seed(5)
    logits = torch.tensor([0.6, 0.3, 0.1]).log().repeat(200_000, 1)
    actions = (logits + gumbel_like(logits)).argmax(-1)
    shares = torch.bincount(actions) / len(actions)
    assert shares.numpy() == pytest.approx([0.6, 0.3, 0.1], abs=0.005)


def test_log_probabilities_and_entropy_are_those_of_torch(
    policy: MaskedPolicy, seen: tuple[torch.Tensor, np.ndarray]
) -> None:
    rows, masks = seen
    actions, values, told = policy(rows, action_masks=masks)
    assert masks[np.arange(len(masks)), actions.numpy()].all()
    logits, _ = policy.judge(rows, torch.as_tensor(masks))
    reference = Categorical(logits=logits.masked_fill(~torch.as_tensor(masks), -torch.inf))
    again, log_probs, entropy = policy.evaluate_actions(rows, actions, masks)
    assert torch.allclose(told, reference.logits.gather(1, actions[:, None])[:, 0], atol=1e-5)
    assert torch.equal(told, log_probs) and torch.equal(values, again)
    plain = [-(p[p > 0] * p[p > 0].log()).sum() for p in reference.probs]
    assert torch.allclose(entropy, torch.stack(plain), atol=1e-5)
    assert torch.equal(values, policy.predict_values(rows))


def test_gradients_are_finite_with_a_single_legal_action(
    policy: MaskedPolicy, seen: tuple[torch.Tensor, np.ndarray]
) -> None:
    rows, _ = seen
    single = np.zeros((len(rows), 12), bool)
    single[:, 3] = True
    values, log_probs, entropy = policy.evaluate_actions(rows, torch.full((len(rows),), 3), single)
    total = values.sum() + log_probs.sum() + entropy.sum()
    gradients = torch.autograd.grad(total, list(policy.parameters()), allow_unused=True)
    assert (log_probs == 0).all() and (entropy == 0).all()
    assert all(part is None or part.isfinite().all() for part in gradients)


def test_inputs_are_scaled_as_random_play_shows_them(
    policy: MaskedPolicy, seen: tuple[torch.Tensor, np.ndarray]
) -> None:
    rows, _ = seen
    trunk = policy.features_extractor
    trunk.fit(rows.numpy())
    scaled = (rows.float() - trunk.centre) * trunk.scale
    assert scaled.mean(0).abs().max() < 1e-3
    deviations = scaled.std(0)
    assert deviations.max() <= 1.01 and (deviations > 0.9).float().mean() > 0.5


def test_weights_of_another_network_are_refused(policy: MaskedPolicy) -> None:
    weights = weights_of(policy)
    weights.pop("action_net.bias")
    with pytest.raises(ValueError, match="of another network"):
        put_weights(policy, weights)
