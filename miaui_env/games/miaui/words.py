"""Miaui in words: actions and back, and a table that one can play from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from miaui_env.game import Setup, View


def say(setup: Setup, action: int) -> str:
    """`dive 7` for action 6."""
    if not 0 <= action < setup.num_actions:
        raise ValueError(f"actions are 0 to {setup.num_actions - 1}, not {action}")
    return f"dive {action + 1}"


def read(setup: Setup, text: str) -> int:
    """The action for `dive 7`, or just `7`: a diver card, 1 to the hand's size."""
    match = re.fullmatch(r"\s*(?:dive\s+)?(\d+)\s*", text.lower())
    card = int(match[1]) if match else 0
    if not 1 <= card <= setup.num_actions:
        raise ValueError(
            f"say a diver card, 1 to {setup.num_actions}, as in 'dive 7'; not {text!r}"
        )
    return card - 1


def words(view: View) -> str:
    """The table as a seat sees it, in a few lines."""
    lines = [_headline(view), ""]
    lines += [_space(view, name) for name in view["lagoon"]]
    lines += ["", *(_seat(view, seat) for seat in range(view["num_players"]))]
    if view["last_round"]:
        lines += ["", _last_round(view)]
    if view["unseen"]:
        lines += ["", f"unseen: {_heap(view['unseen'])}"]
    lines += ["", _hand(view)]
    return "\n".join(lines)


def _headline(view: View) -> str:
    kiti = "no fighting" if view["kiti"] is None else f"Kiti in gap {view['kiti']}"
    deck = _number(view["deck_size"], "card")
    gulls = view["gulls_returned"]
    back = f", {_number(gulls, 'gull')} went back" if gulls else ""
    return f"Miaui, round {view['round']}, {kiti}, {deck} in the deck{back}{_ties(view)}"


def _ties(view: View) -> str:
    """Whom Kiti favours (M7)."""
    if view["kiti"] is None or not view["to_act"]:
        return ""
    n, gap = view["num_players"], view["kiti"]
    deep = " ".join(str((gap - i) % n) for i in range(n))
    shallow = " ".join(str((gap + 1 + i) % n) for i in range(n))
    return f"\nties go to seat {deep}, at shallow {shallow}, the first of those who tie"


def _number(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _space(view: View, name: str) -> str:
    cards = ", ".join(view["lagoon"][name]) or "-"
    peek = [f"seat {peeker} may look" for _, peeker in view["face_down"][name]]
    return f"  {name:8} {cards}" + "".join(f"  ({who})" for who in peek)


def _seat(view: View, seat: int) -> str:
    about = view["seats"][seat]
    you = "you " if seat == view["seat"] else "    "
    pile = f"{about['pile_size']} fish, top {about['pile_top']}"
    if not about["pile_size"]:
        pile = "no fish"
    elif about["pile"] is not None:
        pile = f"{_points(about['score'])}: {', '.join(about['pile'])}"
    state = "choosing" if seat in view["to_act"] else "ready" if view["to_act"] else ""
    if state == "ready" and view["seat"] is None:
        state = f"dives {view['committed'][seat]}"
    hand = ""
    if seat != view["seat"] and about["hand"]:
        hand = "  hand " + " ".join(map(str, about["hand"]))
    return f"  {you}seat {seat}  {pile}{hand}  {state}".rstrip()


def _points(score: int) -> str:
    return f"{score} point{'' if abs(score) == 1 else 's'}"


def _last_round(view: View) -> str:
    last = view["last_round"]
    dives = ", ".join(f"seat {seat} {dive}" for seat, dive in enumerate(last["dives"]))
    catches = [
        f"{name}: nobody" if seat is None else f"{name}: seat {seat} took {', '.join(cards)}"
        for name, (seat, cards) in last["catches"].items()
    ]
    return f"last dives: {dives}\n" + "\n".join(f"  {line}" for line in catches)


def _hand(view: View) -> str:
    if view["seat"] is None:
        deck = ", ".join(view["deck"]) or "-"
        return f"deck: {deck}\nbox: {_heap(Counter(view['box'])) or '-'}"
    if not view["to_act"]:
        return f"The game is over; you have {_points(view['seats'][view['seat']]['score'])}."
    if view["committed"]:
        return f"You dive {view['committed']}; the others still choose."
    return "Your divers: " + " ".join(map(str, view["hand"])) + "  (say 'dive 7', or just 7)"


def _heap(cards: Mapping[str, int]) -> str:
    """Cards in no order, each kind once: `tuna:10, seagull×3`."""
    return ", ".join(card if n == 1 else f"{card}×{n}" for card, n in cards.items())
