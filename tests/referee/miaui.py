"""A referee for Miaui in plain Python, written from the rules page and from no other program.

It plays one table and says what each seat sees. M-numbers are those of the rules page. Luck is not
its business: the deck and Kiti's gap are given, and the one later shuffle (M4, the Seagulls of the
first round) is told to it by `return_gulls`, which only accepts an outcome that the rules allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SPACES = {1: ("deepest",), 2: ("deepest", "shallow"), 3: ("deepest", "deep", "shallow")}
SEAGULL = "seagull"

KINDS = [
    *(f"kittenfish:{value}" for value in range(1, 6)),
    *(f"tigerfish:{value}" for value in range(6, 10)),
    *(f"tuna:{value}" for value in range(10, 16)),
    *(f"lantern:{value}" for value in (1, 3, 5, 7)),
    "jellyfish:-10",
    "jellyfish:-15",
    SEAGULL,
]

BOX = [
    *(f"kittenfish:{value}" for value in (1, 2, 2, 3, 4, 4, 5)),
    *(f"tigerfish:{value}" for value in (6, 6, 7, 7, 8, 8, 9, 9)),
    *(f"tuna:{value}" for value in (10, 11, 12, 12, 13, 13, 14, 15)),
    *(f"lantern:{value}" for value in (1, 3, 5, 7)),
    *(f"jellyfish:{value}" for value in (-10, -10, -15, -15)),
    *[SEAGULL] * 6,
]


def family(name: str) -> str:
    """The kind of fish without its value: `tuna:12` is a tuna."""
    return name.partition(":")[0]


def value(name: str) -> int:
    """The points a card counts in a pile."""
    return int(name.partition(":")[2])


@dataclass(frozen=True)
class Card:
    """A fish outside deck and piles: on a space, or in the box as it last lay."""

    name: str
    face_up: bool = True
    peeker: int | None = None  # the one seat that may look at it while it lies face down (M11)

    def is_known_to(self, seat: int | None) -> bool:
        """Whether this seat may know the name; the referee (None) knows all."""
        return seat is None or self.face_up or seat == self.peeker


@dataclass(frozen=True)
class Options:
    """Variants (M15, M16) and the options for study; the cards themselves come with the deck."""

    open_baskets: bool = False
    no_fighting: bool = False
    hand_size: int = 12
    spaces: int = 3


class Seat:
    """What belongs to one player."""

    def __init__(self, hand_size: int) -> None:
        """A full hand of diver cards and an empty pile."""
        self.hand = list(range(1, hand_size + 1))
        self.committed: int | None = None
        self.dived: list[int] = []  # in order of play
        self.pile: list[str] = []  # bottom to top

    @property
    def score(self) -> int:
        """M14: the sum of the pile's values."""
        return sum(value(name) for name in self.pile)


class Referee:
    """One game of Miaui."""

    def __init__(
        self,
        num_players: int,
        options: Options,
        deck: Sequence[str],
        kiti: int | None,
        perfect_recall: bool = False,
    ) -> None:
        """M1, M2: `deck` has all cards, those for the box first, then the deck, top first."""
        self.options = options
        self.perfect_recall = perfect_recall
        self.spaces = SPACES[options.spaces]
        self.kiti = None if options.no_fighting else kiti
        self.seats = [Seat(options.hand_size) for _ in range(num_players)]
        beyond = len(deck) - options.hand_size * len(self.spaces)
        self.returned_at_setup = list(deck[:beyond])
        self.deck = list(deck[beyond:])
        self.box = [Card(name, face_up=False) for name in self.returned_at_setup]
        self.lagoon: dict[str, list[Card]] = {space: [] for space in self.spaces}
        self.lantern: dict[str, int | None] = dict.fromkeys(self.spaces)
        self.last_round: dict[str, Any] | None = None
        self.round = 1
        self.over = False
        self.gulls_returned = self._stock_first_round()

    # -- a round, in the order of the rulebook ------------------------------------------------

    def _stock_first_round(self) -> int:
        """M4: draw past Seagulls; how many were put aside. They are still to be returned."""
        aside = 0
        for space in self.spaces:
            while self.deck[0] == SEAGULL:
                self.deck.pop(0)
                aside += 1
            self.lagoon[space].append(Card(self.deck.pop(0)))
        return aside

    def return_gulls(self, deck_after: Sequence[str]) -> None:
        """M4: adopt the deck as it was after the Seagulls went back, if that can have happened."""
        expected = Counter(self.deck) + Counter({SEAGULL: self.gulls_returned})
        if Counter(deck_after) != expected:
            raise ValueError(f"M4: not the same cards: {deck_after} after {self.deck}")
        after = iter(deck_after)
        if not all(name in after for name in self.deck):
            raise ValueError(f"M4: the other cards changed order: {deck_after} after {self.deck}")
        self.deck = list(deck_after)

    def _stock(self) -> None:
        """M3, M11: one card on each space, from the bottom up, face down after a Lantern."""
        for space in self.spaces:
            catcher = self.lantern[space]
            self.lagoon[space].append(Card(self.deck.pop(0), catcher is None, catcher))
            self.lantern[space] = None

    def to_act(self) -> list[int]:
        """M5: the seats that still owe a card."""
        if self.over:
            return []
        return [i for i, seat in enumerate(self.seats) if seat.committed is None]

    def legal(self, seat: int) -> list[int]:
        """M5: the actions of a seat (diver card minus one); none when it owes nothing."""
        return [card - 1 for card in self.seats[seat].hand] if seat in self.to_act() else []

    def commit(self, seat: int, action: int) -> None:
        """M5: commit a card secretly; the last commitment reveals all."""
        if action not in self.legal(seat):
            raise ValueError(f"M5: seat {seat} may not commit card {action + 1}")
        self.seats[seat].hand.remove(action + 1)
        self.seats[seat].committed = action + 1
        if not self.to_act():
            self._reveal()

    def _reveal(self) -> None:
        """M5 to M14: what follows when all cards are in, up to the next decision."""
        dives = []
        for seat in self.seats:
            assert seat.committed is not None
            dives.append(seat.committed)
            seat.dived.append(seat.committed)
            seat.committed = None
        self.last_round = {"dives": dives, "catches": self._resolve(dives)}
        if self.kiti is not None:
            self.kiti = (self.kiti + 1) % len(self.seats)  # M13, after the last round too
        if self.round == self.options.hand_size:
            self.over = True
        else:
            self.round += 1
            self._stock()

    def _resolve(self, dives: list[int]) -> dict[str, list[Any]]:
        """M6, M16, M19: who takes what from which space, `[None, []]` where nobody does."""
        still_in = dict(enumerate(dives))
        catches: dict[str, list[Any]] = {}
        somebody_tied = False
        for space in self.spaces:
            best = self._best(space, still_in)
            if len(best) > 1 and self.options.no_fighting:
                somebody_tied = True
                out, catches[space] = best, [None, []]
            elif best:
                winner = self._nearest_to_kiti(space, best)
                out, catches[space] = [winner], [winner, self._catch(winner, space)]
            else:
                out, catches[space] = [], [None, []]
            for seat in out:
                del still_in[seat]
        if not somebody_tied:
            self._clear_untaken(catches)
        return catches

    def _best(self, space: str, still_in: dict[int, int]) -> list[int]:
        """M6: the seats with the best card still in: highest, at shallow the lowest."""
        if not still_in:
            return []
        wanted = (min if space == "shallow" else max)(still_in.values())
        return [seat for seat, card in still_in.items() if card == wanted]

    def _nearest_to_kiti(self, space: str, tied: list[int]) -> int:
        """M7: counter-clockwise g, g-1, ...; at shallow clockwise g+1, g+2, ..."""
        if len(tied) == 1:
            return tied[0]
        assert self.kiti is not None
        n = len(self.seats)
        if space == "shallow":
            order = [(self.kiti + step) % n for step in range(1, n + 1)]
        else:
            order = [(self.kiti - step) % n for step in range(n)]
        return next(seat for seat in order if seat in tied)

    def _catch(self, seat: int, space: str) -> list[str]:
        """M8, M11, M12, M17: take all that lies there, oldest first, each fully resolved."""
        caught = [card.name for card in self.lagoon[space]]
        self.lagoon[space] = []
        for name in caught:
            if name == SEAGULL:
                self._feed_gull(self.seats[seat].pile)
            else:
                self.seats[seat].pile.append(name)
                self._sting(self.seats[seat].pile)
            if family(name) == "lantern":
                self.lantern[space] = seat
        return caught

    def _feed_gull(self, pile: list[str]) -> None:
        """M9: the gull goes to the box, with the pile's top card if there is one."""
        self.box.append(Card(SEAGULL))
        if pile:
            self.box.append(Card(pile.pop()))

    def _sting(self, pile: list[str]) -> None:
        """M10: three Jellyfish in a pile go to the box; the others keep their order."""
        jellyfish = [name for name in pile if family(name) == "jellyfish"]
        if len(jellyfish) == 3:
            self.box.extend(Card(name) for name in jellyfish)
            pile[:] = [name for name in pile if name not in jellyfish]

    def _clear_untaken(self, catches: dict[str, list[Any]]) -> None:
        """M19: without a tie, what nobody took goes to the box as it lies."""
        for space in self.spaces:
            if catches[space][0] is None:
                self.box.extend(self.lagoon[space])
                self.lagoon[space] = []

    # -- the end ------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """M14: the points of every seat as they stand."""
        return [seat.score for seat in self.seats]

    @property
    def win_shares(self) -> list[float]:
        """M14: 1/k for each of the k seats at the top, 0 for the rest."""
        top = max(self.scores)
        at_the_top = self.scores.count(top)
        return [1 / at_the_top if score == top else 0.0 for score in self.scores]

    # -- what a player may know ---------------------------------------------------------------

    def view(self, viewer: int | None) -> dict[str, Any]:
        """What a seat knows, to the letter of the page on views; `None` is the referee."""
        own = None if viewer is None else self.seats[viewer]
        view = {
            "game": "miaui",
            "version": 0,
            "seat": viewer,
            "num_players": len(self.seats),
            "round": self.round,
            "kiti": self.kiti,
            "gulls_returned": self._gulls_known_to(viewer),
            "hand": None if own is None else list(own.hand),
            "committed": [s.committed for s in self.seats] if own is None else own.committed,
            "to_act": self.to_act(),
            "lagoon": {space: self._show(space, viewer) for space in self.spaces},
            "face_down": {space: self._face_down(space) for space in self.spaces},
            "seats": [self._view_of_seat(i, viewer) for i in range(len(self.seats))],
            "last_round": self.last_round,
            "deck_size": len(self.deck),
            "unseen": self._unseen(viewer),
        }
        if viewer is None:
            view.update(self._referee_only())
        return view

    def _gulls_known_to(self, viewer: int | None) -> int | None:
        """M4: all saw it; at the table it is forgotten after round 2."""
        remembered = viewer is None or self.perfect_recall or self.round <= 2
        return self.gulls_returned if remembered else None

    def _show(self, space: str, viewer: int | None) -> list[str]:
        """The cards on a space, oldest first, `?` for one this seat may not look at (M11)."""
        return [card.name if card.is_known_to(viewer) else "?" for card in self.lagoon[space]]

    def _face_down(self, space: str) -> list[list[int | None]]:
        """Where the face-down cards of a space lie, and who may look."""
        cards = enumerate(self.lagoon[space])
        return [[place, card.peeker] for place, card in cards if not card.face_up]

    def _view_of_seat(self, i: int, viewer: int | None) -> dict[str, Any]:
        """M15 and recall: the public side of a seat, and the rest where it may be known."""
        seat = self.seats[i]
        open_to_viewer = viewer is None or self.options.open_baskets or self.perfect_recall
        pile_known = open_to_viewer or i == viewer
        return {
            "hand_size": len(seat.hand),
            "pile_size": len(seat.pile),
            "pile_top": seat.pile[-1] if seat.pile else None,
            "pile": list(seat.pile) if pile_known else None,
            "hand": self._hand(i, viewer) if pile_known else None,
            "dived": list(seat.dived) if open_to_viewer else None,
            "score": seat.score if pile_known else None,
        }

    def _hand(self, i: int, viewer: int | None) -> list[int]:
        """A hand as it can be known: to the others, a card not yet revealed is still in it."""
        seat = self.seats[i]
        if viewer is None or viewer == i or seat.committed is None:
            return list(seat.hand)
        return sorted([*seat.hand, seat.committed])

    def _unseen(self, viewer: int | None) -> dict[str, int] | None:
        """Perfect recall: every card whose place this seat does not know, in the box's order."""
        if viewer is None:
            return {}
        if not self.perfect_recall:
            return None
        lying = [*self.box, *(card for space in self.spaces for card in self.lagoon[space])]
        hidden = [card.name for card in lying if not card.is_known_to(viewer)]
        count = Counter([*self.deck, *hidden])
        return {kind: count[kind] for kind in KINDS if count[kind]}

    def _referee_only(self) -> dict[str, Any]:
        """What only the referee sees; one card returned at setup stands alone, more in a list."""
        returned = self.returned_at_setup
        one_or_none = returned[0] if returned else None
        return {
            "box_card": returned if len(returned) > 1 else one_or_none,
            "box": sorted((card.name for card in self.box), key=KINDS.index),
            "deck": list(self.deck),
        }
