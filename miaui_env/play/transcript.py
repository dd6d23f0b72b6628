"""One whole game of random moves, as text to read and to compare.

Before each decision the table stands as the referee sees it, then as one seat does, in words and
as its observation; the seats take turns at being looked over the shoulder. Where all choose at once
they commit one by one, and the seat is looked at when its turn comes: what others have committed
must not show. At the end all seats tell what they see.
"""

from __future__ import annotations

import itertools
import json
import shlex
import textwrap
from collections.abc import Iterator, Sequence

import numpy as np

from miaui_env.engine.layout import Field
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup

WIDTH = 100


def transcript(setup: Setup, seed: int = 0, every: int = 1) -> str:
    """The game that random moves make of the deal with this seed, to the end.

    Args:
        setup: the table.
        seed: of the deal and of the moves.
        every: look at the table before every so many decisions; moves are told all the same.
    """
    if every < 1:
        raise ValueError(f"every is 1 or more, not {every}")
    return "\n".join([*_head(setup, seed, every), *_game(setup, seed, every), ""])


def command(setup: Setup, seed: int, every: int = 1) -> str:
    """The command line that prints this transcript."""
    words = ["miaui", "transcript", setup.game.name, "--players", str(setup.num_players)]
    for name, value in _chosen(setup).items():
        words += ["--option", f"{name}={json.dumps(value, separators=(',', ':'))}"]
    words += ["--perfect-recall"] * setup.perfect_recall
    words += ["--every", str(every)] if every > 1 else []
    return shlex.join([*words, "--seed", str(seed)])


def _chosen(setup: Setup) -> dict[str, object]:
    """The game's options that differ from their defaults."""
    usual, chosen = Setup.of(setup.game).description, setup.description
    own = [name for name in chosen if name not in ("num_players", "perfect_recall")]
    return {name: chosen[name] for name in own if chosen[name] != usual[name]}


def _head(setup: Setup, seed: int, every: int) -> list[str]:
    game, layout = setup.game, setup.layout
    order = "all choose at once" if game.simultaneous else "turn by turn"
    told = "all that they have ever seen" if setup.perfect_recall else "what the table shows"
    return [
        f"$ {command(setup, seed, every)}",
        "",
        f"{game.title}, version {game.version}: {setup.num_players} seats, {order}, "
        f"{setup.num_actions} actions, random moves.",
        f"Seats are told {told}, in {layout.size} numbers and {len(layout.fields)} fields;",
        "fields that are all 0, and zeros at the end of a row, are not drawn here.",
    ]


# --- the game -----------------------------------------------------------------------------------


def _game(setup: Setup, seed: int, every: int) -> Iterator[str]:
    tables = Tables(setup, 1, seed=seed, auto_reset=False)
    tables.reset()
    for decision in itertools.count():
        deciding = np.flatnonzero(tables.to_act[0]).tolist()
        if not deciding:
            break
        looks, rest = divmod(decision, every)
        if rest == 0:
            yield from _title(f"Decision {decision + 1}")
            yield from _referee(tables)
        yield from _commitments(tables, deciding, None if rest else deciding[looks % len(deciding)])
    yield from _title("The end")
    yield from _referee(tables)
    for seat in range(setup.num_players):
        yield from _shoulder(tables, seat)
    yield from _result(tables)


def _title(words: str) -> list[str]:
    return ["", "", f"--- {words} ".ljust(WIDTH, "-")]


def _referee(tables: Tables) -> list[str]:
    return ["", "The referee sees", _indented(tables.setup.game.words(tables.view(0, None)))]


def _commitments(tables: Tables, deciding: list[int], watched: int | None) -> Iterator[str]:
    """Each seat that decides acts in turn; one of them is looked at before it does."""
    moves = []
    for seat in deciding:
        if seat == watched:
            yield from _shoulder(tables, seat)
            yield ""
        actions = np.where(np.arange(tables.setup.num_players) == seat, tables.random_actions(), -1)
        action = int(actions[0, seat])
        moves.append(f"seat {seat}: {tables.setup.say(action)} ({action})")
        tables.step(actions)
    yield from _packed("Moves", moves)


def _shoulder(tables: Tables, seat: int) -> Iterator[str]:
    """What one seat sees, in words and as it is observed, and what it may do."""
    observation, mask = tables.observe(0, seat)
    yield from ("", f"Seat {seat} sees", _indented(tables.setup.game.words(tables.view(0, seat))))
    yield ""
    yield from _observed(tables.setup, observation)
    if mask.any():
        yield f"  legal    {_ranges(np.flatnonzero(mask).tolist())}"


def _result(tables: Tables) -> Iterator[str]:
    yield ""
    for name, numbers in (
        ("points", [str(points) for points in tables.final_points[0]]),
        ("win shares", [f"{share:.3g}" for share in tables.win_shares[0]]),
        ("rewards", [f"{reward:+.3g}" for reward in tables.rewards[0]]),
    ):
        told = ", ".join(f"seat {seat} {number}" for seat, number in enumerate(numbers))
        yield f"{name.capitalize():11} {told}"


# --- an observation, drawn compactly ------------------------------------------------------------


def _observed(setup: Setup, observation: np.ndarray) -> list[str]:
    """Each field that is not all 0, by name."""
    pieces = []
    for field in setup.layout.fields:
        part = setup.layout.read(observation, field.name)
        if part.any():
            pieces.append(f"{field.name} {_drawn(field, part)}")
    return _packed("  observed", pieces)


def _drawn(field: Field, part: np.ndarray) -> str:
    """A row of flags as digits, a row of numbers apart; zeros at the end are left out."""
    if part.ndim > 1:
        rows = [_drawn(field, row) if row.any() else "-" for row in part]
        while rows and rows[-1] == "-":
            rows.pop()
        return (" | " if part.ndim == 2 else " || ").join(rows)
    if (field.low, field.high) == (0, 1):
        return "".join(map(str, part))
    numbers = [str(number) for number in part]
    while numbers and numbers[-1] == "0":
        numbers.pop()
    return " ".join(numbers)


def _ranges(numbers: list[int]) -> str:
    """`0-3 5 7-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


# --- lines --------------------------------------------------------------------------------------


def _packed(head: str, pieces: Sequence[str]) -> list[str]:
    """Pieces side by side, as many to a line as there is room for."""
    lines, line = [], head
    for piece in pieces:
        for part in textwrap.wrap(piece, WIDTH - len(head) - 2, break_on_hyphens=False):
            if len(line) + 2 + len(part) > WIDTH:
                lines.append(line)
                line = " " * len(head)
            line += f"  {part}"
    return [*lines, line]


def _indented(text: str) -> str:
    """The text two to the right; a long line goes on below, further in."""
    lines = []
    for line in text.splitlines():
        margin = " " * (len(line) - len(line.lstrip()) + 2)
        lines += textwrap.wrap(
            line.strip(),
            WIDTH,
            initial_indent=margin,
            subsequent_indent=margin + "  ",
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)
