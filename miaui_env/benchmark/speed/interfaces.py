"""One table through each interface beside one that does nothing; many tables beside `Tables`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import miaui_env
from miaui_env.benchmark.speed import driving, nothing
from miaui_env.benchmark.speed.run import Absent, Once, Run
from miaui_env.engine.tables import Tables

NOTHING = "doing nothing"
MANY = 1024
"""Tables of the vector environments."""


def measure(run: Run) -> dict[str, Any]:
    """A row for each interface: its speed, and as a share of what stands beside it."""
    rows = []
    for name, row in ROWS.items():
        run.say(name)
        try:
            rows.append({"interface": name, **row(run)})
        except (Absent, ImportError) as missing:
            run.skipped[name] = str(missing)
    return {"seats": run.game.default_players, "rows": rows}


def _row(run: Run, players: dict[str, Once], tables: int = 1) -> dict[str, Any]:
    """The first player and, each with its share, what stands beside it."""
    turns = run.turns(players)
    own, *others = players
    beside = {
        other: {"per_second": turns.spread(other), "ratio": turns.ratio(own, other)}
        for other in others
    }
    return {"tables": tables, "per_second": turns.spread(own), "beside": beside}


def aec(run: Run) -> dict[str, Any]:
    """PettingZoo, turn by turn; and what PettingZoo's wrappers alone would cost."""
    env = miaui_env.make(run.game.name, "aec")
    empty = nothing.NothingAEC(env)
    players = {
        "aec": driving.aec_player(env),
        NOTHING: driving.aec_player(empty),
        "doing nothing under two wrappers": driving.aec_player(nothing.wrapped(empty)),
    }
    return _row(run, players)


def parallel(run: Run) -> dict[str, Any]:
    """PettingZoo, all at once."""
    if not run.game.simultaneous:
        raise Absent(f"{run.game.title} is played in turns")
    env = miaui_env.make(run.game.name, "parallel")
    empty = nothing.NothingParallel(env)
    return _row(
        run, {"parallel": driving.parallel_player(env), NOTHING: driving.parallel_player(empty)}
    )


def gymnasium(opponents: Callable[[Run], str]) -> Callable[[Run], dict[str, Any]]:
    """One seat, bots at the others."""

    def row(run: Run) -> dict[str, Any]:
        env = miaui_env.make(run.game.name, "gymnasium", opponents=opponents(run))
        empty = nothing.NothingSeat(env)
        players = {"gymnasium": driving.seat_player(env), NOTHING: driving.seat_player(empty)}
        return {"opponents": opponents(run), **_row(run, players)}

    return row


def vector(run: Run) -> dict[str, Any]:
    """One seat at each of many tables; beside it `Tables` with the same bots in the same loop."""
    number, opponents, game = _many(run), usual_bot(run), run.game.name
    env = miaui_env.make(game, "vector", num_envs=number, opponents=opponents, seat=0)
    tables = driving.seated_player(Tables(game, number), opponents)
    players = {"vector": driving.vector_player(env), "Tables with the same bots": tables}
    if run.game.simultaneous:  # else nobody knows how many moves bots would have made
        players[NOTHING] = driving.vector_player(nothing.NothingVector(env))
    return {"opponents": opponents, **_row(run, players, number)}


def sb3(run: Run) -> dict[str, Any]:
    """SB3's `VecEnv`, all seats learning, masks asked for; beside it `Tables`."""
    if not run.game.simultaneous:
        raise Absent(f"all seats learn only where all choose at once, unlike {run.game.title}")
    number = _many(run)
    env = miaui_env.make(run.game.name, "sb3", num_tables=number)
    tables = driving.tables_player(Tables(run.game, number))
    return _row(run, {"sb3": driving.vec_env_player(env), "Tables": tables}, number)


def usual_bot(run: Run) -> str:
    """The last, and so strongest, of the game's own bots that play the table view."""
    fit = [name for name in run.game.bots if name not in run.game.remembering]
    return fit[-1] if fit else "random"


def _many(run: Run) -> int:
    return 8 if run.quick else MANY


ROWS: dict[str, Callable[[Run], dict[str, Any]]] = {
    "aec": aec,
    "parallel": parallel,
    "gymnasium beside random": gymnasium(lambda run: "random"),
    "gymnasium": gymnasium(usual_bot),
    "vector": vector,
    "sb3": sb3,
}
