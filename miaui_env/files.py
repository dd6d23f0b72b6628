"""Files that are there whole or not at all, whenever a program dies."""

from __future__ import annotations

import os
from pathlib import Path


def write_text(file: Path, text: str) -> None:
    """Write UTF-8 beside the file, then put it in its place: nobody finds half a file."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)
