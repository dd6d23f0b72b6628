"""The golden games: `python -m tests.playthroughs` writes them anew; read their diff.

The first line of each file is the command that prints it, so to choose another deal or a shorter
game, change that line and write the files anew. A file that is missing is begun with the plainest
command that shows what it is wanted for.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from typer.testing import CliRunner

import miaui_env
from miaui_env import Game
from miaui_env.__main__ import app
from miaui_env.testing import variants

FOLDER = Path(__file__).parent
PROMPT = "$ miaui "


def wanted(game: Game) -> dict[str, list[str]]:
    """File name → parts of a command that it must have: each main variant of a game, once."""
    files = {game.name: [f"--players {game.default_players}"]}
    for chosen in variants(game):
        on = [name for name, value in chosen.items() if value]
        if len(on) in (1, len(chosen)):
            files["-".join([game.name, *on])] = [f"--option {name}=true" for name in on]
    files[f"{game.name}-perfect_recall"] = ["--perfect-recall"]
    for number in {game.players[0], game.players[-1]} - {game.default_players}:
        files[f"{game.name}-{number}"] = [f"--players {number}"]
    return {f"{name}.txt": [f"transcript {game.name}", *parts] for name, parts in files.items()}


def all_wanted() -> dict[str, list[str]]:
    """File name → parts of its command, for all games."""
    games = map(miaui_env.find, miaui_env.games())
    return {file: parts for game in games for file, parts in wanted(game).items()}


def command_of(text: str) -> str:
    """The command line that a file says it was printed by, as it stands in its first line."""
    first = text.partition("\n")[0]
    if not first.startswith(PROMPT):
        raise ValueError(f"a playthrough begins with {PROMPT!r} and its arguments, not {first!r}")
    return first.removeprefix(PROMPT)


def printed(command: str) -> str:
    """What the command prints."""
    done = CliRunner().invoke(app, shlex.split(command))
    if done.exit_code:
        raise ValueError(f"miaui {command}: {done.stderr or done.exception}")
    return done.stdout


def main() -> None:
    """Write all files anew, and those that are missing."""
    commands = {file: " ".join(parts) for file, parts in all_wanted().items()}
    commands |= {path.name: command_of(path.read_text()) for path in FOLDER.glob("*.txt")}
    for file, command in sorted(commands.items()):
        (FOLDER / file).write_text(printed(command))
        print(f"{file}: miaui {command}")


if __name__ == "__main__":
    main()
