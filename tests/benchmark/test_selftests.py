"""The arena judged where the truth is known: copies, seats, cycles, clones, intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import arena_bot, cycles, field, play_lineup, rating
from miaui_env.benchmark.field import Shares, findings
from miaui_env.benchmark.tournament import Tournament
from miaui_env.bots import Bot
from tests.benchmark import duels
from tests.benchmark.duels import Leaning


@pytest.fixture(autouse=True)
def fewer_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field, "RESAMPLES", 400)


HANDS: dict[str, Bot] = {
    name: Leaning(hand, 60) for hand, name in enumerate(("rock", "paper", "scissors"))
}


def held(
    folder: Path, setup: Setup, bots: dict[str, Bot], deals: int = 100, **more: Any
) -> dict[str, Any]:
    """A tournament's findings."""
    planned = Tournament.of(setup, bots, deals=deals, **more)
    return findings(planned, planned.play(folder / "log", apart=False), 0.0)


def inside(figure: dict[str, float], truth: float, slack: float = 0.0) -> bool:
    return figure["low"] - slack <= truth <= figure["high"] + slack


@pytest.mark.parametrize("seats", [2, 3])
def test_equal_copies_under_other_names_are_equal(tmp_path: Path, seats: int) -> None:
    """Copies play alike where they sit alike, so their figures miss together: look twenty times."""
    copies: dict[str, Bot] = {name: Leaning(0, 0) for name in "abcd"}
    equal = []
    for seed in range(20):
        (tmp_path / str(seed)).mkdir()
        found = held(tmp_path / str(seed), Setup.of(duels.GAME, seats), copies, seed=seed)
        duel = [match for match in found["matches"] if match["kind"] == "duel"]
        shares = [match["bots"][match["lineup"][0]]["win_share"] for match in duel]
        equal += [inside(share, 1 / seats) for share in shares]
        # A copy that had each place at the mixed tables differs by hundredths of a point.
        equal += [inside(figure, 0, 0.1) for figure in found["ratings"].values()]
        assert found["cycles"]["found"] == []
    print(np.mean(equal), np.array(equal).reshape(20, -1).mean(1))
    assert np.mean(equal) >= 0.85, np.array(equal).reshape(20, -1).mean(1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_that_wins_makes_nobody_who_sits_there_better(tmp_path: Path, seats: int) -> None:
    setup = Setup.of(duels.GAME, seats, head_start=100)
    copies: dict[str, Bot] = {name: Leaning(0, 0) for name in "abc"}
    found = held(tmp_path, setup, copies, deals=20)
    for match in found["matches"]:
        for figures in match["bots"].values():
            assert figures["win_share"]["mean"] == pytest.approx(1 / seats)
    spread = [figure["mean"] for figure in found["ratings"].values()]
    assert spread == pytest.approx([0, 0, 0], abs=1e-6)
    assert found["cycles"]["share"]["mean"] == pytest.approx(0)


@pytest.mark.parametrize("seats", [2, 3])
def test_rock_paper_scissors_has_equal_ratings_and_is_all_cycle(tmp_path: Path, seats: int) -> None:
    found = held(tmp_path, Setup.of(duels.GAME, seats), HANDS, deals=200)
    assert all(inside(figure, 0) for figure in found["ratings"].values())
    share = found["cycles"]["share"]
    assert share["low"] > 0.9 > 0.1 > found["cycles"]["by_chance"]
    assert found["cycles"]["found"] == [["rock", "scissors", "paper"]]


def test_a_field_with_one_order_has_no_cycle(tmp_path: Path) -> None:
    setup = Setup.of(find("miaui"), 2)
    bots = {name: arena_bot(name) for name in ("greedy", "greedy~0.5", "random")}
    found = held(tmp_path, setup, bots, deals=150)
    assert list(found["ratings"]) == list(bots)
    assert found["anchor"] == "random" and found["ratings"]["random"]["mean"] == 0
    assert found["ratings"]["greedy"]["low"] > found["ratings"]["greedy~0.5"]["mean"]
    assert found["cycles"]["share"]["high"] < 0.2 and found["cycles"]["found"] == []


@pytest.mark.parametrize("seats", [2, 3])
def test_weak_clones_do_not_change_the_order_of_the_others(tmp_path: Path, seats: int) -> None:
    setup = Setup.of(find("miaui"), seats)
    names = ("greedy", "greedy~0.4", "random")
    bots = {name: arena_bot(name) for name in names}
    clones = {f"clone {i}": arena_bot("lowest") for i in range(3)}
    (tmp_path / "more").mkdir()
    alone = held(tmp_path, setup, bots, deals=60, tables=0)
    among = held(tmp_path / "more", setup, {**bots, **clones}, deals=60, tables=0)
    order = [name for name in among["ratings"] if name in names]
    assert order == list(alone["ratings"]) == list(names)


def test_intervals_of_win_shares_hold_the_truth_about_95_times_in_100() -> None:
    setup, alike = Setup.of(duels.GAME, 3), [Leaning(0, 0), *[Leaning(1, 0)] * 2]
    figures = [
        play_lineup(setup, alike, deals=40, seed=seed).bots[0].win_share for seed in range(150)
    ]
    held = [f.low is not None and f.high is not None and f.low <= 1 / 3 <= f.high for f in figures]
    assert 0.89 <= np.mean(held) <= 0.99


def test_intervals_of_ratings_hold_the_truth_about_95_times_in_100() -> None:
    strength, luck = np.array([1.0, 2.0, 4.0]), np.random.default_rng(0)
    truth = rating.elo(strength[None], None)[0]
    copies = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    chance = rating.expected(copies, strength)
    held = []
    for repeat in range(150):
        won = [luck.multinomial(1, chances, 80) for chances in chance]  # (deals, bots) a match
        by_deal = np.stack(won, 1).astype(np.float64)
        shares = Shares(copies, by_deal.mean(0), field.resampled(by_deal, repeat), copies, 80, 2)
        drawn = rating.elo(field.strengths_of(shares, shares.resampled), None)
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        held.append((low <= truth) & (truth <= high))
    assert 0.90 <= np.mean(held) <= 0.985


def test_noise_alone_is_told_apart_from_a_cycle() -> None:
    luck = np.random.default_rng(1)
    shares = np.full((1, 4, 4), 0.5) + luck.normal(size=(1, 4, 4)) * 0.01
    again = shares + luck.normal(size=(200, 4, 4)) * 0.01
    here, resampled = (cycles.advantages(s, 1000, 2) for s in (shares, again))
    assert cycles.by_chance(here, resampled) > 0.2
