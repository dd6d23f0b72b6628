"""Checkpoints are whole or not there, and hold no code; a killed run goes on exactly."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from omegaconf import OmegaConf
from rich.console import Console
from sb3_contrib import MaskablePPO

from miaui_env.adapters.sb3 import TablesVecEnv
from training.average import Average
from training.checkpoint import Checkpoint, written
from training.config import TrainConfig
from training.export import read_weights
from training.learner import kept, lay_tables, make_learner, policy_of, put_back
from training.policy import weights_of
from training.pool import Pool
from training.train import CONFIG, train

ROOT = Path(__file__).parents[2]


def a_checkpoint(number: float = 1.0) -> Checkpoint:
    return Checkpoint({"policy/weight": torch.full((3,), number)}, {"steps": int(number)})


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = a_checkpoint(4).write(tmp_path, 4, kept=2)
    back = Checkpoint.read(path)
    assert back.state == {"steps": 4} and back.part("policy")["weight"].tolist() == [4, 4, 4]


def test_only_the_newest_stay(tmp_path: Path) -> None:
    for number in range(5):
        a_checkpoint(number).write(tmp_path, number, kept=2)
    assert [path.stem for path in written(tmp_path)] == ["00000003", "00000004"]
    newest = Checkpoint.newest(tmp_path)
    assert newest and newest.state["steps"] == 4


def test_a_write_that_was_cut_short_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_checkpoint(1).write(tmp_path, 1, kept=2)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("killed here")))
    with pytest.raises(OSError, match="killed here"):
        a_checkpoint(2).write(tmp_path, 2, kept=2)
    newest = Checkpoint.newest(tmp_path)
    assert newest and newest.state["steps"] == 1


@pytest.mark.parametrize("content", [pickle.dumps({"a": 1}), b"", b"\x10" * 100])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "00000001.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is no checkpoint"):
        Checkpoint.read(path)


def test_going_on_in_another_learner_gives_the_same_weights(small: TrainConfig) -> None:
    """Two updates, stop, two more; against four in a row. Fast, so it also says where it breaks."""

    def fresh() -> tuple[TablesVecEnv, MaskablePPO, Pool, Average]:
        env = lay_tables(small)
        learner = make_learner(small, env)
        policy = policy_of(learner)
        return env, learner, Pool(small.pool, policy, 1), Average(0.9, policy)

    env, learner, pool, average = fresh()
    rollout = env.num_envs * small.algo.rollout
    pool.admit(0, policy_of(learner))
    learner.learn(2 * rollout)
    average.take_in(policy_of(learner), 2)
    middle = kept(learner, env, pool, average, seconds=1.0)
    learner.learn(2 * rollout, reset_num_timesteps=False)
    env2, learner2, pool2, average2 = fresh()
    np.random.seed(99)
    torch.manual_seed(99)
    put_back(middle, learner2, env2, pool2, average2)
    assert learner2.num_timesteps == 2 * rollout and pool2.members.keys() == {0}
    learner2.learn(2 * rollout, reset_num_timesteps=False)
    ours, theirs = weights_of(policy_of(learner)), weights_of(policy_of(learner2))
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert all(torch.equal(average.weights[name], average2.weights[name]) for name in ours)


# --- kill -9 ------------------------------------------------------------------------------------


def start(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "training.train", f"resume={folder}"]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def a_run(folder: Path, config: TrainConfig) -> Path:
    folder.mkdir()
    OmegaConf.save(OmegaConf.structured(config), folder / CONFIG)
    return folder


def finished(folder: Path) -> str:
    process = start(folder)
    told, _ = process.communicate(timeout=300)
    assert process.returncode == 0, told
    return told


def killed(folder: Path, after: int, moment: float) -> None:
    """Start, wait for checkpoint number `after` and a moment more, kill -9."""
    process = start(folder)
    while process.poll() is None:
        files = written(folder / "checkpoints")
        if files and int(files[-1].stem) >= after:
            time.sleep(moment)
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.002)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it had ended before it was killed"


def test_a_run_that_was_killed_ends_with_the_weights_of_one_that_was_not(
    tmp_path: Path, small: TrainConfig
) -> None:
    small.steps = 25_000
    through = train(small, a_run(tmp_path / "through", small), Console(quiet=True))
    broken = a_run(tmp_path / "broken", small)
    killed(broken, after=15, moment=np.random.default_rng().random() * 0.05)  # any moment will do
    assert not (broken / "bot").exists()
    told = finished(broken)
    assert "2 × random" in told and "2 × greedy" in told
    ours, theirs = read_weights(through), read_weights(broken / "bot")
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    start_over = policy_of(make_learner(small, lay_tables(small)))
    assert not torch.equal(ours["action_net.weight"], start_over.action_net.weight)
