"""Replay files, read with care: whatever does not fit is refused, and the line is named."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import miaui_env
from miaui_env.checks import is_whole
from miaui_env.engine.loops import engine_of
from miaui_env.game import Setup
from miaui_env.play.replay import (
    FORMAT,
    SEAT,
    WHOLE,
    Replay,
    ReplayError,
    SeatReplay,
    end_of,
    in_words,
)

Line = Mapping[str, Any]


def read(file: str | os.PathLike[str]) -> Replay | SeatReplay:
    """The replay in a file; a whole one has been played again to its end.

    Raises:
        ReplayError: for what is no such file, or does not fit this game; it says which line.
        OSError: if there is no such file.
    """
    lines = _lines(Path(file))
    setup = _setup(lines[0])
    if len(lines) < 2 or set(lines[-1]) != {"end"}:
        raise ReplayError(f"line {len(lines)}: the file is cut short, it does not tell the end")
    kind = lines[0].get("kind")
    if kind == WHOLE:
        return _whole(setup, lines)
    if kind == SEAT:
        return _of_seat(setup, lines)
    raise ReplayError(f"line 1: the kind is {WHOLE!r} or {SEAT!r}, not {kind!r}")


def _lines(file: Path) -> list[Line]:
    found: list[Line] = []
    for number, text in enumerate(file.read_bytes().splitlines(), 1):
        try:
            line = json.loads(text)
        except ValueError:
            line = None
        if not isinstance(line, dict):
            raise ReplayError(f"line {number}: no JSON object, but {text[:40]!r}")
        found.append(line)
    if not found:
        raise ReplayError("the file is empty")
    return found


def _setup(head: Line) -> Setup:
    """Game and table of the first line."""
    if head.get("format") != FORMAT:
        raise ReplayError(f"line 1: the format is {head.get('format')!r}, not {FORMAT!r}")
    try:
        game = miaui_env.find(str(head.get("game")))
        if head.get("game_version") != game.version:
            raise ValueError(
                f"the file is of {game.title} version {head.get('game_version')!r}, "
                f"and here is version {game.version}"
            )
        return Setup.of(game, **head["setup"])
    except (ValueError, TypeError, KeyError) as problem:
        raise ReplayError(f"line 1: {_said(problem)}") from None


def _whole(setup: Setup, lines: list[Line]) -> Replay:
    head, steps, places = lines[0], dict[int, dict[int, int | None]](), dict[tuple[int, int], int]()
    for number, line in enumerate(lines[1:-1], 2):
        step, seat, action = _action(setup, line, number)
        if step not in (len(steps), len(steps) + 1):
            raise ReplayError(f"line {number}: step {step} does not follow step {len(steps)}")
        if seat in steps.setdefault(step, {}):
            raise ReplayError(f"line {number}: seat {seat} has an action in step {step} already")
        steps[step][seat] = action
        places[step - 1, seat] = number
    replay = _checked_head(setup, head, tuple(steps.values()), lines[-1]["end"])
    _play_again(replay, places, len(lines))
    return replay


def _action(setup: Setup, line: Line, number: int) -> tuple[int, int, int | None]:
    """Step, seat and action of a line."""
    step, seat, action = line.get("step"), line.get("seat"), line.get("action")
    if not is_whole(step) or not is_whole(seat) or not (action is None or is_whole(action)):
        raise ReplayError(f"line {number}: an action has step, seat and action, not {dict(line)}")
    if problem := _misnamed(setup, action, line.get("words")):
        raise ReplayError(f"line {number}: {problem}")
    return step, seat, action


def _checked_head(setup: Setup, head: Line, steps: Any, end: Any) -> Replay:
    players = head.get("players")
    try:
        seed, episode, options = head["seed"], head["episode"], head["options"]
    except KeyError as missing:
        raise ReplayError(f"line 1: {missing} is missing") from None
    fits = is_whole(seed) and is_whole(episode) and isinstance(options, dict)
    named = players is None or (isinstance(players, list) and len(players) == setup.num_players)
    if not fits or not named:
        raise ReplayError("line 1: seed, episode, options or players are not what they should be")
    seated = None if players is None else tuple(map(str, players))
    return Replay(setup, seed, episode, steps, end, options, seated)


def _play_again(replay: Replay, places: Mapping[tuple[int, int], int], last: int) -> None:
    """Every action by the rules, and the same end."""
    end = None
    try:
        for tables in replay.play(places):
            end = end_of(tables)
    except ReplayError:
        raise
    except (ValueError, TypeError) as problem:
        raise ReplayError(f"line 1: {_said(problem)}") from None
    if end is None:
        raise ReplayError(f"line {last}: the game is not over here, so lines are missing")
    if replay.end != end:
        raise ReplayError(f"line {last}: the file ends with {replay.end}, the game with {end}")


def _of_seat(setup: Setup, lines: list[Line]) -> SeatReplay:
    seat: Any = lines[0].get("seat")
    if not is_whole(seat) or seat not in range(setup.num_players):
        raise ReplayError(f"line 1: seats are 0 to {setup.num_players - 1}, not {seat!r}")
    for number, line in enumerate(lines[1:-1], 2):
        _refuse_sight(setup, seat, line, number, last=number == len(lines) - 1)
    sights = tuple((line["view"], line["action"]) for line in lines[1:-2])
    return SeatReplay(setup, seat, sights, lines[-2]["view"], lines[-1]["end"])


def _refuse_sight(setup: Setup, seat: int, line: Line, number: int, *, last: bool) -> None:
    """A view must be one of this seat at this table, and its action a legal one."""
    view = line.get("view")
    try:
        if not isinstance(view, dict) or view.get("seat") != seat:
            raise ValueError(f"this is no view of seat {seat}")
        state = setup.from_view(view, 0)
        if setup.view(state[0], seat) != view:
            raise ValueError("no game has such a view")
        problem = None if last else _wrong_action(setup, state, seat, line)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as wrong:
        problem = _said(wrong)
    if problem:
        raise ReplayError(f"line {number}: {problem}")


def _wrong_action(setup: Setup, state: Any, seat: int, line: Line) -> str | None:
    """What is wrong with a seat's action in a state that looks as the line's view."""
    action, mask = line.get("action"), np.zeros(setup.num_actions, np.int8)
    observation = np.zeros(setup.layout.size, np.int8)
    engine_of(setup.game).look(state, 0, seat, observation, mask)
    legal = np.flatnonzero(mask).tolist()
    if not legal:
        return f"seat {seat} owes no action here"
    if action is not None and (not is_whole(action) or action not in legal):
        return f"illegal action {action} of seat {seat}; legal are {legal}"
    return _misnamed(setup, action, line.get("words"))


def _misnamed(setup: Setup, action: Any, words: Any) -> str | None:
    """Whether the words of an action say something else."""
    try:
        said = in_words(setup, action)
    except ValueError as problem:
        return str(problem)
    return None if words == said else f"action {action} is {said!r}, not {words!r}"


def _said(problem: Exception) -> str:
    return f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
