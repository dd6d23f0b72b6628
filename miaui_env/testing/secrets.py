"""Secrets: nothing reaches a seat but its view, and all of that does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from miaui_env.adapters.aec import AEC
from miaui_env.adapters.table import INFO_KEYS
from miaui_env.engine.loops import engine_of
from miaui_env.engine.rng import keys
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup
from miaui_env.testing.play import LawBroken, deciders, decisions, where

DIRTY = 99
MANY = 24
"""Tables at which observations and masks alone are compared."""


class Channels:
    """Everything by which a state can reach a seat, as bytes by name."""

    def __init__(self, setup: Setup) -> None:
        """Lay a table to put states on."""
        self.setup = setup
        self.env = AEC(setup, render_mode="ansi")
        self.env.reset(seed=0)

    def of(self, states: np.ndarray, seat: int, *, drawn: bool = False) -> dict[str, bytes]:
        """What `states[0]` gives the seat; raises LawBroken if `observe` leaves its room."""
        tables = self.env.table.tables
        tables.states[:] = states[:1]
        view = self.setup.view(states[0], seat)
        observation, mask = self._seen(states, seat)
        shown = {
            "observation": observation.tobytes(),
            "action mask": mask.tobytes(),
            "view": json.dumps(view).encode(),
            "text": self.setup.game.words(view).encode(),
            "info": repr(self.env.table.info(seat) if not self.env.table.is_over else {}).encode(),
            "refusal": self._refusal(seat).encode(),
        }
        if drawn:
            shown["picture"] = self.setup.draw(view).encode()
        return shown

    def _seen(self, states: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Observation and mask, written into dirty buffers with a margin that must stay dirty."""
        size, actions = self.setup.layout.size, self.setup.num_actions
        observation, mask = np.full(size + 8, DIRTY, np.int8), np.full(actions + 8, DIRTY, np.int8)
        engine_of(self.setup.game).look(states, 0, seat, observation[:size], mask[:actions])
        if (observation[size:] != DIRTY).any() or (mask[actions:] != DIRTY).any():
            raise LawBroken(self.setup, f"seat {seat}", "a kernel writes beyond its buffer")
        return observation[:size], mask[:actions]

    def _refusal(self, seat: int) -> str:
        """What the seat is told when it tries an action that does not exist."""
        actions = np.full((1, self.setup.num_players), -1)
        actions[0, seat] = self.setup.num_actions
        try:
            self.env.table.tables.step(actions)
        except ValueError as refusal:
            return str(refusal)
        raise LawBroken(self.setup, f"seat {seat}", "an action that does not exist is taken")


def same_to_seat(
    channels: Channels, tables: Tables, other: np.ndarray, seat: int, why: str
) -> None:
    """Raise LawBroken where another state shows itself to the seat, naming the channel."""
    drawn = seat == int(tables.states["turn"][0]) % tables.setup.num_players  # it takes its time
    one, two = (channels.of(states, seat, drawn=drawn) for states in (tables.states[:1], other))
    told = [name for name in one if one[name] != two[name]]
    if told:
        problem = f"{why} shows to seat {seat} in its {', '.join(told)}"
        raise LawBroken(tables.setup, where(tables), problem)


def law_views_and_observations_tell_the_same(setup: Setup, seed: int) -> None:
    """`view_of` reads the view back from the observation, `from_view` leads to the same one."""
    channels = Channels(setup)
    for tables in decisions(setup, seed=seed):
        for seat in range(setup.num_players):
            observation, _ = tables.observe(0, seat)
            view = tables.view(0, seat)
            if setup.view_of(observation, seat) != view:
                problem = f"the observation of seat {seat} does not tell its view"
                raise LawBroken(setup, where(tables), problem)
            if json.loads(json.dumps(view)) != view:
                raise LawBroken(setup, where(tables), f"the view of seat {seat} is no JSON")
            rebuilt = setup.from_view(json.loads(json.dumps(view)), seat)
            same_to_seat(channels, tables, rebuilt, seat, "a state rebuilt from the view")


def law_what_is_hidden_stays_hidden(setup: Setup, seed: int) -> None:
    """Whatever `resample` puts behind a seat's view, every channel to that seat stays the same."""
    channels = Channels(setup)
    for k, tables in enumerate(decisions(setup, seed=seed)):
        for seat in range(setup.num_players):
            states = imagined(tables, seat, k)
            same_to_seat(channels, tables, states, seat, "what it cannot know")


def law_many_tables_keep_their_secrets(setup: Setup, seed: int) -> None:
    """The same of observations and masks alone, which is quick: so many games, and rare states."""
    for k, tables in enumerate(decisions(setup, tables=MANY, seed=seed)):
        seat = k % setup.num_players
        refuse_what_shows(tables, imagined(tables, seat, k), seat)


def refuse_what_shows(tables: Tables, others: np.ndarray, seat: int) -> None:
    """Raise LawBroken at the first table where the other state looks otherwise to the seat."""
    look = engine_of(tables.setup.game).look
    sights = np.zeros((2, tables.setup.layout.size), np.int8)
    masks = np.zeros((2, tables.setup.num_actions), np.int8)
    for table in range(tables.num_tables):
        for i, states in enumerate((tables.states, others)):
            look(states, table, seat, sights[i], masks[i])
        for name, (one, other) in (("observation", sights), ("action mask", masks)):
            if not np.array_equal(one, other):
                problem = f"what it cannot know shows to seat {seat} in its {name}"
                raise LawBroken(tables.setup, where(tables, table), problem)


def imagined(tables: Tables, seat: int, key: int) -> np.ndarray:
    """The tables' states with what the seat cannot know replaced."""
    states = tables.states.copy()
    rows = len(states)
    engine_of(tables.setup.game).imagine(states, np.full(rows, seat), keys(key, rows))
    return states


def law_commitments_stay_secret(setup: Setup, seed: int) -> None:
    """Whatever others commit, a seat that still owes its own action sees the same."""
    channels = Channels(setup)
    for tables in decisions(setup, seed=seed):
        owing = deciders(tables)
        for seat in owing if len(owing) > 1 else []:
            one, two = (committed(tables, seat, turn) for turn in (1, -1))
            same_to_seat(channels, one, two.states, seat, "what others committed")


def committed(tables: Tables, seat: int, turn: int) -> Tables:
    """A copy where all but `seat` have committed: their lowest actions, or with -1 the highest."""
    other = Tables(tables.setup, 1, auto_reset=False)
    other.set_state(tables.get_state())
    actions = other.random_actions()
    for rival in deciders(other):
        actions[0, rival] = np.flatnonzero(other.observe(0, rival)[1])[::turn][0]
    actions[0, seat] = -1
    other.step(actions)
    return other


def law_all_that_is_hidden_is_imagined_anew(setup: Setup, seed: int) -> None:
    """`resample` changes, sooner or later, all that the referee is told and a seat is not."""
    hidden: set[str] = set()
    changed: set[str] = set()
    told_otherwise = NO_SECRETS | (REMEMBERED if setup.perfect_recall else set())
    for k, tables in enumerate(decisions(setup, tables=12, seed=seed)):
        seat = k % setup.num_players
        for i, state in enumerate(imagined(tables, seat, k)):
            truth, other = flat(tables.view(i, None)), flat(setup.view(state, None))
            told = flat(tables.view(i, seat))
            changed |= {name for name in truth if truth[name] != other.get(name)}
            secret = {name for name, value in truth.items() if told.get(name) != value}
            hidden |= {name for name in secret if name.split(".")[0] not in told_otherwise}
    # A key is enough: some of what it holds may be forced by what the seat does know.
    missing = {name.split(".")[0] for name in hidden} - {name.split(".")[0] for name in changed}
    if missing:
        problem = f"resample never changes {', '.join(sorted(missing))}"
        raise LawBroken(setup, f"seed {seed}", problem)


NO_SECRETS = {"seat", "hand", "unseen"}
"""Keys in which a referee's view differs by being the referee's."""
REMEMBERED = {"scores"}
"""Keys that follow from what was seen by who forgets nothing, even where no view tells them."""


def flat(view: Any, name: str = "") -> dict[str, Any]:
    """Leaves of a view by dotted name; lists of plain values are leaves."""
    if isinstance(view, dict):
        parts: Iterator[tuple[str, Any]] = iter(view.items())
    elif isinstance(view, list) and any(isinstance(part, dict) for part in view):
        parts = ((str(i), part) for i, part in enumerate(view))
    else:
        return {name: view}
    return {k: v for key, part in parts for k, v in flat(part, f"{name}.{key}".strip(".")).items()}


def law_the_table_view_comes_first(setup: Setup, seed: int) -> None:
    """A perfect-recall observation begins with the table's, so both kinds of bots can sit there."""
    table, remembers = setup.with_recall(False), setup.with_recall(True)
    short, whole = Channels(table), Channels(remembers)
    for tables in decisions(remembers, seed=seed):
        forgetful = tables.states.copy()
        forgetful["perfect_recall"] = False
        for seat in range(setup.num_players):
            prefix = short.of(forgetful, seat)["observation"]
            if not whole.of(tables.states, seat)["observation"].startswith(prefix):
                problem = f"seat {seat}: the perfect-recall observation does not begin so"
                raise LawBroken(setup, where(tables), problem)


def law_infos_hold_nothing_else(setup: Setup, seed: int) -> None:
    """An info's keys are on the list; no seed, key or generator is among what a seat gets."""
    env = AEC(setup, illegal="replace")
    env.reset(seed=seed)
    for _agent in env.agent_iter():
        observation, _, over, _, info = env.last()
        if set(info) - INFO_KEYS:
            raise LawBroken(setup, f"seed {seed}", f"info holds {sorted(set(info) - INFO_KEYS)}")
        if observation is None or set(observation) != {"observation", "action_mask"}:
            raise LawBroken(setup, f"seed {seed}", "observe gives more than two arrays")
        env.step(None if over else int(observation["action_mask"].argmax()))


SECRETS: dict[str, Callable[[Setup, int], None]] = {
    "views and observations tell the same": law_views_and_observations_tell_the_same,
    "what is hidden stays hidden": law_what_is_hidden_stays_hidden,
    "many tables keep their secrets": law_many_tables_keep_their_secrets,
    "commitments stay secret": law_commitments_stay_secret,
    "all that is hidden is imagined anew": law_all_that_is_hidden_is_imagined_anew,
    "the table view comes first": law_the_table_view_comes_first,
    "infos hold nothing else": law_infos_hold_nothing_else,
}
