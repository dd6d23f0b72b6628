"""What somebody who forgets nothing knows, put together from what the table shows round by round.

Every reveal is shown to all: who dived with which card, and what each of them took. So a seat that
looks at each of its decisions, and once more at the end, has seen every dive and can lay every pile
again. Which cards it has never seen follows from those it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import specialise
from miaui_env.games.miaui.knowledge import counted, named, spaces_used
from miaui_env.games.miaui.pieces import CODES, NAMES, SPACE_NAMES, card_codes, multiset_counts
from miaui_env.games.miaui.rules import land

if TYPE_CHECKING:
    from collections.abc import Iterable

    from miaui_env.game import Setup, View

HIDDEN = "?"


def remember(setup: Setup, remembered: View | None, told: View) -> View:
    """The perfect-recall view now: what was remembered, and what the table shows since.

    Args:
        setup: of the table.
        remembered: the seat's perfect-recall view at its decision before; None at its first.
        told: the seat's table view now.

    Raises:
        ValueError: if the view is not the table's, skips a round, or contradicts what is known.
    """
    _refuse_other_setup(setup, told)
    known = _at_first(setup, told) if remembered is None else remembered
    step = _reveals(told) - _reveals(known)
    if step not in (0, 1) or (step and remembered is None):
        raise ValueError(
            f"this view comes after {_reveals(told)} reveals, what is remembered holds "
            f"{_reveals(known)}: every round must be seen, in order, and a new game begins anew"
        )
    seats, unseen = _unrevealed(known), known["unseen"]
    if step:
        seats = [_after_reveal(setup, told, seat, about) for seat, about in enumerate(seats)]
        unseen = _without(unseen, _newly_shown(known, told))
    _refuse_contradiction(told, seats)
    seats[told["seat"]]["hand"] = told["hand"]
    return {
        **told,
        "gulls_returned": known["gulls_returned"],
        "seats": [{**about, **own} for about, own in zip(told["seats"], seats, strict=True)],
        "unseen": unseen,
    }


def _reveals(view: View) -> int:
    """How many rounds a view has seen revealed."""
    turn: int = view["round"]
    return turn - 1 if view["to_act"] else turn


# --- what is remembered -------------------------------------------------------------------------


def _at_first(setup: Setup, told: View) -> View:
    """Round 1, before any reveal: empty piles, full hands, and only the lagoon has been seen."""
    cards = counted(multiset_counts(setup.options.multiset)[1:])
    hand = list(range(1, setup.options.hand_size + 1))
    nothing: View = {"pile": [], "hand": hand, "dived": [], "score": 0}
    return {
        **told,
        "hand": hand,
        "committed": None,
        "round": 1,
        "to_act": list(range(setup.num_players)),
        "seats": [dict(nothing) for _ in range(setup.num_players)],
        "unseen": _without(cards, (card for lying in told["lagoon"].values() for card in lying)),
    }


def _unrevealed(known: View) -> list[View]:
    """What is remembered of each seat; a card that lies committed still counts as held."""
    kept = ("pile", "hand", "dived", "score")
    seats = [{name: about[name] for name in kept} for about in known["seats"]]
    seats[known["seat"]]["hand"] = _own_cards(known)
    return seats


def _own_cards(view: View) -> list[int]:
    return sorted([*view["hand"], view["committed"]] if view["committed"] else view["hand"])


def _after_reveal(setup: Setup, told: View, seat: int, about: View) -> View:
    """A seat after the last reveal: one dive more, and what it caught has landed (M8-M10)."""
    dive = told["last_round"]["dives"][seat]
    caught = [
        card
        for taker, cards in told["last_round"]["catches"].values()
        if taker == seat
        for card in cards
    ]
    pile, score = _landed(setup, about["pile"], caught)
    return {
        "pile": pile,
        "hand": [card for card in about["hand"] if card != dive],
        "dived": [*about["dived"], dive],
        "score": score,
    }


def _landed(setup: Setup, pile: list[str], caught: list[str]) -> tuple[list[str], int]:
    """A pile and its value once the cards caught have reached it, by the rules' own kernel."""
    tables = setup.blank.copy()
    land_all(tables, np.array(card_codes([*pile, *caught]), np.int64))
    table = tables[0]
    return named(table.piles[0, : table.pile_size[0]]), int(table.points[0])


def _land_all(states: Any, cards: Any) -> None:
    """Cards reach the pile of seat 0, one after the other."""
    for card in cards:
        land(states[0], 0, card)


land_all = specialise(_land_all, "miaui")


def _newly_shown(known: View, told: View) -> Iterable[str]:
    """Cards that this seat sees for the first time: face-down ones when caught, those just laid."""
    for name, (_, caught) in told["last_round"]["catches"].items():
        if caught and known["lagoon"][name][0] == HIDDEN:
            yield caught[0]
        if told["to_act"]:
            yield told["lagoon"][name][-1]


def _without(cards: View, shown: Iterable[str]) -> View:
    """{card: number}, less the cards shown; one shown face down is none."""
    left = np.zeros(len(NAMES), np.int64)
    for name, number in cards.items():
        left[CODES[name]] = number
    for name in shown:
        if name != HIDDEN:
            left[CODES[name]] -= 1
    if left.min() < 0:
        raise ValueError(f"this view shows one {NAMES[int(left.argmin())]} more than there can be")
    return counted(left[1:])


# --- what is refused ----------------------------------------------------------------------------


def _refuse_other_setup(setup: Setup, told: View) -> None:
    """A table view of this game and number of seats, but of other options."""
    options, cards = setup.options, len(_own_cards(told))
    neighbour = told["seats"][(told["seat"] + 1) % setup.num_players]
    for what, said, wanted in (
        ("perfect_recall", told["unseen"] is not None, False),
        ("spaces", list(told["lagoon"]), [SPACE_NAMES[s] for s in spaces_used(options.spaces)]),
        ("hand_size", _reveals(told) + cards, options.hand_size),
        ("deck_size", told["deck_size"], options.stocked - options.spaces * told["round"]),
        ("no_fighting", told["kiti"] is None, options.no_fighting),
        ("open_baskets", neighbour["pile"] is not None, options.open_baskets),
    ):
        if said != wanted:
            raise ValueError(f"this view is of another table: {what} is {said!r}, not {wanted!r}")


def _refuse_contradiction(told: View, seats: list[View]) -> None:
    """Whatever the table tells of a seat must be as it is remembered."""
    for seat, (about, memory) in enumerate(zip(told["seats"], seats, strict=True)):
        pile = memory["pile"]
        expected = {**memory, "pile_size": len(pile), "pile_top": pile[-1] if pile else None}
        said = {**about, "hand": _own_cards(told)} if seat == told["seat"] else about
        for name, value in expected.items():
            if said[name] != value and (said[name] is not None or name == "pile_top"):
                raise ValueError(
                    f"this view does not follow from what is remembered: "
                    f"seat {seat} has {name} {said[name]!r}, not {value!r}"
                )
