"""All laws, over one setup or all setups of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from miaui_env.game import Game, Setup
from miaui_env.registry import find
from miaui_env.testing.accounts import ACCOUNTS
from miaui_env.testing.agreement import AGREEMENT
from miaui_env.testing.bounds import BOUNDS
from miaui_env.testing.copies import COPIES
from miaui_env.testing.pictures import PICTURES
from miaui_env.testing.play import LawBroken, setups_of
from miaui_env.testing.recalls import RECALLS
from miaui_env.testing.secrets import SECRETS
from miaui_env.testing.seeds import SEEDS

LAWS: dict[str, Callable[[Setup, int], None]] = {
    **SECRETS,
    **RECALLS,
    **ACCOUNTS,
    **BOUNDS,
    **SEEDS,
    **COPIES,
    **AGREEMENT,
    **PICTURES,
}
"""Each law by its name: a function of a setup and a seed that raises LawBroken.

Those of Stable-Baselines3 are among them where it is installed.
"""


def check_game(
    game: str | Game,
    *,
    setups: Iterable[Setup] | None = None,
    laws: Iterable[str] | None = None,
    games: int = 1,
    seed: int = 0,
) -> None:
    """Hold a game to the laws.

    Args:
        game: its name, or a game of your own.
        setups: the tables to try; None takes every number of seats, variant and recall mode.
        laws: names from `LAWS`; None takes all.
        games: how often each law is tried, with seeds `seed`, `seed` + 1, …
        seed: of the random play.

    Raises:
        LawBroken: at the first law that is broken; it says which, where, and what was found.
    """
    chosen = find(game) if isinstance(game, str) else game
    for setup in setups_of(chosen) if setups is None else setups:
        for played in range(games):
            check_setup(setup, laws=laws, seed=seed + played)


def check_setup(setup: Setup, *, laws: Iterable[str] | None = None, seed: int = 0) -> None:
    """Hold one table to the laws; see `check_game`."""
    for name in LAWS if laws is None else laws:
        if name not in LAWS:
            raise ValueError(f"no law {name!r}; there are {', '.join(LAWS)}")
        try:
            LAWS[name](setup, seed)
        except LawBroken as broken:
            broken.args = (f"the law “{name}” is broken: {broken}",)
            raise
