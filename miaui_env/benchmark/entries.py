"""Entries to the benchmark: one JSON a bot or algorithm, with all that was measured of it.

An entry says what it is and what it cost, and holds *results* as the tools write them: line-ups of
the arena, exact NashConv, curves, learned best responses. Each result names its game, version,
setup, seeds and libraries itself, so an entry can grow, and one file is all that is sent in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from miaui_env.benchmark import curves, fields, result
from miaui_env.bots import Bot
from miaui_env.commandline import write_json

SCHEMA = "miaui_env.entry/1"
TABLES = "miaui_env.results/1"
"""What is made from entries, see `results_page.tables`."""
KINDS = tuple(fields.FIELDS)
"""Results that an entry may hold."""
LONGEST_NAME = 60
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
        name: as tables call it: one line of 1 to `LONGEST_NAME` characters without "<".
        algorithm: what it is, in words.
        budget: what making it cost, such as decisions, seconds, seeds; empty where nothing learned.
        results: see the module.
        file: where it was read from; no part of what is written.
    """

    name: str
    algorithm: str
    budget: dict[str, Any] = field(default_factory=dict)
    results: list[dict[str, Any]] = field(default_factory=list)
    file: Path | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """ValueError for a name that no table can show."""
        name = self.name
        one_line = name.splitlines() == [name] and bool(name.strip())
        if not one_line or "<" in name or len(name) > LONGEST_NAME:
            raise ValueError(
                f"the name of an entry is one line of 1 to {LONGEST_NAME} characters without '<', "
                f"not {name!r}"
            )

    @classmethod
    def begun(
        cls,
        file: Path | str | None,
        name: str,
        algorithm: str = "",
        budget: Mapping[str, Any] | None = None,
    ) -> Entry:
        """The entry as far as the file has it.

        Args:
            file: it need not be there yet; None begins an entry that has none.
            name: of the bot.
            algorithm: what it is; words that the file has already stay.
            budget: what it cost; likewise.

        Raises:
            ValueError: for a file of another bot, or one that is no entry.
        """
        file = None if file is None else Path(file)
        fresh = cls(name, algorithm, dict(budget or {}), file=file)
        if file is None or not file.exists():
            return fresh
        kept = cls.read(file)
        if kept.name != name:
            raise ValueError(f"{file} holds {kept.name!r}, not {name!r}")
        kept.algorithm = kept.algorithm or fresh.algorithm
        kept.budget = kept.budget or fresh.budget
        return kept

    @classmethod
    def read(cls, file: Path | str) -> Entry:
        """From a file: an entry, or a single result, which makes one without a budget.

        Raises:
            ValueError: for anything else, saying which file and result, and what is wrong.
        """
        file = Path(file)
        data = read_json(file)
        schema = data.get("schema") if isinstance(data, dict) else type(data).__name__
        if schema == TABLES:
            raise ValueError(f"{file} holds tables made from entries, and is no entry itself")
        if schema in KINDS:
            _check(data, f"{file}, result 1")
            data = {"name": name_of(data), "algorithm": "", "budget": {}, "results": [data]}
        elif schema != SCHEMA:
            raise ValueError(f"{file} is {schema!r}, not one of {', '.join((SCHEMA, *KINDS))}")
        parts = _checked(data, file)
        try:
            return cls(**parts, file=file)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None

    def to_json(self) -> dict[str, Any]:
        """As a file has it."""
        told = {name: value for name, value in vars(self).items() if name != "file"}
        return {"schema": SCHEMA, **told}

    def keep(self, file: Path | str | None) -> None:
        """Write it, whole or not at all."""
        write_json(None if file is None else Path(file), self.to_json())

    def of(self, schema: str) -> list[dict[str, Any]]:
        """Results of one kind."""
        return [told for told in self.results if told["schema"] == schema]

    def held(self, told: dict[str, Any]) -> dict[str, Any]:
        """The result that it has of this already; else this one, taken in.

        Raises:
            ValueError: see `check`.
        """
        self.check(told)
        for kept in self.results:
            if _alike(kept, told, WHAT):
                return kept
        return self.take(told)

    def check(self, told: Mapping[str, Any]) -> None:
        """ValueError where it has a result of this that was made another way."""
        for kept in self.results:
            if _alike(kept, told, WHAT) and not _alike(kept, told, HOW):
                of = told.get("configuration") or told["game"]
                raise ValueError(
                    f"{self.file or self.name} holds runs on {of} made otherwise: "
                    f"{', '.join(_differences(kept, told))}; name another file, or move it away"
                )

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


def read_json(file: Path) -> Any:
    """What a file holds; ValueError, which names it, for what is no JSON."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file} is no JSON: {error}") from None


def _alike(one: Mapping[str, Any], other: Mapping[str, Any], names: Sequence[str]) -> bool:
    return all(one.get(name) == other.get(name) for name in names)


def _differences(kept: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[str]:
    """`settings.iterations 20, not 30`, for each of `HOW` that is not alike."""
    one, other = (dict(_flat({name: way.get(name) for name in HOW})) for way in (kept, told))
    for name in {**one, **other}:
        if one.get(name) != other.get(name):
            yield f"{name} {one.get(name)}, not {other.get(name)}"


def _flat(told: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, Any]]:
    """All values with the way to them, `settings.iterations`."""
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{under}{name}.")
        else:
            yield f"{under}{name}", value


def _checked(data: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """The parts of an entry; ValueError for one that lacks some, or has other results."""
    wanted = {"name": str, "algorithm": str, "budget": dict, "results": list}
    for what, kind in wanted.items():
        if not isinstance(data.get(what), kind):
            raise ValueError(f"{file}: an entry needs {what!r}, a {kind.__name__}")
    for what, value in data["budget"].items():
        if not _is_plain(value):
            raise ValueError(f"{file}: budget.{what} is text or a finite number, not {value!r}")
    for number, told in enumerate(data["results"], 1):
        _check(told, f"{file}, result {number}")
    return {what: data[what] for what in wanted}


def _is_plain(value: Any) -> bool:
    """Text, a finite number, or null."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value is None or isinstance(value, str) or (number and math.isfinite(value))


def _check(told: Any, where: str) -> None:
    """ValueError for a result whose fields are not what they should be."""
    wrong = fields.problem(told)
    if wrong is not None:
        raise ValueError(f"{where}: {wrong}")


def name_of(told: Mapping[str, Any]) -> str:
    """Who was measured in a result."""
    if told["schema"] == result.SCHEMA:
        return str(told["lineup"][0])
    return str(told["algorithm"] if told["schema"] == curves.SCHEMA else told["bot"])
