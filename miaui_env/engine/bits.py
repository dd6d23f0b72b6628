"""Bit sets, taken apart one by one; and words, eight int8 entries of an array that are one int64.

Words are for arrays in one piece, and nobody checks that they lie within. What moves them can be
called by kernels only; `lowest` and `how_many` are kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config
from numba import types as numba_types
from numba.extending import intrinsic

from miaui_env.engine.compile import kernel

WORD = np.uint64(8)
"""Entries of a word."""


def _of_one_number(build: Any) -> Any:
    """What an intrinsic from int64 to int64 tells numba, given what it builds of the number."""

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return build(builder, arguments[0])

    return numba_types.int64(numba_types.int64), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _zeros_below(typing: Any, bits: Any) -> Any:
    """How many zeros lie below the lowest bit of an int64 that is not 0, in one instruction."""
    return _of_one_number(lambda builder, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 1)))


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _ones(typing: Any, bits: Any) -> Any:
    """How many bits of an int64 are set, in one instruction."""
    return _of_one_number(lambda builder, bits: builder.ctpop(bits))


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def turned(typing: Any, word: Any) -> Any:
    """The bytes of an int64 in the opposite order, in one instruction."""
    return _of_one_number(lambda builder, word: builder.bswap(word))


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """The address of a word in an array."""
    data = context.make_array(kind)(context, builder, array).data
    word = context.get_value_type(numba_types.int64)
    return builder.bitcast(builder.gep(data, [at]), word.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def load_word(typing: Any, numbers: Any, at: Any) -> Any:
    """The eight entries from `at` on, the first in the lowest byte, in one instruction."""
    if numbers.layout != "C":
        return None  # which numba takes for a wrong call

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], *arguments)
        return builder.load(place, align=1)

    return numba_types.int64(numbers, numba_types.uint64), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def store_word(typing: Any, out: Any, at: Any, word: Any) -> Any:
    """Write the eight entries from `at` on, in one instruction."""
    if out.layout != "C":
        return None  # which numba takes for a wrong call

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return numba_types.none(out, numba_types.uint64, numba_types.int64), lowered


def _zeros_below_by_python(bits: Any) -> Any:
    return np.int64((int(bits) & -int(bits)).bit_length() - 1)


def _ones_by_python(bits: Any) -> Any:
    return np.int64((int(bits) & (1 << 64) - 1).bit_count())


def _turned_by_numpy(word: Any) -> Any:
    return np.int64(word).byteswap()


def _load_by_numpy(numbers: Any, at: Any) -> Any:
    return np.ascontiguousarray(numbers[at : at + WORD]).view("<i8")[0]


def _store_by_numpy(out: Any, at: Any, word: Any) -> None:
    out[at : at + WORD] = np.array([word], "<i8").view(np.int8)


if config.DISABLE_JIT:
    _zeros_below, _ones, turned = _zeros_below_by_python, _ones_by_python, _turned_by_numpy
    load_word, store_word = _load_by_numpy, _store_by_numpy


@kernel
def lowest(bits: Any) -> Any:
    """The number of the lowest bit of a set that is not empty."""
    return _zeros_below(bits)


@kernel
def how_many(bits: Any) -> Any:
    """How many bits are in a set; of a word of flags, how many are 1."""
    return _ones(bits)
