"""Perfect recall for who sees only the table: `remember` folds a seat's views into it.

What `recall.py` keeps in the record is told here by two views: what the seat knew at its decision
before, and the table now. Which seats have had an Act in between follows from the turns, scorings
from the rounds, a reshuffle from how many cards were drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from miaui_env.engine.compile import plain
from miaui_env.games.showcase.pieces import (
    ACT_NAMES,
    CARDS,
    CODES,
    COPIES,
    HAND,
    KINDS,
    MILK,
    NAMES,
    NO_CARD,
    PLACES,
    VALUE,
)
from miaui_env.games.showcase.recall import after_act, left_unscored

if TYPE_CHECKING:
    from miaui_env.game import Setup, View


def remember(setup: Setup, remembered: View | None, told: View) -> View:
    """The perfect-recall view now: what was remembered, and what the table shows since.

    Args:
        setup: of the table.
        remembered: the seat's perfect-recall view at its decision before; None at its first.
        told: the seat's table view now.

    Raises:
        ValueError: if the view is not the table's, comes after a decision that was not seen, or
            shows more cards than there are.
    """
    if told["unseen"] is not None:
        raise ValueError("this view is of another table: perfect_recall is True, not False")
    gap = Gap(setup, _at_the_deal(setup, told) if remembered is None else remembered, told)
    gap.refuse_missed()
    seats = [{**about, "known": gap.known(seat)} for seat, about in enumerate(told["seats"])]
    return {**told, "seats": seats, "unseen": _unseen(told, seats)}


def _at_the_deal(setup: Setup, told: View) -> View:
    """What a seat knows before its first decision: nothing but that all hold five cards."""
    seat = {"hand_size": HAND, "played": {}, "last_act": None, "revealed": None, "known": {}}
    return {
        **told,
        "to_act": [told["seat"]],
        "phase": "declare",
        "turn": 0,
        "round": 1,
        "finisher": None,
        "scores": [0] * setup.num_players,
        "seats": [seat] * setup.num_players,
        "discards": {},
        "deck_size": CARDS - PLACES - HAND * setup.num_players,
    }


def _unseen(told: View, seats: list[View]) -> dict[str, int]:
    """All cards but those that lie open, and those known to be in a hand."""
    heaps = [told["discards"], *(about[what] for about in seats for what in ("known", "played"))]
    left = {}
    for kind, name in enumerate(NAMES):
        seen = sum(heap.get(name, 0) for heap in heaps) + told["showcase"].count(name)
        if seen > COPIES[kind]:
            raise ValueError(f"this view shows one {name} more than there can be")
        if seen < COPIES[kind]:
            left[name] = int(COPIES[kind]) - seen
    return left


class Gap:
    """What has happened between a seat's last decision and now, as far as it can tell."""

    def __init__(self, setup: Setup, before: View, now: View) -> None:
        """Compare two views of one seat."""
        self.options, self.n, self.own = setup.options, setup.num_players, now["seat"]
        self.before, self.now = before, now
        self.in_round = now["finisher"] is None
        self.cleaning = before["finisher"] is not None
        self.scorings = _scored(now) - _scored(before)
        self.acted = [self._acted(seat) for seat in range(self.n)]

    # --- who has had a turn, who ended the round ------------------------------------------------

    def next_turn(self, seat: int) -> int:
        """The number of a seat's first turn after the decision before."""
        sat = self.before["finisher"] if self.cleaning else self.own
        return int(self.before["turn"]) + ((seat - sat) % self.n or self.n)

    def _acted(self, seat: int) -> bool:
        """Whether a seat has had its Act since."""
        act = self.now["seats"][seat]["last_act"]
        if self.before["turn"] == 0:
            return act is not None
        turn = self.next_turn(seat)
        if self.now["turn"] == turn and self.now["phase"] == "play":
            return self._took_the_last_card(seat)
        return bool(self.now["turn"] >= turn and seat != self.own)

    def _took_the_last_card(self, seat: int) -> bool:
        """Whether the game ended because a place of the showcase could not be filled (S9)."""
        return not self.now["to_act"] and None in self.now["showcase"] and seat != self.own

    def ended_it(self) -> bool:
        """Whether the seat itself ended the last round that was scored."""
        if self.scorings != 1 or self.cleaning:
            return False
        if not self.in_round:
            return bool(self.now["finisher"] == self.own)
        gained = self.now["scores"][self.own] - self.before["scores"][self.own]
        return bool(gained > self.own_scoring())

    def own_scoring(self) -> int:
        """What the last scoring brought the seat; it had laid its cards open before it looked."""
        about = self.before["seats"][self.own]
        total = 0
        for kind, name in enumerate(NAMES):
            cards = self.now["seats"][self.own]["revealed"].get(name, 0)
            if self.options.played_count and kind != MILK:
                cards += about["played"].get(name, 0)
            if kind == MILK or cards >= 2:
                total += cards * int(VALUE[kind])
        return total

    # --- which cards a hand surely holds --------------------------------------------------------

    def known(self, seat: int) -> dict[str, int]:
        """Cards known to be in a hand."""
        if seat == self.own:
            return dict(self.now["hand"])
        kept = self._kept(seat)
        lost = self._discarded(seat, kept)
        cards = [
            max(kept[kind] - min(lost, self._most_gone(kind, lost)), 0) for kind in range(KINDS)
        ]
        if self.in_round:
            cards = self._in_this_round(seat, cards, lost)
        return {name: count for name, count in zip(NAMES, cards, strict=True) if count}

    def _kept(self, seat: int) -> list[int]:
        """Cards known before any discards; what was played this round is counted in."""
        before, now = self.before["seats"][seat], self.now["seats"][seat]
        if self.scorings == 0:
            return [before["known"].get(name, 0) + before["played"].get(name, 0) for name in NAMES]
        cards = [now["revealed"].get(name, 0) for name in NAMES]
        if self.options.discard_scored and not self._won_by_scoring():
            played = self.options.played_count
            return [int(plain(left_unscored)(cards[kind], kind, played)) for kind in range(KINDS)]
        return cards

    def _won_by_scoring(self) -> bool:
        over = not self.now["to_act"] and not self.in_round
        return over and max(self.now["scores"]) >= self.options.target

    def _discarded(self, seat: int, kept: list[int]) -> int:
        size = self.before["seats"][seat]["hand_size"]
        if self.scorings:
            size = sum(kept)
        elif not self.cleaning:
            size = min(size, HAND)
        return int(max(size - max(self._left(seat), HAND), 0))

    def _left(self, seat: int) -> int:
        """A hand's size after its discards, as far as they have come."""
        return HAND if self.in_round else int(self.now["seats"][seat]["hand_size"])

    def _most_gone(self, kind: int, lost: int) -> int:
        """The most of a kind that others can have discarded: what the discards have grown by."""
        told = self.scorings == 0 or (self.scorings == 1 and not self.cleaning)
        if not lost or not told or self.options.discard_scored or self._reshuffled():
            return lost
        name = NAMES[kind]
        before = self.before["discards"].get(name, 0)
        before += sum(about["played"].get(name, 0) for about in self.before["seats"])
        if self.cleaning:  # the own discard
            before += self.before["hand"].get(name, 0) - self.now["hand"].get(name, 0)
        return int(max(self.now["discards"].get(name, 0) - before, 0))

    def _reshuffled(self) -> bool:
        """Whether more cards have been drawn than the deck has lost."""
        seats = range(self.n)
        acts = [self.now["seats"][seat]["last_act"] for seat in seats if self.acted[seat]]
        drawn = sum(act[0] in ("draw", "take") for act in acts) - self.now["showcase"].count(None)
        for seat in seats:
            if self.scorings:
                held = sum(self.now["seats"][seat]["revealed"].values())
            else:
                held = self.before["seats"][seat]["hand_size"]
            if seat != self.own or self.scorings:
                drawn += max(self._left(seat) - held, 0) if self.scorings or self.cleaning else 0
        return bool(self.now["deck_size"] > self.before["deck_size"] - drawn)

    def _in_this_round(self, seat: int, cards: list[int], lost: int) -> list[int]:
        about = self.now["seats"][seat]
        played = sum(about["played"].values())
        cards = [max(cards[CODES[name]] - about["played"].get(name, 0), 0) for name in NAMES]
        if not self.acted[seat]:
            return cards
        act, given, taken = _codes(about["last_act"])
        sure = self.scorings == 0 or self.ended_it()
        grown = about["hand_size"] + played > HAND
        stays = lost == 0 and not self.options.discard_scored
        seen = (act, given, taken, sure, played > 0, grown, stays)
        return [int(plain(after_act)(cards[kind], kind, *seen)) for kind in range(KINDS)]

    # --- decisions that were not seen -----------------------------------------------------------

    def refuse_missed(self) -> None:
        """Raise ValueError if the seat must have decided something in between."""
        if self._missed():
            raise ValueError(
                f"this view of turn {self.now['turn']} does not follow the one remembered, of turn "
                f"{self.before['turn']}: every decision of a seat must be seen, in order, and a "
                "new game begins anew"
            )

    def _missed(self) -> bool:
        before, now = self.before, self.now
        about = now["seats"][self.own]
        plays = sum(about["played"].values()) - sum(before["seats"][self.own]["played"].values())
        if self.scorings < 0 or now["turn"] < before["turn"]:
            return True
        if before["turn"] == 0 and about["last_act"] is not None:
            return True
        if self.scorings > 0 and about["revealed"] is None:
            return True
        if before["phase"] == "play":
            acted = now["phase"] != "play"
            return bool(self.scorings or now["turn"] > before["turn"] or not 0 <= plays + acted < 2)
        return self._missed_later(plays)

    def _missed_later(self, plays: int) -> bool:
        """The same for looks after the turn, or after a discard."""
        before, now = self.before, self.now
        held = before["seats"][self.own]["hand_size"]
        to_discard = held - max(self._left(self.own), HAND) if self.cleaning else 0
        if self.cleaning and self.scorings == 0 and to_discard > 1:
            return True
        if self.cleaning and self.scorings > 0 and held > HAND + 1:
            return True
        if not self.cleaning and self.scorings > 1 and self._must_discard():
            return True
        due = self.next_turn(self.own)
        if before["turn"] == 0:
            return bool(plays or (now["phase"] == "declare" and self.own in now["to_act"]))
        began = now["turn"] == due and self.in_round
        return bool(now["turn"] > due or (began and (plays > 0 or now["phase"] == "declare")))

    def _must_discard(self) -> bool:
        """Whether the first of several scorings left the seat more than it may keep."""
        held = self.before["hand"]
        if not self.options.discard_scored:
            return sum(held.values()) > HAND
        played = self.before["seats"][self.own]["played"] if self.options.played_count else {}
        single = [name for name in held if held[name] + played.get(name, 0) == 1]
        return len([name for name in single if CODES[name] != MILK]) > HAND


def _scored(view: View) -> int:
    """How many rounds have been scored."""
    return int(view["round"]) - (view["finisher"] is None)


def _codes(act: list[Any]) -> tuple[int, int, int]:
    """What was done, the kind given and the kind taken, by number."""
    kinds = [CODES[name] for name in act[1:]]
    given, taken = (kinds[0] if len(kinds) == 2 else NO_CARD), (kinds[-1] if kinds else NO_CARD)
    return ACT_NAMES.index(act[0]), given, taken
