"""What bots say of themselves is what they do."""

from pathlib import Path

import numpy as np
import pytest

from miaui_env import Setup, Tables, find, keys, load_bot
from miaui_env.benchmark import arena_bot
from miaui_env.bots.card import Card
from miaui_env.bots.exported import ExportedBot
from miaui_env.bots.protocol import Bot
from miaui_env.bots.simple import KernelBot
from miaui_env.engine.compile import kernel
from miaui_env.engine.loops import any_legal

TIMES = 20_000


def some_rows(setup: Setup) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of seats in the fourth round."""
    tables = Tables(setup, 3, seed=2)
    tables.reset()
    for _ in range(3):
        step = tables.step(tables.random_actions())
    return step.observations[:, 0].copy(), step.action_masks[:, 0].copy()


def assert_does_what_it_says(bot: Bot, setup: Setup) -> None:
    observations, masks = some_rows(setup)
    said = bot.probabilities(observations, masks)
    assert said is not None
    assert said.sum(1) == pytest.approx(1, abs=1e-12)
    assert not said[masks == 0].any()
    for row, (observation, mask) in enumerate(zip(observations, masks, strict=True)):
        shown = np.tile(observation, (TIMES, 1)), np.tile(mask, (TIMES, 1))
        done = np.bincount(bot.act(*shown, keys(row, TIMES)), minlength=len(mask)) / TIMES
        assert np.abs(done - said[row]).max() < 4 * np.sqrt(0.25 / TIMES)


@pytest.mark.parametrize("name", ["random", "greedy", "lowest", "greedy~0.4", "random~0.3"])
def test_hand_written_bots_play_as_they_say(name: str) -> None:
    setup = Setup.of(find("miaui"), 3)
    assert_does_what_it_says(arena_bot(name).fitted(setup), setup)


@pytest.mark.parametrize("plays", [{"how": "sample", "temperature": 0.5}, {"how": "argmax"}])
def test_exported_bots_play_as_they_say(
    bot_folder: Path, setup: Setup, plays: dict[str, object]
) -> None:
    card = Card.read(bot_folder)
    Card(**{**vars(card), "plays": plays}).write(bot_folder)
    assert_does_what_it_says(ExportedBot(bot_folder), setup)


@kernel
def hands_on(observation: np.ndarray, offsets: np.ndarray, mask: np.ndarray, key: int) -> int:
    """Reads its key in another kernel only."""
    return int(any_legal(mask, key))


def test_a_kernel_that_reads_its_key_says_nothing() -> None:
    setup = Setup.of(find("miaui"), 3)
    told = some_rows(setup)
    bot = KernelBot("hands_on", hands_on, setup.layout.offsets)
    assert bot.probabilities(*told) is None
    assert load_bot("greedy").probabilities(*told) is None  # not fitted: it knows no game yet
