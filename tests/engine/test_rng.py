"""Luck is a function: the same words give the same draw, other words another, all without bias."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from miaui_env import keys
from miaui_env.engine.rng import draw, mix, mixed, shuffle


def splitmix(x: int) -> int:
    """splitmix64's finaliser in plain integers, variant 13."""
    mask = (1 << 64) - 1
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)


def plain_mix(key: int, word: int) -> int:
    mask = (1 << 64) - 1
    golden = 0x9E3779B97F4A7C15
    return splitmix(((key ^ (word * golden & mask)) + golden) & mask)


@pytest.mark.parametrize(("key", "word"), [(0, 0), (1, 2), (2**64 - 1, 7), (12345, 2**63 + 5)])
def test_mix_is_splitmix_over_both_words(key: int, word: int) -> None:
    assert int(mix(np.uint64(key), np.uint64(word))) == plain_mix(key, word)
    assert int(mixed(key, word)) == plain_mix(key, word)


def test_arrays_mix_as_numbers_do() -> None:
    words = np.arange(5, dtype=np.uint64)
    assert [int(m) for m in mixed(7, words, 3)] == [plain_mix(plain_mix(7, w), 3) for w in range(5)]


def test_keys_of_neighbouring_seeds_are_all_different() -> None:
    assert len({int(key) for seed in range(20) for key in keys(seed, 50)}) == 1000


@pytest.mark.parametrize("n", [1, 2, 3, 6, 12, 37, 1000])
def test_draws_are_in_range_and_even(n: int) -> None:
    number = 6000
    drawn = [int(draw(np.uint64(11), 3, j, n)) for j in range(number)]
    assert min(drawn) >= 0 and max(drawn) < n
    counts = np.bincount(drawn, minlength=n)
    chi_squared = float(((counts - number / n) ** 2 / (number / n)).sum())
    assert chi_squared < n - 1 + 5 * np.sqrt(2 * n)  # five deviations; a fixed key, so no chance


def test_purposes_and_places_draw_apart() -> None:
    key = np.uint64(5)
    one, other = ([int(draw(key, purpose, j, 1 << 30)) for j in range(50)] for purpose in (0, 1))
    assert len({*one, *other}) == 100


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    orders: dict[tuple[int, ...], int] = {}
    for key in keys(1, 6000):
        cards = np.arange(3)
        shuffle(cards, 0, 3, key, 0)
        orders[tuple(cards)] = orders.get(tuple(cards), 0) + 1
    assert len(orders) == 6
    assert all(abs(count - 1000) < 150 for count in orders.values())


def test_compiled_and_plain_python_draw_the_same() -> None:
    code = (
        "import numpy as np; from miaui_env.engine.rng import draw, mix;"
        "print([int(draw(np.uint64(mix(np.uint64(9), j)), 2, j, 37)) for j in range(40)])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    }
    assert len(outputs) == 1
