"""PettingZoo's own tests, over every game, number of seats and switch."""

from __future__ import annotations

import functools
import importlib
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from miaui_env.adapters.aec import AEC
from miaui_env.adapters.parallel import Parallel
from tests.adapters import coins
from tests.adapters.play import Laid, as_game, at_once, every_table, label, some_tables

states = importlib.import_module("pettingzoo.test.state_test")

# What PettingZoo says of its own card games, too (it keeps lists of their names).
KNOWN = re.compile(
    "Observation is not a NumPy array|Observation space for each agent probably should be"
    "|Action mask numpy array is all zeros|ignores options|minimum state space values are equal"
)


@contextmanager
def without_surprises() -> Iterator[None]:
    """No warning but those known."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert not [str(w.message) for w in caught if not KNOWN.search(str(w.message))]


@pytest.mark.parametrize("laid", [*every_table(), (coins.GAME, {})], ids=label)
def test_aec(laid: Laid) -> None:
    game, options = laid
    with without_surprises():
        api_test(AEC(game, **options), num_cycles=1000)
        seed_test(lambda: AEC(game, **options), num_cycles=500)


@pytest.mark.parametrize("laid", [*some_tables(), (coins.GAME, {})], ids=label)
def test_who_acts_sees_what_a_fresh_look_would_show_and_hears_nothing_before_the_end(
    laid: Laid,
) -> None:
    game, options = laid
    env, luck = AEC(game, **options), np.random.default_rng(2)
    env.reset(seed=2)
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        looked = env.table.observation(env.seat_of(agent))
        assert seen is not None and seen.keys() == looked.keys()
        assert all((seen[name] == looked[name]).all() for name in looked)
        assert over or not (info or reward or any(env.rewards.values()))
        env.step(None if over else luck.choice(np.flatnonzero(seen["action_mask"])))


def test_infos_of_a_step_stay_as_they_were_told() -> None:
    """Who writes into them, as PettingZoo's conversion does, writes into this step's."""
    env = AEC(coins.GAME, 3)
    env.reset(seed=0)
    told = []
    for number in range(3):
        for agent in env.agents:
            env.infos[agent]["mine"] = number
        told.append(env.infos)
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert not any(env.infos.values())
    assert [infos["player_1"]["mine"] for infos in told] == [0, 1, 2]


@pytest.mark.parametrize("laid", at_once(every_table()), ids=label)
def test_parallel(laid: Laid) -> None:
    game, options = laid
    with without_surprises():
        parallel_api_test(Parallel(game, **options), num_cycles=1000)
        # This one plays without looking at masks.
        parallel_seed_test(lambda: Parallel(game, illegal="replace", **options), num_cycles=500)


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_state(laid: Laid) -> None:
    game, options = laid
    with without_surprises():
        env = AEC(game, illegal="replace", **options)  # plays without looking at masks
        states.test_state_space(env)
        states.test_state(env, num_cycles=100)
        if as_game(game).simultaneous:
            states.test_parallel_env(Parallel(game, **options))


@pytest.mark.parametrize("laid", some_tables(), ids=label)
def test_render(laid: Laid, capsys: pytest.CaptureFixture[str]) -> None:
    game, options = laid

    made: Any = functools.partial(AEC, game, **options)
    render_test(made, custom_tests={"ansi": lambda text: len(text) > 20})
    assert len(capsys.readouterr().out) > 20


def test_pettingzoo_makes_games_in_turns_parallel() -> None:
    assert AEC(coins.GAME, 3).metadata["is_parallelizable"] is False
    with pytest.raises(ValueError, match="Coins is played in turns"):
        Parallel(coins.GAME, 3)
    aec: Any = AEC(coins.GAME, 3)
    env = turn_based_aec_to_parallel(aec)
    env.reset(seed=0)
    while env.agents:
        selected = aec.agent_selection
        mask = aec.observe(selected)["action_mask"]
        over = aec.terminations[selected]
        env.step({selected: None if over else int(mask.argmax())})
    assert not aec.agents
