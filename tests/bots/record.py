"""Keep a bot of a release as test data: `python tests/bots/record.py 0.1.0`, once, when releasing.

It writes `tests/bots/released/<release>/`: a tiny bot, and 20 moves that it must play ever after.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch

from miaui_env import Setup, Tables, find, keys, load_bot
from miaui_env.adapters.sb3 import TablesVecEnv
from training.export import export
from training.policy import MaskedPolicy, ordinary_observations

MOVES = 20


def main(release: str) -> None:
    """Make the bot, play, write down."""
    setup = Setup.of(find("miaui"), 3, hand_size=6, spaces=2)
    torch.manual_seed(1)
    env = TablesVecEnv(setup, 1)
    policy = MaskedPolicy(env.observation_space, env.action_space, lambda _: 1e-3, widths=(8,))
    for weights in policy.parameters():
        torch.nn.init.normal_(weights, std=0.5)
    policy.features_extractor.fit(ordinary_observations(setup, seed=1))
    plays = {"how": "sample", "temperature": 1.0}
    folder = Path(__file__).parent / "released" / release
    export(policy, setup, folder, name=f"kept-{release}", plays=plays)
    (folder / "moves.json").write_text(json.dumps(moves(folder, setup)) + "\n")


def moves(folder: Path, setup: Setup) -> dict[str, list[object]]:
    """Observations from random play, keys, and what the bot plays."""
    tables = Tables(setup, 4, seed=2)
    step = tables.reset()
    rows, masks = [step.observations[step.to_act]], [step.action_masks[step.to_act]]
    while sum(len(part) for part in rows) < MOVES:
        step = tables.step(tables.random_actions())
        rows.append(step.observations[step.to_act].copy())
        masks.append(step.action_masks[step.to_act].copy())
    seen, legal = np.concatenate(rows)[:MOVES], np.concatenate(masks)[:MOVES]
    luck = keys(3, MOVES)
    actions = load_bot(folder).act(seen, legal, luck)
    return {
        "observations": seen.tolist(),
        "action_masks": legal.tolist(),
        "keys": luck.tolist(),
        "actions": actions.tolist(),
    }


if __name__ == "__main__":
    main(sys.argv[1])
