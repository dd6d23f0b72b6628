"""What the adapters' tests share: which tables to try, and whole games hashed."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
from typing import Any

from miaui_env import find, games
from miaui_env.adapters.aec import AEC
from miaui_env.game import Game
from miaui_env.testing.records import chosen, luck
from tests.adapters import coins

Laid = tuple[str | Game, dict[str, Any]]


def switches(game: Game) -> list[dict[str, Any]]:
    """Every combination of the game's yes-or-no options, in both recall modes."""
    names = [field.name for field in dataclasses.fields(game.options) if field.default is False]
    values = itertools.product((False, True), repeat=len(names) + 1)
    return [dict(zip(["perfect_recall", *names], chosen, strict=True)) for chosen in values]


def label(laid: Laid) -> str:
    game, options = laid
    chosen = [key if value is True else f"{value}" for key, value in options.items() if value]
    return "-".join([as_game(game).name, *chosen])


def every_table() -> list[Laid]:
    """Every shipped game at every number of seats and with every switch."""
    return [
        (name, {"num_players": seats, **options})
        for name in games()
        for options in switches(find(name))
        for seats in find(name).players
    ]


def some_tables() -> list[Laid]:
    """One table of each game for each switch, the seats going round; and one of a game in turns."""
    laid: list[Laid] = []
    for name in games():
        players = find(name).players
        for i, options in enumerate(switches(find(name))):
            laid.append((name, {"num_players": players[i % len(players)], **options}))
    return [
        *laid,
        (coins.GAME, {"num_players": 3}),
        (coins.GAME, {"num_players": 4, "perfect_recall": True}),
    ]


def at_once(tables: list[Laid]) -> list[Laid]:
    """Those where all seats choose at once."""
    return [(game, options) for game, options in tables if as_game(game).simultaneous]


def as_game(game: str | Game) -> Game:
    return find(game) if isinstance(game, str) else game


# -- one game, hashed ---------------------------------------------------------------------------


def digest(game: str | Game, seed: int, episodes: int = 2, **options: Any) -> str:
    """Hash all views, observations, masks, rewards and infos of a seed's first games."""
    return digest_of(AEC(game, reward="points", **options), seed, episodes)


def digest_of(env: AEC, seed: int | None, episodes: int = 2) -> str:
    """The same, in an environment that may have played before."""
    told = hashlib.sha256()
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        for agent in env.agent_iter():
            tell(env, told)
            observation, _, terminated, _, _ = env.last()
            assert observation is not None
            shown, mask = observation["observation"], observation["action_mask"]
            keys = luck(env.table.tables)
            env.step(None if terminated else chosen(shown, mask, keys[env.seat_of(agent)]))
    return told.hexdigest()


def tell(env: Any, told: Any, *, views: bool = True) -> None:
    """Add everything that everyone sees now to a hash; views take most of the time."""
    seats = [None, *env.possible_agents] if views else [None]
    shown = [env.view(agent) for agent in seats]
    told.update(json.dumps([shown, env.rewards, env.infos, env.terminations]).encode())
    told.update(env.state().tobytes())
    for agent in env.possible_agents:
        observation = env.observe(agent)
        told.update(observation["observation"].tobytes() + observation["action_mask"].tobytes())
