"""Showcase, rule by rule: each test plays a stacked deal whose outcome was worked out by hand.

Cards are written by colour: hands seat by seat, the showcase, the cards on top of the deck; cards
that do not matter follow. Where a deal cannot lead to a corner case soon, the record is changed.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from miaui_env import keys, load_bot, showcase_v0
from miaui_env.engine.loops import engine_of
from miaui_env.games.showcase.pieces import CARDS, CODES
from tests.referee.showcase import ALL_CARDS, BOX, KINDS

NAMES = {name.partition(":")[0]: name for name in BOX}
DULL = "white grey black red blue"
"""A hand that scores nothing."""
OTHER = "white grey black red gold"
ROW = "white grey black red"


def cards(colours: str) -> list[str]:
    """Cards by the colours they are written by."""
    return [NAMES[colour] for colour in colours.split()]


def heap(colours: str) -> dict[str, int]:
    """Counts in the order of the box, as views have them."""
    count = Counter(cards(colours))
    return {kind: count[kind] for kind in KINDS if count[kind]}


def deck(*hands: str, row: str = ROW, top: str = "") -> list[str]:
    """All fifty cards: the hands, the showcase, what is drawn first, the rest."""
    first = cards(" ".join([*hands, row, top]))
    assert Counter(first) <= Counter(BOX), "the deck asks for a card the box does not have"
    return first + list((Counter(ALL_CARDS) - Counter(first)).elements())


def table(*hands: str, row: str = ROW, top: str = "", first: int = 0, **options: Any) -> Any:
    """A game where seat 0 (or `first`) is to begin."""
    dealt = hands or (DULL, OTHER)
    env = showcase_v0.env(num_players=len(dealt), **options)
    env.reset(seed=5, options={"deck": deck(*dealt, row=row, top=top), "first": first})
    return env


def do(env: Any, *actions: str) -> None:
    """Actions in words; several in one text are parted by commas."""
    for action in ", ".join(actions).split(", "):
        env.step(env.unwrapped.table.setup.read(action))


def see(env: Any, seat: int | None = None) -> Any:
    """What a seat sees; without a seat, what the referee sees."""
    return env.unwrapped.view(None if seat is None else f"player_{seat}")


def record(env: Any) -> Any:
    """The record itself, to be changed."""
    return env.unwrapped.table.tables.states[0]


def hand(env: Any, seat: int) -> Any:
    return see(env)["seats"][seat]["known"]


def allowed(env: Any) -> list[str]:
    """What the seat to act may do, in words, by a fresh look at the `record`."""
    mask = env.unwrapped.table.observation(env.unwrapped.seen_from())["action_mask"]
    return [env.unwrapped.table.setup.say(int(action)) for action in np.flatnonzero(mask)]


def is_over(env: Any) -> bool:
    return all(env.terminations.values())


def final(env: Any, what: str) -> list[Any]:
    """The last word on every seat: its points or its win share."""
    return [env.infos[f"player_{seat}"][what] for seat in range(env.max_num_agents)]


def lay_deck_before(env: Any, seat: int, keep: int = 0) -> None:
    """All but the last `keep` cards of the deck lie open before a seat, so they are no discards."""
    state = record(env)
    while state.top < CARDS - keep:
        state.played[seat, state.deck[state.top]] += 1
        state.top += 1


def discard_deck(env: Any, keep: int = 0) -> None:
    """All but the last `keep` cards of the deck are discards."""
    state = record(env)
    while state.top < CARDS - keep:
        state.discards[state.deck[state.top]] += 1
        state.top += 1


def give(env: Any, seat: int, colours: str) -> None:
    """Another hand, whatever the box says."""
    state = record(env)
    state.hands[seat] = [heap(colours).get(kind, 0) for kind in KINDS]
    state.hand_size[seat] = state.hands[seat].sum()


def earn(env: Any, *points: int) -> None:
    """Points that the seats have already."""
    record(env).points[: len(points)] = points


# -- setup ------------------------------------------------------------------------------------


def test_the_box_has_fifty_cards_in_seven_kinds() -> None:
    env = table()
    view = see(env)
    lying = Counter(view["deck"]) + Counter(view["showcase"])
    for seat in view["seats"]:
        lying += Counter(seat["known"])
    assert lying == Counter(
        {"white:1": 8, "grey:1": 8, "black:1": 8, "red:2": 6, "blue:2": 6, "gold:2": 6, "milk": 8}
    )


def test_s1_hands_are_dealt_seat_by_seat_then_the_showcase() -> None:
    hands = ("red red red grey milk", "white blue blue gold milk", DULL)
    env = table(*hands, row="gold milk white red", top="black gold", first=2)
    view = see(env)
    assert [seat["known"] for seat in view["seats"]] == [heap(h) for h in hands]
    assert view["showcase"] == ["gold:2", "milk", "white:1", "red:2"]
    assert view["deck"][:2] == ["black:1", "gold:2"] and view["deck_size"] == 50 - 15 - 4
    assert view["scores"] == [0, 0, 0] and view["to_act"] == [2] and view["phase"] == "play"
    assert (view["turn"], view["round"], view["finisher"]) == (1, 1, None)


def test_s1_who_begins_is_drawn_and_cards_are_shuffled() -> None:
    env = showcase_v0.env(num_players=4)
    starters, decks = set(), set()
    for seed in range(60):
        env.reset(seed=seed)
        starters.add(see(env)["to_act"][0])
        decks.add(tuple(see(env)["deck"]))
    assert starters == {0, 1, 2, 3} and len(decks) == 60


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"deck": ["red"] * 50}, "unknown card 'red'"),
        ({"deck": ["red:2"] * 50}, "too many of red:2"),
        ({"deck": ["red:2"]}, "1 cards"),
        ({"deck": "milk"}, "list of card names"),
        ({"first": 2}, "first is 0 to 1"),
        ({"first": True}, "whole number"),
    ],
)
def test_s1_a_deal_that_does_not_fit_is_refused(options: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        table().reset(seed=0, options=options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"num_players": 5}, "2 to 4"),
        ({"target": 0}, "target is 1 to 30"),
        ({"target": 31}, "target is 1 to 30"),
        ({"min_turns": -1}, "min_turns is 0 to 100"),
        ({"played_count": 1}, "True or False"),
    ],
)
def test_options_out_of_range_are_refused(options: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        showcase_v0.env(**options)


# -- play -------------------------------------------------------------------------------------


def test_s2_any_number_of_cards_is_played_one_by_one_and_milk_pays_at_once() -> None:
    env = table("milk milk red grey grey", OTHER)
    for action, score in (("play milk", 1), ("play grey", 1), ("play milk", 2), ("play red", 2)):
        do(env, action)
        assert see(env)["scores"] == [score, 0] and see(env)["to_act"] == [0]
    assert see(env, 1)["seats"][0]["played"] == heap("milk milk red grey")
    assert see(env, 0)["hand"] == heap("grey") and see(env, 1)["seats"][0]["hand_size"] == 1


def test_s2_played_cards_lie_open_until_the_clean_up_and_do_not_count() -> None:
    env = table("red red red grey milk", OTHER)
    do(env, "play red, play milk, draw, pass")
    assert see(env, 1)["seats"][0]["played"] == heap("red milk") and see(env)["discards"] == {}
    do(env, "draw, pass, swap grey for 2, declare")
    # 1 for the milk, 1 for declaring, red and red 4; the draw was a white
    assert see(env)["scores"][0] == 1 + 1 + 4
    assert see(env)["discards"] == heap("red milk")
    assert see(env)["seats"][0]["played"] == {}


def test_s2_nothing_has_to_be_played_and_all_can_be() -> None:
    env = table()
    do(env, "play white, play grey, play black, play red, play blue")
    assert see(env, 0)["hand"] == {}
    assert allowed(env) == ["draw", "take 1", "take 2", "take 3", "take 4"]


# -- act --------------------------------------------------------------------------------------


def test_s3_a_draw_takes_the_top_card_unseen() -> None:
    env = table(top="gold milk")
    do(env, "draw")
    assert see(env, 0)["hand"] == heap(DULL + " gold")
    assert see(env, 1)["seats"][0]["last_act"] == ["draw"]
    assert see(env, 1)["seats"][0]["hand_size"] == 6 and see(env, 1)["deck_size"] == 35
    assert see(env, 1)["phase"] == "declare"


def test_s3_a_taken_card_is_replaced_from_the_deck_at_once() -> None:
    env = table(row="gold milk white red", top="black grey")
    do(env, "take 2")
    assert see(env, 1)["showcase"] == ["gold:2", "black:1", "white:1", "red:2"]
    assert see(env, 0)["hand"] == heap(DULL + " milk")
    assert see(env, 1)["seats"][0]["last_act"] == ["take", "milk"]


def test_s3_a_swap_lays_the_own_card_in_the_place_of_the_other() -> None:
    env = table(row="gold milk white red")
    do(env, "swap blue for 1")
    assert see(env, 1)["showcase"] == ["blue:2", "milk", "white:1", "red:2"]
    assert see(env, 0)["hand"] == heap("white grey black red gold")
    assert see(env, 1)["seats"][0]["last_act"] == ["swap", "blue:2", "gold:2"]
    assert see(env)["deck_size"] == 36


def test_s3_equal_cards_may_be_swapped() -> None:
    env = table(row="gold milk white red")
    before = see(env, 0)
    do(env, "swap red for 4")
    assert see(env, 0)["hand"] == before["hand"]
    assert see(env, 0)["showcase"] == before["showcase"]
    assert see(env, 1)["seats"][0]["last_act"] == ["swap", "red:2", "red:2"]


def test_s3_any_card_in_hand_can_be_swapped_with_any_place() -> None:
    env = table("red red milk milk milk", OTHER)
    kinds, places = ("red:2", "milk"), (1, 2, 3, 4)
    expected = [f"play {kind}" for kind in kinds] + ["draw"] + [f"take {i}" for i in places]
    assert allowed(env) == expected + [f"swap {kind} for {i}" for kind in kinds for i in places]


def test_s3_there_is_no_hand_limit_in_a_round_and_just_one_act_in_a_turn() -> None:
    env = table()
    for turn in range(16):
        do(env, "draw")
        assert allowed(env) == ["declare", "pass"]
        do(env, "pass")
        assert see(env)["turn"] == turn + 2
    assert [seat["hand_size"] for seat in see(env)["seats"]] == [13, 13]


# -- declare ----------------------------------------------------------------------------------


def test_s4_a_round_may_be_ended_in_the_first_turn_for_a_point() -> None:
    env = table(row="gold gold gold gold")
    do(env, "swap blue for 1, declare")
    assert see(env)["scores"] == [1, 0] and see(env)["round"] == 2


def test_s4_the_turn_passes_clockwise() -> None:
    env = table(DULL, OTHER, DULL, first=1)
    seats = []
    for _ in range(5):
        seats += see(env)["to_act"]
        do(env, "draw, pass")
    assert seats == [1, 2, 0, 1, 2] and see(env)["turn"] == 6


@pytest.mark.parametrize(("min_turns", "first_allowed"), [(0, 1), (1, 2), (2, 4), (3, 6)])
def test_s4_each_player_must_have_had_min_turns_turns(min_turns: int, first_allowed: int) -> None:
    """The current one counts; after a round they are counted anew."""
    env = table(min_turns=min_turns, target=30)
    for _ in range(2):
        for _ in range(1, first_allowed):
            do(env, "draw")
            assert allowed(env) == ["pass"]
            do(env, "pass")
        do(env, "draw")
        assert allowed(env) == ["declare", "pass"]
        do(env, "declare")
        while see(env)["phase"] == "clean_up":
            do(env, allowed(env)[0])


# -- scoring ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards_held", "score"),
    [
        ("red red red grey milk", 7),  # the page's example: 6 + 0 + 1
        ("white grey black red blue", 0),
        ("white white grey grey gold", 4),
        ("milk milk milk gold blue", 3),
        ("gold gold gold gold gold", 10),
        ("white white blue blue blue", 8),
    ],
)
def test_s5_sets_and_milk_score_and_single_fish_do_not(cards_held: str, score: int) -> None:
    env = table(cards_held, OTHER, target=30)
    do(env, "swap " + cards_held.split()[-1] + " for 1")
    give(env, 0, cards_held)
    do(env, "declare")
    assert see(env)["scores"] == [1 + score, 0]


def test_s5_all_hands_score_and_are_revealed() -> None:
    env = table("red red grey black milk", "gold gold gold blue white")
    do(env, "swap black for 2, declare")  # red red, grey grey, milk: 4 + 2 + 1
    assert see(env)["scores"] == [1 + 7, 6]
    for seat in (0, 1):
        assert [about["revealed"] for about in see(env, seat)["seats"]] == [
            heap("red red grey grey milk"),
            heap("gold gold gold blue white"),
        ]


def test_s5_milk_pays_when_played_or_at_each_scoring_in_hand() -> None:
    env = table("milk milk white grey black", DULL, row="gold gold gold gold")
    do(env, "play milk, swap black for 1, declare")
    assert see(env)["scores"][0] == 1 + 1 + 1  # one played, one in hand
    assert hand(env, 0)["milk"] >= 1
    before = see(env)["scores"][0]
    do(env, "draw, declare")
    assert see(env)["scores"][0] - before >= 1  # the one in hand scores again


@pytest.mark.parametrize(("played_count", "score"), [(False, 4), (True, 8)])
def test_option_played_count_counts_played_fish_with_the_hand(
    played_count: bool, score: int
) -> None:
    """Red, blue, blue in hand, red and milk played: the reds are a pair by the option only."""
    hand = "red red blue milk milk"
    env = table(hand, DULL, row="blue gold gold gold", played_count=played_count, target=30)
    do(env, "play red, play milk, swap milk for 1, declare")
    assert see(env)["scores"] == [1 + 1 + score, 0], "milk, declaring, sets; milk never again"


# -- clean-up ---------------------------------------------------------------------------------


def rich_table(**options: Any) -> Any:
    """Seat 1 of three declares with seven cards; seat 2 has three, seat 0 six."""
    env = table(DULL, OTHER, DULL, row="gold gold gold gold", first=1, **options)
    do(env, "draw")
    give(env, 0, "white grey black red blue gold")
    give(env, 1, "white grey black red blue milk gold")
    give(env, 2, "white grey red")
    return env


def test_s6_the_finisher_first_then_clockwise_one_card_at_a_time() -> None:
    env = rich_table()
    do(env, "declare")
    view = see(env)
    assert (view["phase"], view["finisher"], view["to_act"]) == ("clean_up", 1, [1])
    assert view["seats"][2]["hand_size"] == 3, "who comes later waits"
    assert allowed(env) == [f"discard {kind}" for kind in BOX]
    do(env, "discard gold")
    assert see(env)["to_act"] == [1] and "discard gold:2" not in allowed(env)
    do(env, "discard white")
    view = see(env)
    assert [about["hand_size"] for about in view["seats"]] == [6, 5, 5], "seat 2 has drawn, unasked"
    assert view["to_act"] == [0] and view["discards"] == heap("white gold")
    do(env, "discard grey")
    view = see(env)
    assert [about["hand_size"] for about in view["seats"]] == [5, 5, 5]
    assert view["discards"] == heap("white grey gold")
    assert (view["phase"], view["round"], view["finisher"]) == ("play", 2, None)
    assert view["to_act"] == [2], "S7: the seat after the finisher begins"


def test_s6_scored_cards_stay_in_hand_and_played_ones_are_discarded() -> None:
    env = table("red red red milk white", DULL)
    do(env, "play white, swap milk for 4, declare")
    assert hand(env, 0)["red:2"] == 4
    assert see(env)["discards"] == heap("white")
    assert see(env)["seats"][0]["hand_size"] == 5


def test_s6_option_discard_scored_takes_sets_and_milk_from_all_hands() -> None:
    env = table(
        "red red milk white grey",
        "blue blue blue gold black",
        row="black gold gold gold",
        top="milk milk milk white white white",
        discard_scored=True,
    )
    do(env, "swap grey for 1, declare")  # seat 0: red red milk white black
    assert see(env)["discards"] == heap("red red milk blue blue blue")
    assert hand(env, 0) == heap("white black milk milk milk")
    assert hand(env, 1) == heap("gold black white white white")
    assert see(env)["scores"] == [1 + 5, 6]


def test_s6_discard_scored_takes_partners_of_played_cards_too() -> None:
    env = table(
        "red red grey white black",
        DULL,
        row="gold gold gold gold",
        top="milk milk milk milk",
        discard_scored=True,
        played_count=True,
    )
    do(env, "play red, swap black for 1, declare")  # red scores with the red played: 4
    assert see(env)["scores"] == [1 + 4, 0]
    assert see(env)["discards"] == heap("red red")
    assert hand(env, 0) == heap("grey white gold milk milk")


def test_s6_without_played_count_a_partner_of_a_played_card_is_single_and_stays() -> None:
    env = table("red red grey white black", DULL, row="gold gold gold gold", discard_scored=True)
    do(env, "play red, swap black for 1, declare")
    assert see(env)["discards"] == heap("red") and "red:2" in hand(env, 0)


def test_s7_the_next_round_begins_with_a_full_showcase() -> None:
    env = table(top="blue milk gold")
    do(env, "draw")
    record(env).showcase[2] = -1
    do(env, "declare, discard blue")
    view = see(env)
    assert view["showcase"] == ["white:1", "grey:1", "milk", "red:2"]
    assert (view["to_act"], view["round"], view["turn"]) == ([1], 2, 2)


# -- the end ----------------------------------------------------------------------------------


def test_s8_the_tenth_point_by_milk_wins_before_any_act() -> None:
    env = table("milk milk red red red", "gold gold gold gold gold")
    earn(env, 9, 3)
    do(env, "play milk")
    assert is_over(env) and final(env, "points") == [10, 3]
    assert final(env, "win_share") == [1, 0]
    assert see(env, 1)["phase"] == "play" and see(env, 1)["to_act"] == []


def test_s8_the_tenth_point_by_declaring_wins_before_any_scoring() -> None:
    env = table(DULL, "gold gold gold gold gold")
    earn(env, 9, 9)
    do(env, "draw, declare")
    assert is_over(env) and final(env, "points") == [10, 9]
    assert see(env, 1)["finisher"] is None and see(env, 1)["seats"][0]["revealed"] is None


def test_s8_a_scoring_counts_for_all_and_the_most_points_win() -> None:
    """The page's example: 8 and 9 points, both score 4: 12 and 13, the second wins alone."""
    env = table("red red white grey black", "gold gold white grey black", row="blue white grey red")
    earn(env, 7, 9)
    do(env, "swap black for 1, declare")
    assert is_over(env) and final(env, "points") == [12, 13]
    assert final(env, "win_share") == [0, 1]
    view = see(env, 0)
    assert (view["phase"], view["finisher"]) == ("declare", 0)
    assert view["seats"][1]["revealed"] == heap("gold gold white grey black")


def test_s8_equal_points_share_the_win() -> None:
    env = table("red red white grey black", "gold gold white grey black", row="blue white grey red")
    earn(env, 8, 9)
    do(env, "swap black for 1, declare")
    assert final(env, "points") == [13, 13] and final(env, "win_share") == [0.5, 0.5]


def test_s8_option_target() -> None:
    env = table("milk milk milk red blue", OTHER, target=3)
    do(env, "play milk, play milk")
    assert not is_over(env)
    do(env, "play milk")
    assert is_over(env)
    env = table(target=1)
    do(env, "draw, declare")
    assert final(env, "points") == [1, 0]


def test_s9_the_discards_become_a_deck_only_when_a_card_is_needed() -> None:
    env = table()
    discard_deck(env, keep=1)
    last = see(env)["deck"][0]
    do(env, "draw")
    assert see(env, 0)["deck_size"] == 0 and sum(see(env, 0)["discards"].values()) == 35
    assert hand(env, 0) == {**heap(DULL), last: heap(DULL).get(last, 0) + 1}
    do(env, "pass, draw")
    assert see(env, 0)["deck_size"] == 34 and see(env, 0)["discards"] == {}


def test_s9_a_reshuffle_fills_the_showcase() -> None:
    env = table()
    discard_deck(env)
    do(env, "take 1")
    assert see(env)["deck_size"] == 35 and None not in see(env)["showcase"]
    assert see(env)["phase"] == "declare"


def test_s9_a_reshuffle_in_a_clean_up_has_the_played_cards_too() -> None:
    env = table("white grey black red gold", DULL, row="gold blue blue blue")
    do(env, "play white, play grey, play black")
    lay_deck_before(env, 1)
    record(env).played[1] = 0
    do(env, "swap red for 1, declare")  # hand: gold gold
    # Four points and one; three cards are missing, and just the three played are there.
    assert see(env)["scores"] == [5, 0] and not is_over(env)
    assert hand(env, 0) == heap("white grey black gold gold")
    assert (see(env)["deck_size"], see(env)["discards"]) == (0, {})


def test_s9_reshuffles_depend_on_the_seed_and_on_each_other() -> None:
    orders = set()
    for seed in range(20):
        env = showcase_v0.env()
        env.reset(seed=seed, options={"deck": deck(DULL, OTHER), "first": 0})
        for _ in range(2):
            discard_deck(env)
            do(env, "take 1, pass")
            orders.add(tuple(see(env)["deck"][:30]))
    assert len(orders) == 40


def test_s9_a_draw_from_nothing_ends_the_game_unscored() -> None:
    env = table("red red red red red", OTHER, row="white grey black gold")
    earn(env, 3, 4)
    lay_deck_before(env, 1)
    assert "draw" in allowed(env)
    do(env, "draw")
    assert is_over(env) and final(env, "points") == [3, 4]
    assert see(env, 0)["seats"][0]["last_act"] is None and see(env, 0)["phase"] == "play"


def test_s9_a_card_taken_is_kept_when_its_place_cannot_be_filled() -> None:
    env = table(row="milk grey black red")
    lay_deck_before(env, 1)
    do(env, "take 1")
    assert is_over(env)
    view = see(env, 1)
    assert view["showcase"] == [None, "grey:1", "black:1", "red:2"]
    assert view["seats"][0]["last_act"] == ["take", "milk"]
    assert hand(env, 0) == heap(DULL + " milk")


def test_s9_a_swap_needs_no_card() -> None:
    env = table()
    lay_deck_before(env, 1)
    do(env, "swap red for 1, pass, swap gold for 1, pass")
    assert not is_over(env)


def test_s9_no_card_in_a_clean_up_ends_the_game() -> None:
    """Only in a record that was changed: there are fifty cards."""
    env = table(row="gold gold gold gold")
    lay_deck_before(env, 1)
    record(env).played[1] = 0
    do(env, "swap red for 1")
    give(env, 0, "white")
    do(env, "declare")
    assert is_over(env) and see(env)["scores"] == [1, 0]
    assert (see(env)["phase"], see(env)["finisher"]) == ("clean_up", 0)


def test_s9_most_points_win_when_the_cards_run_out_and_ties_share() -> None:
    env = table(DULL, OTHER, DULL)
    earn(env, 5, 2, 5)
    lay_deck_before(env, 2)
    do(env, "draw")
    assert final(env, "win_share") == [0.5, 0, 0.5]


def test_s10_turn_201_does_not_begin() -> None:
    env = table()
    record(env).turn = 199
    do(env, "swap red for 1, pass")
    assert not is_over(env) and see(env)["turn"] == 200
    do(env, "swap gold for 1, pass")
    assert is_over(env) and see(env, 0)["turn"] == 200 and see(env, 0)["to_act"] == []
    assert final(env, "win_share") == [0.5, 0.5]


def test_s10_a_round_ended_in_turn_200_is_scored_and_cleaned_up_first() -> None:
    env = table("red red white grey black", DULL)
    record(env).turn = 200
    do(env, "take 4, declare")
    assert not is_over(env) and see(env)["scores"] == [1 + 6, 0]
    do(env, "discard white")
    assert is_over(env)
    view = see(env, 1)
    assert (view["phase"], view["round"], view["turn"]) == ("clean_up", 1, 200)
    assert view["discards"] == heap("white") and final(env, "points") == [7, 0]


# -- what a seat knows ------------------------------------------------------------------------


def test_revealed_hands_are_shown_until_the_seat_has_decided() -> None:
    env = table("red red white grey black", DULL, DULL)
    do(env, "take 4, declare")
    shown = [see(env, seat)["seats"][0]["revealed"] for seat in range(3)]
    assert shown == [heap("red red red white grey black")] * 3
    do(env, "discard white")  # a decision of seat 0, of whatever kind
    assert [see(env, seat)["seats"][0]["revealed"] is None for seat in range(3)] == [
        True,
        False,
        False,
    ]
    do(env, "play white")
    assert see(env, 1)["seats"][0]["revealed"] is None
    assert see(env, 2)["seats"][2]["revealed"] == heap(DULL), "the own hand, too"
    assert see(env)["seats"][0]["revealed"] == heap("red red red white grey black")


def test_the_last_act_outlives_the_round() -> None:
    env = table(row="gold gold gold gold")
    do(env, "swap red for 1, declare")
    assert see(env, 1)["round"] == 2
    assert see(env, 1)["seats"][0]["last_act"] == ["swap", "red:2", "gold:2"]
    assert see(env, 1)["seats"][1]["last_act"] is None


def knows(env: Any, seat: int, other: int) -> Any:
    return see(env, seat)["seats"][other]["known"]


def test_recall_a_card_taken_is_known_until_it_leaves() -> None:
    env = table(row="gold gold milk red", perfect_recall=True)
    assert knows(env, 1, 0) == {} and knows(env, 0, 0) == heap(DULL)
    do(env, "take 1, pass, draw, pass")
    assert knows(env, 1, 0) == heap("gold") and knows(env, 0, 1) == {}
    do(env, "swap gold for 3, pass, draw, pass")
    assert knows(env, 1, 0) == heap("milk")
    do(env, "play milk")
    assert knows(env, 1, 0) == {}
    do(env, "play white")  # a white that nobody knew of
    assert knows(env, 1, 0) == {}


def test_recall_a_hand_revealed_is_known_but_for_what_was_drawn_after() -> None:
    env = table("red red milk white grey", DULL, row="gold gold gold gold", perfect_recall=True)
    do(env, "play grey, play white, swap milk for 1, declare")
    assert knows(env, 1, 0) == heap("red red gold")
    do(env, "draw, pass")
    assert knows(env, 1, 0) == heap("red red gold")
    do(env, "play red")
    assert knows(env, 1, 0) == heap("red gold")


def test_recall_discards_of_the_only_one_who_discards_are_known() -> None:
    """Seat 1 looks at its next turn: two whites more lie there, so they were those of seat 0."""
    env = table("red red white white white", DULL, perfect_recall=True, target=30)
    do(env, "take 4, pass, swap red for 1, pass, take 2, declare")
    assert knows(env, 1, 0) == heap("red red red grey white white white")
    do(env, "discard white, discard white")
    assert knows(env, 1, 0) == heap("red red red grey white")


def test_recall_discards_that_may_be_anothers_are_not() -> None:
    """Seats 0 and 1 discard one each, a white and a grey; seat 2 sees a white and a grey."""
    env = table(DULL, DULL, OTHER, row="gold gold gold gold", perfect_recall=True)
    do(env, "take 1, pass, take 2, declare")
    do(env, "discard white")  # seat 1, the finisher
    do(env, "discard grey")  # seat 0
    both = heap("black red blue gold")
    assert knows(env, 2, 0) == both and knows(env, 2, 1) == both
    assert knows(env, 1, 0) == heap("white black red blue gold"), "seat 1 knows its own discard"


def test_recall_forgets_where_reshuffled_cards_are() -> None:
    env = table(perfect_recall=True)
    discard_deck(env)
    total = sum(see(env, 1)["unseen"].values())
    assert total == 5, "only the hand of seat 0"
    do(env, "draw")
    assert sum(see(env, 1)["unseen"].values()) == 41 and see(env, 1)["discards"] == {}


def test_recall_who_ended_the_round_knows_that_a_swap_came_after() -> None:
    env = table(DULL, "blue blue white grey gold", row="milk milk milk milk", perfect_recall=True)
    do(env, "draw, declare, discard white, swap gold for 1, pass")
    assert knows(env, 0, 1) == heap("blue blue white grey milk")


def test_recall_who_did_not_cannot_tell_when_a_swap_was() -> None:
    """Seat 2 ends the round; to seat 1, who had passed, it may have been seat 0 after its swap."""
    env = table(
        OTHER,
        DULL,
        "blue blue white grey gold",
        row="milk milk gold gold",
        first=1,
        perfect_recall=True,
    )
    do(env, "swap red for 3, pass, swap gold for 1, declare, swap red for 2, pass")
    # Seat 0 showed white grey black red gold, then gave its red for milk.
    assert knows(env, 1, 0) == heap("white grey black gold milk")
    # Seat 2 showed blue blue white grey milk; had it swapped since, it would hold one more milk.
    assert knows(env, 1, 2) == heap("blue blue white grey milk")


# -- what is imagined -------------------------------------------------------------------------


def imagined(env: Any, seat: int, number: int = 3000) -> Any:
    tables = env.unwrapped.table.tables
    states = np.repeat(tables.states, number)
    engine_of(tables.setup.game).imagine(states, np.full(number, seat), keys(1, number))
    return states


def test_imagined_hands_are_dealt_from_the_unseen_cards() -> None:
    """Of 41 cards that seat 0 does not see, a hand of five has 5/41 of each kind."""
    env = table()
    states = imagined(env, 0)
    unseen = np.array([BOX[kind] for kind in KINDS]) - record(env).hands[0]
    unseen[[0, 1, 2, 3]] -= 1  # the showcase
    expected = 5 * unseen / 41
    assert np.abs(states["hands"][:, 1].mean(0) - expected).max() < 0.08  # over four sigma
    assert (states["hands"][:, 0] == record(env).hands[0]).all()
    assert len(np.unique(states["deck"], axis=0)) > 2900


def test_the_card_taken_last_stays_in_an_imagined_hand() -> None:
    env = table(row="gold gold milk red", first=1)
    do(env, "take 3, pass")
    states = imagined(env, 0)
    milk = states["hands"][:, 1, CODES["milk"]]
    assert milk.min() == 1 and milk.max() > 1


def test_revealed_hands_stay_what_they_are_but_for_cards_drawn() -> None:
    env = table("red red milk white grey", DULL, row="gold gold gold gold")
    do(env, "play grey, play white, swap milk for 1, declare")
    states = imagined(env, 1)
    shown = states["hands"][:, 0]
    assert (shown[:, CODES["red:2"]] >= 2).all() and (shown[:, CODES["gold:2"]] >= 1).all()
    assert len(np.unique(shown, axis=0)) > 10


# -- views back to states ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "nonsense",
    [
        {"game": "snap"},
        {"hand": {"red:2": 7}},
        {"hand": {"red": 1}},
        {"deck_size": 12},
        {"phase": "asleep"},
        {"discards": {"milk": 9}},
        {"seats": []},
        {"showcase": ["milk"] * 3},
        {"unseen": {}},
        {"seat": 7},
    ],
)
def test_a_view_that_contradicts_itself_is_refused(nonsense: Any) -> None:
    env = table()
    setup = env.unwrapped.table.setup
    with pytest.raises(ValueError):
        setup.from_view({**see(env, 0), **nonsense})


def test_words_may_name_a_card_by_its_colour() -> None:
    setup = table().unwrapped.table.setup
    assert setup.read("Swap  Red for 2") == setup.read("swap red:2 for 2") == 12 + 4 * 3 + 1
    assert (setup.read("play milk"), setup.read("discard white:1")) == (6, 42)


# -- bounds that random play does not reach ----------------------------------------------------


def declared(env: Any, name: str) -> Any:
    """The greatest value that the observation's field is declared to have."""
    [greatest] = [f.high for f in env.unwrapped.setup.layout.fields if f.name == name]
    return greatest


def idle(env: Any, place: int = 4) -> None:
    """Swap for one place, alike if possible, so that no card is drawn."""
    swaps = [words for words in allowed(env) if words.endswith(f"for {place}")]
    alike = f"swap {see(env)['showcase'][place - 1]} for {place}"
    do(env, alike if alike in swaps else swaps[0])


def wait(env: Any) -> None:
    """All but seat 0 let their turns go by."""
    while see(env)["to_act"] != [0]:
        idle(env)
        do(env, "pass")


def seen(env: Any, seat: int, name: str) -> Any:
    """A field of what a seat observes."""
    setup = env.unwrapped.setup
    return setup.layout.read(env.observe(f"player_{seat}")["observation"], name).tolist()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_are_counted_up_to_200(seats: int) -> None:
    env = table(*[DULL] * seats)
    counted = []
    while not is_over(env):
        high, low = seen(env, 0, "turn_high"), seen(env, 0, "turn_low")
        counted.append((*high, *low))
        idle(env)
        do(env, "pass")
    assert counted == [divmod(turn, 128) for turn in range(1, 201)]
    assert (declared(env, "turn_high"), declared(env, "turn_low")) == (1, 127)


@pytest.mark.parametrize(("seats", "most"), [(2, 19), (3, 28), (4, 37)])
def test_the_most_rounds_are_those_of_bare_declarations(seats: int, most: int) -> None:
    """Nobody ever scores, each declares in turn, so each has 9 points before the last round."""
    env = table(*[DULL] * seats)
    while not is_over(env):
        last = see(env)["round"]
        do(env, "swap white for 1, declare")
    assert last == most == declared(env, "round")
    assert see(env)["scores"] == [10] + [9] * (seats - 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("kind", NAMES)
def test_a_seat_gathers_plays_and_discards_all_cards_of_a_kind(kind: str, seats: int) -> None:
    number, others = BOX[NAMES[kind]], [other for other in NAMES if other not in (kind, "milk")]
    single = " ".join(others[:5])
    row = f"{kind} {kind} {kind} {'gold' if kind == 'milk' else 'milk'}"
    top = f"{kind} " * (number - 3)
    at = KINDS.index(NAMES[kind])

    def gathered() -> Any:
        env = table(*[single] * seats, row=row, top=top, perfect_recall=True)
        for take in range(number):
            wait(env)
            do(env, f"take {1 if take < number - 2 else take - number + 4}")
            if take < number - 1:
                do(env, "pass")
        return env

    env = gathered()
    assert seen(env, 0, "hand")[at] == number == declared(env, "hand")[at]
    do(env, "declare")
    assert seen(env, 1, "revealed")[-1][at] == number == declared(env, "revealed")[at]

    env = gathered()
    do(env, "pass")
    assert seen(env, 1, "known")[-1][at] == number == declared(env, "known")[at]
    wait(env)
    do(env, *[f"play {kind}"] * number)
    assert seen(env, 0, "played")[0][at] == number == declared(env, "played")[at]
    idle(env, 3)
    do(env, "declare")
    assert seen(env, 1, "discards")[at] == number == declared(env, "discards")[at]


def test_no_more_milk_is_played_than_wins() -> None:
    env = table("milk milk milk red blue", OTHER, target=3)
    do(env, "play milk, play milk, play milk")
    assert is_over(env) and seen(env, 1, "played")[1][-1] == 3 == declared(env, "played")[-1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_largest_hand_is_reached(seats: int) -> None:
    """One draws until there is no card left, and takes a last one; the others swap."""
    env = table(*[DULL, OTHER, DULL, OTHER][:seats])
    while not is_over(env):
        do(env, "draw" if see(env)["deck_size"] else "take 1")
        for _ in range(seats - 1):
            if not is_over(env):
                do(env, "pass, swap white for 1")
        if not is_over(env):
            do(env, "pass")
    assert see(env)["seats"][0]["hand_size"] == 52 - 5 * seats == declared(env, "hand_size")
    assert see(env)["deck_size"] == 0


def test_an_empty_hand_and_an_empty_deck_are_seen() -> None:
    env = table(DULL, OTHER, DULL)
    do(env, *[f"play {colour}" for colour in DULL.split()])
    assert seen(env, 1, "hand_size") == [5, 5, 0]
    while see(env)["deck_size"]:
        do(env, "draw, pass")
    assert seen(env, 0, "deck_size") == [0]


@pytest.mark.parametrize(("seats", "best"), [(2, 68), (3, 63), (4, 58)])
def test_the_best_score_is_reached(seats: int, best: int) -> None:
    """Seat 1 declares nine times, then draws the deck, and gets the dear cards of the others."""
    env = table(*[DULL] * seats, first=1)
    while see(env)["scores"][1] < 9:
        do(env, "swap white for 1", "declare" if see(env)["to_act"] == [1] else "pass")
    assert see(env)["scores"] == [9 * (seat == 1) for seat in range(seats)]
    while not all_cheap(env) or see(env)["to_act"] != [0]:
        if see(env)["to_act"] == [1] and see(env)["deck_size"]:
            do(env, "draw")
        else:
            trade(env, cheap_wanted=see(env)["to_act"] != [1])
        do(env, "pass")
    idle(env)
    do(env, "declare")
    assert see(env)["scores"][1] == best == declared(env, "scores")


def is_cheap(card: str) -> bool:
    return not card.endswith(":2")


def all_cheap(env: Any) -> bool:
    """Whether all cards but those of seat 1 bring one point each, and it has the deck."""
    view = see(env)
    others = [about["known"] for seat, about in enumerate(view["seats"]) if seat != 1]
    held = [card for known in others for card in known]
    return not view["deck_size"] and all(map(is_cheap, held + view["showcase"]))


def trade(env: Any, cheap_wanted: bool) -> None:
    """Swap a cheap card for a dear one, or the other way, milk first; idle where there is none."""
    view = see(env)
    held = view["seats"][view["to_act"][0]]["known"]
    given = [card for card in held if is_cheap(card) != cheap_wanted][::-1]
    places = [i for i, card in enumerate(view["showcase"], 1) if is_cheap(card) == cheap_wanted]
    if given and places:
        do(env, f"swap {given[0]} for {places[0]}")
    else:
        idle(env)


@pytest.mark.parametrize("discard_scored", [False, True])
@pytest.mark.parametrize("seats", [3, 4])
def test_the_largest_deck_is_reached(seats: int, discard_scored: bool) -> None:
    """All but seat 1 play what they hold, until the deck is empty; seat 1 keeps its five fish.

    The last cards drawn are seat 1's sixth kind, milk for the next, any one for seat 0, which then
    ends the round: all that was played becomes the deck that it fills its hand from.
    """
    last = ["gold", *["milk"] * (seats - 2), "white"]
    row = "gold gold gold gold"
    left = Counter(BOX) - Counter(cards(" ".join([*[DULL] * seats, row, *last])))
    top = [card.partition(":")[0] for card in left.elements()] + last
    env = table(
        *[DULL] * seats,
        row=row,
        top=" ".join(top),
        first=(1 - len(top)) % seats,
        discard_scored=discard_scored,
    )
    while see(env)["finisher"] is None:
        seat = see(env)["to_act"][0]
        spare = Counter(hand(env, seat)) - (Counter(heap(DULL)) if seat == 1 else Counter())
        do(env, *[f"play {card}" for card in spare.elements()], "draw")
        do(env, "pass" if see(env)["deck_size"] else "declare")
    view = see(env)
    assert (view["phase"], view["to_act"]) == ("clean_up", [1])
    waiting = 0 if discard_scored else seats - 2
    assert view["deck_size"] == 50 - 4 - 5 - 6 - waiting == declared(env, "deck_size")


# -- greedy -----------------------------------------------------------------------------------


def greedy_says(env: Any) -> str:
    setup = env.unwrapped.table.setup
    seen = env.unwrapped.table.observation(env.unwrapped.seen_from())
    bot = load_bot("greedy").fitted(setup)
    action = bot.act(seen["observation"][None], seen["action_mask"][None], keys(0, 1))[0]
    return str(setup.say(int(action)))


def test_greedy_gathers_sets_and_ends_rounds_that_pay() -> None:
    env = table("red red white grey black", DULL, row="white gold red milk")
    assert greedy_says(env) == "take 3"
    do(env, "take 3")
    assert greedy_says(env) == "declare"
    do(env, "declare")
    assert greedy_says(env) == "discard white:1"


def test_greedy_wins_when_it_can() -> None:
    env = table("milk milk red grey white", DULL)
    assert greedy_says(env) != "play milk"
    earn(env, 8, 0)
    assert greedy_says(env) == "play milk"
