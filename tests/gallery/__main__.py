"""The gallery: `python -m tests.gallery` draws docs/gallery.md and its pictures anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import miaui_env
from miaui_env import Game, Setup, Tables
from miaui_env.testing import variants

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURES = DOCS / "gallery.md", DOCS / "pictures"
SEED = 3
HEAD = """# Gallery

What a player sees, game by game: every picture is made from one seat's view and shows what that
seat may know, no more. It is what `render_mode="rgb_array"`, `miaui replay --gif`, and a notebook
show, and what `setup.draw(view)` returns as SVG. `make gallery` draws this page anew.
"""


@dataclass(frozen=True)
class Shot:
    """One picture: a table, who looks, and how far into a game of random moves."""

    setup: Setup
    seat: int | None
    share: float
    caption: str

    @property
    def file(self) -> str:
        """Its name in `docs/pictures`."""
        who = "referee" if self.seat is None else f"seat{self.seat}"
        on = [name for name, value in self.setup.description.items() if value is True]
        return "-".join([self.setup.game.name, str(self.setup.num_players), *on, who]) + ".svg"

    def draw(self) -> str:
        """The picture."""
        length = sum(1 for _ in played(self.setup))
        steps = played(self.setup)
        tables = next(steps)
        for _ in range(int(self.share * length)):
            tables = next(steps)
        return self.setup.draw(tables.view(0, self.seat))


def played(setup: Setup) -> Iterator[Tables]:
    """The table before each step of a game of random moves."""
    tables = Tables(setup, 1, seed=SEED, auto_reset=False)
    tables.reset()
    while np.any(tables.to_act):
        yield tables
        tables.step(tables.random_actions())


def shots(game: Game) -> list[Shot]:
    """A game as it usually is, with most seats and full memory, and as its variants have it."""
    usual, most, fewest = game.default_players, game.players[-1], game.players[0]
    extra: dict[str, Any] = variants(game)[-1]
    named = " and ".join(name.replace("_", " ") for name in extra)
    variant = f"with {named}" if named else "near its end"
    return [
        Shot(Setup.of(game, usual), 0, 0.3, f"{usual} seats, seen from seat 0"),
        Shot(
            Setup.of(game, most, perfect_recall=True),
            1 % most,
            0.6,
            f"{most} seats and perfect recall: what a player who forgets nothing knows",
        ),
        Shot(Setup.of(game, fewest, **extra), 0, 0.75, f"{fewest} seats, {variant}"),
    ]


def all_shots() -> dict[str, list[Shot]]:
    """Title → pictures, for all games."""
    games = map(miaui_env.find, miaui_env.games())
    return {game.title: shots(game) for game in games}


def page() -> str:
    """The text of docs/gallery.md."""
    parts = [HEAD]
    for title, taken in all_shots().items():
        parts.append(f"\n## {title}\n")
        parts += [f"\n![{title}, {s.caption}](pictures/{s.file})\n\n*{s.caption}*\n" for s in taken]
    return "".join(parts)


def main() -> None:
    """Write the page and all pictures; those of no game any more go."""
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("*.svg"):
        old.unlink()
    PAGE.write_text(page(), encoding="utf-8")
    for taken in all_shots().values():
        for shot in taken:
            (PICTURES / shot.file).write_text(shot.draw() + "\n", encoding="utf-8")
            print(f"docs/pictures/{shot.file}")


if __name__ == "__main__":
    main()
