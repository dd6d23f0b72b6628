"""Lucky Catch's picture tells what the view tells, tile by tile."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, pairwise
from typing import Any

import pytest

from miaui_env import Setup, Tables, find, lucky_catch_v0
from miaui_env.testing import setups_of
from miaui_env.testing.play import name_of
from tests.referee.lucky_catch import BOX
from tests.render.titled import counted


def faces_told(view: dict[str, Any]) -> Counter[str]:
    """Those of a view: known tiles, the chest that was taken, and the tile of the last cast."""
    told = Counter(view["known"].values())
    if view["chest"] is not None:
        told["chest"] += 1
    if view["last_cast"]:
        told[view["last_cast"]["face"]] += 1
    return told


def uses(svg: str, name: str) -> int:
    """How often shared drawings whose names begin so are used."""
    return len(re.findall(f'href="#lucky-{name}-', svg))


def at(seats: int, casts: int, **options: Any) -> Tables:
    """A table after so many random casts."""
    tables = Tables("lucky_catch", 1, seats, seed=3, auto_reset=False, **options)
    tables.reset()
    for _ in range(casts):
        tables.step(tables.random_actions())
    return tables


@pytest.mark.parametrize("setup", setups_of(find("lucky_catch"))[::3], ids=name_of)
def test_each_tile_lies_there_as_the_view_has_it(setup: Setup) -> None:
    """Faces, backs and gaps are as many as the view has, at each third cast of a game."""
    tables = Tables(setup, 1, seed=9, auto_reset=False)
    tables.reset()
    for k in range(500):
        for seat in (k % setup.num_players, None) if k % 3 == 0 else ():
            view = tables.view(0, seat)
            svg = setup.draw(view)
            held = list(chain(view["sea"], *view["rows"]))
            assert counted(svg, BOX) == faces_told(view)
            assert uses(svg, "back") == sum(held) - len(view["known"])
            assert uses(svg, "gap") == len(held) - sum(held)
        if not tables.to_act.any():
            break
        tables.step(tables.random_actions())
    assert not tables.to_act.any()


def test_each_part_of_a_view_changes_the_picture() -> None:
    tables = at(4, 30, perfect_recall=True)
    view = tables.view(0, 0)
    assert view["to_act"] == [1] and view["rows"][2][0] and "sea:3" in view["recent"]
    one = tables.setup.draw(view)
    rows = [list(row) for row in view["rows"]]
    rows[2][0] = False
    changes: dict[str, Any] = {
        "seat": 2,
        "to_act": [2],
        "casts": 31,
        "dice": ["green", "crab"],
        "sea": [not view["sea"][0], *view["sea"][1:]],
        "rows": rows,
        "chest": 3 if view["chest"] is None else None,
        "known": {**view["known"], "sea:3": "boot"},
        "last_cast": {**view["last_cast"], "result": "match"},
        "scores": [1, 2, 3, 4],
        "recent": [],
    }
    for name, value in changes.items():
        assert tables.setup.draw({**view, name: value}) != one, name


def test_tiles_that_fit_are_ringed_where_they_may_be_fished() -> None:
    """Known: a red crab in a row and a red octopus in the sea; then the dice change."""
    env = lucky_catch_v0.env(2, first=0)
    env.reset(seed=1)
    setup = env.unwrapped.setup
    view = {
        **env.unwrapped.view("player_1"),
        "rows": [[True], []],
        "known": {"row0:0": "red:crab", "sea:5": "red:octopus", "sea:6": "boot"},
    }
    for dice, rings in (
        (["red", "crab"], 1),
        (["red", "lucky"], 2),
        (["wild", "octopus"], 1),
        (["wild", "lucky"], 1),  # L4: the row is closed
        (["blue", "lucky"], 0),
        (None, 0),
    ):
        svg = setup.draw({**view, "dice": dice, "to_act": [0] if dice else []})
        assert uses(svg, "ring") == rings, dice


def test_what_memory_alone_knows_looks_otherwise() -> None:
    tables = at(4, 30, perfect_recall=True)
    view = tables.view(0, 0)
    older = set(view["known"]) - set(view["recent"])
    assert older
    svg = tables.setup.draw(view)
    assert len(re.findall(r'href="#lucky-[a-z-]+-recalled-', svg)) == len(older)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_row_of_all_tiles_stays_on_its_jetty(seats: int) -> None:
    """And no two of its tiles overlap, nor any two jetties."""
    env = lucky_catch_v0.env(seats)
    env.reset(seed=1)
    view = env.unwrapped.view(None)
    known = {f"row0:{i}": face for i, face in enumerate(BOX[:23])}
    rows = [[True] * 23, *[[]] * (seats - 1)]
    svg = env.unwrapped.setup.draw({**view, "rows": rows, "sea": [False] * 24, "known": known})
    tile = r'translate\((\S+) (\S+)\)"><title>[^<]*</title><use href="#lucky-[a-z-]+-up-(\S+)"'
    corners = [tuple(map(float, found)) for found in re.findall(tile, svg)]
    planks = r'translate\((\S+) (\S+)\)"><rect[^>]* height="(\S+)" fill="#d7a46a"'
    jetties = sorted(tuple(map(float, found)) for found in re.findall(planks, svg))
    high = jetties[0][2]
    assert (len(corners), len(jetties)) == (23, seats)
    assert all(0 <= x <= 258 - size and 0 <= y <= high - size for x, y, size in corners)
    for (x, y, _), (u, v, _) in pairwise(jetties):
        assert x != u or v - y > high
    for i, (x, y, size) in enumerate(corners):
        assert all(abs(x - u) > size or abs(y - v) > size for u, v, _ in corners[:i])
