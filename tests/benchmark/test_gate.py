"""The gate: few deals where the case is clear, and few wrong decisions, however often one looks."""

from __future__ import annotations

import json

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.benchmark import arena_bot
from miaui_env.benchmark.arena import in_blocks
from miaui_env.benchmark.betting import Betting
from miaui_env.benchmark.gate import BIASED, Verdict, decide, gate, in_order
from miaui_env.benchmark.summary import Games, unit

SETUP = Setup.of(find("miaui"), 2)


def test_equals_are_accepted_less_often_than_the_error_allows_though_one_looks_always() -> None:
    luck, wrong = np.random.default_rng(0), 0
    for _ in range(200):
        bets = Betting(0.25)
        for won in luck.random(300) < 0.25:
            bets.add(float(won))
            if bets.refuted(0.25, above=True, alpha=0.1):
                wrong += 1
                break
    assert 0 < wrong <= 0.15 * 200, "0.1 and some luck"


def test_a_confidence_sequence_holds_the_truth_at_all_times_together() -> None:
    luck, held = np.random.default_rng(1), 0
    for _ in range(60):
        bets, always = Betting(), True
        for value in luck.binomial(4, 0.3, 150) / 4:
            bets.add(float(value))
            low, high = bets.interval(0.1)
            always &= low <= 0.3 <= high
        held += always
    assert held >= 0.85 * 60
    assert 0.2 < low < 0.3 < high < 0.42 and bets.mean == pytest.approx(0.3, abs=0.05)


def test_observations_have_bounds() -> None:
    with pytest.raises(ValueError, match=r"lie in 0 to 1, not 1\.5"):
        Betting().add(1.5)
    assert Betting().interval(0.05) == (0.0, 1.0)


def coin(chance: float, blocks: int, seed: int) -> list[Games]:
    """Deals of two seats and two seatings that a candidate wins by luck."""
    won = np.random.default_rng(seed).random((blocks, 32, 2)) < chance
    credits = np.stack([won, ~won], 3).astype(np.int64) * unit(2)
    return [Games(part, part, np.zeros(part.shape, bool), ()) for part in credits]


@pytest.mark.parametrize(
    ("chance", "decision", "most"),
    [(0.8, "accept", 32), (0.2, "refuse", 32), (0.5, "refuse", 40 * 32), (0.56, "accept", 1280)],
)
def test_decisions(chance: float, decision: str, most: int) -> None:
    bets, decided, forfeits = decide(iter(coin(chance, 60, 3)), 2, 0.05, 0.05)
    assert decided == decision and bets.observations <= most and forfeits == 0


def test_what_cannot_be_told_stays_undecided() -> None:
    bets, decision, _ = decide(iter(coin(0.525, 3, 0)), 2, 0.05, 0.05)
    assert decision == "undecided" and bets.observations == 96


def verdict(candidate: str, incumbent: str, **more: object) -> Verdict:
    bots = arena_bot(candidate), arena_bot(incumbent)
    return gate(SETUP, *bots, **more)  # type: ignore[arg-type]


def test_a_better_bot_passes_and_a_worse_one_does_not() -> None:
    passed = verdict("greedy", "random")
    assert passed.decision == "accept" and passed.deals <= 64
    assert passed.low > passed.equal_share == 0.5
    refused = verdict("random", "greedy")
    assert refused.decision == "refuse" and refused.high < 0.52
    told = json.loads(json.dumps(passed.to_json()))
    assert told["figures"] == BIASED and told["schema"] == "miaui_env.gate/1"


def test_workers_do_not_change_a_decision() -> None:
    close = {"seed": 2, "most_deals": 256, "margin": 0.1}
    alone = verdict("greedy~0.9", "random", **close)
    assert verdict("greedy~0.9", "random", workers=2, **close) == alone


def test_blocks_are_taken_in_order_whenever_they_come() -> None:
    games = coin(0.5, 4, 0)
    assert list(in_order(iter([(i, games[i]) for i in (2, 0, 3, 1)]))) == games
    assert [len(part) for part in in_blocks(70)] == [32, 32, 6]


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"margin": 0.0}, "margin is more than 0 and less than 0.5, not 0.0"),
        ({"error": 0.5}, "chance of an error is more than 0 and less than 0.5, not 0.5"),
        ({"most_deals": 0}, "deals and workers are 1 or more"),
        ({"names": ("a", "a")}, "both are 'a'|two different bots are named 'a'"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        verdict("greedy", "random", **wrong)
