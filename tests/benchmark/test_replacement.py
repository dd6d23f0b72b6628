"""Matched replacement: the same deals, one bot changed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import arena_bot, play_lineup, play_replacement
from miaui_env.benchmark.replacement import differences
from miaui_env.benchmark.summary import Games, unit

SETUP = Setup.of(find("miaui"), 3)


def test_a_bot_in_its_own_place_makes_no_difference() -> None:
    bot, other = arena_bot("lowest"), arena_bot("random")
    found = play_replacement(
        SETUP, bot, bot, [other] * 2, deals=12, names=["a", "b", "other", "other"]
    )
    assert {figure.mean for figure in found.differences.values()} == {0.0}
    assert {(figure.low, figure.high) for figure in found.differences.values()} == {(0.0, 0.0)}


def test_the_difference_is_that_of_the_means_with_a_narrower_interval() -> None:
    names = ["greedy", "greedy~0.2", "random", "lowest"]
    bots = [arena_bot(name) for name in names]
    found = play_replacement(SETUP, bots[0], bots[1], bots[2:], deals=80, names=names, seed=3)
    assert found.title == "greedy~0.2 in place of greedy, among random + lowest"
    assert found.first.seatings == found.second.seatings
    alone = play_lineup(SETUP, [bots[0], *bots[2:]], deals=80, seed=3)
    assert found.first.of("greedy") == alone.of("greedy")
    for what in ("win_share", "rank_credit", "points", "margin"):
        one, other = (getattr(r.bots[0], what) for r in (found.first, found.second))
        paired = found.differences[what]
        assert paired.mean == pytest.approx(other.mean - one.mean)
        assert paired.low is not None and paired.high is not None
        independent = ((one.high - one.low) ** 2 + (other.high - other.low) ** 2) ** 0.5
        assert paired.high - paired.low < independent
    assert json.loads(json.dumps(found.to_json()))["schema"] == "miaui_env.replacement/1"


def games(points: object, at_fault: object) -> Games:
    """Deals of two seats and one seating; who is not at fault wins."""
    faults = np.array(at_fault, bool)[:, None]
    return Games(~faults * unit(2), np.array(points)[:, None], faults, ())


def test_points_are_compared_in_games_that_both_finished() -> None:
    first = games([[9, 1], [8, 2], [7, 3]], [[0, 0], [0, 0], [1, 0]])
    second = games([[5, 1], [4, 4], [3, 3]], [[0, 0], [1, 0], [0, 0]])
    found = differences(first, second, 1)
    assert found["points"].mean == 5 - 9
    assert found["margin"].mean == (5 - 1) - (9 - 1)
    assert found["win_share"].mean == pytest.approx((0 - 1 + 1) / 3)
    ranks = [1, 1, 0], [1, 0, 0.5]  # a forfeit stands below, equal points beside
    assert found["rank_credit"].mean == pytest.approx((sum(ranks[1]) - sum(ranks[0])) / 3)
