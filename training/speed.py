"""What a training step costs, by its parts: `python -m training.speed GAME REPEATS [quick]`.

Four ways to train the same network on the same game play in turns, on one thread of torch each:

    ours        MaskablePPO with our policy over our VecEnv, as `training.train` has it
    stock       the same with the policy that sb3-contrib brings
    bare        one page of plain torch over the same VecEnv: what the work itself costs
    tutorial    as PettingZoo's tutorial sets MaskablePPO up: one AEC game, SB3's default batch

`miaui bench` runs this and prints its last line, a JSON, among its own.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import Tensor

import miaui_env
from miaui_env.adapters.sb3 import TablesVecEnv
from miaui_env.benchmark.speed.run import Once, Run, Turns, spread
from training.policy import MaskedPolicy, Trunk, gumbel_like, log_probability

WIDTHS = (256, 256)
EPOCHS = 4
RATE, CLIP, LAMBDA, VALUE, GRADIENT = 3e-4, 0.2, 0.95, 0.5, 0.5
"""SB3's defaults: step size, clip range, GAE's λ, weight of the value's error, longest gradient."""
PARTS = ("environment", "inference", "learning", "rest")


@dataclass(frozen=True)
class Size:
    """How much one training step takes in.

    Attributes:
        tables: side by side.
        rollout: decisions of each learner.
        minibatch: samples in a gradient step.
        tutorial: decisions between two updates of the tutorial's; SB3's default is 2048.
    """

    tables: int = 1024
    rollout: int = 12
    minibatch: int = 8192
    tutorial: int = 2048


QUICK = Size(tables=4, rollout=3, minibatch=16, tutorial=64)


def measure(game: str, repeats: int, size: Size) -> dict[str, Any]:
    """Decisions a second of whole training steps, and what ours is made of; JSON-able."""
    torch.set_num_threads(1)
    ours = Stages(learner_of(game, size, MaskedPolicy, {"widths": WIDTHS}))
    network = stock_network()
    players: dict[str, Once] = {
        "ours": ours.once,
        "stock": Stages(learner_of(game, size, "MlpPolicy", network)).once,
        "bare": Bare(tables_of(game, size), size).once,
        "tutorial": Stages(tutorial(game, size, network)).once,
    }
    run = Run(miaui_env.find(game), repeats)
    turns = run.turns(players, 0.0)  # one training step a turn
    return {"setting": setting(game, size), **told(ours, turns, repeats)}


def setting(game: str, size: Size) -> dict[str, Any]:
    """What was trained, and with which releases."""
    libraries = ("torch", "stable_baselines3", "sb3_contrib")
    return {
        "game": game,
        "seats": miaui_env.find(game).default_players,
        **vars(size),
        "widths": WIDTHS,
        "epochs": EPOCHS,
        "threads": torch.get_num_threads(),
        "versions": {name: importlib.metadata.version(name) for name in libraries},
    }


def told(ours: Stages, turns: Turns, repeats: int) -> dict[str, Any]:
    """Speeds, shares of time, and ratios to the other ways in the same turns."""
    others = [name for name in turns.measured if name != "ours"]
    shares = ours.shares[-repeats:]  # the first step of all was to warm up
    return {
        "per_second": {name: turns.spread(name) for name in turns.measured},
        "parts": {part: spread(share[part] for share in shares) for part in PARTS},
        "to_others": {name: turns.ratio("ours", name) for name in others},
    }


def stock_network() -> dict[str, Any]:
    """The same network for sb3-contrib's own policy."""
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": WIDTHS},
        "net_arch": [],
    }


# --- SB3 ----------------------------------------------------------------------------------------


def tables_of(game: str, size: Size) -> TablesVecEnv:
    """All seats learn where all choose at once, else one at each table."""
    seats = "all" if miaui_env.find(game).simultaneous else None
    return TablesVecEnv(game, size.tables, seats=seats)


def learner_of(game: str, size: Size, policy: Any, network: dict[str, Any]) -> MaskablePPO:
    """MaskablePPO over our tables."""
    return _learner(policy, tables_of(game, size), network, size.rollout, size.minibatch)


def tutorial(game: str, size: Size, network: dict[str, Any]) -> MaskablePPO:
    """MaskablePPO over one AEC game that passes for a single agent's, in batches of SB3's 64."""
    env = WhoeverMoves(miaui_env.make(game, "aec"))
    return _learner("MlpPolicy", env, network, size.tutorial, 64)


def _learner(
    policy: Any, env: Any, network: dict[str, Any], rollout: int, minibatch: int
) -> MaskablePPO:
    learner = MaskablePPO(
        policy,
        env,
        n_steps=rollout,
        batch_size=minibatch,
        n_epochs=EPOCHS,
        policy_kwargs=network,
        seed=0,
        device="cpu",
    )
    learner.set_logger(Logger(folder=None, output_formats=[]))
    return learner


class WhoeverMoves(gymnasium.Env[np.ndarray, int]):
    """An AEC game whose single agent is whoever moves: what PettingZoo's tutorials train on."""

    def __init__(self, env: Any) -> None:
        """Spaces are the first agent's."""
        self.game, first = env, env.possible_agents[0]
        self.observation_space = env.observation_space(first)["observation"]
        self.action_space = env.action_space(first)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """What the first to move sees."""
        self.game.reset(seed, options)
        return self._seen(), {}

    def step(self, action: int) -> Any:
        """What the next to move sees, and what the one who moved got."""
        mover = self.game.agent_selection
        self.game.step(action)
        rewards, over = self.game._cumulative_rewards, self.game.terminations
        return self._seen(), rewards[mover], over[mover], False, {}

    def action_masks(self) -> np.ndarray:
        """What whoever moves may do."""
        mask: np.ndarray = self.game.observe(self.game.agent_selection)["action_mask"]
        return mask

    def _seen(self) -> np.ndarray:
        seen: np.ndarray = self.game.observe(self.game.agent_selection)["observation"]
        return seen


class Stages:
    """A learner's training steps, and where the time of each one goes.

    Attributes:
        shares: of each step so far, part → share of its time.
    """

    def __init__(self, learner: MaskablePPO) -> None:
        """Put clocks around the learner's calls."""
        self.learner, self.shares = learner, list[dict[str, float]]()
        self._spent = dict.fromkeys(PARTS, 0.0)
        env, policy = learner.env, learner.policy
        assert env is not None
        for part, owner, name in (
            ("environment", env, "step"),
            ("environment", env, "env_method"),
            ("inference", policy, "forward"),
            ("inference", policy, "predict_values"),
            ("learning", learner, "train"),
        ):
            object.__setattr__(owner, name, self._clocked(part, getattr(owner, name)))

    def once(self) -> tuple[int, float]:
        """One rollout and one update; decisions and seconds."""
        env = self.learner.env
        assert env is not None
        decisions = self.learner.n_steps * env.num_envs
        self._spent = dict.fromkeys(PARTS, 0.0)
        begun = time.perf_counter()
        self.learner.learn(decisions, reset_num_timesteps=False)
        seconds = time.perf_counter() - begun
        self._spent["rest"] = seconds - sum(self._spent.values())
        self.shares.append({part: spent / seconds for part, spent in self._spent.items()})
        return decisions, seconds

    def _clocked(self, part: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def clocked(*arguments: Any, **keywords: Any) -> Any:
            begun = time.perf_counter()
            result = act(*arguments, **keywords)
            self._spent[part] += time.perf_counter() - begun
            return result

        return clocked


# --- without SB3 --------------------------------------------------------------------------------


class Bare:
    """PPO on one page: the same network, tables, batches and epochs, and nothing around them."""

    def __init__(self, env: TablesVecEnv, size: Size) -> None:
        """A fresh network of `MaskedPolicy`'s kind, of which only `judge` is used."""
        self.env, self.size = env, size
        spaces = env.observation_space, env.action_space
        self.network = MaskedPolicy(*spaces, lambda _: RATE, widths=WIDTHS)
        self.adam = torch.optim.Adam(self.network.parameters(), lr=RATE, eps=1e-5)
        self.seen, self.masks = map(torch.as_tensor, (env.reset(), env.action_masks()))

    def once(self) -> tuple[int, float]:
        """One rollout and one update; decisions and seconds."""
        begun = time.perf_counter()
        samples = self._rollout()
        for _ in range(EPOCHS):
            for batch in torch.split(torch.randperm(len(samples[0])), self.size.minibatch):
                self._update(*(part[batch] for part in samples))
        return len(samples[0]), time.perf_counter() - begun

    @torch.no_grad()
    def _rollout(self) -> list[Tensor]:
        """Observations, masks, actions, their log-probabilities, advantages, returns: `(n, …)`."""
        taken: list[list[Tensor]] = []
        for _ in range(self.size.rollout):
            seen, masks = self.seen.clone(), self.masks.clone()
            logits, values = self.network.judge(seen, masks)
            actions = (logits + gumbel_like(logits)).argmax(-1)
            told, rewards, over, _ = self.env.step(actions.numpy())
            self.seen, self.masks = map(torch.as_tensor, (told, self.env.action_masks()))
            log_probs = log_probability(logits, actions)
            ends = torch.tensor(rewards), torch.tensor(over)
            taken.append([seen, masks, actions, log_probs, values, *ends])
        last = self.network.judge(self.seen, self.masks)[1]
        *shown, worth, won, ended = (torch.stack(part) for part in zip(*taken, strict=True))
        gains = _advantages(worth, won, ended, last)
        return [part.flatten(0, 1) for part in (*shown, gains, gains + worth)]

    def _update(
        self,
        seen: Tensor,
        masks: Tensor,
        actions: Tensor,
        before: Tensor,
        gains: Tensor,
        returns: Tensor,
    ) -> None:
        """One gradient step."""
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        logits, values = self.network.judge(seen, masks)
        ratio = (log_probability(logits, actions) - before).exp()
        policy = -torch.min(gains * ratio, gains * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
        loss = policy + VALUE * torch.nn.functional.mse_loss(values, returns)
        self.adam.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), GRADIENT)
        self.adam.step()


def _advantages(values: Tensor, rewards: Tensor, over: Tensor, last: Tensor) -> Tensor:
    """GAE without discount, `(steps, learners)`; a game that is over is worth nothing more."""
    gains, gain = torch.empty_like(values), torch.zeros_like(last)
    later = last
    for step in range(len(values) - 1, -1, -1):
        goes_on = (~over[step]).float()
        surprise = rewards[step] + later * goes_on - values[step]
        gain = surprise + LAMBDA * goes_on * gain
        gains[step], later = gain, values[step]
    return gains


if __name__ == "__main__":
    game, repeats, *quick = sys.argv[1:]
    print(json.dumps(measure(game, int(repeats), QUICK if quick else Size())))
