"""Replays: written, read, played again; and whatever does not fit is refused with its line."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import miaui_env
from miaui_env import Setup
from miaui_env.adapters.aec import AEC
from miaui_env.adapters.gym import SeatEnv
from miaui_env.adapters.parallel import Parallel
from miaui_env.benchmark import play_lineup
from miaui_env.bots import Bot
from miaui_env.games.miaui.pieces import FULL_BOX
from miaui_env.play.reading import read
from miaui_env.play.replay import Replay, ReplayError, SeatReplay
from miaui_env.testing.copies import WAYS
from tests.adapters import coins
from tests.adapters.play import Laid, label, some_tables

TABLES = some_tables()


@pytest.fixture(autouse=True)
def coins_are_known() -> Iterator[None]:
    miaui_env.register(coins.GAME)
    yield
    miaui_env.registry._EXTRA.pop("coins", None)


def played(env: AEC, moves: int = 10_000) -> AEC:
    """By random moves; `env` has been reset."""
    while env.agents and not env.table.is_over and moves:
        seat = env.table.deciders()[0]
        env.step(int(env.table.tables.random_actions()[0, seat]))
        moves -= 1
    return env


def finished(game: Any = "miaui", seed: int = 5, **options: Any) -> AEC:
    env = AEC(game, **options)
    env.reset(seed=seed)
    return played(env)


# --- there and back -------------------------------------------------------------------------------


@pytest.mark.parametrize("laid", TABLES, ids=label)
def test_a_replay_comes_back_as_it_was(laid: Laid, tmp_path: Path) -> None:
    game, options = laid
    env = finished(game, **options)
    whole, own = env.replay(), env.replay("player_1")
    assert isinstance(whole, Replay) and isinstance(own, SeatReplay)
    for name, replay in (("whole", whole), ("own", own)):
        replay.save(tmp_path / name)
        assert read(tmp_path / name) == replay
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own", "whole"]
    assert whole.of_seat(1) == own
    moments = [*whole.moments()]
    assert moments[-1].view == env.view(None) and not moments[-1].moves
    assert [*own.moments()][-1].view == env.view("player_1")


def test_a_round_of_commitments_is_one_moment() -> None:
    replay = finished("miaui", num_players=3).replay()
    moments = [*replay.moments()]
    assert len(moments) == 13 and {len(moment.moves) for moment in moments[:-1]} == {3}
    assert moments[0].moves[0].startswith("seat 0: dive ")
    turns = finished(coins.GAME, num_players=4).replay()
    assert len([*turns.moments()]) > 3


def test_every_interface_keeps_the_same_game(tmp_path: Path) -> None:
    aec = finished("miaui", num_players=3)
    parallel = Parallel("miaui", 3)
    parallel.reset(seed=5)
    while parallel.agents:
        row = parallel.table.tables.random_actions()[0].tolist()
        parallel.step(dict(zip(parallel.agents, row, strict=True)))
    one, other = aec.replay(), parallel.replay()
    assert isinstance(one, Replay) and isinstance(other, Replay)
    assert one.end == other.end and len(one.steps) == 3 * len(other.steps) == 36
    assert [m.view for m in one.moments()] == [m.view for m in other.moments()]
    seat = SeatEnv("miaui", 3, opponents="greedy", seat=2)
    _, info = seat.reset(seed=5)
    over = False
    while not over:
        _, _, over, _, info = seat.step(int(info["action_mask"].argmax()))
    seat.save_replay(tmp_path / "game")
    again = read(tmp_path / "game")
    assert again == seat.replay() and again.end is not None
    assert again.end["points"][2] == info["points"]
    assert seat.replay(2) == again.of_seat(2)  # type: ignore[union-attr]


def test_later_episodes_and_stacked_decks_are_kept(tmp_path: Path) -> None:
    env = AEC("miaui")
    env.reset(seed=2**64 - 1)
    deck = list(reversed(FULL_BOX))
    env.reset(options={"deck": iter(deck), "kiti": np.int64(2)})
    replay = played(env).replay()
    assert isinstance(replay, Replay) and replay.options == {"deck": deck, "kiti": 2}
    assert (replay.seed, replay.episode) == (2**64 - 1, 1)
    env.save_replay(tmp_path / "stacked")
    assert read(tmp_path / "stacked") == replay
    env.reset()
    later = played(env).replay()
    assert isinstance(later, Replay) and later.options == {} and later.episode == 2
    assert [*later.moments()][-1].view == env.view(None)


def test_replaced_and_forfeited_actions_are_kept_as_they_were_played(tmp_path: Path) -> None:
    env = AEC("miaui", illegal="replace")
    env.reset(seed=1)
    for _ in range(48):
        env.step(0)
    env.save_replay(tmp_path / "replaced")
    assert read(tmp_path / "replaced").end == env.replay().end
    env = AEC("miaui", illegal="forfeit")
    env.reset(seed=1)
    for action in (0, 1, 2, 3, 99):
        env.step(action)
    replay = env.replay()
    assert replay.end is not None and replay.end["forfeit"] == 0
    assert [*replay.lines()][-2]["words"] == "forfeits"
    for agent in (None, "player_0", "player_1"):
        env.save_replay(tmp_path / "forfeit", agent)
        assert read(tmp_path / "forfeit") == env.replay(agent)


@pytest.mark.parametrize("way", [*WAYS, "after the end"])
def test_copies_keep_the_past(way: str) -> None:
    env = AEC("miaui", 3)
    env.reset(seed=4, options={"kiti": 1})
    copied = WAYS[way](played(env, 10)) if way in WAYS else copy.deepcopy(played(env))
    assert played(copied).replay() == played(env).replay()


# --- what a seat may keep -------------------------------------------------------------------------


def test_a_seats_replay_holds_no_seed_and_can_be_had_at_any_time(tmp_path: Path) -> None:
    env = AEC("miaui", 3)
    env.reset(seed=123456789, options={"kiti": 1})
    played(env, 7)
    with pytest.raises(ValueError, match="a whole replay holds its seed: ask at the end"):
        env.replay()
    env.save_replay(tmp_path / "own", "player_2")
    text = (tmp_path / "own").read_text()
    assert "123456789" not in text and "episode" not in text and "options" not in text
    own = read(tmp_path / "own")
    assert isinstance(own, SeatReplay) and own.end is None and len(own.sights) == 2
    assert own.result() == "The game goes on."
    views = [json.loads(line).get("view") for line in text.splitlines()]
    assert [view["seat"] for view in views if view] == [2, 2, 2]


def test_there_is_none_of_a_state_put_in_midway_or_of_no_game() -> None:
    env = AEC("miaui")
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.replay("player_0")
    env.reset(seed=0)
    env.table.tables.set_state(env.table.tables.get_state())
    with pytest.raises(ValueError, match="put in midway"):
        env.replay("player_0")
    with pytest.raises(ValueError, match="no agent 'player_9'"):
        env.replay("player_9")
    with pytest.raises(ValueError, match="seats are 0 to 3, not 7"):
        finished().replay().of_seat(7)  # type: ignore[union-attr]


# --- what does not fit ----------------------------------------------------------------------------


def lines_of(env: AEC, agent: str | None = None) -> list[Any]:
    return copy.deepcopy([*env.replay(agent).lines()])


def refused(tmp_path: Path, lines: list[Any]) -> str:
    file = tmp_path / "bad.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts))
    with pytest.raises(ReplayError) as said:
        read(file)
    return str(said.value)


WRONG: list[tuple[int | None, dict[str, Any] | str, str]] = [
    (0, "{}", "line 1: the format is None, not 'miaui_env.replay/1'"),
    (0, {"format": "miaui_env.replay/9"}, "line 1: the format is 'miaui_env.replay/9', not"),
    (0, {"game": "mioui"}, "line 1: no game 'mioui' (did you mean 'miaui'?)"),
    (0, {"game_version": 7}, "line 1: the file is of Miaui version 7, and here is version 0"),
    (0, {"kind": "rumour"}, "line 1: the kind is 'whole' or 'seat', not 'rumour'"),
    (0, {"setup": {"num_players": 9}}, "line 1: Miaui takes 2 to 6 players, not 9"),
    (0, {"setup": {"wings": 1}}, "line 1: Miaui has no option 'wings'"),
    (0, {"setup": None}, "line 1: "),
    (0, {"seed": "five"}, "line 1: seed, episode, options or players are not what they should be"),
    (0, {"players": ["one"]}, "line 1: seed, episode, options or players"),
    (0, {"options": {"deck": ["tuna:12"]}}, "line 1: deck holds 1 cards, but the game has 37"),
    (4, "not JSON", "line 5: no JSON object, but b'not JSON'"),
    (4, "[1]", "line 5: no JSON object"),
    (4, {"seat": None}, "line 5: an action has step, seat and action"),
    (4, {"action": True}, "line 5: an action has step, seat and action"),
    (4, {"step": 9}, "line 5: step 9 does not follow step 3"),
    (4, {"seat": 2, "step": 3}, "line 5: seat 2 has an action in step 3 already"),
    (4, {"seat": 8}, "line 5: seat 8 owes no action here"),
    (4, {"seat": 1}, "line 5: seat 1 owes no action here"),
    (4, {"action": 99}, "line 5: actions are 0 to 11, not 99"),
    (4, {"words": "dive 13"}, "line 5: action "),
    (-1, {"end": None}, "the file ends with None, the game with {'points'"),
    (-1, {"end": {"points": [0, 0, 0, 0]}}, "line 50: the file ends with"),
]


@pytest.mark.parametrize(("at", "change", "complaint"), WRONG, ids=lambda x: str(x)[:40])
def test_a_line_that_does_not_fit_is_named(
    at: int, change: Any, complaint: str, tmp_path: Path
) -> None:
    lines = lines_of(finished())
    lines[at] = change if isinstance(change, str) else {**lines[at], **change}
    assert complaint in refused(tmp_path, lines)


def test_an_illegal_action_is_named_with_its_line(tmp_path: Path) -> None:
    lines = lines_of(finished())
    lines[5] = {**lines[5], "action": lines[1]["action"], "words": lines[1]["words"]}
    said = refused(tmp_path, lines)
    assert said.startswith(f"line 6: illegal action {lines[1]['action']} of seat 0; legal are [")


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    lines = lines_of(finished())
    for number in (1, 2, 20, 49):
        assert f"line {number}: the file is cut short" in refused(tmp_path, lines[:number])
    assert "line 46: the game is not over here" in refused(tmp_path, [*lines[:45], lines[-1]])
    assert refused(tmp_path, []) == "the file is empty"
    assert "line 1: no JSON object" in refused(tmp_path, ["\x00\x01"])


def test_a_seats_file_is_checked_too(tmp_path: Path) -> None:
    env = finished()
    for at, change, complaint in (
        (0, {"seat": 7}, "line 1: seats are 0 to 3, not 7"),
        (1, {"view": None}, "line 2: this is no view of seat 2"),
        (1, {"view": env.view("player_1")}, "line 2: this is no view of seat 2"),
        (1, {"view": {"seat": 2}}, "line 2: "),
        (2, {"action": 40}, "line 3: illegal action 40 of seat 2; legal are ["),
        (2, {"words": "dive"}, "line 3: action "),
        (-1, {"more": 1}, "line 15: the file is cut short"),
    ):
        lines = lines_of(env, "player_2")
        lines[at] = {**lines[at], **change}
        assert complaint in refused(tmp_path, lines)


# --- the arena ------------------------------------------------------------------------------------


class Faulty(Bot):
    """Crashes in the third round of games in which it begins badly."""

    name = "faulty"

    def act(self, observations: Any, action_masks: Any, keys: Any, memory: Any = None) -> Any:
        """The highest card, but for that."""
        if len(observations) == 1 and action_masks.sum() == 10 and int(keys[0]) % 2:
            raise RuntimeError("crash")
        if action_masks.sum() // len(action_masks) == 10:
            raise RuntimeError("one by one")
        return np.array([np.flatnonzero(mask)[-1] for mask in action_masks])


def test_the_arena_keeps_each_game(tmp_path: Path) -> None:
    bots = [Faulty(), miaui_env.load_bot("greedy"), miaui_env.load_bot("random")]
    setup = Setup.of(miaui_env.find("miaui"), 3)
    result = play_lineup(setup, bots, deals=4, seed=2, replays=tmp_path)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files[:2]] == [
        "deal-00000-seating-0.jsonl",
        "deal-00000-seating-1.jsonl",
    ]
    games = [read(file) for file in files]
    assert len(games) == 4 * 6 and all(isinstance(game, Replay) for game in games)
    ends = [game.end for game in games if game.end]
    assert sum(end["forfeit"] is not None for end in ends) == result.counts.forfeited > 0
    for game in games[:3]:
        assert isinstance(game, Replay) and sorted(game.players or ()) == sorted(
            ["faulty", "greedy", "random"]
        )
    assert len({game.seed for game in games if isinstance(game, Replay)}) == 4
    assert result == play_lineup(setup, bots, deals=4, seed=2)


def test_a_replay_is_plain_data() -> None:
    replay = finished().replay()
    assert pickle.loads(pickle.dumps(replay)) == replay
