"""Which catches leave a pile as it is: fish that stay, fish that Seagulls take, three Jellyfish.

A catch is one of four: "T" stays, "X" goes with a later Seagull, "G" is a Seagull, "J" is one of
three Jellyfish that leave together. While a pile is made up it holds `kept` cards that stay,
`jelly` Jellyfish among them that wait for a third, and on top `passing` cards that wait for
Seagulls.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

from miaui_env.games.miaui.pieces import FISH, GULL, Fish

ALONE = 0.3
"""How often two Seagulls that find nothing stand for one that takes a card along."""
Target = list[int | None]
"""A pile bottom to top; None where any fish will do."""


@dataclass
class Slot:
    """A card caught before the last round: its place in the deck, and what it may be."""

    place: int = -1
    may_be_gull: bool = True
    may_be_lantern: bool = True
    must_be_lantern: bool = False
    jellyfish: bool = False
    lit: bool = False  # of a catch that held a Lantern

    def takes(self, card: int) -> bool:
        """Whether a card that is no Seagull may be this one."""
        if self.jellyfish:
            return is_jellyfish(card)
        lantern = bool(FISH[card] == Fish.LANTERN)
        return card != GULL and (self.may_be_lantern if lantern else not self.must_be_lantern)

    def fits(self, symbol: str, card: int | None) -> bool:
        """Whether this catch may be that symbol; `card` is what stays, where it is known."""
        if symbol == "G":
            return self.may_be_gull
        return symbol != "T" or card is None or self.takes(card)


class Making(NamedTuple):
    """A pile in the making, before the last round's catches."""

    kept: int
    passing: int
    jelly: int

    @property
    def size(self) -> int:
        """Cards in it."""
        return sum(self)


def is_jellyfish(card: int | None) -> bool:
    """Whether a card is a Jellyfish; None, any fish, is none."""
    return card is not None and bool(FISH[card] == Fish.JELLYFISH)


def makings(target: Target, shown: list[int]) -> list[Making]:
    """All piles in the making that the last round's catches `shown` turn into `target`."""
    return [
        making
        for kept in range(len(target) + 1)
        for passing in range(shown.count(GULL) + 1)
        for jelly in range(3)
        if _turns_out(target, shown, making := Making(kept, passing, jelly))
    ]


def _turns_out(target: Target, shown: list[int], making: Making) -> bool:
    """Whether the `shown` cards, in order, can make the pile `target`."""
    if not shown:
        return making == (len(target), 0, 0)
    return any(
        _turns_out(target, shown[1:], after) for after in _landings(target, shown[0], making)
    )


def _landings(target: Target, card: int, making: Making) -> list[Making]:
    """What a pile may be after a catch (M8-M10)."""
    kept, passing, jelly = making
    if card == GULL:
        if passing:
            return [Making(kept, passing - 1, jelly)]
        return [making] if kept == jelly == 0 else []
    if is_jellyfish(card):
        return _jellyfish_landings(target, card, making)
    after = [Making(kept, passing + 1, jelly)]
    if not passing and kept < len(target) and target[kept] in (None, card):
        after.append(Making(kept + 1, passing, jelly))
    return after


def _jellyfish_landings(target: Target, card: int, making: Making) -> list[Making]:
    """A Jellyfish stays, passes or waits for a third; those that stay or wait never meet."""
    kept, passing, jelly = making
    staying = sum(map(is_jellyfish, target[:kept]))
    if jelly == 2:
        return [Making(kept, passing, 0)] if not staying else []
    after = []
    if staying + jelly < 2:
        after.append(Making(kept, passing + 1, jelly))
    if not passing and not staying:
        after.append(Making(kept, passing, jelly + 1))
    if not passing and not jelly and kept < len(target) and target[kept] in (None, card):
        after.append(Making(kept + 1, passing, jelly))
    return after


def gulls_for(lost: int, triple: bool) -> int:
    """Seagulls that explain `lost` catches: itself and one more each; one may find nothing."""
    return (max(lost - 3, 0) + 1) // 2 if triple and lost >= 3 else (lost + 1) // 2


def fewest_gulls(ways: list[Making], hidden: int, triple: bool) -> int | None:
    """The fewest Seagulls in a past with so many hidden catches; None where it cannot be."""
    needed = [gulls_for(hidden - way.size, triple) for way in ways if way.size <= hidden]
    return min(needed, default=None)


def plan_pile(
    target: Target, ways: list[Making], slots: list[Slot], triple: bool, rng: random.Random
) -> list[str] | None:
    """A symbol for each hidden catch, mostly with the fewest Seagulls; None where luck fails.

    With `triple`, three Jellyfish are among them that leave together.
    """
    fitting = [way for way in ways if way.size + 3 * triple <= len(slots)]
    if not fitting:
        return None
    fewest = min(gulls_for(len(slots) - way.size, triple) for way in fitting)
    best = [way for way in fitting if gulls_for(len(slots) - way.size, triple) == fewest]
    for _ in range(30):
        way = rng.choice(best if rng.random() < 0.5 else fitting)
        plan = _ordered(target, way, len(slots) - way.size, triple, rng)
        if _allowed(target, plan, slots):
            return plan
    return None


def _ordered(target: Target, way: Making, lost: int, triple: bool, rng: random.Random) -> list[str]:
    """The catches of a plan in some order; Seagulls that find nothing come while none lies."""
    gone = lost - 3 * triple
    alone = gone % 2
    while alone + 2 <= gone and rng.random() < ALONE:
        alone += 2
    plan = ["T"] * way.kept
    first_jelly = next((i for i, card in enumerate(target) if is_jellyfish(card)), way.kept)
    for _ in range(way.jelly):
        plan.insert(rng.randint(0, len(plan)), "J")
    if triple:
        at = rng.randint(0, first_jelly) if not way.jelly else 0
        plan[at:at] = ["J"] * 3
    for _ in range((gone - alone) // 2):
        at = rng.randint(0, len(plan)) if rng.random() < 0.7 else 0
        plan[at:at] = ["X", "G"]
    for _ in range(alone):
        plan.insert(rng.choice(_empty(plan)), "G")
    return plan + ["X"] * way.passing


def _empty(plan: list[str]) -> list[int]:
    """Where in a plan no card lies: before all, and while all that was caught has left."""
    places = [0]
    while (at := places[-1]) < len(plan):
        if plan[at : at + 2] == ["X", "G"]:
            places.append(at + 2)
        elif plan[at : at + 3] == ["J", "J", "J"]:
            places.append(at + 3)
        elif plan[at] == "G":
            places.append(at + 1)
        else:
            break
    return places


def _allowed(target: Target, plan: list[str], slots: list[Slot]) -> bool:
    """Whether every slot may be what is planned, and a lit catch has a place for its Lantern."""
    kept, lit = iter(target), []
    for symbol, slot in zip(plan, slots, strict=True):
        card = next(kept) if symbol == "T" else None
        if not slot.fits(symbol, card):
            return False
        if slot.lit:
            lit.append(symbol in "XT" if card is None else FISH[card] == Fish.LANTERN)
    return not lit or any(lit)
