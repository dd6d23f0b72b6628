"""Replays: a game kept as a small text file, and played again.

A file has one JSON object a line. The first says what it is: `format`, `kind`, game, version and
setup.

- `"kind": "whole"`, the referee's: the first line also has `seed`, `episode`, the reset `options`
  and perhaps `players` by seat; then comes a line an action, `{"step", "seat", "action", "words"}`,
  where actions of one step were committed together and `"action": null` forfeits; then `{"end": …}`
  with everybody's points and win shares. It is played again by the rules, every action checked.
- `"kind": "seat"`, what one seat may keep: its views and actions, `{"view", "action", "words"}`,
  the last view, and `{"end": …}` with its own result, null while the game goes on. It holds neither
  seed nor key, so that it can be shown to that player at any time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from miaui_env.engine.tables import Tables
from miaui_env.files import write_text
from miaui_env.game import Setup, View

FORMAT = "miaui_env.replay/1"
"""Name and version; the version moves when a line changes its meaning or goes."""
WHOLE, SEAT = "whole", "seat"
FORFEITS = "forfeits"
WAITS, FORFEIT = -1, -2

Actions = Mapping[int, int | None]
"""Seat → action of one step; None forfeits."""


class ReplayError(ValueError):
    """A replay that cannot be played again; says in which line, and why."""


@dataclass(frozen=True)
class Moment:
    """One look at the table.

    Attributes:
        view: what is seen.
        moves: what was done then, in words; empty at the end.
    """

    view: View
    moves: tuple[str, ...] = ()


# --- the whole game -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Replay:
    """A whole game, as the referee knows it.

    Attributes:
        setup: the table.
        seed, episode: which deal.
        steps: what was played, step by step.
        end: points, win shares and who forfeited, by seat; None while the game goes on.
        options: how the deal was stacked.
        players: who sat at each seat, if that is known.
    """

    setup: Setup
    seed: int
    episode: int
    steps: tuple[Actions, ...]
    end: Mapping[str, Any] | None
    options: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[str, ...] | None = None

    @classmethod
    def of_rows(
        cls,
        setup: Setup,
        seed: int,
        episode: int,
        rows: Iterable[np.ndarray],
        end: Mapping[str, Any] | None,
        **more: Any,
    ) -> Replay:
        """From the integers `(seats,)` of each step: -1 for who waits, -2 for who forfeits."""
        return cls(setup, seed, episode, tuple(filter(None, map(_actions, rows))), end, **more)

    def play(self, lines: Mapping[tuple[int, int], int] | None = None) -> Iterator[Tables]:
        """The table before each step, and at the end. `lines` are those of (step, seat) in a file.

        Raises:
            ReplayError: at the first action that is not legal.
        """
        tables = Tables(self.setup, 1, seed=self.seed, illegal="forfeit", auto_reset=False)
        tables.episodes[:] = self.episode - 1
        tables.reset(options=self.options)
        for number, step in enumerate(self.steps):
            for seat, action in step.items():
                if problem := _problem(tables, seat, action):
                    line = f"line {lines[number, seat]}" if lines else f"step {number + 1}"
                    raise ReplayError(f"{line}: {problem}")
            yield tables
            tables.step(_row(step, self.setup.num_players))
        yield tables

    def moments(self) -> Iterator[Moment]:
        """The referee's views: where a choice begins (not between commitments), and the end."""
        view, moves, expected = None, list[str](), frozenset[int]()
        for tables, step in zip(self.play(), [*self.steps, {}], strict=True):
            owing = frozenset(np.flatnonzero(tables.to_act[0]).tolist())
            if view is None or owing != expected or not owing:
                if view is not None:
                    yield Moment(view, tuple(moves))
                view, moves = tables.view(0, None), []
            moves += [f"{self._name(seat)}: {in_words(self.setup, a)}" for seat, a in step.items()]
            expected = owing - set(step)
        if view is not None:
            yield Moment(view, tuple(moves))

    def of_seat(self, seat: int) -> SeatReplay:
        """What one seat saw when it owed an action, what it did, and what it sees last."""
        if seat not in range(self.setup.num_players):
            raise ValueError(f"seats are 0 to {self.setup.num_players - 1}, not {seat}")
        sights, last = list[tuple[View, int | None]](), None
        for tables, step in zip(self.play(), [*self.steps, {}], strict=True):
            last = tables.view(0, seat)
            if seat in step:
                sights.append((last, step[seat]))
        assert last is not None
        return SeatReplay(self.setup, seat, tuple(sights), last, _own(self.end, seat))

    def lines(self) -> Iterator[dict[str, Any]]:
        """The file's lines."""
        yield {
            **_head(self.setup, WHOLE),
            "seed": self.seed,
            "episode": self.episode,
            "options": dict(self.options),
            "players": None if self.players is None else list(self.players),
        }
        for number, step in enumerate(self.steps, 1):
            for seat, action in step.items():
                yield {"step": number, "seat": seat, **_told(self.setup, action)}
        yield {"end": None if self.end is None else dict(self.end)}

    def result(self) -> str:
        """Everybody's points and share of the win."""
        if self.end is None:
            return "The game goes on."
        points = ", ".join(f"{self._name(s)} {p}" for s, p in enumerate(self.end["points"]))
        shares = ", ".join(f"{share:.3g}" for share in self.end["win_shares"])
        return f"{_fault(self.end)}Points: {points}; shares of the win: {shares}"

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the file."""
        _write(file, self.lines())

    def _name(self, seat: int) -> str:
        return f"seat {seat}" + (f" ({self.players[seat]})" if self.players else "")


def end_of(tables: Tables, table: int = 0) -> dict[str, Any] | None:
    """How a game ended, by seat; None if it has not."""
    if not tables.terminated[table]:
        return None
    fault = int(tables.forfeiters[table])
    return {
        "points": tables.final_points[table].tolist(),
        "win_shares": tables.win_shares[table].tolist(),
        "forfeit": fault if fault >= 0 else None,
    }


# --- what one seat saw --------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatReplay:
    """A game as one seat saw it, which holds nothing that this seat may not know.

    Attributes:
        setup: the table.
        seat: whose.
        sights: its view at each of its decisions, and what it did (None: it forfeited).
        last: what it sees last.
        end: its points and win share, and who forfeited; None while the game goes on.
    """

    setup: Setup
    seat: int
    sights: tuple[tuple[View, int | None], ...]
    last: View
    end: Mapping[str, Any] | None

    def moments(self) -> Iterator[Moment]:
        """Its views."""
        for view, action in self.sights:
            yield Moment(view, (f"you: {in_words(self.setup, action)}",))
        yield Moment(self.last)

    def lines(self) -> Iterator[dict[str, Any]]:
        """The file's lines."""
        yield {**_head(self.setup, SEAT), "seat": self.seat}
        for view, action in self.sights:
            yield {"view": view, **_told(self.setup, action)}
        yield {"view": self.last}
        yield {"end": None if self.end is None else dict(self.end)}

    def result(self) -> str:
        """Its own points and share of the win."""
        if self.end is None:
            return "The game goes on."
        points, share = self.end["points"], self.end["win_share"]
        return f"{_fault(self.end)}You have {points} points; share of the win: {share:.3g}"

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the file."""
        _write(file, self.lines())


def _fault(end: Mapping[str, Any]) -> str:
    return "" if end["forfeit"] is None else f"Seat {end['forfeit']} forfeited. "


def _own(end: Mapping[str, Any] | None, seat: int) -> dict[str, Any] | None:
    """The part of a result that a seat is told, as in its info."""
    if end is None:
        return None
    own = {"points": end["points"][seat], "win_share": end["win_shares"][seat]}
    return {**own, "forfeit": end["forfeit"]}


# --- inside -------------------------------------------------------------------------------------


def _head(setup: Setup, kind: str) -> dict[str, Any]:
    game = {"game": setup.game.name, "game_version": setup.game.version}
    return {"format": FORMAT, "kind": kind, **game, "setup": setup.description}


def _told(setup: Setup, action: int | None) -> dict[str, Any]:
    return {"action": action, "words": in_words(setup, action)}


def in_words(setup: Setup, action: int | None) -> str:
    """An action as replays say it; None forfeits."""
    return FORFEITS if action is None else setup.say(action)


def _actions(row: np.ndarray) -> Actions:
    """What was played; one forfeit undoes the rest of its step."""
    faults = np.flatnonzero(row == FORFEIT)
    if len(faults):
        return {int(faults[0]): None}
    return {seat: action for seat, action in enumerate(row.tolist()) if action != WAITS}


def _row(step: Actions, seats: int) -> np.ndarray:
    row = np.full((1, seats), WAITS, np.int16)
    for seat, action in step.items():
        row[0, seat] = FORFEIT if action is None else action
    return row


def _problem(tables: Tables, seat: int, action: int | None) -> str | None:
    """Why the seat may not do this now."""
    if seat not in range(tables.setup.num_players) or not tables.to_act[0, seat]:
        return f"seat {seat} owes no action here"
    legal: Sequence[int] = np.flatnonzero(tables.observe(0, seat)[1]).tolist()
    if action is None or action in legal:
        return None
    return f"illegal action {action} of seat {seat}; legal are {legal}"


def _write(file: str | os.PathLike[str], lines: Iterable[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_text(Path(file), text)
