"""A learned best response: what it gains, and that no more is claimed."""

from __future__ import annotations

from typing import Any

import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import arena_bot, play_lineup
from miaui_env.benchmark.response import (
    Frozen,
    bound,
    gain,
    in_words,
    measure,
    of_nash_conv,
    verdict,
)
from miaui_env.bots import Bot
from tests.benchmark import duels
from tests.benchmark.duels import Leaning
from tests.benchmark.players import First

BUDGET = {"decisions": 1000, "seconds": 1.0, "seed": 0}


def told(response: Bot, bot: Bot, seats: int, **more: Any) -> dict[str, Any]:
    setup = Setup.of(duels.GAME, seats)
    result = measure(setup, response, Frozen(bot, setup), bot.name, deals=40)
    return bound(result, BUDGET, **more)


@pytest.mark.parametrize("seats", [2, 3])
def test_paper_gains_all_there_is_against_rock(seats: int) -> None:
    """It alone wins: reward 1 at every seat, so that NashConv is as many as there are seats."""
    found = told(Leaning(1, 100), Leaning(0, 100), seats, nash_conv=float(seats))
    assert found["gain"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert of_nash_conv(found).mean == seats
    assert verdict(found) == "a lower bound: at least 1.000 can be gained"
    words = in_words(found)
    assert "1,000 decisions" in words and f"of NashConv {seats}.0000" in words


def test_a_response_that_gains_nothing_is_told_as_such() -> None:
    assert told(Leaning(0, 100), Leaning(0, 100), 3)["gain"]["mean"] == pytest.approx(0)
    for response in (Leaning(0, 100), Leaning(2, 100)):
        found = told(response, Leaning(0, 100), 3)
        assert verdict(found).startswith("no bound: this response gains nothing for sure")
    assert found["gain"]["mean"] < -0.4, "scissors lose to rocks"


def test_the_bot_sees_what_it_sees_at_its_own_table() -> None:
    """The response remembers all; what is served to the others must not change by that."""
    setup = Setup.of(find("miaui"), 2)
    all_knowing, plain = First("all-knowing", perfect_recall=True), First("plain")
    measure(setup, all_knowing, Frozen(plain, setup), "plain", deals=2)
    sizes = [{len(row) for row in bot.shown.values()} for bot in (all_knowing, plain)]
    assert sizes == [{setup.with_recall(True).layout.size}, {setup.layout.size}]


def test_deals_are_kept_for_this_and_nothing_else() -> None:
    setup = Setup.of(find("miaui"), 2)
    bots = [arena_bot("highest"), Frozen(arena_bot("greedy"), setup)]
    here = measure(setup, bots[0], bots[1], "greedy", deals=30)  # type: ignore[arg-type]
    others = play_lineup(setup, bots, deals=30)
    assert here.purpose == "response" and here.slots[0].points != others.slots[0].points
    assert gain(here).mean == pytest.approx(2 * (here.bots[0].win_share.mean or 0) - 1)


def test_a_bot_that_cannot_sit_there_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="has no bot 'highest'"):
        Frozen(arena_bot("highest"), Setup.of(find("maui")))
