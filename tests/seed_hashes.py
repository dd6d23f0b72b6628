"""Hashes of whole episodes for 100 seeds of each game, in `seeds/<game>.json`.

    python -m tests.seed_hashes

writes those of all games anew, `python -m tests.seed_hashes GAME …` those of some. They move
only when a game's rules, view or action numbers move, or its luck.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.progress import track

from miaui_env import games
from tests.adapters.play import digest

FOLDER = Path(__file__).parent / "seeds"
SEEDS = range(100)


def hashes(name: str) -> list[str]:
    """The first episode of each seed: all views, observations, masks, rewards and infos."""
    return [digest(name, seed, episodes=1) for seed in SEEDS]


def written(name: str) -> list[str]:
    """The hashes as they stand in the file."""
    told: list[str] = json.loads((FOLDER / f"{name}.json").read_text())
    return told


if __name__ == "__main__":
    for name in track(sys.argv[1:] or games(), "hashing"):
        (FOLDER / f"{name}.json").write_text(json.dumps(hashes(name), indent=1) + "\n")
