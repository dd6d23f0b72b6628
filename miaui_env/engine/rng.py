"""Luck as a function: draw j for a purpose is a hash of (game key, purpose, j), and nothing else.

There is no generator to advance. Luck stays equal after play diverges, a state holds no future, and
no two purposes share draws. The hash is splitmix64's finaliser (Steele, Lea and Flood 2014, "Fast
splittable pseudorandom number generators", with Stafford's variant 13 constants), chained over its
words.

uint64 lives in this file and in the cursors of `layout.py` only; it alone ignores overflow without
the JIT.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import config

from miaui_env.engine.compile import F, kernel, plain

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_TOP = np.uint64(1 << 32)


def _wrapping(function: F) -> F:
    """Let plain Python wrap 64-bit products around, as compiled code does."""
    if not config.DISABLE_JIT:
        return function

    @functools.wraps(function)
    def quiet(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return quiet  # type: ignore[return-value]  # the same signature, by construction


@kernel
@_wrapping
def mix(key: Any, word: Any) -> Any:
    """Hash a 64-bit key with one more 64-bit word; uint64."""
    x = (np.uint64(key) ^ (np.uint64(word) * _GOLDEN)) + _GOLDEN
    x = (x ^ (x >> _30)) * _FIRST
    x = (x ^ (x >> _27)) * _SECOND
    return x ^ (x >> _31)


@kernel
@_wrapping
def draw(key: Any, purpose: Any, j: Any, n: Any) -> Any:
    """Draw j for `purpose`: an int64 in 0 … n-1, without bias (Lemire 2019, by rejection)."""
    x = mix(mix(key, np.uint64(purpose)), np.uint64(j))
    bound = np.uint64(n)
    product = (x >> _32) * bound
    # Hardly ever so small; only then is it worth a division to find out what must be rejected.
    if (product & _LOW) < bound:
        reject_below = (_TOP - bound) % bound
        while (product & _LOW) < reject_below:
            x = mix(x, _GOLDEN)
            product = (x >> _32) * bound
    return np.int64(product >> _32)


@kernel
def spread(x: Any, n: int) -> Any:
    """A 64-bit hash as an int64 in 0 … n-1, for small n: by its remainder."""
    return np.int64(x % np.uint64(n))


@kernel
def shuffle(cards: Any, start: int, stop: int, key: Any, purpose: int) -> None:
    """Put `cards[start:stop]` into a uniformly random order (Fisher-Yates), in place."""
    for i in range(stop - 1, start, -1):
        j = start + draw(key, purpose, i - start, i - start + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def mixed(key: Any, *words: Any) -> Any:
    """`mix` over numbers or whole arrays from plain Python; uint64 of the broadcast shape.

    Negative words count as their two's complement.
    """
    mixing = plain(mix)
    out = _as_uint64(key)
    with np.errstate(over="ignore"):
        for word in words:
            out = mixing(out, _as_uint64(word))
    return out


def _as_uint64(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(np.uint64)
    return np.uint64(int(value) & 0xFFFFFFFFFFFFFFFF)


def keys(seed: int, batch: int) -> np.ndarray:
    """`batch` independent keys, one a decision, for `Bot.act`: uint64 `(batch,)`."""
    return np.asarray(mixed(seed, np.arange(batch, dtype=np.uint64)))
