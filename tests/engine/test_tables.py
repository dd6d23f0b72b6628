"""Many tables: rows are single tables, steps write what they promise, refusals change nothing."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import miaui_env
from miaui_env import Tables
from miaui_env.engine.crew import WORTH_THREADS

GAMES = miaui_env.games()


def played(
    tables: Tables, steps: int, chosen: Sequence[int] | None = None
) -> list[tuple[bytes, ...]]:
    """What the chosen rows (or all) showed and gave in `steps` steps of random play, as bytes."""
    tables.reset()
    numbers = range(tables.num_tables) if chosen is None else chosen
    rows = []
    for _ in range(steps):
        step = tables.step(tables.random_actions())
        shown = step.to_act[:, :, None]
        parts = (
            np.where(shown, step.observations, 0),
            np.where(shown, step.action_masks, 0),
            step.rewards,
            step.terminated,
            step.to_act,
        )
        rows.append(tuple(b"".join(part[i].tobytes() for part in parts) for i in numbers))
    return rows


@pytest.mark.parametrize("game", GAMES)
def test_row_i_plays_the_games_of_a_single_table_with_seed_s_plus_i(game: str) -> None:
    steps = 2 * Tables(game).setup.longest + 3
    together = played(Tables(game, 5, seed=100), steps)
    for i in range(5):
        alone = played(Tables(game, 1, seed=100 + i), steps)
        assert [row[i] for row in together] == [row[0] for row in alone]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("recall", [False, True])
def test_a_single_table_is_a_row_of_thousands(game: str, recall: bool) -> None:
    steps = 2 * Tables(game).setup.longest + 3
    rows = (0, 1, 4095)
    together = played(Tables(game, 4096, seed=100, perfect_recall=recall), steps, rows)
    for i, row in enumerate(rows):
        alone = played(Tables(game, 1, seed=100 + row, perfect_recall=recall), steps)
        assert [step[i] for step in together] == [step[0] for step in alone]


@pytest.mark.parametrize("game", GAMES)
def test_episode_k_depends_on_seed_and_k_alone(game: str) -> None:
    """Played at random or by always choosing the lowest action, the second deal is the same."""
    deals = []
    for choose in (Tables.random_actions, lowest_actions):
        tables = Tables(game, 4, seed=9, auto_reset=False)
        tables.reset()
        for _ in range(tables.setup.longest):
            tables.step(choose(tables))
        tables.reset()
        deals.append([tables.view(i, None) for i in range(4)])
    assert deals[0] == deals[1]


def lowest_actions(tables: Tables) -> np.ndarray:
    return np.where(tables.to_act, tables.action_masks.argmax(2), -1).astype(np.int16)


@pytest.mark.parametrize("name", ["num_tables", "threads"])
@pytest.mark.parametrize("number", [0, -3, float("nan")])
def test_there_are_one_or_more(name: str, number: float) -> None:
    numbers: dict[str, Any] = {name: number}
    with pytest.raises(ValueError, match=f"{name} is 1 or more, not {number}"):
        Tables("miaui", **numbers)


@pytest.mark.parametrize("game", GAMES)
def test_threads_change_nothing(game: str) -> None:
    one, two = (Tables(game, WORTH_THREADS, seed=3, threads=threads) for threads in (1, 2))
    assert played(one, 15) == played(two, 15)


@pytest.mark.parametrize("game", GAMES)
def test_a_written_row_is_a_fresh_observation(game: str) -> None:
    tables = Tables(game, 6, seed=1)
    tables.reset()
    for _ in range(2 * tables.setup.longest):
        for buffer in tables._steps:
            buffer.observations[...] = 77  # dirty what is written next; the latest was read already
            buffer.action_masks[...] = 1
        step = tables.step(tables.random_actions())
        for i, seat in np.argwhere(step.to_act):
            observation, mask = tables.observe(i, seat)
            assert (step.observations[i, seat] == observation).all()
            assert (step.action_masks[i, seat] == mask).all()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_step_wrote_stays_valid_until_the_second_next(game: str) -> None:
    tables = Tables(game, 4, seed=1)
    first = tables.reset()
    kept = [part.copy() for part in first]
    second = tables.step(tables.random_actions())
    assert all((part == copy).all() for part, copy in zip(first, kept, strict=True))
    assert not any(np.shares_memory(one, other) for one, other in zip(first, second, strict=True))


def test_arrays_stay_where_they_are() -> None:
    """Compiled code knows them by their addresses."""
    tables = Tables("miaui", 2)
    with pytest.raises(AttributeError, match=r"seeds stays where it is: write into it, seeds\[:\]"):
        tables.seeds = np.arange(2, dtype=np.uint64)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("twin", [copy.deepcopy, lambda tables: pickle.loads(pickle.dumps(tables))])
def test_a_copy_is_at_home_in_arrays_of_its_own(game: str, twin: Any) -> None:
    tables = Tables(game, 3, seed=5)
    tables.reset()
    copied, before = twin(tables), tables.get_state()
    assert copied.get_state() == before
    for _ in range(20):
        copied.step(copied.random_actions())
    assert tables.get_state() == before != copied.get_state()
    for _ in range(20):
        tables.step(tables.random_actions())
    assert digest(tables) == digest(copied)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_counted_how_many_games_ended(game: str) -> None:
    for auto_reset in (True, False):
        tables = Tables(game, 5, seed=5, auto_reset=auto_reset)
        tables.reset()
        seen = set()
        for _ in range(tables.setup.num_players * tables.setup.longest):
            step = tables.step(tables.random_actions())
            assert tables.num_terminated == step.terminated.sum()
            seen.add(tables.num_terminated)
        assert len(seen) > 1


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("auto_reset", [True, False])
def test_the_end_of_a_game_is_told_in_the_step_that_ends_it(game: str, auto_reset: bool) -> None:
    tables = Tables(game, 8, seed=5, auto_reset=auto_reset)
    n = tables.setup.num_players
    tables.reset()
    ended = 0
    stood = np.zeros(8, np.bool_)
    for _ in range(n * tables.setup.longest):
        step = tables.step(tables.random_actions())
        for i in np.flatnonzero(step.terminated & ~stood):
            ended += 1
            shares, points = tables.win_shares[i], tables.final_points[i]
            best = points == points.max()
            assert shares == pytest.approx(best / best.sum())
            assert step.rewards[i] == pytest.approx((n * shares - 1) / (n - 1))
            assert step.to_act[i].any() == auto_reset
        stood = np.array(step.terminated, np.bool_) & (not auto_reset)
        if stood.all():
            break
    assert ended >= 8 if auto_reset else ended == 8


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_win_and_margin_sum_to_zero(reward: str) -> None:
    tables = Tables("miaui", 50, seed=5, reward=reward)
    tables.reset()
    for _ in range(12):
        step = tables.step(tables.random_actions())
    assert step.terminated.all()
    assert np.abs(step.rewards).max() > 0.1
    assert step.rewards.sum(1) == pytest.approx(0, abs=1e-4)


def test_points_come_step_by_step_and_add_up() -> None:
    tables = Tables("miaui", 50, seed=5, reward="points")
    tables.reset()
    total = np.zeros((50, 4))
    for _ in range(12):
        total += tables.step(tables.random_actions()).rewards
    assert (total == tables.final_points).all()


def test_rewards_can_be_weighed() -> None:
    mixed = Tables("miaui", 50, seed=5, reward={"win": 2.0, "margin": 0.5})
    parts = [Tables("miaui", 50, seed=5, reward=name) for name in ("win", "margin")]
    for tables in (mixed, *parts):
        tables.reset()
        for _ in range(12):
            tables.step(tables.random_actions())
    expected = 2 * parts[0].rewards + 0.5 * parts[1].rewards
    assert mixed.rewards == pytest.approx(expected, abs=1e-4)


def digest(tables: Tables) -> str:
    """Of all but the rows of seats that owe no action: those may hold anything."""
    tables.observations[~tables.to_act] = 0
    tables.action_masks[~tables.to_act] = 0
    return hashlib.sha256(tables.get_state()).hexdigest()


def broken(actions: np.ndarray, row: int, seat: int, action: int) -> np.ndarray:
    actions = actions.copy()
    actions[row, seat] = action
    return actions


@pytest.mark.parametrize("action", [-2, -500, 12, 99, 40_000])
def test_one_illegal_action_anywhere_moves_no_table(action: int) -> None:
    tables = Tables("miaui", 6, seed=5)
    tables.reset()
    before = digest(tables)
    with pytest.raises(ValueError, match=r"table 4, seat 2.*legal are \[0, 1, 2"):
        tables.step(broken(tables.random_actions().astype(np.int64), 4, 2, action))
    assert digest(tables) == before


def test_an_action_that_nobody_owes_is_refused_in_every_policy() -> None:
    for illegal in ("raise", "replace", "forfeit"):
        tables = Tables("miaui", 2, seed=5, illegal=illegal)
        tables.reset()
        first = np.full((2, 4), -1, np.int16)
        first[:, 0] = 3
        tables.step(first)
        before = digest(tables)
        with pytest.raises(ValueError, match="seat 0 owes no action now"):
            tables.step(first)
        assert digest(tables) == before


def test_a_replaced_action_is_legal_counted_and_a_function_of_the_deal() -> None:
    hands = []
    for rows in (1, 3):
        tables = Tables("miaui", rows, seed=5, illegal="replace")
        tables.reset()
        tables.step(np.full((rows, 4), 50))
        assert (tables.illegal == 1).all()
        hands.append(tables.view(0, 0)["hand"])
    assert hands[0] == hands[1]
    assert len(hands[0]) == 11


def test_a_forfeit_ends_the_game_for_all() -> None:
    tables = Tables("miaui", 3, seed=5, illegal="forfeit", auto_reset=False)
    tables.reset()
    step = tables.step(broken(tables.random_actions(), 1, 2, 77))
    assert step.terminated.tolist() == [False, True, False]
    assert tables.forfeiters.tolist() == [-1, 2, -1]
    assert tables.win_shares[1] == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    assert step.rewards[1] == pytest.approx([1 / 9, 1 / 9, -1 / 3, 1 / 9])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (np.zeros((2, 4), np.float64), "integers of shape"),
        (np.zeros((3, 4), np.int16), "integers of shape"),
        (np.zeros(4, np.int16), "integers of shape"),
    ],
)
def test_actions_of_another_kind_are_refused(change: np.ndarray, message: str) -> None:
    tables = Tables("miaui", 2)
    tables.reset()
    with pytest.raises(ValueError, match=message):
        tables.step(change)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_tables": 0}, "num_tables"),
        ({"num_players": 7}, "2 to 6 players, not 7"),
        ({"num_players": True}, "2 to 6 players"),
        ({"reward": "money"}, "reward is one of 'win', 'margin', 'points'"),
        ({"reward": {"wins": 1.0}}, "reward is one of"),
        ({"illegal": "ignore"}, "illegal is one of"),
        ({"seed": np.zeros(3, np.uint64), "num_tables": 2}, "one a table"),
        ({"open_basket": True}, "did you mean 'open_baskets'"),
        ({"perfect_recall": "yes"}, "perfect_recall"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tables("miaui", **arguments)


def test_an_unknown_game_is_answered_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="did you mean 'miaui'"):
        Tables("miau")


@pytest.mark.parametrize("game", GAMES)
def test_a_state_put_back_plays_on_the_same(game: str) -> None:
    tables, other = Tables(game, 3, seed=5), Tables(game, 3, seed=77)
    tables.reset(), other.reset()
    for _ in range(tables.setup.longest + 2):
        tables.step(tables.random_actions())
        other.set_state(tables.get_state())
        assert digest(other) == digest(tables)
    for _ in range(tables.setup.longest):
        one, same = tables.step(tables.random_actions()), other.step(other.random_actions())
        assert all((a == b).all() for a, b in zip(one, same, strict=True) if a.dtype == np.bool_)
        assert digest(other) == digest(tables)


def test_a_state_of_other_tables_is_refused() -> None:
    tables = Tables("miaui", 2)
    tables.reset()
    for other in (Tables("miaui", 3), Tables("miaui", 2, open_baskets=True)):
        with pytest.raises(ValueError, match="no state of such tables"):
            other.set_state(tables.get_state())


WITHOUT_JIT = """
import hashlib, sys
import numpy as np
from miaui_env import Tables
digest = hashlib.sha256()
for seats, option in ((2, "kiti"), (4, "no_fighting"), (6, "open_baskets"), (3, "perfect_recall")):
    tables = Tables("miaui", 2, seats, seed=4, **{option: True if option != "kiti" else 1})
    tables.reset()
    for _ in range(14):
        step = tables.step(tables.random_actions())
        digest.update(step.rewards.tobytes() + step.terminated.tobytes())
        for i, seat in np.argwhere(step.to_act):
            digest.update(step.observations[i, seat].tobytes() + step.action_masks[i,
            seat].tobytes())
    digest.update(repr([tables.view(0, None), tables.survey(1).tolist()]).encode())
print(digest.hexdigest())
"""


def test_plain_python_plays_the_same_games() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", WITHOUT_JIT],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    }
    assert len(outputs) == 1
