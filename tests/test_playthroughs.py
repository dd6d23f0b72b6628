"""The golden games are played again as they stand, and no game or variant lacks one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playthroughs.__main__ import FOLDER, all_wanted, command_of, printed

FILES = sorted(FOLDER.glob("*.txt"))
MOST = 40_000
"""Bytes in a file that somebody is to read."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_is_played_as_it_stands(file: Path) -> None:
    text = file.read_text()
    assert printed(command_of(text)) == text, "if this is meant: make playthroughs, read the diff"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_is_short_enough_to_read(file: Path) -> None:
    assert file.stat().st_size <= MOST, "choose a shorter game, or --every, in its first line"
    assert max(map(len, file.read_text().splitlines()[1:])) <= 100


@pytest.mark.parametrize("name", all_wanted())
def test_every_game_and_variant_has_one(name: str) -> None:
    assert (FOLDER / name).exists(), "make playthroughs writes what is missing"
    command = command_of((FOLDER / name).read_text())
    for part in all_wanted()[name]:
        assert f" {part} " in f" {command} "


def test_no_file_is_without_a_game() -> None:
    assert {file.name for file in FILES} <= set(all_wanted())
