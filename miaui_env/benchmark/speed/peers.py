"""Other libraries in the same run: processes of their own Python, asked in turns with ours."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import IO, Any, Self

import miaui_env
from miaui_env.benchmark.speed import peer as script
from miaui_env.benchmark.speed.driving import aec_player, tables_player
from miaui_env.benchmark.speed.run import Absent, Once, Run, Turns
from miaui_env.benchmark.speed.tables import BATCH
from miaui_env.engine.tables import Tables

SECONDS = 0.2
THREADED = ("envpool", "pgx")
"""Libraries that use more than one core where they may."""


def default_python() -> Path:
    """Where `make peers` puts their Python: beside the package, in a checkout."""
    return Path(miaui_env.__file__).parents[1] / ".venv-peers" / "bin" / "python"


def measure(run: Run) -> dict[str, Any]:
    """A row for each peer that can play here; `run.skipped` says why others cannot.

    Raises:
        Absent: where no Python with peers was named.
    """
    if run.peers is None:
        raise Absent("not asked for: --peers")
    batch = 64 if run.quick else BATCH
    players: dict[str, Once] = {
        "tables": tables_player(Tables(run.game, batch)),
        "aec": aec_player(miaui_env.make(run.game.name, "aec")),
    }
    with contextlib.ExitStack() as stack:
        peers = _started(run, run.peers, stack)
        run.say(f"ours in turns with {len(peers)} peers")
        turns = run.turns(players | {name: peer.once for name, peer in peers.items()}, SECONDS)
    ours = {name: turns.spread(name) for name in players}
    rows = [_row(name, peer, turns) for name, peer in peers.items()]
    return {"batch": batch, "ours": ours, "rows": rows}


def _row(label: str, peer: Peer, turns: Turns) -> dict[str, Any]:
    return {
        "peer": peer.name,
        "cores": peer.cores,
        "what": (script.PEERS[peer.name][0].__doc__ or "").partition("\n")[0],
        "releases": peer.releases,
        "python": peer.python,
        "per_second": turns.spread(label),
        "tables_to_it": turns.ratio("tables", label),
        "aec_to_it": turns.ratio("aec", label),
    }


def _started(run: Run, python: Path, stack: contextlib.ExitStack) -> dict[str, Peer]:
    """Label → peer, ready to be asked; those with threads on one core and on all."""
    peers = {}
    for name in script.PEERS:
        for cores in ("1", "all") if name.startswith(THREADED) else ("1",):
            label = name if cores == "1" else f"{name}, all cores"
            run.say(label)
            try:
                peers[label] = stack.enter_context(Peer(python, name, cores, run.quick))
            except Absent as reason:
                run.skipped[label] = str(reason)
    return peers


class Peer:
    """A process that plays one peer when asked.

    Attributes:
        name: one of `peer.PEERS`.
        cores: "1" or "all", those that it may use.
        releases: of the libraries that play.
        python: the release of its Python.
    """

    def __init__(self, python: Path, name: str, cores: str, quick: bool = False) -> None:
        """Start it and wait until it can play.

        Raises:
            Absent: where it cannot; the message is the process's own, or its last words.
        """
        self.name, self.cores = name, cores
        self._seconds = 0.002 if quick else SECONDS
        self._words: IO[str] = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed by `close`
        settings = {"JAX_PLATFORMS": "cpu", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        try:
            self._process = subprocess.Popen(
                [str(python), "-I", script.__file__, name, cores],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._words,
                text=True,
                env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | settings,
            )
        except OSError as problem:
            self._words.close()
            raise Absent(str(problem)) from None
        try:
            told = self._answer()
            if "absent" in told:
                raise Absent(told["absent"])
        except Absent:
            self.close()
            raise
        self.releases, self.python = told["releases"], told["python"]

    def once(self) -> tuple[int, float]:
        """Decisions and seconds of one turn."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{self._seconds}\n")
        self._process.stdin.flush()
        told = self._answer()
        return told["decisions"], told["seconds"]

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._words.seek(0)
            last = (self._words.read().strip() or "it said nothing").splitlines()[-1]
            raise Absent(f"its process ended: {last}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        try:
            self._process.communicate(timeout=60)  # closes its stdin, at which it ends
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._words.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
