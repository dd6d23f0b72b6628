"""Notices progress that is none: a learner that goes round in circles.

Where no way to play is best, as in rock, paper, scissors, a learner may beat its last self again
and again and get nowhere. So beside the self before stands the *standing*: the mean of the win
shares against each yardstick and against the pool of earlier selves. Only that counts as progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from miaui_env import Setup
from miaui_env.benchmark.arena import Purpose, play_lineup
from training.policy import put_weights
from training.pool import PolicyBot, Pool

WINDOW = 6
"""Examinations that are looked at together."""
MARGIN = 0.1
"""So much more than its equal share must the learner win of its selves before, to look better."""
DEALS = 60
"""Deals of each comparison with other selves."""


class Monitor:
    """Win shares of one learner, examination by examination.

    Attributes:
        before: against the learner of the examination before.
        standing: the mean over the yardsticks and the pool.
    """

    def __init__(self, equal_share: float) -> None:
        """`equal_share` is 1 / seats: what a learner wins of its own copies."""
        self.equal_share = equal_share
        self.before: list[float] = []
        self.standing: list[float] = []

    def take(self, before: float, field: Sequence[float]) -> None:
        """One examination: against the self before, and against each yardstick and the pool."""
        self.before.append(before)
        self.standing.append(fmean(field))

    @property
    def cycling(self) -> bool:
        """Whether the learner lately kept beating its last self, and its standing did not grow."""
        if len(self.before) < WINDOW:
            return False
        standing = self.standing[-WINDOW:]
        grown = fmean(standing[WINDOW // 2 :]) - fmean(standing[: WINDOW // 2])
        return fmean(self.before[-WINDOW:]) > self.equal_share + MARGIN and grown < MARGIN / 2


def share_among(setup: Setup, bot: PolicyBot, selves: Sequence[PolicyBot]) -> float:
    """What the bot wins with other selves at the other seats, over development deals."""
    others = [selves[i % len(selves)] for i in range(setup.num_players - 1)]
    bots = [bot, *others]
    result = play_lineup(
        setup,
        bots,
        deals=DEALS,
        seed=0,
        purpose=Purpose.DEVELOPMENT,
        names=[one.name for one in bots],
        seating="rotations",
    )
    return result.of(bot.name).win_share.mean or 0.0


def earlier_selves(pool: Pool, bot: PolicyBot, seats: int) -> list[PolicyBot]:
    """Members of the pool for the other seats, oldest first; they have the form of `bot`."""
    numbers = sorted(pool.members)
    drawn = np.linspace(0, len(numbers) - 1, seats - 1).round().astype(int)
    return [_after(numbers[i], pool, bot) for i in dict.fromkeys(drawn.tolist())]


def _after(update: int, pool: Pool, bot: PolicyBot) -> PolicyBot:
    made = PolicyBot(bot.policy, f"after {update} updates", bot.temperature)
    put_weights(made.policy, pool.members[update])
    return made
