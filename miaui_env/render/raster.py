"""Pixels from SVG: arrays, PNG, GIF. They need the extra `render`, which is imported when used."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

SECONDS = 1.5
"""How long a GIF shows each picture."""
OCTREE = 2
"""Pillow's number for that way to choose 256 colours."""


class MissingExtra(ImportError):
    """Pixels were asked for, and what makes them is not installed."""

    def __init__(self, missing: object) -> None:
        """Say what to do."""
        super().__init__(f"pictures need: pip install miaui_env[render] ({missing})")


def png(svg: str) -> bytes:
    """The picture as a PNG file. Fonts of the machine play no part."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as missing:
        raise MissingExtra(missing) from None
    return bytes(svg_to_bytes(svg_string=svg, skip_system_fonts=True))


def rgb(svg: str) -> np.ndarray:
    """The picture as pixels: uint8 `(height, width, 3)`."""
    return np.asarray(_image(svg), np.uint8).copy()


def save_gif(svgs: Iterable[str], file: Path, seconds: float = SECONDS) -> int:
    """Pictures of one size as a film that repeats; returns how many."""
    # The octree keeps rare colours as they are; others give most of the palette to the water.
    frames = [_image(svg).quantize(256, method=OCTREE, dither=0) for svg in svgs]
    shown = {"save_all": True, "duration": int(seconds * 1000), "loop": 0}
    frames[0].save(file, format="GIF", append_images=frames[1:], **shown)
    return len(frames)


def _image(svg: str) -> Any:
    try:
        from PIL import Image
    except ImportError as missing:
        raise MissingExtra(missing) from None
    return Image.open(io.BytesIO(png(svg))).convert("RGB")
