"""Maui's picture tells what the view tells, piece by piece."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from miaui_env import Setup, Tables, find
from miaui_env.testing import setups_of
from miaui_env.testing.play import name_of
from tests.render.titled import titles

GAME = find("maui")
OVERHANGS = [Setup.of(GAME, 4, overhang=overhang) for overhang in (0, 2)]


def told(view: dict[str, Any]) -> Counter[str]:
    """Towels, umbrellas and counted things of a view."""
    names: Counter[str] = Counter(["Maui", *view["unseen"]])
    names.update(name for row in view["market"] for name in row)
    for seat in view["seats"]:
        names.update(name for _, name in seat["columns"])
        names.update(seat["umbrellas"].values())
        names[f"dollars: {seat['dollars']}"] += 1
        names[f"penalty tokens: {seat['penalties']}"] += 1
        for kind, number in seat["pearls"].items():
            names[f"{kind} pearls: {number}"] += 1
    return names


@pytest.mark.parametrize("setup", [*setups_of(GAME)[::3], *OVERHANGS], ids=name_of)
def test_each_piece_lies_there_as_often_as_the_view_has_it(setup: Setup) -> None:
    tables = Tables(setup, 1, seed=9, auto_reset=False)
    tables.reset()
    for turn in range(setup.num_players * 15):
        view = tables.view(0, None if turn % 2 else turn % setup.num_players)
        if turn % 3 == 0 or not view["to_act"]:
            assert titles(setup.draw(view)) == told(view)
        if not view["to_act"]:
            return
        tables.step(tables.random_actions())


def test_another_view_is_another_picture() -> None:
    """Each part of a view that may change changes the picture."""
    tables = Tables("maui", 1, 3, seed=3, auto_reset=False)
    tables.reset()
    for _ in range(14):
        tables.step(tables.random_actions())
    view = tables.view(0, 0)
    one = tables.setup.draw(view)
    changes: dict[str, Any] = {
        "seat": 1,
        "to_act": [(view["to_act"][0] + 1) % 3],
        "turn": 3,
        "first": (view["first"] + 1) % 3,
        "market": view["market"][::-1],
        "piles": [view["piles"][0] + 1, view["piles"][1]],
        "track_tokens": view["track_tokens"][1:],
        "step_patterns": view["step_patterns"][::-1],
        "bag_size": 3,
        "unseen": dict(list(view["unseen"].items())[1:]),
    }
    for name, value in changes.items():
        assert tables.setup.draw({**view, name: value}) != one, name
    seat = view["seats"][1]
    top, name = seat["columns"][-1]
    seat_changes: dict[str, Any] = {
        "columns": [*seat["columns"][:-1], [top - 1, name]],
        "umbrellas": dict(list(seat["umbrellas"].items())[1:]),
        "dollars": seat["dollars"] + 1,
        "penalties": seat["penalties"] + 1,
        "tokens": ["waves"],
        "tracks": {**seat["tracks"], "fish": 20},
        "pearls": {"white": 3, "black": seat["pearls"]["black"]},
        "score": 30,
    }
    for name, value in seat_changes.items():
        seats = [view["seats"][0], {**seat, name: value}, view["seats"][2]]
        assert tables.setup.draw({**view, "seats": seats}) != one, name


def test_the_referee_sees_the_bag_in_its_order() -> None:
    tables = Tables("maui", 1, 2, seed=3, auto_reset=False)
    tables.reset()
    view = tables.view(0, None)
    other = {**view, "bag": view["bag"][::-1]}
    assert tables.setup.draw(other) != tables.setup.draw(view)
