"""Every game has its page, which is what the command writes and whose loop runs."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import miaui_env
from tests.pages.__main__ import FOLDER, page

every_game = pytest.mark.parametrize("name", miaui_env.games())


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


@every_game
def test_a_page_is_what_the_command_writes(name: str) -> None:
    assert text_of(name) == page(miaui_env.find(name)), "if this is meant: make pages"


@every_game
def test_the_loop_of_a_page_is_short_and_plays_a_game(name: str) -> None:
    (loop,) = re.findall(r"```python\n(.*?)```", text_of(name), re.DOTALL)
    assert len(loop.splitlines()) <= 15
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(loop, {})
    lines = told.getvalue().splitlines()
    seats = miaui_env.find(name).default_players
    assert [line.split()[1] for line in lines].count("has") == seats
    assert sum(float(line.split()[-1]) for line in lines[-seats:]) == pytest.approx(1.0)
    assert len(lines) > 2 * seats


@every_game
def test_a_page_tells_every_action_and_every_field(name: str) -> None:
    text, setup = text_of(name), miaui_env.Setup.of(miaui_env.find(name))
    runs = re.findall(r"^\| (\d+)(?:–(\d+))? \| `", text, re.MULTILINE)
    told = [action for low, high in runs for action in range(int(low), int(high or low) + 1)]
    assert told == list(range(setup.num_actions))
    assert all(f"| `{field.name}` | " in text for field in setup.layout.fields if field.size)
    assert all(f"| `{option}` | " in text for option in miaui_env.game.option_names(setup.game))


@every_game
def test_links_of_a_page_lead_somewhere(name: str) -> None:
    for link in re.findall(r"\]\(([^)#]+)", text_of(name)):
        assert (FOLDER / link).is_file()


def test_no_page_is_left_over() -> None:
    pages = {Path(file).stem for file in FOLDER.iterdir()}
    assert pages == set(miaui_env.games())


@every_game
def test_every_numbered_rule_has_a_test_that_names_it(name: str) -> None:
    """As `test_m07_…`, or `test_u02_u12_…` for two rules together."""
    root = FOLDER.parents[1]
    rules = (root / "miaui_env" / "games" / name / "RULES.md").read_text(encoding="utf-8")
    tests = (root / "tests" / "games" / f"test_{name}.py").read_text(encoding="utf-8")
    numbers = {(letter.lower(), int(n)) for letter, n in re.findall(r"\*\*([A-Z])(\d+)\b", rules)}
    names = " ".join(re.findall(r"def (test_\w+)", tests))
    tested = {(letter, int(n)) for letter, n in re.findall(r"_([a-z])(\d+)(?=_)", names)}
    assert len(numbers) > 5 and numbers <= tested
