"""Miaui's picture tells what the view tells, piece by piece."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, Tables, find
from miaui_env.games.miaui.pieces import CODES
from miaui_env.testing import setups_of
from miaui_env.testing.play import name_of
from tests.render.titled import counted


def fish_told(view: dict[str, Any]) -> Counter[str]:
    """What of that a view tells."""
    told = Counter(card for cards in view["lagoon"].values() for card in cards if card != "?")
    for seat in view["seats"]:
        told.update(seat["pile"] or ([seat["pile_top"]] if seat["pile_top"] else []))
    if view["last_round"]:
        told.update(card for _, cards in view["last_round"]["catches"].values() for card in cards)
    told.update(list(view["unseen"] or {}))
    if view["seat"] is None:
        told.update(view["deck"])
        told.update(set(view["box"]))
    return told


@pytest.mark.parametrize("setup", setups_of(find("miaui"))[::3], ids=name_of)
def test_each_fish_lies_there_as_often_as_the_view_has_it(setup: Setup) -> None:
    tables = Tables(setup, 1, seed=9, auto_reset=False)
    tables.reset()
    for k in range(13):
        for seat in (k % setup.num_players, None):
            view = tables.view(0, seat)
            assert counted(setup.draw(view), CODES) == fish_told(view)
        if tables.to_act.any():
            tables.step(tables.random_actions())


def test_a_view_too_many_is_a_picture_too_many() -> None:
    """Each part of a view that may change changes the picture."""
    tables = Tables("miaui", 1, 4, seed=3, perfect_recall=True, auto_reset=False)
    tables.reset()
    for _ in range(3):
        tables.step(tables.random_actions())
    view = tables.view(0, 0)
    one = tables.setup.draw(view)
    seats = [dict(about) for about in view["seats"]]
    seats[2]["hand"] = seats[2]["hand"][1:]
    changes: dict[str, Any] = {
        "round": 5,
        "kiti": (view["kiti"] + 1) % 4,
        "gulls_returned": 4,
        "hand": view["hand"][1:],
        "committed": 3,
        "to_act": [1, 2],
        "lagoon": {**view["lagoon"], "deep": ["tuna:15"]},
        "face_down": {**view["face_down"], "deep": [[0, 1]]},
        "seats": seats,
        "last_round": {**view["last_round"], "dives": [1, 2, 3, 4]},
        "deck_size": 3,
        "unseen": {"tuna:15": 1},
    }
    for name, value in changes.items():
        assert tables.setup.draw({**view, name: value}) != one, name


def test_a_commitment_of_others_shows_its_back() -> None:
    tables = Tables("miaui", 1, 3, seed=3, auto_reset=False)
    tables.reset()
    pictures = []
    for dive in (0, 11):
        other = Tables("miaui", 1, 3, seed=3, auto_reset=False)
        other.reset()
        other.step(np.array([[dive, -1, -1]]))
        pictures.append([other.setup.draw(other.view(0, seat)) for seat in (0, 1, None)])
    assert pictures[0][1] == pictures[1][1]
    assert pictures[0][0] != pictures[1][0] and pictures[0][2] != pictures[1][2]
