"""What lies in Miaui's box: fish, spaces, options, and the record of a table in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from miaui_env.checks import check_flags, check_wholes, numbered
from miaui_env.engine.layout import record

MAX_SEATS = 6
MAX_HAND = 12
MAX_SPACES = 3
MAX_CARDS = 64
MAX_PILE = MAX_SPACES * MAX_HAND


class Fish(IntEnum):
    """What swims (or flies) in the lagoon."""

    NONE = 0
    KITTENFISH = 1
    TIGERFISH = 2
    TUNA = 3
    LANTERN = 4
    JELLYFISH = 5
    SEAGULL = 6


class Space(IntEnum):
    """Spaces of the lagoon, in the order in which they are stocked and resolved (M3, M6)."""

    DEEPEST = 0
    DEEP = 1
    SHALLOW = 2


class Luck(IntEnum):
    """Purposes of random draws."""

    DECK = 0
    GULLS = 1
    KITI = 2
    IMAGINED = 3


# A card is a number 1 … KINDS - 1 into these tables; 0 is no card. (Fish, value, copies.)
_BOX = (
    *(
        (Fish.KITTENFISH, value, copies)
        for value, copies in ((1, 1), (2, 2), (3, 1), (4, 2), (5, 1))
    ),
    *((Fish.TIGERFISH, value, 2) for value in (6, 7, 8, 9)),
    *((Fish.TUNA, value, 2 if value in (12, 13) else 1) for value in range(10, 16)),
    *((Fish.LANTERN, value, 1) for value in (1, 3, 5, 7)),
    *((Fish.JELLYFISH, value, 2) for value in (-10, -15)),
    (Fish.SEAGULL, 0, 6),
)
KINDS = len(_BOX) + 1
FACE_DOWN = KINDS
"""The code of a card that a seat may not look at; it stands in observations only."""

FISH = np.array([Fish.NONE, *(fish for fish, _, _ in _BOX)], np.int8)
VALUE = np.array([0, *(value for _, value, _ in _BOX)], np.int8)
NO_CARD = 0
GULL = KINDS - 1


def _name(fish: Fish, value: int) -> str:
    return "seagull" if fish == Fish.SEAGULL else f"{fish.name.lower()}:{value}"


NAMES = ("", *(_name(fish, value) for fish, value, _ in _BOX))
"""Name of each card, by its number."""
CODES = {name: code for code, name in enumerate(NAMES) if name}
"""Number of each card, by its name."""
SPACE_NAMES = tuple(space.name.lower() for space in Space)
FULL_BOX = tuple(
    name for name, (_, _, copies) in zip(NAMES[1:], _BOX, strict=True) for _ in range(copies)
)
"""The 37 cards of the printed game."""


@dataclass(frozen=True)
class Options:
    """Variants (M15, M16) and options for study.

    Attributes:
        open_baskets: discards and piles lie open (M15).
        no_fighting: no Kiti; ties leave the fish where it is (M16).
        kiti: the gap where Kiti starts, between that seat and the next; None draws it (M1).
        hand_size: diver cards 1 … hand_size each, and as many rounds.
        spaces: 1 (deepest), 2 (deepest and shallow) or 3.
        cards: the multiset of fish, as names or as {name: number}; None is the printed box.
    """

    open_baskets: bool = False
    no_fighting: bool = False
    kiti: int | None = None
    hand_size: int = MAX_HAND
    spaces: int = MAX_SPACES
    cards: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Check each value and bring `cards` into the order of the box."""
        check_flags(self, "open_baskets", "no_fighting")
        check_wholes(self, hand_size=(1, MAX_HAND), spaces=(1, MAX_SPACES), kiti=(0, MAX_SEATS - 1))
        if self.cards is not None:
            codes = sorted(card_codes(_listed(self.cards)))
            object.__setattr__(self, "cards", tuple(NAMES[code] for code in codes))
        self._refuse_too_few()

    @property
    def multiset(self) -> tuple[str, ...]:
        """All cards in the box, by name."""
        return FULL_BOX if self.cards is None else self.cards

    @property
    def stocked(self) -> int:
        """How many cards a game lays into the lagoon: rounds × spaces."""
        return self.hand_size * self.spaces

    @property
    def boxed(self) -> int:
        """How many cards return to the box unseen at setup (M2)."""
        return len(self.multiset) - self.stocked

    def _refuse_too_few(self) -> None:
        total = len(self.multiset)
        if total > MAX_CARDS:
            raise ValueError(f"cards holds {total} cards; at most {MAX_CARDS} are allowed")
        if total < self.stocked:
            raise ValueError(
                f"{self.hand_size} rounds on {self.spaces} spaces need {self.stocked} cards, "
                f"but cards holds {total}"
            )
        others = total - self.multiset.count("seagull")
        if others - self.boxed < self.spaces:
            raise ValueError(
                f"with {total} cards, {self.boxed} of them returned to the box unseen, round 1 may "
                f"not find {self.spaces} cards that are no seagulls: {others} others are too few; "
                "give other cards"
            )


def card_codes(names: Iterable[str]) -> list[int]:
    """Cards by number; ValueError for a name that is not in the box."""
    return numbered(names, CODES, "unknown card")


def _listed(cards: Any) -> list[str]:
    if isinstance(cards, Mapping):
        if any(isinstance(n, bool) or not isinstance(n, int) or n < 0 for n in cards.values()):
            raise ValueError("cards given as {name: number} needs whole numbers from 0")
        return [name for name, number in cards.items() for _ in range(number)]
    if isinstance(cards, str) or not isinstance(cards, Iterable):
        raise ValueError(f"cards is a list of card names or {{name: number}}, not {cards!r}")
    return list(cards)


# A catch empties its space, so only the oldest card of a space can lie face down (M11, M18), and
# `peeker` says all there is to say about it.
STATE = record(
    [
        # What every game's record has.
        ("num_players", "i1"),  # 2 … 6
        ("perfect_recall", "i1"),  # 0 or 1
        ("over", "i1"),  # 0 or 1
        ("to_act", "i4"),  # bit set of the seats that owe a diver card
        ("turn", "i2"),  # the round, 1 … hand_size; stays at the last
        ("points", "i4", (MAX_SEATS,)),  # sum of the pile's values
        # Options.
        ("open_baskets", "i1"),  # 0 or 1
        ("no_fighting", "i1"),  # 0 or 1
        ("hand_size", "i1"),  # 1 … 12
        ("spaces", "i1"),  # 1 … 3
        ("kiti_fixed", "i1"),  # the gap where Kiti starts; -1: drawn
        ("num_cards", "i1"),  # all cards, boxed ones too
        ("cards", "i1", (KINDS,)),  # how many of each kind
        ("stacked", "i1"),  # 1: `deck` lies ready for the next deal
        ("kiti_stacked", "i1"),  # the gap for the next deal; -1: by kiti_fixed
        # The fish.
        (
            "deck",
            "i1",
            (MAX_CARDS,),
        ),  # boxed at setup, then those drawn in order, then from `top` the rest
        ("top", "i1"),  # index of the next card
        ("boxed", "i1", (KINDS,)),  # how many of each kind lie in the box
        ("unseen", "i1", (KINDS,)),  # how many of each kind have not been shown to all
        ("gulls_returned", "i1"),  # seagulls shuffled back in round 1 (M4)
        ("lagoon", "i1", (MAX_SPACES, MAX_HAND)),  # cards on each space, oldest first
        ("lagoon_size", "i1", (MAX_SPACES,)),
        ("peeker", "i1", (MAX_SPACES,)),  # who alone may look at the oldest card; -1: it is open
        ("piles", "i1", (MAX_SEATS, MAX_PILE)),  # bottom to top
        ("pile_size", "i1", (MAX_SEATS,)),
        # The divers.
        ("kiti", "i1"),  # gap between that seat and the next; -1: no Kiti
        ("hands", "i4", (MAX_SEATS,)),  # bit a: diver card a + 1 is in hand
        ("committed", "i1", (MAX_SEATS,)),  # diver card face down on the table; 0: none
        ("dived", "i1", (MAX_SEATS, MAX_HAND)),  # diver cards revealed so far, in order
        # The last reveal.
        ("last_dives", "i1", (MAX_SEATS,)),  # 0 before the first
        ("last_taker", "i1", (MAX_SPACES,)),  # -1: nobody
        ("last_catch", "i1", (MAX_SPACES, MAX_PILE // MAX_SPACES)),  # oldest first
        ("last_catch_size", "i1", (MAX_SPACES,)),
    ]
)


def multiset_counts(names: Iterable[str]) -> np.ndarray:
    """How many cards of each kind; int8 `(KINDS,)`."""
    counts = Counter(card_codes(names))
    return np.array([counts[code] for code in range(KINDS)], np.int8)
