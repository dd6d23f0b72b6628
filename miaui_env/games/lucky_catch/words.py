"""Lucky Catch in words: actions and back, and a table that one can play from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from miaui_env.games.lucky_catch.pieces import ROW, SEA

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

SEA_COLUMNS = 4


def say(setup: Setup, action: int) -> str:
    """`fish sea 4`, `fish own 2`, or `fish +1 0` for the row of the next seat clockwise."""
    if not 0 <= action < setup.num_actions:
        raise ValueError(f"actions are 0 to {setup.num_actions - 1}, not {action}")
    if action < SEA:
        return f"fish sea {action}"
    ahead, index = divmod(action - SEA, ROW)
    return f"fish {row_name(ahead)} {index}"


def row_name(ahead: int) -> str:
    """How a player calls a row: the own one, or that of the seat so far ahead."""
    return f"+{ahead}" if ahead else "own"


def read(setup: Setup, text: str) -> int:
    """The action for `fish sea 4`, or just `4`; `own 2`; `+1 0`."""
    match = re.fullmatch(r"\s*(?:fish\s+)?(?:(sea|own|\+[1-5])\s*)?(\d+)\s*", text.lower())
    area, index = (match[1] or "sea", int(match[2])) if match else ("", -1)
    if area == "sea" and index < SEA:
        return index
    ahead = 0 if area == "own" else int(area or 99) if area.startswith("+") else 99
    if ahead < setup.num_players and 0 <= index < ROW:
        return SEA + ROW * ahead + index
    raise ValueError(
        f"say a place: 'sea 0' to 'sea {SEA - 1}', 'own 0' to 'own {ROW - 1}' in your row, or "
        f"'+1 0' in the row of the next seat; not {text!r}"
    )


def words(view: View) -> str:
    """The table as a seat sees it, in a few lines."""
    lines = [_headline(view), "", *_sea(view), ""]
    lines += [_row(view, seat) for seat in range(view["num_players"])]
    if view["last_cast"]:
        lines += ["", _last_cast(view)]
    if not view["to_act"]:
        lines += ["", "The game is over."]
    elif view["seat"] in view["to_act"]:
        lines += ["", "Your cast: say where, as in 'sea 4', 'own 2' or '+1 0'."]
    return "\n".join(lines)


def _headline(view: View) -> str:
    casts = f"{view['casts']} cast{'' if view['casts'] == 1 else 's'} so far"
    if not view["to_act"]:
        return f"Lucky Catch, {casts}"
    who = ", ".join(f"seat {seat}" for seat in view["to_act"])
    roll = " and ".join(view["dice"]) if view["dice"] else "nothing"
    lucky = ": any creature, the sea only" if view["dice"] == ["wild", "lucky"] else ""
    return f"Lucky Catch, {casts}; {who} rolled {roll}{lucky}"


def _sea(view: View) -> list[str]:
    """Six rows of four: the number of the place, and what is known to lie there."""
    shown = [_place(view, f"sea:{place}", place, held) for place, held in enumerate(view["sea"])]
    width = max(map(len, shown))
    rows = [shown[i : i + SEA_COLUMNS] for i in range(0, len(shown), SEA_COLUMNS)]
    return ["  " + "  ".join(part.ljust(width) for part in row).rstrip() for row in rows]


def _place(view: View, name: str, number: int, held: bool) -> str:
    """`4 red:crab`, `4 ?` for a face not known, `4 .` for an empty place."""
    return f"{number:2} {_face(view, name) if held else '.'}"


def _face(view: View, name: str) -> str:
    face: str = view["known"].get(name, "?")
    # What perfect recall alone still knows stands in brackets.
    return f"({face})" if face != "?" and name not in view.get("recent", [name]) else face


def _row(view: View, seat: int) -> str:
    row = view["rows"][seat]
    tiles = [
        _place(view, f"row{seat}:{index}", index, held).strip() for index, held in enumerate(row)
    ]
    chest = ["the chest"] if view["chest"] == seat else []
    points = f"  {_points(view['scores'][seat])}" if view["scores"] else ""
    return f"  {_whose(view, seat)}{points}  {', '.join([*tiles, *chest]) or '-'}"


def _whose(view: View, seat: int) -> str:
    if view["seat"] is None:
        return f"seat {seat}"
    ahead = (seat - view["seat"]) % view["num_players"]
    return f"seat {seat} ({row_name(ahead)})".ljust(12)


def _points(score: int) -> str:
    return f"{score} point{'' if abs(score) == 1 else 's'}:"


def _last_cast(view: View) -> str:
    """`seat 1 rolled red and crab, turned over red:crab at sea:4 and took it`."""
    last = view["last_cast"]
    roll, where = " and ".join(last["dice"]), f"{last['face']} at {last['place']}"
    return f"seat {last['seat']} rolled {roll}, turned over {where} and {came_of(last)}"


def came_of(last: View) -> str:
    """What happened to the tile of the last cast."""
    own_row = last["place"].startswith(f"row{last['seat']}:")
    return {
        "match": "found it again" if own_row else "took it",
        "miss": "turned it back",
        "boot": "had to take it",
        "chest": "took it",
    }[last["result"]]
