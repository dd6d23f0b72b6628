"""What somebody who forgets nothing knows, put together from what the table shows.

Whatever was turned over since the own last decision the table shows, by where it lies now. All else
lies where it lay: a tile moves only when it is turned over. So what is remembered of a place holds
as long as a tile lies there that the table does not show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from miaui_env.games.lucky_catch.pieces import PLACES, tiles_of

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

UNSEEN = "every decision of a game must be seen, in order, and a new game begins anew"


def remember(setup: Setup, remembered: View | None, told: View) -> View:
    """The perfect-recall view now: what was remembered, and what the table shows since.

    A decision that was not seen cannot always be told from others' casts; it is where it shows.

    Args:
        setup: of the table.
        remembered: the seat's perfect-recall view at its decision before; None at its first.
        told: the seat's table view now.

    Raises:
        ValueError: if the view is not the table's, or cannot follow from what is remembered.
    """
    if "recent" in told:
        raise ValueError("this view is of another table: it is one with perfect_recall")
    first = setup.options.first
    if first is not None and not told["casts"] and told["to_act"] != [first]:
        raise ValueError(f"this view is of another table: there seat {first} begins")
    lying = occupied(told)
    before = _at_first(told) if remembered is None else remembered
    _refuse_unexplained(before, told, lying)
    known = {
        name: face
        for name, face in before["known"].items()
        if name in lying and name not in told["known"]
    }
    known.update(told["known"])
    _refuse_impossible(known, lying)
    in_order = sorted(known, key=PLACES.__getitem__)
    return {
        **told,
        "known": {name: known[name] for name in in_order},
        "recent": list(told["known"]),
    }


def occupied(view: View) -> set[str]:
    """Names of the places that hold a tile."""
    sea = {f"sea:{place}" for place, held in enumerate(view["sea"]) if held}
    rows = {
        f"row{seat}:{index}"
        for seat, row in enumerate(view["rows"])
        for index, held in enumerate(row)
        if held
    }
    return sea | rows


def _at_first(told: View) -> View:
    """Before the first cast: a full sea, of which nothing is known."""
    n = told["num_players"]
    nothing: View = {"casts": 0, "rows": [[]] * n, "sea": [True] * len(told["sea"]), "known": {}}
    return {**told, **nothing, "chest": None, "to_act": []}


def _refuse_impossible(known: dict[str, str], lying: set[str]) -> None:
    """All tiles of rows were turned over, and no face is there more often than in the box."""
    if any(name.startswith("row") and name not in known for name in lying):
        raise ValueError(f"a row holds a tile that was not seen turned over: {UNSEEN}")
    try:
        tiles_of(known.values())
    except ValueError as problem:
        raise ValueError(f"{problem}: {UNSEEN}") from None


def _refuse_unexplained(before: View, told: View, lying: set[str]) -> None:
    """Every tile that moved was turned over, and there were casts enough for what is shown."""
    casts = told["casts"] - before["casts"]
    held = occupied(before)
    moved = lying - held - set(told["known"])
    lost = len(held) - len(lying) - (told["chest"] is not None) + (before["chest"] is not None)
    if casts < 0 or moved or lost or not _enough(before, told, casts):
        raise ValueError(f"this view does not follow from what is remembered: {UNSEEN}")


def _enough(before: View, told: View, casts: int) -> bool:
    """Whether so many casts, the own one and at most one turn of each other, can have been.

    A turn is one cast longer for each match, and a matched tile lies in a row and is shown.
    """
    own, n = told["seat"], told["num_players"]
    if before["to_act"] not in ([], [own]) or not told["last_cast"]:
        return True  # a look in between
    matched = any(name.startswith("row") and ":" in face for name, face in told["known"].items())
    turns = n if before["to_act"] else n - 1
    return matched or casts <= turns + (told["chest"] != before["chest"])
