"""One table with a seat's manners: what the AEC, parallel and Gymnasium environments share."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from miaui_env.adapters.logbook import LoggedTables
from miaui_env.checks import is_whole
from miaui_env.engine.choices import REWARDS, one_of, setup_of
from miaui_env.engine.rows import COMMITS_NOTHING
from miaui_env.engine.tables import Step, Tables
from miaui_env.game import Game, Setup, UnknownOption, View, names_its_arguments
from miaui_env.render.raster import rgb
from miaui_env.render.window import Window

if TYPE_CHECKING:
    from miaui_env.play.replay import Replay, SeatReplay

RENDER_MODES = ("ansi", "human", "rgb_array")
INFO_KEYS = frozenset({"points", "win_share", "illegal", "forfeit", "action_mask", "seat"})
"""All that an info may hold; anything else would be a leak waiting to happen."""
NO_ACTION = -2
"""A legal action of no game: stands for a number that is out of range or would mean "none"."""


class ResetNeeded(gymnasium.error.ResetNeeded, AttributeError, RuntimeError):
    """Asked before the first reset, or to step on after the end.

    Gymnasium raises the first of its parents then, PettingZoo an AttributeError.
    """


class Table:
    """A `Tables` of one that does not deal anew by itself, with named seats' outputs.

    Attributes:
        tables: the batch of one underneath, which keeps the log of the game.
        config: all constructor arguments, as given; they survive every reset.
        observation_fields: name → (slice, shape, meaning) of the flat observation.
        num_actions: legal or not.
        render_mode: what `picture` gives.
        window: where the table is shown with render_mode "human".
    """

    @names_its_arguments
    def __init__(
        self,
        game: str | Game | Setup,
        num_players: int | None = None,
        *,
        reward: str | Mapping[str, float] = "win",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Lay the table; the arguments are those of `Tables`, and what `render` gives."""
        for name in ("seed", "num_tables", "auto_reset", "threads"):
            if name in options:
                raise UnknownOption(f"an environment takes no {name!r}; seeds go to reset")
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.window = Window()
        setup = setup_of(game, num_players, **options)
        self.tables = LoggedTables(setup, 1, reward=reward, illegal=illegal, auto_reset=False)
        self.config = {
            **self.setup.description,
            "reward": reward,
            "illegal": illegal,
            "render_mode": render_mode,
        }
        self.observation_fields = self.setup.layout.describe()
        self.num_actions = setup.num_actions
        pays_on_the_way = bool(self.tables.weights[REWARDS.index("points")])
        self._is_never_quiet = pays_on_the_way or illegal == "replace"
        self._seeded = False

    @property
    def setup(self) -> Setup:
        """Game, seats and options."""
        return self.tables.setup

    # --- playing ---------------------------------------------------------------------------------

    def deal(self, seed: int | None, options: Mapping[str, Any] | None) -> Step:
        """The first game for `seed`, or the one after the last; `options` may stack the deck."""
        known = understood(self.setup, options)
        if seed is None and not self._seeded:
            seed = int.from_bytes(os.urandom(8), "little")
        step = self.tables.reset(seed, known)
        self._seeded = True
        return step

    def commit(self, actions: Mapping[int, Any]) -> Step:
        """Play the actions of some seats, those of others later; `Tables.step` says what raises."""
        committed = self.tables.committed
        committed.fill(COMMITS_NOTHING)
        for seat, action in actions.items():
            committed[0, seat] = self.whole(seat, action)
        return self.tables.commit(committed)

    def play(self, seat: int, action: Any) -> Step:
        """`commit` of one seat's action, in less time than by way of a dict."""
        committed = self.tables.committed
        committed.fill(COMMITS_NOTHING)
        committed[0, seat] = self.whole(seat, action)
        return self.tables.commit(committed)

    def whole(self, seat: int, action: Any) -> int:
        """An action as a number; what is none raises, and one out of range is illegal."""
        number = action if type(action) is int else self._number(seat, action)
        if 0 <= number < self.num_actions:
            return number
        if self.tables.illegal_policy == "raise":
            raise ValueError(refusal(self.tables, 0, seat, number))
        return NO_ACTION

    def _number(self, seat: int, action: Any) -> int:
        """What is no Python integer, as one."""
        if isinstance(action, np.integer):
            return int(action)
        scalar = isinstance(action, (np.ndarray, np.generic)) and action.size == 1
        number = action.item() if scalar else action
        if not is_whole(number):
            raise ValueError(
                f"the action of seat {seat} is a whole number from 0 to {self.num_actions - 1}, "
                f"not {action!r}"
            )
        return number

    def deciders(self) -> list[int]:
        """Seats that owe an action now."""
        [to_act] = self.tables.to_act.tolist()
        return [seat for seat, owes in enumerate(to_act) if owes]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.tables.num_terminated > 0

    def require_deal(self) -> None:
        """ResetNeeded before the first deal."""
        if not self.tables.is_reset:
            raise ResetNeeded("no game has begun: call reset() first")

    def require_game(self) -> None:
        """ResetNeeded unless a game is under way."""
        tables = self.tables
        if tables.num_terminated or not tables.is_reset:
            self.require_deal()
            raise ResetNeeded("the game is over: call reset() for the next one")

    # --- what a seat is told ---------------------------------------------------------------------

    def observation(self, seat: int) -> dict[str, np.ndarray]:
        """`{"observation": int8 (size,), "action_mask": int8 (actions,)}` of a seat now, copies."""
        observation, mask = self.tables.observe(0, seat)
        return {"observation": observation, "action_mask": mask}

    def written(self, seat: int) -> dict[str, np.ndarray]:
        """The same for a seat that owes an action, and for all when the game is over."""
        observation, mask = self.tables.written(seat)
        return {"observation": observation, "action_mask": mask}

    def info(self, seat: int) -> dict[str, Any]:
        """What a seat is told beside its observation: results at the end, illegal actions."""
        told: dict[str, Any] = {}
        if self.is_over:
            told["points"] = int(self.tables.final_points[0, seat])
            told["win_share"] = float(self.tables.win_shares[0, seat])
        if self.tables.illegal_policy == "replace":
            told["illegal"] = int(self.tables.illegal[0, seat])
        elif self.tables.forfeiters[0] >= 0:
            told["forfeit"] = int(self.tables.forfeiters[0])
        return told

    @property
    def is_quiet(self) -> bool:
        """Whether in the last step no reward fell due to any seat and `info` is empty for all."""
        return not (self.tables.num_terminated or self._is_never_quiet)

    def picture(self, seat: int | None) -> str | np.ndarray | None:
        """What `render` gives of a seat's view: text, pixels, or None where a window shows it."""
        self.require_deal()
        if self.render_mode is None:
            modes = ", ".join(map(repr, RENDER_MODES))
            warnings.warn(f"render() needs a render_mode at construction: {modes}", stacklevel=3)
            return None
        view = self.tables.view(0, seat)
        if self.render_mode != "human":
            return shown(self.setup, view, self.render_mode)
        words, title = self.setup.game.words(view), self.setup.game.title
        self.window.show(self.setup.draw(view), words, title)
        return None

    def svg(self, seat: int | None) -> str:
        """A seat's view as SVG, which notebooks show."""
        return self.setup.draw(self.tables.view(0, seat))

    def replay(self, seat: int | None) -> Replay | SeatReplay:
        """The game so far, as `seat` saw it; None for the whole game, once it is over.

        Raises:
            ValueError: for the whole game while it goes on, since its seed tells what is to come.
        """
        self.require_deal()
        if seat is None and not self.is_over:
            raise ValueError("the game goes on, and a whole replay holds its seed: ask at the end")
        whole = self.tables.replay()
        return whole if seat is None else whole.of_seat(seat)

    # --- copies ----------------------------------------------------------------------------------

    def packed(self, interface: str, bookkeeping: Mapping[str, Any]) -> bytes:
        """The table's state and the bookkeeping (JSON-able) of an interface as bytes."""
        self.require_deal()
        own = {"interface": interface, "seeded": self._seeded, "past": self.tables.past()}
        head = json.dumps({**own, **bookkeeping}).encode()
        return len(head).to_bytes(4, "little") + head + self.tables.get_state()

    def unpacked(self, interface: str, data: bytes) -> dict[str, Any]:
        """Put the table's state back and return the bookkeeping; ValueError for another's bytes."""
        end = 4 + int.from_bytes(data[:4], "little")
        try:
            bookkeeping: dict[str, Any] = json.loads(data[4:end])
            found = bookkeeping.pop("interface")
        except (ValueError, KeyError, AttributeError, TypeError):
            raise ValueError("this is no state of such an environment") from None
        if found != interface:
            raise ValueError(f"this is no state of such an environment, but of a {found} one")
        self.tables.set_state(data[end:])
        self._seeded = bookkeeping.pop("seeded")
        self.tables.recall(bookkeeping.pop("past"))
        return bookkeeping


def shown(setup: Setup, view: View, mode: str) -> str | np.ndarray:
    """A view as "ansi" text, or as the pixels of an "rgb_array": uint8 `(height, width, 3)`."""
    return setup.game.words(view) if mode == "ansi" else rgb(setup.draw(view))


def refusal(tables: Tables, table: int, seat: int, action: int) -> str:
    """Says which action was illegal and which are legal, as `Tables.step` does."""
    where = f"table {table}, seat {seat}" if tables.num_tables > 1 else f"seat {seat}"
    legal = np.flatnonzero(tables.observe(table, seat)[1]).tolist()
    return f"illegal action {action} of {where}; legal are {legal}"


def understood(setup: Setup, options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The reset options that the game knows; a warning for others."""
    if not options:
        return {}
    known = setup.game.stack_options
    unknown = sorted(map(str, set(options) - known))
    if unknown:
        warnings.warn(
            f"reset(options=…) ignores {', '.join(unknown)}; "
            f"{setup.game.title} understands {', '.join(sorted(known))}",
            stacklevel=4,
        )
    return {name: value for name, value in options.items() if name in known}


def box_of(setup: Setup) -> gymnasium.spaces.Box:
    """Space of the flat observation: int8 `(size,)` with each field's own bounds."""
    return _box(setup.layout)


def survey_box_of(setup: Setup) -> gymnasium.spaces.Box:
    """Space of the referee's vector, likewise."""
    return _box(setup.survey_layout)


def _box(layout: Any) -> gymnasium.spaces.Box:
    return gymnasium.spaces.Box(layout.low, layout.high, (layout.size,), np.int8)
