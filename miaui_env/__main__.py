"""The `miaui` command."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import miaui_env
from miaui_env.benchmark.ladder import ladder

if TYPE_CHECKING:
    from miaui_env.benchmark.result import Result
    from miaui_env.game import Game, Setup

app = typer.Typer(
    name="miaui",
    help="Hidden-information tabletop games as RL environments: look, play, compare, measure.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

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


def main() -> None:
    """Run the command line."""
    app(args=expanded(sys.argv[1:]))


def expanded(arguments: Sequence[str]) -> list[str]:
    """`--bots A B` as `--bots=A --bots=B`, which typer understands; all else stays."""
    out: list[str] = []
    among_bots = False
    for argument in arguments:
        if argument.startswith("-"):
            among_bots = argument.partition("=")[0] == "--bots"
            out += [] if argument == "--bots" else [argument]
        else:
            out.append(f"--bots={argument}" if among_bots else argument)
    return out


# --- commands -----------------------------------------------------------------------------------


@app.callback(invoke_without_command=True)
def about(
    version: Annotated[bool, typer.Option("--version", help="Say the version and stop.")] = False,
) -> None:
    """Hidden-information tabletop games: look, play, compare, measure."""
    if version:
        print(f"miaui_env {miaui_env.__version__}")
        raise typer.Exit


@app.command()
def games() -> None:
    """List the games with their seats, options and bots."""
    from miaui_env.bots import shipped_bots
    from miaui_env.bots.search import GENERAL

    console = Console()
    for name in miaui_env.games():
        game = miaui_env.find(name)
        shipped = [bot for bot in shipped_bots() if bot.startswith(f"{name}/")]
        console.print(f"\n[bold]{game.title}[/bold]  [cyan]{name}[/cyan], version {game.version}")
        order = "all choose at once" if game.simultaneous else "turn by turn"
        seats = f"{game.players[0]} to {game.players[-1]} seats"
        console.print(f"{seats} ({game.default_players} unless told otherwise), {order}")
        general = ", ".join(GENERAL)
        console.print("bots: " + ", ".join(["random", *game.bots, *shipped]), highlight=False)
        console.print(f"      {general}, or any other strength", highlight=False)
        console.print(_options_table(game))


@app.command()
def arena(
    game: GameName,
    bots: Bots,
    players: Players = None,
    deals: Annotated[int, typer.Option(help="Deals; each is played in all rotations.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = 0,
    purpose: Annotated[
        str,
        typer.Option(
            help="development, gate, measurement or confirmation: each has its own deals."
        ),
    ] = "measurement",
    workers: Annotated[int, typer.Option(help="Threads.")] = 1,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
    json_file: JsonFile = None,
) -> None:
    """Compare bots over duplicate deals: the same luck for everyone, at every seat."""
    from miaui_env.benchmark import arena_bot, play_lineup

    with polite():
        setup = _setup(game, players, option, perfect_recall)
        names = _filled(bots, setup.num_players)
        loaded = {name: arena_bot(name) for name in names}
        _check_writable(json_file)
        with _bar(deals * setup.num_players) as progress:
            result = play_lineup(
                setup,
                [loaded[name] for name in names],
                deals=deals,
                seed=seed,
                purpose=purpose,
                names=names,
                workers=workers,
                progress=progress,
            )
        _write(json_file, result.to_json())
    _show(result, Console(stderr=str(json_file) == "-"))


@app.command()
def bench(
    json_file: JsonFile = None,
    game: Annotated[str, typer.Option(help="Which game.")] = "miaui",
    repeats: Annotated[int, typer.Option(help="Measurements of each figure.")] = 5,
) -> None:
    """Measure how fast the environments are on this machine."""
    from miaui_env.benchmark.speed import measure, table

    with polite():
        _check_writable(json_file)
        report = measure(miaui_env.find(game), repeats, Console(stderr=True).print)
        _write(json_file, report)
    Console(stderr=str(json_file) == "-").print(table(report))


@app.command()
def play(
    game: GameName,
    bots: Bots = [],  # noqa: B006  # typer copies it
    players: Players = None,
    seat: Annotated[int, typer.Option(help="Where you sit, from 0.")] = 0,
    seed: Annotated[int | None, typer.Option(help="Which deal; else a fresh one.")] = None,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
) -> None:
    """Play a game yourself, against bots, in the terminal."""
    from miaui_env.benchmark import arena_bot
    from miaui_env.play.terminal import Left, TerminalGame

    seed = int.from_bytes(os.urandom(4), "little") if seed is None else seed
    console = Console(highlight=False, markup=False)
    with polite():
        setup = _setup(game, players, option, perfect_recall)
        names = _filled(bots or [_usual_bot(setup.game)], setup.num_players - 1)
        table = TerminalGame(setup, [arena_bot(name) for name in names], seat, seed)
        try:
            table.play(console.print, console.input)
        except (Left, KeyboardInterrupt, EOFError):
            console.print("\nGoodbye.")
        console.print(f"The same deal again: --seed {seed}")


@app.command()
def transcript(
    game: GameName,
    players: Players = None,
    option: Options = [],  # noqa: B006  # typer copies it
    perfect_recall: Recall = False,
    seed: Annotated[int, typer.Option(help="Which deal and which random moves.")] = 0,
    every: Annotated[int, typer.Option(help="Look at every so many decisions only.")] = 1,
) -> None:
    """Print one whole game of random moves, as all who sit there see it."""
    from miaui_env.play.transcript import transcript as told

    with polite():
        sys.stdout.write(told(_setup(game, players, option, perfect_recall), seed, every))


app.command()(ladder)


# --- inside -------------------------------------------------------------------------------------


@contextmanager
def polite() -> Iterator[None]:
    """Tell what the user got wrong in one red line, with exit code 2; leave quietly on Ctrl-C."""
    try:
        yield
    except (ValueError, OSError) as error:
        line = " ".join(str(error).split())
        Console(stderr=True, soft_wrap=True).print(line, style="red", markup=False, highlight=False)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _setup(game: str, players: int | None, options: Sequence[str], perfect_recall: bool) -> Setup:
    chosen: dict[str, Any] = {"perfect_recall": perfect_recall}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise ValueError(f"an option is NAME=VALUE, not {option!r}")
        chosen[name.strip().replace("-", "_")] = _value(value)
    return miaui_env.Setup.of(miaui_env.find(game), players, **chosen)


def _value(text: str) -> Any:
    """JSON where it is some (also True, False, None), else the text itself."""
    words = {"true": True, "false": False, "none": None}
    if text.strip().lower() in words:
        return words[text.strip().lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text


def _filled(bots: Sequence[str], seats: int) -> list[str]:
    """One name a seat; the last one fills the rest."""
    if not 1 <= len(bots) <= seats:
        raise ValueError(f"{seats} seats take 1 to {seats} bots, not {len(bots)}")
    return [*bots, *[bots[-1]] * (seats - len(bots))]


def _usual_bot(game: Game) -> str:
    return "greedy" if "greedy" in game.bots else "random"


def _check_writable(file: Path | None) -> None:
    """Rather now than after an hour of play."""
    if file is not None and str(file) != "-" and (file.is_dir() or not file.parent.is_dir()):
        raise ValueError(f"cannot write {file}: its folder does not exist, or it is one itself")


def _write(file: Path | None, data: dict[str, Any]) -> None:
    text = json.dumps(data, indent=2) + "\n"
    if str(file) == "-":
        sys.stdout.write(text)
    elif file is not None:
        draft = file.with_name(f"{file.name}.{os.getpid()}.tmp")
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)


@contextmanager
def _bar(total: int) -> Iterator[Any]:
    """A progress bar on stderr, none where that is no terminal; yields what to tell of games."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = ("games", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("games", total=total)
        yield lambda games: progress.advance(task, games)


def _show(result: Result, console: Console) -> None:
    """The result as a table."""
    table = Table(title=f"{result.game}, {result.rotations} seats", title_justify="left")
    for column in ("bot", "win share [95 %]", "points [95 %]", "games", "forfeits"):
        table.add_column(escape(column), justify="left" if column == "bot" else "right")
    for bot in result.bots:
        figures = (bot.win_share.words(3), bot.points.words(1))
        row = (bot.name, *figures, str(bot.games), str(bot.forfeits))
        table.add_row(*map(escape, row))
    console.print(table, highlight=False)
    counts = result.counts
    console.print(
        f"{result.deals} deals × {result.rotations} rotations: {counts.requested} games requested, "
        f"{counts.finished} finished, {counts.forfeited} forfeited, {counts.failed} failed; "
        f"equal share {result.equal_share:.3f}; {result.seconds:.1f} s",
        highlight=False,
    )
    for name, error in result.errors.items():
        console.print(f"{name}: {error}", style="red", markup=False, highlight=False)


def _options_table(game: Game) -> Table:
    table = Table("option", "default", "meaning", box=None, padding=(0, 2))
    meanings = option_meanings(game.options)
    for option in dataclasses.fields(game.options):
        table.add_row(option.name, str(option.default), meanings.get(option.name, ""))
    recall = "views hold all that a player who forgets nothing has seen."
    table.add_row("perfect_recall", "False", recall)
    return table


def option_meanings(options: type) -> dict[str, str]:
    """Name → meaning, from the `Attributes:` of the dataclass's docstring."""
    _, _, listed = (inspect.getdoc(options) or "").partition("Attributes:\n")
    items = re.findall(r"^    (\w+): (.*(?:\n     .*)*)", listed, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in items}


if __name__ == "__main__":
    main()
