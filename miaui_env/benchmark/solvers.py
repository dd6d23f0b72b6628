"""OpenSpiel's CFR, CFR+ and MCCFR on our small games, with exact NashConv along the way.

They run unmodified, on the game in turns with its luck at the root, written out as an EFG.
"""

from __future__ import annotations

import functools
import importlib.metadata
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("OpenSpiel is missing: pip install 'miaui-env[openspiel]'") from missing

from miaui_env.adapters import openspiel
from miaui_env.adapters.efg import efg_of
from miaui_env.benchmark.curves import Point, add_run, curve, seeds_of
from miaui_env.benchmark.entries import Entry

SAMPLES = "MCCFR"
"""The one that draws."""
ALGORITHMS: Mapping[str, str] = MappingProxyType(
    {
        "CFR": "counterfactual regret minimisation",
        "CFR+": "CFR+: positive regrets only, later iterations count more",
        SAMPLES: "Monte Carlo CFR by external sampling, plain averaging",
    }
)


@functools.cache
def tree_of(configuration: str) -> Any:
    """A small game as OpenSpiel's own tree."""
    game = openspiel.load(configuration, chance="deals")
    in_turns = game
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        in_turns = pyspiel.convert_to_turn_based(game)
    return pyspiel.load_efg_game(efg_of(in_turns))


def stepping(algorithm: str, tree: Any, seed: int) -> tuple[Any, Callable[[], object]]:
    """A solver, and what does one iteration; for MCCFR that is one sample for each seat."""
    if algorithm == SAMPLES:
        sampling = pyspiel.ExternalSamplingMCCFRSolver(tree, seed)
        return sampling, sampling.run_iteration
    kinds = {"CFR": pyspiel.CFRSolver, "CFR+": pyspiel.CFRPlusSolver}
    solver = kinds[algorithm](tree)
    return solver, solver.evaluate_and_update_policy


def looks(iterations: int) -> Iterator[int]:
    """When to look: after 1, 2, 5, 10, 20, 50 … iterations, and at the end."""
    size = 1
    while size < iterations:
        yield from (size * step for step in (1, 2, 5) if size * step < iterations)
        size *= 10
    yield iterations


def points(
    algorithm: str,
    configuration: str,
    iterations: int,
    seed: int = 0,
    progress: Callable[[int], object] = lambda done: None,
) -> tuple[list[Point], float]:
    """The curve of one run, and the seconds that its iterations took.

    Args:
        algorithm: one of `ALGORITHMS`.
        configuration: name of a small game.
        iterations: how many, 1 or more.
        seed: of what MCCFR draws.
        progress: hears how many more iterations are done.
    """
    tree = tree_of(configuration)
    solver, step = stepping(algorithm, tree, seed)
    found: list[Point] = []
    done, seconds = 0, 0.0
    for look in looks(iterations):
        begun = time.perf_counter()
        for _ in range(look - done):
            step()
        seconds += time.perf_counter() - begun
        progress(look - done)
        done = look
        found.append((done, float(pyspiel.nash_conv(tree, solver.average_policy(), True))))
    return found, seconds


def begun(algorithm: str, configuration: str, iterations: int) -> dict[str, Any]:
    """A curve without a run yet; ValueError for a name that is no small game's."""
    settings = {"iterations": iterations}
    return curve(algorithm, configuration, "iterations", settings, libraries())


def extend(
    entry: Entry,
    algorithm: str,
    configuration: str,
    iterations: int,
    seeds: Sequence[int],
    keep: Callable[[Entry], object],
    progress: Callable[[int], object] = lambda done: None,
) -> dict[str, Any]:
    """The curve of a game in an entry, with what it lacks; `keep` hears of each run that is done.

    Where nothing is drawn there is one run, and no seed.

    Raises:
        ValueError: for an entry whose curve was made with other settings, see `Entry.check`.
    """
    told = entry.held(begun(algorithm, configuration, iterations))
    for seed in seeds if algorithm == SAMPLES else [None]:
        if seed in seeds_of(told):
            progress(iterations)
            continue
        run = points(algorithm, configuration, iterations, seed or 0, progress)
        add_run(told, seed, *run)
        keep(entry)
    return told


def libraries() -> dict[str, str]:
    """Versions of what solves."""
    return {"open_spiel": importlib.metadata.version("open_spiel")}
