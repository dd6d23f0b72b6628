"""Bots that search: what their moves depend on, known best moves, and how near to equilibrium."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import miaui_env
from miaui_env import Setup, Tables, find, keys, load_bot
from miaui_env.benchmark import arena_bot, play_lineup
from miaui_env.bots import Bot
from miaui_env.bots.search import KINDS, SearchBot, Trees
from miaui_env.engine.loops import engine_of
from miaui_env.testing.play import name_of
from tests.adapters import coins
from tests.bots.brute import SMALL, Duel

GAMES = [*map(find, miaui_env.games()), coins.GAME]  # the last one has turns and guesses
SETUPS = [Setup.of(game, perfect_recall=recall) for game in GAMES for recall in (True, False)]
SETUPS.append(Setup.of(find("miaui"), 3, open_baskets=True, no_fighting=True))


def positions(setup: Setup, tables: int, moves: int) -> tuple[Tables, np.ndarray]:
    """Tables after some random moves, and (table, seat) of all who decide there."""
    playing = Tables(setup, tables, seed=7)
    playing.reset()
    for _ in range(moves):
        playing.step(playing.random_actions())
    return playing, np.argwhere(playing.to_act)


def rows(tables: Tables, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What those seats are shown, and keys for them."""
    where = tuple(places.T)
    return tables.observations[where], tables.action_masks[where], keys(3, len(places))


def searching(kind: str, setup: Setup, simulations: int = 24) -> SearchBot:
    bot = SearchBot(kind, simulations).fitted(setup)
    assert isinstance(bot, SearchBot)
    return bot


# --- what a move depends on ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("setup", SETUPS, ids=name_of)
def test_a_move_is_legal_and_depends_on_its_own_row_alone(setup: Setup, kind: str) -> None:
    tables, places = positions(setup, 4, 2)
    seen, masks, luck = rows(tables, places)
    bot = searching(kind, setup)
    together = bot.think(seen, masks, luck)
    assert (together[masks == 0] == 0).all() and np.allclose(together.sum(1), 1)
    moves = bot.act(seen, masks, luck)
    assert moves.dtype == np.int16 and masks[np.arange(len(moves)), moves].all()
    for row in range(len(places)):
        one = slice(row, row + 1)
        assert (bot.think(seen[one], masks[one], luck[one]) == together[one]).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("setup", SETUPS, ids=name_of)
def test_what_really_lies_behind_the_unseen_part_does_not_matter(setup: Setup, kind: str) -> None:
    tables, places = positions(setup, 3, 2)
    bot = searching(kind, setup)
    hidden = False
    for table, seat in places:
        states = np.repeat(tables.states[table : table + 1], 5)
        engine_of(setup.game).imagine(states[1:], np.full(4, seat), keys(11, 4))
        others = Tables(setup, 5)
        others.states[:] = states
        shown = [others.observe(i, seat) for i in range(5)]
        seen, masks = (np.array(part) for part in zip(*shown, strict=True))
        policies = bot.think(seen, masks, np.repeat(keys(5, 1), 5))
        assert (policies == policies[0]).all()
        hidden |= len({others.survey(i).tobytes() for i in range(5)}) > 1
    assert hidden


@pytest.mark.parametrize("kind", KINDS)
def test_another_key_is_another_luck(kind: str) -> None:
    setup = Setup.of(find("miaui"), 2, perfect_recall=True)
    tables, places = positions(setup, 1, 0)
    seen, masks, _ = (np.repeat(part, 40, 0) for part in rows(tables, places[:1]))
    assert len(set(searching(kind, setup, 6).act(seen, masks, keys(1, 40)).tolist())) > 2


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    setup = Setup.of(find("miaui"), 2, hand_size=4, spaces=1, cards=("tuna:12", "lantern:7") * 3)
    bots = [load_bot("search:8"), load_bot("greedy")]
    one, three = (play_lineup(setup, bots, deals=130, workers=w) for w in (1, 3))
    assert one == three and one.counts.finished == 260


def test_search_beats_greedy_on_a_small_table() -> None:
    """With p < 0.01: 2.33 deviations of the mean above an even half, by the 95 % interval."""
    setup = Setup.of(find("miaui"), 2, hand_size=6, spaces=2)
    bots = [load_bot("search:400"), load_bot("greedy")]
    share = play_lineup(setup, bots, deals=300).of("search:400").win_share
    assert share.mean is not None and share.low is not None
    assert share.mean - 2.33 * (share.mean - share.low) / 1.96 > 0.5


PLAIN = """
import numpy as np
from miaui_env.engine.tables import Tables
from miaui_env.bots.search import KINDS, SearchBot
from miaui_env import keys
from tests.adapters import coins
small = {"hand_size": 3, "cards": ["tuna:12", "lantern:7"] * 5}
for game, more in (("miaui", small), (coins.GAME, {})):
    tables = Tables(game, 1, 2, seed=5, perfect_recall=True, **more)
    step = tables.reset()
    where = tuple(np.argwhere(step.to_act).T)
    rows = step.observations[where], step.action_masks[where], keys(3, len(where[0]))
    for kind in KINDS:
        print(SearchBot(kind, 15).fitted(tables.setup).think(*rows).tobytes().hex())
"""


def test_compiled_search_thinks_as_plain_python_does() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", PLAIN],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert told[0] == told[1] and told[0].count("\n") == 6


def test_no_simulation_is_lost_or_made_up() -> None:
    setup = Setup.of(find("miaui"), 2, perfect_recall=True)
    tables, places = positions(setup, 1, 3)
    seen, masks, luck = rows(tables, places)
    bot = searching("search", setup, 150)
    look = Trees(setup, bot)
    bot.look_around(look, seen[0], masks[0], luck[0])
    tree = look.tree
    assert tree.tries[0].sum() == 150 and (tree.tries[0][masks[0] == 0] == 0).all()
    assert tree.used[0] <= len(tree.names) and 0 < tree.sums[0].sum() < 150
    assert look.decisions == 150 * 2 * 9, "two seats with nine cards each play to the end"


# --- who is served what, and names ---------------------------------------------------------------


def test_it_asks_for_perfect_recall_and_plays_by_the_table_view_too() -> None:
    bot = load_bot("search:5")
    table = Setup.of(find("miaui"), 2)
    assert bot.perfect_recall is True and bot.fitted(table).perfect_recall is False
    env = miaui_env.make("miaui", "gymnasium", num_players=2, opponents="search:5", seat=0)
    _, info = env.reset(seed=0)
    env.step(int(info["action_mask"].argmax()))
    assert load_bot("greedy").plays_either is False


def test_unfitted_it_knows_the_default_tables_by_their_shapes() -> None:
    tables, places = positions(Setup.of(find("miaui"), 4, perfect_recall=True), 2, 1)
    moves = load_bot("flat:24").act(*rows(tables, places))
    assert (moves == searching("flat", tables.setup).act(*rows(tables, places))).all()
    with pytest.raises(ValueError, match="cannot tell the game from 9 observation"):
        load_bot("flat:24").act(np.zeros((1, 9), np.int8), np.ones((1, 12), np.int8), keys(0, 1))


def test_a_search_by_time_is_marked_and_plays() -> None:
    bot = load_bot("search:1ms")
    assert (bot.name, bot.deterministic) == ("search:1ms", False)
    assert load_bot("search:400").deterministic and not arena_bot("flat:2ms~0.5").deterministic
    tables, places = positions(Setup.of(coins.GAME), 2, 0)
    seen, masks, luck = rows(tables, places)
    moves = bot.fitted(tables.setup).act(seen, masks, luck)
    assert masks[np.arange(len(moves)), moves].all()


@pytest.mark.parametrize(
    "name", ["search:0", "search:ten", "search", "flat:", "search-rm:-5", "flat:1.5", "search:0ms"]
)
def test_a_search_without_a_strength_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"no bot '{name}': say .*:400 for 400 simulations"):
        load_bot(name)


@pytest.mark.parametrize(
    ("kind", "strength"),
    [("deep", {"simulations": 4}), ("flat", {}), ("flat", {"simulations": 4, "seconds": 1.0})],
)
def test_a_search_is_of_one_kind_and_one_strength(kind: str, strength: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"one of flat, search, search-rm, by simulations or sec"):
        SearchBot(kind, **strength)


def test_environments_compile_no_search() -> None:
    code = (
        "import miaui_env\n"
        "env = miaui_env.miaui_v0.env(num_players=2); env.reset(seed=0)\n"
        "env.step(0)\n"
        "from miaui_env.engine.search import search_of\n"
        "assert search_of.cache_info().currsize == 0\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- known truths ---------------------------------------------------------------------------------


def asked(bot: Bot, setup: Setup, deck: list[str], seat: int) -> np.ndarray:
    """Its first moves in a stacked deal, for forty keys."""
    tables = Tables(setup, 1)
    tables.reset(options={"deck": deck})
    seen, mask = (np.repeat(part[None], 40, 0) for part in tables.observe(0, seat))
    return bot.fitted(setup).act(seen, mask, keys(2, 40))


@pytest.mark.parametrize("kind", KINDS)
def test_the_only_move_that_never_loses_is_found(kind: str) -> None:
    """Two rounds; Kiti favours seat 0 in the first, so its 2 takes the tuna and the game (M7)."""
    cards = ["tuna:15", "kittenfish:1"]
    setup = Setup.of(
        find("miaui"), 2, hand_size=2, spaces=1, kiti=0, cards=tuple(cards), perfect_recall=True
    )
    moves = asked(SearchBot(kind, 300), setup, cards, 0)
    assert (moves == 1).mean() >= (0.9 if kind == "search-rm" else 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_only_winning_move_is_found_where_seats_take_turns(kind: str) -> None:
    """Seat 0 is two behind, three coins are left, and who takes one goes on.

    One and then the rest makes 5 to 4. Three at once pay the other a point, 5 all; after two the
    other takes the last.
    """
    setup = Setup.of(coins.GAME, 2, perfect_recall=True)
    tables = Tables(setup, 1)
    tables.reset()
    state = tables.states[0]
    state.turn, state.starter, state.coins, state.to_act, state.lucky = 4, 0, 3, 1, 2
    state.points[:2], state.taken[:2], state.amounts[:2] = (2, 4), (2, 4), (2, 2)
    state.guess[:2], state.turned_up[:2] = (0, 1), (0, 1)
    seen, mask = (np.repeat(part[None], 40, 0) for part in tables.observe(0, 0))
    moves = searching(kind, setup, 200).act(seen, mask, keys(2, 40))
    assert (moves == 0).mean() >= (0.9 if kind == "search-rm" else 1.0)


def test_brute_force_knows_the_value_of_uniform_play() -> None:
    """Against uniform play a first mover by Kiti wins more than the other; both at least half."""
    duel = Duel(SMALL)
    uniform = duel.uniform()
    first, second = duel.best_response(0, uniform), duel.best_response(1, uniform)
    assert first > second > 0.5 and duel.nash_conv(uniform) == pytest.approx(37 / 72)


def test_matching_regrets_approaches_an_equilibrium() -> None:
    duel = Duel(SMALL)
    few, many = (duel.nash_conv(duel.policy_of(SearchBot("search-rm", n), 2)) for n in (30, 2000))
    assert 0.0 <= many < 0.1 < 0.15 < few < duel.nash_conv(duel.uniform())
