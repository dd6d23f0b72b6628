"""Write checkpoints/README.md from the cards of the shipped bots: `python -m training.report`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from miaui_env.bots import shipped_bots, shipped_root
from miaui_env.bots.card import Card, plain
from miaui_env.registry import find

HEAD = """\
# Shipped bots

Written by `python -m training.report` from the cards; change those, or that, not this.

One folder a bot, `<game>/<bot>/`: `policy.onnx`, the network that plays; `weights.safetensors`,
the same weights, to train on from there; `card.json`: game and version, seats, options, fields, how
it was trained, how strong it is, and a checksum of each file. `miaui_env.load_bot("<game>/<bot>")`
reads them from here in a checkout, and from inside the package once installed. Loading a bot runs
no code.

Win share is 1/k for each of k winners; margin is own points less the mean of the others'. Each deal
is played in all rotations of the seats; in brackets stand 95 % bootstrap intervals over deals.
"""


def main() -> None:
    """Write the page."""
    (shipped_root() / "README.md").write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page."""
    root = shipped_root()
    return "\n".join([HEAD, *(chapter(name, root / name) for name in shipped_bots())])


def chapter(name: str, folder: Path) -> str:
    """What there is to say of one bot."""
    card = Card.read(folder)
    view = "perfect recall" if card.perfect_recall else "the table view"
    return "\n".join(
        [
            f"## {name}\n",
            f"{find(card.game).title} version {card.game_version}, {card.num_players} seats, {view}"
            f"{_options(card)}. Plays {_manner(card.plays)}.\n",
            _training(card),
            "| table | who | win share | margin |",
            "|---|---|---|---|",
            *(row for rating in card.ratings for row in rows(rating)),
            "",
            *_deals(card.ratings),
        ]
    )


def rows(rating: dict[str, Any]) -> list[str]:
    """One line for each bot at a table."""
    names = list(rating["lineup"])
    others = names[1:]
    alike = len(set(others)) == 1
    table = f"{len(others)} × {others[0]}" if alike else ", ".join(others)
    return [
        f"| {table if i == 0 else ''} | {bot['name']} | {figure(bot['win_share'], 3)} | "
        f"{figure(bot['margin'], 1)} |"
        for i, bot in enumerate(rating["bots"])
    ]


def figure(told: dict[str, float], digits: int) -> str:
    """`0.251 [0.243, 0.259]`."""
    mean, low, high = (f"{told[name]:.{digits}f}" for name in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"


def _options(card: Card) -> str:
    """Those that are not the printed game's."""
    usual = plain(dataclasses.asdict(find(card.game).options()))
    return "".join(
        f", {name} {value}" for name, value in card.options.items() if value != usual.get(name)
    )


def _manner(plays: dict[str, Any]) -> str:
    if plays["how"] == "argmax":
        return "the move it likes best"
    return f"by sampling at temperature {plays['temperature']:g}"


def _training(card: Card) -> str:
    """How to make such a bot; a test holds the experiment's config to what the card says."""
    made, command = card.training, "python -m training.train experiment="
    return (
        f"Made by `{command}{card.game}-{card.name}`: {made['algorithm']}, {made['steps']:,}\n"
        f"decisions in {made['seconds'] / 60:.0f} minutes, seed {made['config']['seed']}.\n"
    )


def _deals(ratings: list[dict[str, Any]]) -> list[str]:
    told = {
        f"{rating['deals']:,} deals × {rating['rotations']} rotations, {rating['purpose']} seed "
        f"{rating['seed']}; {rating['forfeited']} games forfeited.\n"
        for rating in ratings
    }
    return sorted(told)


if __name__ == "__main__":
    main()
