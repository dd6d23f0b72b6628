"""A seat's knowledge as a plain dict, and back from the vector that it observes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import plain
from miaui_env.engine.layout import WIDE
from miaui_env.games import version_of
from miaui_env.games.miaui.pieces import (
    FACE_DOWN,
    KINDS,
    MAX_SPACES,
    NAMES,
    SPACE_NAMES,
)
from miaui_env.games.miaui.rules import boxed_at_setup
from miaui_env.games.miaui.view import CARD, PROPERTIES, unrevealed

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

VERSION = version_of("miaui")
"""Moves only when rules, view or action numbers move; see RULES.md."""


def spaces_used(spaces: int) -> list[int]:
    """Which spaces a game with that many spaces uses."""
    return {1: [0], 2: [0, 2], 3: [0, 1, 2]}[spaces]


def named(codes: Any) -> list[str]:
    """Cards by name."""
    return [NAMES[int(code)] for code in codes]


def counted(counts: Any) -> dict[str, int]:
    """Kinds that there are, by name, in the order of the box; `counts` starts at kind 1."""
    return {NAMES[kind]: int(count) for kind, count in enumerate(counts, 1) if count}


def cards_in_hand(bits: int) -> list[int]:
    """Diver cards of a bit set."""
    return [card + 1 for card in range(int(bits).bit_length()) if (int(bits) >> card) & 1]


def view(state: Any, seat: int | None) -> View:
    """What `seat` may know, as views.md has it; None is the referee, who knows everything."""
    n = int(state.num_players)
    referee = seat is None
    shown = referee or bool(state.perfect_recall)
    told = {
        "game": "miaui",
        "version": VERSION,
        "seat": seat,
        "num_players": n,
        "round": int(state.turn),
        "kiti": int(state.kiti) if state.kiti >= 0 else None,
        "gulls_returned": int(state.gulls_returned) if shown or state.turn <= 2 else None,
        "hand": None if referee else cards_in_hand(state.hands[seat]),
        "committed": [int(c) or None for c in state.committed[:n]]
        if referee
        else int(state.committed[seat]) or None,
        "to_act": [other for other in range(n) if (int(state.to_act) >> other) & 1],
        **_view_lagoon(state, seat),
        "seats": [_view_seat(state, seat, other) for other in range(n)],
        "last_round": _view_last_round(state) if state.last_dives[0] else None,
        "deck_size": int(state.num_cards - state.top),
        "unseen": _view_unseen(state, seat) if shown else None,
    }
    return {**told, **_view_secrets(state)} if referee else told


def _view_lagoon(state: Any, seat: int | None) -> View:
    lagoon: dict[str, list[str]] = {}
    face_down: dict[str, list[list[int]]] = {}
    for space in spaces_used(int(state.spaces)):
        name, peeker = SPACE_NAMES[space], int(state.peeker[space])
        lagoon[name] = named(state.lagoon[space, : state.lagoon_size[space]])
        face_down[name] = [[0, peeker]] if peeker >= 0 and lagoon[name] else []
        if face_down[name] and seat not in (None, peeker):
            lagoon[name][0] = "?"
    return {"lagoon": lagoon, "face_down": face_down}


def _view_seat(state: Any, seat: int | None, other: int) -> View:
    pile = named(state.piles[other, : state.pile_size[other]])
    opened = seat is None or bool(state.open_baskets) or bool(state.perfect_recall)
    own = seat in (None, other)
    hand = cards_in_hand(state.hands[other])
    return {
        "hand_size": len(hand),
        "pile_size": len(pile),
        "pile_top": pile[-1] if pile else None,
        "pile": pile if opened or own else None,
        "hand": hand if own else cards_in_hand(plain(unrevealed)(state, other)) if opened else None,
        "dived": [int(card) for card in state.dived[other] if card] if opened else None,
        "score": int(state.points[other]) if opened or own else None,
    }


def _view_last_round(state: Any) -> View:
    catches = {}
    for space in spaces_used(int(state.spaces)):
        taker, count = int(state.last_taker[space]), int(state.last_catch_size[space])
        catches[SPACE_NAMES[space]] = [
            taker if taker >= 0 else None,
            named(state.last_catch[space, :count]),
        ]
    return {
        "dives": [int(dive) for dive in state.last_dives[: state.num_players]],
        "catches": catches,
    }


def _view_unseen(state: Any, seat: int | None) -> dict[str, int]:
    if seat is None:
        return {}
    counts = state.unseen.copy()
    for space in range(MAX_SPACES):
        if state.peeker[space] == seat and state.lagoon_size[space]:
            counts[state.lagoon[space, 0]] -= 1
    return counted(counts[1:])


def _view_secrets(state: Any) -> View:
    boxed = named(state.deck[: plain(boxed_at_setup)(state)])
    return {
        "box_card": None if not boxed else boxed[0] if len(boxed) == 1 else boxed,
        "box": [name for name, count in counted(state.boxed[1:]).items() for _ in range(count)],
        "deck": named(state.deck[state.top : state.num_cards]),
    }


def inventory(state: Any) -> dict[str, int]:
    """All fish by kind and all diver cards by seat, wherever they lie."""
    lying = [*state.deck[state.top : state.num_cards]]
    lying += [
        card for space in range(3) for card in state.lagoon[space, : state.lagoon_size[space]]
    ]
    divers: dict[str, int] = {}
    for seat in range(state.num_players):
        lying += [*state.piles[seat, : state.pile_size[seat]]]
        held = [*cards_in_hand(state.hands[seat]), *filter(None, [state.committed[seat]])]
        for card in [*held, *filter(None, state.dived[seat])]:
            name = f"diver {int(card)} of seat {seat}"
            divers[name] = divers.get(name, 0) + 1
    fish = np.bincount(np.array(lying, np.int64), minlength=KINDS) + state.boxed
    return {**counted(fish[1:]), **divers}


# --- back: the view that an observation stands for ----------------------------------------------


def view_of(setup: Setup, observation: np.ndarray, seat: int) -> View:
    """The view that gives `observation` to `seat`; the law of views makes it the only one."""
    read = _Reading(setup, observation, seat)
    options = setup.options
    turn, acting = read.number("round"), read.seats_where("to_act")
    gulls = read.number("gulls_recalled" if setup.perfect_recall else "gulls_returned")
    return {
        "game": "miaui",
        "version": VERSION,
        "seat": seat,
        "num_players": setup.num_players,
        "round": turn,
        "kiti": None if options.no_fighting else read.seats_where("kiti")[0],
        "gulls_returned": gulls if setup.perfect_recall or turn <= 2 else None,
        "hand": read.flags("hand"),
        "committed": read.number("committed") or None,
        "to_act": acting,
        **read.lagoon(),
        "seats": [read.seat(other, turn, acting) for other in range(setup.num_players)],
        "last_round": read.last_round(),
        "deck_size": options.stocked - options.spaces * turn,
        "unseen": counted(read.field("unseen")) if setup.perfect_recall else None,
    }


class _Reading:
    """An observation, read field by field and told with absolute seats."""

    def __init__(self, setup: Setup, observation: np.ndarray, seat: int) -> None:
        self.setup, self.observation, self.own = setup, observation, seat
        self.spaces = [SPACE_NAMES[space] for space in spaces_used(setup.options.spaces)]
        self.opened = setup.options.open_baskets or setup.perfect_recall

    def field(self, name: str) -> np.ndarray:
        return self.setup.layout.read(self.observation, name)

    def number(self, name: str) -> int:
        return int(self.field(name)[0])

    def flags(self, name: str) -> list[int]:
        return [i + 1 for i, flag in enumerate(self.field(name)) if flag]

    def absolute(self, relative: int) -> int:
        return (self.own + relative) % self.setup.num_players

    def seats_where(self, name: str) -> list[int]:
        return sorted(self.absolute(i) for i, flag in enumerate(self.field(name)) if flag)

    def one_seat(self, hot: np.ndarray) -> int | None:
        return self.absolute(int(hot.argmax())) if hot.any() else None

    def lagoon(self) -> View:
        stacks = self.field("lagoon")
        peekers = [self.one_seat(hot) for hot in self.field("peeker")]
        return {
            "lagoon": {
                name: [card_shown(slot) for slot in stack if slot.any()]
                for name, stack in zip(self.spaces, stacks, strict=True)
            },
            "face_down": {
                name: [] if peeker is None else [[0, peeker]]
                for name, peeker in zip(self.spaces, peekers, strict=True)
            },
        }

    def seat(self, other: int, turn: int, acting: list[int]) -> View:
        relative = (other - self.own) % self.setup.num_players
        size = int(self.field("pile_size")[relative])
        own = relative == 0
        pile = (
            self.field("pile") if own else self.field("piles")[relative - 1] if self.opened else []
        )
        dived = [int(card) for card in self.field("dived")[relative]] if self.opened else []
        hand = self.flags("hand") if own else None
        if self.opened and not own:
            hand = [i + 1 for i, flag in enumerate(self.field("hands")[relative - 1]) if flag]
        hand_size = self.setup.options.hand_size - turn + (1 if other in acting else 0)
        return {
            "hand_size": hand_size if acting else 0,
            "pile_size": size,
            "pile_top": card_shown(self.field("pile_top")[relative]) if size else None,
            "pile": named(pile[:size][::-1]) if own or self.opened else None,
            "hand": hand,
            "dived": [card for card in dived if card] if self.opened else None,
            "score": self.score(relative) if own or self.opened else None,
        }

    def score(self, relative: int) -> int:
        name, i = ("score", 0) if relative == 0 else ("scores", relative - 1)
        return WIDE * int(self.field(f"{name}_high")[i]) + int(self.field(f"{name}_low")[i])

    def last_round(self) -> View | None:
        dives = self.field("last_dives")
        if not dives[0]:
            return None
        takers = [self.one_seat(hot) for hot in self.field("last_taker")]
        caught = [named(code for code in codes if code) for codes in self.field("last_catch")]
        order = [(i - self.own) % self.setup.num_players for i in range(self.setup.num_players)]
        return {
            "dives": [int(dives[i]) for i in order],
            "catches": {
                name: [taker, cards]
                for name, taker, cards in zip(self.spaces, takers, caught, strict=True)
            },
        }


def card_shown(slot: np.ndarray) -> str:
    """The name of a card written by its properties; "?" for one that lies face down."""
    code = _BY_PROPERTIES[(*map(int, slot), 0, 0)[:CARD]]
    return "?" if code == FACE_DOWN else NAMES[code]


_BY_PROPERTIES = {tuple(map(int, entries)): code for code, entries in enumerate(PROPERTIES)}
