"""Showcase's picture tells what the view tells, piece by piece."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from miaui_env import Setup, Tables, find
from miaui_env.games.showcase.pieces import CODES
from miaui_env.testing import setups_of
from miaui_env.testing.play import name_of
from tests.render.titled import counted

COUNTED = ("played", "revealed", "known")


def cards_told(view: dict[str, Any]) -> Counter[str]:
    """What of that a view tells: single cards, and kinds with their number."""
    told = Counter(card for card in view["showcase"] if card)
    told.update(view["hand"] or {})
    told.update(view.get("deck", []))
    told.update(list(view["discards"]) + list(view["unseen"] or {}))
    for seat, about in enumerate(view["seats"]):
        told.update((about["last_act"] or [])[1:])
        for what in COUNTED:
            if not (what == "known" and seat == view["seat"]):  # that hand lies below
                told.update(list(about[what] or {}))
    return told


@pytest.mark.parametrize("setup", setups_of(find("showcase"))[::3], ids=name_of)
def test_each_card_lies_there_as_often_as_the_view_has_it(setup: Setup) -> None:
    tables = Tables(setup, 1, seed=9, auto_reset=False)
    tables.reset()
    for k in range(25):
        for seat in (k % setup.num_players, None):
            view = tables.view(0, seat)
            assert counted(setup.draw(view), CODES) == cards_told(view)
        if tables.to_act.any():
            tables.step(tables.random_actions())


def test_another_view_is_another_picture() -> None:
    """Each part of a view that may change changes the picture."""
    tables = Tables("showcase", 1, 3, seed=3, perfect_recall=True, auto_reset=False)
    tables.reset()
    while tables.states["rounds"][0] == 1:
        tables.step(tables.random_actions())
    view = tables.view(0, 0)
    one = tables.setup.draw(view)
    assert view["to_act"], "the game went on"
    changes: dict[str, Any] = {
        "turn": 77,
        "round": 7,
        "phase": "declare" if view["phase"] == "play" else "play",
        "to_act": [(view["to_act"][0] + 1) % 3],
        "finisher": 2,
        "scores": [9, 9, 9],
        "showcase": [None, *view["showcase"][1:]],
        "hand": {"milk": 8},
        "discards": {"gold:2": 6},
        "deck_size": 3,
        "unseen": {"blue:2": 6},
    }
    for name, value in changes.items():
        assert tables.setup.draw({**view, name: value}) != one, name
    about: dict[str, Any] = {
        "hand_size": 17,
        "played": {"gold:2": 6},
        "last_act": ["swap", "milk", "milk"],
        "revealed": {},
        "known": {"blue:2": 1, "red:2": 2},
    }
    for name, value in about.items():
        seats = [*view["seats"][:1], {**view["seats"][1], name: value}, *view["seats"][2:]]
        assert tables.setup.draw({**view, "seats": seats}) != one, name


def test_a_hand_that_is_not_told_shows_its_backs() -> None:
    tables = Tables("showcase", 1, 2, seed=3, auto_reset=False)
    tables.reset()
    svg = tables.setup.draw(tables.view(0, 0))
    assert svg.count("#showcase-back-1") == 5 and "#showcase-back-0" not in svg
