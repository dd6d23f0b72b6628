"""What a learned best response wins against a bot: a lower bound on how exploitable it is.

The response takes one seat, copies of the bot all others, in all rotations of fresh deals. Gains
are in the reward "win", (n · share − 1) / (n − 1), above what the bot has among copies of itself;
over all seats that is 0, so the gain is what the response has, and n times it bounds NashConv from
below. A response that gains nothing says nothing of the bot: another one may.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from miaui_env.benchmark.arena import Progress, Purpose, play_lineup
from miaui_env.benchmark.figures import Figure
from miaui_env.benchmark.result import Result
from miaui_env.bots import Bot
from miaui_env.game import Setup

SCHEMA = "miaui_env.best_response/1"
RESPONSE = "best response"
"""What the learned bot is called in the line-up."""


class Frozen(Bot):
    """A bot at one table, shown just the view that it has there, whatever others are shown."""

    def __init__(self, bot: Bot, setup: Setup) -> None:
        """ValueError where the bot cannot play at that table."""
        wanted = bot.recall_at(setup)
        self.bot, self.name, self.deterministic = bot, bot.name, bot.deterministic
        self.perfect_recall: bool = setup.perfect_recall if wanted is None else wanted
        self.plays = bot.fitted(setup.with_recall(self.perfect_recall))

    def begin(self, batch: int) -> Any:
        """The bot's memory."""
        return self.plays.begin(batch)

    def act(
        self,
        observations: np.ndarray,
        action_masks: np.ndarray,
        keys: np.ndarray,
        memory: Any = None,
    ) -> np.ndarray:
        """The bot's moves, see `Bot.act`."""
        return self.plays.act(observations, action_masks, keys, memory)


def measure(
    setup: Setup,
    response: Bot,
    bot: Frozen,
    name: str,
    *,
    deals: int,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Play the response against copies of the bot, which goes by `name`, on deals kept for it."""
    others = setup.num_players - 1
    return play_lineup(
        setup,
        [response, *[bot] * others],
        names=[RESPONSE, *[name] * others],
        deals=deals,
        seed=seed,
        purpose=Purpose.RESPONSE,
        seating="rotations",
        workers=workers,
        progress=progress,
    )


def bound(
    result: Result,
    budget: Mapping[str, Any],
    configuration: str | None = None,
    nash_conv: float | None = None,
) -> dict[str, Any]:
    """What came of it, as JSON has it.

    Args:
        result: of `measure`.
        budget: what learning the response cost: decisions, seconds, seed, algorithm.
        configuration: the table's name, where it has one.
        nash_conv: the bot's exact one, where it is known.
    """
    told = {
        "schema": SCHEMA,
        "bound": "lower",
        "bot": result.lineup[1],
        "seed": result.seed,
        "configuration": configuration,
        "game": result.game,
        "game_version": result.game_version,
        "setup": result.setup,
        "budget": budget,
        "gain": vars(gain(result)),
        "nash_conv": nash_conv,
        "arena": result.to_json(),
    }
    plain: dict[str, Any] = json.loads(json.dumps(told))
    return plain


def gain(result: Result) -> Figure:
    """Mean over seats of what the response gains, in the reward "win"."""
    n = len(result.lineup)
    return _moved(result.of(RESPONSE).win_share, n / (n - 1), -1 / (n - 1))


def _moved(figure: Figure, factor: float, more: float = 0.0) -> Figure:
    """The figure times a factor, and something more."""
    ends = (figure.mean, figure.low, figure.high)
    return Figure(*(None if end is None else factor * end + more for end in ends))


def seats_of(told: Mapping[str, Any]) -> int:
    """Of the table."""
    return int(told["setup"]["num_players"])


def of_nash_conv(told: Mapping[str, Any]) -> Figure:
    """The bound on NashConv: what responses at all seats would gain together."""
    return _moved(Figure(**told["gain"]), seats_of(told))


def verdict(told: Mapping[str, Any]) -> str:
    """In words, with no more claimed than was found."""
    figure = Figure(**told["gain"])
    if figure.low is not None and figure.low > 0:
        return f"a lower bound: at least {figure.low:.3f} can be gained"
    return "no bound: this response gains nothing for sure, which says nothing of others"


def in_words(told: Mapping[str, Any]) -> str:
    """The result in a few lines."""
    budget, arena = told["budget"], told["arena"]
    share = Figure(**arena["bots"][0]["win_share"]).words(3)
    lines = [
        f"{arena['title']}: {arena['deals']} deals × {arena['rotations']} rotations",
        f"learned for {budget['decisions']:,} decisions ({budget['seconds']:.0f} s), "
        f"seed {budget['seed']}",
        f"win share {share}, equal share {arena['equal_share']:.3f}",
        f"gain a seat {Figure(**told['gain']).words(3)} in the reward win; {verdict(told)}",
    ]
    if told["nash_conv"] is not None:
        bounded = of_nash_conv(told).words(4)
        lines.append(f"of NashConv {bounded}, where exactly it is {told['nash_conv']:.4f}")
    return "\n".join(lines)
