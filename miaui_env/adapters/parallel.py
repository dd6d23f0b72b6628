"""PettingZoo's parallel environment, for games where all seats choose at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pettingzoo import ParallelEnv

from miaui_env.adapters.agents import Agents, Observation
from miaui_env.game import Game, Setup

Infos = dict[str, dict[str, Any]]


class Parallel(Agents, ParallelEnv[str, Observation, int]):
    """One game for PettingZoo, a step a round. See `Agents` for what it shares with `AEC`."""

    interface = "parallel"

    def __init__(
        self, game: str | Game | Setup, num_players: int | None = None, **options: Any
    ) -> None:
        """Lay the table; see `Table` for the options.

        Raises:
            ValueError: for a game that is played in turns.
        """
        super().__init__(game, num_players, **options)
        if not self.table.setup.game.simultaneous:
            raise ValueError(
                f"{self.table.setup.game.title} is played in turns: take its AEC environment, and "
                "PettingZoo's turn_based_aec_to_parallel where it must be parallel"
            )

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Deal the first game of `seed`, or the next one; `options` may stack the deck.

        Returns:
            For each agent its observation and info.
        """
        step = self.table.deal(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), self._outcome(step)[1]

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play one action of each agent.

        Returns:
            Observations, rewards, terminations, truncations and infos of all who were alive before.

        Raises:
            ValueError: for missing or surplus agents, or an illegal action, unless `illegal` says
                otherwise; nothing changes then.
            ResetNeeded: before the first game, and after the last one ended.
        """
        self.table.require_game()
        self._refuse_others(actions)
        step = self.table.commit({self._seats[agent]: actions[agent] for agent in self.agents})
        alive, over = self.agents, self.table.is_over
        if over:
            self.agents = []
        rewards, infos = self._outcome(step)
        no = dict.fromkeys(alive, False)
        return self._observations(), rewards, dict.fromkeys(alive, over), no, infos

    def seen_from(self) -> None:
        """`render` shows the table as the referee sees it."""

    def _observations(self) -> dict[str, Observation]:
        """Everyone's: in such a game each step writes all."""
        return {agent: self.table.written(seat) for agent, seat in self._seats.items()}

    def _refuse_others(self, actions: Iterable[str]) -> None:
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise ValueError(f"no action for {', '.join(missing)}: all agents choose at once")
        surplus = [str(agent) for agent in actions if agent not in self._seats]
        if surplus:
            raise ValueError(
                f"actions for {', '.join(surplus)}, but the agents are {', '.join(self.agents)}"
            )
