"""Fields that tables take from results, one table a kind, and the check that they are there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from miaui_env.benchmark import curves, exploit, response, result
from miaui_env.checks import is_whole


@dataclass(frozen=True)
class OrNone:
    """Such a value, or null."""

    wanted: Any


# In these tables int is a whole number and float a finite one; [x] is a list of x, not empty, and
# (x, y) a list of just these; {str: x} is an object with x under any name, and any other object
# must have the names given.
FIGURE = {"mean": float, "low": OrNone(float), "high": OrNone(float)}
TABLE = {"game": str, "game_version": int, "setup": {"num_players": int}}
ARENA = {
    **TABLE,
    "lineup": [str],
    "seed": int,
    "purpose": str,
    "move_limit": OrNone(float),
    "deals": int,
    "rotations": int,
    "equal_share": float,
    "bots": [{"name": str, "win_share": FIGURE, "forfeits": int}],
    "errors": {str: str},
    "cards": {str: str},
    "milliseconds": {str: float},
    "versions": {str: str},
}
RUN = {"seed": OrNone(int), "points": [(int, float)], "seconds": float}
CURVE = {
    **TABLE,
    "algorithm": str,
    "configuration": str,
    "unit": str,
    "settings": dict,
    "versions": {str: str},
    "runs": [RUN],
}
EXPLOIT = {**TABLE, "bot": str, "nash_conv": float, "exact": bool}
RESPONSE = {
    **TABLE,
    "bot": str,
    "seed": int,
    "configuration": OrNone(str),
    "budget": {"decisions": int, "seconds": float},
    "gain": FIGURE,
    "nash_conv": OrNone(float),
    "arena": ARENA,
}
FIELDS: Mapping[str, Any] = MappingProxyType(
    {
        result.SCHEMA: ARENA,
        exploit.SCHEMA: EXPLOIT,
        curves.SCHEMA: CURVE,
        response.SCHEMA: RESPONSE,
    }
)
"""Schema → what a result of that kind must have; it may have more."""
WORDS = MappingProxyType(
    {str: "text", int: "a whole number", float: "a finite number", bool: "true or false"}
)


def problem(told: Any) -> str | None:
    """The first thing that is wrong with a result, in words; None where nothing is."""
    schema = told.get("schema") if isinstance(told, dict) else None
    if not isinstance(schema, str) or schema not in FIELDS:
        return f"a result is one of {', '.join(FIELDS)}, not {schema!r}"
    return next(_wrong(told, FIELDS[schema], ""), None) or _at_odds(told)


def _wrong(value: Any, wanted: Any, at: str) -> Iterator[str]:
    """All that is not as the table has it; `at` is where in the result."""
    if isinstance(wanted, OrNone):
        if value is not None:
            yield from _wrong(value, wanted.wanted, at)
    elif isinstance(wanted, dict):
        yield from _wrong_object(value, wanted, at)
    elif isinstance(wanted, (list, tuple)):
        yield from _wrong_list(value, wanted, at)
    elif not _is(value, wanted):
        yield f"{at} is {WORDS.get(wanted, 'an object')}, not {value!r:.40}"


def _is(value: Any, kind: type) -> bool:
    """As JSON has it, where true is no number."""
    if kind is float:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and math.isfinite(value)
    return is_whole(value) if kind is int else isinstance(value, kind)


def _wrong_object(value: Any, wanted: Mapping[Any, Any], at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at} is an object, not {value!r:.40}"
        return
    fields = dict.fromkeys(value, wanted[str]) if str in wanted else wanted
    for name, kind in fields.items():
        place = f"{at}.{name}" if at else str(name)
        if name not in value:
            yield f"{place} is missing"
        else:
            yield from _wrong(value[name], kind, place)


def _wrong_list(value: Any, wanted: list[Any] | tuple[Any, ...], at: str) -> Iterator[str]:
    if not isinstance(value, list) or not value:
        yield f"{at} is a list that is not empty, not {value!r:.40}"
        return
    if isinstance(wanted, tuple) and len(value) != len(wanted):
        yield f"{at} is a list of {len(wanted)}, not of {len(value)}"
        return
    kinds = wanted if isinstance(wanted, tuple) else wanted * len(value)
    for i, (one, kind) in enumerate(zip(value, kinds, strict=True)):
        yield from _wrong(one, kind, f"{at}[{i}]")


def _at_odds(told: Mapping[str, Any]) -> str | None:
    """What a line-up says twice, and not alike."""
    line = told.get("arena", told)
    if "lineup" not in line:
        return None
    first, seats = line["lineup"][0], line["setup"]["num_players"]
    if len(line["lineup"]) != seats:
        return f"lineup has {len(line['lineup'])} bots, and setup.num_players is {seats}"
    if line["bots"][0]["name"] != first or first not in line["milliseconds"]:
        return f"bots[0] and milliseconds are of {first!r}, who is the first in lineup"
    sure = line.get("deterministic", {})
    return None if isinstance(sure, dict) else f"deterministic is an object, not {sure!r:.40}"
