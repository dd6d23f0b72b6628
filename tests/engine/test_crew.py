"""Every share is done exactly once, whoever does it; what goes wrong in a thread is told."""

from __future__ import annotations

import copy
import gc
import hashlib
import multiprocessing
import os
import pickle
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from miaui_env.engine.crew import WORTH_THREADS, Crew, cores, crew_of, shares_for
from miaui_env.engine.shares import WAITING, new_board, next_share, summed, taken
from miaui_env.engine.tables import Tables
from tests.adapters import coins

SHARES = 200


def by_whom(crew: Crew, patience: float) -> list[str]:
    """The thread of each share: a helper waits for who asked to take the first, and that for it."""
    begun, helped = threading.Event(), threading.Event()
    done, board = dict[int, str](), new_board()

    def act(from_back: bool) -> int:
        if from_back:
            begun.wait(patience)
        share = taken(board.ctypes.data, 0, SHARES, from_back)
        begun.set()
        while share >= 0:
            assert share not in done
            done[share] = threading.current_thread().name
            if from_back:
                helped.set()
            else:
                helped.wait(patience)
            share = next_share(board.ctypes.data, 0, SHARES, from_back, share)
        return summed(board.ctypes.data, 0, SHARES)

    assert crew.together(act) == sum(range(SHARES))
    return [done[share] for share in range(SHARES)]


def test_whoever_asks_begins_in_front_and_helpers_at_the_back() -> None:
    doers = by_whom(Crew(1), 10)
    assert doers[0] == threading.current_thread().name and doers[-1] == "miaui_env"
    assert doers == sorted(doers, key=doers.index)  # each has one stretch of the shares


def test_nobody_waits_for_a_helper_that_does_not_come() -> None:
    absent = Crew(0)
    absent._asked.append(type(Crew(1)._asked[0])())  # a queue that nobody reads
    assert set(by_whom(absent, 0)) == {threading.current_thread().name}


def test_no_more_threads_help_than_there_are_cores() -> None:
    before = threading.active_count()
    assert by_whom(crew_of(10**9), 0)
    assert threading.active_count() < before + cores()
    assert shares_for(10**6, 10**9) == shares_for(10**6, cores())


def test_many_may_ask_at_once() -> None:
    crew = Crew(2)
    with ThreadPoolExecutor(4) as askers:
        told = list(askers.map(lambda _: len(by_whom(crew, 0)), range(20)))
    assert told == [SHARES] * 20


def test_whoever_waits_hears_what_went_wrong_in_a_helper() -> None:
    def act(from_back: bool) -> int:
        if from_back:
            raise ArithmeticError("in a share")
        return WAITING

    crew = Crew(1)
    with pytest.raises(ArithmeticError, match="in a share"):
        crew.together(act)
    assert by_whom(crew, 10)[-1] == "miaui_env"  # the helper goes on


def test_whoever_was_interrupted_leaves_when_no_helper_is_at_it_any_more() -> None:
    begun, inside = threading.Event(), threading.Event()

    def act(from_back: bool) -> int:
        if not from_back:
            begun.wait(10)
            raise KeyboardInterrupt
        inside.set()
        begun.set()
        threading.Event().wait(0.05)
        inside.clear()
        return WAITING

    with pytest.raises(KeyboardInterrupt):
        Crew(1).together(act)
    assert begun.is_set() and not inside.is_set()


def test_a_helper_that_comes_late_finds_nothing_to_do() -> None:
    board = new_board()
    own = [taken(board.ctypes.data, 0, 3, False) for _ in range(5)]
    assert own == [0, 1, 2, -1, -1]
    assert [taken(board.ctypes.data, 0, 3, True) for _ in range(2)] == [-1, -1]
    assert [taken(board.ctypes.data, 1, 3, True) for _ in range(4)] == [2, 1, 0, -1]


def test_a_job_is_done_when_every_share_of_it_was_told() -> None:
    board = new_board()
    share = taken(board.ctypes.data, 1, 3, False)
    while share >= 0:
        assert summed(board.ctypes.data, 1, 3) == WAITING
        share = next_share(board.ctypes.data, 1, 3, False, 10 + share)
    assert summed(board.ctypes.data, 1, 3) == 33
    assert summed(board.ctypes.data, 0, 3) == WAITING


def test_an_illegal_action_is_refused_before_any_share_moves() -> None:
    tables = Tables("miaui", WORTH_THREADS, seed=4, threads=2)
    tables.reset()
    before, actions = tables.get_state(), tables.random_actions()
    actions[-1, 2] = 99
    with pytest.raises(ValueError, match=f"illegal action 99 of table {WORTH_THREADS - 1}, seat 2"):
        tables.step(actions)
    assert tables.get_state() == before
    actions[-1, 2] = np.flatnonzero(tables.action_masks[-1, 2])[0]
    tables.step(actions)


def test_each_share_has_a_mask_of_its_own() -> None:
    """Over which a game that tells all its legal actions at once is examined."""
    assert coins.GAME.allows is None
    one, two = (Tables(coins.GAME, WORTH_THREADS, seed=4, threads=threads) for threads in (1, 2))
    for tables in (one, two):
        tables.reset()
        for _ in range(30):
            tables.step(tables.random_actions())
    assert one.get_state() == two.get_state()


def count_in_child(answers: Any) -> None:
    answers.put((by_whom(crew_of(2), 10)[-1], played(2)))


def played(threads: int) -> str:
    tables = Tables("miaui", WORTH_THREADS, seed=4, threads=threads)
    tables.reset()
    for _ in range(3):
        tables.step(tables.random_actions())
    return hashlib.sha256(tables.get_state()).hexdigest()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.skipif(cores() < 2, reason="one core needs no helpers")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    wanted = played(2)
    assert wanted == played(1)
    forking = multiprocessing.get_context("fork")
    answers = forking.SimpleQueue()
    child = forking.Process(target=count_in_child, args=(answers,))
    child.start()
    child.join(60)
    assert not child.is_alive() and answers.get() == ("miaui_env", wanted)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_of_tables_with_threads_go_on_alike(
    copied: Callable[[Tables], Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Tables("lucky_catch", WORTH_THREADS, seed=4, threads=2)
    one.reset()
    one.step(one.random_actions())
    others = [copied(one)]
    monkeypatch.setattr("miaui_env.engine.crew.cores", lambda: 1)
    others.append(copied(one))
    for tables in (one, *others):
        tables.step(tables.random_actions())
    assert {tables.get_state() for tables in (one, *others)} == {one.get_state()}


def test_tables_that_were_stepped_by_threads_are_let_go() -> None:
    tables = Tables("miaui", WORTH_THREADS, seed=4, threads=2)
    tables.reset()
    gone = weakref.ref(tables)
    del tables
    for _ in range(100):  # a helper may be about to put its task away
        gc.collect()
        if gone() is None:
            break
        threading.Event().wait(0.01)
    assert gone() is None
