"""Bit sets, taken apart one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config
from numba import types as numba_types
from numba.extending import intrinsic

from miaui_env.engine.compile import kernel


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _zeros_below(typing: Any, bits: Any) -> Any:
    """How many zeros lie below the lowest bit of an int64 that is not 0, in one instruction."""

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return numba_types.int64(numba_types.int64), lowered


def _zeros_below_by_python(bits: Any) -> Any:
    return np.int64((int(bits) & -int(bits)).bit_length() - 1)


if config.DISABLE_JIT:
    _zeros_below = _zeros_below_by_python


@kernel
def lowest(bits: Any) -> Any:
    """The number of the lowest bit of a set that is not empty."""
    return _zeros_below(bits)
