"""A seat's knowledge as a plain dict, and back from the vector that it observes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import plain
from miaui_env.engine.layout import WIDE
from miaui_env.games import version_of
from miaui_env.games.showcase.pieces import (
    ACT_NAMES,
    CARDS,
    KINDS,
    NAMES,
    PHASE_NAMES,
    Act,
)
from miaui_env.games.showcase.recall import known
from miaui_env.games.showcase.view import not_in_sight

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

VERSION = version_of("showcase")
"""Moves only when rules, view or action numbers move; see RULES.md."""


def counts(by_kind: Any) -> dict[str, int]:
    """Kinds that there are, by name, in the order of the box."""
    return {name: int(count) for name, count in zip(NAMES, by_kind, strict=True) if count}


def by_kind(cards: dict[str, int]) -> np.ndarray:
    """The way back from `counts`; int64 `(KINDS,)`."""
    return np.array([cards.get(name, 0) for name in NAMES], np.int64)


def view(state: Any, seat: int | None) -> View:
    """What `seat` may know, as views.md has it; None is the referee, who knows everything."""
    n = int(state.num_players)
    holds = [_known(state, seat, other) for other in range(n)]
    told = {
        "game": "showcase",
        "version": VERSION,
        "seat": seat,
        "num_players": n,
        "to_act": [other for other in range(n) if (int(state.to_act) >> other) & 1],
        "phase": PHASE_NAMES[int(state.phase)],
        "turn": int(state.turn),
        "round": int(state.rounds),
        "finisher": int(state.finisher) if state.finisher >= 0 else None,
        "scores": [int(points) for points in state.points[:n]],
        "showcase": [NAMES[kind] if kind >= 0 else None for kind in state.showcase],
        "hand": None if seat is None else counts(state.hands[seat]),
        "seats": [_view_seat(state, seat, other, holds[other]) for other in range(n)],
        "discards": counts(state.discards),
        "deck_size": CARDS - int(state.top),
        "unseen": _view_unseen(state, seat, holds),
    }
    if seat is None:
        told["deck"] = [NAMES[kind] for kind in state.deck[state.top :]]
    return told


def _known(state: Any, seat: int | None, other: int) -> np.ndarray | None:
    """Cards by kind that the seat knows to be in a hand; None where it is told nothing."""
    if seat is None:
        return np.array(state.hands[other])
    if not state.perfect_recall:
        return None
    return np.array([plain(known)(state, seat, other, kind) for kind in range(KINDS)])


def _view_seat(state: Any, seat: int | None, other: int, holds: np.ndarray | None) -> View:
    shown = state.last_finisher >= 0 if seat is None else bool(state.shown[seat])
    return {
        "hand_size": int(state.hand_size[other]),
        "played": counts(state.played[other]),
        "last_act": act_told(
            int(state.act[other]), int(state.given[other]), int(state.taken[other])
        ),
        "revealed": counts(state.revealed[other]) if shown else None,
        "known": None if holds is None else counts(holds),
    }


def act_told(act: int, given: int, taken: int) -> list[str] | None:
    """`["draw"]`, `["take", kind]`, `["swap", given, taken]`; None for none yet."""
    kinds = [NAMES[kind] for kind in (given, taken) if kind >= 0]
    return None if act == Act.NONE else [ACT_NAMES[act], *kinds]


def _view_unseen(state: Any, seat: int | None, holds: list[Any]) -> dict[str, int] | None:
    if seat is None:
        return {}
    if not state.perfect_recall:
        return None
    hidden = [plain(not_in_sight)(state, seat, kind) for kind in range(KINDS)]
    return counts(hidden - sum(cards for other, cards in enumerate(holds) if other != seat))


def inventory(state: Any) -> dict[str, int]:
    """All cards by kind, wherever they lie."""
    lying = [kind for kind in (*state.deck[state.top :], *state.showcase) if kind >= 0]
    cards = np.bincount(np.array(lying, np.int64), minlength=KINDS)
    return counts(cards + state.discards + state.hands.sum(0) + state.played.sum(0))


# --- back: the view that an observation stands for ----------------------------------------------


def view_of(setup: Setup, observation: np.ndarray, seat: int) -> View:
    """The view that gives `observation` to `seat`; the law of views makes it the only one."""
    read = _Reading(setup, observation, seat)
    return {
        "game": "showcase",
        "version": VERSION,
        "seat": seat,
        "num_players": setup.num_players,
        "to_act": read.seats_where("to_act"),
        "phase": PHASE_NAMES[int(read.field("phase").argmax())],
        "turn": WIDE * read.number("turn_high") + read.number("turn_low"),
        "round": read.number("round"),
        "finisher": next(iter(read.seats_where("finisher")), None),
        "scores": [int(points) for points in read.absolute("scores")],
        "showcase": [name_of(card) for card in read.field("showcase")],
        "hand": counts(read.field("hand")),
        "seats": [read.seat(other) for other in range(setup.num_players)],
        "discards": counts(read.field("discards")),
        "deck_size": read.number("deck_size"),
        "unseen": counts(read.field("unseen")) if setup.perfect_recall else None,
    }


def name_of(card: np.ndarray) -> str | None:
    """The name of a card that is shown one-hot; None where there is none."""
    return NAMES[int(card.argmax())] if card.any() else None


class _Reading:
    """An observation, read field by field and told with absolute seats."""

    def __init__(self, setup: Setup, observation: np.ndarray, seat: int) -> None:
        self.setup, self.observation, self.own = setup, observation, seat

    def field(self, name: str) -> np.ndarray:
        return self.setup.layout.read(self.observation, name)

    def number(self, name: str) -> int:
        return int(self.field(name)[0])

    def absolute(self, name: str) -> np.ndarray:
        """A field with a row for each seat, seat 0 first."""
        return np.roll(self.field(name), self.own, 0)

    def seats_where(self, name: str) -> list[int]:
        return [int(seat) for seat in np.flatnonzero(self.absolute(name))]

    def seat(self, other: int) -> View:
        given, taken = (name_of(self.absolute(name)[other]) for name in ("given", "taken"))
        act = self.absolute("act")[other]
        kinds = [kind for kind in (given, taken) if kind is not None]
        return {
            "hand_size": int(self.absolute("hand_size")[other]),
            "played": counts(self.absolute("played")[other]),
            "last_act": [ACT_NAMES[int(act.argmax()) + 1], *kinds] if act.any() else None,
            "revealed": counts(self.absolute("revealed")[other]) if self.number("shown") else None,
            "known": self.known(other) if self.setup.perfect_recall else None,
        }

    def known(self, other: int) -> dict[str, int]:
        if other == self.own:
            return counts(self.field("hand"))
        return counts(self.field("known")[(other - self.own) % self.setup.num_players - 1])
