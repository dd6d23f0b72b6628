"""The arena: same luck for everyone, faults on those whose they are, the same result every time."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from miaui_env import Setup, Tables, find
from miaui_env.benchmark import Result, arena, arena_bot, play_lineup
from miaui_env.benchmark.arena import LineUp, Purpose, arena_key, play_games
from miaui_env.benchmark.noise import NoisyBot
from miaui_env.benchmark.result import Counts
from miaui_env.benchmark.summary import Games, unit
from miaui_env.bots import Bot
from miaui_env.engine.rng import mixed
from tests.adapters import coins
from tests.benchmark.players import Counting, Faulty, First, Unready


@functools.cache
def setup_for(seats: int, perfect_recall: bool = False) -> Setup:
    return Setup.of(find("miaui"), seats, perfect_recall=perfect_recall)


def seated(*names: str) -> list[Bot]:
    loaded = {name: arena_bot(name) for name in names}
    return [loaded[name] for name in names]


def mixed_table() -> list[Bot]:
    return seated("random", "lowest", "highest~0.3", "random")


# --- the same luck for everyone -----------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_copies_of_a_deterministic_bot_have_exactly_the_equal_share(seats: int) -> None:
    names = [f"copy {i}" for i in range(seats)]
    result = play_lineup(setup_for(seats), seated("lowest") * seats, deals=20, names=names)
    assert [bot.win_share.mean for bot in result.bots] == [1 / seats] * seats
    assert [bot.win_share.low for bot in result.bots] == [1 / seats] * seats
    assert {bot.margin.mean for bot in result.bots} == {0.0}
    assert len({bot.points.mean for bot in result.bots}) == 1


def test_copies_of_a_random_bot_have_the_equal_share_within_their_intervals() -> None:
    names = ["a", "b", "c", "d"]
    result = play_lineup(setup_for(4), seated("random") * 4, deals=400, names=names, seed=1)
    for bot in result.bots:
        assert bot.win_share.low is not None and bot.win_share.high is not None
        assert bot.win_share.low < 0.25 < bot.win_share.high
        assert bot.win_share.high - bot.win_share.low < 0.1


def test_a_deal_is_the_same_in_all_rotations_and_each_bot_takes_every_seat() -> None:
    games = play_games(LineUp.of(setup_for(3), seated("lowest") * 3, 5), deals=4)
    for deal in games.points:
        by_seat = [[row[(seat - turn) % 3] for seat in range(3)] for turn, row in enumerate(deal)]
        assert by_seat[0] == by_seat[1] == by_seat[2]
    assert len({deal.tobytes() for deal in games.points}) == 4


def test_a_game_is_that_of_a_table_with_the_deals_seed() -> None:
    lineup = LineUp.of(setup_for(3), seated("lowest") * 3, arena_key(7, Purpose.GATE))
    games = play_games(lineup, deals=2)
    seed = np.array([mixed(lineup.key, 1)])
    tables = Tables(setup_for(3), 1, seed=seed, auto_reset=False)
    tables.reset()
    while tables.to_act.any():
        tables.step(tables.action_masks.argmax(2))
    assert games.points[1, 0].tolist() == tables.final_points[0].tolist()


def test_win_shares_of_a_game_sum_to_one() -> None:
    bots = [Faulty("illegal", 40), *seated("random", "lowest", "highest")]
    games = play_games(LineUp.of(setup_for(4), bots, 5), deals=50)
    assert games.at_fault.any() and not games.at_fault.any(2).all()
    assert (games.credits.sum(2) == unit(4)).all()


@pytest.mark.parametrize("seats", coins.GAME.players)
def test_a_game_of_turns_and_of_guesses_is_played_to_its_end(seats: int) -> None:
    """Where one seat moves, then all others at once, then one several times in a row."""
    bots = [First(), *seated("random") * (seats - 1)]
    result = play_lineup(Setup.of(coins.GAME, seats), bots, deals=30)
    assert result.counts == Counts(30 * seats, finished=30 * seats, forfeited=0, failed=0)
    games = play_games(LineUp.of(Setup.of(coins.GAME, seats), bots, 5), deals=30)
    assert games.points.sum(2).min() >= 1, "there is at least one coin, and somebody took it"


# --- the same result every time -----------------------------------------------------------------


def test_neither_chunks_nor_workers_change_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(workers: int) -> Result:
        return play_lineup(setup_for(4), mixed_table(), deals=70, seed=3, workers=workers)

    expected = play(1)
    assert play(2) == expected
    monkeypatch.setattr(arena, "BLOCK", 9)
    assert play(1) == play(2) == expected


def test_more_deals_go_on_where_fewer_stopped() -> None:
    few = play_games(LineUp.of(setup_for(4), mixed_table(), 5), deals=10)
    more = play_games(LineUp.of(setup_for(4), mixed_table(), 5), deals=90)
    assert (more.points[:10] == few.points).all()


def test_seeds_and_purposes_have_deals_of_their_own() -> None:
    keys = {arena_key(seed, purpose) for seed in range(50) for purpose in Purpose}
    assert len(keys) == 50 * len(Purpose)
    by_purpose = [
        play_lineup(setup_for(2), seated("lowest", "random"), deals=20, purpose=purpose)
        for purpose in Purpose
    ]
    assert len({bot.bots[0].points.mean for bot in by_purpose}) == len(Purpose)


def test_no_two_decisions_share_a_key() -> None:
    bot = First()
    result = play_lineup(setup_for(3), [bot] * 3, deals=10)
    assert len(bot.shown) == result.counts.requested * 3 * 12


def test_progress_adds_up_to_the_games() -> None:
    told: list[int] = []
    play_lineup(setup_for(3), seated("random") * 3, deals=70, progress=told.append)
    assert sum(told) == 210 and min(told) >= 0 and len(told) > 20


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["crash", "illegal", "negative", "shape", "float", "nothing"])
def test_a_bot_that_always_fails_forfeits_every_game_and_the_others_share(fault: str) -> None:
    bots = [Faulty(fault), *seated("random", "lowest")]
    result = play_lineup(setup_for(3), bots, deals=5)
    assert result.counts == Counts(30, finished=0, forfeited=30, failed=0)
    assert result.of(fault).forfeits == 30 and result.of(fault).win_share.mean == 0
    for name in ("random", "lowest"):
        assert result.of(name).forfeits == 0 and result.of(name).win_share.mean == 0.5
        assert result.of(name).points.mean is None, "points come from finished games only"
    assert set(result.errors) == {fault}


@pytest.mark.parametrize("fault", ["crash", "illegal"])
def test_a_fault_ends_its_own_game_and_no_other(fault: str) -> None:
    def play(every: int) -> tuple[Games, np.ndarray]:
        bots = [Faulty(fault, every), *seated("random", "lowest")]
        games = play_games(LineUp.of(setup_for(3), bots, 5), deals=40)
        return games, np.asarray(games.at_fault.any(2))

    (clean, none), (games, spoiled) = play(1 << 62), play(60)
    assert not none.any() and 0 < spoiled.sum() < spoiled.size
    assert (games.points[~spoiled] == clean.points[~spoiled]).all()
    assert games.at_fault[spoiled][:, 0].all() and not games.at_fault[:, :, 1:].any()


def test_points_come_from_finished_games_only() -> None:
    bots = [Faulty("crash", 60), *seated("random", "lowest")]
    games = play_games(LineUp.of(setup_for(3), bots, arena_key(0, Purpose.MEASUREMENT)), deals=40)
    finished = ~games.at_fault.any(2)
    assert 0 < finished.sum() < finished.size
    result = play_lineup(setup_for(3), bots, deals=40, seating="rotations")
    for slot, standing in enumerate(result.slots):
        points = games.points[finished]
        others = np.delete(points, slot, 1).mean(1)
        assert standing.finished == finished.sum()
        assert standing.points.mean == pytest.approx(points[:, slot].mean())
        assert standing.margin.mean == pytest.approx((points[:, slot] - others).mean())


def test_when_all_fail_at_once_the_game_has_failed_and_nobody_wins() -> None:
    result = play_lineup(setup_for(2), [Faulty("crash"), Faulty("illegal")], deals=3)
    assert (result.counts.failed, result.counts.forfeited) == (6, 0)
    assert [bot.win_share.mean for bot in result.bots] == [0, 0]
    assert result.errors["crash"] == "RuntimeError: no idea"
    assert result.errors["illegal"].startswith("illegal action 99; legal were [0, 1,")


def test_games_that_were_not_finished_leave_win_shares_in_doubt_by_no_more_than_is_told() -> None:
    """Whoever might have won them: three of the thirty, so a tenth at most."""
    assert Counts(30, finished=27, forfeited=2, failed=1).doubt == pytest.approx(0.1)
    bots = [Faulty("crash", 60), *seated("random", "lowest")]
    games = play_games(LineUp.of(setup_for(3), bots, arena_key(0, Purpose.MEASUREMENT)), deals=40)
    result = play_lineup(setup_for(3), bots, deals=40, seating="rotations")
    spoiled = games.at_fault.any(2)
    won = games.credits / games.credits.sum(2, keepdims=True)
    for slot, standing in enumerate(result.slots):
        assert standing.win_share.mean is not None
        for missing in (0.0, 1.0):
            otherwise = np.where(spoiled, missing, won[:, :, slot]).mean()
            assert abs(otherwise - standing.win_share.mean) <= result.counts.doubt + 1e-12


def test_two_at_fault_leave_the_win_to_the_rest() -> None:
    bots = [Faulty("crash"), Faulty("illegal"), *seated("random", "lowest")]
    result = play_lineup(setup_for(4), bots, deals=3)
    assert [bot.win_share.mean for bot in result.bots] == [0, 0, 0.5, 0.5]


def test_a_bot_without_its_memory_forfeits() -> None:
    result = play_lineup(setup_for(2), [Unready("unready"), *seated("lowest")], deals=2)
    assert result.of("unready").forfeits == 4
    assert result.errors == {"unready": "OSError: no memory to spare"}


def test_each_game_has_a_memory_of_its_own() -> None:
    counting = Counting()
    result = play_lineup(setup_for(3), [counting, counting, First()], deals=4)
    assert result.counts.finished == 12 and not result.errors


# --- what a bot is shown ------------------------------------------------------------------------


def test_a_bot_of_the_table_view_is_shown_the_same_beside_one_with_perfect_recall() -> None:
    alone, beside, total = First("plain"), First("plain", False), First("total", True)
    play_lineup(setup_for(3), [alone] * 3, deals=6)
    play_lineup(setup_for(3), [beside, beside, total], deals=6)
    assert beside.shown.items() <= alone.shown.items()
    longer = {len(row) for row in total.shown.values()}
    assert longer == {setup_for(3, perfect_recall=True).layout.size}


def test_a_bot_that_does_not_care_is_shown_what_was_asked_for() -> None:
    bot = First()
    play_lineup(setup_for(2, perfect_recall=True), [bot, First("other", False)], deals=2)
    assert {len(row) for row in bot.shown.values()} == {
        setup_for(2, perfect_recall=True).layout.size
    }


# --- results ------------------------------------------------------------------------------------


def test_copies_are_pooled_by_name_and_told_apart_by_slot() -> None:
    result = play_lineup(setup_for(4), seated("lowest", "random", "random", "random"), deals=30)
    lowest, rest = result.bots
    assert (rest.name, rest.slots, rest.games) == ("random", (1, 2, 3), 3 * 120)
    assert lowest.games == result.counts.requested == 120
    slots = [slot.win_share.mean or 0.0 for slot in result.slots]
    assert slots[0] == lowest.win_share.mean and sum(slots) == pytest.approx(1)
    assert sum(slots[1:]) / 3 == pytest.approx(rest.win_share.mean)
    assert lowest.margin.mean == pytest.approx((lowest.points.mean or 0) - (rest.points.mean or 0))


def test_mixed_tables_play_all_seatings_and_one_among_copies_its_rotations() -> None:
    result = play_lineup(setup_for(3), seated("lowest", "random", "highest"), deals=2)
    assert result.rotations == len(set(result.seatings)) == 6
    assert result.counts.requested == 12
    result = play_lineup(setup_for(3), seated("lowest", "random", "random"), deals=2)
    assert result.seatings == ((0, 1, 2), (2, 0, 1), (1, 2, 0))


def test_rank_credit_is_the_share_of_others_below_half_for_those_beside() -> None:
    points = np.array([[[5, 5, 2, 9], [1, 1, 1, 1], [7, 0, 0, 0], [0, 0, 0, 0]]])
    at_fault = np.zeros(points.shape, bool)
    at_fault[0, 2, 0] = True  # seven points do not help who is at fault
    at_fault[0, 3] = True
    ranks = Games(points, points, at_fault, ()).ranks[0] / 6
    assert ranks.tolist() == [
        [0.5, 0.5, 0.0, 1.0],
        [0.5] * 4,
        [0.0, *[pytest.approx(2 / 3)] * 3],
        [0.0] * 4,
    ]
    result = play_lineup(setup_for(3), seated("lowest", "random", "highest"), deals=9)
    means = [bot.rank_credit.mean or 0.0 for bot in result.bots]
    assert sum(means) == pytest.approx(1.5) and min(means) > 0


def test_different_bots_of_one_name_are_refused() -> None:
    """They would be taken for copies, and their figures pooled."""
    with pytest.raises(ValueError, match="two different bots are named 'first'"):
        play_lineup(setup_for(2), [First(), First()], deals=1)
    twice = play_lineup(setup_for(2), [First(), First()], deals=1, names=["one", "other"])
    assert [bot.name for bot in twice.bots] == ["one", "other"]


def test_one_deal_has_no_interval() -> None:
    result = play_lineup(setup_for(2), seated("lowest", "random"), deals=1)
    assert result.bots[0].points.mean is not None and result.bots[0].points.low is None


def test_a_result_goes_to_json_and_back() -> None:
    bots = [Faulty("crash"), *seated("random", "lowest~0.5")]
    result = play_lineup(setup_for(3), bots, deals=5, purpose="development")
    told = json.loads(json.dumps(result.to_json()))
    assert Result.from_json(told) == result
    assert told["schema"] == "miaui_env.arena/2"
    assert told["lineup"] == ["crash", "random", "lowest~0.5"]
    assert told["counts"]["requested"] == told["deals"] * told["rotations"] == 30
    assert told["title"] == ("miaui, 3 seats: crash + random + lowest~0.5; development seed 0")
    assert Setup.of(find(told["game"]), **told["setup"]) == setup_for(3)
    assert {"miaui_env", "python", "numpy", "numba"} <= set(told["versions"])
    with pytest.raises(ValueError, match=r"arena/2"):
        Result.from_json({**told, "schema": "miaui_env.arena/1"})


def test_a_bot_from_a_folder_is_named_with_the_hash_of_its_card(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_bytes(b"{}")
    bot = First("exported")
    bot.folder = tmp_path
    result = play_lineup(setup_for(2), [bot, NoisyBot(bot, 0.5)], deals=1)
    digest = hashlib.sha256(b"{}").hexdigest()
    assert result.cards == {"exported": digest, "exported~0.5": digest}


def test_what_makes_no_sense_is_refused() -> None:
    bots = seated("random", "lowest")
    with pytest.raises(ValueError, match="3 seats need as many bots"):
        play_lineup(setup_for(3), bots, deals=1)
    with pytest.raises(ValueError, match="1 or more"):
        play_lineup(setup_for(2), bots, deals=0)
    with pytest.raises(ValueError, match="purpose is one of 'development', 'gate'"):
        play_lineup(setup_for(2), bots, deals=1, purpose="fame")
    with pytest.raises(ValueError, match="no bot 'bold'"):
        play_lineup(setup_for(2), seated("random", "bold"), deals=1)
