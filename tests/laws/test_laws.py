"""Every law over every setup of every game; and each law breaks where a fault is planted."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import miaui_env
from miaui_env import Game, Setup, Tables
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.table import Table
from miaui_env.engine.compile import kernel
from miaui_env.engine.rng import mix
from miaui_env.games.miaui import GAME
from miaui_env.games.miaui.rules import allows
from miaui_env.play.replay import Replay, SeatReplay
from miaui_env.render.svg import at, document
from miaui_env.testing import LAWS, LawBroken, check_game, check_setup, setups_of
from miaui_env.testing.play import name_of
from tests.adapters import coins

GAMES = [*map(miaui_env.find, miaui_env.games()), coins.GAME]  # the last one is no game of ours
ALL = [setup for game in GAMES for setup in setups_of(game)]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("setup", ALL, ids=name_of)
def test_law(setup: Setup, law: str) -> None:
    check_setup(setup, laws=[law])


def test_an_unknown_law_is_named() -> None:
    with pytest.raises(ValueError, match="no law 'gravity'; there are views and"):
        check_game("miaui", laws=["gravity"])


# --- planted faults -------------------------------------------------------------------------------

deal, legal, observe = GAME.deal, GAME.legal, GAME.observe


@kernel
def shows_a_hand(state: Any, seat: int, out: Any) -> Any:
    """The next seat's hand stands where the own commitment should."""
    at = observe(state, seat, out)
    out[2] = np.int64(state.hands[(seat + 1) % state.num_players]) & 1
    return at


@kernel
def shows_a_commitment(state: Any, seat: int, out: Any) -> Any:
    """Seat 0's commitment shows to the others."""
    at = observe(state, seat, out)
    if seat > 0 and state.committed[0] > 0:
        out[1] = state.committed[0] % 7
    return at


@kernel
def masks_those_who_wait(state: Any, seat: int, mask: Any) -> None:
    """The hand stays legal after a card is committed."""
    for card in range(len(mask)):
        mask[card] = (state.hands[seat] >> card) & 1


@kernel
def deals_from_the_last_game(state: Any, key: Any) -> None:
    """What was won in the game before goes into the shuffle."""
    deal(state, mix(key, np.uint64(state.points[0] & 7)))


@kernel
def writes_too_far(state: Any, seat: int, mask: Any) -> None:
    """No hand is ever empty: the last card stays legal."""
    legal(state, seat, mask)
    mask[len(mask) - 1] = (state.to_act >> seat) & 1


@kernel
def allows_those_who_wait(state: Any, seat: int, action: int) -> bool:
    """The hand stays legal after a card is committed."""
    return bool(0 <= action < 12 and (state.hands[seat] >> action) & 1)


@kernel
def allows_too_much(state: Any, seat: int, action: int) -> bool:
    """Numbers that are none count as the last card."""
    return bool(allows(state, seat, min(action, 11)))


def broken(**kernels: Any) -> Setup:
    """A copy of a game with a fault, at a table of four; it has no `allows` unless one is given."""
    return Setup.of(dataclasses.replace(GAME, name="broken", **{"allows": None, **kernels}), 4)


@pytest.mark.parametrize(
    ("setup", "law", "message"),
    [
        (
            broken(observe=shows_a_hand),
            "what is hidden stays hidden",
            "what it cannot know shows to seat . in its observation",
        ),
        (
            broken(observe=shows_a_hand),
            "many tables keep their secrets",
            "what it cannot know shows to seat . in its observation",
        ),
        (
            broken(observe=shows_a_commitment),
            "commitments stay secret",
            "what others committed shows to seat . in its observation",
        ),
        (broken(legal=masks_those_who_wait), "a mask is what play accepts", "waits and has a mask"),
        (
            broken(allows=allows_those_who_wait),
            "a mask is what play accepts",
            "the mask and `allows` differ on action",
        ),
        (
            broken(allows=allows_too_much),
            "a mask is what play accepts",
            "the mask and `allows` differ on action 12",
        ),
        (broken(legal=writes_too_far), "nothing gets lost", "pieces are not conserved"),
        (
            broken(deal=deals_from_the_last_game),
            "a deal is a function of seed and episode",
            "depends on what was played in episode 0",
        ),
    ],
    ids=["hand", "hand of many", "commitment", "mask", "one", "beyond", "illegal", "deal"],
)
def test_a_fault_in_a_game_breaks_its_law(setup: Setup, law: str, message: str) -> None:
    expected = f"“{law}” is broken: .*{message}.*broken-4, "
    with pytest.raises(LawBroken, match=expected):
        for seed in range(5):
            check_setup(setup, laws=[law], seed=seed)


def test_a_reward_for_the_wrong_seat_breaks_its_law(monkeypatch: pytest.MonkeyPatch) -> None:
    step: Callable[..., Any] = AEC.step

    def shifted(env: AEC, action: Any) -> None:
        step(env, action)
        if env.agents and all(env.terminations.values()) and len(env.agents) == 4:
            env.rewards = dict(
                zip(env.rewards, np.roll(list(env.rewards.values()), 1), strict=True)
            )
            env._cumulative_rewards = dict(env.rewards)

    monkeypatch.setattr(AEC, "step", shifted)
    with pytest.raises(LawBroken, match="rewards by 'win' add up to"):
        check_setup(Setup.of(GAME, 4), laws=["rewards are the formula"])


def test_a_field_missing_from_get_state_breaks_its_law(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Tables._parts
    monkeypatch.setattr(Tables, "_parts", lambda tables: [p for p in parts(tables) if p.ndim != 1])
    with pytest.raises(LawBroken, match=r"a copy by .* goes on otherwise"):
        check_setup(Setup.of(GAME, 4), laws=["copies go on alike"])


def test_an_info_too_many_breaks_its_law(monkeypatch: pytest.MonkeyPatch) -> None:
    info = Table.info
    monkeypatch.setattr(Table, "info", lambda table, seat: {**info(table, seat), "deck": 1})
    with pytest.raises(LawBroken, match="info holds \\['deck'\\]"):
        check_setup(Setup.of(GAME, 4), laws=["infos hold nothing else"])


def test_a_view_that_tells_more_than_the_observation_breaks_its_law() -> None:
    def tells_more(state: Any, seat: int | None) -> dict[str, Any]:
        return {**GAME.view(state, seat), "top": int(state.deck[state.top])}

    game: Game = dataclasses.replace(GAME, name="broken", view=tells_more)
    with pytest.raises(LawBroken, match="does not tell its view"):
        check_setup(Setup.of(game, 4), laws=["views and observations tell the same"])


def test_a_loose_bound_breaks_its_law() -> None:
    def loose(setup: Setup) -> list[Any]:
        first, *others = GAME.fields(setup)
        return [dataclasses.replace(first, high=13), *others]

    with pytest.raises(LawBroken, match="'round' is declared with a greatest of 13, and has 12"):
        check_setup(broken(fields=loose), laws=["bounds are reached"])


def test_a_memory_with_a_hole_breaks_its_law() -> None:
    def forgets(setup: Setup, remembered: Any, view: Any) -> dict[str, Any]:
        whole = GAME.remember(setup, remembered, view)
        return {**whole, "unseen": {}}

    with pytest.raises(LawBroken, match="what seat 0 saw does not add up"):
        setup = Setup.of(dataclasses.replace(GAME, remember=forgets), 4)
        check_setup(setup, laws=["views fold into perfect recall"])


def drawn_by(draw: Callable[[dict[str, Any]], str]) -> Setup:
    """A copy of the game with another picture."""
    return Setup.of(dataclasses.replace(GAME, name="broken", draw=draw), 3)


def test_a_picture_that_shows_a_piece_too_many_breaks_its_law() -> None:
    def shows_the_best(view: dict[str, Any]) -> str:
        return document(9, 9, at(0, 0, title="tuna:15"))

    with pytest.raises(LawBroken, match="shows tuna:15, which the view does not hold"):
        for seed in range(5):
            check_setup(drawn_by(shows_the_best), laws=["pictures tell the view"], seed=seed)


def test_a_picture_that_depends_on_more_than_the_view_breaks_its_laws() -> None:
    count = itertools.count()
    setup = drawn_by(lambda view: document(9, 9, title=str(next(count))))
    with pytest.raises(LawBroken, match="depends on more than the view, or changes it"):
        check_setup(setup, laws=["pictures tell the view"])
    with pytest.raises(LawBroken, match=r"what it cannot know shows to seat . in its picture"):
        check_setup(setup, laws=["what is hidden stays hidden"])


@pytest.mark.parametrize("svg", ["<svg", "<svg/>", "<p>a fish</p>"])
def test_a_picture_that_is_none_breaks_its_law(svg: str) -> None:
    with pytest.raises(LawBroken, match=r"is no (XML|SVG)"):
        check_setup(drawn_by(lambda view: svg), laws=["pictures tell the view"])


def test_a_replay_that_tells_too_much_breaks_its_law(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, setup = SeatReplay.lines, Setup.of(GAME, 3)
    with monkeypatch.context() as seedy:
        seedy.setattr(SeatReplay, "lines", lambda own: [*lines(own), {"seed": 7}])
        with pytest.raises(LawBroken, match="holds what only the referee knows"):
            check_setup(setup, laws=["replays tell the views"])
    with monkeypatch.context() as early:
        early.setattr(Table, "replay", lambda table, seat: table.tables.replay())
        with pytest.raises(LawBroken, match="a whole replay is given out while the game goes on"):
            check_setup(setup, laws=["replays tell the views"])
    with monkeypatch.context() as another:
        of_seat = Replay.of_seat
        another.setattr(Replay, "of_seat", lambda whole, seat: of_seat(whole, (seat + 1) % 3))
        with pytest.raises(LawBroken, match=r"a seat's replay|what another seat committed"):
            check_setup(setup, laws=["replays tell the views"])
