"""Entries to the benchmark: one JSON a bot or algorithm, with all that was measured of it.

An entry says what it is and what it cost, and holds *results* as the tools write them: line-ups of
the arena, exact NashConv, curves, learned best responses. Each result names its game, version,
setup, seeds and libraries itself, so an entry can grow, and one file is all that is sent in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from miaui_env.benchmark import curves, exploit, response, result
from miaui_env.bots import Bot
from miaui_env.commandline import write_json

SCHEMA = "miaui_env.entry/1"
KINDS = (result.SCHEMA, exploit.SCHEMA, curves.SCHEMA, response.SCHEMA)
"""Results that an entry may hold."""
WHAT = (
    "schema",
    "configuration",
    "game",
    "game_version",
    "setup",
    "lineup",
    "bot",
    "algorithm",
    "seed",
    "purpose",
)
"""What a result is of: of two that agree in these, an entry holds the later one."""
HOW = ("settings", "deals", "versions")
"""What must agree, too, for a result to be gone on with."""


@dataclass
class Entry:
    """One bot, or one algorithm on small games.

    Attributes:
        name: as tables call it.
        algorithm: what it is, in words.
        budget: what making it cost, such as decisions, seconds, seeds; empty where nothing learned.
        results: see the module.
    """

    name: str
    algorithm: str
    budget: dict[str, Any] = field(default_factory=dict)
    results: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def begun(
        cls, file: Path | None, name: str, algorithm: str, budget: Mapping[str, Any] | None = None
    ) -> Entry:
        """The entry as far as the file has it.

        Raises:
            ValueError: for a file of another bot.
        """
        fresh = cls(name, algorithm, dict(budget or {}))
        if file is None or not file.exists():
            return fresh
        kept = cls.read(file)
        if (kept.name, kept.algorithm) != (name, algorithm):
            held = f"{kept.name} ({kept.algorithm})"
            raise ValueError(f"{file} holds {held}, not {name} ({algorithm})")
        return kept

    @classmethod
    def read(cls, file: Path) -> Entry:
        """From a file: an entry, or a single result, which makes one without a budget.

        Raises:
            ValueError: for anything else, saying what is wrong.
        """
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{file} is no JSON: {error}") from None
        schema = data.get("schema") if isinstance(data, dict) else type(data).__name__
        if schema in KINDS:
            data = {"name": name_of(data), "algorithm": "", "budget": {}, "results": [data]}
        elif schema != SCHEMA:
            raise ValueError(f"{file} is {schema!r}, not one of {', '.join((SCHEMA, *KINDS))}")
        return cls(**_checked(data, file))

    def to_json(self) -> dict[str, Any]:
        """As a file has it."""
        return {"schema": SCHEMA, **vars(self)}

    def keep(self, file: Path | None) -> None:
        """Write it, whole or not at all."""
        write_json(file, self.to_json())

    def of(self, schema: str) -> list[dict[str, Any]]:
        """Results of one kind."""
        return [told for told in self.results if told["schema"] == schema]

    def held(self, told: dict[str, Any]) -> dict[str, Any]:
        """The result that it has of this already, made the same way; else this one, taken in."""
        for kept in self.results:
            if _alike(kept, told, (*WHAT, *HOW)):
                return kept
        return self.take(told)

    def take(self, told: dict[str, Any]) -> dict[str, Any]:
        """Take a result in, in the place of an earlier one of the same."""
        self.results = [kept for kept in self.results if not _alike(kept, told, WHAT)]
        self.results.append(told)
        return told


def described(bot: Bot) -> tuple[str, dict[str, Any]]:
    """A bot's algorithm in words, and what it cost, as far as its card says."""
    card = getattr(getattr(bot, "bot", bot), "card", None)
    if card is None:
        return "nothing learned", {}
    made = card.training
    budget = {"decisions": made.get("steps"), "seconds": made.get("seconds")}
    return str(made.get("algorithm", "")), {**budget, "seed": made.get("config", {}).get("seed")}


def _alike(one: Mapping[str, Any], other: Mapping[str, Any], names: Sequence[str]) -> bool:
    return all(one.get(name) == other.get(name) for name in names)


def _checked(data: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """The parts of an entry; ValueError for one that lacks some, or has unknown results."""
    wanted = {"name": str, "algorithm": str, "budget": dict, "results": list}
    for what, kind in wanted.items():
        if not isinstance(data.get(what), kind):
            raise ValueError(f"{file}: an entry needs {what!r}, a {kind.__name__}")
    for told in data["results"]:
        if not isinstance(told, dict) or told.get("schema") not in KINDS:
            raise ValueError(f"{file}: a result is one of {', '.join(KINDS)}")
    return {what: data[what] for what in wanted}


def name_of(told: Mapping[str, Any]) -> str:
    """Who was measured in a result."""
    if told["schema"] == result.SCHEMA:
        return str(told["lineup"][0])
    return str(told["algorithm"] if told["schema"] == curves.SCHEMA else told["bot"])


def read_all(files: Sequence[Path]) -> list[Entry]:
    """All entries; those of one name become one."""
    found: dict[str, Entry] = {}
    for file in files:
        entry = Entry.read(file)
        if entry.name in found:
            known = found[entry.name]
            known.results += entry.results
            known.algorithm = known.algorithm or entry.algorithm
            known.budget = known.budget or entry.budget
        else:
            found[entry.name] = entry
    return list(found.values())
