"""Lucky Catch, rule by rule: each test plays a stacked sea with stacked dice, worked out by hand.

A sea is written as the faces of its first places; the rest of the box follows in the box's order.
Creatures are short: "rc" is the red crab, "bs" the blue sea bass, "B" a boot, "T" the chest; dice
are written the same way, "r c", "* c" for wild, "r *" for lucky.
"""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, Tables, find, load_bot, lucky_catch_v0
from miaui_env.engine.loops import engine_of
from miaui_env.games.lucky_catch.pieces import FACES
from tests.referee.lucky_catch import BOX, COLOUR_DIE, CREATURE_DIE

LETTERS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
BEASTS = {"p": "pufferfish", "c": "crab", "o": "octopus", "s": "sea bass"}


def face(short: str) -> str:
    """The face that two letters stand for."""
    if short in ("B", "T"):
        return {"B": "boot", "T": "chest"}[short]
    return f"{LETTERS[short[0]]}:{BEASTS[short[1]]}"


def sea(first: str) -> list[str]:
    """All 24 faces, these at the first places."""
    faces = [face(short) for short in first.split()]
    assert Counter(faces) <= Counter(BOX)
    return faces + list((Counter(BOX) - Counter(faces)).elements())


def rolls(dice: str) -> list[list[str]]:
    """`r c, * *` is red and crab, then wild and lucky."""
    return [
        [{**LETTERS, "*": "wild"}[a], {**BEASTS, "*": "lucky"}[b]]
        for a, b in (roll.split() for roll in dice.split(","))
    ]


def table(tiles: str, dice: str, seats: int = 3, first: int = 0, **options: Any) -> Any:
    """A game that begins with this sea, these dice, this seat."""
    env = lucky_catch_v0.env(seats, **options)
    env.reset(seed=4, options={"sea": sea(tiles), "dice": rolls(dice), "first": first})
    return env


def cast(env: Any, *places: str) -> None:
    """Turn over tiles, `4` of the sea, or `row1:0`, whoever is to act."""
    for place in places:
        view = see(env)
        area, _, index = place.rpartition(":")
        ahead = (int(area[3:]) - view["to_act"][0]) % view["num_players"] if area else 0
        env.step(24 + 23 * ahead + int(index) if area else int(index))


def see(env: Any, seat: int | None = None) -> Any:
    """What a seat sees; without a seat, what the referee sees."""
    return env.unwrapped.view(None if seat is None else f"player_{seat}")


def last(env: Any) -> Any:
    """What came of the last cast."""
    return see(env, 0)["last_cast"]["result"]


def row(env: Any, seat: int) -> list[str | None]:
    """The faces of a row, None for a gap."""
    view = see(env)
    held = view["rows"][seat]
    return [view["known"][f"row{seat}:{i}"] if here else None for i, here in enumerate(held)]


def legal(env: Any) -> list[int]:
    """What the seat to act may do."""
    mask = env.observe(env.agent_selection)["action_mask"]
    return [int(action) for action in np.flatnonzero(mask)]


def final(env: Any, what: str) -> list[float]:
    """What each seat is told at the end."""
    return [float(env.infos[f"player_{seat}"][what]) for seat in range(env.max_num_agents)]


# -- the box and the deal ---------------------------------------------------------------------


def test_the_box_holds_sixteen_creatures_seven_boots_and_a_chest_worth_eleven() -> None:
    env = lucky_catch_v0.env()
    env.reset(seed=0)
    assert Counter(see(env)["known"].values()) == Counter(BOX)
    assert len(set(BOX)) == 18 and BOX.count("boot") == 7 and BOX.count("chest") == 1
    assert 16 - 7 + 2 == 11


def test_l01_the_sea_is_shuffled_and_nothing_of_it_is_known() -> None:
    env = lucky_catch_v0.env(3)
    seas = set()
    for seed in range(20):
        env.reset(seed=seed)
        seas.add(tuple(see(env)["known"].values()))
        assert see(env, 1)["sea"] == [True] * 24 and see(env, 1)["known"] == {}
        assert see(env, 1)["rows"] == [[], [], []] and see(env, 1)["last_cast"] is None
    assert len(seas) == 20


def test_l01_the_first_seat_is_drawn() -> None:
    tables = Tables("lucky_catch", 3000, num_players=5, seed=1)
    tables.reset()
    begins = tables.to_act.sum(0)
    assert begins.sum() == 3000 and (abs(begins - 600) < 110).all()  # five sigma


def test_l01_the_first_seat_is_fixed_by_the_option_or_by_a_stacked_deal() -> None:
    env = lucky_catch_v0.env(4, first=2)
    for seed in range(10):
        env.reset(seed=seed)
        assert see(env, 0)["to_act"] == [2]
    env.reset(seed=0, options={"first": 3})
    assert see(env, 0)["to_act"] == [3]
    env.reset(seed=0)
    assert see(env, 0)["to_act"] == [2]


def test_l01_play_goes_clockwise_from_the_first_seat() -> None:
    env = table("rc gc bc yc", "g o, g o, g o, g o, g o", first=1)
    seats = []
    for place in "0123":
        seats += see(env, 0)["to_act"]
        cast(env, place)
    assert seats == [1, 2, 0, 1] and see(env, 0)["to_act"] == [2]


def test_l02_both_dice_show_each_side_as_often_as_they_have_it() -> None:
    tables = Tables("lucky_catch", 6000, num_players=2, seed=3)
    tables.reset()
    for field, die in (("colour", COLOUR_DIE), ("creature", CREATURE_DIE)):
        rolled = np.bincount(tables.states[field], minlength=6)
        expected = [0, *[1000] * 4, 2000]
        assert len(die) == 6 and rolled[0] == 0
        assert (abs(rolled - expected) < 5 * np.sqrt(np.maximum(expected, 1))).all(), rolled


def test_l02_the_dice_of_a_cast_do_not_hang_on_what_was_played_before() -> None:
    told = []
    for places in ("01", "23"):
        env = lucky_catch_v0.env(2)
        env.reset(seed=8, options={"dice": rolls("g o, b s"), "sea": sea("rc rp ro rs")})
        cast(env, *places)
        told.append(see(env, 0)["dice"])
    assert told[0] == told[1]


def test_l02_any_tile_may_be_turned_over_and_nothing_else() -> None:
    """Seat 0 took two, seat 1 is to act: all but the two empty places, and those two in row 0."""
    env = table("rc gc bc", "r c, g c, r s, r c")
    assert legal(env) == list(range(24))
    cast(env, "0", "1", "2")
    assert legal(env) == [*range(2, 24), 24 + 2 * 23, 25 + 2 * 23]
    assert env.observe("player_0")["action_mask"].sum() == 0
    cast(env, "row0:1")
    assert env.agent_selection == "player_2"
    assert legal(env) == [*range(2, 24), 24 + 23, 25 + 23]


def test_l02_everyone_sees_the_tile() -> None:
    env = table("rc gc", "g o")
    cast(env, "1")
    for seat in range(3):
        assert see(env, seat)["known"] == {"sea:1": "green:crab"}
        assert see(env, seat)["last_cast"] == {
            "seat": 0,
            "dice": ["green", "octopus"],
            "place": "sea:1",
            "face": "green:crab",
            "result": "miss",
        }


# -- matching ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "tile", "result"),
    [
        ("r *", "rc", "match"),  # the page's example: red and lucky
        ("r *", "ro", "match"),
        ("r *", "bc", "miss"),
        ("r c", "rc", "match"),
        ("r c", "ro", "miss"),
        ("r c", "gc", "miss"),
        ("* c", "gc", "match"),
        ("* c", "gs", "miss"),
        ("* *", "ys", "match"),
        ("* *", "B", "boot"),
        ("* *", "T", "chest"),
        ("r c", "T", "chest"),
        ("r c", "B", "boot"),
    ],
)
def test_l03_a_tile_matches_if_colour_and_creature_fit(dice: str, tile: str, result: str) -> None:
    env = table(tile, f"{dice}, r c")
    cast(env, "0")
    assert last(env) == result
    assert see(env, 0)["to_act"] == ([0] if result == "match" else [1])


def test_l03_every_roll_matches_what_the_rule_says() -> None:
    """All 25 rolls by all 24 tiles; exact 1 tile, wild or lucky 4, both 16."""
    game = find("lucky_catch")
    tables = Tables("lucky_catch", 24, num_players=2, auto_reset=False)
    for colour in range(1, 6):
        for creature in range(1, 6):
            tables.reset()
            tables.states["place"], tables.states["colour"] = np.arange(24), colour
            tables.states["creature"] = creature
            first = tables.to_act.argmax(1)
            actions = np.where(np.arange(2) == first[:, None], np.arange(24)[:, None], -1)
            tables.step(actions)
            found = Counter(tables.view(i, 0)["last_cast"]["result"] for i in range(24))
            matches = (4 if colour == 5 else 1) * (4 if creature == 5 else 1)
            wanted = {"match": matches, "miss": 16 - matches, "boot": 7, "chest": 1}
            assert found == Counter(wanted), (colour, creature)
    assert FACES.count("boot") == 7 and game.version == 0


def test_l04_wild_and_lucky_together_close_all_rows_the_own_one_too() -> None:
    """The page's example; seat 1 has a tile, seat 0 another, and seat 0 is to act."""
    env = table("rc gc bc", "r c, r s, g c, r s, r s, * *, * *, r c")
    cast(env, "0", "2", "1", "2", "2")
    assert (row(env, 0), row(env, 1)) == (["red:crab"], ["green:crab"])
    assert see(env, 0)["dice"] == ["wild", "lucky"]
    assert legal(env) == list(range(2, 24))
    agent = env.agent_selection
    with pytest.raises(ValueError, match=f"seat {agent[-1]}"):
        env.step(24)
    cast(env, "2")
    assert last(env) == "match" and legal(env) == list(range(3, 24))


def test_l04_a_boot_on_a_lucky_catch_is_taken_and_ends_the_turn() -> None:
    env = table("B rc", "* *, r c")
    cast(env, "0")
    assert row(env, 0) == ["boot"] and see(env, 0)["to_act"] == [1]


# -- taking -----------------------------------------------------------------------------------


def test_l05_a_match_from_the_sea_goes_to_the_end_of_the_row_and_one_casts_again() -> None:
    env = table("rc gc", "r c, g c, r c")
    cast(env, "0")
    assert row(env, 0) == ["red:crab"] and see(env, 1)["rows"][0] == [True]
    assert see(env, 1)["sea"][:2] == [False, True] and see(env, 0)["to_act"] == [0]
    cast(env, "1")
    assert row(env, 0) == ["red:crab", "green:crab"]


def test_l05_a_match_in_anothers_catch_is_stolen() -> None:
    env = table("rc bc", "r c, r s, * c, b o")
    cast(env, "0", "1", "row0:0")
    assert (row(env, 0), row(env, 1)) == ([], ["red:crab"])
    assert see(env, 0)["to_act"] == [1] and see(env)["scores"] == [0, 1, 0]
    assert see(env, 2)["last_cast"]["place"] == "row0:0"
    assert see(env, 2)["known"] == {"sea:1": "blue:crab", "row1:0": "red:crab"}


def test_l05_a_match_in_ones_own_catch_stays_and_one_casts_again() -> None:
    env = table("rc gc", "r c, r *, * c, g o, b s")
    cast(env, "0", "row0:0")
    assert last(env) == "match" and row(env, 0) == ["red:crab"]
    assert see(env, 0)["to_act"] == [0] and see(env)["scores"] == [1, 0, 0]
    cast(env, "row0:0")
    assert see(env, 0)["to_act"] == [0] and see(env, 0)["casts"] == 3
    cast(env, "row0:0")  # green, octopus: no match
    assert last(env) == "miss" and row(env, 0) == ["red:crab"] and see(env, 0)["to_act"] == [1]


@pytest.mark.parametrize("place", ["1", "row0:0"])
def test_l06_what_does_not_match_is_turned_back_and_the_turn_ends(place: str) -> None:
    """Seat 0 took the red crab; seat 1 misses it there, or the green crab in the sea."""
    env = table("rc gc bc", "r c, r s, y o, y o")
    cast(env, "0", "2")
    before = see(env)
    cast(env, place)
    assert last(env) == "miss" and see(env, 0)["to_act"] == [2]
    for what in ("sea", "rows", "known", "scores"):
        assert see(env)[what] == before[what]


def test_l06_a_boot_in_ones_own_catch_is_just_a_miss() -> None:
    """Seat 0 must take a boot, and turns it over again at its next cast, on any roll."""
    env = table("B gc", "r c, r s, r s, r c, r c")
    cast(env, "0", "1", "1", "row0:0")
    assert last(env) == "miss" and row(env, 0) == ["boot"]
    assert see(env, 0)["to_act"] == [1] and see(env)["scores"] == [-1, 0, 0]


def test_l07_a_boot_from_the_sea_must_be_taken_and_ends_the_turn() -> None:
    env = table("rc B", "r c, r c, r c")
    cast(env, "0", "1")
    assert row(env, 0) == ["red:crab", "boot"] and see(env, 0)["to_act"] == [1]
    assert last(env) == "boot" and see(env)["scores"] == [0, 0, 0]


def test_l07_a_boot_in_anothers_catch_must_be_taken_and_ends_the_turn() -> None:
    env = table("B", "r c, r c, r c")
    cast(env, "0", "row0:0")
    assert (row(env, 0), row(env, 1)) == ([], ["boot"])
    assert last(env) == "boot" and see(env, 0)["to_act"] == [2]
    assert see(env)["scores"] == [0, -1, 0]


@pytest.mark.parametrize("again", [False, True])
def test_l08_the_chest_is_two_points_and_its_finder_casts_again_only_by_the_option(
    again: bool,
) -> None:
    env = table("T rc", "* *, r c, r c", chest_casts_again=again)
    cast(env, "0")
    assert last(env) == "chest" and see(env, 2)["chest"] == 0
    assert see(env, 2)["rows"] == [[], [], []] and see(env)["scores"] == [2, 0, 0]
    assert see(env, 0)["to_act"] == [0 if again else 1]


def test_l08_the_chest_lies_in_no_place_and_cannot_be_stolen() -> None:
    env = table("rc T gc", "r c, r c, r c, r c")
    cast(env, "0", "1")
    assert legal(env) == [*range(2, 24), 24 + 2 * 23]
    for seat in range(3):
        assert "chest" not in see(env, seat)["known"].values()
        assert see(env, seat)["last_cast"]["place"] == "sea:1"
    assert "chest" not in see(env)["known"].values()
    assert see(env, 0)["known"] == {}  # its own decision turned over the chest, which lies nowhere


# -- rows -------------------------------------------------------------------------------------


def test_l09_a_stolen_tile_leaves_a_gap_that_the_next_tile_fills() -> None:
    """The page's example: row [A, gap, C], the next goes to index 1, then the next to 3."""
    tiles, dice = "rc gc bc yc rs gs", "r c, g c, b c, b p, g c, b p, b p, y c, r s, g s, b p"
    env = table(tiles, dice)
    cast(env, "0", "1", "2", "4", "row0:1", "4", "4")
    assert row(env, 0) == ["red:crab", None, "blue:crab"] and row(env, 1) == ["green:crab"]
    assert see(env, 1)["rows"][0] == [True, False, True]
    assert 24 + 1 not in legal(env)
    cast(env, "3")
    assert row(env, 0) == ["red:crab", "yellow:crab", "blue:crab"]
    cast(env, "4")
    assert row(env, 0)[3:] == ["red:sea bass"]


def test_l09_the_first_of_several_gaps_is_filled_first_and_gaps_at_the_end_are_no_places() -> None:
    """Seat 1 steals places 0, 2 and 3 of [A, B, C, D]; seat 0 then takes E: [E, B]."""
    tiles, dice = "rc gc bc yc rs", "r c, g c, b c, y c, b p, r c, b c, y c, b p, b p, r s, b p"
    env = table(tiles, dice)
    cast(env, "0", "1", "2", "3", "4", "row0:0", "row0:2", "row0:3")
    assert see(env, 2)["rows"] == [[False, True], [True, True, True], []]
    cast(env, "4", "4", "4")
    assert row(env, 0) == ["red:sea bass", "green:crab"]


def test_l09_a_boot_fills_a_gap_too() -> None:
    env = table("rc gc B", "r c, g c, b p, r c, b p, b p, r c, b p")
    cast(env, "0", "1", "5", "row0:0", "5", "5", "2")
    assert row(env, 0) == ["boot", "green:crab"]


# -- the end ----------------------------------------------------------------------------------

ORDER = "B B B B B B B T rp rc ro rs gp gc go gs bp bc bo bs yp yc yo ys"


def nearly_over(dice: str, seats: int = 2, **options: Any) -> Any:
    """Boots to 0 and 1 in turn, 4 and 3; the chest to 1; 15 creatures to 0: only ys is left."""
    env = table(ORDER, ", ".join(["r c"] * 8 + ["* *"] * 15 + [dice]), seats, **options)
    cast(env, *map(str, range(23)))
    return env


def test_l10_the_last_tile_ends_the_game_at_once_even_by_a_match() -> None:
    env = nearly_over("y s")
    assert see(env, 1)["to_act"] == [0] and see(env, 1)["scores"] is None
    cast(env, "23")
    assert last(env) == "match" and see(env, 1)["to_act"] == [] and see(env, 1)["dice"] is None
    assert see(env, 1)["sea"] == [False] * 24 and see(env, 1)["casts"] == 24
    assert see(env, 1)["scores"] == [16 - 4, 2 - 3]
    assert final(env, "points") == [12, -1] and final(env, "win_share") == [1, 0]


def test_l10_the_game_goes_on_while_a_tile_is_left_in_the_sea() -> None:
    env = nearly_over("r c, r c, r c")
    cast(env, "23")
    assert last(env) == "miss" and see(env, 0)["to_act"] == [1]
    assert see(env, 0)["scores"] is None and see(env)["scores"] == [15 - 4, 2 - 3]


def all_lucky(tiles: str, seats: int) -> Any:
    """A whole game of wild and lucky, tile by tile."""
    env = lucky_catch_v0.env(seats)
    dice = [["wild", "lucky"]] * 24
    env.reset(seed=0, options={"sea": sea(tiles), "dice": dice, "first": 0})
    cast(env, *map(str, range(24)))
    return env


CREATURES = "rp rc ro rs gp gc go gs bp bc bo bs yp yc yo ys"


@pytest.mark.parametrize(
    ("tiles", "result", "scores"),
    [
        # The chest to 0; boots to 1, 0, 1, 0, 1, 0; all creatures and the last boot to 1.
        (f"T B B B B B B {CREATURES} B", "boot", [2 - 3, 16 - 4]),
        # Boots to 0, 1, 0, 1, 0, 1, 0; all creatures and the chest to 1.
        (f"B B B B B B B {CREATURES} T", "chest", [-4, 16 - 3 + 2]),
    ],
)
def test_l10_the_last_tile_may_be_a_boot_or_the_chest(
    tiles: str, result: str, scores: list[int]
) -> None:
    env = all_lucky(tiles, 2)
    assert last(env) == result and see(env, 0)["scores"] == scores and sum(scores) == 11


def test_l10_ties_share_the_win() -> None:
    """Seat 0: six, a boot; 1: six, a boot; 2: the chest; then 1, 1, 2 with boots; two boots."""
    env = all_lucky("rp rc ro rs gp gc B go gs bp bc bo bs B T yp B yc B yo ys B B B", 3)
    assert final(env, "points") == [6 + 1 - 3, 6 + 1 - 3, 2 + 2 - 1]
    assert final(env, "win_share") == [0.5, 0.5, 0]


def test_l11_after_500_casts_the_game_ends_as_it_stands_and_the_dice_are_gone() -> None:
    """Seat 0 takes the red crab and turns it over again and again."""
    env = lucky_catch_v0.env(2)
    env.reset(seed=0, options={"sea": sea("rc"), "dice": [["red", "crab"]] * 500, "first": 0})
    cast(env, "0")
    for _ in range(498):
        cast(env, "row0:0")
    assert see(env, 1)["casts"] == 499 and see(env, 1)["to_act"] == [0]
    assert see(env, 1)["dice"] == ["red", "crab"]
    cast(env, "row0:0")
    view = see(env, 1)
    assert view["casts"] == 500 and view["to_act"] == [] and view["dice"] is None
    assert view["scores"] == [1, 0] and sum(view["sea"]) == 23
    assert view["last_cast"]["result"] == "match"
    assert final(env, "win_share") == [1, 0]


def test_l11_alone_lets_two_players_tie() -> None:
    """One crab each, then misses: 1 to 1."""
    env = lucky_catch_v0.env(2)
    dice = [["red", "crab"], ["red", "sea bass"], ["green", "crab"], *[["blue", "octopus"]] * 497]
    env.reset(seed=0, options={"sea": sea("rc gc bc"), "dice": dice, "first": 0})
    cast(env, "0", "2", "1")
    for _ in range(497):
        cast(env, "2")
    assert see(env, 0)["casts"] == 500
    assert final(env, "points") == [1, 1] and final(env, "win_share") == [0.5, 0.5]


def test_random_play_takes_about_110_casts() -> None:
    tables = Tables("lucky_catch", 2000, num_players=4, seed=2, auto_reset=False)
    tables.reset()
    while tables.to_act.any():
        tables.step(tables.random_actions())
    assert 106 < tables.states["turn"].mean() < 114
    assert (tables.final_points.sum(1) == 11).all()


# -- what a player may know -------------------------------------------------------------------


def test_a_view_is_what_the_page_on_views_says_key_by_key() -> None:
    """Its example: seat 1 took the red crab from place 4 and casts again; row0:2 is a boot."""
    env = table(
        "gc gs gp B rc bc", "g c, g s, r p, b p, r s, b c, * o, r c, r s, r s, r s", first=0
    )
    cast(env, "0", "1", "3")  # seat 0: green crab, green sea bass, boot
    keys = "game version seat num_players to_act casts dice sea rows chest known last_cast scores"
    view = see(env, 2)
    assert list(view) == keys.split()
    assert view["game"] == "lucky_catch" and view["version"] == 0 and view["seat"] == 2
    assert view["rows"] == [[True, True, True], [], []] and view["casts"] == 3
    assert view["known"] == {
        "row0:0": "green:crab",
        "row0:1": "green:sea bass",
        "row0:2": "boot",
    }
    assert see(env, 0)["known"] == {"row0:2": "boot"}
    assert list(see(env)) == keys.split() and len(see(env)["known"]) == 24
    assert json.loads(json.dumps(view)) == view


def test_the_table_shows_tiles_since_the_own_last_decision_wherever_they_lie_now() -> None:
    """Seat 0 takes the red crab, misses the green one; 1 steals the crab, misses; 2 misses."""
    env = table("rc gc bc yc", "r c, r s, r c, r s, r s, r s")
    cast(env, "0", "1", "row0:0", "2", "3")
    assert see(env, 0)["known"] == {
        "sea:1": "green:crab",
        "sea:2": "blue:crab",
        "sea:3": "yellow:crab",
        "row1:0": "red:crab",
    }
    assert see(env, 1)["known"] == {"sea:2": "blue:crab", "sea:3": "yellow:crab"}
    assert see(env, 2)["known"] == {"sea:3": "yellow:crab"}
    cast(env, "1")
    assert see(env, 0)["known"] == {"sea:1": "green:crab"}


def test_the_own_catch_and_the_own_score_are_not_shown() -> None:
    env = table("rc gc bc yc", "r c, r s, r s, r s, r s")
    cast(env, "0", "1", "2", "3")
    assert see(env, 0)["rows"][0] == [True] and "row0:0" not in see(env, 0)["known"]
    assert all(see(env, seat)["scores"] is None for seat in range(3))


def test_perfect_recall_knows_every_tile_ever_turned_over_and_what_is_recent() -> None:
    env = table("rc gc bc yc B", "r c, r s, r s, r s, y o, b o", perfect_recall=True)
    cast(env, "0", "1", "2", "3", "4")
    for seat in range(3):
        assert see(env, seat)["known"] == {
            "sea:1": "green:crab",
            "sea:2": "blue:crab",
            "sea:3": "yellow:crab",
            "row0:0": "red:crab",
            "row0:1": "boot",
        }
    assert see(env, 0)["recent"] == ["row0:1"]
    assert see(env, 1)["recent"] == ["sea:2", "sea:3", "row0:1"]
    assert "recent" not in see(env)
    setup = env.unwrapped.setup
    observation = env.observe("player_1")["observation"]
    assert setup.layout.read(observation, "recalled_scores").tolist() == [0, 0, 0]
    # Unseen: 12 creatures, 6 boots, the chest; blue and octopus is among them.
    assert see(env, 1)["dice"] == ["blue", "octopus"]
    assert setup.layout.read(observation, "unseen").tolist() == [12, 6, 1, 1]


def test_observations_say_which_known_tiles_fit_the_dice() -> None:
    env = table("rc gc bc", "r c, r s, g c, r *, r c")
    cast(env, "0", "1", "2")  # seat 0 takes rc, misses gc; seat 1 misses bc
    setup = env.unwrapped.setup
    observation = env.observe("player_2")["observation"]
    assert see(env, 2)["dice"] == ["red", "lucky"]
    assert setup.layout.read(observation, "sea_fits").tolist()[:4] == [0, -1, -1, 0]
    rows = setup.layout.read(observation, "rows_fits")
    assert rows[1].tolist() == [1] + [0] * 22 and not rows[[0, 2]].any()


def test_stacked_dice_are_forgotten_by_the_next_deal() -> None:
    tables = Tables("lucky_catch", 1, num_players=2, seed=1)
    env = table("rc", "r c, r c", seats=2)
    env.reset(seed=1)
    tables.reset()
    assert see(env, 0)["dice"] == tables.view(0, 0)["dice"]
    assert env.unwrapped.get_state() is not None
    assert not env.unwrapped.table.tables.states["dice_ahead"].any()


# -- options refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"first": 4}, "first is 0 to 3, not 4"),
        ({"first": -1}, "first is 0 to 5, not -1"),
        ({"first": True}, "first is a whole number"),
        ({"first": "0"}, "first is a whole number"),
        ({"chest_casts_again": 1}, "chest_casts_again is True or False"),
        ({"chest_again": True}, "did you mean 'chest_casts_again'"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        lucky_catch_v0.env(4, **options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"sea": BOX[:-1]}, "sea holds 23 tiles, but the box has 24"),
        ({"sea": ["boot"] * 24}, "one 'boot' too many: the box has 7"),
        ({"sea": ["red:crab", "red:crab", *BOX[2:]]}, "one 'red:crab' too many"),
        ({"sea": ["red:shark", *BOX[1:]]}, "unknown tile 'red:shark'"),
        ({"sea": "boot"}, "sea is a list of 24 faces"),
        ({"dice": [["red", "crab", "crab"]]}, "a roll is"),
        ({"dice": [["crab", "red"]]}, "no side 'crab' of a die that has red, green"),
        ({"dice": [["red", None]]}, "no side None"),
        ({"dice": "red crab"}, "dice is a list"),
        ({"dice": [["red", "crab"]] * 501}, "at most 500 casts"),
        ({"first": 3}, "first is 0 to 2, not 3"),
    ],
)
def test_stacked_deals_that_do_not_fit_are_refused(options: dict[str, Any], complaint: str) -> None:
    env = lucky_catch_v0.env(3)
    with pytest.raises(ValueError, match=complaint):
        env.reset(seed=0, options=options)


def test_a_sea_bass_may_be_written_with_an_underscore() -> None:
    env = lucky_catch_v0.env(2)
    stacked = {"sea": [name.replace(" ", "_") for name in BOX], "dice": [["red", "sea_bass"]]}
    env.reset(seed=0, options=stacked)
    assert see(env)["known"]["sea:3"] == "red:sea bass"
    assert see(env)["dice"] == ["red", "sea bass"]


# -- what is imagined -------------------------------------------------------------------------


def imagined(tables: Tables, seat: int, key: int) -> np.ndarray:
    states = np.repeat(tables.states[:1], 400)
    keys = np.arange(400, dtype=np.uint64) + np.uint64(1000 * key)
    engine_of(tables.setup.game).imagine(states, np.full(400, seat), keys)
    return states


def test_perfect_recall_imagines_the_unseen_tiles_anywhere_and_nothing_else() -> None:
    """After a miss at 0, the other 23 tiles lie anywhere else, each as likely."""
    setup = Setup.of(find("lucky_catch"), 2, perfect_recall=True)
    tables = Tables(setup, 1, seed=0, auto_reset=False)
    tables.reset()
    tables.states["place"][0] = np.arange(24)
    tables.states["colour"], tables.states["creature"] = 4, 4  # yellow sea bass: tile 0 misses
    tables.step(np.where(tables.to_act, 0, -1))
    states = np.concatenate([imagined(tables, 0, key) for key in range(10)])
    assert (states["place"][:, 0] == 0).all()
    chest = np.bincount(states["place"][:, 23], minlength=24)
    assert chest[0] == 0 and (abs(chest[1:] - 4000 / 23) < 66).all()  # five sigma


def test_a_table_view_imagines_boots_about_as_often_as_random_play_takes_them() -> None:
    """Over random games: boots in rows, truly and as the seat to act would guess."""
    tables = Tables("lucky_catch", 1000, num_players=2, seed=4, auto_reset=False)
    tables.reset()
    for _ in range(60):
        tables.step(tables.random_actions())
    going = tables.states["over"] == 0
    states = tables.states.copy()
    seats, keys = tables.to_act.argmax(1), np.arange(1000, dtype=np.uint64)
    engine_of(tables.setup.game).imagine(states, seats, keys)
    boots = [(s["place"][going, 16:23] >= 24).sum(1).mean() for s in (tables.states, states)]
    assert going.sum() > 900 and abs(boots[0] - boots[1]) < 0.15, boots
    moved = (states["points"] != tables.states["points"]).any(1)[going].mean()
    assert moved > 0.5


def test_imagined_tables_add_up() -> None:
    """Catches are worth their tiles; tiles of rows were turned over, boots of the sea were not."""
    tables = Tables("lucky_catch", 300, num_players=3, seed=6, auto_reset=False)
    tables.reset()
    for step in range(90):
        states = tables.states.copy()
        seats, keys = np.full(300, step % 3), np.arange(300, dtype=np.uint64)
        engine_of(tables.setup.game).imagine(states, seats, keys)
        worth = np.array([1] * 16 + [-1] * 7)
        rows = (states["place"][:, :23] - 24) // 23
        for seat in range(3):
            points = ((rows == seat) * worth).sum(1) + 2 * (states["chest"] == seat)
            assert (points == states["points"][:, seat]).all()
        turned = (states["turned"][:, None] >> np.arange(24)) & 1
        assert (turned[:, :23][states["place"][:, :23] >= 24] == 1).all()
        in_sea = (states["place"] >= 0) & (states["place"] < 24)
        assert (turned[:, 16:][in_sea[:, 16:]] == 0).all()
        lately = np.bitwise_or.reduce(states["recent"], axis=1)
        assert (lately & ~states["turned"] == 0).all()
        tables.step(tables.random_actions())


def test_what_nobody_can_have_taken_is_not_imagined_in_a_row() -> None:
    """Seat 0 matched and missed, seat 1 missed: what seat 0 has is a creature, for it went on.

    Three casts, and the last was seat 1's: a boot would have ended a turn of seat 0's of its own.
    """
    env = table("rc gc bc", "r c, r s, r s, y o", seats=2)
    cast(env, "0", "1", "2")
    setup, view = env.unwrapped.setup, see(env, 0)
    assert "row0:0" not in view["known"]
    for key in range(50):
        states = setup.from_view(view, key)
        assert (states["points"][0][:2] == [1, 0]).all()
        assert setup.view(states[0], None)["known"]["row0:0"] != "boot"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"to_act": [1]}, "it is the cast of seat 0"),
        ({"to_act": []}, "no game is like that after 1 casts"),
        ({"casts": 0}, "no game is like that after 0 casts"),
        ({"known": {"sea:3": "boot"}}, "does not stay"),
        ({"known": {"row0:0": "red:crab", "sea:5": "red:crab"}}, "more of 'red:crab'"),
        ({"sea": [True] * 24}, "tiles to hide"),
        ({"last_cast": {"seat": 0}}, "no view of Lucky Catch"),
        ({"dice": ["red"]}, "not enough values"),
        ({"num_players": 4}, "num_players"),
        ({"recent": []}, "recall mode"),
    ],
)
def test_views_that_no_game_shows_are_refused(change: dict[str, Any], complaint: str) -> None:
    env = table("rc", "r c, g c")
    cast(env, "0")
    with pytest.raises(ValueError, match=complaint):
        env.unwrapped.setup.from_view({**see(env, 0), **change})


# -- bots -------------------------------------------------------------------------------------


def choice(env: Any, bot: str) -> str:
    """What the bot does at the cast to come, in words."""
    setup = env.unwrapped.setup
    seen = env.observe(env.agent_selection)
    asked = seen["observation"][None], seen["action_mask"][None], np.array([7], np.uint64)
    return str(setup.say(int(load_bot(bot).fitted(setup).act(*asked)[0])))


@pytest.mark.parametrize("bot", ["greedy", "rememberer"])
def test_bots_take_what_was_shown_lately_and_rather_from_another(bot: str) -> None:
    """Seat 0 took the red crab, and missed the red bass; seat 1 sees both, and red was rolled."""
    env = table("rc rs gc", "r c, g p, r *", perfect_recall=bot == "rememberer")
    cast(env, "0", "1")
    assert choice(env, bot) == "fish +2 0"
    env = table("rc rs gc", "r c, g p, r s", perfect_recall=bot == "rememberer")
    cast(env, "0", "1")
    assert choice(env, bot) == "fish sea 1"


def test_only_who_remembers_finds_a_tile_turned_over_long_ago() -> None:
    """Seat 1 misses the blue crab, then seats 2, 0, 1 and 2 miss others; seat 0 rolls it."""
    tiles, dice = "bc rs gs ys bs rp", "r c, r c, r c, r c, r c, r c, b c"
    forgetful, mindful = (table(tiles, dice, first=1, perfect_recall=on) for on in (False, True))
    for env in (forgetful, mindful):
        cast(env, "0", "1", "2", "3", "4", "5")
    assert see(mindful, 1)["to_act"] == [1]
    assert choice(mindful, "rememberer") == "fish sea 0"
    assert "sea:0" not in see(forgetful, 1)["known"]
    assert choice(forgetful, "greedy") == choice(mindful, "greedy") != "fish sea 0"


@pytest.mark.parametrize("bot", ["greedy", "rememberer"])
def test_bots_leave_known_boots_in_others_catches(bot: str) -> None:
    """On a red crab the sea is worth less than nothing: too many boots; a known miss costs none."""
    env = table("B gc gs", "r c, b p, r c", perfect_recall=bot == "rememberer")
    cast(env, "0", "1")
    assert choice(env, bot) == "fish sea 1"


# -- bounds that random play does not reach ---------------------------------------------------


def declared(env: Any, name: str) -> tuple[int, int]:
    """Least and greatest value that the observation's field is declared to have."""
    [field] = [field for field in env.unwrapped.setup.layout.fields if field.name == name]
    return field.low, field.high


def observed(env: Any, name: str, seat: int = 0) -> list[int]:
    """What the seat observes in that field."""
    observation = env.observe(f"player_{seat}")["observation"]
    return [int(x) for x in env.unwrapped.setup.layout.read(observation, name).ravel()]


def test_a_game_of_all_casts_is_as_long_as_declared() -> None:
    """Seat 0 takes the red crab and turns it over again, cast after cast: 500 = 3 · 128 + 116."""
    env = table("rc", ", ".join(["r c"] * 500), seats=2)
    cast(env, "0", *["row0:0"] * 499)
    assert see(env, 0)["casts"] == 500 and see(env, 0)["to_act"] == []
    assert observed(env, "casts_high") == [3] and declared(env, "casts_high") == (0, 3)
    assert observed(env, "casts_low") == [116]


@pytest.mark.parametrize("seats", [2, 6])
def test_the_longest_row_is_as_declared(seats: int) -> None:
    """Seat 0 takes all creatures; then a boot a round, while the others miss its pufferfish."""
    dice = ", ".join(["* *"] * 16 + ["g c"] * 7 * seats)
    env = table(f"{CREATURES} B B B B B B B T", dice, seats)
    cast(env, *map(str, range(16)))
    for boot in range(16, 23):
        cast(env, str(boot), *["row0:0"] * (seats - 1))
    assert sum(see(env, 0)["sea"]) == 1 and see(env, 0)["rows"][0] == [True] * 23
    assert observed(env, "row_sizes") == [23] + [0] * (seats - 1)
    assert declared(env, "row_sizes") == (0, 23)


@pytest.mark.parametrize("seats", [2, 6])
def test_the_worst_and_the_best_score_are_as_declared(seats: int) -> None:
    """Seat 0 takes a boot a round, seat 1 all creatures, then the last tile of the sea, the chest.

    In between all but seat 0 miss the pufferfish of seat 1.
    """
    dice = ["g c"] + ["* *"] * 16 + ["g c"] * (7 * seats)
    env = table(f"B B B B B B B {CREATURES} T", ", ".join(dice), seats, perfect_recall=True)
    cast(env, "0", *map(str, range(7, 23)), *["row1:0"] * (seats - 1))
    for boot in range(1, 7):
        cast(env, str(boot), *["row1:0"] * (seats - 1 if boot < 6 else 0))
    assert observed(env, "recalled_scores") == [-7, 16] + [0] * (seats - 2)
    assert observed(env, "scores") == [0] * seats
    cast(env, "23")
    for name in ("scores", "recalled_scores"):
        assert observed(env, name) == [-7, 18] + [0] * (seats - 2)
        assert declared(env, name) == (-7, 18)
