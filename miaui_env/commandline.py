"""What all commands share: their arguments, how they complain, and where their results go."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from miaui_env.engine import choices
from miaui_env.files import write_text

if TYPE_CHECKING:
    from miaui_env.game import Setup

GameName = Annotated[str, typer.Argument(help="Name of a game, see `miaui games`.", metavar="GAME")]
Bots = Annotated[
    list[str],
    typer.Option(
        "--bots",
        metavar="A B …",
        help="Bots, several after one flag: random, a game's own, search:400, a shipped one, or "
        "a folder; NAME~0.1 makes every tenth move at random. The last one fills all seats left.",
    ),
]
Players = Annotated[int | None, typer.Option(help="Seats; else as many as the game has by itself.")]
Options = Annotated[
    list[str],
    typer.Option("--option", metavar="NAME=VALUE", help="Of the game; repeatable."),
]
Recall = Annotated[bool, typer.Option("--perfect-recall", help="Views forget nothing.")]
JsonFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the result there; - is stdout.")
]


class OneLine(TyperGroup):
    """Commands that tell a mistyped line in one line, too."""

    def main(  # type: ignore[override]  # the rest is handed on as it came
        self, args: Any = None, *, standalone_mode: bool = True, **more: Any
    ) -> Any:
        """As typer's, but for what is said of a mistake."""
        try:
            code = super().main(args, standalone_mode=False, **more)
        except Exception as error:
            if not standalone_mode or not hasattr(error, "format_message"):
                raise
            if type(error).__name__ == "NoArgsIsHelpError":
                error.show()  # type: ignore[attr-defined]  # only errors of the command line do
            else:
                complain(_mistyped(error))
            sys.exit(2)
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


def _mistyped(error: Any) -> str:
    """What was wrong, and what was perhaps meant."""
    near = difflib.get_close_matches(
        getattr(error, "option_name", ""), getattr(error, "possibilities", None) or [], 1
    )
    if near:
        return f"no option {error.option_name!r} (did you mean {near[0]!r}?)"
    return str(error.format_message())


def complain(problem: str) -> None:
    """One red line on stderr."""
    line = " ".join(problem.split())
    Console(stderr=True, soft_wrap=True).print(line, style="red", markup=False, highlight=False)


@contextmanager
def polite() -> Iterator[None]:
    """Tell what the user got wrong in one red line, with exit code 2; leave quietly on Ctrl-C."""
    try:
        yield
    except (ValueError, OSError, ImportError) as error:  # an extra may be missing
        complain(str(error))
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def setup_of(game: str, players: int | None, options: Sequence[str], perfect_recall: bool) -> Setup:
    """The table that a line asks for; ValueError for what is no option or no value of one."""
    chosen: dict[str, Any] = {"perfect_recall": perfect_recall}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise ValueError(f"an option is NAME=VALUE, not {option!r}")
        chosen[name.strip().replace("-", "_")] = _value(value)
    if "num_players" in chosen:
        raise ValueError(f"say --players {chosen['num_players']}, not --option num_players=…")
    return choices.setup_of(game, players, **chosen)


def _value(text: str) -> Any:
    """JSON where it is some (also True, False, None), else the text itself."""
    words = {"true": True, "false": False, "none": None}
    if text.strip().lower() in words:
        return words[text.strip().lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text


def filled(bots: Sequence[str], seats: int) -> list[str]:
    """One name a seat; the last one fills the rest."""
    if not 1 <= len(bots) <= seats:
        raise ValueError(f"{seats} seats take 1 to {seats} bots, not {len(bots)}")
    return [*bots, *[bots[-1]] * (seats - len(bots))]


def check_writable(file: Path | None) -> None:
    """Rather now than after an hour of play; ValueError says why a file cannot be written."""
    if file is None or str(file) == "-":
        return
    if file.is_dir():
        raise ValueError(f"cannot write {file}: it is a folder")
    if not file.parent.is_dir():
        raise ValueError(f"cannot write {file}: there is no folder {file.parent}")
    if not os.access(file.parent, os.W_OK):
        raise ValueError(f"cannot write {file}: its folder {file.parent} is read-only")


def write_json(file: Path | None, data: dict[str, Any]) -> None:
    """The result, whole or not at all; to stdout for `-`, nowhere for None."""
    text = json.dumps(data, indent=2) + "\n"
    if str(file) == "-":
        sys.stdout.write(text)
    elif file is not None:
        write_text(file, text)


@contextmanager
def bar(total: int, what: str = "games") -> Iterator[Any]:
    """A progress bar on stderr, none where that is no terminal; yields what to tell of games."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda games: progress.advance(task, games)
