"""The README's Python runs as it stands, block by block, in one fresh interpreter each."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import miaui_env

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_readme_shows_the_four_first_things() -> None:
    assert len(BLOCKS) == 4


def test_the_sample_screen_is_what_is_printed() -> None:
    tables = miaui_env.Tables("miaui", 1, 4, seed=3)
    tables.reset()
    for _ in range(3):
        tables.step(tables.random_actions())
    assert tables.setup.game.words(tables.view(0, 0)) in README


def test_a_bot_of_your_own_plays() -> None:
    (block,) = re.findall(r"```py\n(.*?)```", README, re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    env = miaui_env.make("miaui", "gymnasium", opponents=names["Middle"]())
    _, info = env.reset(seed=0)
    assert "seat" in info
    env.step(int(info["action_mask"].argmax()))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0])
def test_a_block_runs(block: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_rule_numbers_and_options_are_all_in_the_rules_page() -> None:
    for game in map(miaui_env.find, miaui_env.games()):
        rules = (ROOT / "miaui_env" / "games" / game.name / "RULES.md").read_text()
        assert f"- **{game.version}** " in rules
        for option in dataclasses.fields(game.options):
            assert f"`{option.name}`" in rules


def test_every_game_is_in_the_first_table() -> None:
    for game in map(miaui_env.find, miaui_env.games()):
        rules, seats = f"miaui_env/games/{game.name}/RULES.md", game.players
        assert f"| **[{game.title}]({rules})** | {seats[0]}–{seats[-1]} |" in README
        assert (ROOT / rules).is_file()
