"""Properties that hold for whatever anyone plays; hypothesis shrinks what breaks them."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import miaui_env
from miaui_env import Setup, Tables, infoset_key
from miaui_env.testing import setups_of
from miaui_env.testing.play import deciders

SETUPS = [setup for name in miaui_env.games() for setup in setups_of(miaui_env.find(name))]
careful = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@st.composite
def tables_in_play(draw: st.DrawFn) -> Tables:
    """A table after some actions: for each, who of those owing acts, and how."""
    setup: Setup = draw(st.sampled_from(SETUPS))
    tables = Tables(setup, 1, seed=draw(st.integers(0, 2**32)), auto_reset=False)
    tables.reset()
    for who, what in draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 99)), max_size=60)):
        owing = deciders(tables)
        if not owing:
            break
        commit(tables, owing[who % len(owing)], what)
    return tables


def commit(tables: Tables, seat: int, what: int) -> None:
    legal = np.flatnonzero(tables.observe(0, seat)[1])
    actions = np.full((1, tables.setup.num_players), -1)
    actions[0, seat] = legal[what % len(legal)]
    tables.step(actions)


@careful
@given(tables_in_play())
def test_a_seat_that_owes_can_act_and_others_cannot(tables: Tables) -> None:
    masks = [tables.observe(0, seat)[1] for seat in range(tables.setup.num_players)]
    assert [bool(mask.any()) for mask in masks] == tables.to_act[0].tolist()
    assert bool(tables.states["over"][0]) != bool(tables.to_act.any())


@careful
@given(tables_in_play())
def test_views_and_observations_tell_the_same(tables: Tables) -> None:
    for seat in range(tables.setup.num_players):
        observation, _ = tables.observe(0, seat)
        assert tables.setup.view_of(observation, seat) == tables.view(0, seat)


@careful
@given(tables_in_play(), st.integers(0, 2**63))
def test_a_view_leads_to_a_state_with_that_view(tables: Tables, key: int) -> None:
    for seat in range(tables.setup.num_players):
        view = tables.view(0, seat)
        assert tables.setup.view(tables.setup.from_view(view, key)[0], seat) == view


@careful
@given(tables_in_play())
def test_pieces_are_conserved(tables: Tables) -> None:
    fresh = Tables(tables.setup, 1)
    fresh.reset()
    count = tables.setup.game.inventory
    assert count(tables.states[0]) == count(fresh.states[0])


@careful
@given(tables_in_play(), st.integers(0, 2**16))
def test_playing_on_from_a_copy_is_playing_on(tables: Tables, what: int) -> None:
    other = Tables(tables.setup, 1, auto_reset=False)
    other.set_state(tables.get_state())
    while deciders(tables):
        seat = deciders(tables)[what % len(deciders(tables))]
        commit(tables, seat, what)
        commit(other, seat, what)
    assert other.get_state() == tables.get_state()


# --- information states ---------------------------------------------------------------------------


def lived(*actions: int) -> tuple[str, str]:
    """Seat 0's information state and view after its actions, another playing its lowest."""
    setup = Setup.of(miaui_env.find("miaui"), 2, hand_size=4, spaces=1, cards=["tuna:12"] * 4)
    tables = Tables(setup, 1, seed=3, auto_reset=False)
    tables.reset()
    history = []
    for action in actions:
        history.append((tables.observations[0, 0].copy(), action))
        played = tables.action_masks.argmax(2)
        played[0, 0] = action
        tables.step(played)
    return infoset_key(history, tables.observations[0, 0]), repr(tables.view(0, 0))


def test_an_information_state_is_finer_than_a_view() -> None:
    """Cards 4, 3, 2 and cards 3, 4, 2 leave the same table, and are different pasts."""
    one, other = lived(3, 2, 1), lived(2, 3, 1)
    assert one[1] == other[1]
    assert one[0] != other[0]
    assert lived(3, 2, 1) == one


def test_equal_information_states_have_equal_views() -> None:
    seen: dict[str, str] = {}
    for actions in itertools.permutations(range(4), 3):
        key, view = lived(*actions)
        assert seen.setdefault(key, view) == view
    assert len(seen) == 24


# --- bounds ---------------------------------------------------------------------------------------

READS_TOO_FAR = """
import numpy as np
from miaui_env.engine.compile import kernel, specialise

@kernel
def reach(numbers, i):
    return numbers[i + 1]

def add(numbers):
    out = 0
    for i in range(len(numbers)):
        out += reach(numbers, i)
    return out

print(specialise(add, "far", reach=reach)(np.arange(3)))
"""


def test_bounds_are_really_checked_on_a_warm_cache_too(tmp_path: Path) -> None:
    script = tmp_path / "far.py"
    script.write_text(READS_TOO_FAR)
    outcomes = []
    for checked in ("0", "1", "1"):
        environment = {"NUMBA_BOUNDSCHECK": checked, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(
            [sys.executable, str(script)],
            env={**os.environ, "NUMBA_DISABLE_JIT": "0", **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        outcomes.append("IndexError" in done.stderr)
    assert outcomes == [False, True, True]


@pytest.mark.slow
def test_random_play_keeps_within_all_arrays() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "miaui_env.testing.fuzz", "--decisions", "1000000"],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "with bounds checking" in done.stdout
