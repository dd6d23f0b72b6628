"""The `miaui` command."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

import miaui_env
from miaui_env.benchmark.commands import arena, gate, report, tournament
from miaui_env.benchmark.exact_commands import exact, exploit
from miaui_env.benchmark.ladder import ladder
from miaui_env.benchmark.results_commands import benchmark, solve
from miaui_env.benchmark.speed_commands import bench
from miaui_env.commandline import (
    Bots,
    GameName,
    OneLine,
    Options,
    Players,
    Recall,
    check_writable,
    filled,
    polite,
    setup_of,
)

if TYPE_CHECKING:
    from miaui_env.game import Game

app = typer.Typer(
    name="miaui",
    cls=OneLine,
    help="Hidden-information tabletop games as RL environments: look, play, compare, measure.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line."""
    app(args=expanded(sys.argv[1:]))


MANY = ("--bots", "--algo-results")
"""Options that several words may follow."""


def expanded(arguments: Sequence[str]) -> list[str]:
    """`--bots A B` as `--bots=A --bots=B`, which typer understands; all else stays."""
    out: list[str] = []
    among = ""
    for argument in arguments:
        if argument.startswith("-"):
            name = argument.partition("=")[0]
            among = name if name in MANY else ""
            out += [] if argument in MANY else [argument]
        else:
            out.append(f"{among}={argument}" if among else argument)
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
        if game.configurations:
            console.print("small enough to solve: " + ", ".join(game.configurations))
        console.print(_options_table(game))


for command in (arena, tournament, report, gate, ladder, exploit, exact, solve, benchmark, bench):
    app.command()(command)


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
        setup = setup_of(game, players, option, perfect_recall)
        names = filled(bots or [_usual_bot(setup.game)], setup.num_players - 1)
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
        sys.stdout.write(told(setup_of(game, players, option, perfect_recall), seed, every))


@app.command()
def replay(
    file: Annotated[
        Path, typer.Argument(help="A replay, as the arena or an environment saves it.")
    ],
    seat: Annotated[int | None, typer.Option(help="Show only what this seat saw.")] = None,
    gif: Annotated[Path | None, typer.Option(help="Write a film there instead.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write pictures into that folder.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Write a replay of only what the seat saw, without the seed."),
    ] = None,
) -> None:
    """Look at a game again, move by move: as text, as a film, or as pictures."""
    from miaui_env.play.reading import read
    from miaui_env.play.showing import save_own, seen_by, text_of, write_gif, write_pictures

    console = Console(highlight=False, markup=False, soft_wrap=True)
    with polite():
        check_writable(gif)
        check_writable(save)
        shown = seen_by(read(file), seat)
        if save is not None:
            save_own(shown, save)
        if gif is not None:
            console.print(f"{write_gif(shown, gif)} pictures in {gif}")
        if svg is not None:
            console.print(f"{write_pictures(shown, svg)} pictures in {svg}")
        if save is gif is svg is None:
            for line in text_of(shown):
                console.print(line)


# --- inside -------------------------------------------------------------------------------------


def _usual_bot(game: Game) -> str:
    return "greedy" if "greedy" in game.bots else "random"


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
