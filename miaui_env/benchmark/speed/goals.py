"""What the environments are to reach, and whether a run did: from its report alone."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from miaui_env.benchmark.speed.run import Spread

REASONS = Path(__file__).with_name("reasons.toml")
"""Why a goal is missed: goal's key → a sentence. What stands nowhere is not known."""
UNKNOWN = "The reason is not known."
BIG = 4096
"""From so many tables on all cores are to help."""


@dataclass(frozen=True)
class Goal:
    """One figure that is to be reached.

    Attributes:
        key: names the goal in `reasons.toml`.
        what: in words.
        wanted: the figure.
        reached: what was measured; None where that was left out.
        at_most: less is better.
    """

    key: str
    what: str
    wanted: float
    reached: Spread | None
    at_most: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the median reaches it; None where nothing was measured."""
        if self.reached is None:
            return None
        median = self.reached["median"]
        return median <= self.wanted if self.at_most else median >= self.wanted

    @property
    def reason(self) -> str:
        """Why it is missed; empty where it is not."""
        return reasons().get(self.key, UNKNOWN) if self.met is False else ""


def reasons() -> dict[str, str]:
    """Goal's key → why it is missed, as far as somebody found out."""
    return tomllib.loads(REASONS.read_text("utf-8"))


def goals(report: dict[str, Any]) -> list[Goal]:
    """Every goal, with what this report says of it."""
    sections = report["sections"]
    return [
        *_of_tables(report["game"], sections),
        *_of_cores(sections.get("tables")),
        *_of_interfaces(sections),
        *_of_training(sections.get("learning")),
        *_of_states(report["game"], sections),
    ]


def _of_tables(game: str, sections: dict[str, Any]) -> Iterator[Goal]:
    """One core beside C and beside peers, and the other games beside the same C."""
    beside_c = sections.get("beside_c") or {"rows": [], "seats": None}
    own = [row for row in beside_c["rows"] if _is_of(row, game, beside_c["seats"])]
    to_c = own[0]["to_c"] if own else None
    yield Goal("c", f"`Tables` of {game}, one core, to the same in C", 0.9, to_c)
    for peer, wanted in {"pgx leduc": 3, "envpool kuhn": 15, "openspiel goofspiel": 40}.items():
        reached = _least(_to_peer(sections, peer, "tables_to_it"))
        yield Goal(peer, f"`Tables` of {game}, one core, to {peer}", wanted, reached)
    for row in beside_c["rows"]:
        if row["game"] != game:
            name = f"{row['game']} {row['seats']}"
            what = f"`Tables` of {row['game']} with {row['seats']} seats, to {game} in C"
            yield Goal(name, what, 3 / 8, row["to_c"])


def _of_cores(tables: dict[str, Any] | None) -> Iterator[Goal]:
    """Each game's slowest gain from all cores, where there are two or more."""
    rows = [row for row in (tables or {"rows": []})["rows"] if row["batch"] >= BIG]
    if not rows:
        yield Goal("cores", f"all cores to one, {BIG:,} tables or more", 1.7, None)
    for game in dict.fromkeys(row["game"] for row in rows):
        reached = _least(row["all_to_one"] for row in rows if row["game"] == game)
        what = f"{game}, all {tables['all_cores'] if tables else ''} cores to one"
        yield Goal(f"cores {game}", f"{what}, {BIG:,} tables or more, the least", 1.7, reached)


def _of_interfaces(sections: dict[str, Any]) -> Iterator[Goal]:
    rows = {row["interface"]: row for row in sections.get("interfaces", {}).get("rows", ())}
    for name, beside, wanted in (
        ("aec", "doing nothing", 0.5),
        ("parallel", "doing nothing", 0.5),
        ("gymnasium", "doing nothing", 0.25),
        ("vector", "Tables with the same bots", 0.9),
    ):
        reached = rows[name]["beside"][beside]["ratio"] if name in rows else None
        yield Goal(name, f"{name}, to {beside}", wanted, reached)
    for peer, wanted in {"pettingzoo rps": 2, "pettingzoo leduc": 10}.items():
        reached = _least(_to_peer(sections, peer, "aec_to_it"))
        yield Goal(peer, f"aec, to {peer}", wanted, reached)


def _of_training(learning: dict[str, Any] | None) -> Iterator[Goal]:
    share = learning and learning["parts"]["environment"]
    yield Goal("share", "the environment's share of a training step", 0.03, share, at_most=True)
    for name, words, wanted in (("bare", "bare torch", 0.8), ("tutorial", "the tutorial's", 12)):
        reached = learning and learning["to_others"][name]
        yield Goal(f"to {name}", f"a training step, to {words}", wanted, reached)


def _of_states(game: str, sections: dict[str, Any]) -> Iterator[Goal]:
    """Copies, starting, memory."""
    rows = {row["game"]: row for row in sections.get("states", {}).get("rows", ())}
    copies = rows[game]["per_second"]["copies"] if game in rows else None
    yield Goal("copies", f"copies of {game}'s states a second", 1e6, copies)
    start, memory = sections.get("start"), sections.get("memory")
    warm, cold = (start and start[part]["aec"] for part in ("to_floor", "cold_to_imports"))
    what = "a fresh process to the first step, to"
    yield Goal("warm", f"{what} numba's floor, warm", 1.15, warm, at_most=True)
    yield Goal("cold", f"{what} the bare imports, cold", 20, cold, at_most=True)
    records = {row["game"]: row["record"] for row in (memory or {"rows": ()})["rows"]}
    what = f"bytes of state of a table of {game}"
    yield Goal("record", what, 1024, _one(records.get(game)), at_most=True)
    grown = memory["after"] / memory["before"] - 1 if memory and memory["before"] else None
    games = f"{memory['games']:,} games" if memory else "many games"
    what = f"growth of a process while it plays {games}, from a tenth of them on"
    yield Goal("growth", what, 0.005, _one(grown), at_most=True)


def _to_peer(sections: dict[str, Any], peer: str, ratio: str) -> Iterator[Spread]:
    """To each way in which that peer plays on one core, such as step by step and scanned."""
    for row in sections.get("peers", {}).get("rows", ()):
        if row["cores"] == "1" and row["peer"] in (peer, f"{peer}, scanned"):
            yield row[ratio]


def _is_of(row: dict[str, Any], game: str, seats: int | None) -> bool:
    return (row["game"], row["seats"]) == (game, seats)


def _least(ratios: Iterator[Spread]) -> Spread | None:
    """The one with the least median."""
    return min(ratios, key=lambda ratio: ratio["median"], default=None)


def _one(figure: float | None) -> Spread | None:
    """A figure that is exact, or was measured once."""
    return None if figure is None else dict.fromkeys(("median", "low", "high"), figure)
