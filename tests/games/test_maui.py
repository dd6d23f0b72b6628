"""Maui, rule by rule: each test plays a stacked deal whose outcome was worked out by hand.

A tile is written by its letters, top to bottom: waves, palms, fish, fLowers, turtles. At a usual
table seat 0 buys from market row 0 and seat 1 passes its time with row 1: all tiles there, and its
start tile, have waves on top, so that on row 3 each meets the one before.
"""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, find, maui_v0
from miaui_env.games.maui import Buy, Free, Take, decode, encode
from miaui_env.games.maui.pieces import CELLS
from tests.referee.maui import BOX

LETTERS = {"w": "waves", "p": "palms", "f": "fish", "l": "flowers", "t": "turtles"}
IDLE = ["wft", "wpt", "wlp"]
USUAL = ["white", "white", "white", "black", "black", "black", "step:fish", "step:palms"]
IDLING = Buy(3, 3)
"""What seat 1 does at a usual table."""


def tile(letters: str) -> str:
    """`wfp` is waves/fish/palms."""
    return "/".join(LETTERS[letter] for letter in letters)


def bag(*letters: str) -> list[str]:
    """All 60 tiles, these first."""
    first = [tile(each) for each in letters]
    return first + [each for each in BOX if each not in first]


def table(
    start: str = "wfp", row: str = "lpt ltp plt", *, after: str = "", seats: int = 2, **chosen: Any
) -> Any:
    """A game in its first turn: seat 0's start tile, market row 0, what enters the market."""
    deal = {
        "bag": bag(start, "wfl", *["ltf", "ltw"][: seats - 2], *row.split(), *IDLE, *after.split()),
        "step_patterns": chosen.pop("step_patterns", ["fish", "palms"]),
        "umbrellas": [chosen.pop("umbrellas", USUAL)] * seats,
        "first": chosen.pop("first", 0),
    }
    env = maui_v0.env(num_players=seats, **chosen)
    env.reset(seed=5, options=deal)
    return env


def overhang(env: Any) -> int:
    return int(env.unwrapped.setup.options.overhang)


def do(env: Any, *moves: Any) -> None:
    """Play these moves."""
    for move in moves:
        env.step(encode(move, overhang(env)))


def legal(env: Any) -> list[Any]:
    """What the seat to move may do, by a fresh look at the record, see `state`."""
    mask = env.unwrapped.table.observation(env.unwrapped.seen_from())["action_mask"]
    return [decode(int(action), overhang(env)) for action in np.flatnonzero(mask)]


def state(env: Any) -> Any:
    """The record of the table, to put something there that would take long to play."""
    return env.unwrapped.table.tables.states[0]


def see(env: Any, seat: int | None = None) -> Any:
    """What a seat sees; without a seat, what the referee sees."""
    return env.unwrapped.view(None if seat is None else f"player_{seat}")


def about(env: Any, seat: int = 0) -> Any:
    return see(env)["seats"][seat]


def steps(env: Any, seat: int = 0) -> dict[str, int]:
    """The tracks on which the shell has moved."""
    return {name: step for name, step in about(env, seat)["tracks"].items() if step}


def numbers(*letters: str) -> list[int]:
    """Tiles as they stand in a record."""
    return [BOX.index(tile(each)) for each in letters]


def give(env: Any, seat: int, pattern: str) -> None:
    """A towel token in hand, won earlier."""
    bit = 1 << list(LETTERS.values()).index(pattern)
    state(env).track_tokens &= ~bit
    state(env).tokens[seat] |= bit


def fill(env: Any, seat: int, laid: int) -> None:
    """The beach as if so many tiles like the start tile had been laid."""
    state(env).columns[seat, 1 : laid + 1] = state(env).columns[seat, 0]
    state(env).tops[seat, 1 : laid + 1] = 3
    state(env).laid[seat] = laid


# -- the box ----------------------------------------------------------------------------------


def test_u01_there_is_one_tile_of_each_three_different_patterns() -> None:
    view = see(table())
    lying = [seat["columns"][0][1] for seat in view["seats"]] + view["market"][0]
    assert Counter([*lying, *view["market"][1], *view["bag"]]) == Counter(BOX)
    assert len(BOX) == 60 == len(set(BOX))
    assert all(len(set(each.split("/"))) == 3 for each in BOX)


def test_u01_the_bag_is_shuffled() -> None:
    env = maui_v0.env()
    orders = set()
    for seed in range(20):
        env.reset(seed=seed)
        orders.add(tuple(see(env)["bag"]))
    assert len(orders) == 20


@pytest.mark.parametrize(
    ("row", "value", "moves", "pattern"),
    [
        (1, 3, [("tlw", 1), ("tpf", 1)], "turtles"),
        (2, 2, [("tlw", 1), ("plf", 1)], "flowers"),
        (3, 1, [("tlw", 1), ("pfw", 1)], "waves"),
        (4, 1, [("tfl", 3)], "fish"),
        (5, 1, [("tlp", 3)], "palms"),
        (6, 2, [("ptl", 5), ("ftw", 5)], "turtles"),
        (7, 3, [("ptl", 5), ("fwl", 5)], "flowers"),
    ],
)
@pytest.mark.parametrize("flat", [False, True])
def test_u02_u12_a_match_is_worth_what_its_row_is_worth(
    row: int, value: int, moves: list[Any], pattern: str, flat: bool
) -> None:
    """U2, U12: 3, 2, 1, 1, 1, 2, 3 from the top; with `flat_match_points` 1 everywhere."""
    row_0 = [letters for letters, _ in moves] + ["lpt", "ltp"]
    env = table(row=" ".join(row_0[:3]), flat_match_points=flat)
    for _, top in moves[:-1]:
        do(env, Buy(0, top), IDLING)
    before = about(env)["tracks"][pattern]
    do(env, Buy(0, moves[-1][1]))
    assert about(env)["tracks"][pattern] - before == (1 if flat else value)
    top, shown = about(env)["columns"][-1]
    assert shown.split("/")[row - top] == pattern


def test_u03_umbrellas_lie_on_eight_cells_three_white_three_black_and_two_steps() -> None:
    env = maui_v0.env(num_players=4)
    env.reset(seed=1)
    view = see(env, 0)
    one, other = view["step_patterns"]
    assert one != other
    for seat in view["seats"]:
        assert list(seat["umbrellas"]) == [f"{column},{row}" for column, row in CELLS]
        assert Counter(seat["umbrellas"].values()) == Counter(
            ["white"] * 3 + ["black"] * 3 + [f"step:{one}", f"step:{other}"]
        )


def test_u03_each_beach_is_shuffled_and_the_step_patterns_are_drawn() -> None:
    env = maui_v0.env(num_players=3)
    pairs, beaches = set(), set()
    for seed in range(200):
        env.reset(seed=seed)
        view = see(env, 0)
        pairs.add(tuple(view["step_patterns"]))
        beaches |= {tuple(seat["umbrellas"].values()) for seat in view["seats"]}
    assert len(pairs) == 20, "every ordered pair of different patterns"
    assert len(beaches) > 400, "of three beaches each time, hardly two are alike"


def test_u04_a_tile_costs_0_1_or_2_dollars_by_its_place() -> None:
    """With 1 dollar, places 0 and 1 of both rows; all tiles fit here on row 3."""
    env = table(row="wpl wlt wtl")
    assert {move.tile for move in legal(env) if isinstance(move, Buy)} == {0, 1, 3, 4}
    for dollars, tiles in ((0, {0, 3}), (2, {0, 1, 2, 3, 4, 5})):
        state(env).dollars[0] = dollars
        assert {move.tile for move in legal(env) if isinstance(move, Buy)} == tiles


def test_u05_shells_start_at_0_and_a_token_lies_on_each_track() -> None:
    view = see(table(seats=4), 2)
    assert view["track_tokens"] == list(LETTERS.values())
    assert all(set(seat["tracks"].values()) == {0} for seat in view["seats"])
    assert all(list(seat["tracks"]) == list(LETTERS.values()) for seat in view["seats"])


def test_u05_a_track_has_no_end() -> None:
    env = table(row="tfl lpt ltp")
    state(env).tracks[0, 2] = 33
    do(env, Buy(0, 3))
    assert about(env)["tracks"]["fish"] == 34


# -- setup ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_u06_money_is_players_and_two_dollars_and_no_more_ever_enter(seats: int) -> None:
    env = maui_v0.env(num_players=seats)
    for seed in range(5):
        env.reset(seed=seed)
        view = see(env, 0)
        assert view["piles"] == [1, 1]
        assert [seat["dollars"] for seat in view["seats"]] == [1] * seats
        assert [seat["score"] for seat in view["seats"]] == [1] * seats
        while not all(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(np.flatnonzero(mask)[seed % mask.sum()]))
            view = see(env, 0)
            assert sum(seat["dollars"] for seat in view["seats"]) + sum(view["piles"]) == seats + 2


def test_u07_start_tiles_seat_by_seat_then_the_market_row_by_row() -> None:
    env = maui_v0.env(num_players=3)
    order = BOX[::-1]
    env.reset(seed=0, options={"bag": order, "first": 2})
    view = see(env)
    assert [seat["columns"] for seat in view["seats"]] == [[[3, each]] for each in order[:3]]
    assert view["market"] == [order[3:6], order[6:9]]
    assert view["bag"] == order[9:] and view["bag_size"] == 51
    assert view["unseen"] == {each: 1 for each in BOX if each in order[9:]}
    assert list(view["unseen"]) == [each for each in BOX if each in order[9:]]
    assert view["turn"] == 1 and view["first"] == 2 and view["to_act"] == [2]


def test_u07_who_begins_is_drawn() -> None:
    env = maui_v0.env(num_players=4)
    firsts = []
    for seed in range(60):
        env.reset(seed=seed)
        firsts.append(see(env, 0)["first"])
        assert env.agent_selection == f"player_{firsts[-1]}"
    assert set(firsts) == {0, 1, 2, 3}


# -- buying -----------------------------------------------------------------------------------


def test_u08_the_worked_example_of_a_legal_purchase() -> None:
    """Fish on row 4 matches fish, 1 step; waves on 5 does not match palms; turtles lie on 6."""
    env = table("wfp", "fwt lpt ltp")
    assert Buy(0, 4) in legal(env)
    do(env, Buy(0, 4))
    assert about(env)["columns"] == [[3, "waves/fish/palms"], [4, "fish/waves/turtles"]]
    assert steps(env) == {"fish": 1}
    assert about(env)["score"] == 2


def test_u08_the_worked_example_of_an_illegal_purchase() -> None:
    """With its top on row 3 the same tile matches nothing."""
    env = table("wfp", "fwt lpt ltp")
    assert Buy(0, 3) not in legal(env)
    with pytest.raises(ValueError, match="illegal"):
        do(env, Buy(0, 3))
    assert len(about(env)["columns"]) == 1


def test_u08_all_places_where_a_tile_fits() -> None:
    """Of waves/fish/palms on rows 3-5, fish/waves/turtles meets fish from 4, waves from 2."""
    env = table("wfp", "fwt lpt ltp")
    assert [move for move in legal(env) if isinstance(move, Buy) and move.tile == 0] == [
        Buy(0, 2),
        Buy(0, 4),
    ]


def test_u08_the_worked_example_of_a_payment() -> None:
    """Paying 2 for the dearest tile of market row 1 puts 2 dollars on row 1's pile."""
    env = table()
    state(env).dollars[0], state(env).piles[:] = 3, (0, 0)
    do(env, Buy(5, 3))
    assert see(env)["piles"] == [0, 2]
    assert about(env)["dollars"] == 1


def test_u08_tiles_go_into_one_column_after_the_other() -> None:
    env = table("wfp", "tfl tfw lpt")
    do(env, Buy(0, 3), IDLING, Buy(0, 3))
    assert [top for top, _ in about(env)["columns"]] == [3, 3, 3]
    assert [each for _, each in about(env)["columns"]] == [tile("wfp"), tile("tfl"), tile("tfw")]


EDGES = [("tlw", 1, "ftl", 0), ("ptl", 5, "tlf", 6)]
"""A tile that moves to an edge, and one that matches there in two rows while a fish hangs over."""


@pytest.mark.parametrize(("first", "edge", "second", "over"), EDGES)
def test_u08_a_section_may_hang_over_either_edge_for_a_penalty(
    first: str, edge: int, second: str, over: int
) -> None:
    env = table("wfp", f"{first} {second} lpt")
    do(env, Buy(0, edge), IDLING)
    do(env, Buy(0, over))
    assert about(env)["penalties"] == 1
    assert about(env)["columns"][-1] == [over, tile(second)]
    edges = {
        1: {"waves": 1, "turtles": 3, "flowers": 2},
        5: {"palms": 1, "turtles": 2, "flowers": 3},
    }
    assert steps(env) == edges[edge]


@pytest.mark.parametrize(("first", "edge", "second", "over"), EDGES)
def test_u08_without_overhang_nothing_hangs_over(
    first: str, edge: int, second: str, over: int
) -> None:
    env = table("wfp", f"{first} {second} lpt", overhang=0)
    do(env, Buy(0, edge), IDLING)
    assert {move.top for move in legal(env) if isinstance(move, Buy)} <= {1, 2, 3, 4, 5}
    with pytest.raises(ValueError, match="top is 1 to 5"):
        encode(Buy(0, over), 0)


@pytest.mark.parametrize(
    ("first", "edge", "second", "over"), [("tlw", 1, "fpt", -1), ("ptl", 5, "lpf", 7)]
)
def test_u08_with_overhang_2_two_sections_may_and_cost_two(
    first: str, edge: int, second: str, over: int
) -> None:
    """The one section left on row 1 or 7 matches there, for 3."""
    env = table("wfp", f"{first} {second} lpt", overhang=2)
    do(env, Buy(0, edge), IDLING)
    before = about(env)["score"]
    do(env, Buy(0, over))
    assert about(env)["penalties"] == 2
    assert about(env)["score"] == before + 3 - 2
    one = table("wfp", f"{first} {second} lpt", overhang=1)
    do(one, Buy(0, edge), IDLING)
    assert {move.top for move in legal(one) if isinstance(move, Buy)} <= set(range(7))


def test_u08_what_hangs_over_matches_nothing() -> None:
    """Flowers hang over above row 1, and in the next column, too: only turtles on row 1 meet."""
    env = table("wfp", "tpw ltf ltw")
    do(env, Buy(0, 1), IDLING, Buy(0, 0))
    assert steps(env) == {"waves": 1, "turtles": 3}
    do(env, IDLING, Buy(0, 0))
    assert steps(env) == {"waves": 1, "turtles": 6}
    assert about(env)["penalties"] == 2


# -- money ------------------------------------------------------------------------------------


def test_u09_all_dollars_of_a_pile() -> None:
    env = table()
    state(env).piles[1], state(env).dollars[1] = 2, 0
    do(env, Take(1))
    assert about(env)["dollars"] == 3
    assert see(env)["piles"] == [1, 0]
    assert len(about(env)["columns"]) == 1


def test_u09_an_empty_pile_may_not_be_taken() -> None:
    env = table()
    do(env, Take(1))
    assert Take(0) in legal(env)
    assert Take(1) not in legal(env)
    do(env, Take(0))
    assert not {Take(0), Take(1)} & set(legal(env))


# -- free tiles -------------------------------------------------------------------------------


def stuck() -> Any:
    """Seat 0 has 1 dollar, shows turtles on row 1 and flowers on row 2, and nothing fits.

    It has laid turtles/flowers/waves on row 1 (waves meet waves) and fish/turtles/flowers one
    higher (3 and 2 steps, 1 penalty, the pearl of column 3). The market shows waves, palms and
    fish in all orders, and both piles are empty.
    """
    env = table("wlt", "tlw ftl wpf")
    state(env).market[3:] = numbers("wfp", "pwf", "pfw")
    state(env).bag[state(env).top :][:2] = numbers("fwp", "fpw")
    do(env, Buy(0, 1), Take(0), Buy(0, 0), Take(1))
    assert see(env)["market"] == [
        [tile("wpf"), tile("fwp"), tile("fpw")],
        [tile("wfp"), tile("pwf"), tile("pfw")],
    ]
    assert about(env)["dollars"] == 1 and see(env)["piles"] == [0, 0]
    return env


def put_at(env: Any, place: int, letters: str) -> None:
    """Another tile at a place of the market."""
    state(env).market[place] = numbers(letters)[0]


ALL_FREE = [Free(place, top) for place in range(6) for top in range(1, 6)]


def test_u10_when_no_tile_fits_any_may_be_taken_for_nothing() -> None:
    assert legal(stuck()) == ALL_FREE


def test_u10_money_and_tokens_do_not_make_a_tile_fit() -> None:
    """A pile may be taken, and turtles laid on row 1: by section 0, or 1 with one hanging over."""
    env = stuck()
    state(env).piles[1] = 1
    give(env, 0, "turtles")
    with_token = [
        move for place in (0, 1, 3, 4) for move in (Buy(place, 0, (1, 4)), Buy(place, 1, (0, 4)))
    ]
    assert legal(env) == [*with_token, Take(1), *ALL_FREE]


def test_u10_a_free_tile_costs_a_penalty_moves_no_shell_and_lifts_umbrellas() -> None:
    """It covers the umbrella on column 4, row 6; the market is refilled as always."""
    env = stuck()
    before = steps(env)
    assert about(env)["penalties"] == 1 and about(env)["pearls"]["white"] == 1
    do(env, Free(2, 4))
    assert about(env)["dollars"] == 1 and see(env)["piles"] == [0, 0]
    assert about(env)["penalties"] == 2
    assert about(env)["columns"][-1] == [4, tile("fpw")]
    assert steps(env) == before == {"waves": 1, "turtles": 3, "flowers": 2}
    assert about(env)["pearls"]["white"] == 2
    assert see(env)["market"][0][:2] == [tile("wpf"), tile("fwp")]


def test_u10_a_tile_that_fits_only_by_hanging_over_fits() -> None:
    """palms/waves/flowers meets flowers on row 2 with its top on row 0, and only there."""
    env = stuck()
    put_at(env, 0, "pwl")
    assert legal(env) == [Buy(0, 0)]
    low = table("wlt", overhang=0)
    state(low).market[:] = numbers("pwl", "fwp", "fpw", "wfp", "pwf", "pfw")
    state(low).front[0] = (0, 0, 0, 2, 1)  # as in `stuck`
    assert legal(low) == [Take(0), Take(1), *ALL_FREE]


def test_u10_a_tile_that_fits_but_is_too_dear_still_fits() -> None:
    """With money to be had on a pile there is no free tile, though nothing can be bought."""
    env = stuck()
    put_at(env, 5, "pwl")
    state(env).piles[0] = 1
    assert legal(env) == [Take(0)]


@pytest.mark.parametrize(("dollars", "place"), [(0, 1), (0, 5), (1, 2)])
def test_u10_when_nothing_else_is_legal_what_does_not_fit_is_free(dollars: int, place: int) -> None:
    """The one tile that fits cannot be paid, and both piles are empty: not that one, any other."""
    env = stuck()
    put_at(env, place, "pwl")
    state(env).dollars[0] = dollars
    assert legal(env) == [move for move in ALL_FREE if move.tile != place]


def test_u10_a_purchase_with_a_token_is_something_else_that_is_legal() -> None:
    env = stuck()
    put_at(env, 1, "pwl")
    state(env).dollars[0] = 0
    give(env, 0, "turtles")
    assert legal(env) == [
        move for place in (0, 3) for move in (Buy(place, 0, (1, 4)), Buy(place, 1, (0, 4)))
    ]


# -- tokens -----------------------------------------------------------------------------------


def test_u11_a_token_makes_the_match_scores_it_and_meets_the_next_tile() -> None:
    """turtles/flowers/waves on row 3 meets nothing; with fish in the middle it meets fish."""
    env = table("wfp", "tlw pfl plf")
    assert Buy(0, 3) not in legal(env) and Buy(0, 3, (1, 2)) not in legal(env)
    give(env, 0, "fish")
    assert Buy(0, 3) not in legal(env) and Buy(0, 3, (1, 2)) in legal(env)
    do(env, Buy(0, 3, (1, 2)))
    assert about(env)["columns"][-1] == [3, "turtles/fish/waves"]
    assert about(env)["tokens"] == []
    assert steps(env) == {"fish": 1}
    do(env, IDLING)
    assert Buy(0, 3) in legal(env), "palms/fish/flowers meets the token"
    do(env, Buy(0, 3), IDLING)
    assert steps(env) == {"fish": 2}


def test_u11_the_printed_pattern_counts_no_more() -> None:
    """The flowers under the token meet no flowers."""
    env = table("wfp", "tlw plf lpt")
    give(env, 0, "fish")
    do(env, Buy(0, 3, (1, 2)), IDLING)
    assert Buy(0, 3) not in legal(env)


def test_u11_a_token_may_cover_its_own_pattern() -> None:
    env = table("wfp", "tfl lpt ltp")
    give(env, 0, "fish")
    do(env, Buy(0, 3, (1, 2)))
    assert about(env)["columns"][-1] == [3, tile("tfl")]
    assert about(env)["tokens"] == [] and steps(env) == {"fish": 1}


def test_u11_a_token_may_not_cover_the_only_match() -> None:
    env = table("wfp", "tfl lpt ltp")
    give(env, 0, "turtles")
    moves = legal(env)
    assert Buy(0, 3) in moves and Buy(0, 3, (0, 4)) in moves and Buy(0, 3, (2, 4)) in moves
    assert Buy(0, 3, (1, 4)) not in moves


def test_u11_two_matches_with_the_same_pattern() -> None:
    """A tile that shows fish twice beside another that does: 2 steps on one track."""
    env = table("wfp", "tfl lpt ltp")
    state(env).front[0] = (0, 0, 0b0011000, 0, 0)  # fish on rows 4 and 5
    give(env, 0, "fish")
    do(env, Buy(0, 3, (2, 2)))
    assert about(env)["columns"][-1] == [3, "turtles/fish/fish"]
    assert steps(env) == {"fish": 2}


def test_u11_a_token_lies_on_the_beach() -> None:
    """fish/turtles/flowers with its fish hanging over: the token goes on the two others only."""
    env = table("wfp", "tlw ftl lpt")
    do(env, Buy(0, 1), IDLING)
    give(env, 0, "waves")
    tokens = [move.token for move in legal(env) if isinstance(move, Buy) and move[:2] == (0, 0)]
    assert tokens == [None, (1, 0), (2, 0)]


def test_u11_one_token_a_turn() -> None:
    env = table("wfp", "tfl lpt ltp")
    give(env, 0, "fish")
    give(env, 0, "waves")
    do(env, Buy(0, 3, (0, 0)))
    assert about(env)["columns"][-1] == [3, "waves/fish/flowers"]
    assert steps(env) == {"waves": 1, "fish": 1}
    assert about(env)["tokens"] == ["fish"]
    assert env.agent_selection == "player_1"


def test_u11_only_own_tokens() -> None:
    env = table()
    give(env, 1, "fish")
    assert not any(isinstance(move, Buy) and move.token for move in legal(env))


# -- matches and umbrellas --------------------------------------------------------------------


def test_u12_each_match_moves_the_shell_of_its_pattern() -> None:
    """Turtles on row 3, fish on row 4, 1 each; flowers meet palms."""
    env = table("tfp", "tfl lpt ltp")
    do(env, Buy(0, 3))
    assert steps(env) == {"fish": 1, "turtles": 1}
    assert steps(env, 1) == {}


def test_u12_an_observation_tells_what_each_tile_would_bring() -> None:
    """The second worked tile: 1 for top 2 and top 4, nothing elsewhere."""
    env = table("wfp", "fwt lpt ltp")
    layout = env.unwrapped.setup.layout
    gains = layout.read(env.observe("player_0")["observation"], "gains")
    assert gains[0].tolist() == [0, 0, 1, 0, 1, 0, 0]
    front = layout.read(env.observe("player_0")["observation"], "front")
    assert [np.flatnonzero(rows).tolist() for rows in front[0]] == [[2], [4], [3], [], []]


def test_u13_a_pearl_is_kept_and_what_is_not_covered_stays() -> None:
    """Column 3 has its umbrella on row 2, under a tile on row 1; one on row 3 misses it."""
    env = table("wfp", "tlw tpf pfl")
    do(env, Buy(0, 1), IDLING, Buy(0, 1), IDLING)
    assert about(env)["pearls"] == {"white": 1, "black": 0}
    assert "3,2" not in about(env)["umbrellas"]
    assert about(env, 1)["pearls"] == {"white": 0, "black": 0}
    assert about(env, 1)["umbrellas"]["3,2"] == "white"
    assert list(about(env, 1)["umbrellas"].values()) == USUAL


def test_u13_a_step_moves_its_shell_by_1_in_any_row() -> None:
    """Row 2 is worth 2, the umbrella on it 1; turtles meet on row 1."""
    env = table("wfp", "tlw tpf pfl", umbrellas=["step:palms", *USUAL[:7]])
    do(env, Buy(0, 1), IDLING, Buy(0, 1))
    assert steps(env) == {"waves": 1, "palms": 1, "turtles": 3}


def test_u13_there_is_never_more_than_one_umbrella_under_a_tile() -> None:
    assert CELLS == ((3, 2), (4, 6), (6, 4), (7, 1), (8, 5), (10, 7), (11, 3), (12, 4))
    assert len({column for column, _ in CELLS}) == 8


# -- towel tokens -----------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "won"), [(4, False), (5, True)])
def test_u14_who_reaches_step_6_takes_the_token(before: int, won: bool) -> None:
    env = table("wfp", "tfl lpt ltp")
    state(env).tracks[0, 2] = before
    do(env, Buy(0, 3))
    assert about(env)["tokens"] == ["fish"] * won
    assert ("fish" not in see(env)["track_tokens"]) == won


def test_u14_passing_it_is_enough() -> None:
    """Turtles from 4 by 3, on row 1, to 7."""
    env = table("wfp", "tlw tpf lpt")
    do(env, Buy(0, 1), IDLING)
    state(env).tracks[0, 4] = 4
    do(env, Buy(0, 1))
    assert steps(env)["turtles"] == 7
    assert about(env)["tokens"] == ["turtles"]


def test_u14_a_step_of_an_umbrella_wins_it_too() -> None:
    env = table("wfp", "tlw tpf lpt", umbrellas=["step:palms", *USUAL[:7]])
    do(env, Buy(0, 1), IDLING)
    state(env).tracks[0, 1] = 5
    do(env, Buy(0, 1))
    assert about(env)["tokens"] == ["palms"]


def test_u14_several_at_once() -> None:
    env = table("tfp", "tfl lpt ltp")
    state(env).tracks[0, 2] = state(env).tracks[0, 4] = 5
    do(env, Buy(0, 3))
    assert about(env)["tokens"] == ["fish", "turtles"]
    assert see(env)["track_tokens"] == ["waves", "palms", "flowers"]


def test_u14_only_the_first_shell_takes_it() -> None:
    env = table("wfp", "tfl lpt ltp")
    state(env).tracks[0, 2], state(env).tracks[1, 2] = 5, 5
    do(env, Buy(0, 3))
    state(env).front[1] = (0, 0, 0b1000, 0, 0)
    do(env, IDLING)  # waves/fish/turtles meets fish on row 4
    assert steps(env, 1)["fish"] == 6
    assert about(env)["tokens"] == ["fish"] and about(env, 1)["tokens"] == []


def test_u14_it_can_be_used_from_the_next_turn_on() -> None:
    """The tile that wins fish cannot carry it; the next one can, on all three sections."""
    env = table("wfp", "tfl lfp lwf")
    state(env).tracks[0, 2] = 5
    assert not any(isinstance(move, Buy) and move.token for move in legal(env))
    do(env, Buy(0, 3), IDLING)
    used = {move.token for move in legal(env) if isinstance(move, Buy) and move.token}
    assert used == {(0, 2), (1, 2), (2, 2)}


# -- the market -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "left"), [(0, "wlt wtl ptf"), (1, "wpl wtl ptf"), (2, "wpl wlt ptf")]
)
def test_u15_tiles_slide_to_the_cheap_side_and_a_new_one_is_dear(place: int, left: str) -> None:
    env = table(row="wpl wlt wtl", after="ptf lfp")
    state(env).dollars[0] = 2
    do(env, Buy(place, 3))
    assert see(env)["market"] == [[tile(each) for each in left.split()], [*map(tile, IDLE)]]
    do(env, IDLING)
    assert see(env)["market"][1] == [tile(each) for each in ("wpt", "wlp", "lfp")]
    assert see(env)["bag_size"] == 60 - 8 - 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_u15_the_bag_does_not_run_out(seats: int) -> None:
    """Whoever can lays a tile; with four seats 2 tiles are left when all have laid twelve."""
    env = maui_v0.env(num_players=seats)
    fewest = 60
    for seed in range(8):
        env.reset(seed=seed)
        while not all(env.terminations.values()):
            moves = legal(env)
            laying = [move for move in moves if not isinstance(move, Take)]
            do(env, (laying or moves)[seed % len(laying or moves)])
            laid = [len(seat["columns"]) for seat in see(env)["seats"]]
            assert see(env)["bag_size"] == 60 - 6 - sum(laid)
        fewest = min(fewest, see(env)["bag_size"])
    assert fewest >= 60 - 6 - 13 * seats >= 2
    assert fewest <= 60 - 6 - 13 * seats + 2, "so near to it that it would show"


def test_u15_all_four_beaches_full_leave_two_tiles() -> None:
    env = table(seats=4, first=0, start="wfp", row="tfl lpt ltp")
    for seat in range(4):
        fill(env, seat, 11)
        state(env).front[seat] = (0b100, 0, 0, 0, 0)
    state(env).bag[:56], state(env).top = -1, 54
    state(env).bag[54:] = numbers("wpf", "wtp", "wtf", "wlf", "plw", "plt")
    for _ in range(4):
        do(env, IDLING)
    assert all(env.terminations.values())
    assert len(see(env)["bag"]) == 2


# -- the end ----------------------------------------------------------------------------------


def test_u16_the_round_is_finished() -> None:
    """Seat 2 of three began, and lays its twelfth tile: seats 0 and 1 still have a turn."""
    env = table(seats=3, first=2)
    fill(env, 2, 11)
    state(env).front[2] = (0b100, 0, 0, 0, 0)
    do(env, IDLING)
    assert len(about(env, 2)["columns"]) == 13
    assert see(env)["to_act"] == [0] and not any(env.terminations.values())
    do(env, Take(0), Take(1))
    assert all(env.terminations.values())
    assert see(env)["to_act"] == [] and see(env)["turn"] == 3


def test_u16_at_the_end_of_a_round_the_game_ends_at_once() -> None:
    env = table("wfp", "tfl lpt ltp", first=1)
    fill(env, 0, 11)
    do(env, Take(0))
    assert not any(env.terminations.values())
    do(env, Buy(0, 3))
    assert all(env.terminations.values()) and see(env)["turn"] == 2


def test_u16_eleven_tiles_end_nothing() -> None:
    env = table("wfp", "tfl lpt ltp", first=1)
    fill(env, 0, 10)
    do(env, Take(0), Buy(0, 3))
    assert not any(env.terminations.values()) and see(env)["turn"] == 3


@pytest.mark.parametrize(
    ("white", "black", "worth"), [(0, 0, 0), (1, 0, 2), (0, 2, 5), (3, 1, 11), (2, 3, 14)]
)
def test_u17_pearls_count_by_kind(white: int, black: int, worth: int) -> None:
    """The worked example: 2 white and 3 black pearls are 5 + 9 = 14; a dollar besides."""
    env = table()
    state(env).pearls[0] = white, black
    assert about(env)["score"] == worth + 1


def test_u17_steps_dollars_penalties_and_pearls() -> None:
    """6 + 2 steps, 3 dollars, -4 for penalties, 2 + 5 for pearls."""
    env = table()
    record = state(env)
    record.tracks[0], record.dollars[0], record.penalties[0] = (6, 0, 2, 0, 0), 3, 4
    record.pearls[0] = 1, 2
    assert about(env)["score"] == 14
    assert see(env, 1)["seats"][0]["score"] == 14


def test_u17_ties_share_the_win() -> None:
    """2 dollars against 1 dollar and a step of fish."""
    env = table("wfp", "tfl lpt ltp", first=1, reward="win")
    fill(env, 0, 11)
    do(env, Take(0), Buy(0, 3))
    assert [env.infos[f"player_{i}"]["points"] for i in range(2)] == [2, 2]
    assert [env.infos[f"player_{i}"]["win_share"] for i in range(2)] == [0.5, 0.5]
    assert [env.rewards[f"player_{i}"] for i in range(2)] == [0, 0]


def test_u17_the_highest_wins() -> None:
    env = table("wfp", "tfl lpt ltp", first=1)
    fill(env, 0, 11)
    state(env).penalties[1] = 1
    do(env, Take(0), Buy(0, 3))
    assert [env.infos[f"player_{i}"]["points"] for i in range(2)] == [2, 1]
    assert [env.infos[f"player_{i}"]["win_share"] for i in range(2)] == [1, 0]


def test_u17_points_are_paid_at_the_end_of_own_turns_the_start_dollar_with_the_first() -> None:
    env = table("wfp", "tfl tfw lpt", reward="points")
    paid = []
    for move in (Buy(0, 3), Take(1), Buy(0, 3), IDLING):
        do(env, move)
        paid.append([env.rewards["player_0"], env.rewards["player_1"]])
    # tfl meets fish, tfw turtles and fish of that; wft waves and fish of the start tile wfl.
    assert paid == [[2, 0], [0, 2], [2, 0], [0, 2]]
    assert about(env)["score"] == 4 and about(env, 1)["score"] == 4


# -- actions and words ------------------------------------------------------------------------


@pytest.mark.parametrize(("over", "actions"), [(0, 512), (1, 704), (2, 896)])
def test_actions_are_numbered_as_the_page_says(over: int, actions: int) -> None:
    setup = Setup.of(find("maui"), overhang=over)
    assert setup.num_actions == actions
    moves = [decode(action, over) for action in range(actions)]
    assert [encode(move, over) for move in moves] == list(range(actions))
    assert len(set(moves)) == actions
    assert [setup.read(setup.say(action)) for action in range(actions)] == list(range(actions))


def test_some_actions_by_hand() -> None:
    assert encode(Buy(0, 0)) == 0
    assert encode(Buy(2, 3, (1, 4))) == (2 * 7 + 3) * 16 + 10 == 282
    assert encode(Take(0)) == 672 and encode(Take(1)) == 673
    assert encode(Free(0, 1)) == 674 and encode(Free(5, 5)) == 703
    setup = Setup.of(find("maui"))
    assert setup.say(282) == "buy 2 on 3 with turtles on middle"
    assert setup.say(673) == "take 1" and setup.say(703) == "free 5 on 5"
    assert setup.read("  Buy 2  on 3 with turtles on middle ") == 282


@pytest.mark.parametrize(
    "move",
    [
        Buy(6, 3),
        Buy(0, 7),
        Buy(0, -1),
        Buy(0, 3, (3, 0)),
        Buy(0, 3, (0, 5)),
        Take(2),
        Free(0, 0),
        Free(0, 6),
        Free(-1, 1),
    ],
)
def test_moves_that_do_not_exist_are_refused(move: Any) -> None:
    with pytest.raises(ValueError, match=r"is -?\d to \d, not"):
        encode(move)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "buy",
        "buy 9 on 3",
        "buy 1 on 9",
        "take 2",
        "free 1 on 0",
        "buy 1 on 3 with sand on top",
        "buy 1 on 3 with fish on side",
        "free 1 on 1 with fish on top",
        "sell 1",
    ],
)
def test_words_that_name_no_action_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="say 'buy 4 on 3'"):
        Setup.of(find("maui")).read(text)


@pytest.mark.parametrize("action", [-1, 704])
def test_numbers_that_name_no_action_are_refused(action: int) -> None:
    with pytest.raises(ValueError, match="0 to 703"):
        decode(action)


# -- stacked deals and options ----------------------------------------------------------------


def test_umbrellas_tell_the_step_patterns() -> None:
    env = maui_v0.env()
    beach = ["step:turtles", *USUAL[:6], "step:waves"]
    env.reset(seed=0, options={"umbrellas": [beach, beach[::-1]]})
    assert see(env, 0)["step_patterns"] == ["turtles", "waves"]
    assert list(about(env, 1)["umbrellas"].values()) == beach[::-1]


def test_step_patterns_alone() -> None:
    env = maui_v0.env()
    env.reset(seed=0, options={"step_patterns": ["waves", "flowers"]})
    assert see(env, 0)["step_patterns"] == ["waves", "flowers"]
    assert Counter(about(env, 1)["umbrellas"].values())["step:flowers"] == 1
    env.reset(seed=0)
    drawn = see(env, 0)
    env.reset(seed=0, options={})
    assert see(env, 0) == drawn, "a stacked deal is for once"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"bag": BOX[:59]}, "59 tiles"),
        ({"bag": [*BOX[:59], BOX[0]]}, "twice"),
        ({"bag": [*BOX[:59], "fish/fish/palms"]}, "three different patterns"),
        ({"bag": "waves/fish/palms"}, "a list"),
        ({"first": 2}, "first is 0 to 1"),
        ({"first": True}, "whole number"),
        ({"step_patterns": ["fish"]}, "two patterns"),
        ({"step_patterns": ["fish", "fish"]}, "twice"),
        ({"step_patterns": ["fish", "sand"]}, "sand"),
        ({"umbrellas": [USUAL]}, "2 seats, not 1"),
        ({"umbrellas": [USUAL, USUAL[1:]]}, "3 'white'"),
        ({"umbrellas": [USUAL, [*USUAL[:7], "step:waves"]]}, "unknown umbrella 'step:waves'"),
        ({"umbrellas": [USUAL, ["white", *USUAL[:7]]]}, "3 'white'"),
        ({"umbrellas": [USUAL] * 2, "step_patterns": ["fish", "waves"]}, "'step:palms'"),
    ],
)
def test_deals_that_cannot_be_are_refused(options: Any, complaint: str) -> None:
    env = maui_v0.env()
    env.reset(seed=3)
    before = env.unwrapped.get_state()
    with pytest.raises(ValueError, match=complaint):
        env.reset(seed=3, options=options)
    assert env.unwrapped.get_state() == before


@pytest.mark.parametrize(
    "options", [{"overhang": 3}, {"overhang": -1}, {"overhang": True}, {"flat_match_points": 1}]
)
def test_options_out_of_range_are_refused(options: Any) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        maui_v0.env(**options)


# -- what a seat knows ------------------------------------------------------------------------


def test_both_recall_modes_show_the_same() -> None:
    one, other = maui_v0.env(num_players=3), maui_v0.env(num_players=3, perfect_recall=True)
    one.reset(seed=4)
    other.reset(seed=4)
    while one.agents and not all(one.terminations.values()):
        for agent in one.agents:
            assert one.unwrapped.view(agent) == other.unwrapped.view(agent)
            seen, too = one.observe(agent)["observation"], other.observe(agent)["observation"]
            assert seen.tobytes() == too.tobytes()
        action = int(one.observe(one.agent_selection)["action_mask"].argmax())
        one.step(action)
        other.step(action)


def test_only_the_order_of_the_bag_is_hidden() -> None:
    env = table()
    truth = see(env)
    for seat in range(2):
        view = see(env, seat)
        assert {**truth, "seat": seat} == {**view, "bag": truth["bag"]}
        assert view["unseen"] == {each: 1 for each in BOX if each in truth["bag"]}


def test_an_imagined_bag_has_every_order() -> None:
    """Each of the 52 tiles lies on top as often as any other: 2600 bags, 50 each, five sigma."""
    from miaui_env.engine.loops import engine_of
    from miaui_env.engine.rng import keys

    env = table()
    states = np.repeat(env.unwrapped.table.tables.states, 2600)
    engine_of(find("maui")).imagine(states, np.zeros(2600, np.int64), keys(1, 2600))
    for place in (8, 33, 59):
        counts = np.bincount(states["bag"][:, place], minlength=60)
        lying = counts[counts > 0]
        assert len(lying) == 52 and abs(lying - 50).max() < 5 * 7.1


def later(turns: int = 12, **chosen: Any) -> tuple[Setup, Any]:
    """A view in the middle of a random game of seat 1."""
    env = maui_v0.env(**chosen)
    env.reset(seed=12)
    for turn in range(turns):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask)[turn * 7 % mask.sum()]))
    return env.unwrapped.setup, json.loads(json.dumps(see(env, 1)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("game", "miaui"),
        ("version", 9),
        ("num_players", 3),
        ("seat", None),
        ("seat", 2),
        ("turn", 0),
        ("turn", 12),
        ("to_act", [0, 1]),
        ("to_act", []),
        ("first", 5),
        ("market", [["fish"]]),
        ("piles", [9, 9]),
        ("piles", [0, 0]),
        ("track_tokens", []),
        ("step_patterns", ["fish", "fish"]),
        ("bag_size", 3),
        ("unseen", {}),
        ("seats", []),
        ("seats.0.columns", []),
        ("seats.0.dollars", 4),
        ("seats.0.penalties", 9),
        ("seats.0.score", 99),
        ("seats.0.tokens", ["waves"]),
        ("seats.0.umbrellas", {}),
        ("seats.1.tracks.fish", 44),
        ("seats.1.pearls.white", 3),
    ],
)
def test_a_view_that_cannot_be_is_refused(path: str, value: Any) -> None:
    setup, view = later()
    part = view
    *way, last = [int(name) if name.isdigit() else name for name in path.split(".")]
    for name in way:
        part = part[name]
    part[last] = value
    with pytest.raises(ValueError, match="view"):
        setup.from_view(view)
    if path not in ("game", "num_players"):
        del part[last]
        with pytest.raises(ValueError, match="view"):
            setup.from_view(view)


def test_a_view_of_a_table_with_other_options_is_refused_once_it_shows() -> None:
    _, view = later()
    with pytest.raises(ValueError, match="another table"):
        Setup.of(find("maui"), flat_match_points=True).from_view(view)
    env = table("wfp", "tlw fpt lpt", overhang=2)
    do(env, Buy(0, 1), IDLING, Buy(0, -1))
    wide = see(env, 1)
    assert env.unwrapped.setup.from_view(wide)["overhang"] == 2
    with pytest.raises(ValueError, match="another table"):
        Setup.of(find("maui")).from_view(wide)


# -- in words ---------------------------------------------------------------------------------


def test_a_table_in_words() -> None:
    env = table("wfp", "tlw ftl lpt")
    do(env, Buy(0, 1), IDLING, Buy(0, 0))
    text = env.unwrapped.setup.game.words(see(env, 1)).splitlines()
    assert text[0] == "Maui, turn 4, seat 1 to move, seat 0 began, 49 tiles in the bag"
    assert "  you seat 1  3 points: 1 dollar, waves 1, fish 1" in text
    beach = text.index("     seat 0                                     seat 1")
    assert [line[5:20] for line in text[beach + 1 : beach + 9]] == [
        " .  . fi  .  . ",
        " . tu tu  .  . ",
        " . fl fl  .  . ",
        "wa wa  .  .  . ",
        "fi  .  .  .  . ",
        "pa  .  .  .  . ",
        " .  .  . WH  . ",
        " .  .  .  .  . ",
    ]


# -- bounds that random play does not reach ---------------------------------------------------

TURTLES = ["tpf", "tpl", "tfw", "tfp", "tfl", "tlw", "tlp", "tlf", "tpw"]
"""Towels with turtles on top; `twl`, and one more, come with them."""
ASIDE = ["wpf", "wpl", "wfp", "wlf", "wlt", "wtp"]
"""What comes after `IDLE` in seat 1's market row."""
AT_ROW_4 = ["white", "white", "step:turtles", "white", "black", "black", "black", "step:palms"]
AT_ROW_1 = ["white", "white", "white", "step:turtles", "black", "black", "black", "step:palms"]


def course(start: str, towels: list[str], **chosen: Any) -> Any:
    """A game in which seat 0 is offered these twelve at place 0, one after the other, for nothing.

    Seat 1 takes both piles, and then idles: from its third turn on it draws a tile each time.
    """
    entering = [
        *towels[3:6],
        *(each for pair in zip(ASIDE, towels[6:], strict=True) for each in pair),
    ]
    chosen = {"umbrellas": AT_ROW_1, "step_patterns": ["turtles", "palms"], **chosen}
    return table(start, " ".join(towels[:3]), after=" ".join(entering), **chosen)


def run(env: Any, *moves: Any) -> None:
    """Seat 0 plays these; seat 1 passes its time."""
    for i, move in enumerate(moves):
        do(env, *[[], [Take(0)], [Take(1)]][i] if i < 3 else [IDLING], move)


def declared(env: Any, name: str) -> Any:
    """The greatest value that the observation's field is declared to have."""
    [greatest] = [f.high for f in env.unwrapped.setup.layout.fields if f.name == name]
    return greatest


@pytest.mark.parametrize(("opening", "most"), [("tt", 48), ("tbt", 69), ("ttbt", 92)])
def test_the_longest_game_has_as_many_turns_as_declared(opening: str, most: int) -> None:
    """Each seat takes and buys in turn, as it opens: always a full pile, or into an empty one."""
    env = maui_v0.env(num_players=len(opening))
    env.reset(seed=0, options={"first": 0})
    while not all(env.terminations.values()):
        round_, seat = divmod(see(env)["turn"] - 1, len(opening))
        if (opening[seat] == "t") == (round_ % 2 == 0):
            do(env, next(move for move in legal(env) if isinstance(move, Take)))
        else:
            bare = [row * 3 + 1 for row, dollars in enumerate(see(env)["piles"]) if not dollars]
            buys = [move for move in legal(env) if isinstance(move, Buy) and move.tile in bare]
            do(env, min(buys, key=lambda buy: (buy.token is not None, abs(buy.top - 3))))
    assert see(env)["turn"] == most == declared(env, "turn")


@pytest.mark.parametrize(("over", "first", "top", "most"), [(1, "ltw", 6, 11), (2, "lwt", 7, 22)])
def test_all_but_the_first_tile_may_hang_over(over: int, first: str, top: int, most: int) -> None:
    env = course("fpl", [first, *TURTLES, "twl", "twf"], overhang=over)
    run(env, Buy(0, 5), *[Buy(0, top)] * 11)
    assert about(env)["penalties"] == most == declared(env, "penalties")


NOTHING_FITS = """
fpl wfl tlw tpl lwf plw tlf wpl ptl lfw wtp plf wpf twp flt
pfl wlt tpf lpt ltp pft fwl pfw wlp lft lpf wpt ftw
"""
FREE_AND_BOUGHT = """
ptl 5 plw 4, lfw 1 tlw 4, plf 1 tlf 4, twp 5 tpl 3, pfl 1 wpl 3, tpf 1 wpf 3, ltp 1 wtp 3,
fwl 5 flt 2, wlp 5 wlt 2, lpf 5 lpt 3, ftw 1
"""
"""Seat 0's free tile and where it goes, seat 1's purchase and where, round by round."""


def test_without_overhang_all_but_the_first_tile_may_be_free_ones() -> None:
    """Seat 0 has spent all, seat 1 holds all money, and what costs nothing never fits."""
    env = maui_v0.env(num_players=2, overhang=0)
    env.reset(seed=5, options={"bag": bag(*NOTHING_FITS.split()), "first": 0})
    do(env, Take(0), Take(1), Buy(2, 1), Take(0))
    for plan in FREE_AND_BOUGHT.split(","):
        free, top, *bought = plan.split()
        do(env, Free(on_sale(env, free), int(top)))
        if bought:
            do(env, Buy(on_sale(env, bought[0]), int(bought[1])))
    assert about(env)["penalties"] == 11 == declared(env, "penalties")


def on_sale(env: Any, letters: str) -> int:
    """At which place of the market a tile lies."""
    return [name for row in see(env)["market"] for name in row].index(tile(letters))


def test_a_first_tile_always_fits_wholly_on_the_beach_and_never_hangs_over() -> None:
    """So no penalty comes with it."""
    env = table("wfp", overhang=2)
    for letters in BOX:
        state(env).market[:] = BOX.index(letters)
        moves = legal(env)
        assert any(isinstance(move, Buy) and 1 <= move.top <= 5 for move in moves)
        assert not any(isinstance(move, Free) or not 1 <= move.top <= 5 for move in buys_of(moves))


def buys_of(moves: list[Any]) -> list[Any]:
    return [move for move in moves if not isinstance(move, Take)]


def test_the_longest_way_on_a_track_is_as_declared() -> None:
    """3 for each of eleven towels in row 1, and the step of the umbrella there."""
    env = course("fpl", ["twf", *TURTLES, "twl", "twp"])
    run(env, *[Buy(0, 1)] * 12)
    assert steps(env)["turtles"] == 34 == declared(env, "tracks")


def test_flat_the_longest_way_on_a_track_is_as_declared() -> None:
    """1 for each of twelve towels, and the step of an umbrella."""
    env = flat_course(2)
    run(env, *[Buy(0, 3)] * 11, Buy(0, 2))
    assert steps(env)["turtles"] == 13 == declared(env, "tracks")


def flat_course(special: int) -> Any:
    """Turtles on row 3 in all columns, `twl` as the towel of that number, the last one lower."""
    towels = [*TURTLES, "twp"]
    towels.insert(min(special, 11) - 1, "twl")
    return course("twf", [*towels, "wtl"], umbrellas=AT_ROW_4, flat_match_points=True)


@pytest.mark.parametrize("number", range(4, 13))
def test_from_the_fourth_tile_on_a_token_may_make_the_greatest_column(number: int) -> None:
    """Turtles, turtles, flowers; their token was won with the third tile."""
    towels = ["twf", *TURTLES, "twp"]
    towels.insert(number - 1, "twl")
    env = course("fpl", towels)
    run(env, *[Buy(0, 1)] * (number - 1), Buy(0, 1, (1, 4)))
    assert_greatest(env, number)


@pytest.mark.parametrize("number", range(6, 13))
def test_flat_from_the_sixth_tile_on_a_token_may_make_the_greatest_column(number: int) -> None:
    """It was won with the fifth tile."""
    env = flat_course(number)
    run(env, *[Buy(0, 3)] * (number - 1), Buy(0, 3, (1, 4)) if number < 12 else Buy(0, 2, (0, 4)))
    assert_greatest(env, number)


def assert_greatest(env: Any, number: int) -> None:
    """The tile of that number after the start tile is 1 + 25·4 + 5·4 + 3."""
    assert about(env)["columns"][number][1] == tile("ttl")
    setup = env.unwrapped.setup
    seen = env.observe("player_0")["observation"][setup.layout["columns"]].reshape(2, 13)
    assert seen[0, number] == 124
    printed = 6 if setup.options.flat_match_points else 4
    assert declared(env, "columns") == (118,) * printed + (124,) * (13 - printed)
