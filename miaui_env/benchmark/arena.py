"""One line-up of bots over duplicate deals: every deal is played in all rotations of the seats.

A deal's luck is the same in each rotation and whoever plays, so what a good seat or a good hand
gives, it gives to everyone. Nothing depends on the number of workers, and each bot is shown only
what its own seat may know.
"""

from __future__ import annotations

import functools
import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from miaui_env.benchmark.asking import NO_MOVE, Asker
from miaui_env.benchmark.result import Result
from miaui_env.benchmark.summary import Games, joined, summary, unit
from miaui_env.bots import Bot
from miaui_env.engine.rng import mixed
from miaui_env.engine.tables import Step, Tables, one_of
from miaui_env.game import Setup
from miaui_env.play.replay import Replay, end_of

CHUNK = 64
"""Deals played side by side. Fixed: in a batch of another size a network may round otherwise."""

Progress = Callable[[int], object]
"""Told how many more games were played; of many under way, as many as their moves would make up."""


Keep = Callable[[Tables, np.ndarray, np.ndarray, np.ndarray], object]
"""Handed a chunk of finished games: the tables, actions `(steps, tables, seats)`, the number of
each table's deal, and the slot that sat at each seat `(tables, seats)`."""


class Purpose(StrEnum):
    """What a run's seeds are for; each purpose has games of its own, which no other meets.

    Figures that a decision was made by say too much good of its winner; so publish fresh ones.
    """

    DEVELOPMENT = "development"  # looking, while something is being built
    GATE = "gate"  # accepting or refusing a candidate
    MEASUREMENT = "measurement"  # the number that is published
    CONFIRMATION = "confirmation"  # a published claim, checked on deals that nobody has seen


def play_lineup(
    setup: Setup,
    bots: Sequence[Bot],
    *,
    deals: int,
    seed: int = 0,
    purpose: str = "measurement",
    names: Sequence[str] | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    replays: Path | None = None,
) -> Result:
    """Play each deal in all n rotations of n bots, and tell how they did.

    A bot that crashes or chooses an illegal action forfeits that game: its share is 0, the others
    have 1/(n-1) each. If any bot wants perfect recall, the table keeps it, and the bots that do not
    are shown their own part of it.

    Args:
        setup: game, seats and options.
        bots: one a slot; the same bot may stand in several.
        deals: how many.
        seed: which deals.
        purpose: one of `Purpose`.
        names: of the bots, else their own; equal names are copies of one bot, and are pooled.
        workers: threads; with more than one, `act` of the bots is called from several at a time.
        progress: see `Progress`.
        replays: a folder to write each game to, `deal-<deal>-rotation-<rotation>.jsonl`.

    Raises:
        ValueError: for a wrong number of bots or deals, or a bot that cannot play this setup.
    """
    begun = time.perf_counter()
    names = [bot.name for bot in bots] if names is None else list(names)
    _refuse(setup, bots, names, deals, workers, purpose)
    lineup = LineUp.of(setup, bots, arena_key(seed, Purpose(purpose)))
    keep = None if replays is None else functools.partial(save_replays, lineup, names, replays)
    games = play_games(lineup, deals, workers, progress, keep)
    about = {"seed": seed, "purpose": str(Purpose(purpose))}
    return summary(setup, bots, names, games, lineup.key, about, begun)


def _refuse(
    setup: Setup,
    bots: Sequence[Bot],
    names: Sequence[str],
    deals: int,
    workers: int,
    purpose: str,
) -> None:
    if not len(bots) == len(names) == setup.num_players:
        raise ValueError(
            f"{setup.num_players} seats need as many bots and names, "
            f"not {len(bots)} and {len(names)}"
        )
    if deals < 1 or workers < 1:
        raise ValueError(f"deals and workers are 1 or more, not {deals} and {workers}")
    one_of("purpose", purpose, tuple(known.value for known in Purpose))


def arena_key(seed: int, purpose: Purpose) -> int:
    """The 64-bit key of all games of a seed and purpose; no trainer's seed is hashed this way."""
    digest = hashlib.sha256(f"miaui_env arena, {purpose}, {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "little")


# --- playing ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LineUp:
    """Bots ready to play.

    Attributes:
        setup: of the table, with perfect recall if it was asked for or any bot wants it.
        players: the distinct bots, fitted.
        sizes: how much of the table's observation each of `players` is shown.
        slots: index into `players` for each slot; int64 `(n,)`.
        key: of all its games.
    """

    setup: Setup
    players: tuple[Bot, ...]
    sizes: tuple[int, ...]
    slots: np.ndarray
    key: int

    @classmethod
    def of(cls, setup: Setup, bots: Sequence[Bot], key: int) -> LineUp:
        """Fit each distinct bot to the view it wants, and choose the table's."""
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
        )


def _view_for(bot: Bot, setup: Setup) -> Setup:
    """The setup in the recall mode that the bot wants, else as it is."""
    wanted = bot.recall_at(setup)
    return setup if wanted is None else setup.with_recall(wanted)


def play_games(
    lineup: LineUp,
    deals: int,
    workers: int = 1,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> Games:
    """All deals in all rotations, a chunk at a time; `keep` is handed what was played."""
    chunks = [np.arange(i, min(i + CHUNK, deals)) for i in range(0, deals, CHUNK)]
    meter = _locked(progress or (lambda games: None))
    play = functools.partial(_play_chunk, lineup, meter=meter, keep=keep)
    parts = [play(chunks[0])]  # alone: it compiles what is not compiled yet
    if workers > 1:
        with ThreadPoolExecutor(workers) as pool:
            parts += pool.map(play, chunks[1:])
    else:
        parts += map(play, chunks[1:])
    return joined(parts)


def _locked(progress: Progress) -> Progress:
    lock = threading.Lock()

    def told(games: int) -> None:
        with lock:
            progress(games)

    return told


def _play_chunk(
    lineup: LineUp, deals: np.ndarray, meter: Progress, keep: Keep | None = None
) -> Games:
    """Some deals in all rotations, side by side in one `Tables`."""
    n = lineup.setup.num_players
    rotations = np.tile(np.arange(n), len(deals))
    seeds = mixed(lineup.key, np.repeat(deals, n))
    slots = (np.arange(n) - rotations[:, None]) % n  # who sits at each seat
    tables = Tables(lineup.setup, len(seeds), seed=seeds, illegal="forfeit", auto_reset=False)
    askers = tuple(map(Asker, lineup.players))
    at_fault, history = np.zeros(slots.shape, np.bool_), list[np.ndarray]()
    step, rounds, most = tables.reset(), 0, _most_rounds(lineup.setup)
    while step.to_act.any():
        keys = mixed(tables.decision_keys(), rotations[:, None])
        actions = _decide(lineup, step, lineup.slots[slots], keys, askers)
        at_fault |= actions == NO_MOVE
        if keep is not None:
            history.append(actions)
        step = tables.step(actions)
        rounds += 1
        meter(len(seeds) * rounds // most - len(seeds) * (rounds - 1) // most)
    meter(len(seeds) - len(seeds) * rounds // most)
    if keep is not None:
        keep(tables, np.array(history), np.repeat(deals, n), slots)
    credits = _credits(tables.win_shares, at_fault)
    points = tables.final_points.astype(np.int64)
    seats = np.argsort(slots, axis=1)  # where each slot sits
    by_slot = [
        np.take_along_axis(by_seat, seats, 1).reshape(-1, n, n)
        for by_seat in (credits, points, at_fault)
    ]
    return Games(by_slot[0], by_slot[1], by_slot[2], [askers])


def save_replays(
    lineup: LineUp,
    names: Sequence[str],
    folder: Path,
    tables: Tables,
    history: np.ndarray,
    deals: np.ndarray,
    slots: np.ndarray,
) -> None:
    """Write finished games into a folder; `Keep` says what the last four are."""
    for table, deal in enumerate(deals.tolist()):
        sitting = tuple(names[slot] for slot in slots[table])
        deck, end = int(tables.seeds[table]), end_of(tables, table)
        rows = history[:, table]
        replay = Replay.of_rows(lineup.setup, deck, 0, rows, end, players=sitting)
        rotation = table % len(names)
        replay.save(folder / f"deal-{deal:05}-rotation-{rotation}.jsonl")


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
