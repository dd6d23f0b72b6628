"""What is refused, how it is said, and that nothing changes then."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from miaui_env import find, games
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.parallel import Parallel
from miaui_env.adapters.sb3 import TablesVecEnv
from miaui_env.adapters.table import INFO_KEYS
from miaui_env.adapters.vector import SeatVectorEnv
from tests.adapters import coins
from tests.adapters.play import Laid, as_game, at_once, label, some_tables

TABLES = some_tables()
SB3_KEYS = {"terminal_observation", "episode"}


def first_illegal(mask: np.ndarray) -> int:
    """An action out of the mask, or out of range where all are legal."""
    illegal = np.flatnonzero(mask == 0)
    return int(illegal[0]) if len(illegal) else len(mask)


def played_on(env: Any, rounds: int) -> Any:
    """An AEC environment some steps into a game."""
    env.reset(seed=8)
    for _ in range(rounds):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(mask.argmax()))
    return env


# -- order --------------------------------------------------------------------------------------


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_before_the_first_reset(laid: Laid) -> None:
    game, options = laid
    aec, seat = AEC(game, **options), SeatEnv(game, **options)
    vector, sb3 = SeatVectorEnv(game, 2, **options), TablesVecEnv(game, 2, seats=0, **options)
    calls: list[Callable[[], Any]] = [
        lambda: aec.step(0),
        lambda: aec.last(),
        lambda: aec.observe("player_0"),
        lambda: aec.agents,
        lambda: aec.rewards,
        lambda: next(iter(aec.agent_iter())),
        lambda: aec.state(),
        lambda: aec.view("player_0"),
        lambda: aec.render(),
        lambda: aec.get_state(),
        lambda: seat.step(0),
        lambda: seat.action_masks(),
        lambda: seat.view(),
        lambda: seat.render(),
        lambda: seat.get_state(),
        lambda: vector.step(np.zeros(2, np.int64)),
        lambda: sb3.step(np.zeros(2, np.int64)),
    ]
    if as_game(game).simultaneous:
        parallel = Parallel(game, **options)
        calls += [lambda: parallel.step({}), lambda: parallel.state(), lambda: parallel.agents]
    for call in calls:
        for kind in (gymnasium.error.ResetNeeded, RuntimeError, AttributeError):
            with pytest.raises(kind, match=r"call reset\(\)"):
                call()


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_after_the_end(laid: Laid) -> None:
    game, options = laid
    aec, seat = AEC(game, **options), SeatEnv(game, **options)
    aec.reset(seed=0)
    for agent in aec.agent_iter():
        mask = aec.observe(agent)["action_mask"]
        over = aec.terminations[agent]
        if over:
            with pytest.raises(ValueError, match="only valid action is None"):
                aec.step(0)
        aec.step(None if over else int(mask.argmax()))
    _, info = seat.reset(seed=0)
    over = False
    while not over:
        _, _, over, _, info = seat.step(int(info["action_mask"].argmax()))
    assert not info["action_mask"].any() and not seat.action_masks().any()
    calls: list[Callable[[], Any]] = [
        lambda: aec.step(0),
        lambda: aec.step(None),
        lambda: seat.step(0),
    ]
    if as_game(game).simultaneous:
        parallel = Parallel(game, **options)
        observations, _ = parallel.reset(seed=0)
        while parallel.agents:
            actions = {
                agent: int(observations[agent]["action_mask"].argmax()) for agent in observations
            }
            observations, *_ = parallel.step(actions)
        calls.append(lambda: parallel.step(actions))
    for call in calls:
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"over: call reset\(\)"):
            call()


# -- illegal actions ----------------------------------------------------------------------------


@pytest.mark.parametrize("laid", TABLES, ids=label)
@pytest.mark.parametrize("rounds", [0, 2, 5])
def test_aec_raises(laid: Laid, rounds: int) -> None:
    game, options = laid
    env = played_on(AEC(game, **options), rounds)
    before = env.get_state()
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    legal = re.escape(str(np.flatnonzero(mask).tolist()))
    for action in (first_illegal(mask), -1, 99, -40000, 1 << 40, np.int64(77)):
        said = f"illegal action {int(action)} of seat {agent[-1]}; legal are {legal}"
        with pytest.raises(ValueError, match=said):
            env.step(action)
        assert env.get_state() == before
    for nothing in (None, "tuna", 1.0, True, np.array([0, 1]), np.float32(2)):
        with pytest.raises(ValueError, match=f"action of seat {agent[-1]} is a whole number"):
            env.step(nothing)
        assert env.get_state() == before
    env.step(np.array([mask.argmax()], np.int8))  # but this names one


@pytest.mark.parametrize("laid", at_once(TABLES), ids=label)
def test_parallel_raises(laid: Laid) -> None:
    game, options = laid
    env = Parallel(game, **options)
    observations, _ = env.reset(seed=8)
    before = env.get_state()
    fine = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    wrong: list[tuple[dict[Any, Any], str]] = [
        ({}, f"no action for {', '.join(fine)}"),
        ({k: fine[k] for k in list(fine)[1:]}, "no action for player_0"),
        ({**fine, "player_9": 0, 3: 0}, "actions for player_9, 3"),
        ({**fine, "player_1": 99}, "illegal action 99 of seat 1; legal are"),
        ({**fine, "player_1": None}, "action of seat 1 is a whole number"),
    ]
    for actions, said in wrong:
        with pytest.raises(ValueError, match=said):
            env.step(actions)
        assert env.get_state() == before
    env.step(fine)


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_learners_raise(laid: Laid) -> None:
    game, options = laid
    single = SeatEnv(game, seat=1, **options)
    _, info = single.reset(seed=8)
    before = single.get_state()
    for action in (first_illegal(info["action_mask"]), -1, 300):
        with pytest.raises(ValueError, match=f"illegal action {action} of seat 1; legal are"):
            single.step(action)
        assert single.get_state() == before
    with pytest.raises(ValueError, match="action of seat 1 is a whole number"):
        single.step("tuna")
    many = TablesVecEnv(game, 3, seats=1, **options)
    many.reset()
    state = many.get_state()
    actions = many.action_masks().argmax(1)
    for action in (int(many.action_space.n), -1, 1 << 40):
        wrong = np.array([actions[0], actions[1], action])
        said = f"illegal action {action} of table 2, seat 1; legal are"
        with pytest.raises(ValueError, match=said):
            many.step(wrong)
        assert many.get_state() == state
    for wrong in (actions[:2], actions.astype(float), actions[None], np.zeros(3, bool)):
        with pytest.raises(ValueError, match=r"actions are integers of shape \(3,\)"):
            many.step(wrong)
    vector = SeatVectorEnv(game, 2, seat=0, **options)
    vector.reset(seed=1)
    with pytest.raises(ValueError, match="illegal action 77 of table 1, seat 0; legal are"):
        vector.step(np.array([vector.action_masks()[0].argmax(), 77]))


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_replacing_counts(laid: Laid) -> None:
    """The replacement is legal and drawn from the seed; every interface counts alike."""
    game, options = laid
    told = []
    for _ in range(2):
        env = AEC(game, illegal="replace", **options)
        env.reset(seed=8)
        wrong = dict.fromkeys(env.agents, 0)
        while not any(env.terminations.values()):
            assert {agent: env.infos[agent]["illegal"] for agent in env.agents} == wrong
            wrong[env.agent_selection] += 1
            env.step(-1)
        assert {agent: env.infos[agent]["illegal"] for agent in env.agents} == wrong
        told.append(hashlib.sha256(env.state().tobytes()).hexdigest())
        env.reset()
        assert all(env.infos[agent]["illegal"] == 0 for agent in env.agents)
    assert told[0] == told[1]
    single = SeatEnv(game, illegal="replace", seat=1, **options)
    vector = SeatVectorEnv(game, 1, illegal="replace", seat=1, **options)
    sb3 = TablesVecEnv(game, 1, illegal="replace", seats=1, seed=8, **options)
    single.reset(seed=8)
    vector.reset(seed=8)
    sb3.reset()
    over, count, beyond = False, 0, vector.single_action_space.n
    while not over:
        observation, reward, over, _, info = single.step(-1)
        _, rewards, _, _, infos = vector.step(np.array([beyond]))
        _, sb3_rewards, _, sb3_infos = sb3.step(np.array([-1]))
        count += 1
        last = infos["final_info"]["illegal"][0] if over else infos["illegal"][0]
        assert info["illegal"] == last == sb3_infos[0]["illegal"] == count
        assert reward == rewards[0] == sb3_rewards[0]
    assert np.array_equal(observation, sb3_infos[0]["terminal_observation"])
    single.reset()
    assert single.step(0)[4]["illegal"] in (0, 1)


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_forfeit_ends_it_for_all(laid: Laid) -> None:
    game, options = laid
    env = played_on(AEC(game, illegal="forfeit", **options), 1)
    offender, n = env.agent_selection, env.num_agents
    env.step(-1)
    for agent in env.agents:
        info = env.infos[agent]
        assert env.terminations[agent] and info["forfeit"] == int(offender[-1])
        assert info["win_share"] == pytest.approx(0.0 if agent == offender else 1 / (n - 1))
        expected = -1 / (n - 1) if agent == offender else (n / (n - 1) - 1) / (n - 1)
        assert env.rewards[agent] == pytest.approx(expected)
        assert set(info) <= INFO_KEYS
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-6)
    env.reset()
    assert not any("forfeit" in info for info in env.infos.values())

    single = SeatEnv(game, illegal="forfeit", seat=0, **options)
    single.reset(seed=8)
    _, reward, over, _, info = single.step(-1)
    assert over and info["forfeit"] == 0 and info["win_share"] == 0 and reward < 0
    vector = SeatVectorEnv(game, 3, illegal="forfeit", seat=0, **options)
    vector.reset(seed=8)
    actions = vector.action_masks().argmax(1)
    actions[1] = -1
    _, _, ended, _, infos = vector.step(actions)
    assert ended[1] and infos["final_info"]["forfeit"][1] == 0
    assert infos["_forfeit"].tolist() == [False, True, False]
    sb3 = TablesVecEnv(game, 3, illegal="forfeit", seats=0, seed=8, **options)
    sb3.reset()
    _, _, ended, told = sb3.step(actions)
    assert ended[1] and told[1]["forfeit"] == 0 and "forfeit" not in told[0]


# -- what is told -------------------------------------------------------------------------------


@pytest.mark.parametrize("laid", TABLES, ids=label)
@pytest.mark.parametrize("illegal", ["raise", "replace", "forfeit"])
def test_infos_hold_nothing_else(laid: Laid, illegal: str) -> None:
    game, options = laid
    options = {**options, "illegal": illegal}
    aec, seat = AEC(game, **options), SeatEnv(game, **options)
    aec.reset(seed=1)
    for agent in aec.agent_iter():
        assert all(set(info) <= INFO_KEYS for info in aec.infos.values())
        over = aec.terminations[agent]
        assert ("points" in aec.infos[agent]) == ("win_share" in aec.infos[agent]) == over
        aec.step(None if over else int(aec.observe(agent)["action_mask"].argmax()))
    _, info = seat.reset(seed=1)
    over = False
    while not over:
        assert set(info) <= INFO_KEYS and "points" not in info
        _, _, over, _, info = seat.step(int(info["action_mask"].argmax()))
    assert set(info) <= INFO_KEYS and {"points", "win_share"} <= set(info)
    sb3 = TablesVecEnv(game, 3, seats=0, **options)
    sb3.reset()
    for _ in range(20):
        _, _, dones, infos = sb3.step(sb3.action_masks().argmax(1))
        for done, told in zip(dones, infos, strict=True):
            assert set(told) <= INFO_KEYS | (SB3_KEYS if done else set())


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_reset_options(laid: Laid) -> None:
    game, options = laid
    for env in (AEC(game, **options), SeatEnv(game, **options), SeatVectorEnv(game, 2, **options)):
        with pytest.warns(UserWarning, match="ignores deckk; .* understands"):
            env.reset(seed=0, options={"deckk": []})
    sb3 = TablesVecEnv(game, 2, seats=0, **options)
    sb3.set_options({"deckk": []})
    with pytest.warns(UserWarning, match="ignores deckk"):
        sb3.reset()
    sb3.set_options([{"deckk": 1}, {}])
    with pytest.raises(ValueError, match="same for all tables"):
        sb3.reset()


@pytest.mark.parametrize("name", games())
def test_a_refused_deal_changes_nothing(name: str) -> None:
    for env in (played_on(AEC(name), 3), played_on(AEC(name, perfect_recall=True), 0)):
        before = env.get_state()
        for option in find(name).stack_options:
            with pytest.raises(ValueError, match=r"."):
                env.reset(seed=4, options={option: "nonsense"})
            assert env.get_state() == before


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("kind", [AEC, SeatEnv, SeatVectorEnv, TablesVecEnv])
def test_construction_is_checked(name: str, kind: Any) -> None:
    counts = (
        {}
        if kind in (AEC, SeatEnv)
        else {"num_envs": 2}
        if kind is SeatVectorEnv
        else {"num_tables": 2}
    )
    for wrong, said in (
        ({"num_players": 99}, "players, not 99"),
        ({"num_players": True}, "players, not True"),
        ({"no_such_option": 1}, "no option 'no_such_option'"),
        (
            {"rewards": "win"},
            r"no option 'rewards' \(did you mean 'reward'\?\); it has num_players",
        ),
        ({"perfect_recall": 2}, "perfect_recall is True or False"),
        ({"reward": "fame"}, "reward is one of .* not 'fame'"),
        ({"illegal": "ignore"}, "illegal is one of .* not 'ignore'"),
    ):
        with pytest.raises(ValueError, match=said):
            kind(name, **counts, **wrong)
    if kind is not TablesVecEnv:
        with pytest.raises(ValueError, match="render_mode is one of"):
            kind(name, **counts, render_mode="hologram")
    with pytest.raises(ValueError, match="no game 'no_game'"):
        kind("no_game", **counts)


def test_views_of_nobody() -> None:
    env = AEC(coins.GAME)
    env.reset(seed=0)
    for call in (env.view, env.observe):
        with pytest.raises(ValueError, match="no agent 'player_7'; there are player_0"):
            call("player_7")
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
