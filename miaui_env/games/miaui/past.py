"""A past made up for a table view: first who caught how many cards, then which."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.compile import kernel, plain, specialise
from miaui_env.engine.rng import mix
from miaui_env.games.miaui.imagine import (
    begin_again,
    dive_again,
    replay,
    rounds_done,
    swap_dives,
)
from miaui_env.games.miaui.knowledge import spaces_used
from miaui_env.games.miaui.pieces import (
    CODES,
    FISH,
    GULL,
    MAX_HAND,
    MAX_PILE,
    MAX_SEATS,
    MAX_SPACES,
    SPACE_NAMES,
    Fish,
    multiset_counts,
)
from miaui_env.games.miaui.piles import Slot, fewest_gulls, makings, plan_pile
from miaui_env.games.miaui.unseen import fraction

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

STEPS = 4000
"""Proposals of one annealing before it starts anew from other dives."""
FILLER, LANTERN = CODES["kittenfish:1"], CODES["lantern:1"]


class Past:
    """Pasts of a table view; each `fill` makes one up, piece by piece, into a record."""

    def __init__(self, setup: Setup, told: View, states: np.ndarray) -> None:
        """`states` holds the view's public part: the round, and what the last reveal showed."""
        self.setup, self.told, self.state = setup, told, states[0]
        self.spaces = spaces_used(setup.options.spaces)
        self.done = int(plain(rounds_done)(self.state))
        self.visible = self._visible_cards()
        counts = multiset_counts(setup.options.multiset)
        self.rest = Counter({kind: int(n) for kind, n in enumerate(counts)})
        self.rest.subtract(self.visible.values())
        seats = range(setup.num_players)
        self.targets = [self._target(seat) for seat in seats]
        self.ways = [makings(self.targets[seat], self._shown(seat)) for seat in seats]
        self.costs = np.zeros((MAX_SEATS, MAX_PILE + 1), np.int64)
        for seat in seats:
            self.costs[seat] = self._gulls_needed(seat)

    def fill(self, states: np.ndarray, key: int) -> bool:
        """Make up dives, then fish, and play them on a fresh public part; False if luck fails."""
        self.states, self.state, self.key = states, states[0], key
        self.rng, self.pool = random.Random(key), self.rest.copy()
        self._deal_dives()
        if not self._settle_dives():
            return False
        placed = self._choose_fish(self._catches())
        if placed is None:
            return False
        self._write_deck(placed)
        play_again(states.copy(), states)
        return True

    # --- what the view shows of the deck's order -------------------------------------------------

    def place(self, turn: int, space: int) -> int:
        """Where in the deck the card of a round (from 0) and space was drawn (M3)."""
        order = self.spaces.index(space)
        return self.setup.options.boxed + turn * self.setup.options.spaces + order

    def _visible_cards(self) -> dict[int, int]:
        """Place in the deck → card, for those now in the lagoon or caught in the last round."""
        cards: dict[int, int] = {}
        for space in self.spaces:
            lying = [CODES.get(card, 0) for card in self.told["lagoon"][SPACE_NAMES[space]]]
            caught = [
                int(c) for c in self.state.last_catch[space, : self.state.last_catch_size[space]]
            ]
            for codes, end in ((lying, int(self.state.turn)), (caught, self.done)):
                for i, code in enumerate(codes):
                    if code:
                        cards[self.place(end - len(codes) + i, space)] = code
        return cards

    # --- dives -----------------------------------------------------------------------------------

    def _deal_dives(self) -> None:
        """Any order of the own dives, any dives of the others, the last round as it was."""
        everything = range(1, self.setup.options.hand_size + 1)
        for seat, about in enumerate(self.told["seats"]):
            own = seat == self.told["seat"]
            last = int(self.state.last_dives[seat])
            if about["dived"] is None:
                spent = [card for card in everything if card != last]
                if own:
                    kept = {*self.told["hand"], self.told["committed"]}
                    spent = [card for card in spent if card not in kept]
                self.rng.shuffle(spent)
                dives = [*spent[: self.done - 1], last] if self.done else []
                self.state.dived[seat, : self.done] = dives
            dived = {int(card) for card in self.state.dived[seat, : self.done]}
            held = [card for card in everything if card not in dived]
            self._hold(seat, held)

    def _hold(self, seat: int, held: list[int]) -> None:
        """Hand and commitment of a seat that still has these cards."""
        committed = int(self.state.committed[seat])
        if seat != self.told["seat"] and self.told["to_act"] and seat not in self.told["to_act"]:
            committed = self.rng.choice(held)
        self.state.committed[seat] = committed
        self.state.hands[seat] = sum(1 << (card - 1) for card in held if card != committed)

    def _settle_dives(self) -> bool:
        """Swap dives until every seat has caught as much as its pile needs."""
        self.state.deck[: self.state.num_cards] = FILLER
        peekers = np.full(MAX_SPACES, -1, np.int64)
        for space in self.spaces:
            before = self._round_before_stack(space)
            if self.state.peeker[space] >= 0 and 0 <= before < self.done - 1:
                peekers[space] = self.state.peeker[space]
                self.state.deck[self.place(before, space)] = LANTERN
        wanted = self.states.copy()
        steps = 1 if self.setup.options.open_baskets else STEPS
        gulls, luck = self.pool[GULL], np.uint64(self.key)
        return bool(
            anneal(self.states, wanted, self.told["seat"], self.costs, gulls, peekers, steps, luck)
        )

    def _round_before_stack(self, space: int) -> int:
        """The round (from 0) before the oldest card of a space was laid.

        Whoever caught there then caught a Lantern exactly if that card lies face down (M11).
        """
        return int(self.state.turn) - int(self.state.lagoon_size[space]) - 1

    def _gulls_needed(self, seat: int) -> list[int]:
        """Seagulls that a past with 0, 1, … catches of the seat needs; a penalty for none."""
        shown = len(self._shown(seat))
        triple = self._has_triple()
        needed: list[int | None] = [None] * shown
        needed += [
            fewest_gulls(self.ways[seat], hidden, triple) for hidden in range(MAX_PILE + 1 - shown)
        ]
        return _sloped(needed)

    def _has_triple(self) -> bool:
        """Whether three Jellyfish may have left a pile."""
        return sum(n for card, n in self.rest.items() if FISH[card] == Fish.JELLYFISH) >= 3

    def _target(self, seat: int) -> list[int | None]:
        """The pile bottom to top; None where the view does not say."""
        about = self.told["seats"][seat]
        if about["pile"] is not None:
            return [CODES[card] for card in about["pile"]]
        if not about["pile_size"]:
            return []
        return [None] * (about["pile_size"] - 1) + [CODES[about["pile_top"]]]

    def _shown(self, seat: int) -> list[int]:
        """What the seat caught in the last round."""
        return [
            int(self.state.last_catch[space, i])
            for space in self.spaces
            if self.state.last_taker[space] == seat
            for i in range(self.state.last_catch_size[space])
        ]

    # --- fish ------------------------------------------------------------------------------------

    def _catches(self) -> list[list[Slot]]:
        """What each seat caught before the last round, in order: the cards' places in the deck."""
        takers = np.full((MAX_HAND, MAX_SPACES), -1, np.int64)
        left = np.zeros((MAX_HAND, MAX_SPACES), np.int64)
        trace(self.states, takers, left)
        self.lit: list[list[Slot]] = []  # catches that held a Lantern
        slots: list[list[Slot]] = [[] for _ in range(self.setup.num_players)]
        stacks: dict[int, list[int]] = {space: [] for space in self.spaces}
        for turn in range(self.done - 1):
            for space in self.spaces:
                stacks[space].append(self.place(turn, space))
                taker = int(takers[turn, space])
                if taker >= 0:
                    slots[taker] += self._slots_of(stacks[space], turn, space)
                if taker >= 0 or left[turn, space] <= 1:
                    stacks[space] = []
        return slots

    def _slots_of(self, places: list[int], turn: int, space: int) -> list[Slot]:
        """The cards of one catch; where it shows, one must or none may be a Lantern (M11)."""
        opening = self.setup.options.boxed + self.setup.options.spaces
        slots = [Slot(place, may_be_gull=place >= opening) for place in places]
        if self.state.lagoon_size[space] and turn == self._round_before_stack(space):
            if self.state.peeker[space] >= 0:
                self.lit.append(slots)
                for slot in slots:
                    slot.lit = True
            else:
                for slot in slots:
                    slot.may_be_lantern = False
        return slots

    def _choose_fish(self, slots: list[list[Slot]]) -> dict[int, int] | None:
        """Place → card for all catches; None where the box has no such cards."""
        placed = dict(self.visible)
        open_slots: list[Slot] = []
        seats = range(self.setup.num_players)
        freed = self.rng.choice([*seats, *[None] * len(seats)]) if self._has_triple() else None
        for seat in seats:
            target, ways = self.targets[seat], self.ways[seat]
            plan = plan_pile(target, ways, slots[seat], seat == freed, self.rng)
            if plan is None:
                return None
            kept = iter(target)
            for slot, symbol in zip(slots[seat], plan, strict=True):
                card = next(kept) if symbol == "T" else GULL if symbol == "G" else None
                slot.jellyfish = symbol == "J"
                if card is None:
                    open_slots.append(slot)
                else:
                    placed[slot.place] = card
                    self.pool[card] -= 1
        if min(self.pool.values()) < 0 or not self._light(open_slots, placed):
            return None
        return placed if self._fill_open(open_slots, placed) else None

    def _light(self, open_slots: list[Slot], placed: dict[int, int]) -> bool:
        """See to a Lantern in each catch that held one; False where no card of it may be one."""
        for catch in self.lit:
            if not any(FISH[placed.get(slot.place, 0)] == Fish.LANTERN for slot in catch):
                able = [slot for slot in catch if slot in open_slots and not slot.jellyfish]
                if not able:
                    return False
                self.rng.choice(able).must_be_lantern = True
        return True

    def _fill_open(self, slots: list[Slot], placed: dict[int, int]) -> bool:
        """Any cards of the fitting kind where the plan leaves it open, harmless ones first."""
        self.rng.shuffle(slots)
        for slot in sorted(slots, key=lambda slot: not (slot.jellyfish or slot.must_be_lantern)):
            fitting = [card for card, n in self.pool.items() if n > 0 and slot.takes(card)]
            plain = [card for card in fitting if FISH[card] != Fish.JELLYFISH]
            if not fitting:
                return False
            choice = plain or fitting
            card = self.rng.choices(choice, [self.pool[card] for card in choice])[0]
            placed[slot.place] = card
            self.pool[card] -= 1
        return True

    def _write_deck(self, placed: dict[int, int]) -> None:
        """All cards into the deck: those placed, and the rest in any order that M4 allows."""
        total, boxed = int(self.state.num_cards), self.setup.options.boxed
        rest = [card for card, n in self.pool.items() for _ in range(n)]
        self.rng.shuffle(rest)
        rest.sort(key=lambda card: card == GULL)
        opening = range(boxed, boxed + self.setup.options.spaces)
        empty = [place for place in range(total) if place not in placed]
        empty.sort(key=lambda place: (place not in opening, place))
        for place, card in [*placed.items(), *zip(empty, rest, strict=True)]:
            self.state.deck[place] = card


def _sloped(needed: list[int | None]) -> list[int]:
    """Numbers where they are; elsewhere a penalty from 100 that grows on the way from them."""
    fine = [i for i, cost in enumerate(needed) if cost is not None]
    return [
        100 + 10 * min((abs(i - j) for j in fine), default=0) if cost is None else cost
        for i, cost in enumerate(needed)
    ]


@kernel
def _misfit(table: Any, wanted: Any, costs: Any, gulls: int, peekers: Any) -> int:
    """How far a past is from explaining the view: 0 where numbers of catches and stacks fit."""
    misfit = 0
    needed = 0
    for seat in range(table.num_players):
        cost = costs[seat, table.pile_size[seat]]
        if cost >= 100:
            misfit += (cost - 100) // 10 + 1
        else:
            needed += cost
    misfit += max(needed - gulls, 0)
    for space in range(MAX_SPACES):
        misfit += 2 * abs(np.int64(table.lagoon_size[space]) - wanted.lagoon_size[space])
        misfit += 2 * abs(np.int64(table.last_catch_size[space]) - wanted.last_catch_size[space])
        if peekers[space] >= 0 and table.peeker[space] != peekers[space]:
            misfit += 2
    return misfit


def _anneal(
    states: Any, wanted: Any, seat: int, costs: Any, gulls: int, peekers: Any, steps: int, key: Any
) -> bool:
    """Swap dives in `states[0]` until `_misfit` is 0; fish are all harmless meanwhile."""
    past = states.copy()
    table = states.copy()
    replay(past[0], table[0])
    misfit = _misfit(table[0], wanted[0], costs, gulls, peekers)
    for step in range(steps):
        if misfit == 0:
            break
        luck = mix(key, step)
        if swap_dives(past[0], seat, luck):
            table[0] = past[0]
            replay(past[0], table[0])
            other = _misfit(table[0], wanted[0], costs, gulls, peekers)
            if fraction(mix(luck, 9)) < np.exp((misfit - other) / 0.7):
                misfit = other
                states[0] = past[0]
            else:
                past[0] = states[0]
    return misfit == 0


def _trace(states: Any, takers: Any, left: Any) -> None:
    """Who took what lay on each space in each round, and how many cards lie there after."""
    table = states.copy()
    begin_again(states[0], table[0])
    for turn in range(rounds_done(states[0])):
        dive_again(states[0], table[0], turn)
        for space in range(MAX_SPACES):
            takers[turn, space] = table[0].last_taker[space]
            left[turn, space] = table[0].lagoon_size[space]


def _play_again(pasts: Any, tables: Any) -> None:
    """Play the games of `pasts` on `tables`, copies of them."""
    for i in range(len(pasts)):
        replay(pasts[i], tables[i])


play_again = specialise(_play_again, "miaui")
anneal = specialise(_anneal, "miaui", allocates=True)
trace = specialise(_trace, "miaui", allocates=True)
