"""Each folder here that holds a `GAME` is a game."""

from pathlib import Path


def version_of(name: str) -> int:
    """The version in a folder's file `VERSION`: to be read without importing the game."""
    return int((Path(__file__).parent / name / "VERSION").read_text(encoding="ascii"))
