"""Players by rule: random, and each game's hand-written ones as compiled kernels."""

from __future__ import annotations

import difflib
import dis
import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from miaui_env.bots.protocol import Bot
from miaui_env.engine.compile import direct, kernel, plain, specialise
from miaui_env.engine.desk import opened
from miaui_env.engine.loops import BOT, any_legal, decision_key
from miaui_env.game import Setup
from miaui_env.registry import find, games

if TYPE_CHECKING:
    from miaui_env.engine.tables import Tables

    choose: Any


def choose_all(observations: Any, offsets: Any, action_masks: Any, keys: Any, actions: Any) -> None:
    """Ask the bot's kernel `choose` for each row."""
    for i in range(len(actions)):
        actions[i] = choose(observations[i], offsets, action_masks[i], keys[i])


def choose_at_tables(
    desks: Any, side: int, moving: Any, chart: Any, number: int, offsets: Any
) -> int:
    """Commit what the bot's kernel chooses at each seat that `chart` gives to `number`.

    At the tables `moving`, where the seat owes an action; returns how many answers are not legal.
    """
    desk = opened(desks, side, np.int8)  # the states stay shut
    wrong = 0
    for i in range(chart.shape[0]):
        for seat in range(chart.shape[1]):
            if moving[i] and chart[i, seat] == number and desk.to_act[i, seat]:
                key = decision_key(desk.keys[i], BOT, seat, desk.decisions[i, seat])
                mask = desk.action_masks[i, seat]
                action = np.int64(choose(desk.observations[i, seat], offsets, mask, key))
                desk.actions[i, seat] = action
                if action < 0 or action >= len(mask) or mask[action] == 0:
                    wrong += 1
    return wrong


@functools.cache
def _loop_of(
    loop: Callable[..., Any], label: str, choice: Callable[..., Any]
) -> Callable[..., Any]:
    return specialise(loop, label, choose=choice)


@kernel
def choose_randomly(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """A uniformly random legal action."""
    return any_legal(mask, key)


_NO_OFFSETS = np.zeros(1, np.int64)
_PLAIN: tuple[Literal["C"], Literal["W"]] = ("C", "W")
"""How compiled code takes arrays: in one piece, and not read-only."""


class KernelBot(Bot):
    """A bot that is a kernel `choose(observation, offsets, mask, key) -> action`."""

    def __init__(self, name: str, choice: Callable[..., Any], offsets: np.ndarray) -> None:
        """`offsets[f]` is where field f of the observation begins."""
        self.name, self._choice, self._offsets = name, choice, offsets

    def probabilities(
        self, observations: np.ndarray, action_masks: np.ndarray
    ) -> np.ndarray | None:
        """All on one action, of a kernel that never reads its key; else None."""
        code = plain(self._choice).__code__
        key = code.co_varnames[code.co_argcount - 1]
        if any(step.argval == key for step in dis.get_instructions(code)):
            return None
        keys = np.zeros(len(observations), np.uint64)
        actions = self.act(observations, action_masks, keys)
        return np.asarray(np.eye(action_masks.shape[1])[actions])

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """One action a row, see `Bot.act`."""
        size = int(self._offsets[-1])
        refuse_other_shapes(self.name, size, 0, observations, action_masks, keys)
        actions = np.empty(len(keys), np.int16)
        seen, masks = (np.require(part, np.int8, _PLAIN) for part in (observations, action_masks))
        luck = np.require(keys, np.uint64, _PLAIN)
        _loop_of(choose_all, self.name, self._choice)(seen, self._offsets, masks, luck, actions)
        return actions

    def commit(self, tables: Tables, moving: np.ndarray, chart: np.ndarray, number: int) -> bool:
        """Choose at all seats of these tables that `chart` gives to `number`, see `Tables.desks`.

        Who calls this sees to it that all belong together: compiled code checks no bounds.

        Args:
            tables: of the setup that the bot is fitted to.
            moving: bool `(tables,)`, those to choose at.
            chart: int16 `(tables, seats)`.
            number: stands for this bot.

        Returns:
            Whether all answers are legal.
        """
        loop = direct(self._at_tables)
        return not loop(tables.desks, tables.side, moving, chart, number, self._offsets)

    @functools.cached_property
    def _at_tables(self) -> Callable[..., Any]:
        return _loop_of(choose_at_tables, self.name, self._choice)

    def __getstate__(self) -> dict[str, Any]:
        """All but compiled code."""
        return {name: part for name, part in vars(self).items() if name != "_at_tables"}


def refuse_other_shapes(
    name: str, size: int, actions: int, observations: Any, action_masks: Any, keys: Any
) -> None:
    """ValueError for arrays that do not belong together: kernels check no bounds.

    `size` and `actions` are those of a row; 0 for any.
    """
    batch, seen, masks = np.shape(keys), np.shape(observations), np.shape(action_masks)
    fits = len(batch) == 1 and len(seen) == len(masks) == 2 and seen[0] == masks[0] == batch[0]
    if not fits or (size or seen[1]) != seen[1] or (actions or masks[1]) != masks[1]:
        raise ValueError(
            f"{name} takes observations (batch, {size or 'size'}), masks (batch, "
            f"{actions or 'actions'}) and keys (batch,), not of shapes {seen}, {masks} and {batch}"
        )
    if batch[0] and not np.asarray(action_masks).any(1).all():
        raise ValueError(f"{name} is asked for a move where none is legal")


class RuleBot(Bot):
    """A named hand-written player, before it is told which game is on the table."""

    def __init__(self, name: str) -> None:
        """ValueError for a name that no game has."""
        known = rule_bots()
        if name not in known:
            near = difflib.get_close_matches(name, ["random", *known], 1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise ValueError(
                f"no bot {name!r}{hint}; hand-written ones are random, {', '.join(known)}"
            )
        self.name = name

    def recall_at(self, setup: Setup) -> bool | None:
        """Perfect recall if the game says that this bot remembers, else either."""
        return True if self.name in setup.game.remembering else None

    def fitted(self, setup: Setup) -> Bot:
        """The kernel of that game, reading that setup's fields."""
        if self.name not in setup.game.bots:
            raise ValueError(
                f"{setup.game.title} has no bot {self.name!r}; it has {', '.join(setup.game.bots)}"
            )
        if self.recall_at(setup) and not setup.perfect_recall:
            raise ValueError(f"{self.name} needs a table with perfect_recall=True")
        label = f"{setup.game.name}.{self.name}"
        return KernelBot(label, setup.game.bots[self.name], setup.layout.offsets)

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """As `Bot.act`, for a game in its default options, known by the shapes."""
        shape = (observations.shape[-1], action_masks.shape[-1])
        return self._guessed(shape).act(observations, action_masks, keys, memory)

    @functools.cache  # noqa: B019  # bots are few and live as long as the program
    def _guessed(self, shape: tuple[int, int]) -> Bot:
        having = tuple(game.name for game in map(find, games()) if self.name in game.bots)
        return self.fitted(setup_by_shape(self.name, having, shape))


def rule_bots() -> list[str]:
    """Names of all games' hand-written players."""
    return sorted({bot for game in map(find, games()) for bot in game.bots})


@functools.cache
def setup_by_shape(bot: str, names: tuple[str, ...], shape: tuple[int, int]) -> Setup:
    """The one setup with default options whose observations and masks have these sizes.

    Raises:
        ValueError: where none of these games, or more than one setup, has them.
    """
    fits = [setup for setup in default_setups(names, bot) if _shape(setup) == shape]
    if len(fits) != 1:
        raise ValueError(
            f"{bot} cannot tell the game from {shape[0]} observation entries and "
            f"{shape[1]} actions; say load_bot(name).fitted(env.unwrapped.setup)"
        )
    return fits[0]


def default_setups(names: Sequence[str], bot: str) -> list[Setup]:
    """These games in default options, for each number of seats and recall mode.

    Where the bot remembers, it is only the mode that it wants.
    """
    return [
        Setup.of(game, number, perfect_recall=recall)
        for game in map(find, names)
        for number in game.players
        for recall in (False, True)
        if recall or bot not in game.remembering
    ]


def _shape(setup: Setup) -> tuple[int, int]:
    return setup.layout.size, setup.num_actions


class RandomBot(KernelBot):
    """A uniformly random legal action, in any game."""

    def __init__(self) -> None:
        super().__init__("random", choose_randomly, _NO_OFFSETS)

    def probabilities(
        self, observations: np.ndarray, action_masks: np.ndarray
    ) -> np.ndarray | None:
        """All legal actions alike."""
        likely: np.ndarray = action_masks / action_masks.sum(1, keepdims=True)
        return likely


def random_bot() -> Bot:
    """A uniformly random legal action, in any game."""
    return RandomBot()
