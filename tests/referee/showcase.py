"""A referee for Showcase in plain Python, written from the rules page and from no other program.

It plays one table and says what each seat sees. S-numbers are those of the rules page. Luck is not
its business: the deck and who begins are given, and the outcome of each later shuffle (S9) is told
to it, which it only accepts if it is one of the discards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

FISH = {"white:1": 8, "grey:1": 8, "black:1": 8, "red:2": 6, "blue:2": 6, "gold:2": 6}
BOX = {**FISH, "milk": 8}
KINDS = list(BOX)
ALL_CARDS = [kind for kind, copies in BOX.items() for _ in range(copies)]

Shuffle = Callable[[list[str]], Sequence[str]]
"""What becomes of these discards, top first."""


@dataclass(frozen=True)
class Options:
    """The game's options, with the page's defaults."""

    played_count: bool = False
    discard_scored: bool = False
    min_turns: int = 0
    target: int = 10


class OutOfCards(Exception):
    """S9: a card is needed, and there is none."""


class Seat:
    """What belongs to one player."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.hand: Counter[str] = Counter()
        self.played: Counter[str] = Counter()
        self.score = 0
        self.last_act: list[str] | None = None
        self.revealed: Counter[str] | None = None  # at the last scoring
        self.is_told = False  # whether the revealed hands are still shown to this seat
        self.looked: dict[str, Any] | None = None  # its whole view at its last decision

    def scoring_cards(self, options: Options) -> Counter[str]:
        """S5: what counts of the hand (and, by option, of the fish played)."""
        counting = self.hand + (self.played if options.played_count else Counter())
        if options.played_count:
            counting["milk"] = self.hand["milk"]
        return Counter({k: n for k, n in counting.items() if k == "milk" or n >= 2})


def points(cards: Counter[str]) -> int:
    """S5: fish count their value, milk 1."""
    return sum(n * (1 if kind == "milk" else int(kind[-1])) for kind, n in cards.items())


def told(cards: Counter[str]) -> dict[str, int]:
    """Counts by kind, in the order of the box, without zeros."""
    return {kind: cards[kind] for kind in KINDS if cards[kind]}


class Referee:
    """One game of Showcase."""

    def __init__(
        self,
        num_players: int,
        options: Options,
        deck: Sequence[str],
        first: int,
        perfect_recall: bool = False,
    ) -> None:
        """S1: five cards each, four open ones, scores at 0."""
        self.options, self.perfect_recall = options, perfect_recall
        self.deck = list(deck)
        self.seats = [Seat() for _ in range(num_players)]
        for seat in self.seats:
            for _ in range(5):
                seat.hand[self.deck.pop(0)] += 1
        self.showcase: list[str | None] = [self.deck.pop(0) for _ in range(4)]
        self.discards: Counter[str] = Counter()
        self.phase, self.turn, self.round, self.turns_this_round = "play", 1, 1, 1
        self.active = first
        self.finisher: int | None = None
        self.has_scored = self.over = False

    # -- actions ------------------------------------------------------------------------------

    def to_act(self) -> list[int]:
        """One seat at a time."""
        return [] if self.over else [self.active]

    def legal(self) -> list[int]:
        """The actions of the seat to act."""
        hand = self.seats[self.active].hand
        held = [i for i, kind in enumerate(KINDS) if hand[kind]]
        if self.phase == "clean_up":
            return [42 + i for i in held]
        if self.phase == "declare":
            enough = self.turns_this_round >= self.options.min_turns * len(self.seats)
            return [40, 41] if enough else [41]
        places = [i for i in range(4) if self.showcase[i]]
        swaps = [12 + 4 * k + i for k in held for i in places]
        return [*held, 7, *(8 + i for i in places), *swaps]

    def play(self, action: int, shuffle: Shuffle) -> None:
        """One action of the seat to act, and what follows."""
        if self.over or action not in self.legal():
            raise ValueError(f"action {action} is not allowed")
        self.shuffle = shuffle
        me = self.seats[self.active]
        me.looked = self.view(self.active)
        me.is_told = False
        try:
            self._perform(me, action)
        except OutOfCards:
            self.over = True

    def _perform(self, me: Seat, action: int) -> None:
        if action < 7:
            self._play_card(me, KINDS[action])
        elif action < 40:
            self._act(me, action)
            self.phase = "declare"
        elif action == 40:
            self._declare(me)
        elif action == 41:
            self._next_turn(self.active)
        else:
            kind = KINDS[action - 42]
            me.hand[kind] -= 1
            self.discards[kind] += 1
            self._clean_up()

    def _play_card(self, me: Seat, kind: str) -> None:
        """S2, S8."""
        me.hand[kind] -= 1
        me.played[kind] += 1
        if kind == "milk":
            self._gain_point(me)

    def _gain_point(self, me: Seat) -> None:
        me.score += 1
        self.over = me.score >= self.options.target

    def _act(self, me: Seat, action: int) -> None:
        """S3."""
        if action == 7:
            me.hand[self._draw()] += 1
            me.last_act = ["draw"]
            return
        given = None if action < 12 else KINDS[(action - 12) // 4]
        place = action - 8 if given is None else (action - 12) % 4
        taken = self.showcase[place]
        assert taken is not None
        if given is not None:
            me.hand[given] -= 1
        me.hand[taken] += 1
        self.showcase[place] = given
        me.last_act = ["take", taken] if given is None else ["swap", given, taken]
        if given is None:
            self.showcase[place] = self._draw()

    def _draw(self) -> str:
        """S9: from the deck; when it is empty, the discards become a new one."""
        if not self.deck:
            if not self.discards.total():
                raise OutOfCards
            outcome = list(self.shuffle(list(self.discards.elements())))
            if Counter(outcome) != +self.discards:
                raise ValueError(f"S9: {outcome} is no order of {told(self.discards)}")
            self.deck, self.discards = outcome, Counter()
        return self.deck.pop(0)

    def _next_turn(self, after: int) -> None:
        """S4, S10."""
        if self.turn == 200:
            self.over = True
            return
        self.turn += 1
        self.turns_this_round += 1
        self.active = (after + 1) % len(self.seats)
        self.phase = "play"

    # -- the end of a round -------------------------------------------------------------------

    def _declare(self, me: Seat) -> None:
        """S4, S5, S8."""
        self._gain_point(me)
        if self.over:
            return
        self.finisher, self.has_scored = self.active, True
        for seat in self.seats:
            seat.score += points(seat.scoring_cards(self.options))
            seat.revealed, seat.is_told = +seat.hand, True
        self.over = max(seat.score for seat in self.seats) >= self.options.target
        if not self.over:
            self._begin_clean_up()

    def _begin_clean_up(self) -> None:
        """S6: played cards first; by option whatever scored, the partners of played cards too."""
        scored = [seat.scoring_cards(self.options) for seat in self.seats]
        for seat, gone in zip(self.seats, scored, strict=True):
            self.discards += seat.played
            seat.played = Counter()
            if self.options.discard_scored:
                self.discards += Counter({kind: seat.hand[kind] for kind in gone})
                seat.hand = Counter({k: n for k, n in seat.hand.items() if k not in gone})
        assert self.finisher is not None
        self.phase, self.active = "clean_up", self.finisher
        self._clean_up()

    def _clean_up(self) -> None:
        """S6: from the active seat on: stop where one must discard, fill up the others."""
        assert self.finisher is not None
        n = len(self.seats)
        while True:
            hand = self.seats[self.active].hand
            if hand.total() > 5:
                return
            while hand.total() < 5:
                hand[self._draw()] += 1
            if (self.active + 1) % n == self.finisher:
                break
            self.active = (self.active + 1) % n
        if self.turn == 200:  # S10
            self.over = True
            return
        self.showcase = [card or self._draw() for card in self.showcase]  # S7
        self.round, self.turns_this_round = self.round + 1, 0
        finisher, self.finisher = self.finisher, None
        self._next_turn(finisher)

    # -- the end ------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """The points of every seat as they stand."""
        return [seat.score for seat in self.seats]

    @property
    def win_shares(self) -> list[float]:
        """S8: 1/k for each of the k seats at the top, 0 for the rest."""
        top = max(self.scores)
        return [1 / self.scores.count(top) if s == top else 0.0 for s in self.scores]

    # -- what a player may know ---------------------------------------------------------------

    def view(self, viewer: int | None) -> dict[str, Any]:
        """What a seat knows, to the letter of the page on views; `None` is the referee."""
        own = None if viewer is None else self.seats[viewer]
        view: dict[str, Any] = {
            "game": "showcase",
            "version": 0,
            "seat": viewer,
            "num_players": len(self.seats),
            "to_act": self.to_act(),
            "phase": self.phase,
            "turn": self.turn,
            "round": self.round,
            "finisher": self.finisher,
            "scores": self.scores,
            "showcase": list(self.showcase),
            "hand": None if own is None else told(own.hand),
            "seats": [self._view_of(seat, own) for seat in self.seats],
            "discards": told(self.discards),
            "deck_size": len(self.deck),
            "unseen": {} if own is None else None,
        }
        if own is None:
            return {**view, "deck": list(self.deck)}
        if self.perfect_recall:
            self._recall(view)
        return view

    def _view_of(self, seat: Seat, own: Seat | None) -> dict[str, Any]:
        shown = self.has_scored if own is None else own.is_told
        return {
            "hand_size": seat.hand.total(),
            "played": told(seat.played),
            "last_act": seat.last_act,
            "revealed": told(seat.revealed or Counter()) if shown else None,
            "known": told(seat.hand) if own is None else None,
        }

    def _recall(self, view: dict[str, Any]) -> None:
        """Add what the seat concludes from its view at its last decision and this one."""
        thought = Thought(self, view)
        left = Counter(BOX)
        for cards in (view["discards"], Counter(card for card in view["showcase"] if card)):
            left.subtract(cards)
        for i, about in enumerate(view["seats"]):
            about["known"] = view["hand"] if i == view["seat"] else told(thought.sure_of(i))
            left.subtract(about["known"])
            left.subtract(about["played"])
        view["unseen"] = told(left)


class Thought:
    """One seat at the table, between its last decision and now; see "perfect recall" in the page.

    The rules page has `known` lose one of a kind when one leaves. Who looks at its own decisions
    does not see all that leaves: then this is the most that it can be sure of by three readings
    of the game's own page.
    """

    def __init__(self, game: Referee, now: dict[str, Any]) -> None:
        """`now` is the view of the table, without what is concluded."""
        self.game, self.now, self.me = game, now, now["seat"]
        self.then = game.seats[self.me].looked
        finished = self.rounds_scored(now) - (self.rounds_scored(self.then) if self.then else 0)
        self.scorings = finished
        self.was_discarding = bool(self.then and self.then["finisher"] is not None)

    @staticmethod
    def rounds_scored(view: dict[str, Any]) -> int:
        """Rounds that have come to their scoring."""
        done: int = view["round"] if view["finisher"] is not None else view["round"] - 1
        return done

    def sure_of(self, i: int) -> Counter[str]:
        """The cards that seat i certainly holds."""
        held = self.at_last_news(i)
        held = self.less_discards(i, held)
        if self.now["finisher"] is not None:
            return held
        about = self.now["seats"][i]
        before = self.then["seats"][i]["played"] if self.then and not self.scorings else {}
        held = held - (Counter(about["played"]) - Counter(before))
        return self.with_act(i, held) if self.has_acted(i) else held

    def at_last_news(self, i: int) -> Counter[str]:
        """As the scoring revealed it, or as it was known at the last decision."""
        if not self.scorings:
            return Counter(self.then["seats"][i]["known"]) if self.then else Counter()
        held = Counter(self.now["seats"][i]["revealed"])
        options = self.game.options
        won = not self.now["to_act"] and max(self.now["scores"]) >= options.target
        at_scoring = won and self.now["finisher"] is not None
        if options.discard_scored and not at_scoring:
            if options.played_count:
                return Counter()
            held = Counter({k: 1 for k, n in held.items() if n == 1 and k != "milk"})
        return held

    def less_discards(self, i: int, held: Counter[str]) -> Counter[str]:
        """The first reading: whose discard is whose."""
        if self.scorings:
            size = held.total()
        elif self.then and self.was_discarding:
            size = self.then["seats"][i]["hand_size"]
        else:
            return held
        cleaning = self.now["finisher"] is not None
        size_now = self.now["seats"][i]["hand_size"] if cleaning else 5
        gone = size - max(size_now, 5)
        if gone <= 0:
            return held
        grown = self.growth_of_discards()
        most = {kind: gone if grown is None else min(gone, grown[kind]) for kind in KINDS}
        return held - Counter(most)

    def growth_of_discards(self) -> Counter[str] | None:
        """How many of each kind others have laid on the discards; None if that cannot be told."""
        if self.scorings > 1 or (self.scorings and self.was_discarding):
            return None
        if self.game.options.discard_scored or self.has_been_reshuffled():
            return None
        growth = Counter(self.now["discards"])
        if self.then:
            growth.subtract(self.then["discards"])
            for about in self.then["seats"]:
                growth.subtract(about["played"])
        if self.was_discarding:
            assert self.then is not None
            growth.subtract(Counter(self.then["hand"]) - Counter(self.now["hand"]))
        return growth

    def has_been_reshuffled(self) -> bool:
        """Whether the deck holds more than what it held less what has been drawn."""
        seats = self.now["seats"]
        deck = self.then["deck_size"] if self.then else 46 - 5 * len(seats)
        for i, about in enumerate(seats):
            if self.has_acted(i) and about["last_act"][0] != "swap":
                deck -= 1
            if self.scorings:
                size = sum(about["revealed"].values())
            elif self.was_discarding and self.then and i != self.me:
                size = self.then["seats"][i]["hand_size"]
            else:
                continue
            size_now = 5 if self.now["finisher"] is None else about["hand_size"]
            deck -= max(size_now - size, 0)
        if None in self.now["showcase"]:
            deck += 1
        return bool(self.now["deck_size"] > deck)

    def has_acted(self, i: int) -> bool:
        """Whether seat i has drawn, taken or swapped since."""
        if i == self.me:
            return False
        if self.then is None:
            return self.now["seats"][i]["last_act"] is not None
        n = len(self.now["seats"])
        sat = self.then["finisher"] if self.was_discarding else self.me
        its_turn = self.then["turn"] + ((i - sat - 1) % n + 1)
        if self.now["turn"] != its_turn:
            return bool(self.now["turn"] > its_turn)
        return self.now["phase"] != "play" or None in self.now["showcase"]

    def with_act(self, i: int, held: Counter[str]) -> Counter[str]:
        """The second reading: when the last act of seat i was."""
        about = self.now["seats"][i]
        act, *kinds = about["last_act"]
        played = sum(about["played"].values())
        certain = not self.scorings or self.ended_the_round()
        held = Counter(held)
        if act == "take" and (certain or about["hand_size"] + played == 6):
            held[kinds[0]] += 1
        if act == "swap":
            held = held - Counter([kinds[0]])
            if certain or played:
                held[kinds[1]] += 1
            elif not self.game.options.discard_scored and self.discards_of(i) == 0:
                held[kinds[1]] = max(held[kinds[1]], 1)
        return held

    def discards_of(self, i: int) -> int:
        """How many cards the seat has discarded since the hands were revealed."""
        return int(max(sum(self.now["seats"][i]["revealed"].values()) - 5, 0))

    def ended_the_round(self) -> bool:
        """Whether this seat's own declaration made the only scoring since."""
        if self.scorings != 1 or self.then is None or self.was_discarding:
            return False
        gain = self.now["scores"][self.me] - self.then["scores"][self.me]
        mine = Seat()
        mine.hand = Counter(self.now["seats"][self.me]["revealed"])
        mine.played = Counter(self.then["seats"][self.me]["played"])
        return bool(gain - points(mine.scoring_cards(self.game.options)) == 1)
