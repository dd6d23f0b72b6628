"""From a view back to a reachable state: `from_view`.

A view tells where tiles lie and, of some, what they show. The rest is dealt: tiles for the places
whose faces are hidden, with no more boots in a row than its seat had turns to take them in; and a
last round that explains who was shown which of the known tiles. `resample` then mixes it.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from miaui_env.engine.loops import engine_of
from miaui_env.engine.rng import mixed
from miaui_env.games.lucky_catch.imagine import READILY
from miaui_env.games.lucky_catch.knowledge import view
from miaui_env.games.lucky_catch.last_round import Turns, Unexplained, shown_to_each, whose
from miaui_env.games.lucky_catch.pieces import (
    CHEST,
    COLOUR_DIE,
    CREATURE_DIE,
    FACES,
    MOST_CASTS,
    NO_TILE,
    NOWHERE,
    PLACES,
    RESULTS,
    ROW,
    SEA,
    TILES,
    WORTH,
)

if TYPE_CHECKING:
    from miaui_env.game import Setup, View

ATTEMPTS = 400
"""In the later half boots are dealt ever less readily: long rows early in a game hold none."""


def from_view(setup: Setup, told: View, key: int) -> np.ndarray:
    """A reachable state with that view, as a record array `(1,)`; another one for each key.

    Raises:
        ValueError: for a view that no game of this setup leads to.
    """
    if ("recent" in told) != setup.perfect_recall:
        raise ValueError("this view is of the other recall mode: 'recent' belongs to that alone")
    _refuse_impossible(setup, told)
    blank = _public_part(setup, told)
    lying = _places_of(told)
    luck = random.Random(int(mixed(key, 0)))
    for attempt in range(ATTEMPTS):
        states = blank.copy()
        readily = READILY * min(1.0, 2.0 - 2.0 * attempt / ATTEMPTS)
        try:
            _fill(setup, states[0], told, _deal_tiles(told, lying, readily, luck), luck)
        except Unexplained:
            continue
        seats, keys = np.array([told["seat"]]), np.array([mixed(key, 1, attempt)])
        engine_of(setup.game).imagine(states, seats, keys)  # `resample`, as it is kept on disk
        if view(states[0], told["seat"]) != told:
            break
        return states
    raise ValueError("found no game of this setup that gives that view")


def _refuse_impossible(setup: Setup, told: View) -> None:
    """What no game shows: the wrong seat to act, an end too early, a boot known in the sea."""
    last, n = told["last_cast"], setup.num_players
    over = not any(told["sea"]) or told["casts"] == MOST_CASTS
    if (last is None) != (told["casts"] == 0) or over != (not told["to_act"]):
        raise ValueError(f"no game is like that after {told['casts']} casts")
    if last and not over:
        again = ["match"] + ["chest"] * setup.options.chest_casts_again
        wanted = last["seat"] if last["result"] in again else (last["seat"] + 1) % n
        if told["to_act"] != [wanted]:
            raise ValueError(f"it is the cast of seat {wanted}, not of {told['to_act']}")
    for name, face in told["known"].items():
        if face == "chest" or (face == "boot" and name.startswith("sea")):
            raise ValueError(f"a {face} turned over does not stay at {name}")


# --- what the view tells ------------------------------------------------------------------------


def _public_part(setup: Setup, told: View) -> np.ndarray:
    """A record with all that the view tells but the tiles."""
    states = setup.blank.copy()
    state = states[0]
    state.turn, state.over = told["casts"], not told["to_act"]
    state.to_act = sum(1 << seat for seat in told["to_act"])
    state.chest = -1 if told["chest"] is None else told["chest"]
    state.last_seat, state.last_place, state.last_result = -1, NOWHERE, -1
    state.last_tile = NO_TILE
    if told["dice"]:
        state.colour, state.creature = _roll(told["dice"])
    last = told["last_cast"]
    if last:
        state.last_seat, state.last_place = last["seat"], PLACES[last["place"]]
        state.last_colour, state.last_creature = _roll(last["dice"])
        state.last_result = RESULTS.index(last["result"])
    return states


def _roll(dice: list[str]) -> tuple[int, int]:
    colour, creature = dice
    return COLOUR_DIE.index(colour), CREATURE_DIE.index(creature)


def _shown_lately(told: View) -> list[str]:
    """Names of the places whose tiles were turned over since the own last decision."""
    return list(told["recent"] if "recent" in told else told["known"])


def _places_of(told: View) -> list[int]:
    """All places that hold a tile."""
    rows = [
        SEA + ROW * seat + index
        for seat, row in enumerate(told["rows"])
        for index, held in enumerate(row)
        if held
    ]
    return [place for place, held in enumerate(told["sea"]) if held] + rows


# --- what it hides ------------------------------------------------------------------------------


def _fill(setup: Setup, state: Any, told: View, tiles: dict[int, int], luck: random.Random) -> None:
    """Put tiles into all places, and say who was shown what; Unexplained if it does not add up."""
    known = _known(told)
    recent = {tiles[PLACES[name]] for name in _shown_lately(told)}
    for place, tile in tiles.items():
        state.place[tile] = place
    if told["chest"] is not None:
        state.place[CHEST] = NOWHERE
    for seat in range(setup.num_players):
        row = [tile for place, tile in tiles.items() if whose(place) == seat]
        state.points[seat] = sum(int(WORTH[tile]) for tile in row)
        state.points[seat] += int(WORTH[CHEST]) if told["chest"] == seat else 0
    if told["last_cast"]:
        state.last_tile = _last_tile(told, tiles)
        turns = Turns.of(setup, told, tiles, recent, luck)
        missable = known if setup.perfect_recall else tiles
        creatures = {tile for place, tile in tiles.items() if place in missable}
        shown = shown_to_each(turns, tiles, recent, int(state.last_tile), creatures, luck)
        for seat, faces in enumerate(shown):
            state.recent[seat] = _bits(faces)
        state.turned = _turned(state, told, tiles, known, shown)


def _known(told: View) -> dict[int, str]:
    """The face of each place that the view knows."""
    return {PLACES[name]: face for name, face in told["known"].items()}


def _deal_tiles(
    told: View, lying: list[int], readily: float, luck: random.Random
) -> dict[int, int]:
    """A tile for each place: what is known, then boots and creatures as they leave the sea."""
    known = _known(told)
    left = list(range(TILES if told["chest"] is None else CHEST))
    tiles = {}
    for place, face in known.items():
        tile = next((tile for tile in left if FACES[tile] == face), NO_TILE)
        if tile == NO_TILE:
            raise ValueError(f"this view shows more of {face!r} than there are")
        left.remove(tile)
        tiles[place] = tile
    hidden = [place for place in lying if place not in known]
    if len(hidden) != len(left):
        raise ValueError(f"this view has {len(hidden)} tiles to hide, but {len(left)} are left")
    boots = _boots_scored(told, tiles, hidden)
    in_rows = [place for place in hidden if place >= SEA]
    luck.shuffle(in_rows)
    for place in in_rows:
        tiles[place] = _left_the_sea(left, boots, whose(place), readily, luck)
        left.remove(tiles[place])
    luck.shuffle(left)
    tiles.update(zip((place for place in hidden if place < SEA), left, strict=True))
    return tiles


def _boots_scored(told: View, tiles: dict[int, int], hidden: list[int]) -> dict[int, list[bool]]:
    """At the end the scores tell how many boots a row hides: for each row, one flag a tile."""
    flags = {}
    for seat, score in enumerate(told["scores"] or []):
        worth = sum(int(WORTH[tile]) for place, tile in tiles.items() if whose(place) == seat)
        worth += int(WORTH[CHEST]) if told["chest"] == seat else 0
        number = sum(whose(place) == seat for place in hidden)
        boots, odd = divmod(worth + number - score, 2)
        if odd or not 0 <= boots <= number:
            raise ValueError(f"seat {seat} cannot have {score} points with these tiles")
        flags[seat] = [True] * boots + [False] * (number - boots)
    return flags


def _left_the_sea(
    left: list[int], boots: dict[int, list[bool]], seat: int, readily: float, luck: random.Random
) -> int:
    """A tile that came into a row: any of a kind that the scores ask for, else boots readily."""
    if boots:
        wanted = boots[seat].pop(luck.randrange(len(boots[seat])))
        fitting = [tile for tile in left if tile != CHEST and (FACES[tile] == "boot") == wanted]
        if not fitting:
            raise ValueError("these scores are not those of the tiles that are left")
        return luck.choice(fitting)
    return luck.choices(left, [_readiness(tile, readily) for tile in left])[0]


def _readiness(tile: int, readily: float) -> float:
    return 0 if tile == CHEST else readily if FACES[tile] == "boot" else 1


def _last_tile(told: View, tiles: dict[int, int]) -> int:
    """The tile turned over last; one of several boots in the row is the one that can be."""
    last = told["last_cast"]
    if last["result"] == "chest":
        return CHEST
    start = SEA + ROW * last["seat"]
    if last["result"] == "boot":
        filled = 0
        while start + filled in tiles:
            filled += 1
        lately = [PLACES[name] for name in _shown_lately(told)]
        boots = [place for place in lately if FACES[tiles[place]] == last["face"]]
        return next(tiles[place] for place in boots if start <= place < start + filled)
    if last["face"] == "boot":
        return tiles[PLACES[last["place"]]]
    return FACES.index(last["face"])


def _turned(
    state: Any, told: View, tiles: dict[int, int], known: dict[int, str], shown: list[set[int]]
) -> int:
    """Tiles turned over at some time: those in rows, those anybody was shown, the chest taken."""
    turned = {tile for place, tile in tiles.items() if place >= SEA or place in known}
    if told["chest"] is not None:
        turned.add(CHEST)
    return _bits(turned.union(*shown))


def _bits(tiles: set[int]) -> int:
    return sum(1 << tile for tile in tiles)
