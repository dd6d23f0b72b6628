"""What an arena run found, as a frozen record that goes to JSON and back."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import miaui_env
from miaui_env.benchmark.figures import LEVEL, RESAMPLES, Figure
from miaui_env.benchmark.seating import mix_of

SCHEMA = "miaui_env.arena/2"
"""Name and version of the JSON; the version moves when a field changes its meaning or goes."""
METHOD = {"interval": LEVEL, "bootstrap": RESAMPLES, "block": "a deal in all its seatings"}
FIGURES = ("win_share", "rank_credit", "points", "margin")


@dataclass(frozen=True)
class Standing:
    """How one bot (all its copies pooled), or one slot of the line-up, did.

    Attributes:
        name: the bot.
        slots: where it stood in the line-up; who sat where is in `Result.seatings`.
        games: seats it took, over all games.
        finished: of those, in games played to their end.
        forfeits: of those, lost by its own crash, illegal action or lateness.
        win_share: mean over all its games: 1/k for each of k winners, 0 after its own forfeit.
        rank_credit: mean share of the others that it stood above in points, half for a tie; over
            all its games, seats at fault standing below the rest.
        points: mean of its own points, over finished games only.
        margin: mean of own points minus the mean of the others', over finished games only.
    """

    name: str
    slots: tuple[int, ...]
    games: int
    finished: int
    forfeits: int
    win_share: Figure
    rank_credit: Figure
    points: Figure
    margin: Figure


@dataclass(frozen=True)
class Counts:
    """Games of a run; requested = finished + forfeited + failed.

    Attributes:
        requested: deals × seatings.
        finished: played to their end.
        forfeited: ended by one or more seats' fault; the rest share the win evenly.
        failed: every seat was at fault in the same round, so nobody has a share.
    """

    requested: int
    finished: int
    forfeited: int
    failed: int

    @property
    def doubt(self) -> float:
        """The most that a win share could differ, had every game been played to its end."""
        return (self.forfeited + self.failed) / self.requested


@dataclass(frozen=True)
class Result:
    """One line-up over many duplicate deals.

    Attributes:
        game: its name.
        game_version: of its rules, view and actions.
        setup: seats and options, as `Setup.of` takes them.
        lineup: names of the bots, slot by slot.
        seed: as given.
        purpose: which range of seeds it was hashed into.
        move_limit: seconds for a move; with a limit, figures depend on the machine.
        deals: number of deals.
        rotations: how often each deal was played, each time in another seating.
        seatings: for each of these times, the slot at each seat.
        counts: games requested, finished, forfeited, failed.
        equal_share: 1/n, what equally good bots win.
        bots: one standing for each name, in the order of the line-up.
        slots: one standing for each slot.
        errors: name → what went wrong with that bot first; only bots at fault.
        cards: name → sha256 of the bot's card.json; only bots that have one.
        deterministic: name → whether the bot moves by what it is shown alone, see `Bot`; where one
            does not, another run may find something else.
        milliseconds: name → mean time for a decision.
        seconds: time the whole run took.
        versions: of miaui_env, Python and the libraries that decide what is played.
    """

    game: str
    game_version: int
    setup: Mapping[str, Any]
    lineup: tuple[str, ...]
    seed: int
    purpose: str
    move_limit: float | None
    deals: int
    rotations: int
    seatings: tuple[tuple[int, ...], ...]
    counts: Counts
    equal_share: float
    bots: tuple[Standing, ...]
    slots: tuple[Standing, ...]
    errors: Mapping[str, str]
    cards: Mapping[str, str]
    deterministic: Mapping[str, bool]
    milliseconds: Mapping[str, float] = dataclasses.field(compare=False)
    seconds: float = dataclasses.field(compare=False)
    versions: Mapping[str, str] = dataclasses.field(default_factory=lambda: versions())

    @property
    def title(self) -> str:
        """What these figures are of: game, seats, all who sat there, deals."""
        return (
            f"{self.game}, {len(self.lineup)} seats: {mix_of(self.lineup)}; "
            f"{self.purpose} seed {self.seed}"
        )

    @property
    def repeatable(self) -> str:
        """Each bot's `deterministic`, in a line."""
        told = (f"{name} {'yes' if sure else 'no'}" for name, sure in self.deterministic.items())
        return f"deterministic: {', '.join(told)}"

    def of(self, name: str) -> Standing:
        """The standing of a bot; ValueError if it did not play."""
        for standing in self.bots:
            if standing.name == name:
                return standing
        raise ValueError(f"no bot {name!r} here; there are {', '.join(s.name for s in self.bots)}")

    def to_json(self) -> dict[str, Any]:
        """Everything, as values that `json.dumps` takes."""
        head = {"schema": SCHEMA, "title": self.title, "method": METHOD}
        told = {**head, **dataclasses.asdict(self)}
        plain: dict[str, Any] = json.loads(json.dumps(told))
        return plain

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Back from `to_json`; ValueError for another schema."""
        if data.get("schema") != SCHEMA:
            raise ValueError(f"this is no {SCHEMA}, but {data.get('schema')!r}")
        own = {entry.name for entry in dataclasses.fields(cls)}
        told: dict[str, Any] = {"deterministic": {}}  # which the first files of this schema lack
        told |= {name: value for name, value in data.items() if name in own}
        told["lineup"] = tuple(told["lineup"])
        told["seatings"] = tuple(map(tuple, told["seatings"]))
        told["counts"] = Counts(**told["counts"])
        for group in ("bots", "slots"):
            told[group] = tuple(map(_standing, told[group]))
        return cls(**told)


def _standing(data: Mapping[str, Any]) -> Standing:
    figures = {name: Figure(**data[name]) for name in FIGURES}
    return Standing(**{**data, "slots": tuple(data["slots"]), **figures})


def versions() -> dict[str, str]:
    """Versions that a result depends on."""
    libraries = {name: importlib.metadata.version(name) for name in ("numpy", "numba")}
    return {
        "miaui_env": miaui_env.__version__,
        "python": platform.python_version(),
        **libraries,
    }
