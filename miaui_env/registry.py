"""A folder under `games/` is a game: found, not listed; and so are its names elsewhere."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from types import ModuleType
from typing import Any

import gymnasium

from miaui_env import games as _folder
from miaui_env.game import Game, Setup

_EXTRA: dict[str, Game] = {}


@functools.cache
def _shipped() -> tuple[str, ...]:
    return tuple(sorted(m.name for m in pkgutil.iter_modules(_folder.__path__) if m.ispkg))


def games() -> tuple[str, ...]:
    """Names of all games."""
    return (*_shipped(), *_EXTRA)


def register(game: Game) -> None:
    """Make a game of your own known by its name, beside those that are shipped."""
    if game.name in _shipped():
        raise ValueError(f"a game named {game.name!r} is shipped already")
    _EXTRA[game.name] = game


def find(name: str) -> Game:
    """The game of that name; ValueError names those there are."""
    if name in _EXTRA:
        return _EXTRA[name]
    if name not in _shipped():
        near = difflib.get_close_matches(name, games(), 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"no game {name!r}{hint}; there are {', '.join(games())}")
    game: Game = importlib.import_module(f"miaui_env.games.{name}").GAME
    return game


def configurations() -> tuple[str, ...]:
    """Names of all games' configurations: whole setups, such as those small enough to solve."""
    return tuple(name for game in map(find, games()) for name in game.configurations)


def configured(name: str, *, perfect_recall: bool = False) -> Setup:
    """The setup of that name; ValueError names those there are."""
    for game in map(find, games()):
        if name in game.configurations:
            return Setup.of(game, **game.configurations[name], perfect_recall=perfect_recall)
    raise ValueError(f"no configuration {name!r}; there are {', '.join(configurations())}")


def pettingzoo_names() -> tuple[str, ...]:
    """`<game>_v<version>` of all games, as PettingZoo names its modules."""
    return tuple(map(_pettingzoo_name, games()))


def _pettingzoo_name(name: str) -> str:
    version = _EXTRA[name].version if name in _EXTRA else _folder.version_of(name)
    return f"{name}_v{version}"


@functools.cache
def entry(name: str) -> ModuleType:
    """A module as PettingZoo has them: `env`, `raw_env`, `parallel_env` if all choose at once."""
    game = next(find(game) for game in games() if name == _pettingzoo_name(game))
    module = ModuleType(f"miaui_env.{name}", f"{game.title}, for PettingZoo.")

    def env(num_players: int | None = None, **options: Any) -> Any:
        from miaui_env.adapters.aec import AEC

        return AEC(game, num_players, **options)

    def parallel_env(num_players: int | None = None, **options: Any) -> Any:
        from miaui_env.adapters.parallel import Parallel

        return Parallel(game, num_players, **options)

    vars(module).update(env=env, raw_env=env)
    if game.simultaneous:
        vars(module).update(parallel_env=parallel_env)
    return module


def gymnasium_id(game: Game) -> str:
    """`miaui_env/<Game>-v<version>`."""
    return _gymnasium_id(game.name, game.version)


def _gymnasium_id(name: str, version: int) -> str:
    camel = "".join(word.title() for word in name.split("_"))
    return f"miaui_env/{camel}-v{version}"


def register_with_gymnasium() -> None:
    """Give each game its id, for `gymnasium.make` and `make_vec`; imports none of them."""
    for name in _shipped():
        gymnasium.register(
            _gymnasium_id(name, _folder.version_of(name)),
            entry_point="miaui_env.adapters.gym:SeatEnv",
            vector_entry_point="miaui_env.adapters.vector:SeatVectorEnv",
            kwargs={"game": name},
        )


INTERFACES = {
    "aec": "miaui_env.adapters.aec:AEC",
    "parallel": "miaui_env.adapters.parallel:Parallel",
    "gymnasium": "miaui_env.adapters.gym:SeatEnv",
    "vector": "miaui_env.adapters.vector:SeatVectorEnv",
    "sb3": "miaui_env.adapters.sb3:TablesVecEnv",
    "openspiel": "miaui_env.adapters.openspiel:load",
}


def make(game: str, interface: str = "aec", **arguments: Any) -> Any:
    """An environment of a game for the interface of your library.

    Args:
        game: its name, see `games`, or that of a configuration.
        interface: "aec" or "parallel" (PettingZoo), "gymnasium", "vector" (Gymnasium), "sb3",
            "openspiel".
        arguments: seats, options, and what the interface takes.
    """
    if interface not in INTERFACES:
        raise ValueError(f"interface is one of {', '.join(INTERFACES)}, not {interface!r}")
    module, name = INTERFACES[interface].split(":")
    return getattr(importlib.import_module(module), name)(game, **arguments)
