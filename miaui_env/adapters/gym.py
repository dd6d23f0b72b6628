"""Gymnasium's environment: one learner at one table, bots at the other seats."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from miaui_env.adapters.learner import Learner
from miaui_env.adapters.seating import Opponents
from miaui_env.adapters.table import RENDER_MODES, Table, box_of
from miaui_env.game import Game, Setup, names_its_arguments

if TYPE_CHECKING:
    from miaui_env.play.replay import Replay, SeatReplay


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One seat of a game for Gymnasium; the observation is that seat's, flat, int8.

    `info["action_mask"]` (int8) and `action_masks()` (bool, as sb3-contrib asks for it) say what is
    legal, `info["seat"]` where the learner sits; at the end `info` has `points` and `win_share`.
    Rewards add up until the learner's next decision.

    Attributes:
        table: the table underneath.
        learner: the stepping.
        observation_fields: name → (slice, shape, meaning) of the observation.
        config: the constructor's arguments; they survive every reset.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    @names_its_arguments
    def __init__(
        self,
        game: str | Game | Setup,
        num_players: int | None = None,
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        reward: str | Mapping[str, float] = "win",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Lay the table and seat the bots.

        Args:
            game: name of a game, the game, or a complete setup (then without seats and options).
            num_players: seats at the table.
            opponents: one bot for all other seats, its name or a `Bot`; or a list of one for each,
                clockwise after the learner.
            seat: where the learner sits; None for a random seat each episode, a function of the
                seed and the episode.
            reward: "win", "margin" or "points", or weights for a sum of them.
            illegal: what an illegal action does: "raise", "replace" or "forfeit", see `Tables`.
            render_mode: None, "ansi" (text), "rgb_array" (pixels) or "human" (a window).
            options: the game's own, and `perfect_recall`.
        """
        self.table = Table(
            game, num_players, reward=reward, illegal=illegal, render_mode=render_mode, **options
        )
        self.learner = Learner(self.table.tables, opponents, seat=seat)
        self.render_mode = render_mode
        self.observation_fields = self.table.observation_fields
        self.config = {**self.table.config, "opponents": opponents, "seat": seat}
        self.observation_space = box_of(self.table.setup)
        self.action_space = gymnasium.spaces.Discrete(self.table.setup.num_actions)

    @property
    def setup(self) -> Setup:
        """Game, seats and options; `load_bot(name).fitted(setup)` plays here."""
        return self.table.setup

    @property
    def seat(self) -> int:
        """Where the learner sits in this game."""
        return self.learner.seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal the first game of `seed`, or the next one; `options` may stack the deck.

        Returns:
            What the learner sees when it owes its first action, and its info.
        """
        super().reset(seed=seed)
        self.table.deal(seed, options)
        self.learner.begin()
        return self._shown()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and the bots on until it owes the next one.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes.
            ResetNeeded: before the first game, and after the last one ended.
        """
        table, learner = self.table, self.learner
        table.require_game()
        reward = learner.step(table.whole(learner.seat, action))
        observation, info = self._shown()
        return observation, reward, table.is_over, False, info

    def action_masks(self) -> np.ndarray:
        """What the learner may do now: bool `(actions,)`."""
        self.table.require_deal()
        return self.table.tables.written(self.learner.seat)[1].astype(np.bool_)

    def view(self) -> dict[str, Any]:
        """What the learner may know, as a dict that `json.dumps` takes."""
        self.table.require_deal()
        return self.table.tables.view(0, self.seat)

    def render(self) -> Any:
        """The table as the learner sees it, in the way of `render_mode`."""
        return self.table.picture(self.seat if self.table.tables.is_reset else None)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return self.table.svg(self.seat) if self.table.tables.is_reset else None

    def replay(self, seat: int | None = None) -> Replay | SeatReplay:
        """The game so far as a seat saw it; None for the whole game, with its seed, at the end.

        Raises:
            ValueError: for the whole game while it goes on.
        """
        return self.table.replay(seat)

    def save_replay(self, file: str | os.PathLike[str], seat: int | None = None) -> None:
        """Write `replay(seat)` to a file, which `miaui replay` shows."""
        self.replay(seat).save(file)

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.window.close()

    def get_state(self) -> bytes:
        """The whole environment at this point of a game; `set_state` takes it back.

        Raises:
            ValueError: with a bot that remembers; `copy.deepcopy` copies its memory, too.
        """
        if self.learner.seating.remembers:
            raise ValueError("a bot that remembers cannot be put into bytes; take copy.deepcopy")
        book = {"seat": self.seat, "carried": float(self.learner.carried)}
        return self.table.packed("single-seat", book)

    def set_state(self, data: bytes) -> None:
        """Go to where `get_state` was asked, in an environment made with the same arguments."""
        book = self.table.unpacked("single-seat", data)
        self.learner.resume(book["seat"], book["carried"])

    def _shown(self) -> tuple[np.ndarray, dict[str, Any]]:
        """What the learner sees now, and its info."""
        seat, table = self.learner.seat, self.table
        observation, mask = table.tables.written(seat)
        info: dict[str, Any] = {"action_mask": mask, "seat": seat}
        if not table.is_quiet:
            info.update(table.info(seat))
        return observation, info
