"""Bots that search, in any game: `flat:400`, `search:400`, `search-rm:400`, `search:50ms`.

They know the rules and what their seat is told: an observation is read (`view_of`), a state that
looks the same is built (`from_view`), and others are imagined from it (`resample`); those are
played on in compiled loops, see `engine/search.py`. What lies behind the observation never enters.

They want perfect recall: what the seat has seen narrows down what may be hidden, and imagining that
is then a matter of dealing what is unseen. Behind a table view whole pasts must be imagined (in
Miaui up to a thousand times slower). Fitted to a table view they play by that alone. Whoever has
committed before them, as in turn-by-turn interfaces, is taken to have committed anything.
"""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from miaui_env.bots.protocol import Bot
from miaui_env.bots.simple import refuse_other_shapes, setup_by_shape
from miaui_env.engine.loops import engine_of
from miaui_env.engine.rng import mixed
from miaui_env.engine.search import scratch_for, search_of
from miaui_env.engine.trees import CONFIDENCE, REGRETS, tree_for
from miaui_env.game import Setup
from miaui_env.registry import games

FLAT = -1
KINDS = {"flat": FLAT, "search": CONFIDENCE, "search-rm": REGRETS}
"""Kind → how it looks: without a tree, or by which rule nodes choose."""
WEIGHTS = {FLAT: 0.0, CONFIDENCE: 0.5, REGRETS: 0.4}
"""Width of confidence bounds, or share of exploration beside regret matching, at first.

Chosen on development deals (Miaui, seed 1), where half or double the width hardly mattered.
"""
GENERAL = ("flat:400", "search:400", "search-rm:400", "search:50ms")
"""Rungs of the ladder that stand in every game; any other number will do as well."""

WORLDS, WORLDS_BY_CLOCK = 64, 8
"""Worlds imagined at a time, and before each look at the clock."""
MOST_NODES, MOST_ENTRIES = 1 << 16, 1 << 22
"""Room for nodes in a search by time, and in any for actions of nodes; trees then grow no more."""
_NAME = re.compile(r"(flat|search|search-rm):([0-9]+)(ms)?", re.ASCII)
_STATE, _WORLDS, _GAMES, _MOVE = 1, 2, 3, 4
"""Purposes of the keys that a decision's own key is split into."""


class SearchBot(Bot):
    """Plays games on in its head before each move.

    Attributes:
        name: kind and strength.
        perfect_recall: True until it is fitted to a table.
        plays_either: True.
        deterministic: False for a search by time, which sees more on a faster machine.
        kind: one of `KINDS`.
        simulations: games played on before a move; None goes by time.
        seconds: time for a move; None goes by simulations.
        weight: see `WEIGHTS`.
        per_world: simulations of a tree search in each imagined world.
        setup: the table it is fitted to; None goes by the shapes, among default options.
    """

    def __init__(
        self,
        kind: str,
        simulations: int | None = None,
        seconds: float | None = None,
        *,
        weight: float | None = None,
        per_world: int = 1,
    ) -> None:
        """Strength is a number of simulations or of seconds, not both."""
        if kind not in KINDS or (simulations is None) == (seconds is None):
            raise ValueError(f"a search is one of {', '.join(KINDS)}, by simulations or seconds")
        if min(x for x in (simulations, seconds, per_world) if x is not None) <= 0:
            raise ValueError(f"{kind}: simulations, seconds and per_world are above 0")
        self.kind, self.simulations, self.seconds = kind, simulations, seconds
        self.weight = WEIGHTS[KINDS[kind]] if weight is None else weight
        self.per_world, self.setup = per_world, None
        self.perfect_recall, self.deterministic = True, seconds is None
        strength = f"{simulations}" if seconds is None else f"{1e3 * seconds:g}ms"
        self.name = f"{kind}:{strength}"

    setup: Setup | None
    plays_either = True

    def fitted(self, setup: Setup) -> Bot:
        """A copy for that table, in either recall mode."""
        bot = copy.copy(self)
        bot.setup, bot.perfect_recall = setup, setup.perfect_recall
        return bot

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """One action a row, see `Bot.act`; a move is drawn from what `think` says.

        Raises:
            ValueError: for rows of another shape, or (table view only) one for which `from_view`
                finds no state.
        """
        steps = self.think(observations, action_masks, keys).cumsum(1)
        luck = (mixed(np.asarray(keys), _MOVE) >> np.uint64(11)) * 2.0**-53
        return np.asarray((steps > luck[:, None] * steps[:, -1:]).argmax(1), np.int16)

    def think(
        self, observations: np.ndarray, action_masks: np.ndarray, keys: np.ndarray
    ) -> np.ndarray:
        """With what probability it would make each move: float64 `(batch, actions)`.

        All on one move unless it matches regrets; arguments are those of `act`.
        """
        shape = np.shape(observations)[-1], np.shape(action_masks)[-1]
        setup = self.setup or setup_by_shape(self.name, games(), shape)
        sizes = setup.layout.size, setup.num_actions
        refuse_other_shapes(self.name, *sizes, observations, action_masks, keys)
        look = Flat(setup) if self.kind == "flat" else Trees(setup, self)
        policies = np.zeros(np.shape(action_masks))
        for row, (observation, mask, key) in enumerate(zip(observations, action_masks, keys)):
            if mask.sum() == 1:
                policies[row] = mask
            else:
                self.look_around(look, observation, mask, key)
                policies[row] = look.policy()
        return policies

    def look_around(self, look: Flat | Trees, observation: Any, mask: Any, key: Any) -> None:
        """All simulations of one decision, counted by `look`."""
        begun, setup = time.perf_counter(), look.setup
        view = setup.view_of(observation)
        root = setup.from_view(view, int(mixed(key, _STATE)))
        look.begin(view["seat"], np.array(mask, np.int8), mixed(key, _GAMES))
        imagine = engine_of(setup.game).imagine
        for first, last in self._spans(look.per_world, begun):
            numbers = np.arange(first // look.per_world, -(-last // look.per_world))
            worlds = np.repeat(root, len(numbers))
            seats = np.full(len(numbers), view["seat"])
            imagine(worlds, seats, mixed(key, _WORLDS, numbers))
            look.on(worlds, first, last)

    def _spans(self, per_world: int, begun: float) -> Iterator[tuple[int, int]]:
        """First and last simulation of each batch of worlds, until it is enough."""
        first = 0
        if self.simulations is not None:
            for first in range(0, self.simulations, WORLDS * per_world):
                yield first, min(first + WORLDS * per_world, self.simulations)
            return
        while first == 0 or time.perf_counter() - begun < (self.seconds or 0):
            yield first, first + WORLDS_BY_CLOCK * per_world
            first += WORLDS_BY_CLOCK * per_world


class Flat:
    """All legal actions tried equally often; the best is the one with the highest mean.

    Attributes:
        setup: of the table.
        per_world: simulations in each imagined world.
        decisions: of all seats, played in simulations so far.
    """

    def __init__(self, setup: Setup) -> None:
        """Memory for one decision after the other."""
        self.setup, self._scratch, self.decisions = setup, scratch_for(setup), 0
        self._loop = search_of(setup.game).try_out

    def begin(self, seat: int, mask: np.ndarray, key: Any) -> None:
        """Another decision."""
        self._seat, self._key, self._actions = seat, key, np.flatnonzero(mask)
        self.per_world = len(self._actions)
        self._tries, self._sums = np.zeros(len(mask)), np.zeros(len(mask))

    def on(self, worlds: np.ndarray, first: int, last: int) -> None:
        """Simulations in these worlds."""
        counts = self._actions, self._tries, self._sums
        about = (worlds, self._seat, self._key, first, last)
        self.decisions += self._loop(*about, *counts, self._scratch)

    def policy(self) -> np.ndarray:
        """Float64 `(actions,)`."""
        means = self._sums / np.maximum(self._tries, 1)
        return one_of_the_best(np.where(self._tries > 0, means, -1.0), self._key)


class Trees:
    """A tree a seat, see `engine/search.py`; the best is the action tried most, or a mixture.

    Attributes are those of `Flat`.
    """

    def __init__(self, setup: Setup, bot: SearchBot) -> None:
        """Memory for one decision after the other."""
        self.setup, self._scratch, self.decisions = setup, scratch_for(setup), 0
        self._loop = search_of(setup.game).grow
        self._rule, self._weight, self.per_world = KINDS[bot.kind], bot.weight, bot.per_world
        nodes = MOST_NODES if bot.simulations is None else bot.simulations * setup.num_players + 1
        room = min(nodes, MOST_ENTRIES // setup.num_actions)
        self.tree = tree_for(setup.num_actions, room, self._rule)

    def begin(self, seat: int, mask: np.ndarray, key: Any) -> None:
        """Another decision."""
        self._seat, self._mask, self._key = seat, mask, key

    def on(self, worlds: np.ndarray, first: int, last: int) -> None:
        """Simulations in these worlds."""
        about = (worlds, self._seat, self._key, first, last, self._mask, self.per_world)
        self.decisions += self._loop(*about, self._rule, self._weight, self.tree, self._scratch)

    def policy(self) -> np.ndarray:
        """Float64 `(actions,)`."""
        if self._rule == REGRETS:
            plan = self.tree.plans[0] * self._mask
            return np.asarray(plan / plan.sum())
        return one_of_the_best(self.tree.tries[0] * self._mask, self._key)


def one_of_the_best(scores: np.ndarray, key: Any) -> np.ndarray:
    """1 at the highest score, the key says at which one among equals; 0 elsewhere."""
    best = np.flatnonzero(scores == scores.max())
    policy = np.zeros(len(scores))
    policy[best[int(key) % len(best)]] = 1.0
    return policy


def search_bot(name: str) -> SearchBot | None:
    """The bot of that name; None for a name of another kind.

    Raises:
        ValueError: for a search without a strength that makes sense.
    """
    kind = name.partition(":")[0]
    if kind not in KINDS:
        return None
    told = _NAME.fullmatch(name)
    if told is None or int(told[2]) == 0:
        raise ValueError(
            f"no bot {name!r}: say {kind}:400 for 400 simulations a move, "
            f"or {kind}:50ms for 50 milliseconds; whole numbers from 1"
        )
    number = int(told[2])
    return SearchBot(kind, None, number / 1000) if told[3] else SearchBot(kind, number)
