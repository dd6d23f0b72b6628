"""Information states: what a seat has seen and done, in order.

Perfect recall in the sense of game theory. A view is a summary: two histories may lead to equal
views (who dived what first?) and still be different information states. Solvers need these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np


def infoset_key(history: Iterable[tuple[np.ndarray, int]], observation: np.ndarray) -> str:
    """A hash of a seat's own observations and actions so far, and of what it observes now.

    Args:
        history: what it observed when it acted, int8 `(size,)`, and the action, in order.
        observation: int8 `(size,)`, now.

    Returns:
        Hexadecimal sha256. Equal keys mean equal views now, never the converse.
    """
    told = hashlib.sha256()
    for seen, action in history:
        told.update(np.ascontiguousarray(seen, np.int8).tobytes())
        told.update(int(action).to_bytes(4, "little"))
    told.update(np.ascontiguousarray(observation, np.int8).tobytes())
    return told.hexdigest()
