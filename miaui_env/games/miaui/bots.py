"""Hand-written players of Miaui, the benchmark's yardsticks."""

from __future__ import annotations

from typing import Any

from miaui_env.engine.compile import kernel


@kernel
def lowest(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """The lowest diver card in hand."""
    for action in range(len(mask)):
        if mask[action]:
            return action
    return 0


@kernel
def highest(observation: Any, offsets: Any, mask: Any, key: Any) -> int:
    """The highest diver card in hand."""
    for action in range(len(mask) - 1, -1, -1):
        if mask[action]:
            return action
    return 0


BOTS = {"lowest": lowest, "highest": highest}
