"""Ratings come from the arena, stand on the card, and the page is written from the cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from miaui_env import Setup, find, games, load_bot
from miaui_env.benchmark.arena import Purpose
from miaui_env.bots import shipped_bots, shipped_root
from miaui_env.bots.card import Card
from miaui_env.bots.exported import ExportedBot
from training.config import TrainConfig
from training.examiners import examine
from training.export import export
from training.learner import lay_tables, make_learner, policy_of
from training.rate import main, tables
from training.report import chapter, page


def test_a_bot_is_rated_against_all_four_tables(tmp_path: Path, small: TrainConfig) -> None:
    env = lay_tables(small)
    made = {"algorithm": "y", "steps": 1, "seconds": 90, "config": {"seed": 3}}
    folder = export(
        policy_of(make_learner(small, env)),
        env.tables.setup,
        tmp_path / "bot",
        name="small",
        plays={"how": "argmax"},
        training=made,
    )
    main(folder, seed=5, deals=6, workers=1)
    ratings = Card.read(folder).ratings
    lineups = [rating["lineup"] for rating in ratings]
    assert lineups == [["small", *others] for others in tables(env.tables.setup)]
    assert lineups[2] == ["small", "greedy", "highest"] and lineups[3][1] == "greedy~0.1"
    assert all(rating["purpose"] == "confirmation" and rating["seed"] == 5 for rating in ratings)
    first = ratings[0]["bots"][0]["win_share"]
    assert 0 <= first["low"] <= first["mean"] <= first["high"] <= 1
    assert load_bot(folder).name == "small", "the checksums still hold"
    assert "| 2 × random | small | " in chapter("miaui/small", folder)


def test_tables_hold_only_bots_that_the_game_has() -> None:
    for game in map(find, games()):
        for number in game.players:
            listed = tables(Setup.of(game, number))
            assert listed[0] == ["random"] * (number - 1) and all(
                listed.count(t) == 1 for t in listed
            )
            assert {name.partition("~")[0] for t in listed for name in t} <= {"random", *game.bots}
            assert {name for t in listed for name in t} >= game.remembering


CLAIMS = {"miaui/ppo-4p": (0.60, 0.50)}
"""What is said of a bot elsewhere: its win share among randoms, and among greedy ones, is more."""


@pytest.mark.parametrize("name", shipped_bots())
def test_a_shipped_bot_is_as_strong_as_its_card_says(name: str) -> None:
    bot = load_bot(name)
    assert isinstance(bot, ExportedBot)
    claims = CLAIMS.get(name, (1 / bot.setup.num_players, 0.0))
    for told, least in zip(bot.card.ratings, claims, strict=False):
        again = examine(
            bot.setup,
            bot,
            told["lineup"][1:],
            deals=told["deals"],
            seed=told["seed"],
            purpose=Purpose(told["purpose"]),
        )
        figure = again.of(bot.name).win_share
        assert figure.low is not None and figure.low >= least
        claimed = told["bots"][0]["win_share"]["mean"]
        assert figure.mean == pytest.approx(
            claimed, abs=0.004
        )  # another machine may round otherwise


def test_the_page_of_shipped_bots_is_as_the_cards_say() -> None:
    assert (shipped_root() / "README.md").read_text(encoding="utf-8") == page()
