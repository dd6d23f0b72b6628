"""A bot's card: what it plays and how, what made it, how strong it is, a checksum of each file.

The card is JSON and its files are weights: reading them runs no code. Whatever does not fit (a file
altered, another game version, other fields) is refused in words that name it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from miaui_env.game import Setup
from miaui_env.registry import find

CARD = "card.json"
POLICY = "policy.onnx"
WEIGHTS = "weights.safetensors"
FORMAT = 1
"""Moves when the keys of a card move; older formats stay readable (`_modern`)."""


@dataclass(frozen=True)
class Card:
    """What is written on a card.

    Attributes:
        name: as people call the bot.
        game: the game's name.
        game_version: the game's version that it was trained on.
        num_players: seats at its table.
        perfect_recall: which view it wants.
        options: the game's own options at its table.
        observation: `size`, `fields` (name, start, shape, low, high, meaning), and their `sha256`.
        actions: each action in words.
        plays: `{"how": "sample", "temperature": 1.0}`, or `{"how": "argmax"}`.
        training: what made it: config, seeds, steps, wall time, library versions.
        ratings: how it did in the arena, a list of results.
        files: sha256 of each other file of the folder.
        format: of the card.
    """

    name: str
    game: str
    game_version: int
    num_players: int
    perfect_recall: bool
    options: dict[str, Any]
    observation: dict[str, Any]
    actions: list[str]
    plays: dict[str, Any]
    training: dict[str, Any] = field(default_factory=dict)
    ratings: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    @classmethod
    def of(cls, setup: Setup, name: str, plays: dict[str, Any], **more: Any) -> Card:
        """The card of a bot for tables of `setup`."""
        return cls(
            name=name,
            game=setup.game.name,
            game_version=setup.game.version,
            num_players=setup.num_players,
            perfect_recall=setup.perfect_recall,
            options=plain(dataclasses.asdict(setup.options)),
            observation=observation_of(setup),
            actions=[setup.say(action) for action in range(setup.num_actions)],
            plays=plays,
            **more,
        )

    @classmethod
    def read(cls, folder: Path) -> Card:
        """The card in a folder.

        Raises:
            ValueError: where there is none, or it is no card of ours.
        """
        try:
            written = json.loads((folder / CARD).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ValueError(f"no bot in {str(folder)!r}: {CARD} is missing") from None
        except ValueError as problem:
            raise ValueError(f"{CARD} of {str(folder)!r} is no JSON: {problem}") from None
        return cls(**_modern(written, folder))

    def write(self, folder: Path) -> None:
        """Write the card, with the checksums of the files that lie beside it now."""
        sums = {name: sha256((folder / name).read_bytes()) for name in (POLICY, WEIGHTS)}
        written = dataclasses.asdict(dataclasses.replace(self, files=sums))
        text = json.dumps(plain(written), indent=2, ensure_ascii=False)
        (folder / CARD).write_text(text + "\n", encoding="utf-8")

    def file(self, folder: Path, name: str) -> bytes:
        """The bytes of a file, which are exactly those that the card describes.

        Raises:
            ValueError: for a file that is missing, unknown to the card, or altered.
        """
        if name not in self.files:
            raise ValueError(f"{CARD} of {str(folder)!r} has no checksum for {name}")
        try:
            content = (folder / name).read_bytes()
        except FileNotFoundError:
            raise ValueError(f"bot {str(folder)!r} is incomplete: {name} is missing") from None
        if sha256(content) != self.files[name]:
            raise ValueError(
                f"bot {str(folder)!r}: {name} is not the file that its card describes (its sha256 "
                "differs); it was altered or damaged"
            )
        return content

    def setup(self) -> Setup:
        """The table that the bot was made for.

        Raises:
            ValueError: where this library has no such game, version, option or field any more.
        """
        game = find(self.game)
        if game.version != self.game_version:
            raise ValueError(
                f"bot {self.name!r} plays {game.title} version {self.game_version}, but this is "
                f"version {game.version}: rules, view or action numbers differ, see its RULES.md"
            )
        setup = Setup.of(game, self.num_players, perfect_recall=self.perfect_recall, **self.options)
        self._refuse_other_fields(setup)
        return setup

    def _refuse_other_fields(self, setup: Setup) -> None:
        """ValueError for the first field or action that is not what the card says."""
        here = observation_of(setup)
        if self.observation["sha256"] != here["sha256"]:
            raise ValueError(
                f"bot {self.name!r} reads other fields than {setup.game.title} has now: "
                f"{_first_difference(self.observation.get('fields', []), here['fields'])}"
            )
        if len(self.actions) != setup.num_actions:
            raise ValueError(
                f"bot {self.name!r} knows {len(self.actions)} actions, but {setup.game.title} has "
                f"{setup.num_actions}"
            )


def observation_of(setup: Setup) -> dict[str, Any]:
    """The observation's fields in order, and a hash of all but their meaning."""
    layout = setup.layout
    fields = [
        {
            "name": entry.name,
            "start": layout[entry.name].start,
            "shape": list(entry.shape),
            "low": entry.low,
            "high": entry.high,
            "meaning": entry.meaning,
        }
        for entry in layout.fields
    ]
    essence = [[entry.name, list(entry.shape), entry.low, entry.high] for entry in layout.fields]
    told = {"size": layout.size, "sha256": sha256(json.dumps(essence).encode()), "fields": fields}
    return dict(plain(told))


def sha256(content: bytes) -> str:
    """Hexadecimal checksum."""
    return hashlib.sha256(content).hexdigest()


def plain(value: Any) -> Any:
    """The value as JSON gives it back: tuples as lists."""
    return json.loads(json.dumps(value))


def _modern(written: Any, folder: Path) -> dict[str, Any]:
    """What a card of any format up to ours says, under today's keys."""
    number = written.get("format") if isinstance(written, dict) else None
    if not isinstance(number, int) or number < 1:
        raise ValueError(f"{CARD} of {str(folder)!r} is no bot's card: it has no format number")
    if number > FORMAT:
        raise ValueError(
            f"{CARD} of {str(folder)!r} has format {number}, and this miaui_env reads up to "
            f"{FORMAT}; update miaui_env"
        )
    entries = dataclasses.fields(Card)
    needed = [entry.name for entry in entries if entry.name in _NEEDED]
    if missing := [name for name in needed if name not in written]:
        raise ValueError(f"{CARD} of {str(folder)!r} lacks {', '.join(missing)}")
    return {entry.name: written[entry.name] for entry in entries if entry.name in written}


_NEEDED = {
    entry.name
    for entry in dataclasses.fields(Card)
    if entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING
}


def _first_difference(card: list[dict[str, Any]], here: list[dict[str, Any]]) -> str:
    """The first field that differs, in words."""
    for theirs, ours in zip(card, here):
        if _essence(theirs) != _essence(ours):
            return f"its card has {_in_words(theirs)} where there is {_in_words(ours)}"
    if len(card) != len(here):
        return f"its card has {len(card)} fields, and there are {len(here)}"
    return "the checksum of the card's fields differs"


def _essence(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry["name"], entry["shape"], entry["low"], entry["high"]


def _in_words(entry: dict[str, Any]) -> str:
    return f"{entry['name']!r} {tuple(entry['shape'])} from {entry['low']} to {entry['high']}"
