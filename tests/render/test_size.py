"""Pictures of one game have one size, so that they make a film."""

from __future__ import annotations

import re

import pytest

from miaui_env import Setup, Tables, find, games
from miaui_env.testing import setups_of
from miaui_env.testing.play import name_of

SETUPS = [setup for name in games() for setup in setups_of(find(name))[::5]]


@pytest.mark.parametrize("setup", SETUPS, ids=name_of)
@pytest.mark.parametrize("seat", [1, None])
def test_pictures_of_one_game_have_one_size(setup: Setup, seat: int | None) -> None:
    tables = Tables(setup, 1, seed=1, auto_reset=False)
    tables.reset()
    sizes = set()
    while tables.to_act.any():
        svg = setup.draw(tables.view(0, seat))
        sizes.add(tuple(re.findall(r'(?:width|height)="(\d+)"', svg)[:2]))
        tables.step(tables.random_actions())
    assert len(sizes) == 1 and len(sizes.pop()) == 2
