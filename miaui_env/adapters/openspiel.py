"""OpenSpiel: every game as a `pyspiel.Game`, registered as `miaui_env_<game>`.

    from miaui_env.adapters import openspiel

    game = openspiel.load("miaui", num_players=3)
    game = pyspiel.load_game("miaui_env_miaui(players=3)")  # the same, once that is imported

All luck comes at the root, in one of two ways (parameter `chance`). "seed", the default, for games
of any size: four chance nodes of 256 outcomes each name a seed, byte by byte, and the deal is that
of `reset(seed=seed)` in all other interfaces. "deals": one chance node lists every deal with its
probability (`Game.chances`), so that CFR, best responses and their like run as they are.

All seats choose at once where the game says so (`pyspiel.convert_to_turn_based` serves solvers that
refuse that), else one after the other, in seat order. The information state is the history of a
seat's own observations and actions; its string is the seat and `infoset_key`. Tensors hold a
one-hot of the seat, what it observes, and with perfect recall its history, a row a decision: what
it observed then, and a one-hot of its action. Returns are the reward "win".

A state holds its luck to come, as those of all games do whose chance is at the root: searches that
look ahead from the true state instead of sampling what their seat cannot know would be cheating.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("OpenSpiel is missing: pip install 'miaui-env[openspiel]'") from missing

from miaui_env.engine.choices import one_of, setup_of
from miaui_env.engine.rows import COMMITS_NOTHING
from miaui_env.engine.tables import Tables
from miaui_env.game import Chances, Game, Setup
from miaui_env.infosets import infoset_key
from miaui_env.registry import find, games

CHANCES = ("seed", "deals")
BYTES, OUTCOMES = 4, 256
"""Chance nodes of a seed, and the outcomes of each."""
NONE = {str: "", int: -1}
"""What says None to OpenSpiel, whose parameters are of one type each."""


def load(
    game: str | Game | Setup,
    num_players: int | None = None,
    *,
    chance: str = "seed",
    **options: Any,
) -> pyspiel.Game:
    """A game of ours for OpenSpiel.

    Args:
        game: name of a game or of a configuration, a game of your own, or a complete setup (then
            without seats and options).
        num_players: seats at the table.
        chance: "seed" or "deals".
        options: the game's own, and `perfect_recall`.

    Raises:
        ValueError: for wrong options, or "deals" where they cannot be listed.
    """
    setup = setup_of(game, num_players, **options)
    one_of("chance", chance, CHANCES)
    register(setup.game)
    if chance == "deals":
        deals_of(setup)  # so that what is wrong raises here, not inside OpenSpiel
    return pyspiel.load_game(short_name(setup.game), {**_parameters(setup), "chance": chance})


def short_name(game: Game) -> str:
    """As OpenSpiel knows it."""
    return f"miaui_env_{game.name}"


@functools.cache
def register(game: Game) -> None:
    """Make a game known to OpenSpiel; all that are shipped are, once this module is imported."""
    kind = _game_type(game, game.players[-1], game.players[0], _parameters(Setup.of(game)))
    # A class for each: OpenSpiel drops what it was given after Python has ended, which only a class
    # outlives (it refers to itself).
    pyspiel.register_game(kind, type(OpenSpielGame.__name__, (OpenSpielGame,), {"rules": game}))


# --- parameters ---------------------------------------------------------------------------------


def _parameters(setup: Setup) -> dict[str, Any]:
    """What OpenSpiel calls a setup: whole numbers, truths, and lists as words with spaces."""
    told = {"players": setup.num_players, "perfect_recall": setup.perfect_recall, "chance": "seed"}
    for option in dataclasses.fields(setup.options):
        value = getattr(setup.options, option.name)
        if value is None:
            value = NONE[int if "int" in str(option.type) else str]
        told[option.name] = " ".join(map(str, value)) if isinstance(value, tuple) else value
    return told


def _setup(game: Game, given: dict[str, Any]) -> Setup:
    """The setup that such parameters name."""
    options = {}
    for option in dataclasses.fields(game.options):
        value = given[option.name]
        if value == NONE.get(type(value)):
            value = None
        elif isinstance(value, str) and "tuple" in str(option.type):
            value = tuple(value.split())
        options[option.name] = value
    return Setup.of(game, given["players"], perfect_recall=given["perfect_recall"], **options)


def _game_type(game: Game, most: int, least: int, parameters: dict[str, Any]) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    at_once, in_turns = kinds.Dynamics.SIMULTANEOUS, kinds.Dynamics.SEQUENTIAL
    return kinds(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=at_once if game.simultaneous else in_turns,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def deals_of(setup: Setup) -> Chances:
    """Every deal; ValueError for a game that cannot list them."""
    if setup.game.chances is None:
        raise ValueError(f"{setup.game.title} does not list its deals: use chance='seed'")
    return setup.game.chances(setup)


# --- the game -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class Moment:
    """A point of a game, after the luck. Never changed, so copies share it.

    Attributes:
        state: the record's bytes.
        key: the game key.
        observations: what each seat observes, int8 `(size,)` as bytes.
        legal: what each seat may do; nothing where it owes no action.
        histories: for each seat, what it observed when it acted, and its actions.
        returns: at the end; None before.
    """

    state: bytes
    key: int
    observations: tuple[bytes, ...]
    legal: tuple[tuple[int, ...], ...]
    histories: tuple[tuple[tuple[bytes, int], ...], ...]
    returns: tuple[float, ...] | None

    def __deepcopy__(self, memo: Any) -> Moment:
        """Itself: OpenSpiel copies states all the time."""
        return self


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """One setup of one of our games.

    Attributes:
        rules: the game; each has a class of its own.
        setup: game, seats, options.
        deals: with chance "deals" all of them, else None.
    """

    rules: Game

    def __init__(self, given: dict[str, Any]) -> None:
        """`given` are OpenSpiel's parameters, complete."""
        game = self.rules
        self.setup = setup = _setup(game, given)
        by_deals = one_of("chance", given["chance"], CHANCES) == "deals"
        self.deals = deals_of(setup) if by_deals else None
        self._table = Tables(setup, 1, auto_reset=False)
        seats, specification = setup.num_players, _parameters(Setup.of(game))
        info = pyspiel.GameInfo(
            num_distinct_actions=setup.num_actions,
            max_chance_outcomes=len(self.deals.states) if self.deals else OUTCOMES,
            num_players=seats,
            min_utility=-1.0 / (seats - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=setup.longest * (1 if game.simultaneous else seats),
        )
        super().__init__(_game_type(game, seats, seats, specification), info, given)

    def new_initial_state(self) -> OpenSpielState:
        """Before the luck."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        """What one seat sees; or with perfect recall, its information state."""
        if params:
            raise ValueError(f"observers take no parameters, but got {params}")
        return OpenSpielObserver(
            self.setup, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        )

    def max_chance_nodes_in_history(self) -> int:
        """All of them come first."""
        return 1 if self.deals else BYTES

    def begin(self, luck: list[int]) -> Moment | None:
        """The first decision, once the luck is complete."""
        if len(luck) < self.max_chance_nodes_in_history():
            return None
        if self.deals:
            self._lay(self.deals.states[luck[0]].tobytes(), 0)
        else:
            self._table.reset(seed=int.from_bytes(bytes(luck), "big"))
        return self._look(((),) * self.setup.num_players)

    def play(self, moment: Moment, actions: dict[int, int]) -> Moment:
        """The moment after some seats' actions."""
        self._lay(moment.state, moment.key)
        row = np.full((1, self.setup.num_players), COMMITS_NOTHING)
        row[0, list(actions)] = list(actions.values())
        self._table.step(row)
        return self._look(
            tuple(
                (*past, (moment.observations[seat], actions[seat])) if seat in actions else past
                for seat, past in enumerate(moment.histories)
            )
        )

    def _lay(self, state: bytes, key: int) -> None:
        self._table.states[:] = np.frombuffer(state, self._table.states.dtype)
        self._table.keys[:] = key
        self._table.deal(np.zeros(1, np.bool_))  # deals nothing, but looks

    def _look(self, histories: Any) -> Moment:
        table, n = self._table, self.setup.num_players
        seen = [table.observe(0, seat) for seat in range(n)]
        shares = table.win_shares[0].tolist()
        return Moment(
            state=table.states.tobytes(),
            key=int(table.keys[0]),
            observations=tuple(observation.tobytes() for observation, _ in seen),
            legal=tuple(tuple(np.flatnonzero(mask).tolist()) for _, mask in seen),
            histories=histories,
            returns=tuple((n * share - 1.0) / (n - 1) for share in shares)
            if table.terminated[0]
            else None,
        )


class OpenSpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A point of a game, luck included.

    OpenSpiel calls the methods below; those with a leading underscore it names so itself.

    Attributes:
        luck: outcomes of the chance nodes so far.
        moment: None before all luck is known.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.luck: list[int] = []
        self.moment: Moment | None = None

    def current_player(self) -> int:
        """Whose turn it is, or chance, all at once, or nobody any more."""
        if self.moment is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.moment.returns is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.get_game().setup.game.simultaneous:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return next(seat for seat, legal in enumerate(self.moment.legal) if legal)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.moment is not None and self.moment.returns is not None

    def returns(self) -> list[float]:
        """The reward "win" of each seat; 0 before the end."""
        if self.moment is None or self.moment.returns is None:
            return [0.0] * self.get_game().setup.num_players
        return list(self.moment.returns)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes with their probabilities."""
        deals = self.get_game().deals
        if deals is None:
            return [(outcome, 1.0 / OUTCOMES) for outcome in range(OUTCOMES)]
        return [(deal, float(chance)) for deal, chance in enumerate(deals.probabilities)]

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may know, as a dict; None is the referee. ValueError before the luck."""
        if self.moment is None:
            raise ValueError("nobody sees anything before all luck is known")
        setup = self.get_game().setup
        record = np.frombuffer(self.moment.state, setup.game.state).copy()
        view: dict[str, Any] = setup.view(record[0], seat)
        return view

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.moment.legal[player]) if self.moment else []

    def _apply_action(self, action: int) -> None:
        if self.moment is None:
            self.luck = [*self.luck, action]
            self.moment = self.get_game().begin(self.luck)
        else:
            self.moment = self.get_game().play(self.moment, {self.current_player(): action})

    def _apply_actions(self, actions: list[int]) -> None:
        self.moment = self.get_game().play(self.moment, dict(enumerate(actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"luck {action}"
        said: str = self.get_game().setup.say(action)
        return said

    def __str__(self) -> str:
        """The luck, and all that the referee sees."""
        if self.moment is None:
            return f"luck so far: {self.luck}"
        return json.dumps(self.view(None))


class OpenSpielObserver:
    """What OpenSpiel shows to a seat; see `open_spiel.python.observation`.

    A seat's observation is one piece: asked for the public or the private part alone, or for
    everyone's, there is no tensor and the string is None, as in OpenSpiel's own games.

    Attributes:
        tensor: float32, all pieces.
        dict: the pieces by name, in the same memory.
    """

    def __init__(self, setup: Setup, kind: Any) -> None:
        """`kind` is a `pyspiel.IIGObservationType`."""
        self._recalls, self._size = bool(kind.perfect_recall), setup.layout.size
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            self._lay_out(setup)

    def _lay_out(self, setup: Setup) -> None:
        shapes: dict[str, tuple[int, ...]] = {"player": (setup.num_players,)}
        shapes["observation"] = (self._size,)
        if self._recalls:
            shapes["history"] = (setup.longest, self._size + setup.num_actions)
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes.values())])
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[1:-1])
        for (name, shape), part in zip(shapes.items(), parts, strict=True):
            self.dict[name] = part.reshape(shape)

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Overwrite `tensor` by what the seat knows; only who it is before all luck is known."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if state.moment is None:
            return
        self.dict["observation"][:] = np.frombuffer(state.moment.observations[player], np.int8)
        if self._recalls:
            for i, (seen, action) in enumerate(state.moment.histories[player]):
                self.dict["history"][i, : self._size] = np.frombuffer(seen, np.int8)
                self.dict["history"][i, self._size + action] = 1

    def string_from(self, state: OpenSpielState, player: int) -> str | None:
        """The seat and its `infoset_key`, or its view as JSON."""
        if self.tensor is None:
            return None
        if state.moment is None:
            return f"player {player} before the deal"
        if not self._recalls:
            return json.dumps(state.view(player))
        past = [(np.frombuffer(seen, np.int8), did) for seen, did in state.moment.histories[player]]
        seen = np.frombuffer(state.moment.observations[player], np.int8)
        return f"player {player} {infoset_key(past, seen)}"


for _name in games():
    register(find(_name))
