"""Miaui remembered: a front end that sees only the table, at tables large and small."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from miaui_env import Recall, miaui_v0


def both(num_players: int, **options: Any) -> tuple[Any, Any, list[Recall]]:
    """The same table told as it shows and with perfect recall, and what each seat remembers."""
    shown = miaui_v0.env(num_players=num_players, **options)
    whole = miaui_v0.env(num_players=num_players, perfect_recall=True, **options)
    seats = range(num_players)
    return shown, whole, [Recall("miaui", num_players, **options) for _ in seats]


def look(shown: Any, recall: Recall, agent: str) -> dict[str, Any]:
    """The agent's view comes as JSON; what it remembers then."""
    return recall.see(json.loads(json.dumps(shown.unwrapped.view(agent))))


@pytest.mark.parametrize(
    ("num_players", "options"),
    [
        (2, {"hand_size": 1, "cards": ["tuna:10", "kittenfish:1", "lantern:3"]}),
        (3, {"hand_size": 5, "spaces": 1, "cards": {"lantern:3": 5, "tuna:10": 3, "seagull": 1}}),
        (2, {"hand_size": 7, "spaces": 2}),
        (2, {"hand_size": 6, "no_fighting": True}),
        (4, {"hand_size": 4, "spaces": 2, "no_fighting": True, "open_baskets": True}),
        (3, {"hand_size": 5, "cards": {"jellyfish:-10": 6, "seagull": 5, "lantern:3": 7}}),
        (4, {"no_fighting": True, "cards": {"tuna:10": 9, "seagull": 12, "lantern:3": 25}}),
        (6, {"cards": {"jellyfish:-10": 20, "seagull": 9, "lantern:5": 20, "tuna:15": 15}}),
    ],
)
def test_aec_views_of_an_unusual_table_are_remembered(
    num_players: int, options: dict[str, Any]
) -> None:
    shown, whole, recalls = both(num_players, **options)
    for seed in range(6):
        rng = random.Random(seed)
        shown.reset(seed=seed)
        whole.reset(seed=seed)
        for seat, agent in enumerate(shown.possible_agents):
            recalls[seat].forget()
            assert agent == f"player_{seat}"
        while shown.agents:
            agent = shown.agent_selection
            told = look(shown, recalls[int(agent[7:])], agent)
            assert json.dumps(told) == json.dumps(whole.unwrapped.view(agent))
            legal = shown.observe(agent)["action_mask"].nonzero()[0].tolist()
            action = rng.choice(legal) if legal else None
            shown.step(action)
            whole.step(action)


def test_what_lies_under_the_top_of_anothers_pile_is_remembered() -> None:
    """Seat 0 takes a tuna of 10, one of 14, then a Seagull that flies off with the second."""
    fish = ["tuna:10", "kittenfish:1", "tuna:14", "kittenfish:3", "tigerfish:6", "seagull"]
    shown, _, recalls = both(2, hand_size=3, spaces=2, cards=fish, kiti=0)
    shown.reset(seed=0, options={"deck": fish})
    piles, scores = [], []
    for dive, other in ((3, 2), (2, 1), (1, 3)):
        shown.step(dive - 1)
        told = look(shown, recalls[1], "player_1")
        shown.step(other - 1)
        piles.append(told["seats"][0]["pile"])
        scores.append(told["seats"][0]["score"])
    assert piles == [[], ["tuna:10"], ["tuna:10", "tuna:14"]] and scores == [0, 10, 24]
    assert told["seats"][0]["hand"] == [1] and told["seats"][0]["dived"] == [3, 2]
    assert told["unseen"] == {}
    assert shown.unwrapped.view("player_1")["seats"][0]["pile"] is None
    assert look(shown, recalls[1], "player_1")["seats"][0]["pile"] == ["tuna:10"]


def test_a_view_that_contradicts_what_is_remembered_is_refused() -> None:
    shown, _, recalls = both(3)
    shown.reset(seed=1)
    look(shown, recalls[0], "player_0")
    for _ in range(3):
        shown.step(4)
    view = shown.unwrapped.view("player_0")
    for wrong in (
        {**view, "seats": [view["seats"][0], view["seats"][2], view["seats"][1]]},
        {**view, "hand": view["hand"][1:], "committed": 5},
        {**view, "lagoon": {name: ["tuna:15"] for name in view["lagoon"]}},
    ):
        with pytest.raises(ValueError, match=r"does not follow|more than there can be"):
            recalls[0].see(wrong)
    recalls[0].see(view)
