"""What sits at a seat: asked in batches, told only what its seat may know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from miaui_env.game import Setup


class Bot(ABC):
    """A player of one game, or of any.

    Attributes:
        name: as people call it.
        perfect_recall: which view it wants; None plays on either. Who seats it serves it that.
        plays_either: it can be fitted to the other view too, where the one it wants is not served.
        deterministic: False for a bot that moves by more than what `act` is given, such as the
            machine's speed; results with it are not the same each time.
    """

    name: str = "bot"
    perfect_recall: bool | None = None
    plays_either: bool = False
    deterministic: bool = True

    def __init_subclass__(cls, **more: Any) -> None:
        """A kind of bot without a name goes by that of its class."""
        super().__init_subclass__(**more)
        if "name" not in vars(cls) and cls.name == Bot.name:
            cls.name = cls.__name__.lower()

    @abstractmethod
    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """Choose an action for each row; may be called from several threads at once.

        Args:
            observations: int8 `(batch, size)`, what a seat may know.
            action_masks: int8 `(batch, actions)`, at least one 1 a row.
            keys: uint64 `(batch,)`, the luck of each decision, see `miaui_env.keys`; a row's move
                is a function of its own observation, mask, key and memory alone.
            memory: what `begin` gave, for bots that remember; changed in place.

        Returns:
            int16 `(batch,)`, legal actions.
        """

    def begin(self, batch: int) -> Any:
        """Memory for `batch` games that start now; None for a bot without one.

        An array whose first axis is the batch, so that rows can be picked.
        """
        return None

    def recall_at(self, setup: Setup) -> bool | None:
        """Which view it wants at tables of `setup`; None plays on either."""
        return self.perfect_recall

    def probabilities(
        self, observations: np.ndarray, action_masks: np.ndarray
    ) -> np.ndarray | None:
        """How likely `act` chooses each action, over all keys.

        Returns:
            float64 `(batch, actions)`; None of a bot that cannot tell, or that remembers.
        """
        return None

    def fitted(self, setup: Setup) -> Bot:
        """This bot, ready for tables of `setup`.

        Raises:
            ValueError: where it cannot play there, saying why.
        """
        return self
