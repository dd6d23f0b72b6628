"""Maui in words: actions and back, and a table that one can play from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from miaui_env.games.maui.actions import Buy, Free, Move, Take, decode, encode
from miaui_env.games.maui.pieces import COLUMNS, PATTERN_NAMES, PLACES, ROWS

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

NEXT = 4
"""So many tiles of the bag the referee is told in words."""
SECTION_NAMES = ("top", "middle", "bottom")
HELP = (
    "say 'buy 4 on 3' (market tile 4, its top on row 3), 'buy 4 on 3 with fish on middle' (a towel "
    "token on it), 'take 0' (the dollars of a pile) or 'free 4 on 3'"
)
_MOVE = re.compile(
    r"(?:(buy|free)\s+(\d+)\s+on\s+(-?\d+)(?:\s+with\s+(\w+)\s+on\s+(\w+))?|take\s+(\d+))"
)

# --- actions --------------------------------------------------------------------------------------


def say(setup: Setup, action: int) -> str:
    """`buy 4 on 3`, `take 0`, `free 4 on 3`."""
    move = decode(action, setup.options.overhang)
    if isinstance(move, Take):
        return f"take {move.pile}"
    verb = "free" if isinstance(move, Free) else "buy"
    token = ""
    if isinstance(move, Buy) and move.token:
        section, pattern = move.token
        token = f" with {PATTERN_NAMES[pattern]} on {SECTION_NAMES[section]}"
    return f"{verb} {move.tile} on {move.top}{token}"


def read(setup: Setup, text: str) -> int:
    """The action that the words name; ValueError says how they go."""
    match = _MOVE.fullmatch(text.strip().lower())
    try:
        return encode(_move(match), setup.options.overhang)
    except (ValueError, TypeError) as problem:
        why = f" ({problem})" if match else ""
        raise ValueError(f"{HELP}; not {text!r}{why}") from None


def _move(match: re.Match[str] | None) -> Move:
    if match is None:
        raise ValueError("no move")
    verb, tile, top, pattern, section, pile = match.groups()
    if pile is not None:
        return Take(int(pile))
    if pattern is None:
        return Buy(int(tile), int(top)) if verb == "buy" else Free(int(tile), int(top))
    if verb == "free":
        raise ValueError("no token goes on a free tile")
    token = (SECTION_NAMES.index(section), PATTERN_NAMES.index(pattern))
    return Buy(int(tile), int(top), token)


# --- the table ------------------------------------------------------------------------------------


def words(view: View) -> str:
    """The table as a seat sees it: market, seats, beaches."""
    lines = [_headline(view), "", *_market(view), ""]
    lines += [_seat(view, seat) for seat in range(view["num_players"])]
    for seat in range(0, view["num_players"], 2):
        lines += ["", *_beaches(view, range(seat, min(seat + 2, view["num_players"])))]
    lines += ["", _last_line(view)]
    return "\n".join(lines)


def _headline(view: View) -> str:
    whose = f"seat {view['to_act'][0]} to move" if view["to_act"] else "the game is over"
    began = f"seat {view['first']} began"
    return f"Maui, turn {view['turn']}, {whose}, {began}, {view['bag_size']} tiles in the bag"


def _market(view: View) -> list[str]:
    lines = []
    for row, tiles in enumerate(view["market"]):
        shown = [f"{row * PLACES + place} {tile:22}" for place, tile in enumerate(tiles)]
        lines.append(f"  {' '.join(shown)} pile {row}: {_dollars(view['piles'][row])}")
    costs = " ".join(f"{f'for {_dollars(place)}':24}" for place in range(PLACES)).rstrip()
    left = ", ".join(view["track_tokens"]) or "none"
    return [f"  {costs}", *lines, f"  tokens on their tracks: {left}"]


def _dollars(number: int) -> str:
    return _many(number, "dollar") or "nothing"


def _many(number: int, what: str) -> str:
    """`1 penalty`, `2 penalties`; nothing for none."""
    more = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number} {what if abs(number) == 1 else more}" if number else ""


def _seat(view: View, seat: int) -> str:
    about = view["seats"][seat]
    you = "you " if seat == view["seat"] else "    "
    held = [f"{_many(about['score'], 'point') or 'no points'}"]
    held[0] += f": {_many(about['dollars'], 'dollar') or 'no money'}"
    held += [_many(number, f"{kind} pearl") for kind, number in about["pearls"].items()]
    held += [_many(about["penalties"], "penalty")]
    held += [f"tokens {' '.join(about['tokens'])}"] * bool(about["tokens"])
    steps = [f"{name} {step}" for name, step in about["tracks"].items() if step]
    return f"  {you}seat {seat}  {', '.join(filter(None, [*held, *steps]))}"


def _beaches(view: View, seats: range) -> list[str]:
    """Beaches side by side."""
    drawn = [_beach(view["seats"][seat]) for seat in seats]
    rows = sorted({row for beach in drawn for row in beach})
    empty = " ".join(["  "] * COLUMNS)
    head = [f"seat {seat}".ljust(len(empty)) for seat in seats]
    lines = [f"     {'     '.join(head)}"]
    for row in rows:
        pieces = [beach.get(row, empty) for beach in drawn]
        lines.append(f"  {row:2} {'     '.join(pieces)}")
    return [line.rstrip() for line in lines]


def _beach(about: View) -> dict[int, str]:
    """Each row of a beach, and those beyond its edges over which something hangs."""
    cells: dict[tuple[int, int], str] = {}
    for name, umbrella in about["umbrellas"].items():
        column, row = map(int, name.split(","))
        cells[row, column] = umbrella.removeprefix("step:")[:2].upper()
    for column, (top, triple) in enumerate(about["columns"], 1):
        for row, pattern in enumerate(triple.split("/"), top):
            cells[row, column] = pattern[:2]
    rows = sorted({*range(1, ROWS + 1), *(row for row, _ in cells)})
    columns = range(1, COLUMNS + 1)
    return {row: " ".join(cells.get((row, column), " .") for column in columns) for row in rows}


def _last_line(view: View) -> str:
    if view["seat"] is None:
        return f"next in the bag: {', '.join(view['bag'][:NEXT])}"
    if not view["to_act"]:
        return f"The game is over; you have {view['seats'][view['seat']]['score']} points."
    one, other = view["step_patterns"]
    legend = f"Umbrellas in capitals: WH and BL pearls, {one[:2].upper()} and {other[:2].upper()} "
    return f"{legend}steps.\n{_call(view)}"


def _call(view: View) -> str:
    if view["seat"] not in view["to_act"]:
        return f"Seat {view['to_act'][0]} is choosing."
    return "Your turn: 'buy 4 on 3', '... with fish on middle' (a token), 'take 0', 'free 4 on 3'."
