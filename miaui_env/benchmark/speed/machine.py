"""What was measured on, and with which releases."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from typing import Any

import miaui_env


def machine() -> dict[str, Any]:
    """What it was measured on, and how busy that was at the end."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": load,
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [
                line.partition(":")[2].strip() for line in lines if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def versions() -> dict[str, str]:
    """Of everything that speed depends on."""
    libraries = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")
    found = {name: importlib.metadata.version(name) for name in libraries}
    return {"miaui_env": miaui_env.__version__, "python": platform.python_version(), **found}
