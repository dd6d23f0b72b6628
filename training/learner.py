"""What learns and what it plays at: MaskablePPO over `TablesVecEnv`, made from a config."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import set_random_seed

from miaui_env import keys
from miaui_env.adapters.sb3 import TablesVecEnv
from miaui_env.bots.loading import folder_of
from training.average import Average
from training.checkpoint import Checkpoint, luck, momenta, put_luck, put_momenta
from training.config import TrainConfig, setup_for
from training.export import read_weights
from training.policy import MaskedPolicy, ordinary_observations, put_weights, weights_of
from training.pool import Pool

GAMES, NETWORK, SCALES, SEATS = range(4)
"""What the run's seed is hashed for; each gets a key of its own."""


def key_of(config: TrainConfig, purpose: int) -> int:
    """A 64-bit key from the run's seed: neighbouring seeds have nothing in common."""
    return int(keys(config.seed, SEATS + 1)[purpose])


def lay_tables(config: TrainConfig) -> TablesVecEnv:
    """The tables: at most of them every seat learns, at the others one, against the pool."""
    setup = setup_for(config.game)
    return TablesVecEnv(
        setup,
        config.tables.number,
        learners=learning_seats(config),
        seed=key_of(config, GAMES),
        reward={"win": config.tables.win, "margin": config.tables.margin},
    )


def learning_seats(config: TrainConfig) -> np.ndarray:
    """Who learns: bool `(tables, seats)`; where seats take turns, one a table."""
    number, players = config.tables.number, config.game.players
    one: np.ndarray = np.arange(players) == np.arange(number)[:, None] % players
    if setup_for(config.game).game.simultaneous:
        one |= ~pool_tables(config)[:, None]
    return one


def pool_tables(config: TrainConfig) -> np.ndarray:
    """Tables where earlier selves play: bool `(tables,)`, the last ones."""
    number = config.tables.number
    last: np.ndarray = np.arange(number) >= number - round(number * config.tables.pool_share)
    return last


def make_learner(config: TrainConfig, env: TablesVecEnv) -> MaskablePPO:
    """MaskablePPO with our network, its inputs scaled, its luck drawn from the run's seed."""
    algo = config.algo
    set_random_seed(key_of(config, NETWORK) % 2**32)
    learner = MaskablePPO(
        MaskedPolicy,
        env,
        learning_rate=line(algo.learning_rate, algo.final_learning_rate),
        n_steps=algo.rollout,
        batch_size=algo.minibatch,
        n_epochs=algo.epochs,
        gamma=algo.discount,
        gae_lambda=algo.gae_lambda,
        clip_range=algo.clip,
        ent_coef=algo.entropy,
        vf_coef=algo.value_weight,
        max_grad_norm=algo.max_gradient,
        policy_kwargs={"widths": tuple(algo.widths)},
        device="cpu",
    )
    _first_weights(config, env, policy_of(learner))
    return learner


def policy_of(learner: MaskablePPO) -> MaskedPolicy:
    """The network that learns."""
    policy = learner.policy
    assert isinstance(policy, MaskedPolicy)
    return policy


def line(first: float, last: float) -> Any:
    """A schedule as SB3 has them: of the progress that remains, 1 … 0."""
    return lambda remaining: last + (first - last) * remaining


def _first_weights(config: TrainConfig, env: TablesVecEnv, policy: MaskedPolicy) -> None:
    """Scales from random play, or everything from a bot that is there already."""
    if config.start_from is None:
        seen = ordinary_observations(env.tables.setup, key_of(config, SCALES))
        policy.features_extractor.fit(seen)
    else:
        folder = folder_of(config.start_from)
        if folder is None:
            raise ValueError(f"start_from is a bot that was exported, not {config.start_from!r}")
        put_weights(policy, read_weights(folder))


# --- stopping and going on ----------------------------------------------------------------------


def kept(
    learner: MaskablePPO, env: TablesVecEnv, pool: Pool, average: Average, seconds: float
) -> Checkpoint:
    """All that the rest of the run depends on, between two updates; `seconds` it took so far."""
    arrays, numbers = luck()
    groups = {
        "policy": weights_of(policy_of(learner)),
        "adam": momenta(learner.policy.optimizer),
        "average": average.weights,
        "pool": pool.arrays(),
        "luck": arrays,
        "tables": {
            "state": torch.frombuffer(bytearray(env.get_state()), dtype=torch.uint8),
            "starts": torch.as_tensor(np.asarray(learner._last_episode_starts)),
        },
    }
    flat = {
        f"{group}/{name}": part for group, parts in groups.items() for name, part in parts.items()
    }
    return Checkpoint(
        flat,
        {
            "steps": learner.num_timesteps,
            "updates": learner._n_updates,
            "luck": numbers,
            "seconds": seconds,
        },
    )


def put_back(
    checkpoint: Checkpoint,
    learner: MaskablePPO,
    env: TablesVecEnv,
    pool: Pool,
    average: Average,
) -> None:
    """Go to where `kept` was called, with a learner and tables made from the same config."""
    put_weights(policy_of(learner), checkpoint.part("policy"))
    put_momenta(learner.policy.optimizer, checkpoint.part("adam"))
    average.put_back(checkpoint.part("average"))
    pool.put_back(checkpoint.part("pool"))
    env.set_state(checkpoint.part("tables")["state"].numpy().tobytes())
    learner._last_obs = env.observe()
    learner._last_episode_starts = checkpoint.part("tables")["starts"].numpy()
    learner.num_timesteps = checkpoint.state["steps"]
    learner._n_updates = checkpoint.state["updates"]
    put_luck(checkpoint.part("luck"), checkpoint.state["luck"])
