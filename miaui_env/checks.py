"""Checks of what a caller gives.

Each returns it in plain types, or raises a ValueError that names it and says what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

import numpy as np


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether it is a whole number, Python's or NumPy's; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def whole(name: str, value: Any, least: int, most: int) -> int:
    """`value` as an int in least … most."""
    if not is_whole(value):
        raise ValueError(f"{name} is a whole number, not {value!r}")
    if not least <= value <= most:
        raise ValueError(f"{name} is {least} to {most}, not {value}")
    return int(value)


def flag(name: str, value: Any) -> bool:
    """`value` as a bool; 0 and 1 are none."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} is True or False, not {value!r}")
    return bool(value)


def check_flags(options: Any, *names: str) -> None:
    """Bring these fields of a frozen dataclass to bool; for its `__post_init__`."""
    for name in names:
        object.__setattr__(options, name, flag(name, getattr(options, name)))


def check_wholes(options: Any, **limits: tuple[int, int]) -> None:
    """Bring these fields of a frozen dataclass to an int in (least, most), where they are given."""
    for name, (least, most) in limits.items():
        value = getattr(options, name)
        if value is not None or type(options).__dataclass_fields__[name].default is not None:
            object.__setattr__(options, name, whole(name, value, least, most))


def numbered(names: Iterable[Any], numbers: Mapping[str, int], problem: str) -> list[int]:
    """The number of each name; `problem` opens the refusal of one that has none."""
    found = []
    for name in names:
        if not isinstance(name, str) or name not in numbers:
            raise ValueError(f"{problem} {name!r}; there are {', '.join(numbers)}")
        found.append(numbers[name])
    return found
