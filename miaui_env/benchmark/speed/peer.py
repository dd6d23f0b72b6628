"""One environment of another library, measured in that library's own Python: `peer.py NAME CORES`.

Imports nothing of ours and nothing that its library does not bring. On stdout it says, a JSON a
line: first its releases, or why it cannot play; then, for each line on stdin (seconds), how many
decisions it played and how long it spent in them. A decision is what it is for us: one seat's
action, from hand-over to the next observation and mask, without choosing it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

Once = Callable[[], tuple[int, float]]
BATCH = 4096
"""Games side by side in Pgx, as many as at our tables."""
ENVPOOL_BATCH = 1024
"""And in EnvPool, which was fastest with these, of 1 to 4096."""
GOOFSPIEL = "goofspiel(players=4,imp_info=True,points_order=descending)"
"""No luck in it, which would cost calls from Python."""


def openspiel_goofspiel() -> Once:
    """Four seats, 13 cards, bids hidden; each round all bids, observation tensors and masks."""
    game = _module("pyspiel").load_game(GOOFSPIEL)
    luck, seats = np.random.default_rng(0), range(4)
    state = game.new_initial_state()

    def once() -> tuple[int, float]:
        nonlocal state
        bids = [luck.choice(state.legal_actions(seat)) for seat in seats]
        begun = time.perf_counter()
        state.apply_actions(bids)
        if state.is_terminal():
            state.returns()
            state = game.new_initial_state()
        for seat in seats:
            state.observation_tensor(seat)
            state.legal_actions_mask(seat)
        return len(bids), time.perf_counter() - begun

    return once


def openspiel_rl_environment() -> Once:
    """The same game through the library's Python environment."""
    library = _module("open_spiel.python.rl_environment")
    env = library.Environment(_module("pyspiel").load_game(GOOFSPIEL))
    luck, seen = np.random.default_rng(0), env.reset()

    def once() -> tuple[int, float]:
        nonlocal seen
        bids = [luck.choice(legal) for legal in seen.observations["legal_actions"]]
        begun = time.perf_counter()
        seen = env.step(bids)
        if seen.last():
            seen = env.reset()
        return len(bids), time.perf_counter() - begun

    return once


def pettingzoo_rps() -> Once:
    """`rps_v2.env()`, as its page shows it."""
    return _aec(_module("pettingzoo.classic.rps_v2").env())


def pettingzoo_leduc() -> Once:
    """`leduc_holdem_v4.env()`, as its page shows it."""
    return _aec(_module("pettingzoo.classic.leduc_holdem_v4").env())


def _aec(env: Any) -> Once:
    """`last` and `step`; at the end `reset` at once, which spares it the steps of dead agents."""
    luck = np.random.default_rng(0)
    env.reset(seed=0)

    def once() -> tuple[int, float]:
        begun = time.perf_counter()
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            return 0, time.perf_counter() - begun
        looked = time.perf_counter()
        masked = isinstance(observation, dict)
        count = env.action_space(env.agent_selection).n
        legal = np.flatnonzero(observation["action_mask"]) if masked else range(count)
        action = int(luck.choice(legal))
        chosen = time.perf_counter()
        env.step(action)
        return 1, time.perf_counter() - chosen + looked - begun

    return once


def rlcard_leduc() -> Once:
    """Leduc hold'em."""
    return _rlcard("leduc-holdem")


def rlcard_uno() -> Once:
    """UNO, two seats."""
    return _rlcard("uno")


def _rlcard(name: str) -> Once:
    env = _module("rlcard").make(name, config={"seed": 0})
    luck = np.random.default_rng(0)
    state, _ = env.reset()

    def once() -> tuple[int, float]:
        nonlocal state
        action = int(luck.choice(list(state["legal_actions"])))
        begun = time.perf_counter()
        state, _ = env.step(action)
        if env.is_over():
            env.get_payoffs()
            state, _ = env.reset()
        return 1, time.perf_counter() - begun

    return once


def envpool_kuhn() -> Once:
    """Kuhn poker, many games, as many threads as cores."""
    return _envpool("KuhnPoker-v1")


def envpool_leduc() -> Once:
    """Leduc hold'em, likewise."""
    return _envpool("LeducHoldem-v1")


def _envpool(task: str) -> Once:
    """A step in which a game only begins again is time, but no decision."""
    _module_without_init("envpool")
    _module("envpool.pgx.registration")
    make = _module("envpool.registration").make_gymnasium
    known = hasattr(os, "sched_getaffinity")
    threads = len(os.sched_getaffinity(0)) if known else os.cpu_count()
    env = make(task, num_envs=ENVPOOL_BATCH, num_threads=threads, seed=0)
    luck, (_, info) = np.random.default_rng(0), env.reset()
    over = np.zeros(ENVPOOL_BATCH, np.bool_)

    def once() -> tuple[int, float]:
        nonlocal info, over
        masks = info["legal_action_mask"]
        actions = (luck.random(masks.shape) * masks).argmax(1).astype(np.int32)
        begun = time.perf_counter()
        _, _, ended, stopped, info = env.step(actions)
        seconds = time.perf_counter() - begun
        decisions, over = int((~over).sum()), ended | stopped
        return decisions, seconds

    return once


def pgx_kuhn() -> Once:
    """Kuhn poker, many games, a compiled step of all of them, games begun again inside."""
    return _pgx("kuhn_poker")


def pgx_leduc() -> Once:
    """Leduc hold'em, likewise."""
    return _pgx("leduc_holdem")


def pgx_leduc_scanned() -> Once:
    """Leduc hold'em, 64 steps in one compiled loop, the choice of random actions in it."""
    return _pgx("leduc_holdem", 64)


def _pgx(name: str, scanned: int = 0) -> Once:
    jax, pgx = _module("jax"), _module("pgx")
    env = pgx.make(name)
    play = jax.vmap(_module("pgx.experimental").auto_reset(env.step, env.init))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))
    key = jax.random.PRNGKey(1)

    def chosen(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        return jax.random.categorical(key, logits)

    def both(state: Any, key: Any) -> Any:
        acting, dealing = jax.random.split(key)
        return play(state, chosen(state, acting), jax.random.split(dealing, BATCH)), None

    choose, step = jax.jit(chosen), jax.jit(play)
    loop = jax.jit(lambda state, keys: jax.lax.scan(both, state, keys)[0])

    def once() -> tuple[int, float]:
        nonlocal state, key
        key, acting, dealing = jax.random.split(key, 3)
        keys = jax.random.split(dealing, scanned or BATCH)
        arguments = (state, keys) if scanned else (state, choose(state, acting), keys)
        jax.block_until_ready(arguments)
        begun = time.perf_counter()
        state = jax.block_until_ready((loop if scanned else step)(*arguments))
        return BATCH * (scanned or 1), time.perf_counter() - begun

    return once


PEERS: dict[str, tuple[Callable[[], Once], tuple[str, ...]]] = {
    "openspiel goofspiel": (openspiel_goofspiel, ("open_spiel",)),
    "openspiel goofspiel, rl_environment": (openspiel_rl_environment, ("open_spiel",)),
    "pettingzoo rps": (pettingzoo_rps, ("pettingzoo",)),
    "pettingzoo leduc": (pettingzoo_leduc, ("pettingzoo", "rlcard")),
    "rlcard leduc": (rlcard_leduc, ("rlcard",)),
    "rlcard uno": (rlcard_uno, ("rlcard",)),
    "envpool kuhn": (envpool_kuhn, ("envpool",)),
    "envpool leduc": (envpool_leduc, ("envpool",)),
    "pgx kuhn": (pgx_kuhn, ("pgx", "jax", "jaxlib")),
    "pgx leduc": (pgx_leduc, ("pgx", "jax", "jaxlib")),
    "pgx leduc, scanned": (pgx_leduc_scanned, ("pgx", "jax", "jaxlib")),
}
"""Name → (what plays it, the distributions whose releases matter)."""


def _module(name: str) -> Any:
    return importlib.import_module(name)


def _module_without_init(name: str) -> None:
    """Make a package's parts importable though its `__init__` is not run.

    EnvPool's imports all of its environments, which ask for some 500 MB of pictures and models.
    """
    found = importlib.util.find_spec(name)
    if found is None:
        raise ModuleNotFoundError(f"No module named {name!r}")
    package = types.ModuleType(name)
    package.__path__ = list(found.submodule_search_locations or ())
    sys.modules[name] = package


def main(name: str, cores: str) -> None:
    """Answer on stdout for as long as stdin asks; what libraries print goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    if cores == "1" and hasattr(os, "sched_setaffinity"):  # before any thread is there
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    build, needed = PEERS[name]
    try:
        once = build()
        once()
        releases = {one: importlib.metadata.version(one) for one in needed}
    except Exception as problem:
        answers.write(json.dumps({"absent": f"{type(problem).__name__}: {problem}"}) + "\n")
        return
    answers.write(json.dumps({"releases": releases, "python": sys.version.split()[0]}) + "\n")
    for line in sys.stdin:
        decisions, spent = 0, 0.0
        while spent < float(line):
            more, seconds = once()
            decisions, spent = decisions + more, spent + seconds
        answers.write(json.dumps({"decisions": decisions, "seconds": spent}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
