"""Showcase in words: actions and back, and a table that one can play from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from miaui_env.games.showcase.pieces import (
    ACTIONS,
    DECLARE,
    DISCARD,
    DRAW,
    NAMES,
    PASS,
    PLACES,
    PLAY,
    SWAP,
    TAKE,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

_WORDS = {
    **{PLAY + kind: f"play {name}" for kind, name in enumerate(NAMES)},
    DRAW: "draw",
    **{TAKE + place: f"take {place + 1}" for place in range(PLACES)},
    **{
        SWAP + PLACES * kind + place: f"swap {name} for {place + 1}"
        for kind, name in enumerate(NAMES)
        for place in range(PLACES)
    },
    DECLARE: "declare",
    PASS: "pass",
    **{DISCARD + kind: f"discard {name}" for kind, name in enumerate(NAMES)},
}
_READ = {text: action for action, text in _WORDS.items()}
_HELP = {
    "play": "say 'play milk', 'draw', 'take 2' or 'swap red for 2'; places are 1 to 4",
    "declare": "say 'declare' to end the round, or 'pass'",
    "clean_up": "say 'discard red'; five cards stay",
}


def say(setup: Setup, action: int) -> str:
    """`play milk`, `draw`, `take 2`, `swap red:2 for 3`, `declare`, `pass`, `discard red:2`."""
    if action not in _WORDS:
        raise ValueError(f"actions are 0 to {ACTIONS - 1}, not {action}")
    return _WORDS[action]


def read(setup: Setup, text: str) -> int:
    """The action that the words name; a colour will do for its cards."""
    full = {name.partition(":")[0]: name for name in NAMES}
    asked = " ".join(full.get(word, word) for word in text.lower().split())
    if asked not in _READ:
        raise ValueError(f"{'; '.join(_HELP.values())}; not {text!r}")
    return _READ[asked]


def words(view: View) -> str:
    """The table as a seat sees it, in a few lines."""
    lines = [_headline(view), "", _showcase(view), f"  discards  {_heap(view['discards'])}", ""]
    lines += [line for seat in range(view["num_players"]) for line in _seat(view, seat)]
    if view["unseen"]:
        lines += ["", f"unseen: {_heap(view['unseen'])}"]
    lines += ["", *_own(view)]
    return "\n".join(lines)


def _headline(view: View) -> str:
    number = view["deck_size"]
    deck = f"{number or 'no'} card{'' if number == 1 else 's'} in the deck"
    return f"Showcase, turn {view['turn']}, round {view['round']}, {deck}"


def _showcase(view: View) -> str:
    places = enumerate(view["showcase"], 1)
    return "  showcase  " + "   ".join(f"{place} {card or '-'}" for place, card in places)


def _seat(view: View, seat: int) -> list[str]:
    about = view["seats"][seat]
    you = "you " if seat == view["seat"] else "    "
    parts = [f"{view['scores'][seat]:2} points", f"{about['hand_size']} in hand"]
    if about["played"]:
        parts.append(f"played {_heap(about['played'])}")
    if about["last_act"]:
        parts.append(_last_act(*about["last_act"]))
    doing = _doing(view, seat)
    lines = [f"  {you}seat {seat}  " + ", ".join(parts) + (f"  {doing}" if doing else "")]
    for what, name in (("known", "holds"), ("revealed", "showed")):
        told_already = what == "known" and seat == view["seat"]
        if about[what] and not told_already:
            lines.append(f"            {name} {_heap(about[what])}")
    return lines


def _last_act(act: str, *kinds: str) -> str:
    if act == "swap":
        return f"gave {kinds[0]} for {kinds[1]}"
    return f"took {kinds[0]}" if kinds else "drew"


def _doing(view: View, seat: int) -> str:
    if seat in view["to_act"]:
        return {"play": "to play", "declare": "to declare or pass"}.get(view["phase"], "to discard")
    return "ended the round" if seat == view["finisher"] else ""


def _own(view: View) -> list[str]:
    if view["seat"] is None:
        return [f"deck: {', '.join(view['deck']) or '-'}"]
    if not view["to_act"]:
        return [f"The game is over; you have {view['scores'][view['seat']]} points."]
    lines = [f"Your hand: {_heap(view['hand'])}"]
    if view["seat"] in view["to_act"]:
        lines.append(f"({_HELP[view['phase']]})")
    return lines


def _heap(cards: Mapping[str, int]) -> str:
    """Cards in no order, each kind once: `red:2×3, milk`."""
    return ", ".join(card if n == 1 else f"{card}×{n}" for card, n in cards.items()) or "-"
