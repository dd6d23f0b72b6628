"""Which entries make tables together: results of the protocol, and no two of one cell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from miaui_env.benchmark import exploit, protocol, response, result
from miaui_env.benchmark.entries import Entry
from miaui_env.game import Setup
from miaui_env.registry import configured, find


def read_all(files: Sequence[Path]) -> list[Entry]:
    """All entries; those of one name become one, and what is in two of them counts once.

    Raises:
        ValueError: naming files, for what is no entry, is not of the protocol, or contradicts
            another result or entry.
    """
    found: dict[str, Entry] = {}
    cells: dict[tuple[Any, ...], tuple[Any, str]] = {}
    for entry in map(Entry.read, files):
        fresh = [told for told, where in _numbered(entry) if _is_new(cells, entry, told, where)]
        known = found.setdefault(entry.name, entry)
        if known is not entry:
            _join(known, entry)
        known.results = fresh if known is entry else known.results + fresh
    return list(found.values())


def _numbered(entry: Entry) -> list[tuple[dict[str, Any], str]]:
    """Results, and where each of them stands."""
    return [(told, f"{entry.file}, result {i}") for i, told in enumerate(entry.results, 1)]


def _is_new(
    cells: dict[tuple[Any, ...], tuple[Any, str]], entry: Entry, told: dict[str, Any], where: str
) -> bool:
    """Whether a result is none of those so far; ValueError where it has no place beside them."""
    wrong = _departure(told)
    if wrong is not None:
        raise ValueError(f"{where}: {wrong}")
    cell = _cell(entry.name, told)
    if cell not in cells:
        cells[cell] = told, where
        return True
    first, there = cells[cell]
    if first != told:
        raise ValueError(
            f"{there} and {where} are two different results of {entry.name} for one place in the "
            "tables; keep one"
        )
    return False


def _cell(name: str, told: Mapping[str, Any]) -> tuple[Any, ...]:
    """The place that a result has in the tables."""
    table = told["game"], told["game_version"], json.dumps(told["setup"], sort_keys=True)
    if told["schema"] == result.SCHEMA:
        return name, "ladder", table, protocol.rung_of(told)
    if told["schema"] == response.SCHEMA:
        return name, "response", table, told["bot"], told["configuration"], told["seed"]
    return name, "small", _configuration(told)


def _configuration(told: Mapping[str, Any]) -> str | None:
    """The small game that a result is of, by its name; None for a whole game."""
    of = told["game"] if told["schema"] == exploit.SCHEMA else told.get("configuration")
    return None if of is None else str(of)


def _departure(told: Mapping[str, Any]) -> str | None:
    """Why a result has no place in any table; None where it has one."""
    try:
        name = _configuration(told)
        if name is None:
            Setup.of(find(told["game"]), **told["setup"])
            return protocol.departure(told) if told["schema"] == result.SCHEMA else None
        return _other_game(told, name, configured(name))
    except (ValueError, TypeError) as error:
        return str(error)


def _other_game(told: Mapping[str, Any], name: str, setup: Setup) -> str | None:
    """What sets the game of a result apart from the configuration that it names."""
    is_exploit = told["schema"] == exploit.SCHEMA
    here = {
        "game": setup.game.name,
        "game_version": setup.game.version,
        "setup": protocol.plain(setup),
    }
    there = {**told, "game": setup.game.name} if is_exploit else dict(told)
    if told["schema"] == response.SCHEMA:  # what a response is shown is its own choice
        recall = {"perfect_recall": setup.perfect_recall}
        there["setup"] = {**told["setup"], **recall}
    for what, value in here.items():
        if there[what] != value:
            return f"its {what} is {there[what]!r}, where {name} has {value!r}"
    return None


def _join(known: Entry, entry: Entry) -> None:
    """Take in what another file says of an entry; ValueError where the two disagree."""
    for what in ("algorithm", "budget"):
        one, other = getattr(known, what), getattr(entry, what)
        if one and other and one != other:
            raise ValueError(
                f"{known.file} and {entry.file} are both named {entry.name!r}, and differ in "
                f"{what}: {one!r}, {other!r}"
            )
        setattr(known, what, one or other)
