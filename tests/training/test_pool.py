"""Frozen earlier selves stay as they were, and there are never too many."""

from __future__ import annotations

import hashlib

import numpy as np
import torch

from training.config import PoolConfig, TrainConfig
from training.learner import lay_tables, learning_seats, make_learner, policy_of, pool_tables
from training.policy import MaskedPolicy
from training.pool import Pool


def hash_of(weights: dict[str, torch.Tensor]) -> str:
    return hashlib.sha256(b"".join(w.numpy().tobytes() for w in weights.values())).hexdigest()


def shaken(policy: MaskedPolicy) -> None:
    """Every weight moves, in place, as an optimizer moves them."""
    with torch.no_grad():
        for weights in policy.parameters():
            weights.add_(1.0)


def test_the_weights_of_an_earlier_self_never_move(small: TrainConfig) -> None:
    env = lay_tables(small)
    learner = make_learner(small, env)
    policy, pool = policy_of(learner), Pool(small.pool, policy_of(learner), 1)
    seats = ~learning_seats(small)
    hashes = {}
    for update in range(4):
        pool.admit(update, policy)
        hashes[update] = hash_of(pool.members[update])
        env.set_opponents(pool.seated(update, seats))
        learner.learn(env.num_envs * small.algo.rollout)
        shaken(policy)
    assert {number: hash_of(weights) for number, weights in pool.members.items()} == hashes
    assert len(set(hashes.values())) == 4


def test_a_seated_player_is_a_copy(small: TrainConfig) -> None:
    policy = policy_of(make_learner(small, lay_tables(small)))
    pool = Pool(PoolConfig(size=2, at_once=1), policy, 1)
    pool.admit(0, policy)
    ((_, bot),) = pool.seated(0, np.ones((3, 3), bool))
    before = hash_of(pool.members[0])
    shaken(policy)
    shaken(bot.policy)  # type: ignore[attr-defined]
    assert hash_of(pool.members[0]) == before


def test_a_pool_stays_small_and_its_members_are_mostly_young(small: TrainConfig) -> None:
    policy = policy_of(make_learner(small, lay_tables(small)))
    pool = Pool(PoolConfig(size=50, growth=1.25, at_once=2), policy, 1)
    for update in range(1000):
        pool.admit(update, policy)
        pool.admit(update, policy)  # as after a resume: not twice
    numbers = sorted(pool.members)
    assert numbers[:6] == [0, 1, 2, 3, 4, 5] and numbers[-1] > 750 and 20 < len(numbers) < 40
    for update in range(1000, 1_000_000, 999):
        pool.admit(update, policy)
    assert len(pool.members) == 50


def test_seats_are_shared_out_whole_and_the_same_way_again(small: TrainConfig) -> None:
    policy = policy_of(make_learner(small, lay_tables(small)))
    pool = Pool(PoolConfig(size=8, at_once=3), policy, 1)
    for update in range(5):
        pool.admit(update, policy)
    seats = np.random.default_rng(0).random((40, 4)) < 0.7
    seated = pool.seated(5, seats)
    assert (np.sum([mask for mask, _ in seated], 0) == seats).all()
    again = pool.seated(5, seats)
    assert all((a[0] == b[0]).all() for a, b in zip(seated, again, strict=True))
    assert any((a[0] != b[0]).any() for a, b in zip(seated, pool.seated(6, seats), strict=True))


def test_at_most_tables_all_learn_and_at_the_others_one(small: TrainConfig) -> None:
    learning, pool = learning_seats(small), pool_tables(small)
    assert learning[~pool].all() and (learning[pool].sum(1) == 1).all()
    assert pool.mean() == small.tables.pool_share
    assert (learning[pool].sum(0) > 0).all(), "the single learner sits at every seat somewhere"
