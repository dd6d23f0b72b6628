"""All arrays that a `Tables` writes, and the numbers with which compiled code finds them.

Numba asks each array that it is handed for its kind, place and shape: a step of one table, which is
handed twenty, took 5.7 µs so, and 1.3 µs with one array of addresses in their stead (the same
machine and minute). A `Tables` therefore lays its arrays once and for all, and writes into them.
"""

from __future__ import annotations

import ctypes
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np
from llvmlite import ir
from numba import config
from numba import types as numba_types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
)
from numba.np import arrayobj
from numba.np.numpy_support import from_dtype

from miaui_env.engine.compile import kernel


class Arrays(NamedTuple):
    """All arrays of one side, each with its kind ("record": the game's state) and axes."""

    states: Annotated[np.ndarray, "record", "tables"]
    seeds: Annotated[np.ndarray, "uint64", "tables"]
    episodes: Annotated[np.ndarray, "int64", "tables"]
    keys: Annotated[np.ndarray, "uint64", "tables"]
    chosen: Annotated[np.ndarray, "bool", "tables"]
    actions: Annotated[np.ndarray, "int16", "tables seats"]
    faults: Annotated[np.ndarray, "int8", "tables seats"]
    forfeiters: Annotated[np.ndarray, "int8", "tables"]
    illegal: Annotated[np.ndarray, "int32", "tables seats"]
    weights: Annotated[np.ndarray, "float64", "weights"]
    auto_reset: Annotated[np.ndarray, "bool", "tables"]
    points: Annotated[np.ndarray, "int32", "tables seats"]
    decisions: Annotated[np.ndarray, "int32", "tables seats"]
    decision_keys: Annotated[np.ndarray, "uint64", "tables seats"]
    final_observations: Annotated[np.ndarray, "int8", "tables seats size"]
    final_points: Annotated[np.ndarray, "int32", "tables seats"]
    win_shares: Annotated[np.ndarray, "float64", "tables seats"]
    observation: Annotated[np.ndarray, "int8", "size"]
    masks: Annotated[np.ndarray, "int8", "shares apart"]
    observations: Annotated[np.ndarray, "int8", "tables seats size"]
    action_masks: Annotated[np.ndarray, "int8", "tables seats actions"]
    rewards: Annotated[np.ndarray, "float32", "tables seats"]
    terminated: Annotated[np.ndarray, "bool", "tables"]
    to_act: Annotated[np.ndarray, "bool", "tables seats"]


_HINTS = get_type_hints(Arrays, include_extras=True)
ARRAYS = tuple((name, *hint.__metadata__) for name, hint in _HINTS.items())
"""Name, kind and axes of each."""
TWICE = ("observations", "action_masks", "rewards", "terminated", "to_act")
"""Those that a step writes, by turns: what the step before wrote stays valid."""
LINE = 64
"""Bytes that come from memory at once."""
AXES = ("tables", "seats", "size", "actions", "weights", "shares", "apart")
"""`apart`: of masks that several threads write; no two of them lie in one line."""


class Laid:
    """One of the arrays, as an attribute of whoever has the `_sides`: never replaced."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, kind: type | None = None) -> np.ndarray:
        array: np.ndarray = getattr(owner._sides[0], self._name)
        return array

    def __set__(self, owner: Any, value: Any) -> None:
        raise AttributeError(f"{self._name} stays where it is: write into it, {self._name}[:] = …")


def lay(record: np.dtype[Any], lengths: tuple[int, ...]) -> tuple[Arrays, Arrays]:
    """Arrays of zeros for both sides, most of them the same; `lengths` are those of `AXES`."""
    along = dict(zip(AXES, lengths, strict=True))

    def zeros(kind: str, axes: str) -> np.ndarray:
        dtype = record if kind == "record" else np.dtype(kind)
        return np.zeros([along[axis] for axis in axes.split()], dtype)

    one = Arrays(*(zeros(kind, axes) for _, kind, axes in ARRAYS))
    fresh = {name: zeros(kind, axes) for name, kind, axes in ARRAYS if name in TWICE}
    return one, one._replace(**fresh)


def addresses(sides: tuple[Arrays, Arrays], lengths: tuple[int, ...]) -> np.ndarray:
    """Where the arrays of each side lie, and the lengths; int64 `(2, len(ARRAYS) + len(AXES))`.

    Valid as long as these very arrays live.
    """
    rows = [[*(array.ctypes.data for array in side), *lengths] for side in sides]
    return np.array(rows, np.uint64).astype(np.int64)


class Desk(numba_types.Type):  # type: ignore[misc]  # numba has no types
    """To compiled code: the place of a row of `addresses`; its attributes are `Arrays`.

    Whoever is handed a desk is handed one number. (All arrays are 200, and a first step of Miaui
    with an empty cache took a fifteenth longer.)
    """

    def __init__(self, record: Any) -> None:
        """Of tables of a game with such records."""
        super().__init__(name=f"Desk({record})")
        self.kinds = {name: _array_type(record, kind, axes) for name, kind, axes in ARRAYS}


def _array_type(record: Any, kind: str, axes: str) -> Any:
    one = record if kind == "record" else from_dtype(np.dtype(kind))
    return numba_types.Array(one, len(axes.split()), "C")


@register_model(Desk)
class _DeskModel(models.PrimitiveModel):  # type: ignore[misc]  # numba has no types
    def __init__(self, manager: Any, desk: Desk) -> None:
        super().__init__(manager, desk, ir.IntType(64).as_pointer())


@infer_getattr
class _DeskAttributes(AttributeTemplate):  # type: ignore[misc]  # numba has no types
    key = Desk

    def generic_resolve(self, desk: Desk, name: str) -> Any:
        """The type of an array."""
        return desk.kinds.get(name)


@lower_getattr_generic(Desk)  # type: ignore[untyped-decorator]  # numba has no types
def _take(context: Any, builder: Any, desk: Desk, row: Any, name: str) -> Any:
    """One of the arrays. What the row says never changes, so that LLVM may ask for it just once."""

    def word(number: int) -> Any:
        told = builder.load(cgutils.gep_inbounds(builder, row, number))
        told.set_metadata("invariant.load", builder.module.add_metadata([]))
        return told

    names = [name for name, _, _ in ARRAYS]
    axes = ARRAYS[names.index(name)][2].split()
    shape = [word(len(ARRAYS) + AXES.index(axis)) for axis in axes]
    return _array(context, builder, desk.kinds[name], word(names.index(name)), shape)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def opened(typing: Any, desks: Any, side: Any, record: Any) -> Any:
    """The `Arrays` of a side, from their addresses; `record` is the dtype of a state."""

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = context.make_array(desks)(context, builder, arguments[0]).data
        width = context.get_constant(numba_types.int64, len(ARRAYS) + len(AXES))
        return builder.gep(numbers, [builder.mul(arguments[1], width)])

    return Desk(record.dtype)(desks, numba_types.int64, record), lowered


def _array(context: Any, builder: Any, kind: Any, address: Any, shape: Any) -> Any:
    """An array in one piece, of memory that is not counted."""
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [context.get_constant(numba_types.intp, size)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = arrayobj.make_array(kind)(context, builder)
    data = builder.inttoptr(address, array.data.type)
    arrayobj.populate_array(
        array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None
    )
    return array._getvalue()


def _opened_by_numpy(desk: np.ndarray, side: int, record: np.dtype[Any]) -> Arrays:
    row = desk[side].tolist()
    along = dict(zip(AXES, row[len(ARRAYS) :], strict=True))

    def array(address: int, kind: str, axes: str) -> np.ndarray:
        dtype = record if kind == "record" else np.dtype(kind)
        shape = [along[axis] for axis in axes.split()]
        memory = (ctypes.c_byte * (dtype.itemsize * int(np.prod(shape)))).from_address(address)
        return np.frombuffer(memoryview(memory), dtype).reshape(shape)

    return Arrays(
        *(array(at, kind, axes) for at, (_, kind, axes) in zip(row, ARRAYS, strict=False))
    )


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _fetch(typing: Any, out: Any, at: Any) -> Any:
    """Ask for the cache line of an entry, to be written soon."""

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        told = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], told)
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
        to_write, often, data = number(1), number(3), number(1)
        builder.call(fetch, [place, to_write, often, data])
        return context.get_dummy_value()

    return numba_types.none(out, numba_types.int64), lowered


def _fetch_by_numpy(out: np.ndarray, at: int) -> None:
    """NumPy has no way to ask."""


if config.DISABLE_JIT:
    opened, _fetch = _opened_by_numpy, _fetch_by_numpy


@kernel
def bring(out: Any) -> None:
    """Ask for the memory of an array of bytes that is to be written soon."""
    for at in range(0, len(out), LINE):
        _fetch(out, at)
    _fetch(out, len(out) - 1)
