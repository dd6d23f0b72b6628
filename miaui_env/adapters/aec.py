"""PettingZoo's AEC environment: seats act one after the other, in seat order where all choose at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from miaui_env.adapters.table import RENDER_MODES, Table
from miaui_env.game import Game

Observation = dict[str, np.ndarray]


class AEC(AECEnv[str, Observation, int]):
    """One game for PettingZoo. Order and range checks are built in, so no wrappers are needed.

    In a game of simultaneous choice each seat commits in turn; nothing it commits shows to the others
    until the last one is in, and then all rewards fall due.

    Attributes:
        table: the table underneath; `view`, `get_state` and the like go through it.
        observation_fields: name → (slice, shape, meaning) of `observation`.
        config: the constructor's arguments.
    """

    def __init__(self, game: str | Game, num_players: int | None = None, **options: Any) -> None:
        """Lay the table; see `Table` for the options."""
        super().__init__()
        self.table = Table(game, num_players, **options)
        setup = self.table.setup
        self.render_mode = self.table.render_mode
        self.config, self.observation_fields = self.table.config, self.table.observation_fields
        self.metadata = {
            "name": f"{setup.game.name}_v{setup.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": setup.game.simultaneous,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(setup.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.table.masked_space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(setup.num_actions) for agent in self.possible_agents
        }
        self.state_space = self.table.survey_space()
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """A Dict of the flat `observation` and its `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """All actions, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the first game of `seed`, or the next one; `options` may stack the deck."""
        self.table.deal(seed, options)
        self.agents = self.possible_agents[:]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = {agent: self.table.info(self._seats[agent]) for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.table.deciders()[0]]

    def step(self, action: Any) -> None:
        """Commit the action of `agent_selection`; None for a seat whose game is over.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes then.
        """
        agent = self._selected()
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        step = self.table.commit({self._seats[agent]: action})
        self._cumulative_rewards[agent] = 0.0
        for other in self.agents:
            seat = self._seats[other]
            self.rewards[other] = float(step.rewards[0, seat])
            self._cumulative_rewards[other] += self.rewards[other]
            self.infos[other] = self.table.info(seat)
        if step.terminated[0]:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.table.deciders()[0]]

    def observe(self, agent: str) -> Observation:
        """What the agent may know now; its mask is all 0 while it owes nothing."""
        self._selected()
        return self.table.observation(self._seat(agent))

    def state(self) -> np.ndarray:
        """Everything, as the referee knows it; int8, for a central critic."""
        return self.table.tables.survey(0)

    def view(self, agent: str | None) -> dict[str, Any]:
        """What the agent may know, as a dict that `json.dumps` takes; None is the referee."""
        return self.table.tables.view(0, None if agent is None else self._seat(agent))

    def render(self) -> str | None:
        """The table as `agent_selection` sees it: text, or printed with `render_mode="human"`."""
        seat = self._seats[self.agent_selection] if self.agents else None
        return self.table.picture(seat)

    def close(self) -> None:
        """Nothing to release."""

    def get_state(self) -> bytes:
        """The whole environment at this point of a game; `set_state` takes it back."""
        self._selected()
        book = {name: getattr(self, name) for name in _BOOKKEEPING}
        return self.table.packed(book)

    def set_state(self, data: bytes) -> None:
        """Go to where `get_state` was asked, in an environment of the same game and options."""
        for name, value in self.table.unpacked(data).items():
            setattr(self, name, value)

    def _seat(self, agent: str) -> int:
        if agent not in self._seats:
            raise ValueError(f"no agent {agent!r}; there are {', '.join(self.possible_agents)}")
        return self._seats[agent]

    def _selected(self) -> str:
        if not self.table.tables.is_reset:
            raise RuntimeError("call reset() first")
        return self.agent_selection


_BOOKKEEPING = (
    "agents",
    "agent_selection",
    "terminations",
    "truncations",
    "rewards",
    "_cumulative_rewards",
    "infos",
    "_skip_agent_selection",
)
