"""A VecEnv of Stable-Baselines3 straight over many tables, for MaskablePPO and its like."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as missing:
    raise ImportError(
        f"TablesVecEnv needs the extra 'train': miaui-env[train] ({missing})"
    ) from None

from miaui_env.adapters.learners import End, Learners, Turn
from miaui_env.adapters.seating import Opponents
from miaui_env.adapters.table import box_of, understood
from miaui_env.engine.choices import setup_of
from miaui_env.engine.tables import Tables
from miaui_env.game import Game, Setup, names_its_arguments

NOTHING: dict[str, Any] = {}
"""The info of all learners whose game goes on: SB3 and its wrappers write into others only."""


class TablesVecEnv(VecEnv):
    """Learners at many tables as one VecEnv: environment e is one learner.

    Where all seats learn, environment `table * seats + seat` is that seat. Observations and masks
    are then the tables' own buffers, valid until the second next step, which is what SB3's rollout
    and replay buffers need; who keeps them longer copies them.

    Args:
        game: name of a game, the game, or a complete setup (then without seats and options).
        num_tables: how many tables.
        num_players: seats at each.
        seats: who learns: "all" (where all choose at once), one seat, or None for a random seat
            each episode, a function of the table's seed and the episode.
        opponents: who plays the other seats, see `set_opponents`; default "random".
        learners: who learns, one by one, instead of `seats`: bool `(tables, seats)`.
        seed: table i plays the games of seed + i; or one seed a table, uint64 `(tables,)`.
        reward: "win", "margin" or "points", or weights for a sum of them.
        illegal: what an illegal action does: "raise", "replace" or "forfeit", see `Tables`.
        threads: more than 1 steps the tables in parallel.
        options: the game's own, and `perfect_recall`.

    Attributes:
        tables: the tables underneath.
        learners: who sits where, and the stepping.
        returns, lengths: float32 and int32 `(num_envs,)`, of the games under way.
    """

    action_space: gymnasium.spaces.Discrete
    render_mode: str | None = None

    @names_its_arguments
    def __init__(
        self,
        game: str | Game | Setup,
        num_tables: int = 64,
        num_players: int | None = None,
        *,
        seats: str | int | None = "all",
        opponents: Opponents | None = None,
        learners: np.ndarray | None = None,
        seed: int | np.ndarray = 0,
        reward: str | Mapping[str, float] = "win",
        illegal: str = "raise",
        threads: int = 1,
        **options: Any,
    ) -> None:
        """Lay the tables."""
        self.tables = Tables(
            setup_of(game, num_players, **options),
            num_tables,
            seed=seed,
            reward=reward,
            illegal=illegal,
            threads=threads,
        )
        mask, seat = self._who_learns(seats, learners)
        if opponents is not None and mask is not None and np.all(mask):
            raise ValueError("all seats learn, so there is none for opponents; see `seats`")
        self.learners = Learners(self.tables, opponents or "random", seat=seat, learners=mask)
        number, setup = self.learners.number, self.tables.setup
        super().__init__(number, box_of(setup), gymnasium.spaces.Discrete(setup.num_actions))
        self.returns, self.lengths = np.zeros(number, np.float32), np.zeros(number, np.int32)
        self._rows = [Rows(np.zeros((number, setup.num_actions), np.bool_)) for _ in range(2)]
        self._steps = 0
        self._next_seed: int | None = None
        self._actions: np.ndarray | None = None
        self._start = time.time()

    @property
    def setup(self) -> Setup:
        """Game, seats and options; `load_bot(name).fitted(setup)` plays here."""
        return self.tables.setup

    def set_opponents(self, opponents: Opponents) -> None:
        """Put other bots at the seats where nobody learns; they take over at once.

        Args:
            opponents: one bot (its name, or a `Bot`) for all; or, with one learner a table, a list
                of them clockwise after the learner; or, with `learners`, pairs
                (bool `(tables, seats)`, bot) that share out all other seats.
        """
        self.learners.seating.invite(opponents)

    # --- playing ---------------------------------------------------------------------------------

    def reset(self) -> np.ndarray:
        """Deal at all tables: the first games of the seed, or each table's next one."""
        stacked = understood(self.tables.setup, self._common_options())
        self.tables.reset(self._next_seed, stacked)
        self._next_seed = None
        self._reset_options()
        self.returns[:], self.lengths[:] = 0.0, 0
        turn = self.learners.begin()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return turn.observations

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learners' actions, integers `(num_envs,)`."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations int8 `(num_envs, size)`, rewards float32, dones bool, and infos.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes.
        """
        turn = self.learners.step(self._actions)
        self.returns += turn.rewards
        self.lengths += 1
        self._steps += 1
        return turn.observations, turn.rewards, turn.done, self._infos(turn)

    def action_masks(self) -> np.ndarray:
        """What each learner may do now: bool `(num_envs, actions)`."""
        return self.learners.look()[1].view(np.bool_)

    def observe(self) -> np.ndarray:
        """What each learner sees now: int8 `(num_envs, size)`."""
        return self.learners.look()[0]

    def view(self, index: int) -> dict[str, Any]:
        """What environment `index`'s learner may know, as a dict."""
        seating = self.learners.seating
        return self.tables.view(int(seating.tables_of[index]), int(seating.seats_of[index]))

    # --- what VecEnv wants -----------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Begin at the next reset with the games of seed + table; None lets the seeds be."""
        self._next_seed = seed
        tables = self.learners.seating.tables_of.tolist()
        return [None if seed is None else seed + table for table in tables]

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, which all environments share, once for each."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute that all environments share."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"all environments share {attr_name}: set it without indices")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` or `view` of each environment."""
        chosen = list(self._get_indices(indices))
        if method_name == "action_masks":
            return self._mask_rows() if indices is None else list(self.action_masks()[chosen])
        if method_name == "view":
            return [self.view(index) for index in chosen]
        raise AttributeError(
            f"environments have no method {method_name!r}, but action_masks and view"
        )

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper], indices: Any = None
    ) -> list[bool]:
        """True for SB3's Monitor, whose `episode` entry our infos have, and nothing else."""
        is_monitor = issubclass(wrapper_class, Monitor)
        return [is_monitor for _ in self._get_indices(indices)]

    # --- copies ----------------------------------------------------------------------------------

    def get_state(self) -> bytes:
        """Everything that the future depends on beside the bots; `set_state` takes it back."""
        if self.learners.seating.remembers:
            raise ValueError("a bot that remembers cannot be put into bytes")
        parts = b"".join(part.tobytes() for part in self._parts())
        return self._stamp() + parts + self.tables.get_state()

    def set_state(self, data: bytes) -> None:
        """Go to where `get_state` was asked, in an environment made with the same arguments.

        Raises:
            ValueError: for bytes of another kind of environment, or of other tables or learners.
        """
        stamp, parts = self._stamp(), self._parts()
        if data[: len(stamp)] != stamp:
            raise ValueError("this is no state of such an environment with the same learners")
        self.tables.set_state(data[len(stamp) + sum(part.nbytes for part in parts) :])
        at = len(stamp)
        for part in parts:
            part[...] = np.frombuffer(data, part.dtype, part.size, at)
            at += part.nbytes
        self.learners.seating.resume(parts[0])

    def _stamp(self) -> bytes:
        """What a state begins with: the kind of environment, and who learns at which table."""
        seating = self.learners.seating
        where = seating.tables_of.astype(np.int64).tobytes()
        fixed = b"" if seating.draws_seats else seating.seats_of.astype(np.int64).tobytes()
        return b"learners " + hashlib.sha256(where + fixed).digest()

    def _parts(self) -> list[np.ndarray]:
        seats = self.learners.seating.seats_of.astype(np.int64)
        return [seats, self.learners.carried, self.returns, self.lengths]

    # --- inside ----------------------------------------------------------------------------------

    def _who_learns(
        self, seats: str | int | None, learners: np.ndarray | None
    ) -> tuple[np.ndarray | None, int | None]:
        """A mask of learners, or the one seat a table (None: a random one)."""
        if learners is not None:
            if seats != "all":
                raise ValueError("say who learns with seats or with learners, not both")
            return learners, None
        if seats == "all":
            return np.ones((self.tables.num_tables, self.tables.setup.num_players), np.bool_), None
        if isinstance(seats, str):
            raise ValueError(f"seats is 'all', a seat, or None for a random one, not {seats!r}")
        return None, seats

    def _common_options(self) -> dict[str, Any]:
        first = self._options[0]
        if any(options != first for options in self._options):
            raise ValueError("reset options are the same for all tables: give one dict")
        return first

    def _mask_rows(self) -> Rows:
        """The masks in one of two lasting blocks, so valid until the second next step, too."""
        rows = self._rows[self._steps % 2]
        rows.block[:] = self.action_masks()
        return rows

    def _infos(self, turn: Turn) -> list[dict[str, Any]]:
        if self.tables.illegal_policy == "replace":
            counts = self.learners.of_learners(self.tables.illegal)
            infos: list[dict[str, Any]] = [{"illegal": count} for count in counts.tolist()]
        else:
            infos = [NOTHING] * self.num_envs
        for end in turn.ends:
            self._tell_end(end, infos)
        return infos

    def _tell_end(self, end: End, infos: list[dict[str, Any]]) -> None:
        """Infos of learners whose game ended, with `episode` as SB3's Monitor has it."""
        now = round(time.time() - self._start, 6)
        results = (
            end.points,
            end.win_shares,
            self.returns[end.learners],
            self.lengths[end.learners],
        )
        told: list[dict[str, Any]] = [
            {
                "terminal_observation": observation,
                "points": points,
                "win_share": share,
                "episode": {"r": total, "l": length, "t": now},
            }
            for observation, points, share, total, length in zip(
                end.observations, *(column.tolist() for column in results), strict=True
            )
        ]
        if self.tables.illegal_policy != "raise":
            self._tell_faults(end, told)
        for learner, info in zip(end.learners.tolist(), told, strict=True):
            infos[learner] = info
        self.returns[end.learners], self.lengths[end.learners] = 0.0, 0

    def _tell_faults(self, end: End, told: list[dict[str, Any]]) -> None:
        faults = zip(told, end.illegal.tolist(), end.forfeits.tolist(), strict=True)
        for info, illegal, forfeit in faults:
            if self.tables.illegal_policy == "replace":
                info["illegal"] = illegal
            if forfeit >= 0:
                info["forfeit"] = forfeit


class Rows(list[np.ndarray]):
    """The rows of an array, of which `np.stack` makes the array again without looking at each.

    sb3-contrib stacks the masks of all environments before each step: for 2048 of them that took
    1 ms and making the rows 0.25 ms, where the tables' step took 0.45 ms.
    """

    def __init__(self, block: np.ndarray) -> None:
        """Views of `block`, `(rows, …)`."""
        super().__init__(block)
        self.block = block
        self[0] = self[0].view(_FirstRow)


class _FirstRow(np.ndarray):
    """Where `np.stack` asks for a way of its own."""

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func is np.stack and isinstance(args[0], Rows) and len(args) == 1 and not kwargs:
            return args[0].block.copy()
        return super().__array_function__(func, types, args, kwargs)
