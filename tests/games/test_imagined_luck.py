"""What games claim of imagined luck, by enumeration under uniformly random play of the others.

A world is one way in which what a seat cannot see may lie. Each is stacked and the game played
again by the rules: a world weighs as much as the others were likely to move so in it, and nothing
where the seat would have seen something else. Miaui's worlds are in `test_miaui_luck.py`.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from miaui_env import keys, lucky_catch_v0, maui_v0, showcase_v0
from miaui_env.engine.loops import engine_of
from miaui_env.game import View
from tests.referee.showcase import BOX, KINDS

MANY = 6000
World = Mapping[str, Any]


def legal(env: Any) -> np.ndarray:
    actions: np.ndarray = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    return actions


def random_moves(env: Any, world: World, enough: Callable[[], bool]) -> list[int]:
    """Play at random from the start of a world until it is enough."""
    luck = np.random.default_rng(3)
    env.reset(seed=1, options=dict(world))
    moves = []
    while not enough():
        moves.append(int(luck.choice(legal(env))))
        env.step(moves[-1])
    return moves


def sights(env: Any, world: World, moves: list[int], seat: int) -> list[View]:
    """What the seat sees on the way."""
    env.reset(seed=1, options=dict(world))
    seen = [env.unwrapped.view(f"player_{seat}")]
    for move in moves:
        env.step(move)
        seen.append(env.unwrapped.view(f"player_{seat}"))
    return seen


def weight(env: Any, world: World, moves: list[int], seat: int, seen: list[View]) -> Fraction:
    """How likely the others play so in a world; 0 where the seat sees otherwise."""
    env.reset(seed=1, options=dict(world))
    chance = Fraction(1)
    for move, sight in zip([*moves, None], seen, strict=True):
        if env.unwrapped.view(f"player_{seat}") != sight:
            return Fraction(0)
        if move is not None:
            if env.agent_selection != f"player_{seat}":
                chance /= len(legal(env))
            env.step(move)
    return chance


def imagined(env: Any, seat: int) -> Any:
    """Many states that the seat imagines where the table is now."""
    tables = env.unwrapped.table.tables
    states = np.repeat(tables.states, MANY)
    engine_of(tables.setup.game).imagine(states, np.full(MANY, seat), keys(2, MANY))
    return states


def refuse_unlikely(found: Iterable[Hashable], weights: Mapping[Hashable, Fraction]) -> None:
    """Chi-squared, at four sigma; what has no weight must not be found at all."""
    counted, total = Counter(found), sum(weights.values())
    expected = {world: float(MANY * share / total) for world, share in weights.items() if share}
    assert set(counted) <= set(expected) and min(expected.values()) >= 5
    chi_squared = sum((counted[world] - e) ** 2 / e for world, e in expected.items())
    freedom = len(expected) - 1
    assert abs(chi_squared - freedom) < 4 * math.sqrt(2 * freedom)


# -- Lucky Catch: under perfect recall, exact -----------------------------------------------------


def unseen_places(env: Any) -> list[int]:
    """Places of the sea whose tile nobody has turned over."""
    view = env.unwrapped.view("player_0")
    return [place for place, lies in enumerate(view["sea"]) if lies and not known(view, place)]


def known(view: View, place: int) -> bool:
    return f"sea:{place}" in view["known"]


def faces_at(view: View, places: list[int]) -> tuple[str, ...]:
    return tuple(view["known"][f"sea:{place}"] for place in places)


@pytest.mark.parametrize("seat", [0, 2])
def test_tiles_never_turned_over_lie_as_enumeration_says(seat: int) -> None:
    env: Any = lucky_catch_v0.env(num_players=3, perfect_recall=True)
    env.reset(seed=8)
    sea = list(faces_at(env.unwrapped.view(None), list(range(24))))
    luck = np.random.default_rng(5)
    colours, creatures = ("red", "green", "blue", "wild"), ("crab", "octopus", "lucky")
    dice = [[str(luck.choice(colours)), str(luck.choice(creatures))] for _ in range(200)]
    world = {"sea": sea, "dice": dice, "first": 1}
    moves = random_moves(env, world, lambda: len(unseen_places(env)) <= 4)
    hidden = unseen_places(env)
    states, setup = imagined(env, seat), env.unwrapped.table.setup
    found = [faces_at(setup.view(state, None), hidden) for state in states]
    seen = sights(env, world, moves, seat)
    weights: dict[Hashable, Fraction] = {}
    for faces in set(itertools.permutations(sea[place] for place in hidden)):
        other = list(sea)
        for place, face in zip(hidden, faces, strict=True):
            other[place] = face
        weights[faces] = weight(env, {**world, "sea": other}, moves, seat, seen)
    assert len(weights) > 10
    refuse_unlikely(found, weights)


# -- Maui: exact ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 3])
def test_the_next_two_tiles_of_the_bag_are_as_enumeration_says(seat: int) -> None:
    env: Any = maui_v0.env(num_players=4)
    env.reset(seed=8)
    tiles = bag_of(env)
    world = {"bag": tiles, "first": 1}
    moves = random_moves(env, world, lambda: env.unwrapped.view(None)["bag_size"] <= 12)
    left = env.unwrapped.view(None)["bag"]
    states, setup = imagined(env, seat), env.unwrapped.table.setup
    found = [tuple(setup.view(state, None)["bag"][:2]) for state in states]
    seen = sights(env, world, moves, seat)
    weights: dict[Hashable, Fraction] = {}
    for pair in itertools.permutations(left, 2):
        rest = [tile for tile in left if tile not in pair]
        other = {**world, "bag": [*tiles[: -len(left)], *pair, *rest]}
        weights[pair] = weight(env, other, moves, seat, seen)
    assert len(weights) > 100
    refuse_unlikely(found, weights)


def bag_of(env: Any) -> list[str]:
    """All sixty tiles as they lie: start tiles seat by seat, the market, the bag."""
    view = env.unwrapped.view(None)
    starts = [about["columns"][0][1] for about in view["seats"]]
    return [*starts, *itertools.chain(*view["market"]), *view["bag"]]


# -- Showcase: exact until somebody has chosen by hidden cards -------------------------------------


@pytest.mark.parametrize("recall", [False, True])
def test_a_hand_nobody_has_played_from_is_dealt_as_enumeration_says(recall: bool) -> None:
    """Every hand of five of the cards that seat 0 does not see, by cheap fish, dear fish, milk."""
    env: Any = showcase_v0.env(num_players=2, perfect_recall=recall)
    env.reset(seed=8)
    states = imagined(env, 0)
    shown = env.unwrapped.view("player_0")
    unseen = np.array([BOX[kind] - shown["hand"].get(kind, 0) for kind in KINDS])
    unseen -= [shown["showcase"].count(kind) for kind in KINDS]
    assert unseen.sum() == 50 - 5 - 4
    cheap, dear, milk = (int(part.sum()) for part in np.split(unseen, [3, 6]))
    weights: dict[Hashable, Fraction] = {}
    for a, b in itertools.product(range(6), range(6)):
        if a + b <= 5:
            ways = math.comb(cheap, a) * math.comb(dear, b) * math.comb(milk, 5 - a - b)
            weights[a, b] = Fraction(ways)
    rare = [hand for hand, ways in weights.items() if MANY * ways < 20 * sum(weights.values())]
    weights["rare"] = sum((weights.pop(hand) for hand in rare), Fraction(0))
    hands = np.stack([states["hands"][:, 1, :3].sum(1), states["hands"][:, 1, 3:6].sum(1)], 1)
    found = [(int(a), int(b)) if (int(a), int(b)) in weights else "rare" for a, b in hands]
    refuse_unlikely(found, weights)
