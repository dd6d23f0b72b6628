"""`greedy~0.1` and its like."""

from __future__ import annotations

import numpy as np
import pytest

from miaui_env import Setup, find, keys
from miaui_env.benchmark import arena_bot
from miaui_env.benchmark.noise import NoisyBot

SETUP = Setup.of(find("miaui"), 2)
ROWS = 4000


def moves(name: str, first: int = 0, last: int = ROWS) -> np.ndarray:
    bot = arena_bot(name).fitted(SETUP)
    rows = last - first
    masks = np.ones((rows, 12), np.int8)
    masks[:, 5] = 0
    observations = np.zeros((rows, SETUP.layout.size), np.int8)
    return bot.act(observations, masks, keys(3, ROWS)[first:last])


def test_no_noise_is_the_bot_itself_and_all_noise_is_random_play() -> None:
    assert (moves("lowest~0") == moves("lowest")).all()
    counts = np.bincount(moves("lowest~1"), minlength=12)
    assert counts[5] == 0 and np.abs(counts[counts > 0] / ROWS - 1 / 11).max() < 0.02


def test_the_rate_is_the_share_of_random_moves() -> None:
    strayed = (moves("lowest~0.3") != 0).mean()
    assert strayed == pytest.approx(0.3 * 10 / 11, abs=0.03)


def test_a_move_depends_on_its_own_key_alone() -> None:
    together = moves("highest~0.5")
    assert (moves("highest~0.5", 700, 750) == together[700:750]).all()


def test_a_noisy_bot_is_named_after_its_rate() -> None:
    bot = arena_bot("lowest~0.25")
    assert isinstance(bot, NoisyBot) and bot.name == "lowest~0.25"


@pytest.mark.parametrize(
    "name", ["lowest~1.5", "lowest~-1", "lowest~nan", "bold~0.1", "~0.1", "lowest~x"]
)
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"random moves|no bot"):
        arena_bot(name)
