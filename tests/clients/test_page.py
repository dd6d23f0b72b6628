"""docs/clients.md names the releases that the tests run under."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clients.md").read_text()
RELEASES = re.findall(r"^\| (\w+) (\d[\w.]*) \|", PAGE, re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    return dict(line.lower().split("==") for line in lines if "==" in line and line[0] != "#")


def test_there_are_releases() -> None:
    assert len(RELEASES) == 6


@pytest.mark.parametrize(("client", "release"), RELEASES)
def test_a_release_is_the_pinned_one(client: str, release: str) -> None:
    every = [pins("constraints.txt"), pins("constraints-clients.txt")]
    assert {pinned[client.lower()] for pinned in every if client.lower() in pinned} == {release}


def test_both_environments_have_the_same_torch() -> None:
    assert pins("constraints.txt")["torch"] == pins("constraints-clients.txt")["torch"]


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_a_block_runs(block: str) -> None:
    pytest.importorskip("supersuit", reason="SuperSuit is not installed: `make clients` brings it")
    names: dict[str, object] = {}
    exec(block, names)
    assert "env" in names
