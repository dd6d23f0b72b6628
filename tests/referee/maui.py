"""A referee for Maui in plain Python, written from the rules page and from no other program.

It plays one table and says what each seat sees. U-numbers are those of the rules page. Luck is not
its business: the bag, the step patterns, the umbrellas and the first seat are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

PATTERNS = ["waves", "palms", "fish", "flowers", "turtles"]
BOX = ["/".join(triple) for triple in permutations(PATTERNS, 3)]
"""U1: every ordered triple of three different patterns."""
VALUES = {1: 3, 2: 2, 3: 1, 4: 1, 5: 1, 6: 2, 7: 3}
CELLS = [(3, 2), (4, 6), (6, 4), (7, 1), (8, 5), (10, 7), (11, 3), (12, 4)]
PEARLS = {0: 0, 1: 2, 2: 5, 3: 9}


@dataclass(frozen=True)
class Options:
    """The two named options."""

    flat_match_points: bool = False
    overhang: int = 1


@dataclass(frozen=True)
class Placement:
    """U8, U10: a market tile with its top section on a row, maybe with a token on a section."""

    row: int  # of the market
    place: int
    top: int
    free: bool = False
    section: int | None = None
    pattern: str | None = None


class Beach:
    """What belongs to one player."""

    def __init__(self, umbrellas: Sequence[str], start: str) -> None:
        """U3, U6, U7: umbrellas on their cells, one dollar, a start tile on rows 3-5."""
        self.umbrellas = dict(zip(CELLS, umbrellas, strict=True))
        self.columns = [(3, start.split("/"))]
        self.dollars = 1
        self.penalties = 0
        self.tokens: list[str] = []
        self.tracks = dict.fromkeys(PATTERNS, 0)
        self.pearls = {"white": 0, "black": 0}

    def last(self) -> dict[int, str]:
        """The patterns on the beach in the last column, by row."""
        top, patterns = self.columns[-1]
        return {row: p for row, p in enumerate(patterns, top) if 1 <= row <= 7}

    def matches(self, top: int, patterns: Sequence[str]) -> list[tuple[int, str]]:
        """U8: rows and patterns where a tile shows what lies beside it."""
        before = self.last()
        return [(row, p) for row, p in enumerate(patterns, top) if before.get(row) == p]

    @property
    def score(self) -> int:
        """U17, as it stands."""
        pearls = sum(PEARLS[number] for number in self.pearls.values())
        return sum(self.tracks.values()) + self.dollars - self.penalties + pearls


class Referee:
    """One game of Maui."""

    def __init__(
        self,
        num_players: int,
        options: Options,
        bag: Sequence[str],
        step_patterns: Sequence[str],
        umbrellas: Sequence[Sequence[str]],
        first: int,
    ) -> None:
        """U4-U7: `bag` has all tiles: start tiles seat by seat, the market, then the bag."""
        if sorted(bag) != sorted(BOX):
            raise ValueError("U1: the bag is no order of the 60 tiles")
        self.options = options
        self.bag = list(bag)
        self.step_patterns = list(step_patterns)
        self.beaches = [Beach(umbrellas[i], self.bag.pop(0)) for i in range(num_players)]
        self.market = [[self.bag.pop(0) for _ in range(3)] for _ in range(2)]
        self.piles = [1, 1]
        self.track_tokens = list(PATTERNS)
        self.first = first
        self.turn = 1
        self.over = False
        self.actions = list(self._all_actions())

    # -- what may be done ---------------------------------------------------------------------

    def to_act(self) -> list[int]:
        """Whose turn it is."""
        return [] if self.over else [(self.first + self.turn - 1) % len(self.beaches)]

    def tops(self) -> range:
        """U8: rows for the top section of a tile that is bought, from the top down."""
        return range(1 - self.options.overhang, 6 + self.options.overhang)

    def fits(self, seat: int, tile: str) -> bool:
        """U10: whether it could be laid somewhere by its printed patterns."""
        return any(self.beaches[seat].matches(top, tile.split("/")) for top in self.tops())

    def _all_actions(self) -> Iterator[Placement | int]:
        """All actions in the order of their numbers; an int is a pile whose money is taken."""
        places = [(row, place) for row in (0, 1) for place in (0, 1, 2)]
        for row, place in places:
            for top in self.tops():
                yield Placement(row, place, top)
                for section in range(3):
                    for pattern in PATTERNS:
                        yield Placement(row, place, top, section=section, pattern=pattern)
        yield from (0, 1)
        for row, place in places:
            for top in range(1, 6):
                yield Placement(row, place, top, free=True)

    def patterns(self, action: Placement) -> list[str]:
        """U11: what the tile shows once it lies, with its token."""
        shown = self.market[action.row][action.place].split("/")
        if action.section is not None:
            assert action.pattern is not None
            shown[action.section] = action.pattern
        return shown

    def legal(self, seat: int) -> list[int]:
        """U8-U11: the numbers of the legal actions of a seat; none when it is not its turn."""
        if seat not in self.to_act():
            return []
        usual = [
            number
            for number, action in enumerate(self.actions)
            if (self.piles[action] > 0 if isinstance(action, int) else self.can_buy(seat, action))
        ]
        fits = [[self.fits(seat, tile) for tile in row] for row in self.market]
        if usual and any(fits[0] + fits[1]):
            return usual
        return usual + [
            number
            for number, action in enumerate(self.actions)
            if isinstance(action, Placement) and action.free and not fits[action.row][action.place]
        ]

    def can_buy(self, seat: int, action: Placement) -> bool:
        """U8, U11: money for it, a token in hand that lies on the beach, and a match."""
        beach = self.beaches[seat]
        if action.free or action.place > beach.dollars:
            return False
        if action.section is not None and (
            action.pattern not in beach.tokens or not 1 <= action.top + action.section <= 7
        ):
            return False
        return bool(beach.matches(action.top, self.patterns(action)))

    # -- what is done -------------------------------------------------------------------------

    def act(self, seat: int, number: int) -> None:
        """One turn."""
        if number not in self.legal(seat):
            raise ValueError(f"seat {seat} may not do action {number}")
        action = self.actions[number]
        if isinstance(action, int):
            self.beaches[seat].dollars += self.piles[action]  # U9
            self.piles[action] = 0
        else:
            self.place(self.beaches[seat], action)
        self.next_turn()

    def place(self, beach: Beach, action: Placement) -> None:
        """Pay, place, token, penalty, matches, umbrellas, towel tokens, refill."""
        if action.free:
            beach.penalties += 1  # U10
        else:
            beach.dollars -= action.place  # U8
            self.piles[action.row] += action.place
        patterns = self.patterns(action)
        if action.pattern is not None:
            beach.tokens.remove(action.pattern)
        matches = beach.matches(action.top, patterns)
        beach.columns.append((action.top, patterns))
        rows = range(action.top, action.top + 3)
        beach.penalties += len([row for row in rows if not 1 <= row <= 7])
        for row, pattern in matches:  # U12
            beach.tracks[pattern] += 1 if self.options.flat_match_points else VALUES[row]
        for row in rows:  # U13
            self.lift(beach, beach.umbrellas.pop((len(beach.columns), row), None))
        for pattern in [p for p in self.track_tokens if beach.tracks[p] >= 6]:  # U14
            self.track_tokens.remove(pattern)
            beach.tokens.append(pattern)
        self.market[action.row].pop(action.place)  # U15
        self.market[action.row].append(self.bag.pop(0))

    def lift(self, beach: Beach, umbrella: str | None) -> None:
        """U13: a pearl is kept, a step moves a shell."""
        if umbrella in ("white", "black"):
            beach.pearls[umbrella] += 1
        elif umbrella is not None:
            beach.tracks[umbrella.removeprefix("step:")] += 1

    def next_turn(self) -> None:
        """U16: the round is finished when somebody has laid twelve tiles after the start tile."""
        filled = any(len(beach.columns) == 13 for beach in self.beaches)
        if filled and self.turn % len(self.beaches) == 0:
            self.over = True
        else:
            self.turn += 1

    # -- the end ------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """U17: the points of every seat as they stand."""
        return [beach.score for beach in self.beaches]

    @property
    def win_shares(self) -> list[float]:
        """U17: 1/k for each of the k seats at the top, 0 for the rest."""
        top = max(self.scores)
        return [(score == top) / self.scores.count(top) for score in self.scores]

    # -- what a player may know ---------------------------------------------------------------

    def view(self, viewer: int | None) -> dict[str, Any]:
        """What a seat knows, to the letter of the page on views; `None` is the referee."""
        view = {
            "game": "maui",
            "version": 0,
            "seat": viewer,
            "num_players": len(self.beaches),
            "to_act": self.to_act(),
            "turn": self.turn,
            "first": self.first,
            "market": self.market,
            "piles": self.piles,
            "track_tokens": [p for p in PATTERNS if p in self.track_tokens],
            "step_patterns": self.step_patterns,
            "seats": [self._view_of(beach) for beach in self.beaches],
            "bag_size": len(self.bag),
            "unseen": {tile: 1 for tile in BOX if tile in self.bag},
        }
        if viewer is None:
            view["bag"] = list(self.bag)
        return view

    def _view_of(self, beach: Beach) -> dict[str, Any]:
        """What lies before a seat."""
        return {
            "columns": [[top, "/".join(patterns)] for top, patterns in beach.columns],
            "umbrellas": {f"{col},{row}": what for (col, row), what in beach.umbrellas.items()},
            "dollars": beach.dollars,
            "penalties": beach.penalties,
            "tokens": [p for p in PATTERNS if p in beach.tokens],
            "tracks": beach.tracks,
            "pearls": beach.pearls,
            "score": beach.score,
        }
