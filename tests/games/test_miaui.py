"""Miaui, rule by rule: each test plays a stacked deck whose outcome was worked out by hand.

A deck is written as the table sees it: the card for the box, then a line "deepest deep shallow" for
each round that matters; cards that do not matter follow. Dives are written seat by seat, "9 9 7 9".
"""

import json
import re
from collections import Counter
from typing import Any

import pytest

from miaui_env import miaui_v0
from tests.referee.miaui import BOX

THREE_SPACES = ["deepest", "deep", "shallow"]


def deck(*stock: str) -> list[str]:
    """All 37 cards: a Kittenfish of 5 for the box, the stock of the first rounds, then the rest."""
    first = ["kittenfish:5", *" ".join(stock).split()]
    assert Counter(first) <= Counter(BOX), "the deck asks for a card the box does not have"
    return first + list((Counter(BOX) - Counter(first)).elements())


def table(*stock: str, seats: int = 4, kiti: int = 0, **options: Any) -> Any:
    """A game in its first round, over the full box with this stock on top."""
    env = miaui_v0.env(num_players=seats, **options)
    fixed = {} if options.get("no_fighting") else {"kiti": kiti}
    env.reset(seed=5, options={"deck": deck(*stock), **fixed})
    return env


def small_table(fish: str, seats: int, hand_size: int, spaces: int = 3, kiti: int = 0) -> Any:
    """A game over exactly these fish in this order, those for the box first."""
    cards = fish.split()
    env = miaui_v0.env(num_players=seats, hand_size=hand_size, spaces=spaces, cards=sorted(cards))
    env.reset(seed=5, options={"deck": cards, "kiti": kiti})
    return env


def dive(env: Any, *rounds: str) -> None:
    """Commit these diver cards, seat by seat and round by round."""
    for card in " ".join(rounds).split():
        env.step(int(card) - 1)


def see(env: Any, seat: int | None = None) -> Any:
    """What a seat sees; without a seat, what the referee sees."""
    return env.unwrapped.view(None if seat is None else f"player_{seat}")


def pile(env: Any, seat: int) -> Any:
    """A pile, bottom to top."""
    return see(env)["seats"][seat]["pile"]


def takers(env: Any) -> list[Any]:
    """Who took from deepest, deep, shallow in the last round; None: nobody."""
    return [seat for seat, _ in see(env)["last_round"]["catches"].values()]


def on(env: Any, space: str, seat: int | None = None) -> Any:
    """The cards on a space, oldest first."""
    return see(env, seat)["lagoon"][space]


def final(env: Any, what: str) -> list[Any]:
    """The last word on every seat: its points or its win share."""
    return [env.infos[f"player_{seat}"][what] for seat in range(env.max_num_agents)]


def kiti_after_a_free_reset(env: Any, seed: int) -> Any:
    """Kiti's gap when only the seed decides."""
    env.reset(seed=seed)
    return see(env, 0)["kiti"]


# -- setup ------------------------------------------------------------------------------------


def test_m01_kiti_stands_in_a_gap_drawn_from_the_seed() -> None:
    """M1: without a choice Kiti starts in any of the n gaps; the same seed, the same gap."""
    env = miaui_v0.env(num_players=5)
    gaps = [kiti_after_a_free_reset(env, seed) for seed in range(100)]
    assert set(gaps) == {0, 1, 2, 3, 4}
    assert gaps == [kiti_after_a_free_reset(env, seed) for seed in range(100)]


def test_m01_kiti_can_be_fixed_by_the_option() -> None:
    """M1: option `kiti` puts it into one gap, whatever the seed."""
    env = miaui_v0.env(num_players=4, kiti=2)
    assert {kiti_after_a_free_reset(env, seed) for seed in range(20)} == {2}


def test_m02_the_top_card_returns_to_the_box_and_the_deck_lasts_twelve_rounds() -> None:
    """M2: one of 37 goes to the box unseen; 36 are just enough for 12 rounds of three."""
    env = table("tuna:10 tuna:11 tuna:14")
    assert see(env)["box_card"] == "kittenfish:5"
    assert see(env)["box"] == ["kittenfish:5"]
    assert "kittenfish:5" not in json.dumps([see(env, seat) for seat in range(4)])
    for turn in range(12):
        assert see(env, 0)["deck_size"] == 33 - 3 * turn
        dive(env, " ".join([str(turn + 1)] * 4))
    assert see(env, 0)["to_act"] == []


def test_m02_the_fish_are_shuffled() -> None:
    """M2: without a stacked deck all 37 are dealt, in an order that the seed decides."""
    env = miaui_v0.env(num_players=4)
    orders = set()
    for seed in range(20):
        env.reset(seed=seed)
        view = see(env)
        stocked = [name for space in THREE_SPACES for name in view["lagoon"][space]]
        dealt = [view["box_card"], *stocked, *view["deck"]]
        assert Counter(dealt) == Counter(BOX)
        orders.add(tuple(dealt))
    assert len(orders) == 20


# -- a round ----------------------------------------------------------------------------------


def test_m03_the_spaces_are_stocked_from_the_bottom_up() -> None:
    """M3: the deck's cards go to deepest, deep, shallow, in every round, face up."""
    env = table("tuna:12 tigerfish:8 kittenfish:3", "lantern:1 seagull tuna:10")
    first = {"deepest": ["tuna:12"], "deep": ["tigerfish:8"], "shallow": ["kittenfish:3"]}
    assert see(env, 2)["lagoon"] == first
    dive(env, "4 3 2 1")
    second = {"deepest": ["lantern:1"], "deep": ["seagull"], "shallow": ["tuna:10"]}
    assert see(env, 2)["lagoon"] == second


def test_m04_seagulls_of_round_one_are_drawn_past_and_go_back() -> None:
    """M4: no gull is stocked in round 1; all see how many go back; the others keep their order."""
    stock = "seagull tuna:12 seagull seagull tigerfish:8 kittenfish:3 tuna:10 tuna:11 lantern:7"
    env = table(stock)
    assert see(env, 3)["lagoon"] == {
        "deepest": ["tuna:12"],
        "deep": ["tigerfish:8"],
        "shallow": ["kittenfish:3"],
    }
    assert see(env, 3)["gulls_returned"] == 3
    left = see(env)["deck"]
    assert len(left) == 33
    others = [name for name in deck(stock) if name != "seagull"]
    assert [name for name in left if name != "seagull"] == others[4:]  # box card, three stocked
    assert left.count("seagull") == 6


@pytest.mark.parametrize("gulls", [1, 2])
def test_m04_seagulls_go_back_at_uniformly_random_places(gulls: int) -> None:
    """M4: with one card left in the deck and k gulls aside, it ends in each of k + 1 places."""
    cards = ["seagull"] * gulls + ["tuna:12", "tuna:13"]
    env = miaui_v0.env(num_players=2, hand_size=gulls + 2, spaces=1, cards=cards)
    places: Counter[int] = Counter()
    for seed in range(600):
        env.reset(seed=seed, options={"deck": cards, "kiti": 0})
        assert on(env, "deepest") == ["tuna:12"]
        places[see(env)["deck"].index("tuna:13")] += 1
    expected = 600 / (gulls + 1)
    assert sorted(places) == list(range(gulls + 1))
    assert all(abs(count - expected) < 60 for count in places.values()), places  # five sigma


def test_m04_only_in_round_one() -> None:
    """M4: a gull drawn in round 2 is stocked like any fish, and none is reported returned."""
    env = table("tuna:12 tuna:13 tuna:14", "seagull seagull seagull")
    assert see(env, 0)["gulls_returned"] == 0
    dive(env, "4 3 2 1")
    assert see(env, 0)["lagoon"] == {space: ["seagull"] for space in THREE_SPACES}


def test_m05_a_commitment_is_secret_until_the_last_is_in() -> None:
    """M5: whatever seat 0 commits, the others see only that it owes no card any more."""
    seen = []
    for card in ("3", "7"):
        env = table()
        dive(env, card)
        assert see(env, 1)["to_act"] == [1, 2, 3]
        assert see(env, 1)["seats"][0]["hand_size"] == 11
        assert see(env, 1)["committed"] is None
        assert see(env, 0)["committed"] == int(card)
        assert int(card) not in see(env, 0)["hand"]
        seen.append([see(env, seat) for seat in (1, 2, 3)])
    assert seen[0] == seen[1]
    dive(env, "6 5 4")
    assert see(env, 1)["last_round"]["dives"] == [7, 6, 5, 4]


def test_m05_each_card_is_played_once_and_the_last_one_is_forced() -> None:
    """M5: legal is what is still in hand; in round 12 that is one card, and it is a move."""
    env = table()
    for turn in range(12):
        for seat in range(4):
            assert env.agent_selection == f"player_{seat}"
            mask = env.observe(f"player_{seat}")["action_mask"]
            assert [int(x) for x in mask] == [0] * turn + [1] * (12 - turn)
            assert see(env, seat)["hand"] == list(range(turn + 1, 13))
            env.step(turn)
    assert all(env.terminations.values())
    assert all(seat["hand"] == [] for seat in see(env)["seats"])


def test_m05_a_card_no_longer_in_hand_is_refused_and_nothing_changes() -> None:
    """M5: one commits a card from one's hand; the error names seat, action and what is legal."""
    env = table()
    dive(env, "12 3 6 9", "5 5")
    before = see(env)
    with pytest.raises(ValueError, match=r"(seat |player_)2\b") as refusal:
        env.step(5)  # seat 2 has played its 6
    assert re.search(r"\b5\b", str(refusal.value))
    assert re.search(r"\b4, 6\b", str(refusal.value))
    assert see(env) == before
    env.step(4)
    assert see(env)["committed"] == [5, 5, 5, None]


@pytest.mark.parametrize("action", [12, -1])
def test_m05_a_card_that_does_not_exist_is_refused_by_its_number(action: int) -> None:
    """Actions are 0 to 11; the error names the one that was tried."""
    env = table()
    with pytest.raises(ValueError, match=rf"(?<![\d-]){action}\b"):
        env.step(action)
    assert see(env)["to_act"] == [0, 1, 2, 3]


def test_m06_highest_highest_lowest_and_one_catch_each() -> None:
    """M6: deepest to the highest, deep to the highest still in, shallow to the lowest still in."""
    env = table("tuna:15 lantern:5 kittenfish:4")
    dive(env, "12 3 6 9")
    assert see(env, 2)["last_round"] == {
        "dives": [12, 3, 6, 9],
        "catches": {
            "deepest": [0, ["tuna:15"]],
            "deep": [3, ["lantern:5"]],
            "shallow": [1, ["kittenfish:4"]],
        },
    }
    piles = [pile(env, seat) for seat in range(4)]
    assert piles == [["tuna:15"], ["kittenfish:4"], [], ["lantern:5"]]


# Dives, Kiti's gap, takers of deepest, deep, shallow. The first two are the rules page's examples.
TIES = [
    ("9 9 7 9", 1, [1, 0, 2]),  # deepest 1,0,3,2 -> 1; deep 1,0,3,2 -> 0; shallow: 7 is lowest
    ("5 5 5 5", 0, [0, 3, 1]),  # deepest 0; deep 0,3,2,1 -> 3; shallow 1,2,3,0 -> 1
    ("5 5 5 5", 1, [1, 0, 2]),
    ("5 5 5 5", 2, [2, 1, 3]),
    ("5 5 5 5", 3, [3, 2, 0]),
    ("4 8 9 4", 0, [2, 1, 3]),  # shallow tied by 0 and 3; clockwise 1,2,3,0 -> 3
    ("4 8 9 4", 3, [2, 1, 0]),  # clockwise 0,1,2,3 -> 0
    ("8 4 8 9", 1, [3, 0, 1]),  # deep tied by 0 and 2; 1,0,3,2 -> 0
    ("8 4 8 9", 3, [3, 2, 1]),  # 3,2,1,0 -> 2
    ("2 2 2", 2, [2, 1, 0]),
    ("2 2 2 2 2 2", 4, [4, 3, 5]),
    ("7 7", 1, [1, 0, None]),
]


@pytest.mark.parametrize(("dives", "gap", "expected"), TIES)
def test_m07_kiti_breaks_ties(dives: str, gap: int, expected: list[Any]) -> None:
    """M7: counter-clockwise from Kiti at deepest and deep (g, g-1, ..), clockwise at shallow.

    M6: who loses a tie stays in for the next space.
    """
    env = table("tuna:12 tuna:13 tuna:14", seats=len(dives.split()), kiti=gap)
    dive(env, dives)
    assert takers(env) == expected


def test_m08_a_catch_goes_on_top_of_the_pile() -> None:
    """M8: the newest fish is the top card, which everyone sees."""
    env = table("tuna:12 tigerfish:6 tigerfish:7", "kittenfish:3 tigerfish:8 tigerfish:9")
    dive(env, "12 1 2 3", "11 4 5 6")
    assert pile(env, 0) == ["tuna:12", "kittenfish:3"]
    seen_by_another = see(env, 1)["seats"][0]
    assert (seen_by_another["pile_top"], seen_by_another["pile_size"]) == ("kittenfish:3", 2)
    assert see(env, 0)["seats"][0]["score"] == 15


# Seat 0 takes deepest each time: 12, 11, 10, ... against 1, 2, 3, ...
SEAT_0_TAKES_DEEPEST = ["12 1 1 1", "11 2 2 2", "10 3 3 3", "9 4 4 4", "8 5 5 5", "7 6 6 6"]
FILLER = ["tuna:10 tuna:11", "tigerfish:7 tigerfish:7", "tigerfish:8 tigerfish:8"]
FILLER += ["tigerfish:9 tigerfish:9", "tigerfish:6 tigerfish:6", "kittenfish:2 kittenfish:2"]


def seat_0_catches(*names: str, **options: Any) -> Any:
    """A table where seat 0 has caught just these, one a round, at deepest."""
    stock = [f"{name} {others}" for name, others in zip(names, FILLER, strict=False)]
    env = table(*stock, **options)
    dive(env, *SEAT_0_TAKES_DEEPEST[: len(names)])
    return env


@pytest.mark.parametrize(
    ("catches", "left", "box"),
    [
        (
            ["tuna:12", "kittenfish:3", "seagull"],
            ["tuna:12"],
            ["kittenfish:3", "kittenfish:5", "seagull"],
        ),
        (
            ["tuna:12", "jellyfish:-15", "seagull"],
            ["tuna:12"],
            ["kittenfish:5", "jellyfish:-15", "seagull"],
        ),
        (["tuna:12", "seagull", "seagull"], [], ["kittenfish:5", "tuna:12", "seagull", "seagull"]),
        (["tuna:12", "seagull", "tuna:13"], ["tuna:13"], ["kittenfish:5", "tuna:12", "seagull"]),
    ],
)
def test_m09_a_seagull_takes_the_top_card_along(
    catches: list[str], left: list[str], box: list[str]
) -> None:
    """M9: gull and top card go to the box, a Jellyfish too; with an empty pile the gull alone."""
    env = seat_0_catches(*catches)
    assert pile(env, 0) == left
    assert see(env)["box"] == box  # with the card of the setup, kittenfish:5


FIVE = ["tuna:12", "jellyfish:-10", "kittenfish:3", "jellyfish:-15", "jellyfish:-10"]


def test_m10_two_jellyfish_sting() -> None:
    """M10, M14: up to two stay in the pile and count against it."""
    env = seat_0_catches(*FIVE[:4])
    assert pile(env, 0) == FIVE[:4]
    assert see(env, 0)["seats"][0]["score"] == 12 - 10 + 3 - 15


def test_m10_the_third_jellyfish_takes_all_three_to_the_box() -> None:
    """M10: wherever they lie; the others keep their order."""
    env = seat_0_catches(*FIVE)
    assert pile(env, 0) == ["tuna:12", "kittenfish:3"]
    assert see(env, 0)["seats"][0]["score"] == 15
    three = ["jellyfish:-10", "jellyfish:-10", "jellyfish:-15"]
    assert see(env)["box"] == ["kittenfish:5", *three]


def test_m10_a_seagull_after_that_eats_what_is_then_on_top() -> None:
    """M9, M10: the page's example goes on."""
    env = seat_0_catches(*FIVE, "seagull")
    assert pile(env, 0) == ["tuna:12"]


def test_m11_after_a_lantern_only_its_catcher_sees_the_next_card_there() -> None:
    """M11: it counts its points; the very next card on that space lies face down."""
    env = table(
        "tuna:12 lantern:5 tuna:13", "kittenfish:2 tuna:15 kittenfish:3", "tuna:10 tuna:11 tuna:14"
    )
    dive(env, "12 9 6 3")  # seat 1 takes the Lantern at deep
    assert pile(env, 1) == ["lantern:5"]
    assert see(env, 1)["seats"][1]["score"] == 5
    assert [on(env, "deep", seat) for seat in range(4)] == [["?"], ["tuna:15"], ["?"], ["?"]]
    assert on(env, "deepest", 0) == ["kittenfish:2"]
    assert on(env, "shallow", 0) == ["kittenfish:3"]
    assert see(env, 0)["face_down"] == {"deepest": [], "deep": [[0, 1]], "shallow": []}
    dive(env, "11 8 5 2")  # only the very next stocking
    assert on(env, "deep", 0) == ["tuna:11"]
    assert see(env, 0)["face_down"] == {space: [] for space in THREE_SPACES}


def test_m11_being_caught_is_enough() -> None:
    """M11: a Lantern that a gull eats in the same catch still hides the next card."""
    env = table(
        "tuna:12 lantern:5 tuna:13",
        "tuna:14 seagull tuna:11",
        "tuna:10 tuna:15 kittenfish:2",
        no_fighting=True,
    )
    dive(env, "12 9 9 3")  # deep is tied: the Lantern stays
    assert on(env, "deep", 3) == ["lantern:5", "seagull"]
    dive(env, "11 8 7 2")  # seat 1 takes both; the gull takes the Lantern
    assert pile(env, 1) == []
    assert on(env, "deep", 1) == ["tuna:15"]
    assert on(env, "deep", 0) == ["?"]


def test_m11_nothing_follows_the_last_round() -> None:
    """M11: a Lantern of the last round counts its points and hides nothing."""
    env = small_table("lantern:7", seats=2, hand_size=1, spaces=1)
    dive(env, "1 1")
    assert see(env)["lagoon"] == {"deepest": []}
    assert see(env)["face_down"] == {"deepest": []}
    assert final(env, "points") == [7, 0]


def test_m12_a_face_down_card_is_seen_by_all_when_caught() -> None:
    """M12: it is caught like any other, and then lies face up in a pile."""
    env = table("lantern:1 tuna:12 tuna:13", "tuna:15 kittenfish:2 kittenfish:3")
    dive(env, "12 9 6 3", "1 11 8 5")  # seat 0 lit it, seat 1 takes the hidden card
    assert see(env, 3)["last_round"]["catches"]["deepest"] == [1, ["tuna:15"]]
    assert see(env, 3)["seats"][1]["pile_top"] == "tuna:15"


def test_m12_a_face_down_seagull_shows_by_its_effect() -> None:
    """M12, M9: the effect of a card that lay face down happens as ever."""
    env = table("lantern:1 tuna:12 tuna:13", "seagull kittenfish:2 kittenfish:3")
    dive(env, "12 9 6 3")
    assert on(env, "deepest", 1) == ["?"]
    dive(env, "1 11 8 5")  # seat 1 held tuna:12
    assert see(env, 3)["last_round"]["catches"]["deepest"] == [1, ["seagull"]]
    assert pile(env, 1) == []


def test_m13_kiti_walks_on_after_every_round() -> None:
    """M13: g becomes g+1 (mod n), after the last round too; divers lie face down."""
    env = table(seats=3, kiti=1)
    walk = []
    for turn in range(12):
        dive(env, " ".join([str(turn + 1)] * 3))
        walk.append(see(env, 0)["kiti"])
    assert walk == [2, 0, 1] * 4
    assert see(env, 0)["round"] == 12
    assert see(env, 0)["seats"][0]["dived"] is None


# One round, everyone dives 1, Kiti in gap 0: seat 0 takes deepest, the last seat deep (its left
# neighbour counter-clockwise), seat 1 shallow.
LAST_WORDS = [
    ("tuna:12 tuna:13 tuna:11", [12, 11, 13], [0, 0, 1], [-1 / 2, -1 / 2, 1]),
    ("tuna:12 tuna:12 tuna:11", [12, 11, 12], [1 / 2, 0, 1 / 2], [1 / 4, -1 / 2, 1 / 4]),
    ("tuna:12 tuna:12 tuna:12", [12, 12, 12], [1 / 3, 1 / 3, 1 / 3], [0, 0, 0]),
    ("jellyfish:-15 jellyfish:-15 jellyfish:-10", [-15, -10, -15], [0, 1, 0], [-1 / 2, 1, -1 / 2]),
    (
        "jellyfish:-15 jellyfish:-10 jellyfish:-10",
        [-15, -10, 0, -10],
        [0, 0, 1, 0],
        [-1 / 3, -1 / 3, 1, -1 / 3],
    ),
]


@pytest.mark.parametrize(("fish", "points", "shares", "rewards"), LAST_WORDS)
def test_m14_the_highest_sum_wins_and_ties_share(
    fish: str, points: list[int], shares: list[float], rewards: list[float]
) -> None:
    """M14: totals may be negative; k seats at the top win 1/k each; reward (n*share-1)/(n-1)."""
    seats = len(points)
    env = small_table(fish, seats, hand_size=1)
    dive(env, "1 " * seats)
    assert all(env.terminations.values())
    assert final(env, "points") == points
    assert final(env, "win_share") == pytest.approx(shares)
    assert [env.rewards[f"player_{seat}"] for seat in range(seats)] == pytest.approx(
        rewards, abs=1e-6
    )


# -- variants ---------------------------------------------------------------------------------


def test_m15_open_baskets_show_piles_and_divers() -> None:
    """M15: whole piles in order, scores, every diver discarded, and so every hand."""
    env = table("tuna:15 tuna:11 tuna:12", "tuna:10 lantern:7 tuna:13", open_baskets=True)
    dive(env, "12 3 6 9", "2 11 4 10")
    assert see(env, 2)["seats"][1] == {
        "hand_size": 10,
        "pile_size": 2,
        "pile_top": "tuna:10",
        "pile": ["tuna:12", "tuna:10"],
        "hand": [1, 2, 4, 5, 6, 7, 8, 9, 10, 12],
        "dived": [3, 11],
        "score": 22,
    }
    assert see(env, 2)["seats"][2]["dived"] == [6, 4]
    assert see(env, 2)["unseen"] is None


def test_m15_closed_baskets_show_the_top_card_only() -> None:
    """M15: without the variant the same position keeps all that to its owner."""
    env = table("tuna:15 tuna:11 tuna:12", "tuna:10 lantern:7 tuna:13")
    dive(env, "12 3 6 9", "2 11 4 10")
    assert see(env, 2)["seats"][1] == {
        "hand_size": 10,
        "pile_size": 2,
        "pile_top": "tuna:10",
        "pile": None,
        "hand": None,
        "dived": None,
        "score": None,
    }


def test_m15_open_baskets_do_not_open_a_commitment() -> None:
    """M15, M5: to the others a card that is committed but not revealed is still in the hand."""
    env = table(open_baskets=True)
    dive(env, "12")
    assert see(env, 1)["seats"][0]["hand"] == list(range(1, 13))
    assert see(env, 1)["seats"][0]["hand_size"] == 11
    assert see(env, 0)["seats"][0]["hand"] == list(range(1, 12))


@pytest.mark.parametrize(
    ("dives", "expected"),
    [
        ("9 9 7 3", [None, 2, 3]),  # the page's example: 0 and 1 are out
        ("6 6 6", [None, None, None]),  # all out at deepest
        ("7 7", [None, None, None]),
        ("12 9 9 9 9 9", [0, None, None]),
        ("9 8 3 3", [0, 1, None]),  # tied at shallow
        ("9 8 8 5 5 6", [0, None, None]),  # deep tied by 8s; of 5 5 6 the 5s tie at shallow
        ("9 9 8 8 2 3", [None, None, 4]),
        ("9 8 3 4 4", [0, 1, 2]),  # equal cards that are not the best are no tie at a space
    ],
)
def test_m16_no_fighting_nobody_takes_what_is_tied(dives: str, expected: list[Any]) -> None:
    """M16: no Kiti; the tied cards are out of the round, the later spaces included."""
    env = table(
        "tuna:12 tuna:13 tuna:14",
        "lantern:1 lantern:3 lantern:5",
        seats=len(dives.split()),
        no_fighting=True,
    )
    dive(env, dives)
    assert takers(env) == expected
    assert see(env)["kiti"] is None
    for space, taker, fish, next_fish in zip(
        THREE_SPACES, expected, ("tuna:12", "tuna:13", "tuna:14"), (1, 3, 5), strict=True
    ):
        stays = [fish] if taker is None else []
        assert on(env, space, 0) == [*stays, f"lantern:{next_fish}"]


def test_m16_whoever_wins_a_space_takes_all_that_lies_there() -> None:
    """M16: the new card is laid beside the old one; the winner takes both, oldest first."""
    env = table("tuna:12 tuna:13 tuna:14", "lantern:1 lantern:3 lantern:5", no_fighting=True)
    dive(env, "9 9 7 3", "8 7 6 5")
    assert see(env)["last_round"]["catches"] == {
        "deepest": [0, ["tuna:12", "lantern:1"]],
        "deep": [1, ["lantern:3"]],
        "shallow": [3, ["lantern:5"]],
    }
    assert pile(env, 0) == ["tuna:12", "lantern:1"]


def seat_0_takes_a_stack(first: str, *stack: str) -> Any:
    """No Fighting: seat 0 catches one fish, then two ties let a stack grow, then it takes that."""
    names = [first, *stack]
    env = table(
        *(f"{name} {others}" for name, others in zip(names, FILLER, strict=False)),
        no_fighting=True,
    )
    dive(env, "12 1 2 3", *["11 11 4 5", "10 10 5 4"][: len(stack) - 1], "9 8 7 6")
    assert see(env)["last_round"]["catches"]["deepest"] == [0, list(stack)]
    return env


def test_m17_cards_caught_together_are_resolved_one_by_one() -> None:
    """M17: the page's example: tuna lands, the gull takes it, kittenfish lands."""
    env = seat_0_takes_a_stack("tigerfish:6", "tuna:15", "seagull", "kittenfish:1")
    assert pile(env, 0) == ["tigerfish:6", "kittenfish:1"]


def test_m17_each_gull_of_a_catch_eats_what_is_then_on_top() -> None:
    """M17, M9: the first eats the old top card, the second what it uncovered: nothing here."""
    env = seat_0_takes_a_stack("tuna:15", "seagull", "seagull", "kittenfish:2")
    assert pile(env, 0) == ["kittenfish:2"]


def test_m17_a_third_jellyfish_goes_before_the_next_card_lands() -> None:
    """M17, M10: three are gone when the gull comes, so it eats what lay below them."""
    env = table(
        "tuna:12 tigerfish:6 tigerfish:6",
        "jellyfish:-10 tigerfish:7 tigerfish:7",
        "jellyfish:-15 tigerfish:8 tigerfish:8",
        "jellyfish:-10 tigerfish:9 tigerfish:9",
        "seagull tuna:10 tuna:11",
        no_fighting=True,
    )
    dive(env, "12 1 2 3", "11 2 1 4", "10 3 4 1", "9 9 3 2", "8 7 6 5")
    assert see(env)["last_round"]["catches"]["deepest"] == [0, ["jellyfish:-10", "seagull"]]
    assert pile(env, 0) == []


def test_m17_several_lanterns_in_one_catch_make_one_face_down_card() -> None:
    """M17, M11: the next stocking hides a card, the one after it does not."""
    env = seat_0_takes_a_stack("tuna:15", "lantern:1", "lantern:3", "lantern:5")
    assert pile(env, 0) == ["tuna:15", "lantern:1", "lantern:3", "lantern:5"]
    assert see(env, 1)["face_down"] == {"deepest": [[0, 0]], "deep": [], "shallow": []}
    assert on(env, "deepest", 1) == ["?"]
    dive(env, "8 7 6 2")
    assert see(env, 1)["face_down"] == {space: [] for space in THREE_SPACES}


def test_m18_a_face_down_card_not_caught_keeps_its_peeker() -> None:
    """M18: it stays face down; cards laid beside it later are face up."""
    env = table(
        "lantern:7 tigerfish:6 tigerfish:6",
        "tuna:15 tigerfish:7 tigerfish:7",
        "tuna:14 tigerfish:8 tigerfish:8",
        no_fighting=True,
    )
    dive(env, "12 1 2 3", "11 11 4 5")
    assert see(env, 3)["face_down"]["deepest"] == [[0, 0]]
    assert on(env, "deepest", 0) == ["tuna:15", "tuna:14"]
    assert on(env, "deepest", 3) == ["?", "tuna:14"]


def test_m18_a_lantern_caught_face_down_hides_the_next_card_for_its_own_catcher() -> None:
    """M12, M11, M18: the new face-down card has a new peeker, and stays his through a tie."""
    env = table(
        "lantern:7 tigerfish:6 tigerfish:6",
        "lantern:5 tigerfish:7 tigerfish:7",
        "tuna:14 tigerfish:8 tigerfish:8",
        "tuna:13 tigerfish:9 tigerfish:9",
        no_fighting=True,
    )
    dive(env, "12 1 2 3", "1 11 5 6")  # seat 0 lights it, seat 1 takes the hidden Lantern
    assert on(env, "deepest", 1) == ["tuna:14"]
    dive(env, "2 3 10 10")
    assert on(env, "deepest", 0) == ["?", "tuna:13"]
    assert on(env, "deepest", 1) == ["tuna:14", "tuna:13"]


def test_m18_fish_left_after_the_last_round_score_for_nobody() -> None:
    """M18: up to 12 cards can lie on one space, when all dive alike twelve times."""
    env = table("tuna:12 tuna:13 tuna:14", no_fighting=True)
    dive(env, *(f"{card} " * 4 for card in range(1, 13)))
    assert [len(on(env, space)) for space in THREE_SPACES] == [12, 12, 12]
    assert final(env, "points") == [0, 0, 0, 0]
    assert final(env, "win_share") == pytest.approx([1 / 4] * 4)


def test_m19_with_two_players_the_shallow_fish_goes_to_the_box() -> None:
    """M19: nobody is left for it, so it leaves the game at the end of the round."""
    env = table("tuna:12 tuna:13 tuna:14", "lantern:1 lantern:3 lantern:5", seats=2)
    dive(env, "9 4")
    assert takers(env) == [0, 1, None]
    assert see(env)["last_round"]["catches"]["shallow"] == [None, []]
    assert see(env)["box"] == ["kittenfish:5", "tuna:14"]
    assert on(env, "shallow") == ["lantern:5"]


def test_m19_after_a_tie_under_no_fighting_it_stays() -> None:
    """M19: a tie at any space keeps all untaken fish; without one the whole stack goes."""
    stock = ["tuna:12 tuna:13 tuna:14", "kittenfish:2 lantern:3 lantern:5"]
    env = table(*stock, seats=2, no_fighting=True)
    dive(env, "9 9")
    assert see(env)["box"] == ["kittenfish:5"]
    assert on(env, "shallow") == ["tuna:14", "lantern:5"]
    dive(env, "8 4")
    assert see(env)["last_round"]["catches"]["shallow"] == [None, []]
    assert see(env)["box"] == ["kittenfish:5", "tuna:14", "lantern:5"]
    assert len(on(env, "shallow")) == 1


def test_m19_two_players_and_two_spaces_leave_nothing() -> None:
    """M19, M6: with spaces 2 the second card is the lowest still in and takes shallow."""
    env = small_table("tuna:12 tuna:14 tuna:10 tuna:11", seats=2, hand_size=2, spaces=2)
    dive(env, "1 2")
    catches = {"deepest": [1, ["tuna:12"]], "shallow": [0, ["tuna:14"]]}
    assert see(env)["last_round"]["catches"] == catches


# -- options for study ------------------------------------------------------------------------


def test_options_hand_size_spaces_and_cards_make_a_small_game() -> None:
    """Two rounds of two spaces: four cards play, the two beyond return to the box unseen."""
    fish = "tuna:15 seagull tuna:10 kittenfish:2 seagull tuna:12"
    env = small_table(fish, seats=2, hand_size=2, spaces=2, kiti=1)
    assert see(env)["box_card"] == ["tuna:15", "seagull"]
    assert see(env)["lagoon"] == {"deepest": ["tuna:10"], "shallow": ["kittenfish:2"]}
    assert [int(x) for x in env.observe("player_0")["action_mask"]] == [1, 1]
    dive(env, "1 1")  # g=1: seat 1 takes deepest, seat 0 shallow
    assert see(env)["lagoon"] == {"deepest": ["seagull"], "shallow": ["tuna:12"]}
    dive(env, "2 2")  # g=0: seat 0 takes deepest, seat 1 shallow
    assert see(env)["round"] == 2
    assert [pile(env, seat) for seat in (0, 1)] == [[], ["tuna:10", "tuna:12"]]
    assert see(env)["box"] == ["kittenfish:2", "tuna:15", "seagull", "seagull"]
    assert final(env, "win_share") == [0, 1]


def test_options_without_a_card_for_the_box() -> None:
    """As many cards as the rounds take: nothing returns to the box."""
    env = small_table("tuna:12 tuna:13", seats=2, hand_size=2, spaces=1)
    assert see(env)["box_card"] is None
    assert see(env)["box"] == []


def test_options_one_space_is_the_deepest() -> None:
    """Spaces 1: only the highest number takes a fish."""
    env = small_table("tuna:12 tuna:13", seats=3, hand_size=2, spaces=1, kiti=2)
    dive(env, "1 2 2")
    assert see(env)["last_round"]["catches"] == {"deepest": [2, ["tuna:12"]]}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"num_players": 1}, r"player.*\b1\b|\b1\b.*player"),
        ({"num_players": 7}, r"player.*\b7\b|\b7\b.*player"),
        ({"hand_size": 13}, r"hand_size.*13"),
        ({"hand_size": 0}, r"hand_size.*0"),
        ({"spaces": 0}, r"spaces.*0"),
        ({"spaces": 4}, r"spaces.*4"),
        ({"kiti": 4}, r"kiti.*4"),
        ({"kiti": -1}, r"kiti.*-1"),
        ({"cards": ["shark:3"] * 36}, r"shark:3"),
        ({"cards": ["kittenfish:6"] * 36}, r"kittenfish:6"),
        ({"cards": ["tuna:12"] * 35}, r"cards.*35|35.*cards"),
        ({"cards": ["tuna:12"] * 2 + ["seagull"] * 34}, r"(?i)seagull"),
        ({"hand_size": 5, "spaces": 1}, r"(?i)seagull"),  # 32 to the box, perhaps all 31 fish
    ],
)
def test_options_that_make_no_game_are_refused(options: dict[str, Any], complaint: str) -> None:
    """Each with an error that says what was wrong."""
    with pytest.raises(ValueError, match=complaint):
        miaui_v0.env(**{"num_players": 4, **options})


def test_options_just_inside_the_bounds_are_taken() -> None:
    """Three fish and 33 Seagulls can just be stocked in round 1, whatever the shuffle."""
    env = miaui_v0.env(num_players=2, cards=["tuna:12"] * 3 + ["seagull"] * 33)
    env.reset(seed=0)
    assert see(env, 0)["lagoon"] == {space: ["tuna:12"] for space in THREE_SPACES}
    assert see(env)["deck"] == ["seagull"] * 33


def test_options_unknown_are_refused_by_name() -> None:
    """A typing error in an option is not passed over."""
    with pytest.raises((TypeError, ValueError), match="no_fightng"):
        miaui_v0.env(num_players=4, no_fightng=True)


TOO_MANY_TUNA = ["tuna:15", "tuna:15", *deck("tuna:15")[2:]]


@pytest.mark.parametrize(
    ("fixed", "complaint"),
    [
        ({"deck": ["shark:3", *deck()[1:]]}, r"shark:3"),
        ({"deck": TOO_MANY_TUNA}, r"(?i)deck"),
        ({"deck": deck()[1:]}, r"(?i)deck"),
        ({"deck": [*deck(), "tuna:12"]}, r"(?i)deck"),
        ({"kiti": 4}, r"(?i)kiti.*4"),
        ({"kiti": -1}, r"(?i)kiti.*-1"),
    ],
)
def test_reset_refuses_a_deck_or_gap_that_is_not_the_games(
    fixed: dict[str, Any], complaint: str
) -> None:
    """A stacked deck has just the cards of the game, and Kiti stands in one of its gaps."""
    env = miaui_v0.env(num_players=4)
    with pytest.raises(ValueError, match=complaint):
        env.reset(seed=0, options=fixed)


# -- what a player may know, whole dicts ------------------------------------------------------


def assert_reads(view: Any, expected: dict[str, Any]) -> None:
    """Equal to the letter: keys in the same order, numbers and texts that `json.dumps` takes."""
    assert view == expected
    assert json.dumps(view) == json.dumps(expected)


def hand_without(*played: int) -> list[int]:
    """The cards of 1..12 that are left."""
    return [card for card in range(1, 13) if card not in played]


def third_round(**options: Any) -> Any:
    """Two rounds are over and seat 0 has committed its 10.

    Round 1, g=0: 12 takes deepest (seat 0), 9 deep and a Lantern (seat 3), 3 shallow (seat 1).
    Round 2, g=1: 11 takes deepest and a Lantern (seat 1); deep, hidden for seat 3, is tied by
    seats 2 and 3, order 1,0,3,2: seat 3; of 2 and 5 seat 0 has shallow, and the gull its tuna:15.
    Round 3, g=2: deepest is hidden for seat 1.
    """
    env = table(
        "tuna:15 lantern:5 kittenfish:4",
        "lantern:7 tuna:13 seagull",
        "jellyfish:-10 tigerfish:8 kittenfish:2",
        **options,
    )
    dive(env, "12 3 6 9", "2 11 5 5", "10")
    return env


LAST_ROUND = {
    "dives": [2, 11, 5, 5],
    "catches": {
        "deepest": [1, ["lantern:7"]],
        "deep": [3, ["tuna:13"]],
        "shallow": [0, ["seagull"]],
    },
}


def seen_in_third_round(seat: int | None, **known: Any) -> dict[str, Any]:
    """The keys in their order; what everyone at the table knows, and what the test adds."""
    view = {
        "game": "miaui",
        "version": 0,
        "seat": seat,
        "num_players": 4,
        "round": 3,
        "kiti": 2,
        "gulls_returned": None,
        "hand": None,
        "committed": None,
        "to_act": [1, 2, 3],
        "lagoon": {"deepest": ["?"], "deep": ["tigerfish:8"], "shallow": ["kittenfish:2"]},
        "face_down": {"deepest": [[0, 1]], "deep": [], "shallow": []},
        "seats": [
            closed(9, 0, None),
            closed(10, 2, "lantern:7"),
            closed(10, 0, None),
            closed(10, 2, "tuna:13"),
        ],
        "last_round": LAST_ROUND,
        "deck_size": 27,
        "unseen": None,
    }
    assert set(known) <= set(view)
    return view | known


def closed(hand_size: int, pile_size: int, pile_top: str | None) -> dict[str, Any]:
    """A seat as the others see it in the base game."""
    sizes = {"hand_size": hand_size, "pile_size": pile_size, "pile_top": pile_top}
    return {**sizes, "pile": None, "hand": None, "dived": None, "score": None}


OPEN_PILES: list[list[str]] = [[], ["kittenfish:4", "lantern:7"], [], ["lantern:5", "tuna:13"]]
DIVED = [[12, 2], [3, 11], [6, 5], [9, 5]]


def all_open(hand_of_seat_0: list[int]) -> list[dict[str, Any]]:
    """All four seats with piles, hands and divers open; one sees or not what seat 0 committed."""
    hands = [hand_of_seat_0, *(hand_without(*DIVED[seat]) for seat in (1, 2, 3))]
    return [
        {
            "hand_size": 9 if seat == 0 else 10,
            "pile_size": len(OPEN_PILES[seat]),
            "pile_top": [None, "lantern:7", None, "tuna:13"][seat],
            "pile": OPEN_PILES[seat],
            "hand": hands[seat],
            "dived": DIVED[seat],
            "score": [0, 11, 0, 18][seat],
        }
        for seat in range(4)
    ]


NOT_YET_SEEN_BY_SEAT_1 = {
    "kittenfish:1": 1,
    "kittenfish:2": 1,
    "kittenfish:3": 1,
    "kittenfish:4": 1,
    "kittenfish:5": 1,
    "tigerfish:6": 2,
    "tigerfish:7": 2,
    "tigerfish:8": 1,
    "tigerfish:9": 2,
    "tuna:10": 1,
    "tuna:11": 1,
    "tuna:12": 2,
    "tuna:13": 1,
    "tuna:14": 1,
    "lantern:1": 1,
    "lantern:3": 1,
    "jellyfish:-10": 1,
    "jellyfish:-15": 2,
    "seagull": 5,
}
PEEKED = {"deepest": ["jellyfish:-10"], "deep": ["tigerfish:8"], "shallow": ["kittenfish:2"]}


def test_view_of_the_table() -> None:
    """One's own hand, pile and score; of the others what shows, and the peeker's secret."""
    env = third_round()
    own = {"pile": OPEN_PILES[1], "hand": hand_without(3, 11), "score": 11}
    seats = seen_in_third_round(1)["seats"]
    seats[1] = seats[1] | own
    expected = seen_in_third_round(1, hand=own["hand"], lagoon=PEEKED, seats=seats)
    assert_reads(see(env, 1), expected)


def test_view_of_the_table_by_a_seat_that_has_committed() -> None:
    """The card stands in `committed` and has left the hand; the face-down card is a `?`."""
    env = third_round()
    own = {"pile": [], "hand": hand_without(12, 2, 10), "score": 0}
    seats = seen_in_third_round(0)["seats"]
    seats[0] = seats[0] | own
    assert_reads(see(env, 0), seen_in_third_round(0, hand=own["hand"], committed=10, seats=seats))


def test_view_with_perfect_recall() -> None:
    """Every pile, dive and hand, the gulls of round 1, and the 28 cards not yet seen."""
    env = third_round(perfect_recall=True)
    expected = seen_in_third_round(
        1,
        gulls_returned=0,
        hand=hand_without(3, 11),
        lagoon=PEEKED,
        seats=all_open(hand_without(12, 2)),
        unseen=NOT_YET_SEEN_BY_SEAT_1,
    )
    assert_reads(see(env, 1), expected)


def test_view_with_perfect_recall_keeps_anothers_face_down_card_unseen() -> None:
    """Seat 0 has not looked at seat 1's card, so both Jellyfish of -10 are unseen to it."""
    env = third_round(perfect_recall=True)
    expected = seen_in_third_round(
        0,
        gulls_returned=0,
        hand=hand_without(12, 2, 10),
        committed=10,
        seats=all_open(hand_without(12, 2, 10)),
        unseen=NOT_YET_SEEN_BY_SEAT_1 | {"jellyfish:-10": 2},
    )
    assert_reads(see(env, 0), expected)


def test_view_with_open_baskets() -> None:
    """Piles and divers are open at the table; what is still unseen is not counted for one."""
    env = third_round(open_baskets=True)
    seats = all_open(hand_without(12, 2))
    assert_reads(see(env, 2), seen_in_third_round(2, hand=hand_without(6, 5), seats=seats))


def test_view_of_the_referee() -> None:
    """Everything, and in the end what lies in the box and in the deck."""
    env = third_round()
    expected = seen_in_third_round(
        None,
        gulls_returned=0,
        committed=[10, None, None, None],
        lagoon=PEEKED,
        seats=all_open(hand_without(12, 2, 10)),
        unseen={},
    )
    expected["box_card"] = "kittenfish:5"
    expected["box"] = ["kittenfish:5", "tuna:15", "seagull"]
    stacked = "tuna:15 lantern:5 kittenfish:4 lantern:7 tuna:13 seagull"
    expected["deck"] = deck(stacked, "jellyfish:-10 tigerfish:8 kittenfish:2")[10:]
    assert_reads(see(env), expected)


@pytest.mark.parametrize("seat", range(4))
def test_view_of_stacks_under_no_fighting(seat: int) -> None:
    """No Kiti; a stack with a face-down card shows its name to the peeker, seat 0, alone.

    Round 1: 12 takes deepest and a Lantern (seat 0), deep is tied, 1 takes shallow (seat 3).
    Round 2: deepest is tied and stays hidden; 4 takes two at deep (seat 2); 2 takes shallow, and
    the gull the tigerfish of seat 3.
    """
    env = table(
        "lantern:3 tuna:10 tigerfish:7",
        "tuna:14 kittenfish:2 seagull",
        "jellyfish:-15 tigerfish:6 lantern:1",
        no_fighting=True,
    )
    dive(env, "12 5 5 1", "11 11 4 2")
    seats = [closed(10, 1, "lantern:3"), closed(10, 0, None), closed(10, 2, "kittenfish:2")]
    seats += [closed(10, 0, None)]
    hand = [hand_without(12, 11), hand_without(5, 11), hand_without(5, 4), hand_without(1, 2)][seat]
    own_pile = [["lantern:3"], [], ["tuna:10", "kittenfish:2"], []][seat]
    seats[seat] |= {"pile": own_pile, "hand": hand, "score": [3, 0, 12, 0][seat]}
    hidden = "tuna:14" if seat == 0 else "?"
    expected = {
        "game": "miaui",
        "version": 0,
        "seat": seat,
        "num_players": 4,
        "round": 3,
        "kiti": None,
        "gulls_returned": None,
        "hand": hand,
        "committed": None,
        "to_act": [0, 1, 2, 3],
        "lagoon": {
            "deepest": [hidden, "jellyfish:-15"],
            "deep": ["tigerfish:6"],
            "shallow": ["lantern:1"],
        },
        "face_down": {"deepest": [[0, 0]], "deep": [], "shallow": []},
        "seats": seats,
        "last_round": {
            "dives": [11, 11, 4, 2],
            "catches": {
                "deepest": [None, []],
                "deep": [2, ["tuna:10", "kittenfish:2"]],
                "shallow": [3, ["seagull"]],
            },
        },
        "deck_size": 27,
        "unseen": None,
    }
    assert_reads(see(env, seat), expected)


def test_view_before_the_first_reveal_and_after_the_last() -> None:
    """There is no last round yet; at the end the round stays at the last and nobody is to act."""
    env = small_table("tuna:12 tuna:13", seats=2, hand_size=2, spaces=1)
    assert see(env, 0)["round"] == 1
    assert see(env, 0)["last_round"] is None
    dive(env, "1 2", "2 1")
    assert see(env, 0)["round"] == 2
    assert see(env, 0)["to_act"] == []
    assert see(env, 0)["hand"] == []
    assert see(env, 0)["last_round"]["dives"] == [2, 1]


@pytest.mark.parametrize(("recall", "after_round_2"), [(False, None), (True, 2)])
def test_view_tells_the_gulls_returned_in_two_rounds_or_always(
    recall: bool, after_round_2: int | None
) -> None:
    """At the table rounds 1 and 2 show it; perfect recall does not forget."""
    env = table("seagull seagull tuna:12 tuna:13 tuna:14", perfect_recall=recall)
    told = [see(env, 0)["gulls_returned"]]
    for dives in ("1 2 3 4", "2 3 4 5", "3 4 5 6"):
        dive(env, dives)
        told.append(see(env, 0)["gulls_returned"])
    assert told == [2, 2, after_round_2, after_round_2]
    assert see(env)["gulls_returned"] == 2


# -- bounds that random play does not reach ---------------------------------------------------

LAST_ROUNDS = {  # after ties of all: seat 0 catches at another space in each, and wins them alone
    3: ["9 10 10", "12 11 12", "11 9 9", "10 12 11"],
    4: ["9 9 11 11", "12 10 10 10", "11 12 9 9", "10 11 12 12"],
    5: ["10 11 11 12 12", "11 12 12 10 10", "12 10 10 11 11"],
    6: ["10 11 11 12 12 12", "11 12 12 10 10 10", "12 10 10 11 11 11"],
}


@pytest.mark.parametrize(("seats", "most"), [(3, 32), (4, 33), (5, 33), (6, 33)])
def test_the_tallest_pile_under_no_fighting_is_as_declared(seats: int, most: int) -> None:
    env = miaui_v0.env(num_players=seats, no_fighting=True, cards={"tuna:12": 37})
    env.reset(seed=5)
    ties = [f"{card} " * seats for card in range(1, 13 - len(LAST_ROUNDS[seats]))]
    dive(env, *ties, *LAST_ROUNDS[seats])
    assert see(env)["seats"][0]["pile_size"] == most
    assert declared(env, "pile_size") == most


def test_all_six_seagulls_can_come_up_in_round_one() -> None:
    env = table("seagull " * 6, "tuna:10 tuna:11 tuna:12")
    assert see(env, 0)["gulls_returned"] == 6 == declared(env, "gulls_returned")


def test_the_best_pile_is_worth_as_much_as_declared() -> None:
    best = [f"tuna:{value}" for value in (15, 14, 13, 13, 12, 12, 11, 10)]
    best += [f"tigerfish:{value}" for value in (9, 9, 8, 8)]  # 100 + 34
    rest = list((Counter(BOX) - Counter([*best, "kittenfish:5"])).elements())
    stock = [f"{fish} {rest[i]} {rest[12 + i]}" for i, fish in enumerate(best[:11])]
    env = table(*stock, f"{rest[11]} {best[11]} {rest[23]}", seats=2)
    dive(env, *[f"{13 - number} {12 - number}" for number in range(1, 12)], "1 12")
    assert see(env, 0)["seats"][0]["score"] == 134
    assert declared(env, "score_high") == 134 // 128


def declared(env: Any, name: str) -> int:
    """The greatest value that the observation's field is declared to have."""
    [greatest] = [f.high for f in env.unwrapped.setup.layout.fields if f.name == name]
    return int(greatest)
