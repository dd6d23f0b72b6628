"""Replays shown: as text, as a film, as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from miaui_env.play.replay import Replay, SeatReplay
from miaui_env.render.raster import save_gif


def seen_by(replay: Replay | SeatReplay, seat: int | None) -> Replay | SeatReplay:
    """The replay as a seat saw it; None as it is.

    Raises:
        ValueError: for a seat that there is not, or another seat's replay.
    """
    if seat is None:
        return replay
    if isinstance(replay, Replay):
        return replay.of_seat(seat)
    if seat != replay.seat:
        raise ValueError(f"this replay holds what seat {replay.seat} saw, not seat {seat}")
    return replay


def save_own(replay: Replay | SeatReplay, file: Path) -> None:
    """Write what a seat may keep.

    Raises:
        ValueError: for a whole replay, which holds the seed.
    """
    if isinstance(replay, Replay):
        raise ValueError("what is saved is what one seat saw: say which, with --seat")
    replay.save(file)


def text_of(replay: Replay | SeatReplay) -> Iterator[str]:
    """The game moment by moment, to read in a terminal."""
    moments = list(replay.moments())
    for number, moment in enumerate(moments, 1):
        yield f"\n--- {number} of {len(moments)} ".ljust(80, "-") + "\n"
        yield replay.setup.game.words(moment.view)
        if moment.moves:
            yield "\n→ " + ", ".join(moment.moves)
    yield "\n" + replay.result()


def pictures_of(replay: Replay | SeatReplay) -> Iterator[str]:
    """The game moment by moment, as SVG."""
    return (replay.setup.draw(moment.view) for moment in replay.moments())


def write_gif(replay: Replay | SeatReplay, file: Path) -> int:
    """A film of the game; returns how many pictures it has."""
    return save_gif(pictures_of(replay), file)


def write_pictures(replay: Replay | SeatReplay, folder: Path) -> int:
    """`001.svg`, `002.svg`, … in the folder; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for number, svg in enumerate(pictures_of(replay), 1):
        (folder / f"{number:03}.svg").write_text(svg, encoding="utf-8")
    return number
