"""Who sits where: learners, whose actions come from outside, and bots at all other seats."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from miaui_env.bots import Bot, load_bot
from miaui_env.bots.simple import KernelBot
from miaui_env.engine.compile import specialise
from miaui_env.engine.rng import mix, spread
from miaui_env.engine.tables import Step, Tables
from miaui_env.game import Setup

Named = str | Path | Bot
Opponents = Named | Sequence[Named] | Sequence[tuple[np.ndarray, Named]]

LEARNER = -1
SEAT_OF_LEARNER = 1 << 36
"""Purpose of the draw that seats the learner; beside those in `engine.loops`."""


def seat_learners(
    dealt: Any, seeds: Any, episodes: Any, pattern: Any, seats_of: Any, chart: Any
) -> None:
    """At each table `dealt` draw the learner's seat, and turn `pattern` to it.

    `seats_of` int64 `(tables,)` and `chart` int16 `(tables, seats)` are written. In compiled code,
    since NumPy took 60 µs for one table.
    """
    seats = chart.shape[1]
    for i in range(len(dealt)):
        if dealt[i]:
            first = spread(mix(mix(seeds[i], SEAT_OF_LEARNER), episodes[i]), seats)
            seats_of[i] = first
            for steps in range(seats):
                chart[i, (first + steps) % seats] = pattern[steps]


_take_seats = specialise(seat_learners, "seating")


class Guest:
    """A bot, ready for the tables of one setup, and shown only the view that its card asks for.

    Attributes:
        bot: the bot, fitted.
        size: it is shown that many entries of an observation, from the first.
        remembers: it has a memory for each game.
        compiled: the bot, if it is a game's own kernel and plays by all that its tables show. It is
            handed its seat's rows themselves, one by one, and trusted to stay within them.
    """

    def __init__(self, bot: Named, setup: Setup) -> None:
        """Load and fit it; ValueError where it cannot play, saying why."""
        if not isinstance(bot, (str, Path, Bot)):
            raise ValueError(f"an opponent is a miaui_env.bots.Bot or the name of one, not {bot!r}")
        bot = bot if isinstance(bot, Bot) else load_bot(bot)
        wanted = bot.recall_at(setup)
        recall = setup.perfect_recall if wanted is None else wanted
        if recall and not setup.perfect_recall and bot.plays_either:
            recall = False
        if recall and not setup.perfect_recall:
            raise ValueError(f"{bot.name} needs a table with perfect_recall=True")
        served = setup if recall == setup.perfect_recall else setup.with_recall(recall)
        self.bot = bot.fitted(served)
        self.size = served.layout.size
        kernel = isinstance(self.bot, KernelBot) and self.size == setup.layout.size
        self.compiled = cast(KernelBot, self.bot) if kernel else None
        self.remembers = self.bot.begin(1) is not None

    def __deepcopy__(self, memo: Any) -> Guest:
        """What changes in a game is memory, kept elsewhere: copied environments share the bot."""
        return self

    def act(
        self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray, memory: Any = None
    ) -> np.ndarray:
        """Actions for a batch, as `Bot.act`, from observations as the table has them.

        The bot gets copies: an array's `base` would lead to what it may not see.

        Raises:
            ValueError: for an answer that is no legal action for each row; it does not say which
                are legal, for it may reach another seat.
        """
        own = observations[:, : self.size].copy()
        answer = np.asarray(self.bot.act(own, masks.copy(), keys.copy(), memory))
        if answer.shape != (len(keys),) or answer.dtype.kind not in "iu":
            raise ValueError(
                f"bot {self.bot.name!r} answers {answer.dtype} of shape {answer.shape}, "
                f"not integers of shape ({len(keys)},)"
            )
        inside = (answer >= 0) & (answer < masks.shape[1])
        if not (inside.all() and masks[np.arange(len(keys)), answer].all()):
            self.refuse()
        return answer

    def refuse(self) -> None:
        """ValueError: what it answered is not legal."""
        raise ValueError(f"bot {self.bot.name!r} answers with an action that is not legal")


class Seating:
    """A chart of many tables: at each seat a learner or one of the guests.

    Either each table has one learner, at a fixed seat or at a random one each episode, and guests
    sit clockwise after it; or `learners` says which seats learn, and guests sit where masks say.

    Attributes:
        chart: int16 `(tables, seats)`; LEARNER, or which of `guests`.
        guests: the bots.
        remembers: some guest has a memory.
        memories: those memories, by table and seat.
        tables_of, seats_of: int `(learners,)`; where each learner sits, in table and seat order.
        everyone: all seats learn.
    """

    def __init__(
        self,
        tables: Tables,
        opponents: Opponents,
        *,
        seat: int | None = None,
        learners: np.ndarray | None = None,
    ) -> None:
        """Seat one learner a table at `seat` (None: random each episode), or all `learners`."""
        shape = (tables.num_tables, tables.setup.num_players)
        self._tables, self._seat, self._mask = tables, seat, learners
        self.chart = np.full(shape, LEARNER, np.int16)
        self._everywhere = np.ones(shape[0], np.bool_)
        self.guests: list[Guest] = []
        self.memories: dict[tuple[int, int], Any] = {}
        if learners is None:
            if seat is not None and (isinstance(seat, bool) or seat not in range(shape[1])):
                raise ValueError(
                    f"seat is 0 to {shape[1] - 1}, or None for a random one, not {seat!r}"
                )
            self.tables_of = np.arange(shape[0])
            self.seats_of = np.full(shape[0], seat or 0)
        else:
            self._mask = checked_learners(learners, tables)
            self.tables_of, self.seats_of = np.nonzero(self._mask)
        self.everyone = len(self.tables_of) == self.chart.size
        self.invite(opponents)

    # --- who plays -------------------------------------------------------------------------------

    def invite(self, opponents: Opponents) -> None:
        """Put bots at all seats where nobody learns; they take over at once, also in mid-game.

        Args:
            opponents: one for all; with one learner a table also a list of them, clockwise after
                the learner; with a mask of learners also pairs (bool `(tables, seats)`, bot).
        """
        named: list[Named] = []
        if self._mask is None:
            pattern = self._clockwise(opponents, named)
        else:
            chart = self._by_mask(opponents, self._mask, named)
        self.guests = [Guest(bot, self._tables.setup) for bot in named]
        self.remembers = any(guest.remembers for guest in self.guests)
        if self._mask is None:
            self._pattern = pattern
            chart = self._charted()
        self.chart[:] = chart
        self.memories.clear()
        self._begin(self._everywhere)

    def _clockwise(self, opponents: Any, named: list[Named]) -> np.ndarray:
        """The chart of a table whose learner sits at 0; int16 `(seats,)`."""
        others = self.chart.shape[1] - 1
        bots = list(opponents) if isinstance(opponents, (list, tuple)) else [opponents] * others
        if len(bots) != others:
            raise ValueError(
                f"opponents are {others}, clockwise after the learner, not {len(bots)}"
            )
        return np.array([LEARNER, *(_index(bot, named) for bot in bots)], np.int16)

    def _by_mask(self, opponents: Any, learners: np.ndarray, named: list[Named]) -> np.ndarray:
        pairs = (
            list(opponents) if isinstance(opponents, (list, tuple)) else [(~learners, opponents)]
        )
        chart = np.full(learners.shape, LEARNER, np.int16)
        for pair in pairs:
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise ValueError(
                    "opponents are one bot, or pairs (bool array (tables, seats), bot)"
                )
            where = _mask("the seats of a bot", pair[0], learners.shape)
            if (where & (learners | (chart != LEARNER))).any():
                raise ValueError("a bot's mask overlaps the learners or another bot's")
            if where.any():
                chart[where] = _index(pair[1], named)
        if ((chart == LEARNER) != learners).any():
            raise ValueError("some seats have neither a learner nor a bot")
        return chart

    # --- a game begins ---------------------------------------------------------------------------

    @property
    def draws_seats(self) -> bool:
        """Whether learners sit at another, random seat in each game."""
        return self._mask is None and self._seat is None

    def sit(self, dealt: np.ndarray) -> None:
        """Take seats for the games just dealt; bool `(tables,)`."""
        if self.draws_seats:
            tables, places = self._tables, (self._pattern, self.seats_of, self.chart)
            _take_seats(dealt, tables.seeds, tables.episodes, *places)
        if self.remembers:
            self._begin(dealt)

    def resume(self, seats: np.ndarray) -> None:
        """Put learners where they sat, see `seats_of`; int `(learners,)`."""
        self.seats_of[:] = seats
        if self._mask is None:
            self.chart[:] = self._charted()

    def _charted(self) -> np.ndarray:
        """The pattern, turned to each learner's seat; int16 `(tables, seats)`."""
        seats = np.arange(self.chart.shape[1])
        turned: np.ndarray = self._pattern[(seats - self.seats_of[:, None]) % len(seats)]
        return turned

    def _begin(self, dealt: np.ndarray) -> None:
        """Fresh memories at the tables dealt."""
        for number, guest in enumerate(self.guests):
            if guest.remembers:
                for table, seat in np.argwhere((self.chart == number) & dealt[:, None]).tolist():
                    self.memories[table, seat] = guest.bot.begin(1)

    # --- playing ---------------------------------------------------------------------------------

    def commit(self, moving: np.ndarray | None = None) -> Step:
        """Play what learners have `committed`, and with it what guests that owe an action choose.

        Args:
            moving: bool `(tables,)`, the tables at which guests choose; by default all.

        Raises:
            ValueError: for an illegal action, unless `illegal` says otherwise; nothing changes.
        """
        before = copy.deepcopy(self.memories) if self.remembers else {}
        try:
            self._choose(self._everywhere if moving is None else moving)
            return self._tables.commit(self._tables.committed)
        except ValueError:
            self.memories.update(before)
            raise

    def _choose(self, moving: np.ndarray) -> None:
        tables, keys = self._tables, None
        for number, guest in enumerate(self.guests):
            if guest.compiled is not None:
                if not guest.compiled.commit(tables, moving, self.chart, number):
                    guest.refuse()
                continue
            owing = tables.to_act & (self.chart == number) & moving[:, None]
            if owing.any():
                keys = tables.decision_keys() if keys is None else keys
                shown = tables.observations[owing], tables.action_masks[owing]
                tables.committed[owing] = self._asked(guest, *shown, keys[owing], np.nonzero(owing))

    def _asked(
        self,
        guest: Guest,
        observations: np.ndarray,
        masks: np.ndarray,
        keys: np.ndarray,
        where: tuple[np.ndarray, ...],
    ) -> np.ndarray:
        """All at once; but one by one with a memory, which is of one game that began by itself."""
        if not guest.remembers:
            return guest.act(observations, masks, keys)
        chosen = np.empty(len(keys), np.int16)
        for i, (table, seat) in enumerate(np.stack(where, 1).tolist()):
            one = slice(i, i + 1)
            memory = self.memories[table, seat]
            chosen[one] = guest.act(observations[one], masks[one], keys[one], memory)
        return chosen


def checked_learners(learners: Any, tables: Tables) -> np.ndarray:
    """The mask of learners, if tables can be played that way; bool `(tables, seats)`."""
    game, shape = tables.setup.game, (tables.num_tables, tables.setup.num_players)
    mask = _mask("learners", learners, shape)
    if not mask.any(1).all():
        raise ValueError("each table needs a learner")
    if not game.simultaneous and (mask.sum(1) > 1).any():
        raise ValueError(
            f"{game.title} is played in turns, so one seat a table learns: "
            "name it, or take None for a random one each episode"
        )
    return mask


def _mask(what: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    mask = np.asarray(given)
    if mask.dtype != np.bool_ or mask.shape != shape:
        raise ValueError(f"{what}: a bool array of shape {shape}, not {mask.dtype} {mask.shape}")
    return mask.copy()


def _index(bot: Named, named: list[Named]) -> int:
    """Where `bot` stands among those named so far, so that one bot is asked in one batch."""
    for i, known in enumerate(named):
        if known is bot or (isinstance(bot, (str, Path)) and known == bot):
            return i
    named.append(bot)
    return len(named) - 1
