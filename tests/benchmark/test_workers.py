"""Workers: the same games in any number of processes, and no bot can stop a run."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import Result, arena_bot, patience, play_lineup
from miaui_env.benchmark.arena import LineUp, Progress, play_games
from miaui_env.benchmark.patience import TimeUp, alarm
from miaui_env.bots import Bot
from tests.benchmark.players import Counting, First, Stubborn


def setup_for(seats: int) -> Setup:
    return Setup.of(find("miaui"), seats)


def played(bot: Bot, deals: int = 6, **more: object) -> Result:
    """One bot against two of another."""
    other = arena_bot("lowest")
    return play_lineup(setup_for(3), [bot, other, other], deals=deals, **more)  # type: ignore[arg-type]


def test_processes_do_not_change_a_result_and_progress_adds_up() -> None:
    told: list[int] = []

    def play(processes: int, progress: Progress | None = None) -> np.ndarray:
        bots = [arena_bot(name) for name in ("greedy", "random", "highest~0.3")]
        games = play_games(LineUp.of(setup_for(3), bots, 5), 70, processes, progress)
        return np.stack([games.credits, games.points])

    expected = play(0)
    assert (play(1) == expected).all() and (play(2, told.append) == expected).all()
    assert sum(told) == 210 and min(told) >= 0


def test_a_bot_that_remembers_plays_in_a_process() -> None:
    assert played(Counting(), apart=True).counts.finished == 18


@pytest.mark.parametrize("apart", [False, True])
def test_a_move_that_sleeps_past_the_limit_forfeits_its_game_alone(apart: bool) -> None:
    result = played(Stubborn("sleepy", 40), apart=apart, move_limit=0.2)
    clean = played(Stubborn("sleepy", 1 << 62))
    standing = result.of("sleepy")
    assert 0 < standing.forfeits < 18 and result.counts.forfeited == standing.forfeits
    assert result.of("lowest").forfeits == 0
    assert result.errors == {"sleepy": "late: no move within 0.2 s"}
    assert clean.of("sleepy").forfeits == 0 and result.move_limit == 0.2


def test_a_move_that_comes_too_late_is_not_taken() -> None:
    """Also where nothing interrupts it: away from the main thread, or on another system."""
    slow = Stubborn("sleepy", seconds=0.05)
    with pytest.MonkeyPatch.context() as patched:
        patched.delattr(signal, "setitimer")
        result = played(slow, deals=1, move_limit=0.01)
    assert result.of("sleepy").forfeits == 3
    assert result.errors["sleepy"].startswith("late: a move took 0.0")


@pytest.mark.parametrize(
    ("fault", "limit", "said"),
    [
        ("deaf", 0.2, "late: no move, and nothing could interrupt it"),
        ("deadly", None, "late: its process died, exit code 7"),
    ],
)
def test_what_no_alarm_wakes_and_what_kills_its_process_loses_that_game_only(
    fault: str, limit: float | None, said: str
) -> None:
    bot, deals = Stubborn(fault, 40), 3
    told: list[int] = []
    result = played(bot, deals, apart=True, move_limit=limit, progress=told.append)
    assert sum(told) == 9 and min(told) >= 0, "games that are played again do not count twice"
    standing = result.of(fault)
    assert 0 < standing.forfeits < 9 and result.counts.forfeited == standing.forfeits
    assert result.errors == {fault: said}
    by_hand = played(Stubborn("leaving", 40), deals)  # the same decisions, without a process
    assert [slot.win_share for slot in by_hand.slots] == [s.win_share for s in result.slots]


def test_a_bot_that_always_dies_is_soon_asked_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("miaui_env.benchmark.asking.PRACTICE", 0.2)
    asked: list[int] = []
    bot = Stubborn("sleepy")

    def slept() -> None:
        asked.append(1)
        time.sleep(5)

    monkeypatch.setattr(bot, "sleepy", slept)
    result = played(bot, deals=6, move_limit=0.1)
    assert result.of("sleepy").forfeits == 18
    assert len(asked) == patience.MOST_LATE + 1, "one of them was practice"


def test_a_bot_that_leaves_the_program_politely_is_not_let_go() -> None:
    result = played(Stubborn("leaving", 40))
    assert 0 < result.of("leaving").forfeits < 18
    assert result.errors == {"leaving": "SystemExit: enough"}


def test_the_alarm_rings_once_and_is_put_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeUp), alarm(0.05):
        time.sleep(5)
    with alarm(5.0):
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


class Unpicklable(First):
    """Fails where it is unpacked."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.strerror, ("not a number",)


def test_a_failure_that_is_no_bots_stops_the_run_with_a_word() -> None:
    with pytest.raises(RuntimeError, match="a worker failed, and no bot was at fault"):
        played(Unpicklable(), apart=True)


def test_limits_that_make_no_sense_are_refused() -> None:
    for limit in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="more than 0 seconds"):
            played(First(), move_limit=limit)
