"""What PettingZoo's two kinds of environment share: named agents at a table, spaces and views."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from miaui_env.adapters.table import RENDER_MODES, ResetNeeded, Table, box_of, survey_box_of
from miaui_env.engine.tables import Step
from miaui_env.game import Game, Setup

if TYPE_CHECKING:
    from miaui_env.play.replay import Replay, SeatReplay

Observation = dict[str, np.ndarray]


class Agents:
    """Agents `player_0` … at one table. The base of `AEC` and `Parallel`.

    Attributes:
        table: the table underneath.
        possible_agents: `player_0`, `player_1`, …, by seat.
        observation_fields: name → (slice, shape, meaning) of `observation`.
        config: the constructor's arguments; they survive every reset.
        state_space: of `state()`.
        render_mode: None, "ansi" (text), "rgb_array" (pixels) or "human" (a window).
    """

    bookkeeping: tuple[str, ...] = ("agents",)
    """Attributes that `reset` makes and `get_state` keeps; all of them JSON-able."""
    interface = "turn-by-turn"
    """What kind of environment a state says that it is of."""

    def __init__(
        self, game: str | Game | Setup, num_players: int | None = None, **options: Any
    ) -> None:
        """Lay the table; see `Table` for the options."""
        super().__init__()
        self.table = Table(game, num_players, **options)
        setup = self.table.setup
        self.render_mode, self.config = self.table.render_mode, self.table.config
        self.observation_fields = self.table.observation_fields
        self.metadata = {
            "name": f"{setup.game.name}_v{setup.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": setup.game.simultaneous,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(setup.num_players)]
        self._no_rewards = dict.fromkeys(self.possible_agents, 0.0)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        mask = gymnasium.spaces.Box(0, 1, (setup.num_actions,), np.int8)
        self.observation_spaces: dict[str, Any] = {
            agent: gymnasium.spaces.Dict({"observation": box_of(setup), "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Any] = {
            agent: gymnasium.spaces.Discrete(setup.num_actions) for agent in self.possible_agents
        }
        self.state_space = survey_box_of(setup)

    def __getattr__(self, name: str) -> Any:
        """What `reset` has not made yet."""
        if name in type(self).bookkeeping:
            raise ResetNeeded(f"{name} is known once a game has begun: call reset() first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    @property
    def setup(self) -> Setup:
        """Game, seats and options; `load_bot(name).fitted(setup)` plays here."""
        return self.table.setup

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """A Dict of the flat `observation` and its `action_mask`; always the same object."""
        space: gymnasium.spaces.Space[Any] = self.observation_spaces[agent]
        return space

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """All actions, legal or not; always the same object."""
        space: gymnasium.spaces.Space[Any] = self.action_spaces[agent]
        return space

    def state(self) -> np.ndarray:
        """Everything, as the referee knows it; int8, for a central critic."""
        self.table.require_deal()
        return self.table.tables.survey(0)

    def view(self, agent: str | None) -> dict[str, Any]:
        """What the agent may know, as a dict that `json.dumps` takes; None is the referee."""
        self.table.require_deal()
        return self.table.tables.view(0, None if agent is None else self.seat_of(agent))

    def seen_from(self) -> int | None:
        """Whose view `render` shows; None is the referee's."""
        return None

    def render(self) -> str | np.ndarray | None:
        """The table in the way of `render_mode`."""
        return self.table.picture(self.seen_from())

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return self.table.svg(self.seen_from()) if self.table.tables.is_reset else None

    def replay(self, agent: str | None = None) -> Replay | SeatReplay:
        """The game so far as the agent saw it; None for the whole game, with its seed, at the end.

        Raises:
            ValueError: for the whole game while it goes on.
        """
        return self.table.replay(None if agent is None else self.seat_of(agent))

    def save_replay(self, file: str | os.PathLike[str], agent: str | None = None) -> None:
        """Write `replay(agent)` to a file, which `miaui replay` shows."""
        self.replay(agent).save(file)

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.window.close()

    def get_state(self) -> bytes:
        """The whole environment at this point of a game; `set_state` takes it back."""
        self.table.require_deal()
        book = {name: getattr(self, name) for name in self.bookkeeping}
        return self.table.packed(self.interface, book)

    def set_state(self, data: bytes) -> None:
        """Go to where `get_state` was asked, in an environment of the same game and options."""
        for name, value in self.table.unpacked(self.interface, data).items():
            setattr(self, name, value)

    def _outcome(self, step: Step) -> tuple[dict[str, float], dict[str, dict[str, Any]]]:
        """Each agent's reward and info."""
        agents, table = self.possible_agents, self.table
        if table.is_quiet:  # as it mostly is, and known in a tenth of the time
            return self._no_rewards.copy(), {agent: {} for agent in agents}
        rewards = dict(zip(agents, step.rewards[0].tolist(), strict=True))
        return rewards, {agent: table.info(seat) for agent, seat in self._seats.items()}

    def seat_of(self, agent: str) -> int:
        """Where the agent sits; ValueError for none of them."""
        if agent not in self._seats:
            raise ValueError(f"no agent {agent!r}; there are {', '.join(self.possible_agents)}")
        return self._seats[agent]
