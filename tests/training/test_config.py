"""Settings: a sentence each, and a key that nobody knows is an error that names it."""

from __future__ import annotations

import ast
import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

import training.config as schema
from miaui_env.bots import shipped_bots, shipped_root
from miaui_env.bots.card import Card
from training.config import TrainConfig, register, setup_for, typed
from training.train import resumed

ROOT = Path(__file__).parents[2]
register()


def composed(*overrides: str) -> TrainConfig:
    with initialize_config_dir(str(ROOT / "configs"), version_base=None):
        return typed(compose("train", list(overrides)))


def run(*overrides: str) -> str:
    """What `python -m training.train` says before it gives up."""
    done = subprocess.run(
        [sys.executable, "-m", "training.train", *overrides],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode != 0
    return done.stderr


def test_the_default_run_is_a_four_seat_miaui_bot() -> None:
    config = composed()
    assert (config.game.name, config.game.players, config.name) == ("miaui", 4, "ppo-4p")
    assert composed("game.players=3").name == "ppo-3p"


@pytest.mark.parametrize("path", sorted((ROOT / "configs" / "experiment").glob("*.yaml")))
def test_every_experiment_composes(path: Path) -> None:
    assert setup_for(composed(f"experiment={path.stem}").game).game.name


@pytest.mark.parametrize("name", shipped_bots())
def test_a_shipped_bot_was_made_by_the_committed_experiment(name: str) -> None:
    card = Card.read(shipped_root() / name)
    settings = dataclasses.asdict(composed(f"experiment={card.game}-{card.name}"))
    made = card.training["config"]
    assert made == {key: settings[key] for key in made}
    assert settings.keys() - made.keys() == {"runs", "resume"}


def test_random_and_greedy_stay_out_of_the_shipped_bots_pool() -> None:
    """The pool has no names at all: it is made of copies of the learner."""
    assert {field.name for field in dataclasses.fields(schema.PoolConfig)} == {
        "size",
        "growth",
        "at_once",
        "temperatures",
    }


def test_an_unknown_key_is_named_on_the_command_line() -> None:
    told = run("algo.learningrate=1e-3")
    assert "Could not override 'algo.learningrate'" in told
    assert "Key 'learningrate' not in 'AlgoConfig'" in told


def test_an_unknown_key_in_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OmegaConfBaseException, match="Key 'colour' not in 'PoolConfig'"):
        typed(OmegaConf.create("pool: {colour: green}"))


def test_a_value_of_another_type_is_named() -> None:
    with pytest.raises(OmegaConfBaseException, match="Value 'many' of type 'str'"):
        typed({"tables": {"number": "many"}})


def test_an_unknown_game_option_is_one_clear_line() -> None:
    told = run("+game.options.hand=3")
    assert told.strip().startswith("error: Miaui has no option 'hand'")


def test_a_run_that_is_none_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no run in .*: config\.yaml is missing"):
        resumed(str(tmp_path), [f"resume={tmp_path}"])


def test_a_resumed_run_takes_no_other_settings(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="give resume alone, without seed=3"):
        resumed(str(tmp_path), [f"resume={tmp_path}", "seed=3"])


def test_every_setting_has_its_sentence() -> None:
    tree = ast.parse(Path(schema.__file__).read_text())
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert len(classes) >= 6
    for made in classes:
        body = made.body[1:]
        for field, after in zip(body[::2], body[1::2], strict=True):
            assert isinstance(field, ast.AnnAssign), made.name
            assert isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant), made.name
            assert str(after.value.value).rstrip().endswith("."), ast.unparse(field)
