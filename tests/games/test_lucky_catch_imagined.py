"""Imagined tables of Lucky Catch can be reached: the game that `imagine.py` tells of is played.

`resample` moves boots only where a game is known that leads to the new table. Here that game is
played by the rules, cast by cast with dice of our choice, and must end in the very same record.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, Tables, find, lucky_catch_v0
from miaui_env.engine.loops import engine_of
from miaui_env.engine.rng import keys

CHEST, ALL = 23, range(23)
COLOURS, CREATURES = (
    ("red", "green", "blue", "yellow"),
    ("pufferfish", "crab", "octopus", "sea bass"),
)
FIELDS = "turn to_act points place chest turned recent last_seat last_place last_tile last_result"


def is_creature(tile: int) -> bool:
    return tile < 16


def members(bits: int) -> list[int]:
    return [tile for tile in ALL if (int(bits) >> tile) & 1]


class Past:
    """A game that leads to `goal`."""

    def __init__(self, setup: Setup, goal: Any, first: int, surplus: int) -> None:
        """`surplus` casts are spent as soon as somebody has a creature."""
        self.goal, self.n, self.surplus = goal, setup.num_players, surplus
        self.last, self.q = int(goal.last_tile), int(goal.last_seat)
        self.before = [int(place) for place in goal.place]  # as it was before the last cast
        self.before[self.last] = int(goal.last_place)
        self.tables = Tables(setup, 1, seed=0, auto_reset=False)
        self.tables.reset()
        self.state = self.tables.states[0]
        free = iter(sorted(set(range(24)) - {p for p in self.before if 0 <= p < 24}))
        self.state.place = [p if 0 <= p < 24 else next(free) for p in self.before]
        self.state.to_act = 1 << first
        self.tables.to_act[0] = np.arange(self.n) == first
        self.first = first

    @property
    def seat(self) -> int:
        return int(self.state.to_act).bit_length() - 1

    def row(self, seat: int) -> list[int | None]:
        """The tile of each place of a row as it shall be; None for a gap."""
        start = 24 + 23 * seat
        tiles = {place - start: tile for tile, place in enumerate(self.before)}
        held = [tiles.get(index) for index in range(23)]
        while held and held[-1] is None:
            held.pop()
        return held

    def turn_over(self, tile: int, dice: tuple[int, int]) -> None:
        """One cast, wherever the tile lies now."""
        self.state.colour, self.state.creature = dice
        seat, place = self.seat, int(self.state.place[tile])
        action = place if place < 24 else 24 + (place - 24 - 23 * seat) % (23 * self.n)
        actions = np.full((1, self.n), -1)
        actions[0, seat] = action
        self.tables.step(actions)

    def take(self, tile: int) -> None:
        """By a match, or as it is."""
        seat = self.seat
        self.turn_over(tile, (tile // 4 + 1, tile % 4 + 1) if is_creature(tile) else (1, 1))
        while is_creature(tile) and self.surplus > 0:
            self.surplus -= 1
            assert self.seat == seat
            self.turn_over(tile, (tile // 4 + 1, tile % 4 + 1))

    def miss(self, tile: int) -> None:
        self.turn_over(tile, ((tile // 4 + 1) % 4 + 1, 1) if is_creature(tile) else (1, 1))

    def play(self) -> None:
        """As the comment in `imagine.py` has it."""
        for seat, tile in self.jobs():
            while self.seat != seat:
                self.miss(self.any_taken())
            self.take(tile)
        while self.seat != (self.q + 1) % self.n:
            self.miss(self.any_taken())
        self.last_round()

    def any_taken(self) -> int:
        """A creature that lies in a row at the end, so that it was turned over anyway."""
        return next(t for t in range(16) if self.before[t] >= 24 or self.goal.place[t] >= 24)

    def jobs(self) -> list[tuple[int, int]]:
        """Who takes what, in order: rows with tiles of z in their gaps, then z's row."""
        seats = [(self.first + i) % self.n for i in range(self.n)]
        firm = [seat for seat in seats if None not in self.row(seat)]
        z = max(firm, key=lambda seat: len(self.row(seat)))
        spare = sorted((tile for tile in self.row(z) if tile is not None), key=int)
        jobs = []
        for seat in [seat for seat in seats if seat != z] + [z]:
            standing = iter(spare)  # creatures first
            jobs += [(seat, next(standing) if t is None else t) for t in self.row(seat)]
            if self.goal.chest == seat and self.last != CHEST:
                jobs.append((seat, CHEST))
        return jobs

    def last_round(self) -> None:
        order = [(self.q + 1 + i) % self.n for i in range(self.n)]
        for seat, after in itertools.pairwise(order):
            later = members(self.goal.recent[after])
            own = [t for t in members(self.goal.recent[seat]) if t not in later]
            start = 24 + 23 * after
            matched = [t for t in own if is_creature(t) and 0 <= self.before[t] - start < 23]
            ends = [t for t in own if t not in matched]
            assert len(ends) <= 1
            end = next(iter([*ends, *matched, *filter(is_creature, later)]))
            self.miss(end)
            for tile in [t for t in matched if t != end]:
                self.take(tile)
        self.turn_over(self.last, (int(self.goal.last_colour), int(self.goal.last_creature)))


def played(setup: Setup, goal: Any, first: int) -> Past:
    """The game, with as many casts as there were."""
    shortest = Past(setup, goal, first, 0)
    shortest.play()
    past = Past(setup, goal, first, int(goal.turn) - int(shortest.state.turn))
    assert past.surplus >= 0, "fewer casts were played than this takes"
    past.play()
    return past


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("seats", range(2, 7))
def test_where_boots_were_moved_some_game_leads_there(seats: int, again: bool) -> None:
    setup = Setup.of(find("lucky_catch"), seats, chest_casts_again=again)
    tables = Tables(setup, 150, seed=seats, auto_reset=False)
    tables.reset()
    checked = 0
    while tables.to_act.any() and checked < 150:
        tables.step(tables.random_actions())
        step = int(tables.states["turn"].max())
        states = tables.states.copy()
        engine_of(setup.game).imagine(states, np.full(150, step % seats), keys(step, 150))
        moved = (states["points"] != tables.states["points"]).any(1)
        for i in np.flatnonzero(moved)[step % 7 :: 25]:
            past = played(setup, states[i], (step + int(i)) % seats)
            assert past.surplus == 0
            for name in FIELDS.split():
                assert np.array_equal(past.state[name], states[i][name]), name
            checked += 1
    assert checked >= 15


@pytest.mark.parametrize("matches", [5, 8, 12])
def test_a_row_of_creatures_alone_is_found(matches: int) -> None:
    """So many matches and a miss were one turn, in which nobody can have taken a boot."""
    faces = [f"{colour}:{creature}" for colour in COLOURS for creature in CREATURES]
    dice = [face.split(":") for face in faces[:matches]] + [["red", "crab"]]
    env: Any = lucky_catch_v0.env(num_players=3)
    sea = [*faces, *["boot"] * 7, "chest"]
    env.reset(seed=1, options={"sea": sea, "dice": dice, "first": 0})
    for place in range(matches + 1):
        env.step(place)
    setup, view = env.unwrapped.setup, env.unwrapped.view("player_0")
    assert view["rows"][0] == [True] * matches and len(view["known"]) == 1
    for key in range(20):
        state = setup.from_view(view, key)[0]
        assert setup.view(state, 0) == view
        assert state.points.tolist()[:3] == [matches, 0, 0]
