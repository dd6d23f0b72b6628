"""Hashes of whole episodes for 100 seeds of each game, in `seed_hashes.json`.

    python -m tests.seed_hashes

writes them anew. They move only when a game's rules, view or action numbers move, or its luck.
"""

from __future__ import annotations

import json
from pathlib import Path

from rich.progress import track

from miaui_env import games
from tests.adapters.play import digest

PATH = Path(__file__).with_suffix(".json")
SEEDS = range(100)


def hashes(name: str) -> list[str]:
    """The first episode of each seed: all views, observations, masks, rewards and infos."""
    return [digest(name, seed, episodes=1) for seed in SEEDS]


if __name__ == "__main__":
    told = {name: hashes(name) for name in track(games(), "hashing")}
    PATH.write_text(json.dumps(told, indent=1) + "\n")
