"""SVG as strings: tags, places, words. Each function returns text; joining it makes a picture.

Nothing here is random, dated or numbered by a counter: equal arguments give equal bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from miaui_env.render.letters import BOLD_PEN, PEN, SCALE, letter_of, short, uses_of, width_of
from miaui_env.render.palette import INK

START, MIDDLE, END = 0.0, 0.5, 1.0
"""Where words stand: from x on, around x, or up to x."""


def tag(name: str, *inside: str, **attributes: Any) -> str:
    """One element; `stroke_width=2` is written `stroke-width="2"`, and None is left out."""
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}={_quoted(value)}"
        for key, value in attributes.items()
        if value is not None
    )
    content = "".join(inside)
    return f"<{name}{told}>{content}</{name}>" if content else f"<{name}{told}/>"


def _quoted(value: Any) -> str:
    if isinstance(value, (int, float)):
        return f'"{short(value)}"'
    return f'"{escape(str(value))}"'


_SHARED: dict[str, str] = {}


def shared(name: str, drawing: str) -> str:
    """A drawing that recurs: stands in a picture once, wherever it is used; one name for one."""
    if _SHARED.setdefault(name, drawing) != drawing:
        raise ValueError(f"another drawing is called {name!r} already")
    return f'<use href="#{name}"/>'


def _definitions(picture: str) -> str:
    """The shared drawings that a picture uses, and those which they use."""
    found: dict[str, str] = {}
    wanted = re.findall(r'href="#([^"]+)"', picture)
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = tag("g", _SHARED[name], id=name) if name in _SHARED else letter_of(name)
            wanted += re.findall(r'href="#([^"]+)"', found[name])
    return "".join(found[name] for name in sorted(found))


def document(width: float, height: float, *parts: str, title: str = "") -> str:
    """A whole picture."""
    picture = "".join(parts)
    definitions = _definitions(picture)
    return tag(
        "svg",
        tag("title", escape(title)) if title else "",
        tag("defs", definitions) if definitions else "",
        picture,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {short(width)} {short(height)}",
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def at(
    x: float,
    y: float,
    *parts: str,
    scale: float = 1,
    turn: float = 0,
    flip: bool = False,
    title: str | None = None,
    opacity: float | None = None,
) -> str:
    """Parts moved to a place; a title is what a browser tells when one points there."""
    moves = f"translate({short(x)} {short(y)})" if x or y else ""
    moves += f"rotate({short(turn)})" if turn else ""
    if flip:
        moves += f"scale({short(-scale)} {short(scale)})"
    elif scale != 1:
        moves += f"scale({short(scale)})"
    told = tag("title", escape(title)) if title else ""
    return tag("g", told, *parts, transform=moves or None, opacity=opacity)


def rect(x: float, y: float, width: float, height: float, fill: str, **more: Any) -> str:
    """A rectangle; `rx` rounds its corners."""
    place = {"x": x or None, "y": y or None}
    return tag("rect", **place, width=width, height=height, fill=fill, **more)


def circle(x: float, y: float, r: float, fill: str, **more: Any) -> str:
    """A circle around x, y."""
    return tag("circle", cx=x, cy=y, r=r, fill=fill, **more)


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, **more: Any) -> str:
    """An ellipse around x, y."""
    return tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, **more)


def path(d: str, fill: str = "none", **more: Any) -> str:
    """A path; with `stroke` a line."""
    return tag("path", d=d, fill=fill, **more)


def line(d: str, stroke: str, width: float = 1, **more: Any) -> str:
    """A path that is only drawn along."""
    return tag("path", d=d, fill="none", stroke=stroke, stroke_width=width, **more)


def words(
    x: float,
    y: float,
    text: str,
    size: float = 13,
    colour: str = INK,
    *,
    bold: bool = False,
    anchor: float = START,
    room: float | None = None,
) -> str:
    """Text in our own letters, its base line at y; smaller where it would leave its `room`."""
    wide = width_of(text, size)
    if room is not None and wide > room:
        size, wide = size * room / wide, room
    letters = uses_of(text)
    moves = f"translate({short(x - anchor * wide)} {short(y - 10 * size * SCALE)})"
    pen = BOLD_PEN if bold else PEN
    moves += f"scale({short(size * SCALE, 3)})"
    return tag("g", letters, transform=moves, stroke=colour, stroke_width=pen) if letters else ""


def gradient(name: str, stops: Sequence[str], *, across: bool = False) -> str:
    """Colours from top to bottom, or from left to right; `fill=f"url(#{name})"` uses it."""
    last = max(1, len(stops) - 1)
    inside = [tag("stop", offset=i / last, stop_color=colour) for i, colour in enumerate(stops)]
    x2, y2 = (1, 0) if across else (0, 1)
    return tag("linearGradient", *inside, id=name, x1=0, y1=0, x2=x2, y2=y2)


def spread(number: int, width: float, piece: float, gap: float = 6) -> list[float]:
    """Where pieces of one width begin, side by side in a row; they overlap where they must."""
    if number < 2:
        return [0.0] * number
    step = min(piece + gap, (width - piece) / (number - 1))
    return [i * step for i in range(number)]
