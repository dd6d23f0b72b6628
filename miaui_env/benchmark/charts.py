"""Pictures of results as SVG, drawn from their JSON: plain text, no library, any browser."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

FONT = 'font-family="sans-serif" font-size="12"'
INK, PALE, ACCENT = "#222", "#bbb", "#1f6fb2"
SERIES = (ACCENT, "#c1431f", "#2d8a4e", "#8a4fb0", "#a07a00", "#555", "#35978f", "#c51b7d")
"""Colours of lines side by side, which bear their names as well."""
_CELL, _LABEL, _TOP, _CHAR = 56, 12, 40, 7.2
_BLUE, _RED = (33, 102, 172), (178, 24, 43)


def heat_map(
    title: str, names: Sequence[str], shares: Sequence[Sequence[float | None]], equal: float
) -> str:
    """What each row's bot wins alone among copies of each column's; white is the equal share."""
    left = _LABEL + _CHAR * max(map(len, names)) + 16
    width, height = left + _CELL * len(names) + 12, _TOP + _CELL * (len(names) + 1)
    parts = [_text(left - 8, _TOP + 20, "wins among", "end", PALE)]
    for i, name in enumerate(names):
        y, x = _TOP + _CELL * (i + 1), left + _CELL * i
        parts.append(_text(left - 8, y + _CELL / 2, f"{name}  {i + 1}", "end"))
        parts.append(_text(x + _CELL / 2, _TOP + 44, str(i + 1), "middle"))
        for j, share in enumerate(shares[i]):
            parts.append(_cell(left + _CELL * j, y, share, equal))
    return _svg(width, height, title, parts)


def _cell(x: float, y: float, share: float | None, equal: float) -> str:
    fill = "#eee" if share is None else _colour(share, equal)
    box = f'<rect x="{x:.0f}" y="{y:.0f}" width="{_CELL - 2}" height="{_CELL - 2}" fill="{fill}"/>'
    words = "" if share is None else f"{100 * share:.1f}"
    return box + _text(x + _CELL / 2, y + _CELL / 2 + 4, words, "middle")


def _colour(share: float, equal: float) -> str:
    """Blue above the equal share, red below, pale near it."""
    strength = (share - equal) / (1 - equal) if share > equal else (equal - share) / equal
    end = _BLUE if share > equal else _RED
    mixed = (round(255 + (part - 255) * min(1.0, 0.75 * strength)) for part in end)
    return "#" + "".join(f"{part:02x}" for part in mixed)


def whiskers(title: str, figures: Mapping[str, Mapping[str, Any]], unit: str) -> str:
    """A dot with its interval for each name, in the given order."""
    names = list(figures)
    left, row, width = _LABEL + _CHAR * max(map(len, names)) + 16, 26, 420
    ends = [value for figure in figures.values() for value in _ends(figure)]
    place = _scale(ends, left, left + width)
    bottom = _TOP + row * len(names) + 8
    parts = [
        f'<line x1="{place(tick):.1f}" x2="{place(tick):.1f}" y1="{_TOP}" y2="{bottom}" '
        f'stroke="{PALE}"/>' + _text(place(tick), bottom + 16, f"{tick:g}", "middle")
        for tick in ticks(min(ends), max(ends))
    ]
    for i, (name, figure) in enumerate(figures.items()):
        y = _TOP + row * (i + 0.5) + 4
        low, mean, high = _ends(figure)
        parts.append(_text(left - 8, y + 4, name, "end"))
        parts.append(_line([(place(low), y), (place(high), y)]) + _dot(place(mean), y))
    parts.append(_text(left + width / 2, bottom + 34, unit, "middle"))
    return _svg(left + width + 24, bottom + 44, title, parts)


def curve(title: str, points: Sequence[tuple[float, Mapping[str, Any]]]) -> str:
    """Strength over a parameter, on a logarithmic axis where all are positive, with intervals."""
    left, width, height = 64, 440, 240
    logarithmic = all(x > 0 for x, _ in points)
    at = [math.log10(x) if logarithmic else x for x, _ in points]
    ends = [value for _, figure in points for value in _ends(figure)]
    across_at, up_at = _scale(at, left + 12, left + width - 12), _scale(ends, _TOP + height, _TOP)
    parts = [
        f'<line x1="{left}" x2="{left + width}" y1="{up_at(tick):.1f}" y2="{up_at(tick):.1f}" '
        f'stroke="{PALE}"/>' + _text(left - 6, up_at(tick) + 4, f"{tick:g}", "end")
        for tick in ticks(min(ends), max(ends))
    ]
    parts.append(
        _line([(across_at(x), up_at(f["mean"])) for x, (_, f) in zip(at, points, strict=True)])
    )
    for x, (value, figure) in zip(at, points, strict=True):
        low, mean, high = map(up_at, _ends(figure))
        parts.append(_line([(across_at(x), low), (across_at(x), high)]) + _dot(across_at(x), mean))
        parts.append(_text(across_at(x), _TOP + height + 20, f"{value:g}", "middle"))
    return _svg(left + width + 16, _TOP + height + 32, title, parts)


def curves(
    title: str, lines: Mapping[str, Mapping[float, float]], unit: str, *, logarithmic: bool = False
) -> str:
    """Lines through points x → y, named at their ends; linear from 0, or both axes logarithmic."""
    left, width, bottom = 64, 440, _TOP + 280
    scaled = math.log10 if logarithmic else float
    across = sorted({x for line in lines.values() for x in line})
    most = max(y for line in lines.values() for y in line.values())
    least = min(y for line in lines.values() for y in line.values()) if logarithmic else 0.0
    across_at = _scale([scaled(x) for x in across], left + 12, left + width - 12)
    up_at = _scale([scaled(least), scaled(most)], bottom, _TOP + 12)
    marks = _powers(least, most) if logarithmic else ticks(least, most)
    parts = [
        f'<line x1="{left}" x2="{left + width}" y1="{up_at(scaled(mark)):.1f}" '
        f'y2="{up_at(scaled(mark)):.1f}" stroke="{PALE}"/>'
        + _text(left - 6, up_at(scaled(mark)) + 4, _brief(mark), "end")
        for mark in marks
    ]
    parts += [_text(across_at(scaled(x)), bottom + 20, f"{x:,g}", "middle") for x in across]
    ends = {name: up_at(scaled(list(line.values())[-1])) for name, line in lines.items()}
    places = _apart(ends)
    for (name, line), colour in zip(lines.items(), itertools.cycle(SERIES), strict=False):
        at = [(across_at(scaled(x)), up_at(scaled(y))) for x, y in line.items()]
        parts += [_line(at, colour), *(_dot(*place, colour) for place in at)]
        parts.append(_text(left + width + 4, places[name] + 4, name, "start", colour))
    parts.append(_text(left + width / 2, bottom + 38, unit, "middle"))
    room = _CHAR * max(map(len, lines))
    return _svg(left + width + room + 16, bottom + 48, title, parts)


def _brief(number: float) -> str:
    """A round number as `10 M`, `300 k` or `250`."""
    unit, word = next(((u, w) for u, w in ((1e6, " M"), (1e3, " k")) if number >= u), (1, ""))
    return f"{number / unit:g}{word}"


def _powers(low: float, high: float) -> list[float]:
    """Powers of ten from `low` to `high`, and three of each where those are few."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    powers = [10.0**power * factor for power in range(first, last + 1) for factor in (1, 3)]
    fit = [power for power in powers if low <= power <= high]
    tens = [power for power in fit if math.log10(power).is_integer()]
    return tens if len(tens) > 2 else fit


def _apart(places: Mapping[str, float]) -> dict[str, float]:
    """The same places in the same order, moved so that words there do not cover each other."""
    moved: dict[str, float] = {}
    for name in sorted(places, key=lambda name: places[name]):
        above = max(moved.values(), default=-math.inf)
        moved[name] = max(places[name], above + 14)
    return moved


def lines(
    title: str, series: Mapping[str, Sequence[Sequence[tuple[float, float]]]], across: str
) -> str:
    """Curves side by side on logarithmic axes; those of one name share a colour.

    Args:
        title: above all.
        series: name → its curves, each a list of (x, y), all above 0.
        across: what x is.
    """
    left, width, height = 64, 480, 280
    points = [point for curves in series.values() for points in curves for point in points]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    bottom = _TOP + height
    place_x, place_y = _logarithmic(xs, left, left + width), _logarithmic(ys, bottom, _TOP)
    parts = [_across(place_x(mark), bottom, mark) for mark in _powers(min(xs), max(xs))]
    parts += [_up(left, width, place_y(mark), mark) for mark in _powers(min(ys), max(ys))]
    for i, (name, curves) in enumerate(series.items()):
        colour = SERIES[i % len(SERIES)]
        for one in curves:
            path = [(place_x(x), place_y(y)) for x, y in one]
            parts.append(_line(path, colour))
        parts.append(_text(left + width + 12, _TOP + 16 + 20 * i, name, "start", colour))
    parts.append(_text(left + width / 2, bottom + 38, across, "middle"))
    longest = max(map(len, series))
    return _svg(left + width + 24 + _CHAR * longest, bottom + 50, title, parts)


def _logarithmic(values: Sequence[float], start: float, stop: float) -> Any:
    place = _scale([math.log10(value) for value in values], start, stop)
    return lambda value: place(math.log10(value))


def _across(x: float, bottom: float, mark: float) -> str:
    grid = f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}" stroke="{PALE}"/>'
    return grid + _text(x, bottom + 18, f"{mark:g}", "middle")


def _up(left: float, width: float, y: float, mark: float) -> str:
    grid = f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="{PALE}"/>'
    return grid + _text(left - 6, y + 4, f"{mark:g}", "end")


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from about `low` to about `high`, some three to seven."""
    span = high - low or 1.0
    step = 10 ** math.floor(math.log10(span / 2))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def _ends(figure: Mapping[str, Any]) -> tuple[float, float, float]:
    mean = figure["mean"]
    low, high = figure["low"], figure["high"]
    return (mean if low is None else low), mean, (mean if high is None else high)


def _scale(values: Sequence[float], start: float, stop: float) -> Any:
    low, high = min(values), max(values)
    span = high - low or 1.0
    return lambda value: start + (value - low) / span * (stop - start)


def _line(points: Sequence[tuple[float, float]], colour: str = ACCENT) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _dot(x: float, y: float, colour: str = ACCENT) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'


def _text(x: float, y: float, words: str, anchor: str, fill: str = INK) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'
    )


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    width = max(width, 16 + 6.4 * len(title))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" {FONT}>'
    )
    paper = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, paper, _text(8, 20, title, "start"), *parts, "</svg>\n"])
