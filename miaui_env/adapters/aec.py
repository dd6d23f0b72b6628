"""PettingZoo's AEC environment: seats act one by one, in seat order where all choose at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv

from miaui_env.adapters.agents import Agents, Observation
from miaui_env.adapters.table import ResetNeeded
from miaui_env.engine.tables import Step


class AEC(Agents, AECEnv[str, Observation, int]):
    """One game for PettingZoo. Order and range checks are built in, so no wrappers are needed.

    In a game of simultaneous choice each seat commits in turn; what it commits does not show to the
    others until the last one is in, and then all rewards fall due. See `Agents` for what it has in
    common with `Parallel`.
    """

    bookkeeping = (
        "agents",
        "agent_selection",
        "terminations",
        "truncations",
        "rewards",
        "_cumulative_rewards",
        "infos",
        "_skip_agent_selection",
    )

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the first game of `seed`, or the next one; `options` may stack the deck."""
        step = self.table.deal(seed, options)
        self.agents = self.possible_agents[:]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.rewards, self.infos = self._outcome(step)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None  # type: ignore[assignment]  # as PettingZoo leaves it
        self.agent_selection = self._first_to_act(step)

    def step(self, action: Any) -> None:
        """Commit the action of `agent_selection`; None for a seat whose game is over.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes.
            ResetNeeded: before the first game, and when all agents have left the last one.
        """
        agent = self.agent_selection
        if not self.agents:
            raise ResetNeeded("the game is over: call reset() for the next one")
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        step = self.table.play(self._seats[agent], action)
        self._cumulative_rewards[agent] = 0.0
        if self.table.is_quiet:
            self.rewards = self._no_rewards.copy()
            self.infos = {agent: {} for agent in self.possible_agents}
            self.agent_selection = self._first_to_act(step)
        else:
            self._settle(step)

    def _settle(self, step: Step) -> None:
        """What a step brings that was not quiet."""
        self.rewards, self.infos = self._outcome(step)
        self._accumulate_rewards()
        if self.table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._first_to_act(step)

    def observe(self, agent: str) -> Observation:
        """What the agent may know now; its mask is all 0 while it owes nothing."""
        if agent == self.agent_selection:  # its row is written, and read in a fourth of the time
            observation, mask = self.table.tables.written(self._seats[agent])
            return {"observation": observation, "action_mask": mask}
        return self.table.observation(self.seat_of(agent))

    def _first_to_act(self, step: Step) -> str:
        agent: str = self.possible_agents[step.to_act.tobytes().index(True)]
        return agent

    def seen_from(self) -> int:
        """`render` shows the table as `agent_selection` sees it."""
        self.table.require_deal()
        return self._seats[self.agent_selection]
