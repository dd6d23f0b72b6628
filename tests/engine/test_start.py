"""A process that imports the package pays for no game before it asks for one."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pytest

import miaui_env
from miaui_env.games import version_of
from miaui_env.registry import gymnasium_id

LOADED = """
import sys, gymnasium, miaui_env
ids = [name for name in gymnasium.registry if name.startswith("miaui_env/")]
print(len(ids), sorted(name for name in sys.modules if name.startswith("miaui_env.games.")))
miaui_env.Tables("maui", 1)
print(*sorted({name.split(".")[2] for name in sys.modules if name.startswith("miaui_env.games.")}))
"""


def test_only_the_game_that_is_played_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"{len(miaui_env.games())} []", "maui"]


@pytest.mark.parametrize("game", miaui_env.games())
def test_a_game_has_the_version_that_its_file_says(game: str) -> None:
    assert miaui_env.find(game).version == version_of(game)
    assert gymnasium_id(miaui_env.find(game)) in gymnasium.registry
    assert f"{game}_v{version_of(game)}" in miaui_env.registry.pettingzoo_names()
