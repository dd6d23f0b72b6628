"""Pictures through the environments: pixels, a window or none, notebooks, films."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RenderCollection
from PIL import Image

from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.parallel import Parallel
from miaui_env.adapters.vector import SeatVectorEnv
from miaui_env.registry import find, gymnasium_id
from miaui_env.render.palette import seat_colour
from miaui_env.render.raster import MissingExtra, png, rgb, save_gif
from miaui_env.render.window import Window
from tests.adapters import coins
from tests.adapters.play import Laid, as_game, label, some_tables

TABLES = some_tables()
NO_EXTRA = r"pip install miaui_env\[render\]"


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)


def moved(env: Any) -> None:
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))


def is_a_picture(pixels: Any) -> bool:
    """The right shape, and more than a flat colour."""
    assert pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3
    assert pixels.flags.writeable
    return len(np.unique(pixels.reshape(-1, 3), axis=0)) > 3


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_frames_are_pictures_of_one_size_that_change_with_a_move(laid: Laid) -> None:
    game, options = laid
    env = AEC(game, render_mode="rgb_array", **options)
    env.reset(seed=1)
    before: Any = env.render()
    moved(env)
    after: Any = env.render()
    assert is_a_picture(before) and is_a_picture(after) and before.shape == after.shape
    assert (before != after).any()


def test_the_viewpoints_are_those_of_the_text() -> None:
    aec: Any = AEC("miaui", 3, render_mode="rgb_array")
    aec.reset(seed=2)
    moved(aec)
    assert aec.agent_selection == "player_1"
    assert np.array_equal(aec.render(), rgb(aec.setup.draw(aec.view("player_1"))))
    parallel: Any = Parallel("miaui", 3, render_mode="rgb_array")
    parallel.reset(seed=2)
    assert np.array_equal(parallel.render(), rgb(parallel.setup.draw(parallel.view(None))))
    seat = SeatEnv("miaui", 3, seat=2, render_mode="rgb_array")
    seat.reset(seed=2)
    assert np.array_equal(seat.render(), rgb(seat.setup.draw(seat.view())))
    vector = SeatVectorEnv("miaui", 2, 3, seat=2, render_mode="rgb_array")
    vector.reset(seed=2)
    frames = vector.render()
    assert frames is not None and len(frames) == 2 and np.array_equal(frames[0], seat.render())


@pytest.mark.parametrize("laid", TABLES[::3], ids=label)
def test_gymnasium_checks_what_is_rendered(laid: Laid) -> None:
    game, options = laid
    made = [SeatEnv(game, seat=0, illegal="replace", render_mode="rgb_array", **options)]
    assert set(made[0].metadata["render_modes"]) == {"ansi", "human", "rgb_array"}
    check_env(made[0], skip_render_check=True)  # it makes others by name, which is the next test


def test_frames_are_collected_by_gymnasiums_wrapper() -> None:
    name = gymnasium_id(find("miaui"))
    env = RenderCollection(gymnasium.make(name, seat=0, render_mode="rgb_array"))
    _, info = env.reset(seed=0)
    for _ in range(2):
        *_, info = env.step(int(info["action_mask"].argmax()))
    frames: Any = env.render()
    assert len(frames) == 3 and all(frame.shape == (600, 800, 3) for frame in frames)
    check_env(gymnasium.make(name, illegal="replace", render_mode="rgb_array").unwrapped)
    env.close()


def test_no_display_is_said_once_and_words_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    env = AEC("miaui", render_mode="human")
    env.reset(seed=0)
    for _ in range(2):
        assert env.render() is None
    said = capsys.readouterr().out
    assert said.count("No window, so here is the table in words: ") == 1
    assert said.count("Your divers") == 2
    env.close()
    env.close()


def test_a_window_shows_each_picture(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tkinter = pytest.importorskip("tkinter")
    seen: list[Any] = []

    class Fake:
        def __init__(self, *_: Any, **told: Any) -> None:
            seen.append(told)

        def __getattr__(self, name: str) -> Any:
            return lambda *_, **told: seen.append(told or name)

    for name in ("Tk", "Label", "PhotoImage"):
        monkeypatch.setattr(tkinter, name, Fake)
    window = Window()
    window.show(render_of_coins(), "words", "Coins")
    window.show(render_of_coins(), "words", "Coins")
    assert capsys.readouterr().out == ""
    assert sum(1 for told in seen if isinstance(told, dict) and "data" in told) == 2
    window.close()
    assert seen[-1] == "destroy"


def render_of_coins() -> str:
    env = AEC(coins.GAME)
    env.reset(seed=0)
    svg = env._repr_svg_()
    assert svg is not None
    return svg


def test_notebooks_show_the_table_once_there_is_one() -> None:
    made: list[Any] = [AEC("miaui"), Parallel("miaui"), SeatEnv("miaui", seat=1)]
    for env in made:
        assert env._repr_svg_() is None
        env.reset(seed=3)
        assert env._repr_svg_().startswith("<svg")
    assert made[2]._repr_svg_() == made[2].setup.draw(made[2].view())


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_without_the_extra_it_is_named(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    env = AEC("miaui", render_mode="rgb_array")
    env.reset(seed=0)
    with pytest.raises(MissingExtra, match=NO_EXTRA):
        env.render()
    human = AEC("miaui", render_mode="human")
    human.reset(seed=0)
    assert human.render() is None  # words need nothing
    with pytest.raises(MissingExtra, match=NO_EXTRA):
        save_gif([render_of_coins()], tmp_path / "film.gif")


def test_a_film_has_a_frame_for_each_picture(tmp_path: Path) -> None:
    env = AEC("miaui")
    env.reset(seed=0)
    svgs = []
    for _ in range(4):
        svgs.append(env.setup.draw(env.view(None)))
        moved(env)
    assert save_gif(svgs, tmp_path / "film.gif") == 4
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == 4 and film.size == (800, 600)  # type: ignore[attr-defined]
        pixels = np.asarray(film.convert("RGB"), np.int64).reshape(-1, 3)
    for seat in range(4):
        colour = [int(seat_colour(seat)[i : i + 2], 16) for i in (1, 3, 5)]
        assert (np.abs(pixels - colour).max(1) < 16).sum() > 500, f"the colour of seat {seat}"


def test_pictures_need_no_fonts_and_are_png() -> None:
    data = png(render_of_coins())
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "PNG" and image.size == (800, 600)
    assert as_game(coins.GAME).draw is None  # its words are drawn
