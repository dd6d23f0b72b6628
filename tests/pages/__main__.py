"""A page for each game: `python -m tests.pages` writes docs/games anew, from the games."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from string import Template

import miaui_env
from miaui_env import Game, Setup
from miaui_env.__main__ import option_meanings
from miaui_env.game import option_names
from miaui_env.registry import entry, gymnasium_id
from tests.pages.phases import phases
from tests.pages.verbs import verbs

FOLDER = Path(__file__).parents[2] / "docs" / "games"
HEAD = Template("""# $title

`make pages` writes this page from the game. The rules in full are in [RULES.md]($rules),
pictures in [the gallery](../gallery.md#$anchor).

$facts
## A game from beginning to end

```python
$loop```

Alone at one seat, against bots: `gymnasium.make("$gymnasium_id", opponents="greedy")`. Thousands of
tables side by side: `Tables("$name", num_tables=4096)`.

## Options

$options
## Phases

A seat that owes an action has at least one legal one; the masks of all others are empty. As $games
games of random moves went at a table of $seats:

$phases
## Actions

There are $actions of them at a table of $seats; `setup.say(number)` puts one into words, and
`setup.read(words)` takes it back.

$verbs
## Observation

An int8 vector of $size entries at the table, $whole under perfect recall, where those of the
table come first. The mask stands beside it, as int8, one entry an action.

$fields""")
LOOP = Template("""\
from miaui_env import $entry

env = $entry.env(num_players=$seats)
env.reset(seed=0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated:
        print(agent, "has", info["points"], "points and wins", info["win_share"])
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
        print(agent, "plays", env.unwrapped.setup.say(action))
    env.step(action)
""")


def page(game: Game) -> str:
    """All of it."""
    setup, whole = Setup.of(game), Setup.of(game, perfect_recall=True)
    table = phases(setup)
    return HEAD.substitute(
        title=game.title,
        name=game.name,
        rules=f"../../miaui_env/games/{game.name}/RULES.md",
        anchor=game.title.lower().replace(" ", "-"),
        facts=table_of(("", ""), facts(game)),
        loop=loop(game),
        gymnasium_id=gymnasium_id(game),
        options=table_of(("option", "default", "meaning"), options(game)),
        games=table.games,
        seats=setup.num_players,
        phases=table_of(table.heading, table.rows),
        actions=setup.num_actions,
        verbs=table_of(("numbers", "actions"), verbs(setup)),
        size=setup.layout.size,
        whole=whole.layout.size,
        fields=table_of(("field", "shape", "from … to", "meaning"), fields(whole)),
    )


def facts(game: Game) -> list[tuple[str, str]]:
    """What a game says of itself."""
    together = "all at once, in secret" if game.simultaneous else "one after the other"
    longest = {number: Setup.of(game, number).longest for number in game.players}
    return [
        ("seats", f"{game.players[0]} to {game.players[-1]}, {game.default_players} by default"),
        ("they choose", together),
        ("decisions of a seat in a game", f"at most {max(longest.values())}"),
        ("version", str(game.version)),
        ("bots written by hand", ", ".join(game.bots)),
    ]


def loop(game: Game) -> str:
    """A game of random moves through PettingZoo, ready to run."""
    module = entry(f"{game.name}_v{game.version}").__name__.rpartition(".")[2]
    return LOOP.substitute(entry=module, seats=game.default_players)


def options(game: Game) -> list[tuple[str, str, str]]:
    """Name, default and meaning of each option of the game's own."""
    meanings, usual = option_meanings(game.options), game.options()
    return [(f"`{one}`", str(getattr(usual, one)), meanings[one]) for one in option_names(game)]


def fields(setup: Setup) -> list[tuple[str, str, str, str]]:
    """The observation, named piece by named piece; those of no entries are left out."""
    return [
        (f"`{one.name}`", " × ".join(map(str, one.shape)), f"{one.low} … {one.high}", one.meaning)
        for one in setup.layout.fields
        if one.size
    ]


def table_of(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown, with a line feed at its end."""
    lines = itertools.chain([heading, ("---",) * len(heading)], rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Write all pages; those of no game any more go."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for game in map(miaui_env.find, miaui_env.games()):
        (FOLDER / f"{game.name}.md").write_text(page(game), encoding="utf-8")
        print(f"docs/games/{game.name}.md")


if __name__ == "__main__":
    main()
