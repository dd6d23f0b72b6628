"""What lies in Showcase's box: seven kinds of cards, options, and the record of a table in play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from miaui_env.checks import check_flags, check_wholes, numbered
from miaui_env.engine.layout import record

MAX_SEATS = 4
MAX_TARGET = 30
HAND = 5
"""Cards that a hand is dealt, and that it keeps after a round (S1, S6)."""
PLACES = 4
"""Open cards beside the deck (S1)."""
LAST_TURN = 200
"""The game ends where the turn after this one would begin (S10)."""


class Phase(IntEnum):
    """What the seat to act has before it: its turn's play and act, its declaration, or clean-up."""

    PLAY = 0
    DECLARE = 1
    CLEAN_UP = 2


class Act(IntEnum):
    """What a seat did last in S3."""

    NONE = 0
    DRAW = 1
    TAKE = 2
    SWAP = 3


class Luck(IntEnum):
    """Purposes of random draws."""

    DECK = 0
    FIRST = 1
    IMAGINED = 2


# A kind is a number 0 … KINDS - 1 into these tables. (Name, points of each card, copies.)
_BOX = (
    ("white:1", 1, 8),
    ("grey:1", 1, 8),
    ("black:1", 1, 8),
    ("red:2", 2, 6),
    ("blue:2", 2, 6),
    ("gold:2", 2, 6),
    ("milk", 1, 8),
)
KINDS = len(_BOX)
FISH = KINDS - 1
"""Kinds below this one are fish."""
MILK = KINDS - 1
NO_CARD = -1

NAMES = tuple(name for name, _, _ in _BOX)
"""Name of each kind, by its number."""
CODES = {name: kind for kind, name in enumerate(NAMES)}
"""Number of each kind, by its name."""
VALUE = np.array([value for _, value, _ in _BOX], np.int8)
COPIES = np.array([copies for _, _, copies in _BOX], np.int8)
CARDS = int(COPIES.sum())
PHASE_NAMES = tuple(phase.name.lower() for phase in Phase)
ACT_NAMES = tuple(act.name.lower() for act in Act)

# --- actions --------------------------------------------------------------------------------------

PLAY = 0
"""0-6: play a kind. Then 7: draw; 8-11: take from a place; 12-39: swap, kind by kind."""
DRAW = PLAY + KINDS
TAKE = DRAW + 1
SWAP = TAKE + PLACES
DECLARE = SWAP + KINDS * PLACES
PASS = DECLARE + 1
DISCARD = PASS + 1
ACTIONS = DISCARD + KINDS


@dataclass(frozen=True)
class Options:
    """What no source says, or says otherwise.

    Attributes:
        played_count: fish that were played count at scoring together with the hand (S2).
        discard_scored: clean-up begins with discarding every card that scored (S6).
        min_turns: turns that each player must have had in a round before it may be ended (S4).
        target: points that win (S8).
    """

    played_count: bool = False
    discard_scored: bool = False
    min_turns: int = 0
    target: int = 10

    def __post_init__(self) -> None:
        """Check each value."""
        check_flags(self, "played_count", "discard_scored")
        check_wholes(self, min_turns=(0, LAST_TURN // 2), target=(1, MAX_TARGET))


def card_codes(names: Iterable[str]) -> list[int]:
    """Cards by number; ValueError for a name that is not in the box."""
    return numbered(names, CODES, "unknown card")


# Cards of a kind are alike, so hands and piles are counts by kind; only the deck has an order.
STATE = record(
    [
        # What every game's record has.
        ("num_players", "i1"),  # 2 … 4
        ("perfect_recall", "i1"),  # 0 or 1
        ("over", "i1"),  # 0 or 1
        ("to_act", "i4"),  # bit set with the one seat that owes an action
        ("turn", "i2"),  # 1 … 200, over the whole game
        ("points", "i4", (MAX_SEATS,)),
        # Options.
        ("played_count", "i1"),  # 0 or 1
        ("discard_scored", "i1"),  # 0 or 1
        ("min_turns", "i1"),  # 0 … 100
        ("target", "i1"),  # 1 … 30
        ("stacked", "i1"),  # 1: `deck` lies ready for the next deal
        ("first_stacked", "i1"),  # who begins the next deal; -1: drawn
        # The table.
        ("phase", "i1"),  # Phase; at the end the one in which it came
        ("rounds", "i1"),  # the round, from 1
        ("round_turn", "i2"),  # the turn in which the round began
        ("finisher", "i1"),  # who ended the round that is cleaned up; -1 in a round
        ("last_finisher", "i1"),  # who ended the last round that was scored; -1: nobody yet
        ("deck", "i1", (CARDS,)),  # drawn ones, then from `top` the deck
        ("top", "i1"),  # index of the next card; 50: the deck is empty
        ("reshuffles", "i2"),  # how often the discards became a deck (S9)
        ("discards", "i1", (KINDS,)),
        ("showcase", "i1", (PLACES,)),  # kinds; -1: nothing lies there
        ("hands", "i1", (MAX_SEATS, KINDS)),
        ("hand_size", "i1", (MAX_SEATS,)),
        ("played", "i1", (MAX_SEATS, KINDS)),  # lying open this round
        ("act", "i1", (MAX_SEATS,)),  # Act: the last one of each seat
        ("act_turn", "i2", (MAX_SEATS,)),  # the turn in which it was; 0: never
        ("given", "i1", (MAX_SEATS,)),  # kind swapped away in it; -1: none
        ("taken", "i1", (MAX_SEATS,)),  # kind taken from the showcase in it; -1: none
        ("revealed", "i1", (MAX_SEATS, KINDS)),  # hands as they were at the last scoring
        ("shown", "i1", (MAX_SEATS,)),  # 1: this seat is still told them
        # What can be known of hands (see recall.py).
        ("traced", "i1", (MAX_SEATS, KINDS)),  # by who watches every step
        # What each seat knew at its last decision, and what has happened since (perfect recall).
        ("recalled", "i1", (MAX_SEATS, MAX_SEATS, KINDS)),  # known in a hand or played then
        ("sizes", "i1", (MAX_SEATS, MAX_SEATS)),  # hands as a clean-up found them; else at most 5
        ("out", "i1", (MAX_SEATS, KINDS)),  # discards and played cards then
        ("cleaning", "i1", (MAX_SEATS,)),  # 1: that decision was a discard
        ("acted", "i1", (MAX_SEATS,)),  # bit set of seats that have had an Act since
        ("scorings", "i1", (MAX_SEATS,)),  # scorings since; 2 stands for more
        ("reshuffled", "i1", (MAX_SEATS,)),  # 1: the discards became a deck since
    ]
)
