"""One table with a seat's manners: what the AEC, parallel and Gymnasium environments share."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from miaui_env.engine.tables import Step, Tables, one_of
from miaui_env.game import Game

RENDER_MODES = ("ansi", "human")
INFO_KEYS = frozenset({"points", "win_share", "illegal", "forfeit", "action_mask", "seat"})
"""All that an info may hold; anything else would be a leak waiting to happen."""


class Table:
    """A `Tables` of one that does not deal anew by itself, with named seats' outputs.

    Attributes:
        tables: the batch of one underneath.
        setup: game, seats and options.
        config: all constructor arguments, as given; they survive every reset.
        observation_fields: name → (slice, shape, meaning) of the flat observation.
        num_players: seats at the table.
    """

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        reward: str = "win",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Lay the table; the arguments are those of `Tables`, and `render_mode` "ansi" or "human"."""
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.tables = Tables(
            game, 1, num_players, reward=reward, illegal=illegal, auto_reset=False, **options
        )
        self.setup = self.tables.setup
        self.num_players = self.setup.num_players
        self.config = {
            **self.setup.description,
            "reward": reward,
            "illegal": illegal,
            "render_mode": render_mode,
        }
        self.observation_fields = self.setup.layout.describe()
        self._commitment = np.full((1, self.num_players), -1, np.int16)
        self._seeded = False

    # --- playing ------------------------------------------------------------------------------------

    def deal(self, seed: int | None, options: Mapping[str, Any] | None) -> Step:
        """The first game for `seed`, or the next one after the last; `options` may stack the deck."""
        if seed is None and not self._seeded:
            seed = int.from_bytes(os.urandom(8), "little")
        self._seeded = True
        return self.tables.reset(seed, self._understood(options))

    def commit(self, actions: Mapping[int, Any]) -> Step:
        """Play the actions of some seats, those of others later; see `Tables.step` for what raises."""
        self._commitment[:] = -1
        for seat, action in actions.items():
            self._commitment[0, seat] = self._whole(seat, action)
        return self.tables.step(self._commitment)

    def deciders(self) -> list[int]:
        """Seats that owe an action now."""
        return [int(seat) for seat in np.flatnonzero(self.tables.to_act[0])]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.tables.states["over"][0])

    def observation(self, seat: int) -> dict[str, np.ndarray]:
        """`{"observation": int8 (size,), "action_mask": int8 (actions,)}`, copies, of a seat now."""
        observation, mask = self.tables.observe(0, seat)
        return {"observation": observation, "action_mask": mask}

    def info(self, seat: int) -> dict[str, Any]:
        """What a seat is told beside its observation: the result at the end, illegal actions so far."""
        told: dict[str, Any] = {}
        if self.is_over:
            told["points"] = int(self.tables.final_points[0, seat])
            told["win_share"] = float(self.tables.win_shares[0, seat])
        if self.tables.illegal_policy == "replace":
            told["illegal"] = int(self.tables.illegal[0, seat])
        if self.tables.forfeiters[0] >= 0:
            told["forfeit"] = int(self.tables.forfeiters[0])
        return told

    # --- spaces -------------------------------------------------------------------------------------

    def box(self) -> gymnasium.spaces.Box:
        """Space of the flat observation: int8 `(size,)` with each field's own bounds."""
        layout = self.setup.layout
        return gymnasium.spaces.Box(layout.low, layout.high, (layout.size,), np.int8)

    def masked_space(self) -> gymnasium.spaces.Dict:
        """PettingZoo's convention: the observation and its action mask in one dict."""
        mask = gymnasium.spaces.Box(0, 1, (self.setup.num_actions,), np.int8)
        return gymnasium.spaces.Dict({"observation": self.box(), "action_mask": mask})

    def survey_space(self) -> gymnasium.spaces.Box:
        """Space of the referee's vector."""
        layout = self.setup.survey_layout
        return gymnasium.spaces.Box(layout.low, layout.high, (layout.size,), np.int8)

    # --- pictures -----------------------------------------------------------------------------------

    def picture(self, seat: int | None) -> str | None:
        """What `render` gives of a seat's view: text for "ansi"; "human" prints it."""
        if self.render_mode is None:
            warnings.warn("render() needs render_mode='ansi' or 'human' at construction", stacklevel=3)
            return None
        text = self.setup.game.words(self.tables.view(0, seat))
        if self.render_mode == "human":
            print(text)
            return None
        return text

    # --- copies -------------------------------------------------------------------------------------

    def packed(self, bookkeeping: Mapping[str, Any]) -> bytes:
        """The table's state and an adapter's bookkeeping (JSON-able) as bytes."""
        head = json.dumps({"seeded": self._seeded, **bookkeeping}).encode()
        return len(head).to_bytes(4, "little") + head + self.tables.get_state()

    def unpacked(self, data: bytes) -> dict[str, Any]:
        """Put the table's state back and return the bookkeeping; ValueError for bytes of another table."""
        end = 4 + int.from_bytes(data[:4], "little")
        try:
            bookkeeping: dict[str, Any] = json.loads(data[4:end])
        except ValueError:
            raise ValueError("this is no state of such an environment") from None
        self.tables.set_state(data[end:])
        self._seeded = bookkeeping.pop("seeded")
        return bookkeeping

    # --- inside -------------------------------------------------------------------------------------

    def _understood(self, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """The reset options that the game knows; a warning for others."""
        known = self.setup.game.stack_options
        unknown = sorted(map(str, set(options or {}) - known))
        if unknown:
            warnings.warn(
                f"reset(options=…) ignores {', '.join(unknown)}; "
                f"{self.setup.game.title} understands {', '.join(sorted(known))}",
                stacklevel=4,
            )
        return {name: value for name, value in (options or {}).items() if name in known}

    def _whole(self, seat: int, action: Any) -> int:
        """An action as a number that fits the buffer; what is none is an error in any policy."""
        number = action.item() if isinstance(action, (np.ndarray, np.generic)) and np.size(action) == 1 else action
        if isinstance(number, bool) or not isinstance(number, int):
            raise ValueError(
                f"the action of seat {seat} is a whole number from 0 to "
                f"{self.setup.num_actions - 1}, not {action!r}"
            )
        return number if 0 <= number < self.setup.num_actions else -2


