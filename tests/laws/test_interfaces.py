"""Faults planted in one interface: its law breaks, and says where and how it differs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from miaui_env import Setup, find
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.learner import Learner
from miaui_env.adapters.learners import Learners
from miaui_env.adapters.parallel import Parallel
from miaui_env.adapters.seating import Seating
from miaui_env.testing import LawBroken, check_setup
from tests.adapters import coins

AT_ONCE = Setup.of(find("miaui"), 4)
IN_TURNS = Setup.of(coins.GAME, 4)

Fault = Callable[[pytest.MonkeyPatch], None]


def changed(patch: pytest.MonkeyPatch, kind: type, name: str, change: Callable[..., Any]) -> None:
    """Let a method return what `change(self, result)` makes of its result."""
    method = getattr(kind, name)

    def faulty(self: Any, *arguments: Any, **named: Any) -> Any:
        return change(self, method(self, *arguments, **named))

    patch.setattr(kind, name, faulty)


def pays_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    def shifted(env: Parallel, told: Any) -> Any:
        agents, paid = list(told[1]), np.roll(list(told[1].values()), 1).tolist()
        return told[0], dict(zip(agents, paid, strict=True)), *told[2:]

    changed(patch, Parallel, "step", shifted)


def learners_are_paid_for_the_next(patch: pytest.MonkeyPatch) -> None:
    changed(
        patch, Learners, "step", lambda _, turn: turn._replace(rewards=np.roll(turn.rewards, 1))
    )


def pays_one_step_late(patch: pytest.MonkeyPatch) -> None:
    def late(env: SeatEnv, told: Any) -> Any:
        due, env.__dict__["late"] = env.__dict__.get("late", 0.0), told[1]
        return told[0], due, *told[2:]

    changed(patch, SeatEnv, "step", late)


def forgets_what_came_before_the_first_decision(patch: pytest.MonkeyPatch) -> None:
    def forgetful(learner: Learner, _: None) -> None:
        learner.carried = np.float32(0.0)

    changed(patch, Learner, "begin", forgetful)


def shows_a_seat_what_the_next_sees(patch: pytest.MonkeyPatch) -> None:
    def of_another(env: SeatEnv, told: Any) -> Any:
        seat = (env.seat + 1) % env.setup.num_players
        return env.table.observation(seat)["observation"], told[1]

    changed(patch, SeatEnv, "_shown", of_another)


def shows_a_seat_the_mask_of_before(patch: pytest.MonkeyPatch) -> None:
    """A learner is told that it may play what it held when the step began."""

    def stale(env: SeatEnv, told: Any) -> Any:
        before = env.__dict__.get("before", told[1]["action_mask"])
        env.__dict__["before"] = told[1]["action_mask"]
        return told[0], {**told[1], "action_mask": before}

    changed(patch, SeatEnv, "_shown", stale)


def shows_what_the_next_seat_sees(patch: pytest.MonkeyPatch) -> None:
    def of_another(learners: Learners, seen: Any) -> Any:
        seating, latest = learners.seating, learners.tables.latest
        seats = (seating.seats_of + 1) % learners.tables.setup.num_players
        return latest.observations[seating.tables_of, seats], seen[1]

    changed(patch, Learners, "look", of_another)


def shows_an_agent_its_neighbour(patch: pytest.MonkeyPatch) -> None:
    def of_another(env: AEC, seen: Any) -> Any:
        seat = (env.possible_agents.index(env.agent_selection) + 1) % len(env.possible_agents)
        return {**seen, "observation": env.table.observation(seat)["observation"]}

    changed(patch, AEC, "observe", of_another)


def ends_when_the_bots_have_played(patch: pytest.MonkeyPatch) -> None:
    """Only a vector: games of more than one table never end."""

    def endless(learners: Learners, turn: Any) -> Any:
        return turn if learners.number == 1 else turn._replace(done=turn.done & False, ends=[])

    changed(patch, Learners, "step", endless)


def seats_vectors_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """A learner of many tables sits down at random seats that a single one does not take."""

    def sit(seating: Seating, _: None) -> None:
        if len(seating.seats_of) > 1 and seating._seat is None:
            seating.resume((seating.seats_of + 1) % seating.chart.shape[1])

    changed(patch, Seating, "sit", sit)


AT = r"seed \d+, episode \d, seat \d, decision \d+"


@pytest.mark.parametrize(
    ("fault", "setup", "law", "message"),
    [
        (pays_the_next_seat, AT_ONCE, "parallel is AEC", "Parallel pays .*, AEC "),
        (shows_an_agent_its_neighbour, AT_ONCE, "parallel is AEC", "Parallel shows .*, AEC as "),
        (pays_one_step_late, AT_ONCE, "Gymnasium is AEC", r"SeatEnv\(seat=0\) pays 0, AEC "),
        (pays_one_step_late, IN_TURNS, "Gymnasium is AEC", r"SeatEnv\(seat=\d\) pays 0, AEC "),
        (
            forgets_what_came_before_the_first_decision,
            IN_TURNS,
            "Gymnasium is AEC",
            "pays .*, AEC .*decision 0]",
        ),
        (shows_a_seat_what_the_next_sees, AT_ONCE, "Gymnasium is AEC", r"Env\(seat=0\) shows '"),
        (shows_what_the_next_seat_sees, AT_ONCE, "vectors are AEC", r"VectorEnv\(seat=.\) shows"),
        (shows_what_the_next_seat_sees, AT_ONCE, "SB3 is AEC", r"VecEnv\(seats=.\) shows"),
        (shows_a_seat_the_mask_of_before, AT_ONCE, "Gymnasium is AEC", r"allows \[0, .*, AEC \["),
        (ends_when_the_bots_have_played, AT_ONCE, "vectors are AEC", "goes on, AEC ends after"),
        (seats_vectors_elsewhere, AT_ONCE, "vectors are AEC", "the learner at ., Gymnasium at ."),
        (learners_are_paid_for_the_next, AT_ONCE, "SB3 is AEC", r"VecEnv\(seats=.\) pays"),
        (learners_are_paid_for_the_next, AT_ONCE, "SB3 leagues are AEC", r"\(seats='all'\) pays"),
    ],
    ids=lambda part: getattr(part, "__name__", part if isinstance(part, str) else ""),
)
def test_a_fault_in_an_interface_breaks_its_law(
    fault: Fault, setup: Setup, law: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if law.startswith("SB3"):
        pytest.importorskip("stable_baselines3")
    fault(monkeypatch)
    with pytest.raises(LawBroken, match=f"“{law}” is broken: .*{message}") as broken:
        for seed in range(10):
            check_setup(setup, laws=[law], seed=seed)
    broken.match(AT)


WITHOUT_SB3 = """
import sys
{hidden}
from miaui_env.testing import LAWS
print([name for name in LAWS if name.startswith("SB3")])
print([name for name in ("torch", "stable_baselines3") if sys.modules.get(name)])
"""


@pytest.mark.parametrize("installed", [True, False])
def test_laws_of_sb3_are_there_where_it_is_and_load_nothing(installed: bool) -> None:
    if installed:
        pytest.importorskip("stable_baselines3")
    hidden = "" if installed else "sys.modules['stable_baselines3'] = None"
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SB3.format(hidden=hidden)],
        capture_output=True,
        text=True,
        check=True,
    )
    expected = ["SB3 is AEC", "SB3 leagues are AEC"] if installed else []
    assert done.stdout.splitlines() == [repr(expected), "[]"]
