"""Checkpoints: one file each, whole or not there at all, and without pickle.

A checkpoint is a safetensors file: arrays by name, and everything else as JSON in its header. It
holds all that the rest of a run depends on, so that a killed run goes on as if nothing had been.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

FORMAT = 1


@dataclass(frozen=True)
class Checkpoint:
    """What a file holds.

    Attributes:
        arrays: tensors by name; `part/name` groups them.
        state: everything else, JSON-able.
    """

    arrays: dict[str, Tensor]
    state: dict[str, Any]

    def part(self, name: str) -> dict[str, Tensor]:
        """The arrays of a group, by the rest of their names."""
        start = f"{name}/"
        return {key[len(start) :]: a for key, a in self.arrays.items() if key.startswith(start)}

    def write(self, folder: Path, number: int, kept: int) -> Path:
        """Write `<number>.safetensors` and remove all but the newest `kept`.

        The file appears under its name only when all of it is on the disk: a kill at any moment
        leaves the checkpoint before it.
        """
        folder.mkdir(parents=True, exist_ok=True)
        arrays = {key: array.contiguous() for key, array in self.arrays.items()}
        header = {"format": str(FORMAT), "state": json.dumps(self.state)}
        path = folder / f"{number:08d}.safetensors"
        write_whole(path, save(arrays, header))
        for old in written(folder)[:-kept]:
            old.unlink()
        return path

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """Read a file.

        Raises:
            ValueError: for one that is no checkpoint of ours.
        """
        try:
            with safe_open(path, "pt") as file:
                header = file.metadata() or {}
                arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118  # no dict
        except (SafetensorError, OSError) as problem:
            raise ValueError(f"{str(path)!r} is no checkpoint: {problem}") from None
        if header.get("format") != str(FORMAT):
            raise ValueError(
                f"{str(path)!r} has checkpoint format {header.get('format')}, not {FORMAT}; "
                "train on with the version that wrote it, or start from the run's exported bot"
            )
        return cls(arrays, json.loads(header["state"]))

    @classmethod
    def newest(cls, folder: Path) -> Checkpoint | None:
        """The last one written; None where there is none."""
        files = written(folder)
        return cls.read(files[-1]) if files else None


def written(folder: Path) -> list[Path]:
    """All checkpoints of a folder, oldest first."""
    return sorted(folder.glob("[0-9]*.safetensors"))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that after a crash it is there whole, or as it was before."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# --- luck: torch's and NumPy's generators, which stable-baselines3 draws from -------------------


def luck() -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Both generators' states: arrays, and the rest."""
    name, words, position, has_gauss, gauss = np.random.get_state(legacy=True)
    arrays = {"torch": torch.get_rng_state(), "numpy": torch.from_numpy(np.array(words, np.int64))}
    return arrays, {"numpy": [str(name), int(position), int(has_gauss), float(gauss)]}


def put_luck(arrays: Mapping[str, Tensor], rest: Mapping[str, Any]) -> None:
    """Put both generators back."""
    torch.set_rng_state(arrays["torch"])
    name, position, has_gauss, gauss = rest["numpy"]
    words = arrays["numpy"].numpy().astype(np.uint32)
    np.random.set_state((name, words, position, has_gauss, gauss))


# --- Adam ---------------------------------------------------------------------------------------


def momenta(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The optimizer's memory, `<parameter>.<name>` → tensor."""
    memory = optimizer.state_dict()["state"]
    return {
        f"{i}.{name}": part.clone() for i, parts in memory.items() for name, part in parts.items()
    }


def put_momenta(optimizer: torch.optim.Optimizer, arrays: Mapping[str, Tensor]) -> None:
    """Put the optimizer's memory back."""
    whole = optimizer.state_dict()
    whole["state"] = {}
    for key, part in arrays.items():
        number, name = key.split(".")
        whole["state"].setdefault(int(number), {})[name] = part
    optimizer.load_state_dict(whole)
