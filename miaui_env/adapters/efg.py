"""A game as text in Gambit's extensive form (.efg), which OpenSpiel's C++ solvers read back.

They then walk a tree in memory instead of asking Python for every state. OpenSpiel's own exporter
writes the same, but each line into a new copy of all the text: minutes for 20,000 ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any


def efg_of(game: Any) -> str:
    """The whole game; `game` is a `pyspiel.Game` in turns, with explicit chance.

    The name of an information set is the information state's string.
    """
    players = " ".join(f'"seat {seat}"' for seat in range(game.num_players()))
    lines = _lines(game.new_initial_state(), _Numbers(game.num_players()))
    return "\n".join([f'EFG 2 R "" {{ {players} }}', *lines, ""])


class _Numbers:
    """Those of chance nodes, ends, and each player's information sets, from 1."""

    def __init__(self, players: int) -> None:
        self.chances, self.ends = itertools.count(1), itertools.count(1)
        self._infosets: list[dict[str, int]] = [{} for _ in range(players)]

    def infoset(self, player: int, name: str) -> int:
        known = self._infosets[player]
        return known.setdefault(name, len(known) + 1)


def _lines(state: Any, numbers: _Numbers) -> Iterator[str]:
    """A state's line, then those of all that may follow, depth first."""
    if state.is_terminal():
        returns = " ".join(repr(value) for value in state.returns())
        yield f't "" {next(numbers.ends)} "" {{ {returns} }}'
        return
    if state.is_chance_node():
        listed = " ".join(f'"{action}" {chance!r}' for action, chance in state.chance_outcomes())
        yield f'c "" {next(numbers.chances)} "" {{ {listed} }} 0'
    else:
        player, name = state.current_player(), _infoset_name(state)
        listed = " ".join(f'"{action}"' for action in state.legal_actions())
        yield f'p "" {player + 1} {numbers.infoset(player, name)} "{name}" {{ {listed} }} 0'
    for action in state.legal_actions():
        yield from _lines(state.child(action), numbers)


def _infoset_name(state: Any) -> str:
    """Without line breaks, which the format does not have in names."""
    return " ".join(str(state.information_state_string()).split())
