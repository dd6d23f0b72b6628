"""Accounts: masks, rewards, ends and bounds are what they are declared to be."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.adapters.aec import AEC
from miaui_env.engine.compile import specialise
from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup
from miaui_env.testing.play import LawBroken, deciders, decisions, where

if TYPE_CHECKING:
    allows: Any

TOLERANCE = 1e-5


def law_a_mask_is_what_play_accepts(setup: Setup, seed: int) -> None:
    """Some action is legal for a seat that owes one, none for others; just those are accepted.

    If the game can be asked of one action, it says what the mask says, of any number.
    """
    rng = np.random.default_rng(seed)
    for tables in decisions(setup, seed=seed):
        for seat in range(setup.num_players):
            mask = tables.observe(0, seat)[1]
            owes = seat in deciders(tables)
            if mask.dtype != np.int8 or not np.isin(mask, (0, 1)).all():
                raise LawBroken(setup, where(tables), f"the mask of seat {seat} is {mask}")
            if bool(mask.any()) != owes:
                kind = "owes an action and has no legal one" if owes else "waits and has a mask"
                raise LawBroken(setup, where(tables), f"seat {seat} {kind}")
            refuse_another_answer(tables, seat, mask)
            action = int(rng.integers(setup.num_actions))
            if accepts(tables, seat, action) != bool(mask[action]):
                problem = f"seat {seat}: the mask says {mask[action]} of action {action}, play not"
                raise LawBroken(setup, where(tables), problem)


def refuse_another_answer(tables: Tables, seat: int, mask: np.ndarray) -> None:
    """Raise LawBroken where `allows` and the mask differ; beyond its ends nothing is legal."""
    ask = asking(tables.setup.game)
    if ask is None:
        return
    n = len(mask)
    numbers = np.array([*range(n), -1, -5, -n, n, n + 7, 2 * n, 1 << 40, -(1 << 40)])
    told = np.zeros(len(numbers), np.int8)
    ask(tables.states, seat, numbers, told)
    wanted = np.concatenate([mask, np.zeros(len(numbers) - n, np.int8)])
    for number in numbers[told != wanted][:1]:
        problem = f"seat {seat}: the mask and `allows` differ on action {number}"
        raise LawBroken(tables.setup, where(tables), problem)


@functools.cache
def asking(game: Game) -> Callable[..., Any] | None:
    """A loop that asks a game of many actions, one by one; None for a game that only has masks."""
    return None if game.allows is None else specialise(_ask, game.name, allows=game.allows)


def _ask(states: Any, seat: int, numbers: Any, told: Any) -> None:
    """What `allows` says of each number at the first table."""
    for i in range(len(numbers)):
        told[i] = allows(states[0], seat, numbers[i])


def accepts(tables: Tables, seat: int, action: int) -> bool:
    """Whether a copy of the table takes the action; a refusal must change nothing."""
    other = Tables(tables.setup, 1, auto_reset=False)
    other.set_state(tables.get_state())
    actions = np.full((1, tables.setup.num_players), -1)
    actions[0, seat] = action
    try:
        other.step(actions)
    except ValueError:
        if other.get_state() != tables.get_state():
            problem = f"a refused action of seat {seat} changes the table"
            raise LawBroken(tables.setup, where(tables), problem) from None
        return False
    return True


def law_a_game_ends_as_declared(setup: Setup, seed: int) -> None:
    """No seat decides more often than `longest`; all choose at once if and only if declared."""
    owed = np.zeros(setup.num_players, np.int64)
    tables = Tables(setup, 1, seed=seed, auto_reset=False)
    tables.reset()
    while not tables.states["over"][0]:
        owing = deciders(tables)
        if not owing:
            raise LawBroken(setup, where(tables), "the game goes on and nobody owes an action")
        if setup.game.simultaneous and len(owing) != setup.num_players:
            raise LawBroken(setup, where(tables), "not all choose at once")
        owed[owing] += 1
        if owed.max() > setup.longest:
            problem = f"a seat decides more than {setup.longest} times"
            raise LawBroken(setup, where(tables), problem)
        tables.step(tables.random_actions())
    if deciders(tables):
        raise LawBroken(setup, where(tables), "the game is over and a seat owes an action")


def law_rewards_are_the_formula(setup: Setup, seed: int) -> None:
    """Sums of `last()` over an episode are the formulas of the final points; they sum to zero."""
    n = setup.num_players
    for reward in ("win", "margin", "points"):
        env = AEC(setup, reward=reward)
        env.reset(seed=seed)
        got = dict.fromkeys(env.possible_agents, 0.0)
        final = {}
        for agent in env.agent_iter():
            observation, paid, over, _, info = env.last()
            got[agent] += paid
            if over:
                final[agent] = info
            assert observation is not None
            env.step(None if over else int(observation["action_mask"].nonzero()[0][seed % 2 - 1]))
        points = np.array([final[agent]["points"] for agent in env.possible_agents])
        shares = (points == points.max()) / (points == points.max()).sum()
        expected = {
            "win": (n * shares - 1) / (n - 1),
            "margin": points - (points.sum() - points) / (n - 1),
            "points": points,
        }[reward]
        sums = np.array(list(got.values()))
        if np.abs(sums - expected).max() > TOLERANCE * (1 + np.abs(expected).max()):
            problem = f"rewards by {reward!r} add up to {sums}, not {expected}"
            raise LawBroken(setup, f"seed {seed}", problem)
        told = np.array([final[agent]["win_share"] for agent in env.possible_agents])
        if np.abs(told - shares).max() > TOLERANCE:
            raise LawBroken(setup, f"seed {seed}", f"win shares are {told}, not {shares}")


def law_dicts_name_those_alive(setup: Setup, seed: int) -> None:
    """Rewards, ends and infos name just the agents that were alive before the step."""
    env = AEC(setup)
    env.reset(seed=seed)
    while env.agents:
        agent, alive = env.agent_selection, list(env.agents)
        over = env.terminations[agent]
        if not over:
            mask = env.observe(agent)["action_mask"]
            env.step(int(mask.argmax()))
            alive_now = alive
        else:
            env.step(None)
            alive_now = [other for other in alive if other != agent]
        for told in (env.rewards, env.terminations, env.truncations, env.infos):
            if list(told) != alive_now:
                problem = f"a dict names {list(told)}, not {alive_now}"
                raise LawBroken(setup, f"seed {seed}", problem)


def law_bounds_hold(setup: Setup, seed: int) -> None:
    """Observations and surveys keep within the declared bounds, and fill their layouts."""
    for tables in decisions(setup, tables=20, seed=seed):
        for i in range(tables.num_tables):
            seen = [("survey", setup.survey_layout, tables.survey(i))]
            for seat in range(setup.num_players):
                observation = tables.observe(i, seat)[0]
                seen.append((f"observation of seat {seat}", setup.layout, observation))
            for name, layout, vector in seen:
                beyond = (vector < layout.low) | (vector > layout.high)
                if beyond.any():
                    at = int(beyond.argmax())
                    field = next(f for f in layout if layout[f].start <= at < layout[f].stop)
                    problem = f"{name}: {field!r} holds {vector[at]}, beyond its bounds"
                    raise LawBroken(setup, where(tables, i), problem)


def law_nothing_gets_lost(setup: Setup, seed: int) -> None:
    """What the game counts as its pieces is the same all along: nothing is lost or doubled."""
    count = setup.game.inventory
    laid = None
    for tables in decisions(setup, seed=seed):
        found = count(tables.states[0])
        if laid is None:
            laid = found
        if found != laid:
            wrong = [name for name in {*found, *laid} if found.get(name) != laid.get(name)]
            raise LawBroken(setup, where(tables), f"pieces are not conserved: {sorted(wrong)}")


ACCOUNTS: dict[str, Callable[[Setup, int], None]] = {
    "a mask is what play accepts": law_a_mask_is_what_play_accepts,
    "a game ends as declared": law_a_game_ends_as_declared,
    "rewards are the formula": law_rewards_are_the_formula,
    "dicts name those alive": law_dicts_name_those_alive,
    "bounds hold": law_bounds_hold,
    "nothing gets lost": law_nothing_gets_lost,
}
