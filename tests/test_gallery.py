"""The gallery is what its command draws, shows every game, and stays small."""

from __future__ import annotations

import pytest

import miaui_env
from tests.gallery.__main__ import PAGE, PICTURES, Shot, all_shots, page

MOST = 200_000
"""Bytes of a game's pictures."""
SHOTS = [shot for taken in all_shots().values() for shot in taken]
AGAIN = "if this is meant: make gallery, look at the pictures"


def test_the_page_is_what_the_command_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), AGAIN


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.file)
def test_a_picture_is_what_the_command_draws(shot: Shot) -> None:
    assert (PICTURES / shot.file).read_text(encoding="utf-8") == shot.draw() + "\n", AGAIN


@pytest.mark.parametrize("name", miaui_env.games())
def test_every_game_is_shown_and_its_pictures_are_small(name: str) -> None:
    game = miaui_env.find(name)
    assert f"## {game.title}\n" in PAGE.read_text(encoding="utf-8")
    files = [shot.file for shot in SHOTS if shot.setup.game is game]
    assert len(files) == len(set(files)) >= 3
    assert sum((PICTURES / file).stat().st_size for file in files) <= MOST


def test_no_picture_is_left_over() -> None:
    assert {file.name for file in PICTURES.iterdir()} == {shot.file for shot in SHOTS}
