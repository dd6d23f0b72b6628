"""Tables of Miaui that go by a name: a ladder of games small enough to be solved exactly.

Each has hidden cards: what comes when, and what lies face down after a Lantern. With two seats
Kiti's first gap is fixed, so that it matters who sits where. With three rounds a view tells all
that was done before any choice; with four it no longer does, and information states are more than
views. `docs/benchmarks/exact.md` has sizes and values.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

_FOUR = ("tuna:12", "lantern:7", "jellyfish:-10", "seagull")

CONFIGURATIONS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "miaui-mini-1": {
            "num_players": 2,
            "hand_size": 3,
            "spaces": 1,
            "kiti": 0,
            "cards": ("lantern:7", "jellyfish:-10", "seagull"),
        },
        "miaui-mini-2": {
            "num_players": 2,
            "hand_size": 3,
            "spaces": 1,
            "kiti": 0,
            "cards": _FOUR,
        },
        "miaui-mini-3": {
            "num_players": 2,
            "hand_size": 4,
            "spaces": 1,
            "kiti": 0,
            "cards": ("tuna:12", *["lantern:7"] * 3),
        },
        "miaui-mini-4": {
            "num_players": 2,
            "hand_size": 3,
            "spaces": 2,
            "kiti": 0,
            "cards": (*_FOUR, "tuna:12", "tuna:12"),
        },
        "miaui-mini-5": {
            "num_players": 2,
            "hand_size": 4,
            "spaces": 1,
            "kiti": 0,
            "cards": _FOUR,
        },
        "miaui-mini-trio": {
            "num_players": 3,
            "hand_size": 2,
            "spaces": 2,
            "cards": _FOUR,
        },
    }
)
