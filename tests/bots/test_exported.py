"""Exported bots: what was trained is what plays, and what does not fit is refused in words."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import miaui_env
from miaui_env import Setup, find, keys, load_bot
from miaui_env.bots import shipped_bots, shipped_root
from miaui_env.bots.card import CARD, POLICY, WEIGHTS, Card, sha256
from miaui_env.bots.exported import ExportedBot, chosen

torch = pytest.importorskip("torch")
Record = Callable[[int], tuple[np.ndarray, np.ndarray]]


def rewritten(folder: Path, **changes: Any) -> Path:
    """The folder with other things on its card."""
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps({**card, **changes}))
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(ValueError) as told:
        load_bot(folder)
    return str(told.value)


# --- what was trained is what plays -------------------------------------------------------------


def test_onnx_and_torch_agree_on_ten_thousand_recorded_observations(
    original: Path, policy: Any, recorded: Record
) -> None:
    rows, masks = recorded(10_000)
    logits, values = ExportedBot(original).judge(rows, masks)
    with torch.no_grad():
        theirs, their_values = policy.judge(torch.as_tensor(rows), torch.as_tensor(masks))
    assert np.abs(logits - theirs.numpy())[masks == 1].max() <= 1e-5
    assert np.abs(values - their_values.numpy()).max() <= 1e-5
    assert (logits.argmax(1) == theirs.numpy().argmax(1)).all()
    assert (logits[masks == 0] <= -1e7).all()
    assert np.ptp(logits[masks == 1]) > 1.0, "the network says nothing; this test would not notice"


def test_the_weights_beside_the_graph_are_the_same_network(original: Path, policy: Any) -> None:
    from training.export import read_weights
    from training.policy import weights_of

    theirs, ours = read_weights(original), weights_of(policy)
    assert theirs.keys() == ours.keys()
    assert all(torch.equal(theirs[name], ours[name]) for name in ours)


def test_a_move_depends_neither_on_neighbours_nor_on_their_order(
    original: Path, recorded: Record
) -> None:
    bot = ExportedBot(original)
    rows, masks = recorded(600)
    luck = keys(3, 600)
    together = bot.act(rows, masks, luck)
    alone = [bot.act(rows[i : i + 1], masks[i : i + 1], luck[i : i + 1])[0] for i in range(600)]
    order = np.random.default_rng(0).permutation(600)
    assert together.tolist() == alone
    assert (bot.act(rows[order], masks[order], luck[order]) == together[order]).all()
    assert together.dtype == np.int16


def test_moves_are_drawn_by_the_networks_probabilities() -> None:
    logits = np.log(np.array([[0.5, 0.2, 0.25, 0.05]], np.float32))
    mask = np.array([[1, 1, 0, 1]], np.int8)
    many = 100_000
    moves = chosen(logits.repeat(many, 0), mask.repeat(many, 0), keys(1, many), 1.0)
    shares = np.bincount(moves, minlength=4) / many
    assert shares == pytest.approx(np.array([0.5, 0.2, 0, 0.05]) / 0.75, abs=0.006)
    sharper = chosen(logits.repeat(many, 0), mask.repeat(many, 0), keys(1, many), 0.5)
    assert (sharper == 0).mean() == pytest.approx(0.25 / 0.2925, abs=0.006)


def test_a_million_moves_are_legal() -> None:
    luck = np.random.default_rng(7)
    for scale in (1.0, 1e4):  # as networks say it, and as a broken one might
        logits = luck.normal(size=(500_000, 12)).astype(np.float32) * scale
        masks = (luck.random((500_000, 12)) < 0.2).astype(np.int8)
        masks[np.arange(500_000), luck.integers(12, size=500_000)] = 1
        for temperature in (0.0, 1.0):
            moves = chosen(logits, masks, keys(2, 500_000), temperature)
            assert (masks[np.arange(500_000), moves] == 1).all()


def test_argmax_plays_the_best_legal_move(bot_folder: Path, recorded: Record) -> None:
    rows, masks = recorded(100)
    bot = ExportedBot(rewritten(bot_folder, plays={"how": "argmax"}))
    logits, _ = bot.judge(rows, masks)
    assert (bot.act(rows, masks, keys(0, 100)) == logits.argmax(1)).all()


def test_it_plays_whole_games_at_every_seat(original: Path, setup: Setup) -> None:
    bot, tables = load_bot(original).fitted(setup), miaui_env.Tables(setup, 32, seed=2)
    step = tables.reset()
    ended = 0
    for _ in range(36):
        luck = tables.decision_keys().ravel()
        rows, masks = step.observations, step.action_masks
        moves = bot.act(rows.reshape(128, -1), masks.reshape(128, -1), luck)
        step = tables.step(moves.reshape(32, 4))  # raises for an illegal move
        ended += int(step.terminated.sum())
    assert ended == 32 * 36 // setup.longest


def test_playing_needs_no_torch(original: Path) -> None:
    lines = f"""
import sys, numpy as np, miaui_env
bot = miaui_env.load_bot({str(original)!r})
rows = np.zeros((3, bot.setup.layout.size), np.int8)
print(bot.act(rows, np.ones((3, 12), np.int8), miaui_env.keys(0, 3)).shape)
assert "torch" not in sys.modules and "stable_baselines3" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(3,)"


def test_copies_and_worker_processes_have_the_same_bot(original: Path, recorded: Record) -> None:
    bot = ExportedBot(original)
    rows, masks = recorded(50)
    for other in (copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))):
        assert (other.act(rows, masks, keys(1, 50)) == bot.act(rows, masks, keys(1, 50))).all()


# --- what does not fit is refused ---------------------------------------------------------------


@pytest.mark.parametrize("name", [POLICY, WEIGHTS])
def test_a_missing_file_is_named(bot_folder: Path, name: str) -> None:
    (bot_folder / name).unlink()
    assert f"{name} is missing" in refusal(bot_folder)


@pytest.mark.parametrize("name", [POLICY, WEIGHTS])
def test_an_altered_file_is_named(bot_folder: Path, name: str) -> None:
    content = bytearray((bot_folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (bot_folder / name).write_bytes(content)
    assert f"{name} is not the file that its card describes" in refusal(bot_folder)


def test_a_folder_without_a_card_is_no_bot(bot_folder: Path) -> None:
    (bot_folder / CARD).unlink()
    assert "neither a folder with a card.json nor one of the shipped bots" in refusal(bot_folder)
    with pytest.raises(ValueError, match=r"card\.json is missing"):
        ExportedBot(bot_folder)


def test_a_broken_card_says_so(bot_folder: Path) -> None:
    (bot_folder / CARD).write_text("{")
    assert "is no JSON" in refusal(bot_folder)
    (bot_folder / CARD).write_text("[]")
    assert "has no format number" in refusal(bot_folder)
    (bot_folder / CARD).write_text('{"format": 1, "name": "x"}')
    assert "lacks game, game_version" in refusal(bot_folder)


def test_a_card_of_a_later_format_asks_for_an_update(bot_folder: Path) -> None:
    told = refusal(rewritten(bot_folder, format=99))
    assert "has format 99, and this miaui_env reads up to 1" in told


def test_a_card_for_another_game_version_is_refused(bot_folder: Path) -> None:
    told = refusal(rewritten(bot_folder, game_version=7))
    assert "plays Miaui version 7, but this is version 0" in told


def test_a_card_with_other_fields_names_the_first_that_differs(bot_folder: Path) -> None:
    seen = json.loads((bot_folder / CARD).read_text())["observation"]
    hand = next(field for field in seen["fields"] if field["name"] == "hand")
    hand["shape"], seen["sha256"] = [11], "0" * 64
    told = refusal(rewritten(bot_folder, observation=seen))
    assert "its card has 'hand' (11,) from 0 to 1 where there is 'hand' (12,) from 0 to 1" in told


def test_a_card_with_other_actions_is_refused(bot_folder: Path) -> None:
    assert "knows 1 actions, but Miaui has 12" in refusal(rewritten(bot_folder, actions=["pass"]))


def test_a_card_for_no_game_of_ours_is_refused(bot_folder: Path) -> None:
    assert "no game 'chess'" in refusal(rewritten(bot_folder, game="chess"))


def test_a_card_that_plays_otherwise_is_refused(bot_folder: Path) -> None:
    assert "plays by 'sample' or 'argmax'" in refusal(rewritten(bot_folder, plays={"how": "eval"}))


class Bomb:
    """A pickle that, loaded, would write a file."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> Any:
        return Path.write_text, (self.trace, "went off")


@pytest.mark.parametrize("name", [POLICY, WEIGHTS])
def test_a_pickle_under_our_names_is_refused_and_never_run(
    bot_folder: Path, tmp_path: Path, name: str
) -> None:
    from training.export import read_weights

    trace = tmp_path / "trace"
    (bot_folder / name).write_bytes(pickle.dumps(Bomb(trace)))
    card = Card.read(bot_folder)
    rewritten(bot_folder, files={**card.files, name: sha256((bot_folder / name).read_bytes())})
    with pytest.raises(ValueError, match=r"no network that onnxruntime reads|holds no safetensors"):
        load_bot(bot_folder) if name == POLICY else read_weights(bot_folder)
    assert not trace.exists()
    pickle.loads((bot_folder / name).read_bytes())
    assert trace.exists(), "the bomb is a dud, and this test would not notice"


def test_another_table_is_refused_with_what_differs(original: Path) -> None:
    bot = load_bot(original)
    with pytest.raises(ValueError, match=r"for num_players=4; this table has num_players=3"):
        bot.fitted(Setup.of(find("miaui"), 3))
    with pytest.raises(ValueError, match=r"kiti=None; this table has kiti=2"):
        bot.fitted(Setup.of(find("miaui"), 4, kiti=2))
    with pytest.raises(
        ValueError, match="perfect_recall=False; this table has perfect_recall=True"
    ):
        bot.fitted(Setup.of(find("miaui"), 4, perfect_recall=True))


def test_rows_of_another_shape_are_refused(original: Path) -> None:
    with pytest.raises(ValueError, match=r"reads rows of \d+ observation entries and 12 actions"):
        load_bot(original).act(np.zeros((1, 9), np.int8), np.ones((1, 12), np.int8), keys(0, 1))


def test_nothing_in_the_tree_unpickles() -> None:
    roots = [Path(miaui_env.__file__).parent, Path(miaui_env.__file__).parents[1] / "training"]
    laws = roots[0] / "testing"  # copies environments of its own through pickle, which must work
    for path in (path for root in roots for path in root.rglob("*.py") if laws not in path.parents):
        text = path.read_text(encoding="utf-8")
        for call in ("pickle.load", "torch.load", "np.load(", "joblib", "allow_pickle=True"):
            assert call not in text, f"{path} has {call}"


# --- shipped bots, and those of earlier releases ------------------------------------------------


@pytest.mark.parametrize("name", shipped_bots())
def test_a_shipped_bot_is_whole_small_and_plays(name: str) -> None:
    bot = load_bot(name)
    assert isinstance(bot, ExportedBot)
    rows = np.zeros((2, bot.setup.layout.size), np.int8)
    masks = np.ones((2, bot.setup.num_actions), np.int8)
    assert bot.act(rows, masks, keys(0, 2)).shape == (2,)
    folder = shipped_root() / name
    assert sum(file.stat().st_size for file in folder.iterdir()) < 2_000_000
    assert bot.card.ratings and bot.card.training["config"]["seed"] is not None


RELEASED = sorted((Path(__file__).parent / "released").glob("*"))


@pytest.mark.parametrize("folder", RELEASED, ids=lambda folder: folder.name)
def test_a_bot_of_an_earlier_release_plays_its_recorded_moves(folder: Path) -> None:
    moves = json.loads((folder / "moves.json").read_text())
    rows, masks = (np.array(moves[name], np.int8) for name in ("observations", "action_masks"))
    luck = np.array(moves["keys"], np.uint64)
    assert len(luck) == 20
    assert load_bot(folder).act(rows, masks, luck).tolist() == moves["actions"]


def test_a_bot_is_kept_of_every_release_up_to_this_one() -> None:
    """So a new version number asks for one: `python tests/bots/record.py` and the number."""
    assert miaui_env.__version__ in {folder.name for folder in RELEASED}
