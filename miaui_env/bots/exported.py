"""Bots from a folder: networks that onnxruntime plays, without torch. See `card.py`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from miaui_env.bots.card import POLICY, WEIGHTS, Card
from miaui_env.bots.protocol import Bot
from miaui_env.engine.rng import mixed
from miaui_env.game import Setup

# Its default is to keep a device number and to queue reports; playing cards needs neither.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
import onnxruntime  # after that

SAMPLE = 1 << 35
"""Purpose of the luck in a sampled move; see `rng.draw`."""


class ExportedBot(Bot):
    """A bot that `training.export` wrote.

    Attributes:
        name: from its card.
        perfect_recall: which view it wants, from its card.
        card: everything else on it.
        setup: the table that it was made for.
        folder: where it lies.
    """

    def __init__(self, folder: str | Path, *, threads: int = 1) -> None:
        """Read, check and open the folder. More threads pay for large batches only.

        Raises:
            ValueError: for a file that is missing or altered, or a game that has moved on.
        """
        self.folder, self._threads = Path(folder), threads
        self.card = Card.read(self.folder)
        self.name, self.perfect_recall = self.card.name, self.card.perfect_recall
        self.card.file(self.folder, WEIGHTS)
        network = self.card.file(self.folder, POLICY)
        self.setup = self.card.setup()
        self._temperature = temperature_of(self.card)
        self._session = self._opened(network, threads)

    def judge(
        self, observations: np.ndarray, action_masks: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Masked logits, float32 `(batch, actions)`, and values, float32 `(batch,)`."""
        self._refuse_other_shapes(observations, action_masks)
        logits, values = self._session.run(
            ["logits", "value"],
            {
                "observation": np.ascontiguousarray(observations, np.int8),
                "action_mask": np.ascontiguousarray(action_masks, np.int8),
            },
        )
        return logits, values

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """One action a row, see `Bot.act`."""
        logits, _ = self.judge(observations, action_masks)
        return chosen(logits, action_masks, keys, self._temperature)

    def probabilities(
        self, observations: np.ndarray, action_masks: np.ndarray
    ) -> np.ndarray | None:
        """What the network says, at the temperature that the bot plays at."""
        logits, _ = self.judge(observations, action_masks)
        steps = likelihoods(logits, action_masks, self._temperature)
        return np.asarray(steps / steps.sum(1, keepdims=True))

    def fitted(self, setup: Setup) -> Bot:
        """This bot, if that is the table it was made for."""
        ours, theirs = self.setup.description, setup.description
        if setup.game is not self.setup.game:
            titles = self.setup.game.title, setup.game.title
            raise ValueError(f"bot {self.name!r} plays {titles[0]}, not {titles[1]}")
        wrong = [name for name in ours if ours[name] != theirs[name]]
        if wrong:
            made = ", ".join(f"{name}={ours[name]!r}" for name in wrong)
            here = ", ".join(f"{name}={theirs[name]!r}" for name in wrong)
            raise ValueError(f"bot {self.name!r} was made for {made}; this table has {here}")
        return self

    def _opened(self, network: bytes, threads: int) -> Any:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(
                network, options, providers=["CPUExecutionProvider"]
            )
        except Exception as problem:  # onnxruntime has a dozen kinds, with no common ancestor
            raise ValueError(
                f"{POLICY} of {str(self.folder)!r} is no network that onnxruntime reads: {problem}"
            ) from None
        ends = session.get_inputs(), session.get_outputs()
        names = [[node.name for node in nodes] for nodes in ends]
        if names != [["observation", "action_mask"], ["logits", "value"]]:
            raise ValueError(
                f"{POLICY} of {str(self.folder)!r} maps {names[0]} to {names[1]}, "
                "not observation and action_mask to logits and value"
            )
        return session

    def _refuse_other_shapes(self, observations: np.ndarray, action_masks: np.ndarray) -> None:
        given = observations.shape[1:], action_masks.shape[1:]
        wanted = (self.setup.layout.size,), (self.setup.num_actions,)
        if given != wanted:
            raise ValueError(
                f"bot {self.name!r} reads rows of {wanted[0][0]} observation entries and "
                f"{wanted[1][0]} actions ({self.setup.game.title}, {self.setup.description}), "
                f"not of shapes {given[0]} and {given[1]}"
            )

    def __deepcopy__(self, memo: Any) -> ExportedBot:
        """A bot holds nothing that changes: environments that are copied share it."""
        return self

    def __reduce__(self) -> Any:
        """A worker process opens the folder itself."""
        return _reopened, (str(self.folder.resolve()), self._threads)


def _reopened(folder: str, threads: int) -> ExportedBot:
    return ExportedBot(folder, threads=threads)


def temperature_of(card: Card) -> float:
    """How it plays: the temperature of its sampling; 0 for the move it likes best."""
    how = card.plays.get("how")
    temperature = {"argmax": 0.0, "sample": card.plays.get("temperature", 1.0)}.get(str(how))
    if not isinstance(temperature, (int, float)) or temperature < 0:
        raise ValueError(f"bot {card.name!r} plays by 'sample' or 'argmax', not {card.plays!r}")
    return float(temperature)


def chosen(
    logits: np.ndarray, action_masks: np.ndarray, keys: np.ndarray, temperature: float
) -> np.ndarray:
    """The move of each row: sampled with its key alone, or the best one at temperature 0; int16."""
    legal = np.asarray(action_masks, np.bool_)
    steps = likelihoods(logits, action_masks, temperature).cumsum(1)
    reached = steps > uniform(keys)[:, None] * steps[:, -1:]
    last = legal.shape[1] - 1 - legal[:, ::-1].argmax(1)  # where rounding left nothing reached
    moves: np.ndarray = np.where(reached.any(1), reached.argmax(1), last).astype(np.int16)
    return moves


def likelihoods(logits: np.ndarray, action_masks: np.ndarray, temperature: float) -> np.ndarray:
    """How likely each action is, 1 for the best one; at temperature 0 the others have 0."""
    scores = np.where(np.asarray(action_masks, np.bool_), logits, -np.inf).astype(np.float64)
    if temperature == 0:
        return np.asarray(np.eye(scores.shape[1])[scores.argmax(1)])
    likely: np.ndarray = np.exp((scores - scores.max(1, keepdims=True)) / temperature)
    return likely


def uniform(keys: np.ndarray) -> np.ndarray:
    """A number in [0, 1) from each key, and from nothing else; float64."""
    return np.asarray((mixed(keys, SAMPLE) >> np.uint64(11)) * 2.0**-53)
