"""N tables of one game side by side: one call steps them all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from miaui_env.engine import choices
from miaui_env.engine.compile import direct
from miaui_env.engine.crew import crew_of, shares_for
from miaui_env.engine.desk import LINE, Arrays, Laid, addresses, lay
from miaui_env.engine.loops import (
    BOT,
    NOT_OWED,
    REFUSED,
    REPLACEMENT,
    any_legal,
    engine_of,
)
from miaui_env.engine.rows import CHOOSE, COMMITS_NOTHING, DEAL, LOOK, MOVE_ON, NAME, PLAY
from miaui_env.engine.shares import new_board
from miaui_env.game import Game, Setup, names_its_arguments

_LEAST, _MOST = np.int64(-2), np.int64(np.iinfo(np.int16).max)
"""Actions beyond are no less illegal for being these."""


class Step(NamedTuple):
    """What one step (or reset) wrote; the arrays stay valid until the second next step.

    Rows of seats that owe an action are written, and all rows of a table whose game ended (with
    `auto_reset`, of its next game's first deciders); others hold what was there before.

    Attributes:
        observations: int8 `(tables, seats, size)`.
        action_masks: int8 `(tables, seats, actions)`.
        rewards: float32 `(tables, seats)`.
        terminated: bool `(tables,)`; the game ended in this step (without `auto_reset`: has ended).
        to_act: bool `(tables, seats)`; who owes an action now.
    """

    observations: np.ndarray
    action_masks: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    to_act: np.ndarray


class Tables:
    """Many tables of one game, stepped together.

    Row i with seed s plays the games of a single table with seed s + i, whatever the number of
    tables or threads; its episode k is a function of (s + i, k) alone. Tables whose step was
    interrupted, as by Ctrl-C, go on after `reset` or `set_state`.

    Attributes:
        setup: game, seats, options.
        states: the tables' records `(tables,)`; the referee's, not to be shown to a seat.
        final_observations: int8 `(tables, seats, size)`, valid where the last step terminated.
        final_points: int32 `(tables, seats)`, likewise.
        win_shares: float64 `(tables, seats)`, likewise; 1/k for each of k winners.
        illegal: int32 `(tables, seats)`, illegal actions replaced since the table's last reset.
        forfeiters: int8 `(tables,)`, the seat that forfeited in the last step, -1 for none.
        episodes: int64 `(tables,)`, games begun since the seeds were set, less one.
        committed: int16 `(tables, seats)`, what the last step played and the next `commit` will.
        num_terminated: how many tables the last step `terminated`.
        desks, side: read only, for loops that `opened` them: where all arrays lie, and which of
            them the last step wrote.
    """

    states, seeds, episodes, keys, weights = Laid(), Laid(), Laid(), Laid(), Laid()
    final_observations, final_points, win_shares = Laid(), Laid(), Laid()
    illegal, forfeiters = Laid(), Laid()
    _made_anew: tuple[str, ...] = ("_engine", "_serve", "desks", "_steps", "committed")
    """Attributes of which a copy makes its own: they lead to compiled code, or back to arrays."""

    @names_its_arguments
    def __init__(
        self,
        game: str | Game | Setup,
        num_tables: int = 1,
        num_players: int | None = None,
        *,
        seed: int | np.ndarray = 0,
        reward: str | Mapping[str, float] = "win",
        illegal: str = "raise",
        auto_reset: bool = True,
        threads: int = 1,
        **options: Any,
    ) -> None:
        """Lay the tables; call `reset` before the first step.

        Args:
            game: name of a game, the game, or a complete setup (then without seats and options).
            num_tables: how many.
            num_players: seats at each.
            seed: a number, row i then has seed + i; or one seed a row, uint64 `(tables,)`.
            reward: "win", "margin" or "points", or weights for a sum of them.
            illegal: what an illegal action does: "raise", "replace" (by a random legal one,
                counted) or "forfeit" (the game ends: share 0 for the offender, 1/(n-1) for others).
            auto_reset: deal the next game in the step that ends one.
            threads: more than 1, if there are as many cores, move `WORTH_THREADS` tables and more.
            **options: the game's own, and `perfect_recall`.
        """
        self.setup = choices.setup_of(game, num_players, **options)
        self.num_tables = choices.one_or_more("num_tables", num_tables)
        self.threads = choices.one_or_more("threads", threads)
        self.illegal_policy = choices.one_of("illegal", illegal, choices.ILLEGAL_POLICIES)
        self._shares = shares_for(self.num_tables, self.threads)
        self.side, self.is_reset, self.num_terminated = 0, False, 0
        self._flags = np.zeros(1, np.bool_)
        self._sides = lay(self.setup.game.state, self._lengths)
        self.weights[:] = choices.reward_weights(reward)
        self._arrays.auto_reset[:] = bool(auto_reset)
        self.states[:] = self.setup.blank
        self.forfeiters[:] = -1
        self._begin(choices.seeds_of(seed, self.num_tables))
        self._open()

    # --- playing ---------------------------------------------------------------------------------

    def reset(
        self, seed: int | np.ndarray | None = None, options: Mapping[str, Any] | None = None
    ) -> Step:
        """Deal a new game at every table.

        Args:
            seed: begins the rows' seeds anew (episode 0); None goes on with their next episodes.
            options: a stacked deal, the same at every table; see the game's `stack_options`.
        """
        seeds = None if seed is None else choices.seeds_of(seed, self.num_tables)
        if options:
            for state in self.states:
                self.setup.game.stack(state, self.setup, options)
        if seeds is not None:
            self._begin(seeds)
        return self.deal()

    def deal(self, chosen: np.ndarray | None = None) -> Step:
        """Deal the next episode of each chosen row (bool `(tables,)`; None: of all).

        Other rows are written again.
        """
        if chosen is None:
            self._arrays.chosen.fill(True)
        else:
            self._arrays.chosen[:] = choices.one_a_table(chosen, self.num_tables)
        self.is_reset = True
        self._move(DEAL)
        self._serve = direct(self._engine.serve)
        return self.latest

    def step(self, actions: np.ndarray) -> Step:
        """Play one action for each seat that commits now.

        Args:
            actions: integers `(tables, seats)`; -1 where a seat does not commit in this step.

        Raises:
            ValueError: for an action where none is owed or, unless `illegal` says otherwise, one
                that is illegal; every row is checked before any table moves.
        """
        if not self.is_reset:
            raise RuntimeError("call reset() before the first step()")
        given, own = np.asarray(actions), self.committed
        if given.shape != own.shape or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are integers of shape {own.shape}, "
                f"not {given.dtype} of shape {given.shape}"
            )
        # One table's step is 4 µs faster so than through np.clip.
        own[...] = np.maximum(np.minimum(given, _MOST), _LEAST)
        return self.commit(given)

    def commit(self, given: np.ndarray) -> Step:
        """`step` with the actions that lie in `committed`; a complaint names them as `given`."""
        if self._move(PLAY) == REFUSED:
            self._mend(given)
            self._move(MOVE_ON)
        return self._steps[self.side]

    def random_actions(self) -> np.ndarray:
        """A random legal action where one is owed, -1 elsewhere; int16 `(tables, seats)`.

        A function of the deal, the seat and how many actions it has made. They lie in `committed`
        then, too.
        """
        self._everywhere(self.side, CHOOSE)
        return self.committed.copy()

    def decision_keys(self, purpose: int = BOT) -> np.ndarray:
        """Keys for bots' next decisions: uint64 `(tables, seats)`.

        Each is a hash of (deal, seat, how many decisions it has made), so a move depends neither on
        the batch nor on the order in which seats are asked.
        """
        self._serve(self.desks, self.side, NAME, purpose, 0)
        return self._arrays.decision_keys.copy()

    @property
    def auto_reset(self) -> bool:
        """Whether a step that ends a game deals the next one."""
        return bool(self._arrays.auto_reset[0])

    @property
    def latest(self) -> Step:
        """What the last step or reset wrote."""
        return self._steps[self.side]

    @property
    def _arrays(self) -> Arrays:
        """Those of the last step's side."""
        return self._sides[self.side]

    @property
    def observations(self) -> np.ndarray:
        """Of the last step; int8 `(tables, seats, size)`."""
        return self.latest.observations

    @property
    def action_masks(self) -> np.ndarray:
        """Of the last step; int8 `(tables, seats, actions)`."""
        return self.latest.action_masks

    @property
    def rewards(self) -> np.ndarray:
        """Of the last step; float32 `(tables, seats)`."""
        return self.latest.rewards

    @property
    def terminated(self) -> np.ndarray:
        """Of the last step; bool `(tables,)`."""
        return self.latest.terminated

    @property
    def to_act(self) -> np.ndarray:
        """Who owes an action now; bool `(tables, seats)`."""
        return self.latest.to_act

    # --- looking ---------------------------------------------------------------------------------

    def observe(self, table: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """One seat's observation int8 `(size,)` and action mask int8 `(actions,)`, fresh copies."""
        self._refuse_beyond(table, seat)
        self._serve(self.desks, self.side, LOOK, table, seat)
        mask = self._arrays.masks[0, : self.setup.num_actions]
        return self._arrays.observation.copy(), mask.copy()

    def survey(self, table: int) -> np.ndarray:
        """The referee's vector of a table: int8 `(setup.survey_layout.size,)`."""
        self._refuse_beyond(table)
        out = np.empty(self.setup.survey_layout.size, np.int8)
        self._engine.tell_all(self.states, table, out)
        return out

    def view(self, table: int, seat: int | None) -> dict[str, Any]:
        """What a seat may know of a table, as a dict; None is the referee."""
        self._refuse_beyond(table, seat)
        return self.setup.view(self.states[table], seat)

    def _refuse_beyond(self, table: int, seat: int | None = None) -> None:
        """IndexError for a table or seat that there is not: kernels check no bounds."""
        if not 0 <= table < self.num_tables:
            raise IndexError(f"tables are 0 to {self.num_tables - 1}, not {table}")
        if seat is not None and not 0 <= seat < self.setup.num_players:
            raise IndexError(f"seats are 0 to {self.setup.num_players - 1}, not {seat}")

    # --- copies ----------------------------------------------------------------------------------

    def get_state(self) -> bytes:
        """Everything that the tables' future depends on, as bytes; `set_state` takes it back."""
        return self._stamp() + b"".join(part.tobytes() for part in self._parts())

    def set_state(self, data: bytes) -> None:
        """Put back what `get_state` gave, of tables with the same setup and number.

        Raises:
            ValueError: for bytes of another game, version, setup or number of tables.
        """
        stamp, parts = self._stamp(), self._parts()
        if len(data) != len(stamp) + sum(part.nbytes for part in parts):
            raise ValueError("this is no state of such tables: its length differs")
        if data[: len(stamp)] != stamp:
            raise ValueError(
                f"this is no state of such tables ({self.setup.game.title}, {stamp!r})"
            )
        at = len(stamp)
        for part in parts:
            part[...] = np.frombuffer(data, part.dtype, part.size, at).reshape(part.shape)
            at += part.nbytes
        self.is_reset = bool(self._flags[0])
        self.num_terminated = int(self.terminated.sum())

    def __getstate__(self) -> dict[str, Any]:
        """All but compiled loops and addresses."""
        return {name: part for name, part in vars(self).items() if name not in self._made_anew}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._open()

    def _parts(self) -> list[np.ndarray]:
        """Every array that the future, or what was last shown, depends on."""
        self._flags[0] = self.is_reset
        luck = (self.states, self.seeds, self.episodes, self.keys)
        own = self._arrays
        counts = (own.points, own.decisions, self.illegal, self.forfeiters, self._flags)
        ends = (self.final_observations, self.final_points, self.win_shares)
        return [*luck, *counts, *ends, *self.latest]

    def _stamp(self) -> bytes:
        about = [self.setup.game.name, self.setup.game.version, self.setup.description]
        return hashlib.sha256(json.dumps([*about, self.num_tables]).encode()).digest()

    # --- inside ----------------------------------------------------------------------------------

    @property
    def _lengths(self) -> tuple[int, ...]:
        """Of the axes of arrays, see `desk.AXES`."""
        sizes = self.setup.layout.size, self.setup.num_actions, len(choices.REWARDS)
        masks = self._shares, self.setup.num_actions + LINE
        return self.num_tables, self.setup.num_players, *sizes, *masks

    def _open(self) -> None:
        """Find the compiled loops, and the places of all arrays for them."""
        self._engine = engine_of(self.setup.game)
        self._serve = self._engine.serve
        self.desks = addresses(self._sides, self._lengths)
        self.committed = self._sides[0].actions  # not `Laid`, which takes 0.5 µs each time
        self._steps = [
            Step(*(getattr(side, part) for part in Step._fields)) for side in self._sides
        ]

    def _begin(self, seeds: np.ndarray) -> None:
        """Before the first episode of these seeds."""
        self.seeds[:] = seeds
        self.episodes[:] = -1

    def _move(self, errand: int) -> int:
        """One pass over all tables, written to the other side unless an action is refused."""
        side = 1 - self.side
        if self._shares == 1:  # asked here already: a step of one table is in a hurry
            ended: int = self._serve(self.desks, side, errand, 0, 0)
        else:
            ended = self._everywhere(side, errand)
        if ended != REFUSED:
            self.side, self.num_terminated = side, ended
        return ended

    def _everywhere(self, side: int, errand: int) -> int:
        """An errand at all tables, on several cores where that is worth while."""
        serve: Callable[..., int] = self._serve
        if self._shares == 1:
            return serve(self.desks, side, errand, 0, 0)
        board = new_board()

        def act(from_back: bool) -> int:  # keeps alive what it writes into, also if it comes late
            return serve(self.desks, side, errand, board.ctypes.data, int(from_back))

        return crew_of(self.threads).together(act)

    def _mend(self, given: np.ndarray) -> None:
        """Refuse illegal actions as they were given, or mend them."""
        bad = np.argwhere(self._arrays.faults)
        for table, seat in bad:
            if self.illegal_policy == "raise" or self._arrays.faults[table, seat] == NOT_OWED:
                raise ValueError(self._complaint(table, seat, given[table, seat]))
        self.forfeiters[:] = -1
        for table, seat in bad:
            if self.illegal_policy == "replace":
                self._replace(table, seat)
            elif self.forfeiters[table] < 0:
                self.forfeiters[table] = seat
                self.committed[table] = COMMITS_NOTHING

    def _replace(self, table: int, seat: int) -> None:
        _, mask = self.observe(table, seat)
        self.committed[table, seat] = any_legal(mask, self.decision_keys(REPLACEMENT)[table, seat])
        self.illegal[table, seat] += 1

    def _complaint(self, table: int, seat: int, action: int) -> str:
        """Names the seat, its action, and what that seat may do; nothing of the others."""
        where = f"table {table}, seat {seat}" if self.num_tables > 1 else f"seat {seat}"
        if self._arrays.faults[table, seat] == NOT_OWED:
            return f"{where} owes no action now, but got {action}"
        legal = np.flatnonzero(self.observe(table, seat)[1]).tolist()
        return f"illegal action {action} of {where}; legal are {legal}"
