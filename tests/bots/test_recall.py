"""Bots are served the recall that they want: by rule, with noise, at mixed tables."""

from __future__ import annotations

import numpy as np
import pytest

import miaui_env
from miaui_env import Game, Setup, Tables, keys, load_bot
from miaui_env.adapters.seating import Guest
from miaui_env.benchmark import arena_bot, play_lineup
from miaui_env.benchmark.arena import LineUp

REMEMBERING = [
    (game, bot)
    for game in map(miaui_env.find, miaui_env.games())
    for bot in sorted(game.remembering)
]
every_one = pytest.mark.parametrize(
    ("game", "bot"), REMEMBERING, ids=lambda part: getattr(part, "name", part)
)


def test_those_that_remember_are_bots_of_their_game() -> None:
    for game in map(miaui_env.find, miaui_env.games()):
        assert game.remembering <= set(game.bots)


@every_one
@pytest.mark.parametrize("noise", ["", "~0.5"])
def test_a_bot_that_remembers_wants_perfect_recall(game: Game, bot: str, noise: str) -> None:
    setup = Setup.of(game)
    loaded = arena_bot(bot + noise)
    assert loaded.recall_at(setup) is True
    assert load_bot("random").recall_at(setup) is None
    with pytest.raises(ValueError, match=f"{bot} needs a table with perfect_recall=True"):
        loaded.fitted(setup)
    assert loaded.fitted(setup.with_recall(True)).name


@every_one
def test_at_a_mixed_table_each_bot_is_shown_its_own_view(game: Game, bot: str) -> None:
    setup = Setup.of(game)
    forgetful = next(name for name in game.bots if name not in game.remembering)
    bots = [load_bot(bot), *[load_bot(forgetful)] * (setup.num_players - 1)]
    lineup = LineUp.of(setup, bots, 1)
    assert lineup.setup.perfect_recall
    whole, table = setup.with_recall(True).layout.size, setup.layout.size
    assert lineup.sizes == (whole, table) and table < whole
    result = play_lineup(setup, bots, deals=2)
    assert result.counts.finished == 2 * setup.num_players and not result.errors


@every_one
def test_an_opponent_that_remembers_needs_a_table_that_does(game: Game, bot: str) -> None:
    with pytest.raises(ValueError, match="needs a table with perfect_recall=True"):
        Guest(bot, Setup.of(game))
    guest = Guest(bot, Setup.of(game, perfect_recall=True))
    assert guest.size == Setup.of(game, perfect_recall=True).layout.size


@every_one
def test_a_bot_that_remembers_knows_its_game_by_the_shapes(game: Game, bot: str) -> None:
    tables = Tables(game, 4, seed=0, perfect_recall=True)
    step = tables.reset()
    rows = np.arange(4), step.to_act.argmax(1)
    asked = step.observations[rows], step.action_masks[rows], keys(0, 4)
    actions = load_bot(bot).act(*asked)
    fitted = load_bot(bot).fitted(tables.setup).act(*asked)
    assert (actions == fitted).all() and step.action_masks[(*rows, actions)].all()
