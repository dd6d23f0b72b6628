"""The training step that `miaui bench` measures: its parts, and what it stands beside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

import torch

from miaui_env import find, make
from miaui_env.benchmark.speed import Run, learning
from miaui_env.benchmark.speed.run import Absent
from training import speed
from training.policy import MaskedPolicy


@pytest.fixture(scope="module")
def told() -> Iterator[dict[str, Any]]:
    threads = torch.get_num_threads()
    yield json.loads(json.dumps(speed.measure("miaui", 2, speed.QUICK)))
    torch.set_num_threads(threads)


def test_the_parts_are_the_whole(told: dict[str, Any]) -> None:
    assert list(told["parts"]) == ["environment", "inference", "learning", "rest"]
    assert all(0 < part["low"] <= part["high"] < 1 for part in told["parts"].values())
    halves = [sum(part[end] for part in told["parts"].values()) for end in ("low", "high")]
    assert halves[0] <= 1.0001 and halves[1] >= 0.9999


def test_ours_stands_beside_three_other_ways(told: dict[str, Any]) -> None:
    assert list(told["per_second"]) == ["ours", "stock", "bare", "tutorial"]
    assert set(told["to_others"]) == {"stock", "bare", "tutorial"}
    assert told["setting"]["widths"] == [256, 256] and told["setting"]["epochs"] == 4
    assert told["setting"]["threads"] == 1 and told["setting"]["versions"]["torch"]


def test_all_ways_train_networks_of_one_size() -> None:
    size, network = speed.QUICK, {"widths": speed.WIDTHS}
    ours = speed.learner_of("miaui", size, MaskedPolicy, network).policy
    bare = speed.Bare(speed.tables_of("miaui", size), size).network
    stock = speed.tutorial("miaui", size, speed.stock_network()).policy
    numbers = [sum(part.numel() for part in policy.parameters()) for policy in (ours, bare, stock)]
    trunk = 107 * 256 + 256 + 256 * 256 + 256
    assert numbers == [trunk + 256 * (12 + 1) + 12 + 1] * 3


def test_a_step_learns_from_every_decision_of_every_seat() -> None:
    size = speed.QUICK
    learner = speed.Stages(speed.learner_of("miaui", size, MaskedPolicy, {}))
    assert learner.once()[0] == size.tables * 4 * size.rollout == learner.learner.num_timesteps
    bare = speed.Bare(speed.tables_of("miaui", size), size)
    before = [part.clone() for part in bare.network.parameters()]
    assert bare.once()[0] == size.tables * 4 * size.rollout
    after = bare.network.parameters()
    assert any(not torch.equal(*pair) for pair in zip(before, after, strict=True))


def test_advantages_by_hand() -> None:
    column = torch.tensor
    values, rewards = column([[0.5], [0.2]]), column([[0.0], [1.0]])
    over, last = column([[False], [True]]), column([9.0])
    gains = speed._advantages(values, rewards, over, last)
    # The game ends with 1: 1 - 0.2; before, 0.2 - 0.5 and 0.95 of what came after.
    assert gains.flatten().tolist() == pytest.approx([-0.3 + 0.95 * 0.8, 0.8])


def test_whoever_moves_is_the_single_agent() -> None:
    env = speed.WhoeverMoves(make("miaui", "aec"))
    seen, _ = env.reset(seed=3)
    assert seen.shape == (107,) and env.action_masks().sum() == 12
    movers, rewards, over = [], [], False
    while not over:
        movers.append(env.game.agent_selection)
        _, reward, over, _, _ = env.step(int(env.action_masks().argmax()))
        rewards.append(reward)
    assert movers == [f"player_{seat}" for seat in range(4)] * 12
    assert rewards[:-1] == [0] * 47 and rewards[-1] == env.game.rewards["player_3"]


def test_a_game_of_turns_has_one_learner_a_table() -> None:
    assert speed.tables_of("showcase", speed.QUICK).num_envs == speed.QUICK.tables


def test_the_bench_runs_it_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(find("miaui"), 1, quick=True, say=lambda what: None)
    assert learning.measure(run)["setting"]["tables"] == speed.QUICK.tables
    monkeypatch.setattr(learning, "find_spec", lambda name: None)
    with pytest.raises(Absent, match="run it in a checkout"):
        learning.measure(run)
