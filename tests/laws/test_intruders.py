"""What a mischievous bot or a careless caller could try."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import miaui_env
from miaui_env import Tables, keys, load_bot
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.parallel import Parallel
from miaui_env.bots import Bot
from miaui_env.engine.loops import BOT, engine_of
from miaui_env.testing.secrets import imagined

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def unshift(x: int, shift: int) -> int:
    out = x
    for _ in range(64 // shift):
        out = x ^ (out >> shift)
    return out


def unmix(mixed: int, word: int) -> int:
    """The key that `mix` was given with `word`."""
    x = unshift(mixed, 31) * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    x = unshift(x, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    return ((unshift(x, 30) - GOLDEN) & MASK) ^ (word * GOLDEN & MASK)


def test_a_bots_key_does_not_lead_back_to_the_deal() -> None:
    tables = Tables("miaui", 50, 4, seed=3)
    tables.reset()
    game_keys = {int(key) for key in tables.keys}
    for table, seat in np.ndindex(50, 4):
        key = int(tables.decision_keys()[table, seat])
        assert unmix(int(miaui_env.engine.rng.mixed(key, 7)), 7) == key, "the attack itself works"
        assert unmix(unmix(unmix(key, 0), seat), BOT) not in game_keys


def test_no_seat_is_told_what_others_have_committed() -> None:
    """Others' hands are unknown at the table, so the card committed may be any, or be gone."""
    tables = Tables("miaui", 1, seed=0, auto_reset=False)
    tables.reset()
    for _ in range(8):
        tables.step(tables.random_actions())
    actions = tables.random_actions()
    actions[:, 3] = -1
    tables.step(actions)
    truth = [int(card) for card in tables.states["committed"][0, :3]]
    many = np.repeat(tables.states, 300)
    engine_of(tables.setup.game).imagine(many, np.full(300, 3), keys(5, 300))
    for seat, card in enumerate(truth):
        held = (many["hands"][:, seat] >> (card - 1)) & 1
        still = (many["committed"][:, seat] == card) | (held == 1)
        assert 0.05 < still.mean() < 0.95, "the true card is there as often as a guess would be"


@pytest.mark.parametrize("recall", [False, True])
def test_views_tell_the_same_after_a_forfeit(recall: bool) -> None:
    tables = Tables("miaui", 1, 3, illegal="forfeit", auto_reset=False, perfect_recall=recall)
    tables.reset()
    tables.step(np.array([[4, -1, -1]]))
    step = tables.step(np.array([[-1, -1, 99]]))
    assert step.terminated[0] and not step.to_act.any() and not step.action_masks.any()
    for seat in range(3):
        view = tables.view(0, seat)
        assert tables.setup.view_of(tables.observe(0, seat)[0], seat) == view
        rebuilt = tables.setup.from_view(view)
        assert tables.setup.view(rebuilt[0], seat) == view
        assert tables.setup.view(imagined(tables, seat, 1)[0], seat) == view
    with pytest.raises(ValueError, match="owes no action now"):
        tables.step(np.array([[-1, 3, -1]]))


@pytest.mark.parametrize(("table", "seat"), [(5, 0), (-1, 0), (0, 4), (0, -1)])
def test_tables_and_seats_that_are_not_there(table: int, seat: int) -> None:
    tables = Tables("miaui", 2, 4)
    tables.reset()
    for look in (tables.observe, tables.view):
        with pytest.raises(IndexError, match="are 0 to"):
            look(table, seat)
    if seat == 0:
        with pytest.raises(IndexError, match="tables are 0 to 1"):
            tables.survey(table)


@pytest.mark.parametrize("name", ["greedy", "random", "flat:12", "search:4"])
def test_a_bot_refuses_arrays_that_do_not_belong_together(name: str) -> None:
    tables = Tables("miaui", 8, 4)
    tables.reset()
    bot = load_bot(name).fitted(tables.setup)
    seen, masks = tables.observations[:, 0], tables.action_masks[:, 0]
    for wrong in (
        (seen[:1], masks[:1], keys(0, 100)),
        (seen[0], masks[0], keys(0, 1)),
        (seen, masks[:3], keys(0, 8)),
    ):
        with pytest.raises(ValueError, match="takes observations"):
            bot.act(*wrong)
    with pytest.raises(ValueError, match="none is legal"):
        bot.act(seen, np.zeros_like(masks), keys(0, 8))
    told = bot.act(seen, masks, keys(0, 8))
    frozen = seen.copy()
    frozen.flags.writeable = False
    assert (bot.act(frozen, masks, keys(0, 8)) == told).all()


class Cheat(Bot):
    """Answers whatever it is told to, and keeps what it was shown."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.shown = answer, np.zeros(0)

    def act(self, observations: Any, action_masks: Any, keys: Any, memory: Any = None) -> Any:
        self.shown = observations
        return self.answer


@pytest.mark.parametrize(
    "answer", [np.array([-1]), np.array([12]), np.array([0.5]), np.array(["x"])]
)
def test_an_opponents_bad_answer_is_its_own_and_tells_nobodys_hand(answer: Any) -> None:
    env = SeatEnv("miaui", num_players=2, opponents=Cheat(answer), seat=0)
    _, info = env.reset(seed=0)
    with pytest.raises(ValueError, match="bot 'cheat' answers") as refused:
        env.step(int(info["action_mask"].argmax()))
    assert "legal are" not in str(refused.value)


def test_no_array_leads_to_what_others_see() -> None:
    env = Parallel("miaui", 4)
    observations, _ = env.reset(seed=0)
    assert all(part.base is None for seen in observations.values() for part in seen.values())
    cheat = Cheat(np.zeros(1, np.int16))
    table = SeatEnv("miaui", num_players=2, opponents=cheat, seat=0, perfect_recall=True)
    table.reset(seed=0)
    table.step(0)
    assert cheat.shown.base is None


def test_a_refused_reset_changes_nothing() -> None:
    env = miaui_env.make("miaui", num_players=3)
    env.reset(seed=0)
    before = env.get_state()
    deck = list(env.setup.options.multiset)
    with pytest.raises(ValueError, match="seed is a whole number, not 'x'"):
        env.reset(seed="x", options={"deck": deck, "kiti": 2})
    assert env.get_state() == before


@pytest.mark.parametrize("name", ["seed", "auto_reset", "num_tables"])
def test_environments_take_no_arguments_of_tables(name: str) -> None:
    wrong: dict[str, Any] = {name: 1}
    with pytest.raises(ValueError, match=f"takes no '{name}'"):
        miaui_env.make("miaui", **wrong)
