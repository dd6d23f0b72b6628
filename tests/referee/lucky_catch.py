"""A referee for Lucky Catch in plain Python, written from the rules page and from no other program.

It plays one table and says what each seat sees. L-numbers are those of the rules page. Luck is not
its business: it is given the sea, and the dice of each cast as they fall.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

COLOURS = ["red", "green", "blue", "yellow"]
CREATURES = ["pufferfish", "crab", "octopus", "sea bass"]
BOX = [f"{colour}:{creature}" for colour in COLOURS for creature in CREATURES]
BOX += ["boot"] * 7 + ["chest"]
COLOUR_DIE = [*COLOURS, "wild", "wild"]
CREATURE_DIE = [*CREATURES, "lucky", "lucky"]
ROW_PLACES = 23
MOST_CASTS = 500


class Tile:
    """One piece of cardboard: boots are different tiles with the same face."""

    def __init__(self, face: str) -> None:
        """It lies face down."""
        self.face = face


class Seat:
    """A player: a row, perhaps the chest, and a memory."""

    def __init__(self) -> None:
        """Nothing caught, nothing seen."""
        self.row: list[Tile | None] = []
        self.has_chest = False
        self.lately: list[Tile] = []  # turned over since the own last decision

    @property
    def score(self) -> int:
        """L10: creature +1, boot -1, chest +2."""
        worth = [-1 if tile.face == "boot" else 1 for tile in self.row if tile]
        return sum(worth) + 2 * self.has_chest

    def lay(self, tile: Tile) -> None:
        """L9: to the first free place of the row."""
        if None in self.row:
            self.row[self.row.index(None)] = tile
        else:
            self.row.append(tile)

    def shown_row(self) -> list[bool]:
        """Places up to the last one that holds a tile."""
        held = [tile is not None for tile in self.row]
        while held and not held[-1]:
            held.pop()
        return held


class Referee:
    """One game of Lucky Catch."""

    def __init__(
        self,
        num_players: int,
        sea: list[str],
        first: int,
        *,
        chest_casts_again: bool = False,
        perfect_recall: bool = False,
    ) -> None:
        """L1: 24 tiles face down; seat `first` is to roll."""
        self.sea: list[Tile | None] = [Tile(face) for face in sea]
        self.seats = [Seat() for _ in range(num_players)]
        self.chest_casts_again, self.perfect_recall = chest_casts_again, perfect_recall
        self.ever: list[Tile] = []  # turned over at any time
        self.turn, self.casts, self.over = first, 0, False
        self.dice: list[str] | None = None
        self.last_cast: dict[str, Any] | None = None

    # -- a cast -------------------------------------------------------------------------------

    def roll(self, dice: list[str]) -> None:
        """L2: the dice have fallen so."""
        assert dice[0] in COLOUR_DIE and dice[1] in CREATURE_DIE
        self.dice = list(dice)

    def area(self, seat: int, action: int) -> tuple[int | None, int]:
        """The area that an action fishes (None is the sea, else whose row), and where in it."""
        if action < 24:
            return None, action
        ahead, index = divmod(action - 24, ROW_PLACES)
        return (seat + ahead) % len(self.seats), index

    def tile(self, area: int | None, index: int) -> Tile | None:
        """The tile there."""
        tiles = self.sea if area is None else self.seats[area].row
        return tiles[index] if index < len(tiles) else None

    def legal(self, seat: int) -> list[int]:
        """L2: all places that hold a tile; L4: of the sea alone."""
        if self.over or seat != self.turn:
            return []
        last = 24 if self.dice == ["wild", "lucky"] else 24 + ROW_PLACES * len(self.seats)
        return [action for action in range(last) if self.tile(*self.area(seat, action))]

    def matches(self, face: str) -> bool:
        """L3, L4."""
        assert self.dice
        if ":" not in face:
            return False
        colour, creature = face.split(":")
        return self.dice[0] in (colour, "wild") and self.dice[1] in (creature, "lucky")

    def cast(self, seat: int, action: int) -> None:
        """L2 to L11: turn over one tile."""
        assert action in self.legal(seat)
        area, index = self.area(seat, action)
        tile = self.tile(area, index)
        assert tile
        result = self.result(tile.face, area == seat)
        self.remember(seat, tile)
        self.last_cast = {
            "seat": seat,
            "dice": self.dice,
            "place": f"sea:{index}" if area is None else f"row{area}:{index}",
            "face": tile.face,
            "result": result,
        }
        if result == "chest" or (result in ("match", "boot") and area != seat):
            (self.sea if area is None else self.seats[area].row)[index] = None
            if result == "chest":
                self.seats[seat].has_chest = True
            else:
                self.seats[seat].lay(tile)
        self.casts += 1
        self.over = not any(self.sea) or self.casts == MOST_CASTS
        if self.over:
            self.dice = None
        elif not (result == "match" or (result == "chest" and self.chest_casts_again)):
            self.turn = (seat + 1) % len(self.seats)

    def result(self, face: str, own: bool) -> str:
        """L3, L6, L7, L8."""
        if face == "chest":
            return "chest"
        if face == "boot" and not own:
            return "boot"
        return "match" if self.matches(face) else "miss"

    def remember(self, seat: int, tile: Tile) -> None:
        """Everyone sees the tile; the caster's last decision is this one."""
        self.ever.append(tile)
        self.seats[seat].lately.clear()
        for other in self.seats:
            other.lately.append(tile)

    # -- the end ------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """L10."""
        return [seat.score for seat in self.seats]

    @property
    def win_shares(self) -> list[float]:
        """L10: ties share the win."""
        top = self.scores.count(max(self.scores))
        return [1 / top if score == max(self.scores) else 0.0 for score in self.scores]

    # -- what a player may know ---------------------------------------------------------------

    def places(self) -> Iterator[tuple[str, Tile]]:
        """All tiles by place: the sea, then row after row."""
        areas = {"sea": self.sea, **{f"row{i}": seat.row for i, seat in enumerate(self.seats)}}
        for name, tiles in areas.items():
            yield from ((f"{name}:{i}", tile) for i, tile in enumerate(tiles) if tile)

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat knows, to the letter of the page on views; None is the referee."""
        lately = [] if seat is None else self.seats[seat].lately
        remembered = self.ever if self.perfect_recall else lately
        view: dict[str, Any] = {
            "game": "lucky_catch",
            "version": 0,
            "seat": seat,
            "num_players": len(self.seats),
            "to_act": [] if self.over else [self.turn],
            "casts": self.casts,
            "dice": self.dice,
            "sea": [tile is not None for tile in self.sea],
            "rows": [other.shown_row() for other in self.seats],
            "chest": next((i for i, other in enumerate(self.seats) if other.has_chest), None),
            "known": {
                place: tile.face
                for place, tile in self.places()
                if seat is None or tile in remembered
            },
            "last_cast": self.last_cast,
            "scores": self.scores if self.over or seat is None else None,
        }
        if seat is not None and self.perfect_recall:
            view["recent"] = [place for place, tile in self.places() if tile in lately]
        return view
