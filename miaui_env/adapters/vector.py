"""Gymnasium's vector environment: one learner at each of many tables, stepped by one call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from miaui_env.adapters.learners import End, Learners, Turn
from miaui_env.adapters.seating import Opponents
from miaui_env.adapters.table import ResetNeeded, box_of, shown, understood
from miaui_env.engine.choices import one_of, setup_of
from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup, names_its_arguments

MODES = ("ansi", "rgb_array")
"""A window for each of a thousand tables would be too many."""


class SeatVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many `SeatEnv`s at once; reset with seed s, environment i plays the games of one with s + i.

    By default the next game begins in the step that ends one: `AutoresetMode.SAME_STEP`. `infos`
    then have `final_obs` and `final_info`, as Gymnasium's SyncVectorEnv has them in that mode. With
    NEXT_STEP the end is shown first, and the next step deals anew and passes over the action; with
    DISABLED nothing begins before `reset(options={"reset_mask": …})`. In all modes the results of
    the games that ended stand in `infos` directly, under their masks `_points` and `_win_share`.

    Attributes:
        tables: the tables underneath.
        learners: who sits where, and the stepping.
    """

    single_action_space: gymnasium.spaces.Discrete
    metadata: dict[str, Any] = {
        "render_modes": list(MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    @names_its_arguments
    def __init__(
        self,
        game: str | Game | Setup,
        num_envs: int = 1,
        num_players: int | None = None,
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        reward: str | Mapping[str, float] = "win",
        illegal: str = "raise",
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Lay the tables; the arguments are those of `SeatEnv`, and `threads` of `Tables`.

        `autoreset_mode` is Gymnasium's, or its value as a string.
        """
        if render_mode is not None:
            one_of("render_mode", render_mode, MODES)
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.tables = Tables(
            setup_of(game, num_players, **options),
            num_envs,
            reward=reward,
            illegal=illegal,
            threads=threads,
            auto_reset=self.autoreset_mode == AutoresetMode.SAME_STEP,
        )
        self.learners = Learners(self.tables, opponents, seat=seat)
        self.num_envs, self.render_mode = self.tables.num_tables, render_mode
        self._standing = np.zeros(self.num_envs, np.bool_)
        self._shown: Turn | None = None
        self.single_observation_space = box_of(self.tables.setup)
        self.single_action_space = gymnasium.spaces.Discrete(self.tables.setup.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def setup(self) -> Setup:
        """Game, seats and options; `load_bot(name).fitted(setup)` plays here."""
        return self.tables.setup

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal at all tables: the first games of the seeds, or each table's next one.

        Args:
            seed: table i begins with seed + i; or one seed for each.
            options: a stacked deal, the same at all tables; or `reset_mask`, bool `(num_envs,)`, to
                deal at some tables only, without a seed.

        Returns:
            What each learner sees when it owes its first action, and their infos.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        given = dict(options or {})
        chosen = self._checked(given.pop("reset_mask", None))
        if chosen is None:
            self.tables.reset(self._seeds(seed), understood(self.tables.setup, given))
            self._standing = np.zeros(self.num_envs, np.bool_)
            turn = self.learners.begin()
        elif seed is not None or given or self._shown is None:
            raise ValueError("reset_mask deals next games only: with it, no seed, nothing else")
        else:
            turn = self._dealt(chosen, self._shown)
        self._shown = turn
        return turn.observations, self._infos(turn)

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play each learner's action, and the bots on until each owes the next one.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes.
            ResetNeeded: before the first reset.
        """
        standing = self._standing
        if standing.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise ResetNeeded(
                f"the games of {np.flatnonzero(standing).tolist()} are over: reset them with "
                'reset(options={"reset_mask": …})'
            )
        turn = self.learners.step(actions, standing)
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            self._standing = turn.done.copy()
        if standing.any():
            new = self._dealt(standing, turn)
            turn = turn._replace(observations=new.observations, action_masks=new.action_masks)
        self._shown = turn
        rewards = turn.rewards.astype(np.float64)
        never = np.zeros(self.num_envs, np.bool_)
        return turn.observations, rewards, turn.done, never, self._infos(turn)

    def action_masks(self) -> np.ndarray:
        """What each learner may do now: bool `(num_envs, actions)`."""
        if self._shown is None:
            raise ResetNeeded("call reset() before action_masks()")
        return self._shown.action_masks.astype(np.bool_)

    def view(self, index: int) -> dict[str, Any]:
        """What environment `index`'s learner may know, as a dict."""
        return self.tables.view(index, int(self.learners.seating.seats_of[index]))

    def render(self) -> tuple[Any, ...] | None:
        """Each table as its learner sees it: texts, or pixels with `render_mode="rgb_array"`."""
        if self.render_mode is None:
            return None
        views = (self.view(index) for index in range(self.num_envs))
        return tuple(shown(self.setup, view, self.render_mode) for view in views)

    # --- inside ----------------------------------------------------------------------------------

    def _dealt(self, chosen: np.ndarray, shown: Turn) -> Turn:
        """Deal the next games of the chosen; what else stands finished is shown as it was."""
        still = self._standing & ~chosen
        kept = shown.observations[still], shown.action_masks[still]
        self.tables.deal(chosen)
        turn = self.learners.begin(chosen)
        self._standing = still
        turn.observations[still], turn.action_masks[still] = kept
        return turn

    def _checked(self, mask: Any) -> np.ndarray | None:
        if mask is None:
            return None
        chosen = np.asarray(mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,) or not chosen.any():
            raise ValueError(
                f"reset_mask is bool ({self.num_envs},), one of them True, not {mask!r}"
            )
        return chosen.copy()

    def _seeds(self, seed: int | Sequence[int] | None) -> int | np.ndarray | None:
        if seed is None and not self.tables.is_reset:
            return int.from_bytes(os.urandom(8), "little")
        if seed is None or isinstance(seed, (int, np.integer)):
            return seed
        if len(seed) != self.num_envs:
            raise ValueError(f"seeds are {self.num_envs}, one an environment, not {len(seed)}")
        return np.array([int(one) & 0xFFFFFFFFFFFFFFFF for one in seed], np.uint64)

    def _infos(self, turn: Turn) -> dict[str, Any]:
        """What `SeatEnv` tells: one array a key, each with a mask of whom it is for."""
        told = {"action_mask": turn.action_masks, "seat": self.learners.seating.seats_of.copy()}
        if self.tables.illegal_policy == "replace":
            told["illegal"] = self.learners.of_learners(self.tables.illegal).astype(np.int64)
        infos: dict[str, Any] = _with_masks(told, np.ones(self.num_envs, np.bool_))
        if turn.ends:
            nested, results = self._final(turn.ends)
            same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
            infos.update({**nested, **results} if same_step else results)
        return infos

    def _final(self, ends: list[End]) -> tuple[dict[str, Any], dict[str, Any]]:
        """`final_obs` and `final_info` of the games that ended, and their results directly."""
        number, actions = self.num_envs, self.tables.setup.num_actions
        told: dict[str, np.ndarray] = {
            name: np.zeros(number, dtype) for name, dtype in _ENDS.items()
        }
        over, observations = np.zeros(number, np.bool_), np.full(number, None, object)
        for end in ends:
            over[end.learners] = True
            for learner, observation in zip(end.learners, end.observations, strict=True):
                observations[learner] = observation
            columns = (end.seats, end.points, end.win_shares, end.illegal, end.forfeits)
            for array, column in zip(told.values(), columns, strict=True):
                array[end.learners] = column
        told["action_mask"] = np.zeros((number, actions), np.int8)
        forfeits = {"forfeit": told.pop("forfeit")}
        if self.tables.illegal_policy != "replace":
            del told["illegal"]
        results = _with_masks({name: told.pop(name) for name in ("points", "win_share")}, over)
        if self.tables.illegal_policy == "forfeit" and (forfeits["forfeit"][over] >= 0).any():
            results.update(_with_masks(forfeits, over & (forfeits["forfeit"] >= 0)))
        final_info = {**_with_masks(told, over), **results}
        final = _with_masks({"final_obs": observations, "final_info": final_info}, over)
        return final, results


def _mode(chosen: AutoresetMode | str) -> AutoresetMode:
    """One of Gymnasium's modes, by itself or by its value."""
    try:
        return AutoresetMode(chosen)
    except ValueError:
        modes = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is one of {modes}, not {chosen!r}") from None


_ENDS = {"seat": int, "points": int, "win_share": float, "illegal": int, "forfeit": int}
"""What an `End` tells of each learner, in its order, as the types that `SeatEnv` has."""


def _with_masks(told: dict[str, Any], where: np.ndarray) -> dict[str, Any]:
    """Gymnasium's way: beside each array the mask of the environments that it is for."""
    return {**told, **{f"_{name}": where for name in told}}
