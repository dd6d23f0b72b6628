"""Yardsticks: a game written out in C, `<game>.c` here, to measure `Tables` against.

Such a file exports `seats` and `record_size` (ints) and `step`, which does to the arrays of a
`Tables` what `Tables.step` does. It is compiled where there is a C compiler, beside the kernels.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
from llvmlite.binding import get_host_cpu_name

from miaui_env.engine.compile import cache_root
from miaui_env.engine.desk import TWICE
from miaui_env.engine.tables import Step, Tables
from miaui_env.game import Game, Setup

FLAGS = ("-O3", "-march=native", "-std=c11", "-shared", "-fPIC")


class NoYardstick(RuntimeError):
    """There is none for this game, or nothing to compile it with; the message says which."""


class Yardstick:
    """A game's C program at its number of seats, in its printed form.

    Attributes:
        setup: the only table that it plays.
        compiler: what compiled it, and how.
    """

    def __init__(self, game: Game) -> None:
        """Compile, or find what was compiled before.

        Raises:
            NoYardstick: where none was written, or no C compiler is at hand.
        """
        source = Path(__file__).with_name(f"{game.name}.c")
        if not source.is_file():
            raise NoYardstick(f"nobody has written {game.title} in C")
        library, self.compiler = _compiled(source)
        self.setup = Setup.of(game, ctypes.c_int.in_dll(library, "seats").value)
        if ctypes.c_int.in_dll(library, "record_size").value != game.state.itemsize:
            raise NoYardstick(f"{source.name} is written for another record of {game.title}")
        self._step = library.step
        self._step.restype = ctypes.c_int64

    def step(self, tables: Tables, actions: np.ndarray) -> Step:
        """What `tables.step(actions)` does, done in C to the same arrays.

        Args:
            tables: reset tables of this setup that deal anew by themselves.
            actions: int16 `(tables, seats)`, in one piece.

        Raises:
            ValueError: for an illegal action; no table has moved then.
        """
        own, written = tables._sides[tables.side], tables._sides[1 - tables.side]
        arrays = (
            tables.states,
            tables.seeds,
            tables.episodes,
            tables.keys,
            actions,
            tables.weights,
            own.points,
            own.decisions,
            *(getattr(written, name) for name in TWICE),
            tables.final_observations,
            tables.final_points,
            tables.win_shares,
        )
        pointers = (ctypes.c_void_p(array.ctypes.data) for array in arrays)
        fault = self._step(ctypes.c_int64(tables.num_tables), *pointers)
        if fault >= 0:
            table, seat = divmod(fault, self.setup.num_players)
            raise ValueError(f"illegal action in C at table {table}, seat {seat}")
        tables.side = 1 - tables.side
        return tables.latest


def _compiled(source: Path) -> tuple[ctypes.CDLL, str]:
    """The shared library of a source, compiled unless this compiler did so before."""
    command = (sysconfig.get_config_var("CC") or "cc").split()[0]
    compiler = next(filter(None, map(shutil.which, ("gcc", command, "cc"))), None)
    root = cache_root()
    if compiler is None or root is None:
        raise NoYardstick("no C compiler here" if root else "nowhere to keep a compiled program")
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    # `native` is another thing on another processor, and folders are shared between machines.
    told = " ".join([get_host_cpu_name(), version.stdout.partition("\n")[0], *FLAGS])
    name = hashlib.sha256(told.encode() + source.read_bytes()).hexdigest()[:20]
    target = root / f"{source.stem}-{name}.so"
    if not target.exists():
        written = target.with_suffix(f".{os.getpid()}")
        subprocess.run([compiler, *FLAGS, str(source), "-o", str(written)], check=True)
        os.replace(written, target)
    return ctypes.CDLL(str(target)), told
