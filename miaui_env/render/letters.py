"""A stroke alphabet of our own, so that pictures read the same on machines with no fonts at all.

A letter is a path on a grid: capitals are 10 high, from y = 0 down to the base line y = 10, small
ones begin at 3.4, tails end at 13. One pen draws them all; a thicker pen makes them bold. To mend a
letter, change its path; to add one, add a line.
"""

from __future__ import annotations

import functools
import unicodedata

SPACING = 2.4
SPACE = 3.8
SCALE = 0.07
"""Of the grid, for a font size of 1: capitals are 0.7 of the size."""
PEN, BOLD_PEN = 1.3, 1.95

_ROUND = "M3 3.4A3 3.3 0 1 0 3 10A3 3.3 0 1 0 3 3.4"
_CIRCLE = "M4.2 0A4.2 5 0 1 0 4.2 10A4.2 5 0 1 0 4.2 0"
_P = "M0 10V0H3.4A2.8 2.8 0 0 1 3.4 5.6H0"


def _dot(x: float, y: float) -> str:
    return f"M{x} {y}V{y + 0.2:.1f}"


_CAPITALS = {
    "A": (8, "M0 10L4 0L8 10M1.5 6.4H6.5"),
    "B": (6.2, "M0 0V10H3.4A2.7 2.7 0 0 0 3.4 4.6H0M3 4.6A2.3 2.3 0 0 0 3 0H0"),
    "C": (7.4, "M7.4 2A4 5 0 1 0 7.4 8"),
    "D": (7.2, "M0 0V10H2.6A4.6 5 0 0 0 2.6 0Z"),
    "E": (5.6, "M5.6 0H0V10H5.6M0 4.9H4.8"),
    "F": (5.6, "M5.6 0H0V10M0 4.9H4.6"),
    "G": (8, "M7.4 2A4 5 0 1 0 8 5.4H5"),
    "H": (7, "M0 0V10M7 0V10M0 4.9H7"),
    "I": (0, "M0 0V10"),
    "J": (4.6, "M4.6 0V7.2A2.3 2.8 0 0 1 0 7.2"),
    "K": (6.6, "M0 0V10M6.4 0L0 6M2.4 3.9L6.6 10"),
    "L": (5.4, "M0 0V10H5.4"),
    "M": (8.6, "M0 10V0L4.3 7L8.6 0V10"),
    "N": (7.2, "M0 10V0L7.2 10V0"),
    "O": (8.4, _CIRCLE),
    "P": (6.2, _P),
    "Q": (8.4, _CIRCLE + "M5.2 7.2L8.2 10.6"),
    "R": (6.4, _P + "M3.2 5.6L6.4 10"),
    "S": (6.2, "M6 1.8Q5 0 3 0Q.4 0 .4 2.5Q.4 4.4 3.1 5Q6.2 5.6 6.2 7.5Q6.2 10 3.2 10Q.9 10 0 8"),
    "T": (7, "M0 0H7M3.5 0V10"),
    "U": (7, "M0 0V6.5A3.5 3.5 0 0 0 7 6.5V0"),
    "V": (7.6, "M0 0L3.8 10L7.6 0"),
    "W": (10.6, "M0 0L2.6 10L5.3 1L8 10L10.6 0"),
    "X": (7, "M0 0L7 10M7 0L0 10"),
    "Y": (7, "M0 0L3.5 5L7 0M3.5 5V10"),
    "Z": (6.6, "M0 0H6.6L0 10H6.6"),
}
_SMALL = {
    "a": (6, _ROUND + "M6 3.4V10"),
    "b": (6, "M0 0V10" + _ROUND),
    "c": (5.2, "M5.2 4.6A3 3.3 0 1 0 5.2 8.8"),
    "d": (6, _ROUND + "M6 0V10"),
    "e": (6, "M0 6.6H6A3 3.3 0 1 0 5.2 9"),
    "f": (3.4, "M3.8 .2Q1.4 -.4 1.4 2.6V10M0 3.6H3.4"),
    "g": (6, _ROUND + "M6 3.4V10.2A3 2.8 0 0 1 .6 11.6"),
    "h": (5.6, "M0 0V10M0 6.2A2.8 2.8 0 0 1 5.6 6.2V10"),
    "i": (0, "M0 3.6V10" + _dot(0, 0.4)),
    "j": (1.8, "M1.8 3.6V11.2A1.6 1.8 0 0 1 0 13" + _dot(1.8, 0.4)),
    "k": (5, "M0 0V10M4.8 3.6L0 7.4M1.8 6L5 10"),
    "l": (1.4, "M0 0V8.2Q0 10 1.4 10"),
    "m": (9, "M0 3.6V10M0 5.8A2.25 2.4 0 0 1 4.5 5.8V10M4.5 5.8A2.25 2.4 0 0 1 9 5.8V10"),
    "n": (5.6, "M0 3.6V10M0 6.2A2.8 2.8 0 0 1 5.6 6.2V10"),
    "o": (6, _ROUND),
    "p": (6, _ROUND + "M0 3.4V13"),
    "q": (6, _ROUND + "M6 3.4V13"),
    "r": (3.2, "M0 3.6V10M0 6.6Q.2 3.4 3.2 3.6"),
    "s": (
        4.8,
        "M4.6 4.6Q3.9 3.4 2.4 3.4Q.3 3.4 .3 5Q.3 6.3 2.4 6.6"
        "Q4.8 7 4.8 8.3Q4.8 10 2.4 10Q.7 10 0 8.7",
    ),
    "t": (3.4, "M1.4 1V8Q1.4 10 3.4 9.8M0 3.6H3.4"),
    "u": (5.6, "M0 3.6V7.2A2.8 2.8 0 0 0 5.6 7.2M5.6 3.6V10"),
    "v": (5.6, "M0 3.6L2.8 10L5.6 3.6"),
    "w": (8, "M0 3.6L2 10L4 4.6L6 10L8 3.6"),
    "x": (5.2, "M0 3.6L5.2 10M5.2 3.6L0 10"),
    "y": (5.6, "M0 3.6L2.8 10M5.6 3.6L2.2 12.2Q1.7 13.2 .4 13"),
    "z": (5, "M0 3.6H5L0 10H5"),
}
_DIGITS = {
    "0": (6, "M3 0A3 5 0 1 0 3 10A3 5 0 1 0 3 0"),
    "1": (3, "M0 2.2L2.6 0V10"),
    "2": (6, "M.2 2.8A2.8 2.8 0 0 1 5.8 2.8Q5.8 4.4 4.2 6L0 10H6"),
    "3": (5.6, "M.3 1.8A2.6 2.4 0 1 1 2.4 4.6M2.4 4.6A2.9 2.7 0 1 1 0 8.2"),
    "4": (6, "M4.4 10V0L0 7H6"),
    "5": (5.8, "M5.2 0H.9L.5 4.5A3.1 3.1 0 1 1 0 8.6"),
    "6": (6, "M5 .2Q.2 1.8 0 6.8M3 3.8A3 3.1 0 1 0 3 10A3 3.1 0 1 0 3 3.8"),
    "7": (5.8, "M0 0H5.8L2 10"),
    "8": (
        6,
        "M3 0A2.5 2.35 0 1 0 3 4.7A2.5 2.35 0 1 0 3 0M3 4.7A3 2.65 0 1 0 3 10A3 2.65 0 1 0 3 4.7",
    ),
    "9": (6, "M1 9.8Q5.8 8.2 6 3.2M3 0A3 3.1 0 1 0 3 6.2A3 3.1 0 1 0 3 0"),
}
_SIGNS = {
    ".": (0, _dot(0, 9.7)),
    ",": (0.6, "M.6 9.5L0 11.4"),
    ":": (0, _dot(0, 4.8) + _dot(0, 9.4)),
    ";": (0.6, _dot(0.6, 4.8) + "M.6 9.4L0 11.4"),
    "!": (0, "M0 0V6.6" + _dot(0, 9.7)),
    "?": (5, "M0 2.3A2.5 2.4 0 1 1 3.6 4.5Q2.4 5.2 2.4 6.8" + _dot(2.4, 9.7)),
    "-": (3.4, "M0 6.4H3.4"),
    "−": (5, "M0 5.4H5"),
    "–": (5, "M0 6.2H5"),
    "+": (5.6, "M0 5.8H5.6M2.8 3V8.6"),
    "=": (5.6, "M0 4.4H5.6M0 7.4H5.6"),
    "×": (4.4, "M0 4L4.4 8.4M4.4 4L0 8.4"),
    "*": (4, "M2 0V5M0 1.2L4 3.8M4 1.2L0 3.8"),
    "/": (4, "M0 11L4 -1"),
    "\\": (4, "M0 -1L4 11"),
    "|": (0, "M0 -1V12"),
    "(": (2, "M2 -1A7.5 7.5 0 0 0 2 12"),
    ")": (2, "M0 -1A7.5 7.5 0 0 1 0 12"),
    "[": (2, "M2 -1H0V12H2"),
    "]": (2, "M0 -1H2V12H0"),
    "{": (3, "M3 -1Q1.2 -1 1.2 1V4.4Q1.2 5.5 0 5.5Q1.2 5.5 1.2 6.6V10Q1.2 12 3 12"),
    "}": (3, "M0 -1Q1.8 -1 1.8 1V4.4Q1.8 5.5 3 5.5Q1.8 5.5 1.8 6.6V10Q1.8 12 0 12"),
    "<": (5, "M5 2.8L0 5.8L5 8.8"),
    ">": (5, "M0 2.8L5 5.8L0 8.8"),
    "'": (0, "M0 -.2V2.4"),
    '"': (2, "M0 -.2V2.4M2 -.2V2.4"),
    "’": (0.6, "M.6 -.2L0 2.2"),
    "ʻ": (0.6, "M.6 2.4L0 0"),
    "“": (2.8, "M.6 -.2L0 2.2M2.8 -.2L2.2 2.2"),
    "”": (2.8, "M.6 -.2L0 2.2M2.8 -.2L2.2 2.2"),
    "`": (1, "M0 0L1 1.6"),
    "^": (4, "M0 3L2 0L4 3"),
    "~": (5, "M0 6.6Q1.2 4.8 2.5 5.8Q3.8 6.8 5 5"),
    "_": (5.6, "M0 11H5.6"),
    "#": (6.4, "M2 1L1 10M5.4 1L4.4 10M0 3.8H6.4M0 7.2H6.4"),
    "%": (
        8,
        "M7 0L1 10M1.8 0A1.8 2.2 0 1 0 1.8 4.4A1.8 2.2 0 1 0 1.8 0"
        "M6.2 5.6A1.8 2.2 0 1 0 6.2 10A1.8 2.2 0 1 0 6.2 5.6",
    ),
    "&": (7, "M7 10L1.2 3.4Q0 0 2.8 0Q5.4 .2 4.4 2.6L1.2 5.4Q-1 8 1.4 9.6Q5 10.8 6.6 5.6"),
    "@": (
        9,
        "M6.4 3.4V6.4Q6.6 8 8 7.4A4.2 4.6 0 1 0 6.6 9.4"
        "M6.4 5.2A1.9 2 0 1 0 2.6 5.2A1.9 2 0 1 0 6.4 5.2",
    ),
    "$": (
        6,
        "M5.6 2.2Q4.8 1 3 1Q.5 1 .5 3.1Q.5 4.8 3 5.3"
        "Q5.8 5.8 5.8 7.5Q5.8 9.4 3 9.4Q.9 9.4 .2 8M3 -.6V11",
    ),
    "·": (0, _dot(0, 6)),
    "…": (6, _dot(0, 9.7) + _dot(3, 9.7) + _dot(6, 9.7)),
    "→": (7, "M0 5.8H7M4.4 3.2L7 5.8L4.4 8.4"),
    "←": (7, "M7 5.8H0M2.6 3.2L0 5.8L2.6 8.4"),
}
_UNKNOWN = (5, "M0 0H5V10H0Z")

GLYPHS: dict[str, tuple[float, str]] = {**_CAPITALS, **_SMALL, **_DIGITS, **_SIGNS}
"""Character → (width, path)."""


def width_of(text: str, size: float) -> float:
    """How wide the text is."""
    letters = plain(text)
    wide = sum(_advance(letter) for letter in letters)
    return max(0.0, wide - SPACING) * size * SCALE


@functools.lru_cache(4096)
def uses_of(text: str) -> str:
    """The text on the grid, a letter at a time; each letter's path stands once in a picture."""
    pen, parts = 0.0, []
    for letter in plain(text):
        if letter != " ":
            place = f' x="{short(pen, 1)}"' if pen else ""
            parts.append(f'<use href="#{name_of(letter)}"{place}/>')
        pen += _advance(letter)
    return "".join(parts)


def name_of(letter: str) -> str:
    """Under which name a letter's path stands in a picture."""
    return f"u{ord(letter):x}"


def letter_of(name: str) -> str:
    """The path that is called so."""
    _, path = _glyph(chr(int(name[1:], 16)))
    return f'<path id="{name}" fill="none" d="{path}"/>'


def plain(text: str) -> str:
    """The text in letters that we have: accents fall off, tabs and the like become spaces."""
    apart = unicodedata.normalize("NFKD", text) if not text.isascii() else text
    kept = (c if not c.isspace() else " " for c in apart if not unicodedata.combining(c))
    return "".join(kept)


def _glyph(letter: str) -> tuple[float, str]:
    return GLYPHS.get(letter, _UNKNOWN)


def _advance(letter: str) -> float:
    return SPACE if letter == " " else _glyph(letter)[0] + SPACING


def short(number: float, decimals: int = 2) -> str:
    """A number with so many decimals at most, and no more signs than it needs."""
    return f"{number:.{decimals}f}".rstrip("0").rstrip(".") if number % 1 else f"{number:.0f}"
