"""Memory for whoever sees only the table: its views, folded into the perfect-recall view."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from miaui_env.engine.choices import setup_of
from miaui_env.engine.loops import engine_of
from miaui_env.game import Game, Setup, View


class Recall:
    """What one seat knows that forgets nothing, put together from the views that a table shows it.

    A front end of the table thus feeds a bot that remembers. Show it the seat's view at each of its
    decisions and at the end of the game; views in between may be shown too, or left out.

        recall = Recall("miaui", num_players=4)
        whole = recall.see(view)  # the perfect-recall view now
        bot.act(recall.observation[None], recall.action_mask[None], keys)

    Attributes:
        setup: the table, in the mode in which it is seen.
        view: the perfect-recall view at the last look, None before the first.
    """

    def __init__(
        self, game: str | Game | Setup, num_players: int | None = None, **options: Any
    ) -> None:
        """Know nothing yet; the arguments are those of `Tables`, in either recall mode."""
        self.setup = setup_of(game, num_players, **options).with_recall(False)
        self.view: View | None = None
        self._decided: View | None = None  # at the last decision: looks in between leave no trace

    def see(self, view: View) -> View:
        """Look at the table; returns the perfect-recall view now, a copy.

        The first view says which seat this is.

        Raises:
            ValueError: for a view of another game, setup or seat, or one that comes after a
                decision that was not seen; nothing changes then.
        """
        if self.view is not None and view.get("seat") != self.view["seat"]:
            seats = f"this view is that of seat {view.get('seat')!r}, not of {self.view['seat']}"
            raise ValueError(f"{seats}; forget() to sit down elsewhere")
        seen = self.setup.remember(self._decided, copy.deepcopy(view))
        self.view = copy.deepcopy(seen)
        if view["seat"] in view["to_act"]:
            self._decided = self.view
        return seen

    def forget(self) -> None:
        """Begin anew, for the next game."""
        self.view = self._decided = None

    @property
    def observation(self) -> np.ndarray:
        """The perfect-recall observation at the last look: int8 `(size,)`."""
        return self._look()[0]

    @property
    def action_mask(self) -> np.ndarray:
        """What the seat could play at the last look: int8 `(actions,)`."""
        return self._look()[1]

    def _look(self) -> tuple[np.ndarray, np.ndarray]:
        """Any state with that view gives the seat the same observation and mask."""
        if self.view is None:
            raise ValueError("nothing has been seen yet: call see() first")
        whole = self.setup.with_recall(True)
        observation = np.empty(whole.layout.size, np.int8)
        mask = np.empty(whole.num_actions, np.int8)
        states = whole.from_view(self.view)
        engine_of(whole.game).look(states, 0, self.view["seat"], observation, mask)
        return observation, mask
