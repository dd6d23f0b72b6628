"""From a policy to a bot's folder: `policy.onnx`, `weights.safetensors` and `card.json`."""

from __future__ import annotations

import logging
import os
import platform
import shutil
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from miaui_env.bots.card import POLICY, WEIGHTS, Card
from miaui_env.game import Setup
from training.policy import MaskedPolicy, weights_of

LIBRARIES = ("numpy", "torch", "stable-baselines3", "sb3-contrib", "onnx", "onnxruntime")
OPSET = 18


def export(
    policy: MaskedPolicy,
    setup: Setup,
    folder: Path,
    *,
    name: str,
    plays: dict[str, Any],
    **card: Any,
) -> Path:
    """Write a bot; a folder that is there already is replaced as a whole.

    Args:
        policy: the network; scaling by the fields' bounds and masking go into the graph.
        setup: the table that it plays at.
        folder: where to.
        name: as people will call it.
        plays: how it chooses, see `Card`.
        card: `training` and `ratings` of the card.
    """
    fresh = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    (fresh / POLICY).write_bytes(graph_of(policy, setup))
    (fresh / WEIGHTS).write_bytes(save(weights_of(policy)))
    Card.of(setup, name, plays, **card).write(fresh)
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(fresh, folder)
    return folder


class Graph(nn.Module):
    """What the exported network computes."""

    def __init__(self, policy: MaskedPolicy) -> None:
        """Around the policy itself: what was trained is what plays."""
        super().__init__()
        self.policy = policy

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Masked logits and value."""
        return self.policy.judge(observation, action_mask)


def graph_of(policy: MaskedPolicy, setup: Setup) -> bytes:
    """The network as ONNX, for batches of any size."""
    rows = torch.zeros((2, setup.layout.size), dtype=torch.int8)
    masks = torch.ones((2, setup.num_actions), dtype=torch.int8)
    batch = torch.export.Dim("batch")
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it tells what it cannot find
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own deprecations, seen in every export
        program = torch.onnx.export(
            Graph(policy).eval(),
            (rows, masks),
            input_names=["observation", "action_mask"],
            output_names=["logits", "value"],
            dynamic_shapes=({0: batch}, {0: batch}),
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    model = program.model_proto
    for node in model.graph.node:  # the exporter notes in whose folders it found each layer
        node.ClearField("metadata_props")
        node.ClearField("doc_string")
    return bytes(model.SerializeToString(deterministic=True))


def read_weights(folder: str | Path) -> dict[str, Tensor]:
    """The weights of an exported bot, to train on from there.

    Raises:
        ValueError: for a file that is missing, altered, or no safetensors.
    """
    content = Card.read(Path(folder)).file(Path(folder), WEIGHTS)
    try:
        return load(content)
    except SafetensorError as problem:
        raise ValueError(f"{WEIGHTS} of {str(folder)!r} holds no safetensors: {problem}") from None


def library_versions() -> dict[str, str]:
    """What a card says of the libraries that trained the bot."""
    return {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}}
