"""Exact values, as the referee, a linear program and OpenSpiel find them, and as published."""

import dataclasses
import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.benchmark.exact import Exact, write_out
from miaui_env.benchmark.exact_page import differences, entry, page, views
from miaui_env.benchmark.solving import solve
from miaui_env.game import Chances
from miaui_env.registry import configurations, configured
from tests.adapters import coins
from tests.referee.miaui import Options, Referee

PUBLISHED = json.loads(Path("docs/benchmarks/exact.json").read_text(encoding="utf-8"))
SMALL = [told["name"] for told in PUBLISHED["games"] if told["infosets"] < 3000]
SCALE = 1e-9


@pytest.fixture(scope="module")
def mini() -> Exact:
    return write_out(configured("miaui-mini-1"))


def seeded(game: Exact, seed: int) -> list[np.ndarray]:
    """A policy that depends on the whole history: other odds at each information state."""

    def odds(seat: int, key: str, mask: np.ndarray) -> np.ndarray:
        luck = np.random.default_rng([seed, seat, int(key[:16], 16)])
        weights = luck.exponential(size=len(mask)) ** 2 * mask
        return np.asarray(weights / weights.sum())

    return game.profile(odds)


# --- known truths -------------------------------------------------------------------------------

CARDS = ("lantern:7", "jellyfish:-10", "seagull")


def by_the_referee() -> np.ndarray:
    """What seat 0 wins for each pair of pure strategies: two rounds on one space, Kiti in gap 0.

    A strategy says which of two divers goes first, for the Lantern there and for the Jellyfish; the
    second round is forced. All six shuffles are as likely. A Seagull cannot lie there first: it is
    put aside for the other card, and goes back below.
    """
    strategies = list(itertools.product([0, 1], repeat=2))
    wins = np.zeros((len(strategies), len(strategies)))
    for boxed, *drawn in itertools.permutations(CARDS):
        deck = drawn[::-1] if drawn[0] == "seagull" else drawn
        for (i, mine), (j, yours) in itertools.product(enumerate(strategies), repeat=2):
            table = Referee(2, Options(hand_size=2, spaces=1), [boxed, *deck], 0)
            at = CARDS.index(deck[0])
            for seat, first in ((0, mine[at]), (1, yours[at])):
                table.commit(seat, first)
            for seat, first in ((0, mine[at]), (1, yours[at])):
                table.commit(seat, 1 - first)
            wins[i, j] += (2 * table.win_shares[0] - 1) / 6
    return wins


def test_a_tiny_game_has_the_values_that_the_referee_counts() -> None:
    setup = Setup.of(find("miaui"), 2, hand_size=2, spaces=1, kiti=0, cards=CARDS)
    game, wins = write_out(setup), by_the_referee()
    uniform = game.uniform()
    assert wins.any()
    assert game.values(uniform) == pytest.approx([wins.mean(), -wins.mean()], abs=SCALE)
    best = game.best_response(uniform, 0)[0], game.best_response(uniform, 1)[0]
    assert best == pytest.approx((wins.mean(1).max(), -wins.mean(0).min()), abs=SCALE)
    assert game.nash_conv(uniform) == pytest.approx(sum(best), abs=SCALE)


def test_playing_the_best_response_wins_what_it_promises(mini: Exact) -> None:
    profile = seeded(mini, 1)
    for seat in (0, 1):
        value, actions = mini.best_response(profile, seat)
        answered = list(profile)
        answered[seat] = np.eye(profile[seat].shape[1])[actions]
        assert mini.values(answered)[seat] == pytest.approx(value, abs=SCALE)
        assert value > mini.values(profile)[seat]


@pytest.mark.parametrize("name", ["miaui-mini-1", "miaui-mini-trio"])
def test_returns_sum_to_nothing(name: str) -> None:
    game = write_out(configured(name))
    assert game.values(seeded(game, 2)).sum() == pytest.approx(0, abs=SCALE)
    assert game.nash_conv(seeded(game, 2)) > 0.1


def test_a_linear_program_finds_the_same_value(mini: Exact) -> None:
    solution = solve(mini, 1e-6, 2000)
    assert solution.nash_conv <= 1e-6
    assert solution.nash_conv == pytest.approx(mini.nash_conv(solution.profile), abs=SCALE)
    assert mini.values(solution.profile)[0] == pytest.approx(by_linear_program(mini), abs=1e-6)


def by_linear_program(game: Exact) -> float:
    """The value to seat 0 in sequence form: most q0 with F'q ≤ A'x, Ex = e, x ≥ 0."""
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    mine, yours = game.sides
    pays = sparse.csr_matrix(
        (game.payoffs[:, 0], tuple(game.sequences.T)), (mine.sequences, yours.sequences)
    )
    flows = []
    for side in game.sides:
        flow = sparse.lil_matrix((1 + len(side.masks), side.sequences))
        flow[0, 0] = 1
        for infoset, before in enumerate(side.befores):
            flow[1 + infoset, before] = -1
            for action in np.flatnonzero(side.masks[infoset]):
                flow[1 + infoset, 1 + infoset * side.masks.shape[1] + action] = 1
        flows.append(flow.tocsr())
    own, other = flows
    gain = np.zeros(mine.sequences + other.shape[0])
    gain[mine.sequences] = -1
    whole = np.zeros(own.shape[0])
    whole[0] = 1
    found = optimize.linprog(
        gain,
        A_ub=sparse.hstack([-pays.T, other.T]).tocsr(),
        b_ub=np.zeros(yours.sequences),
        A_eq=sparse.hstack([own, sparse.csr_matrix((own.shape[0], other.shape[0]))]).tocsr(),
        b_eq=whole,
        bounds=[(0, None)] * mine.sequences + [(None, None)] * other.shape[0],
    )
    return -float(found.fun)


# --- information states -------------------------------------------------------------------------


def by_views(game: Exact, profile: list[np.ndarray]) -> list[np.ndarray]:
    """One policy for all information states with equal views: their average."""
    policies = []
    for side, policy in zip(game.sides, profile, strict=True):
        views = np.unique(side.observations, axis=0, return_inverse=True)[1]
        sums = np.zeros((views.max() + 1, policy.shape[1]))
        np.add.at(sums, views, policy)
        policies.append(sums[views] / sums[views].sum(1, keepdims=True))
    return policies


def test_views_are_no_information_states() -> None:
    """In the third of four rounds who dived what before is forgotten, and could be played by."""
    game = write_out(configured("miaui-mini-3"))
    assert game.infosets > 3 * views(game)
    profile = seeded(game, 3)
    seen = by_views(game, profile)
    assert abs(game.nash_conv(seen) - game.nash_conv(profile)) > 0.01
    assert np.abs(game.values(seen) - game.values(profile)).max() > 0.001


def test_in_three_rounds_views_forget_only_where_the_last_card_is_forced(mini: Exact) -> None:
    profile = seeded(mini, 3)
    assert mini.infosets > 2 * views(mini)
    assert mini.nash_conv(by_views(mini, profile)) == pytest.approx(mini.nash_conv(profile))


def test_keys_are_all_different_and_recall_mode_changes_no_partition(mini: Exact) -> None:
    recalling = write_out(configured("miaui-mini-1", perfect_recall=True))
    for side, other in zip(mini.sides, recalling.sides, strict=True):
        assert len(set(side.keys)) == len(side.keys) == len(other.keys)
        assert side.observations.shape[1] < other.observations.shape[1]
    assert mini.nash_conv(mini.uniform()) == recalling.nash_conv(recalling.uniform())


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_openspiel_finds_the_same_nash_conv(mini: Exact, seed: int | None) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import Policy

    from miaui_env.adapters.openspiel import load

    profile = mini.uniform() if seed is None else seeded(mini, seed)
    known = [
        {f"player {side.seat} {key}": row for key, row in zip(side.keys, policy, strict=True)}
        for side, policy in zip(mini.sides, profile, strict=True)
    ]

    class Told(Policy):  # type: ignore[misc]  # OpenSpiel has no types
        def action_probabilities(self, state: Any, player_id: int | None = None) -> Any:
            seat = state.current_player() if player_id is None else player_id
            told = known[seat][state.information_state_string(seat).split("\n")[-1]]
            return {action: told[action] for action in state.legal_actions(seat)}

    game = load("miaui-mini-1", chance="deals")
    if seed is None or seed == 1:  # in turns, too
        game = pyspiel.convert_to_turn_based(game)
    players = list(range(2))
    found = nash_conv(game, Told(game, players), return_only_nash_conv=False)
    assert found.nash_conv == pytest.approx(mini.nash_conv(profile), abs=SCALE)
    assert found.player_improvements == pytest.approx(mini.improvements(profile), abs=SCALE)


def test_openspiel_agrees_on_a_game_in_turns() -> None:
    """Takings in turn, guesses at the same time, three and four coins, any lucky number."""
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import UniformRandomPolicy

    from miaui_env.adapters.openspiel import load

    def chances(setup: Setup) -> Chances:
        deals = list(itertools.product(range(setup.num_players), (3, 4), (1, 2, 3)))
        states = np.repeat(setup.blank, len(deals))
        for state, (starter, pile, lucky) in zip(states, deals, strict=True):
            state["starter"], state["coins"], state["lucky"] = starter, pile, lucky
            state["to_act"] = 1 << starter
        return Chances(states, [Fraction(1, len(deals))] * len(deals))

    game = dataclasses.replace(coins.GAME, name="few_coins", chances=chances)
    exact, told = write_out(Setup.of(game, 3)), load(game, 3, chance="deals")
    found = nash_conv(told, UniformRandomPolicy(told), return_only_nash_conv=False)
    assert found.nash_conv > 0.1
    assert found.player_improvements == pytest.approx(
        exact.improvements(exact.uniform()), abs=SCALE
    )


# --- what we publish ----------------------------------------------------------------------------


def test_every_configuration_is_published_and_the_page_says_what_the_figures_say() -> None:
    assert [told["name"] for told in PUBLISHED["games"]] == list(configurations())
    for told in PUBLISHED["games"]:
        setup = configured(told["name"])
        assert told["game_version"] == setup.game.version
        assert told["setup"] == json.loads(json.dumps(setup.description))
        assert told["uniform_nash_conv"] > 0.1
        assert -SCALE <= told["nash_conv"] <= 1e-8
    assert Path("docs/benchmarks/exact.md").read_text(encoding="utf-8") == page(PUBLISHED)


@pytest.mark.parametrize("name", SMALL)
def test_small_games_have_the_figures_that_we_publish(name: str) -> None:
    told = next(told for told in PUBLISHED["games"] if told["name"] == name)
    here = entry(name)
    assert differences(here, told) == []
    for figure in ("infosets", "uniform_nash_conv"):
        assert differences({**here, figure: here[figure] + 1e-6}, told)


def test_small_games_hide_cards_and_their_solutions_mix(mini: Exact) -> None:
    layout = mini.setup.layout
    assert any(layout.read(told, "peeker").any() for told in mini.sides[0].observations)
    profile = solve(mini, 1e-6, 2000).profile
    for side, policy in zip(mini.sides, profile, strict=True):
        choices = policy[side.masks.sum(1) > 1]
        assert (choices.max(1) < 0.99).mean() > 0.1


# --- what is refused ----------------------------------------------------------------------------


def test_policies_that_are_none_are_refused(mini: Exact) -> None:
    wrong = mini.uniform()
    wrong[1] = wrong[1] * 0.5
    with pytest.raises(ValueError, match=r"seat 1 has .* at information state 0"):
        mini.check(wrong)
    with pytest.raises(ValueError, match="policies of shapes"):
        mini.check(mini.uniform()[:1])
    with pytest.raises(ValueError, match="seat 0 has"):
        mini.check([np.roll(policy, 1, axis=1) for policy in mini.uniform()])


def test_games_that_are_too_large_or_list_no_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="are not listed"):
        write_out(Setup.of(find("miaui"), 2))
    with pytest.raises(ValueError, match="does not list its chances"):
        write_out(Setup.of(coins.GAME))


def test_names_of_no_configuration_are_refused() -> None:
    with pytest.raises(ValueError, match="no configuration 'miaui-mini-0'; there are miaui-mini-1"):
        configured("miaui-mini-0")
