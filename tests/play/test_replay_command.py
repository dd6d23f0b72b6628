"""`miaui replay` and `miaui arena --replays`, as people type them."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from miaui_env.play.reading import read
from miaui_env.play.replay import SeatReplay
from tests.test_cli import miaui


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of the arena."""
    folder = tmp_path_factory.mktemp("games") / "new"
    line = f"arena miaui --bots greedy random --players 3 --deals 2 --seed 4 --replays {folder}"
    told = miaui(line)
    assert told.code == 0 and len([*folder.iterdir()]) == 6
    return folder / "deal-00001-seating-2.jsonl"


def test_a_replay_is_text_unless_told_otherwise(game: Path) -> None:
    told = miaui(f"replay {game}")
    assert told.code == 0 and told.out.count("\nMiaui, round") == 13
    assert "--- 13 of 13 " in told.out and "deck: -" in told.out
    assert "seat 2 (greedy): dive " in told.out and "Your divers" not in told.out
    assert "Points: seat 0 (random) " in told.out and "; shares of the win: " in told.out


def test_a_seat_is_shown_what_it_saw(game: Path) -> None:
    told = miaui(f"replay {game} --seat 2")
    assert told.code == 0 and told.out.count("Your divers") == 12
    assert "→ you: dive " in told.out and "deck:" not in told.out and "greedy" not in told.out
    assert "\nYou have " in told.out


def test_a_film_and_pictures_have_all_moments(game: Path, tmp_path: Path) -> None:
    film, folder = tmp_path / "film.gif", tmp_path / "pictures"
    told = miaui(f"replay {game} --seat 0 --gif {film} --svg {folder}")
    assert told.code == 0 and "Miaui, round" not in told.out
    assert f"13 pictures in {film}" in told.out and f"13 pictures in {folder}" in told.out
    with Image.open(film) as frames:
        assert frames.n_frames == 13  # type: ignore[attr-defined]
    drawn = sorted(folder.iterdir())
    assert [file.name for file in drawn[:2]] == ["001.svg", "002.svg"] and len(drawn) == 13
    assert len({file.read_text() for file in drawn}) == 13
    assert ET.fromstring(drawn[0].read_text()).tag.endswith("svg")


def test_a_seats_own_replay_can_be_saved_and_read(game: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    assert miaui(f"replay {game} --seat 1 --save {own}").code == 0
    assert isinstance(read(own), SeatReplay) and "seed" not in own.read_text()
    assert miaui(f"replay {own}").out == miaui(f"replay {game} --seat 1").out
    said = miaui(f"replay {own} --seat 0")
    assert said.code == 2 and "this replay holds what seat 1 saw, not seat 0" in said.err


def test_mistakes_are_one_line(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text("\n".join(game.read_text().splitlines()[:9]))
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    for line, complaint in (
        (f"replay {tmp_path}/none", "No such file"),
        (f"replay {cut}", "line 9: the file is cut short, it does not tell the end"),
        (f"replay {game} --seat 3", "seats are 0 to 2, not 3"),
        (f"replay {game} --save {tmp_path}/own", "what is saved is what one seat saw: say which"),
        (f"replay {game} --gif /no/such/folder/x.gif", "cannot write"),
        (f"replay {game} --gif {tmp_path}/x.gif", "pip install miaui_env[render]"),
    ):
        told = miaui(line)
        assert told.code == 2 and complaint in told.err and len(told.err.splitlines()) == 1
        assert told.out == ""
