"""One line-up of bots over duplicate deals: every deal is played with the seats taken in turns.

A deal's luck is the same in each seating and whoever plays, so what a good seat or a good hand
gives, it gives to everyone. Nothing depends on the number of workers, and each bot is shown only
what its own seat may know.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from miaui_env.benchmark.asking import NO_MOVE, Asker
from miaui_env.benchmark.patience import Patience, Slip
from miaui_env.benchmark.result import Result
from miaui_env.benchmark.seating import seatings
from miaui_env.benchmark.summary import Games, joined, summary, unit
from miaui_env.bots import Bot
from miaui_env.engine.choices import one_of
from miaui_env.engine.rng import mixed
from miaui_env.engine.tables import Step, Tables
from miaui_env.game import Setup
from miaui_env.play.replay import Replay, end_of

BLOCK = 32
"""Deals played side by side. Fixed: in a batch of another size a network may round otherwise."""

Progress = Callable[[int], object]
"""Told how many more games were played; of many under way, as many as their moves would make up."""


class Purpose(StrEnum):
    """What a run's seeds are for; each purpose has games of its own, which no other meets.

    Figures that a decision was made by say too much good of its winner; so publish fresh ones.
    """

    DEVELOPMENT = "development"  # looking, while something is being built
    GATE = "gate"  # accepting or refusing a candidate
    MEASUREMENT = "measurement"  # the number that is published
    CONFIRMATION = "confirmation"  # a published claim, checked on deals that nobody has seen
    RESPONSE = "response"  # what a learned best response wins


def play_lineup(
    setup: Setup,
    bots: Sequence[Bot],
    *,
    deals: int,
    seed: int = 0,
    purpose: str = "measurement",
    names: Sequence[str] | None = None,
    seating: str = "auto",
    workers: int = 1,
    apart: bool | None = None,
    move_limit: float | None = None,
    progress: Progress | None = None,
    replays: Path | None = None,
) -> Result:
    """Play each deal with n bots in several seatings, and tell how they did.

    A bot that crashes, chooses an illegal action or exceeds the limit forfeits that game: its share
    is 0, the others have 1/(n-1) each. If any bot wants perfect recall, the table keeps it, and the
    bots that do not are shown their own part of it.

    Args:
        setup: game, seats and options.
        bots: one a slot; the same bot may stand in several.
        deals: how many.
        seed: which deals.
        purpose: one of `Purpose`.
        names: of the bots, else their own; equal names are copies of one bot, and are pooled.
        seating: in which seatings each deal is played, see `seatings`.
        workers: processes; the result does not depend on them.
        apart: play in processes, where a bot that dies or hangs for ever does no harm; by itself
            with more than one worker. Bots must then be pickled. Otherwise a time limit stops
            Python code in the main thread only.
        move_limit: seconds for a move; each is then asked for, and timed, alone.
        progress: see `Progress`.
        replays: a folder to write each game to, `deal-<deal>-seating-<seating>.jsonl`.

    Raises:
        ValueError: for a wrong number of bots or deals, different bots of one name, or a bot that
            cannot play this setup.
    """
    begun = time.perf_counter()
    names = [bot.name for bot in bots] if names is None else list(names)
    refuse(setup, bots, names, deals=deals, workers=workers, move_limit=move_limit)
    one_of("purpose", purpose, tuple(known.value for known in Purpose))
    lineup = LineUp.of(setup, bots, arena_key(seed, Purpose(purpose)), seatings(names, seating))
    processes = workers if apart or (apart is None and workers > 1) else 0
    lineup = replace(lineup, keeping=None if replays is None else Keeping(replays, tuple(names)))
    games = play_games(lineup, deals, processes, progress, move_limit)
    about = {"seed": seed, "purpose": str(Purpose(purpose)), "move_limit": move_limit}
    return summary(replace(lineup, setup=setup), bots, names, games, about, begun)


def refuse(
    setup: Setup,
    bots: Sequence[Bot],
    names: Sequence[str],
    *,
    deals: int,
    workers: int,
    move_limit: float | None,
) -> None:
    """ValueError for what makes no sense, and for two different bots of one name."""
    if not len(bots) == len(names) == setup.num_players:
        raise ValueError(
            f"{setup.num_players} seats need as many bots and names, "
            f"not {len(bots)} and {len(names)}"
        )
    if deals < 1 or workers < 1:
        raise ValueError(f"deals and workers are 1 or more, not {deals} and {workers}")
    if move_limit is not None and not 0 < move_limit < float("inf"):
        raise ValueError(f"the limit for a move is more than 0 seconds, not {move_limit!r}")
    owners: dict[str, Bot] = {}
    for name, bot in zip(names, bots, strict=True):
        if owners.setdefault(name, bot) is not bot:
            raise ValueError(
                f"two different bots are named {name!r}; tell them apart by `names` "
                "(copies of one bot are the same object)"
            )


def arena_key(seed: int, purpose: Purpose) -> int:
    """The 64-bit key of all games of a seed and purpose; no trainer's seed is hashed this way."""
    digest = hashlib.sha256(f"miaui_env arena, {purpose}, {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "little")


# --- playing ------------------------------------------------------------------------------------


class Keeping(NamedTuple):
    """Where replays of all games go, and what each slot is called in them."""

    folder: Path
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LineUp:
    """Bots ready to play.

    Attributes:
        setup: of the table, with perfect recall if it was asked for or any bot wants it.
        players: the distinct bots, fitted.
        sizes: how much of the table's observation each of `players` is shown.
        slots: index into `players` for each slot; int64 `(n,)`.
        key: of all its games.
        seatings: the slot at each seat, for each time that a deal is played; int64 `(times, n)`.
        keeping: where to write replays; None writes none.
    """

    setup: Setup
    players: tuple[Bot, ...]
    sizes: tuple[int, ...]
    slots: np.ndarray
    key: int
    seatings: np.ndarray
    keeping: Keeping | None = None

    @classmethod
    def of(
        cls, setup: Setup, bots: Sequence[Bot], key: int, seated: np.ndarray | None = None
    ) -> LineUp:
        """Fit each distinct bot to the view it wants, and choose the table's.

        Without seatings, its rotations.
        """
        distinct = list({id(bot): bot for bot in bots}.values())
        slots = [next(i for i, other in enumerate(distinct) if other is bot) for bot in bots]
        views = [_view_for(bot, setup) for bot in distinct]
        table = setup.with_recall(any(view.perfect_recall for view in (setup, *views)))
        return cls(
            table,
            tuple(bot.fitted(view) for bot, view in zip(distinct, views, strict=True)),
            tuple(view.layout.size for view in views),
            np.array(slots),
            key,
            seatings([bot.name for bot in bots], "rotations") if seated is None else seated,
        )


def _view_for(bot: Bot, setup: Setup) -> Setup:
    """The setup in the recall mode that the bot wants, else as it is."""
    wanted = bot.recall_at(setup)
    return setup if wanted is None else setup.with_recall(wanted)


def play_games(
    lineup: LineUp,
    deals: int,
    processes: int = 0,
    progress: Progress | None = None,
    move_limit: float | None = None,
) -> Games:
    """All deals in all seatings, a block at a time; in this process unless some are named."""
    from miaui_env.benchmark.workers import play_blocks

    blocks = [(0, part) for part in in_blocks(deals)]
    played = dict(play_blocks([lineup], blocks, processes, progress, move_limit))
    return joined([played[i] for i in range(len(blocks))])


def in_blocks(deals: int) -> list[np.ndarray]:
    """Numbers of the deals, `BLOCK` at a time; the last block may be shorter."""
    return [np.arange(i, min(i + BLOCK, deals)) for i in range(0, deals, BLOCK)]


def play_block(
    lineup: LineUp,
    deals: np.ndarray,
    meter: Progress,
    patience: Patience | None = None,
    slip: Slip | None = None,
) -> Games:
    """Some deals in all seatings, side by side in one `Tables`."""
    n, times = lineup.setup.num_players, len(lineup.seatings)
    seatings = np.tile(np.arange(times), len(deals))
    seeds = mixed(lineup.key, np.repeat(deals, times))
    slots = lineup.seatings[seatings]  # who sits at each seat
    tables = Tables(lineup.setup, len(seeds), seed=seeds, illegal="forfeit", auto_reset=False)
    askers = [Asker(bot, i, patience, slip) for i, bot in enumerate(lineup.players)]
    at_fault, history = np.zeros(slots.shape, np.bool_), list[np.ndarray]()
    step, rounds, most = tables.reset(), 0, _most_rounds(lineup.setup)
    while step.to_act.any():
        keys = mixed(tables.decision_keys(), seatings[:, None])
        actions = _decide(lineup, step, lineup.slots[slots], keys, askers)
        at_fault |= actions == NO_MOVE
        if lineup.keeping is not None:
            history.append(actions)
        step = tables.step(actions)
        rounds += 1
        meter(len(seeds) * rounds // most - len(seeds) * (rounds - 1) // most)
    meter(len(seeds) - len(seeds) * rounds // most)
    if lineup.keeping is not None:
        save_replays(lineup, lineup.keeping, tables, np.array(history), np.repeat(deals, times))
    credits = _credits(tables.win_shares, at_fault)
    points = tables.final_points.astype(np.int64)
    seats = np.argsort(slots, axis=1)  # where each slot sits
    by_slot = [
        np.take_along_axis(by_seat, seats, 1).reshape(-1, times, n)
        for by_seat in (credits, points, at_fault)
    ]
    return Games(by_slot[0], by_slot[1], by_slot[2], tuple(asker.account for asker in askers))


def save_replays(
    lineup: LineUp, keeping: Keeping, tables: Tables, history: np.ndarray, deals: np.ndarray
) -> None:
    """Write finished games: actions int64 `(steps, tables, seats)`, and each table's deal."""
    times = len(lineup.seatings)
    for table, deal in enumerate(deals.tolist()):
        sitting = tuple(keeping.names[slot] for slot in lineup.seatings[table % times])
        deck, end = int(tables.seeds[table]), end_of(tables, table)
        rows = history[:, table]
        replay = Replay.of_rows(lineup.setup, deck, 0, rows, end, players=sitting)
        replay.save(keeping.folder / f"deal-{deal:05}-seating-{table % times}.jsonl")


def _most_rounds(setup: Setup) -> int:
    """Decision rounds in the longest game, for the progress bar."""
    return setup.longest * (1 if setup.game.simultaneous else setup.num_players)


def _decide(
    lineup: LineUp, step: Step, sitting: np.ndarray, keys: np.ndarray, askers: Sequence[Asker]
) -> np.ndarray:
    """An action for each seat that owes one, -1 for others, NO_MOVE for bots at fault.

    `sitting[table, seat]` is the index of the bot there; it is shown what that seat may know.
    """
    actions = np.full(step.to_act.shape, -1, np.int64)
    n = step.to_act.shape[1]
    for player, asker in enumerate(askers):
        tables, seats = np.nonzero(step.to_act & (sitting == player))
        if len(tables):
            actions[tables, seats] = asker.ask(
                step.observations[tables, seats, : lineup.sizes[player]],
                step.action_masks[tables, seats],
                keys[tables, seats],
                tables * n + seats,
            )
    return actions


def _credits(win_shares: np.ndarray, at_fault: np.ndarray) -> np.ndarray:
    """Win shares × `unit(n)`; where seats were at fault, the others share the win evenly."""
    whole = unit(at_fault.shape[1])
    credits = np.rint(win_shares.astype(np.float64) * whole).astype(np.int64)
    blameless = ~at_fault
    spoiled = at_fault.any(1)
    number = np.maximum(blameless.sum(1, keepdims=True), 1)
    credits[spoiled] = (blameless * (whole // number))[spoiled]
    return credits
