"""Who sits where: bots by name, clockwise, with their own recall and memory; masks of learners."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, find, games, load_bot, make
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.sb3 import TablesVecEnv
from miaui_env.adapters.vector import SeatVectorEnv
from miaui_env.bots import Bot
from tests.adapters import coins
from tests.adapters.play import as_game

GAMES = [*games(), coins.GAME]


class Watcher(Bot):
    """Plays its first legal action and writes down what it was shown."""

    def __init__(self, name: str = "watcher", perfect_recall: bool | None = None) -> None:
        self.name, self.perfect_recall = name, perfect_recall
        self.shown: list[Any] = []
        self.setup: Setup | None = None

    def fitted(self, setup: Setup) -> Bot:
        self.setup = setup
        return self

    def act(self, observations: Any, action_masks: Any, keys: Any, memory: Any = None) -> Any:
        self.shown.append((observations.copy(), keys.copy()))
        return action_masks.argmax(1).astype(np.int16)


class Counter(Bot):
    """Remembers how often it was asked in this game, and plays by it."""

    name = "counter"

    def begin(self, batch: int) -> Any:
        return np.zeros(batch, np.int64)

    def act(self, observations: Any, action_masks: Any, keys: Any, memory: Any = None) -> Any:
        assert len(memory) == len(keys)
        memory += 1
        legal = [np.flatnonzero(mask) for mask in action_masks]
        return np.array([a[n * n % len(a)] for a, n in zip(legal, memory, strict=True)], np.int16)


class Asked(Bot):
    """A rule bot that environments cannot know for one, so that they ask it as they ask any."""

    name = "asked"

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def fitted(self, setup: Setup) -> Bot:
        return Asked(self.bot.fitted(setup))

    def act(self, observations: Any, action_masks: Any, keys: Any, memory: Any = None) -> Any:
        return self.bot.act(observations, action_masks, keys)


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("rule", ["random", "greedy"])
def test_rule_bots_play_the_same_within_compiled_code(game: str, rule: str) -> None:
    played = []
    for bot in (load_bot(rule), Asked(load_bot(rule))):
        env = SeatVectorEnv(
            game, 20, opponents=[bot, *["random"] * (find(game).default_players - 2)]
        )
        seen, infos = env.reset(seed=4)
        shown = [seen.tobytes()]
        for _ in range(40):
            seen, rewards, *_, infos = env.step(infos["action_mask"].argmax(1))
            shown.append(seen.tobytes() + rewards.tobytes())
        played.append(shown)
    assert played[0] == played[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_recall_is_served(game: Any) -> None:
    small = Setup.of(as_game(game)).layout.size
    for wants, on, served in (
        (None, False, False),
        (None, True, True),
        (False, False, False),
        (False, True, False),
        (True, True, True),
    ):
        bot = Watcher(perfect_recall=wants)
        env = SeatEnv(game, opponents=bot, perfect_recall=on)
        for seed in range(3):
            _, info = env.reset(seed=seed)
            env.step(int(info["action_mask"].argmax()))
        assert bot.setup is not None and bot.setup.perfect_recall is served
        assert all(shown.shape[1] == bot.setup.layout.size for shown, _ in bot.shown)
        assert served or bot.setup.layout.size == small
    with pytest.raises(ValueError, match="watcher needs a table with perfect_recall=True"):
        SeatEnv(game, opponents=Watcher(perfect_recall=True))


@pytest.mark.parametrize("name", games())
def test_a_table_view_bot_sees_the_same_at_both_tables(name: str) -> None:
    shown = []
    for recall in (False, True):
        bot = Watcher(perfect_recall=False)
        env = SeatEnv(name, seat=0, opponents=bot, perfect_recall=recall)
        _, info = env.reset(seed=4)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        shown.append(b"".join(o.tobytes() + keys.tobytes() for o, keys in bot.shown))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_opponents_sit_clockwise_after_the_learner(game: Any) -> None:
    for seat in (0, 2):
        bots: list[Any] = [Watcher(f"{i}") for i in range(3)]
        env = SeatVectorEnv(game, 1, 4, seat=seat, opponents=bots)
        env.reset(seed=3)
        chart = env.learners.seating.chart[0]
        order = [int(chart[(seat + i) % 4]) for i in range(4)]
        assert order == [-1, 0, 1, 2]
        names = [guest.bot.name for guest in env.learners.seating.guests]
        assert names == ["0", "1", "2"]
    env = SeatVectorEnv(game, 50, 4, opponents=["random", bots[0], "random"])
    _, infos = env.reset(seed=3)
    for row, seat in zip(env.learners.seating.chart, infos["seat"], strict=True):
        assert np.roll(row, -seat).tolist() == [-1, 0, 1, 0]


@pytest.mark.parametrize("game", GAMES, ids=lambda g: as_game(g).name)
def test_bots_that_remember(game: Any) -> None:
    """Each game has its own memory, however many go on at the same time."""
    number, steps = 6, 60
    opponents: list[Any] = [Counter(), "random"]
    vector = SeatVectorEnv(game, number, 3, opponents=opponents, reward="points")
    observations, infos = vector.reset(seed=3)
    told: list[list[Any]] = [[] for _ in range(number)]
    for _ in range(steps):
        actions = infos["action_mask"].argmax(1)
        observations, rewards, over, _, infos = vector.step(actions)
        for i in range(number):
            told[i].append((float(rewards[i]), bool(over[i]), observations[i].tobytes()))
    for i in range(number):
        env = SeatEnv(game, 3, opponents=opponents, reward="points")
        _, info = env.reset(seed=3 + i)
        for j, step in enumerate(told[i]):
            action = int(info["action_mask"].argmax())
            with pytest.raises(ValueError, match="illegal action"):
                env.step(99)  # no reason to remember anything
            twin = copy.deepcopy(env) if j in (1, 8) else None
            observation, reward, ended, _, info = env.step(action)
            if twin is not None:
                assert repr(twin.step(action)) == repr((observation, reward, ended, False, info))
            if ended:
                observation, info = env.reset()
            assert (reward, ended, observation.tobytes()) == step
    with pytest.raises(ValueError, match="remembers"):
        env.get_state()


@pytest.mark.parametrize("name", games())
def test_a_bots_move_does_not_depend_on_the_batch(name: str) -> None:
    """Keys are those of the table, the seat and the decision."""
    bots = [Watcher(), Watcher()]
    for bot, number in zip(bots, (1, 5), strict=True):
        env = SeatVectorEnv(name, number, seat=0, opponents=bot)
        env.reset(seed=3)
        for _ in range(12):
            env.step(env.action_masks().argmax(1))
    one, five = (
        {
            int(key): row.tobytes()
            for rows, keys in bot.shown
            for row, key in zip(rows, keys, strict=True)
        }
        for bot in bots
    )
    assert len(one) == sum(len(keys) for _, keys in bots[0].shown), "keys of decisions differ"
    assert one and one.items() <= five.items()


@pytest.mark.parametrize("name", games())
def test_every_interface_says_what_a_bot_must_fit(name: str) -> None:
    for env in (
        make(name),
        make(name, "gymnasium"),
        make(name, "vector"),
        make(name, "sb3", seats=0),
    ):
        bot = load_bot(next(iter(find(name).bots))).fitted(env.unwrapped.setup)
        assert env.unwrapped.setup.num_players == find(name).default_players and bot is not None


def test_wrong_opponents() -> None:
    makers: list[Callable[[Any], Any]] = [
        lambda bots: SeatEnv(coins.GAME, 3, opponents=bots),
        lambda bots: SeatVectorEnv(coins.GAME, 2, 3, opponents=bots),
        lambda bots: TablesVecEnv(coins.GAME, 2, 3, seats=None, opponents=bots),
    ]
    for opponents, said in (
        (["random"], "opponents are 2, clockwise after the learner, not 1"),
        (["random"] * 3, "opponents are 2, clockwise after the learner, not 3"),
        ("nobody", "no bot 'nobody'"),
        ("nowhere/at-all", "no bot in 'nowhere/at-all'"),
        (7, "an opponent is a miaui_env.bots.Bot or the name of one, not 7"),
        ([None, "random"], "an opponent is a miaui_env.bots.Bot or the name of one, not None"),
    ):
        for maker in makers:
            with pytest.raises(ValueError, match=said):
                maker(opponents)
    for seat in (3, -1, True, "all"):
        with pytest.raises(ValueError, match="seat is 0 to 2, or None"):
            SeatEnv(coins.GAME, 3, seat=seat)  # type: ignore[arg-type]


def test_other_opponents_take_over() -> None:
    env = TablesVecEnv(coins.GAME, 4, 3, seats=1)
    env.reset()
    env.step(env.action_masks().argmax(1))
    watcher = Watcher()
    env.set_opponents([watcher, load_bot("random")])
    for _ in range(5):
        env.step(env.action_masks().argmax(1))
    assert watcher.shown
    with pytest.raises(ValueError, match="no bot 'nobody'"):
        env.set_opponents("nobody")
    seen = len(watcher.shown)
    for _ in range(5):
        env.step(env.action_masks().argmax(1))
    assert len(watcher.shown) > seen  # the failed call changed nothing


def test_masks_of_learners() -> None:
    none = np.zeros((3, 4), np.bool_)
    one = none.copy()
    one[:, 1] = True
    two = one.copy()
    two[2, 3] = True
    for learners, said in (
        (none, "each table needs a learner"),
        (one[:2], r"learners: a bool array of shape \(3, 4\)"),
        (one.astype(int), r"learners: a bool array of shape \(3, 4\)"),
        (two, "Coins is played in turns, so one seat a table learns"),
    ):
        with pytest.raises(ValueError, match=said):
            TablesVecEnv(coins.GAME, 3, 4, learners=learners)
    with pytest.raises(ValueError, match="played in turns"):
        TablesVecEnv(coins.GAME, 3, 4)
    with pytest.raises(ValueError, match="seats or with learners, not both"):
        TablesVecEnv(coins.GAME, 3, 4, seats=0, learners=one)
    with pytest.raises(ValueError, match="seats is 'all', a seat, or None"):
        TablesVecEnv(coins.GAME, 3, 4, seats="some")
    for opponents, said in (
        ([(one, "random")], "overlaps the learners"),
        ([(~one, "random"), (~one, "most")], "overlaps the learners or another bot's"),
        ([(none, "random")], "neither a learner nor a bot"),
        ([(~one[:1], "random")], "the seats of a bot: a bool array"),
        (["random"], "one bot, or pairs"),
    ):
        with pytest.raises(ValueError, match=said):
            TablesVecEnv(coins.GAME, 3, 4, learners=one, opponents=opponents)


@pytest.mark.parametrize("name", [name for name in games() if find(name).simultaneous])
def test_a_league(name: str) -> None:
    """At some tables all learn, at others one seat faces bots that are changed between rollouts."""
    learners = np.ones((4, find(name).default_players), np.bool_)
    learners[2:, 1:] = False
    guests = [Watcher("a"), Watcher("b")]
    env = TablesVecEnv(name, 4, learners=learners)
    assert env.num_envs == learners.sum()
    env.reset()
    for first, second in ((0, 1), (1, 0)):
        places = [~learners & (np.arange(4) == table)[:, None] for table in (2, 3)]
        env.set_opponents([(places[0], guests[first]), (places[1], guests[second])])
        for _ in range(3):
            env.step(env.action_masks().argmax(1))
    others = learners.shape[1] - 1
    for guest in guests:
        assert [len(shown) for shown, _ in guest.shown] == [others] * 6
