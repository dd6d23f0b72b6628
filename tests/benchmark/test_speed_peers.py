"""Other libraries: asked in turns with ours, and named with the reason where they are absent."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from miaui_env import find
from miaui_env.benchmark.speed import Run, measure, peer
from miaui_env.benchmark.speed.peers import THREADED, Peer, _started
from miaui_env.benchmark.speed.peers import measure as measured
from miaui_env.benchmark.speed.run import Absent

HERE = Path(sys.executable)
ROOT = Path(__file__).parents[2]


def run(python: Path | None) -> Run:
    return Run(find("miaui"), 2, quick=True, say=lambda what: None, peers=python)


def labels() -> set[str]:
    threaded = {f"{name}, all cores" for name in peer.PEERS if name.startswith(THREADED)}
    return {*peer.PEERS} | threaded


def test_every_peer_is_measured_or_absent_with_a_reason() -> None:
    here = run(HERE)
    told = measured(here)
    found = {row["peer"] + ", all cores" * (row["cores"] == "all") for row in told["rows"]}
    assert found | set(here.skipped) == labels() and not found & set(here.skipped)
    assert all(here.skipped.values())
    for row in told["rows"]:
        assert row["releases"] and row["what"]
        assert 0 < row["tables_to_it"]["low"] <= row["tables_to_it"]["high"]


def test_without_their_python_all_are_absent() -> None:
    nowhere = run(Path("/no/such/python"))
    report = measure(nowhere, ["peers"])
    assert report["sections"]["peers"]["rows"] == []
    assert set(report["skipped"]) == labels()
    assert "No such file" in report["skipped"]["rlcard uno"]


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ModuleNotFoundError, match="pyspiel"):
        peer.openspiel_goofspiel()


def test_a_process_that_ends_tells_its_last_words(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho first >&2\necho last words >&2\n")
    broken.chmod(0o755)
    with pytest.raises(Absent, match="its process ended: last words"):
        Peer(broken, "rlcard uno", "1")


def test_a_round_of_goofspiel_is_a_decision_of_each_seat() -> None:
    pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    with Peer(HERE, "openspiel goofspiel", "1", quick=True) as playing:
        decisions, seconds = playing.once()
        assert decisions % 4 == 0 and seconds > 0
        assert playing.releases["open_spiel"] and playing.python.startswith("3.")
    once = peer.openspiel_goofspiel()
    assert {once()[0] for _ in range(30)} == {4}


def test_no_process_is_left() -> None:
    import contextlib

    with contextlib.ExitStack() as stack:
        started = list(_started(run(HERE), HERE, stack).values())
    assert all(playing._process.poll() is not None for playing in started)


def test_the_file_of_pins_has_every_library_that_is_measured() -> None:
    lines = (ROOT / "constraints-peers.txt").read_text().splitlines()
    pinned = {line.partition("==")[0].lower() for line in lines if "==" in line}
    assert {name for _, needed in peer.PEERS.values() for name in needed} <= pinned
