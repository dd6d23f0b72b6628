"""The contract between a game and everything that plays it.

A game is rules, not reinforcement learning: no reward, agent, space or truncation. To add one, make
a folder `games/<name>/` whose `__init__.py` says `GAME = Game(...)`; it is found, not listed. Write
it in the order of its rulebook:

1. `pieces.py`: enums, constants, an `Options` dataclass that checks itself, and the state: one
   aligned NumPy record (`layout.record`). The engine reads and writes these fields of it, whatever
   the game: `num_players` i1, `perfect_recall` i1, `over` i1, `to_act` i4 (bit set of the seats
   that owe an action), `turn` i2, `points` i4 (per seat, of the greatest number of seats).
2. `rules.py`: the kernels `deal`, `legal`, `play`, and `allows` if actions are to be checked
   without a mask. Simultaneous choice is private commitment in any
   order; the last one owed resolves. Luck comes from `rng.draw(key, purpose, j, n)`, with j read
   from the state.
3. `view.py`: the kernel `observe`, the fields it writes, and the same knowledge as a dict (`view`).
   *The law of views*: for one game, setup and seat, two states give equal observations exactly when
   they give equal views. Whatever else reaches a seat derives from its view.
4. `words.py`: actions and views in words. `draw.py`: a view as a picture, with the kit of
   `miaui_env.render`. `bots.py`: hand-written players as kernels.

Then add `RULES.md`, `VERSION` (a number, so that ids are known without importing the game) and
`tests/games/test_<name>.py`; `tests/laws` finds the game by itself.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, ParamSpec

import numpy as np

from miaui_env.checks import flag, is_whole
from miaui_env.engine.layout import Field, Layout

Arguments = ParamSpec("Arguments")
Kernel = Callable[..., Any]
View = dict[str, Any]


class Chances(NamedTuple):
    """All that luck may do in a game, settled before its first decision.

    Attributes:
        states: records `(deals,)` ready for the first decision; what follows draws no luck.
        probabilities: of each, exactly; they sum to 1.
    """

    states: np.ndarray
    probabilities: list[Fraction]


class UnknownOption(TypeError, ValueError):
    """An option that the game does not have: a mistaken keyword and a bad value at once."""

    def __init__(self, problem: str, name: str | None = None, allowed: Sequence[str] = ()) -> None:
        """The whole message; or what is wrong with `name`, and which names there are."""
        self.problem, self.name, self.allowed = problem, name, tuple(allowed)
        if name is not None:
            near = difflib.get_close_matches(name, allowed, 1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            problem = f"{problem} {name!r}{hint}; it has {', '.join(allowed)}"
        super().__init__(problem)

    def besides(self, names: Sequence[str]) -> UnknownOption:
        """The same where these names are allowed, too."""
        return UnknownOption(self.problem, self.name, list(dict.fromkeys([*self.allowed, *names])))


@dataclass(frozen=True, eq=False)
class Game:
    """One game, complete. Kernels take one record `state`; `key` is the 64-bit game key.

    Attributes:
        name: the folder's name, in snake case.
        title: as people write it.
        version: moves only when rules, view or action numbers move.
        players: allowed numbers of seats.
        default_players: of a table made without saying.
        simultaneous: all seats choose at once in every decision.
        options: frozen dataclass; `Options(**given)` raises ValueError for a value out of range.
        state: dtype of the state record.
        deal: `(state, key)`: set up and advance to the first decision.
        legal: `(state, seat, mask)`: overwrite the int8 mask; all 0 for a seat not to act.
        play: `(state, seat, action, key)`: commit or perform one legal action.
        observe: `(state, seat, out)`: overwrite the int8 observation; returns the cursor behind it.
        survey: `(state, out)`: the referee's int8 vector, everything; returns the cursor behind it.
        resample: `(state, seat, key)`: replace what the seat cannot know by a reachable
            alternative that leaves its view as it is.
        write_options: `(state, setup)`: put options into a fresh record.
        stack: `(state, setup, options)`: prepare a stacked deal from `reset(options=…)`.
        stack_options: names that `stack` understands.
        actions: `(setup)`: number of actions.
        longest: `(setup)`: the most decisions that one seat can owe in a game.
        fields: `(setup)`: what `observe` writes, in order.
        survey_fields: `(setup)`: what `survey` writes, in order.
        view: `(state, seat)`: what a seat may know, as a JSON-able dict; seat None is the referee.
        view_of: `(setup, observation, seat)`: the view that an observation stands for.
        from_view: `(setup, view, key)`: a reachable state with that view, a record array `(1,)`;
            asked through `Setup.from_view`, which refuses what is no seat's view of the setup.
        remember: `(setup, remembered, view)`: a seat's perfect-recall view, from the one at its
            decision before (None at its first) and the table's view now; asked through
            `Setup.remember`, see `Recall`.
        inventory: `(state)`: how many pieces of each kind there are, wherever they lie; constant.
        say: `(setup, action)`: an action in words.
        read: `(setup, text)`: the action that words name; ValueError for none.
        words: `(view)`: the table as text that one can play from.
        draw: `(view)`: the table as SVG, exactly what the view tells; None draws the words.
        bots: hand-written players: name → kernel `(observation, offsets, mask, key) -> action`,
            where field i of the layout starts at `offsets[i]`.
        remembering: names of those bots that read the perfect-recall observation, and are served
            it; the others read the table view's fields, which come first in both.
        chances: `(setup)`: every deal with its probability, equal ones as one, for games and setups
            in which all luck can be settled before the first decision; ValueError for a setup
            with too many. None where a game cannot list them.
        configurations: tables of this game that go by a name of their own, such as those small
            enough to solve: name → arguments of `Setup.of`. `registry.configured` finds them.
        allows: `(state, seat, action)`: whether the mask of `legal` holds that action, False for a
            number that is none; None leaves that to the mask, which takes longer.
    """

    name: str
    title: str
    version: int
    players: range
    default_players: int
    simultaneous: bool
    options: type
    state: np.dtype
    deal: Kernel
    legal: Kernel
    play: Kernel
    observe: Kernel
    survey: Kernel
    resample: Kernel
    write_options: Callable[[Any, Setup], None]
    stack: Callable[[Any, Setup, Mapping[str, Any]], None]
    stack_options: frozenset[str]
    actions: Callable[[Setup], int]
    longest: Callable[[Setup], int]
    fields: Callable[[Setup], Sequence[Field]]
    survey_fields: Callable[[Setup], Sequence[Field]]
    view: Callable[[Any, int | None], View]
    view_of: Callable[[Setup, np.ndarray, int], View]
    from_view: Callable[[Setup, View, int], np.ndarray]
    remember: Callable[[Setup, View | None, View], View]
    inventory: Callable[[Any], Mapping[str, int]]
    say: Callable[[Setup, int], str]
    read: Callable[[Setup, str], int]
    words: Callable[[View], str]
    draw: Callable[[View], str] | None = None
    bots: Mapping[str, Kernel] = field(default_factory=dict)
    remembering: frozenset[str] = frozenset()
    chances: Callable[[Setup], Chances] | None = None
    configurations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    allows: Kernel | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """The game itself: there is one of each, and its compiled loops belong to it."""
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickled by its name, if the registry knows it."""
        from miaui_env.registry import find, games

        if self.name in games() and find(self.name) is self:
            return find, (self.name,)
        return super().__reduce_ex__(protocol)


@dataclass(frozen=True)
class Setup:
    """A game with its number of seats and options: what a table needs to be laid.

    Attributes:
        game: the game.
        num_players: seats at the table.
        options: the game's own options.
        perfect_recall: views hold all that a player who forgets nothing has seen.
    """

    game: Game
    num_players: int
    options: Any
    perfect_recall: bool = False

    @classmethod
    def of(
        cls,
        game: Game,
        num_players: int | None = None,
        *,
        perfect_recall: bool = False,
        **options: Any,
    ) -> Setup:
        """Check everything a caller may choose.

        Raises:
            UnknownOption: for a keyword that the game does not have.
            ValueError: for a wrong number of seats or a value out of range.
        """
        number = game.default_players if num_players is None else num_players
        if not is_whole(number) or number not in game.players:
            raise ValueError(
                f"{game.title} takes {game.players[0]} to {game.players[-1]} players, "
                f"not {number!r}"
            )
        known = ["num_players", "perfect_recall", *option_names(game)]
        refuse_unknown(options, known, f"{game.title} has no option")
        recall = flag("perfect_recall", perfect_recall)
        setup = cls(game, int(number), game.options(**options), recall)
        setup.blank  # noqa: B018  # lays a record, so that options at odds with the seats show now
        return setup

    @functools.cached_property
    def layout(self) -> Layout:
        """The seat's observation, named."""
        return Layout(self.game.fields(self))

    @functools.cached_property
    def survey_layout(self) -> Layout:
        """The referee's vector, named."""
        return Layout(self.game.survey_fields(self))

    @functools.cached_property
    def num_actions(self) -> int:
        """Number of actions, legal or not."""
        return self.game.actions(self)

    @functools.cached_property
    def longest(self) -> int:
        """The most decisions that one seat can owe in a game."""
        return self.game.longest(self)

    @functools.cached_property
    def blank(self) -> np.ndarray:
        """A record array `(1,)` that holds the options and nothing else; copy it."""
        states = np.zeros(1, self.game.state)
        states["num_players"], states["perfect_recall"] = self.num_players, self.perfect_recall
        self.game.write_options(states[0], self)
        return states

    @property
    def description(self) -> dict[str, Any]:
        """Everything that was chosen, as JSON-able values; `Setup.of` takes it back."""
        return {
            "num_players": self.num_players,
            "perfect_recall": self.perfect_recall,
            **dataclasses.asdict(self.options),
        }

    def with_recall(self, perfect_recall: bool) -> Setup:
        """The same table in the other recall mode."""
        return dataclasses.replace(self, perfect_recall=perfect_recall)

    def view(self, state: Any, seat: int | None) -> View:
        """What `seat` may know of a state; None is the referee."""
        return self.game.view(state, seat)

    def view_of(self, observation: np.ndarray, seat: int = 0) -> View:
        """The view that an observation stands for, told as from `seat`."""
        return self.game.view_of(self, observation, seat)

    def from_view(self, view: View, key: int = 0) -> np.ndarray:
        """A reachable state with that view, as a record array `(1,)`; another one for each key.

        Raises:
            ValueError: for a view of another game, version or setup, the referee's, one that is
                incomplete, or one to which no game is found.
        """
        with _reading(self, view):
            return self.game.from_view(self, view, key)

    def remember(self, remembered: View | None, view: View) -> View:
        """A seat's perfect-recall view, from the one at its decision before and the table's now.

        Raises:
            ValueError: as `from_view`, and for a view that does not follow from `remembered`.
        """
        with _reading(self, view):
            return self.game.remember(self, remembered, view)

    def say(self, action: int) -> str:
        """An action in words."""
        return self.game.say(self, action)

    def draw(self, view: View) -> str:
        """The table as SVG, exactly what the view tells."""
        if self.game.draw is not None:
            return self.game.draw(view)
        from miaui_env.render import sheet

        return sheet(self.game.words(view), self.game.title)

    def read(self, text: str) -> int:
        """The action that `text` names; ValueError says what is allowed."""
        return self.game.read(self, text)


@contextlib.contextmanager
def _reading(setup: Setup, view: View) -> Iterator[None]:
    """Refuse what is no seat's view of this table, and say so of a view that lacks something."""
    try:
        _refuse_foreign(setup, view)
        yield
    except (KeyError, IndexError, TypeError, AttributeError, OverflowError) as problem:
        raise ValueError(f"this is no view of {setup.game.title}: {problem!r}") from problem


def _refuse_foreign(setup: Setup, view: View) -> None:
    for name, wanted in (
        ("game", setup.game.name),
        ("version", setup.game.version),
        ("num_players", setup.num_players),
    ):
        if view.get(name) != wanted:
            raise ValueError(f"this view has {name} {view.get(name)!r}, the setup {wanted!r}")
    if not is_whole(view["seat"]) or view["seat"] not in range(setup.num_players):
        raise ValueError(f"a seat's view is needed, not that of {view['seat']!r}")


def option_names(game: Game) -> list[str]:
    """Names of the game's own options."""
    return [option.name for option in dataclasses.fields(game.options)]


def refuse_unknown(given: Mapping[str, Any], allowed: Sequence[str], problem: str) -> None:
    """Raise UnknownOption for the first name that is not allowed, with the nearest that is."""
    for name in given:
        if name not in allowed:
            raise UnknownOption(problem, name, allowed)


def names_its_arguments(init: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """An `__init__` that hands its `**options` on to a game, and lists its own keywords, too."""
    kinds = inspect.signature(init).parameters.values()
    own = [kind.name for kind in kinds if kind.kind is inspect.Parameter.KEYWORD_ONLY]

    @functools.wraps(init)
    def checked(*arguments: Arguments.args, **options: Arguments.kwargs) -> None:
        try:
            init(*arguments, **options)
        except UnknownOption as unknown:
            raise unknown.besides(own) from None

    return checked
