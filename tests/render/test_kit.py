"""The drawing kit: letters, tags, shared drawings, rows."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from miaui_env import render
from miaui_env.render.letters import GLYPHS
from miaui_env.render.svg import shared, words

PRINTABLE = "".join(map(chr, range(32, 127))) + "×−–’ʻ“”·→←"


def test_every_sign_on_a_keyboard_has_a_letter() -> None:
    assert [letter for letter in PRINTABLE if letter not in GLYPHS] == [" "]


def test_strange_letters_lose_their_accents_or_become_a_box() -> None:
    assert render.uses_of("é") == render.uses_of("e")
    assert render.width_of("шар", 10) == render.width_of("☃☃☃", 10) > 0
    assert "u2603" in render.document(10, 10, words(0, 5, "☃"))


def test_words_never_leave_their_room() -> None:
    assert render.width_of("a long sentence", 20) > 60
    narrow = words(0, 20, "a long sentence", 20, room=60)
    size = 20 * 60 / render.width_of("a long sentence", 20)
    assert narrow == words(0, 20, "a long sentence", size, room=60)


def test_a_picture_is_xml_that_holds_what_it_uses_and_no_fonts() -> None:
    text = 'a < b & "c"'
    piece = render.at(3, 4, words(0, 0, text), render.cat(2), title=text)
    svg = render.document(40, 30, piece, title="<&>")
    root = ET.fromstring(svg)
    names = {node.get("id") for node in root.iter() if node.get("id")}
    used = {(node.get("href") or "")[1:] for node in root.iter() if node.get("href")}
    assert used == names and "cat-2" in names
    assert "<text" not in svg and "font" not in svg
    assert svg == render.document(40, 30, piece, title="<&>")


def test_one_name_is_for_one_drawing() -> None:
    shared("test-spot", render.circle(0, 0, 1, "red"))
    shared("test-spot", render.circle(0, 0, 1, "red"))
    with pytest.raises(ValueError, match="another drawing is called 'test-spot'"):
        shared("test-spot", render.circle(0, 0, 2, "red"))


def test_a_row_is_as_wide_as_it_may_be() -> None:
    assert render.spread(0, 100, 20) == [] and render.spread(1, 100, 20) == [0.0]
    assert render.spread(3, 100, 20, 5) == [0.0, 25.0, 50.0]
    assert render.spread(9, 100, 20, 5)[-1] == 80.0


def test_dark_words_on_light_colours() -> None:
    assert render.ink_on("#ffffff") == render.INK and render.ink_on("#101010") == render.WHITE


def test_plain_words_fill_a_sheet_of_one_size() -> None:
    for text in ("", "short", "a word\n" * 80, "x" * 400):
        root = ET.fromstring(render.sheet(text, "Coins"))
        assert (root.get("width"), root.get("height")) == ("800", "600")


def test_the_example_of_the_kits_docstring_draws() -> None:
    _, _, rest = (render.__doc__ or "").partition("::\n")
    code, _, _ = rest.partition("All of these")
    names: dict[str, Any] = {}
    exec(textwrap.dedent(code), names)
    svg = names["draw"]({"num_players": 2, "seat": 0, "to_act": [1], "casts": 3})
    assert ET.fromstring(svg).get("width") == "800" and "cat-1" in svg


def test_the_kit_imports_nothing_that_must_be_installed() -> None:
    code = (
        "import sys; sys.modules['resvg_py'] = sys.modules['PIL'] = None\n"
        "import miaui_env.render, miaui_env.render.raster, miaui_env.render.window, miaui_env\n"
        "env = miaui_env.miaui_v0.env(); env.reset(seed=0); print(env._repr_svg_()[:4])\n"
        "print('tkinter' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["<svg", "False"]
