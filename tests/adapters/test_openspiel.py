"""OpenSpiel plays our games: its own tests, its solvers, and the same games as everywhere else."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from miaui_env import Tables, infoset_key, make
from miaui_env.adapters.aec import AEC
from miaui_env.benchmark.exact import write_out
from miaui_env.games.miaui.pieces import Options
from miaui_env.registry import configurations, configured, find, games
from tests.adapters import coins

pyspiel = pytest.importorskip("pyspiel", reason="the extra [openspiel] is not installed")
from miaui_env.adapters import openspiel  # noqa: E402  # after the check that it can be

ALL_GAMES = [*map(find, games()), coins.GAME]
IN_TURNS = [game for game in ALL_GAMES if not game.simultaneous]
VARIANTS: list[dict[str, Any]] = [
    {"no_fighting": True, "num_players": 3},
    {"open_baskets": True, "kiti": 1, "hand_size": 4, "num_players": 6},
    {"perfect_recall": True, "num_players": 2},
]


def begun(game: Any, seed: int) -> Any:
    """The first decision of the deal of a seed."""
    state = game.new_initial_state()
    for byte in seed.to_bytes(4, "big"):
        assert state.is_chance_node()
        state.apply_action(byte)
    return state


# --- OpenSpiel's own tests ------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("fewest", [True, False])
def test_random_games_pass_its_checks(game: Any, fewest: bool) -> None:
    seats = game.players[0] if fewest else game.players[-1]
    told = openspiel.load(game, seats)
    assert told.get_type().short_name == f"miaui_env_{game.name}"
    pyspiel.random_sim_test(told, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("options", VARIANTS)
def test_random_games_of_variants_pass_its_checks(options: dict[str, Any]) -> None:
    game = openspiel.load("miaui", **options)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", configurations())
def test_random_games_with_listed_deals_pass_its_checks(name: str) -> None:
    game = openspiel.load(name, chance="deals")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    chances = [chance for _, chance in game.new_initial_state().chance_outcomes()]
    assert sum(chances) == pytest.approx(1, abs=1e-12)


def test_a_playthrough_is_the_same_twice() -> None:
    from absl import flags
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    flags.FLAGS.mark_as_parsed()
    name = str(openspiel.load("miaui-mini-2"))
    told = playthrough(name, action_sequence=None, seed=3)
    assert told == playthrough(name, action_sequence=None, seed=3)
    assert "IsTerminal() = True" in told


# --- the same games -------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"num_players": 4}, *VARIANTS])
def test_a_seed_is_the_same_game_as_in_tables(options: dict[str, Any]) -> None:
    state = begun(openspiel.load("miaui", **options), 77)
    tables = Tables("miaui", 1, seed=77, auto_reset=False, **options)
    step, luck = tables.reset(), random.Random(1)
    pasts: list[list[tuple[np.ndarray, int]]] = [[] for _ in range(tables.setup.num_players)]
    while not step.terminated[0]:
        assert state.is_simultaneous_node()
        assert state.moment.key == tables.keys[0]
        actions = []
        for seat, past in enumerate(pasts):
            seen, mask = tables.observe(0, seat)
            assert state.legal_actions(seat) == np.flatnonzero(mask).tolist()
            assert json.loads(state.observation_string(seat)) == tables.view(0, seat)
            key = infoset_key(past, seen)
            assert state.information_state_string(seat) == f"player {seat} {key}"
            actions.append(luck.choice(state.legal_actions(seat)))
            past.append((seen, actions[-1]))
        state.apply_actions(actions)
        step = tables.step(np.array([actions]))
    assert state.is_terminal()
    assert state.returns() == pytest.approx(step.rewards[0].tolist())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", IN_TURNS, ids=lambda game: game.name)
def test_games_in_turns_go_on_as_in_the_aec(game: Any, seed: int) -> None:
    n = game.players[-1]
    state = begun(openspiel.load(game, n), seed)
    env, luck = AEC(game, n), random.Random(seed)
    env.reset(seed=seed)
    while not state.is_terminal():
        seat = env.seat_of(env.agent_selection)
        seen = env.observe(env.agent_selection)
        assert state.current_player() == seat
        assert state.legal_actions() == np.flatnonzero(seen["action_mask"]).tolist()
        player, told = np.split(np.array(state.observation_tensor(seat)), [n])
        assert player.tolist() == [float(other == seat) for other in range(n)]
        assert told.tolist() == seen["observation"].tolist()
        action = luck.choice(state.legal_actions())
        state.apply_action(action)
        env.step(action)
    shares = [env.infos[agent]["win_share"] for agent in env.possible_agents]
    assert state.returns() == pytest.approx([(n * share - 1) / (n - 1) for share in shares])


def test_copies_go_their_own_ways() -> None:
    state = begun(openspiel.load("miaui-mini-2"), 5)
    before = str(state)
    copy = state.clone()
    copy.apply_actions([0, 1])
    assert str(state) == before != str(copy)
    state.apply_actions([0, 1])
    assert str(state) == str(copy)


# --- information states ---------------------------------------------------------------------------


def all_states(state: Any) -> list[Any]:
    """All decision points from here on."""
    if state.is_terminal():
        return []
    if state.is_chance_node():
        return [s for action in state.legal_actions() for s in all_states(state.child(action))]
    joint = [(a, b) for a in state.legal_actions(0) for b in state.legal_actions(1)]
    later = []
    for actions in joint:
        child = state.clone()
        child.apply_actions(actions)
        later += all_states(child)
    return [state, *later]


def test_information_states_are_those_that_we_count_and_tensors_tell_them_apart() -> None:
    states = all_states(openspiel.load("miaui-mini-1", chance="deals").new_initial_state())
    told: dict[str, set[bytes]] = {}
    for state in states:
        for seat in (0, 1):
            tensor = np.array(state.information_state_tensor(seat), np.float32).tobytes()
            told.setdefault(state.information_state_string(seat), set()).add(tensor)
    game = write_out(configured("miaui-mini-1"))
    keys = {f"player {side.seat} {key}" for side in game.sides for key in side.keys}
    assert set(told) == keys
    assert all(len(tensors) == 1 for tensors in told.values())
    assert len(set.union(*told.values())) == len(told) == game.infosets


def test_observers_give_one_seat_all_it_knows_and_nothing_else() -> None:
    from open_spiel.python.observation import make_observation

    game = openspiel.load("miaui-mini-2")
    seen = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    state = begun(game, 9)
    past = game.setup.layout.size
    first = Tables("miaui-mini-2", 1, seed=9).reset().observations[0, 1]
    state.apply_actions([2, 0])
    seen.set_from(state, 1)
    assert seen.dict["player"].tolist() == [0, 1]
    assert seen.dict["history"][0, :past].tolist() == first.tolist()
    assert seen.dict["history"][0, past:].tolist() == [1, 0, 0]
    assert not seen.dict["history"][1:].any()
    nobody = pyspiel.PrivateInfoType.NONE
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=nobody)
    nothing = make_observation(game, public)
    assert nothing.tensor is None
    assert nothing.string_from(state, 1) is None


# --- its algorithms -------------------------------------------------------------------------------


def test_its_cfr_finds_our_equilibrium_through_an_efg_export() -> None:
    from open_spiel.python.algorithms.gambit import export_gambit

    game = pyspiel.convert_to_turn_based(openspiel.load("miaui-mini-1", chance="deals"))
    written = pyspiel.load_efg_game(export_gambit(game))
    solver = pyspiel.CFRPlusSolver(written)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(written, policy) < 1e-3
    published = json.loads(Path("docs/benchmarks/exact.json").read_text(encoding="utf-8"))
    value = pyspiel.expected_returns(written.new_initial_state(), policy, -1, True)[0]
    assert value == pytest.approx(published["games"][0]["values"][0], abs=1e-3)


def test_its_solvers_run_on_the_game_itself() -> None:
    from open_spiel.python.algorithms import external_sampling_mccfr, outcome_sampling_mccfr

    game = pyspiel.convert_to_turn_based(openspiel.load("miaui-mini-1", chance="deals"))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, solver.average_policy()) < 0.5
    np.random.seed(0)  # OpenSpiel's MCCFR draws from the global generator
    average = external_sampling_mccfr.AverageType.SIMPLE
    for sampling in (
        external_sampling_mccfr.ExternalSamplingSolver(game, average),
        outcome_sampling_mccfr.OutcomeSamplingSolver(game),
    ):
        sampling.iteration()


def test_its_bots_and_rl_environment_play() -> None:
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    game = openspiel.load("miaui", 3)
    bots = [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(3)]
    turns = pyspiel.convert_to_turn_based(game)
    returns = evaluate_bots(turns.new_initial_state(), bots, np.random.RandomState(0))
    assert sum(returns) == pytest.approx(0)
    env = rl_environment.Environment(game)
    step = env.reset()
    while not step.last():
        step = env.step([legal[-1] for legal in step.observations["legal_actions"]])
    assert sum(step.rewards) == pytest.approx(0)


# --- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, *VARIANTS])
def test_a_name_with_parameters_is_the_same_game(options: dict[str, Any]) -> None:
    game = openspiel.load("miaui", **options)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.setup == game.setup == Tables("miaui", **options).setup


def test_parameters_and_none_are_told_apart() -> None:
    assert pyspiel.load_game("miaui_env_miaui").setup.options == Options()
    few = pyspiel.load_game("miaui_env_miaui(cards=tuna:12 tuna:13,hand_size=2,spaces=1,kiti=0)")
    wanted = Options(cards=("tuna:12", "tuna:13"), hand_size=2, spaces=1, kiti=0)
    assert few.setup.options == wanted
    assert few.setup.num_players == find("miaui").default_players


def test_make_makes_one() -> None:
    assert str(make("miaui-mini-1", "openspiel")) == str(openspiel.load("miaui-mini-1"))


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="chance is one of 'seed', 'deals'"):
        openspiel.load("miaui", chance="dice")
    with pytest.raises(ValueError, match="are not listed"):
        openspiel.load("miaui", chance="deals")
    with pytest.raises(ValueError, match="Coins does not list its deals"):
        openspiel.load(coins.GAME, chance="deals")
    with pytest.raises(ValueError, match="2 to 6 players"):
        openspiel.load("miaui", 7)
