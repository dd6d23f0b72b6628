"""Every setting of a training run, with a sentence each. YAML under `configs/` says what differs.

Hydra fills these classes and refuses a key that none of them has, or a value of another type.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, OmegaConf

from miaui_env.engine.choices import setup_of
from miaui_env.game import Setup


@dataclass
class GameConfig:
    """The table that the bot learns at."""

    name: str = MISSING
    """The game, one of `miaui games`."""
    players: int = MISSING
    """Seats at the table."""
    perfect_recall: bool = False
    """Whether the bot sees all that a player who forgets nothing has seen."""
    options: dict[str, Any] = field(default_factory=dict)
    """The game's own options, by name."""


@dataclass
class TablesConfig:
    """Where experience comes from."""

    number: int = 1024
    """Tables side by side; each is one game at a time."""
    pool_share: float = 0.75
    """The share of tables where one seat learns against earlier selves; at the others all learn."""
    win: float = 1.0
    """Weight of the result in the reward: (n · share - 1) / (n - 1) at the end."""
    margin: float = 0.01
    """Weight of own points minus the mean of the others' in the reward; a little helps early on."""


@dataclass
class AlgoConfig:
    """MaskablePPO, and the network it trains."""

    widths: list[int] = field(default_factory=lambda: [128, 128])
    """Sizes of the trunk's layers, shared by the policy and the value."""
    rollout: int = 24
    """Decisions of each learning seat between two updates."""
    minibatch: int = 8192
    """Samples in a gradient step; small ones (SB3's default is 64) train about ten times slower."""
    epochs: int = 2
    """How often an update sees each sample."""
    learning_rate: float = 1e-3
    """Step size of Adam at the beginning."""
    final_learning_rate: float = 7e-4
    """Step size at the end; in between it falls in a straight line."""
    discount: float = 1.0
    """Worth of a reward one decision later; 1, because games end by themselves."""
    gae_lambda: float = 1.0
    """Of the advantage estimate: 1 trusts results only, 0 the value network only."""
    entropy: float = 0.03
    """Bonus for play that is not decided; it keeps the bot good against others than itself."""
    final_entropy: float = 0.05
    """The bonus at the end; in between it changes in a straight line."""
    clip: float = 0.2
    """How far an update may move the probability of an action, as a ratio."""
    value_weight: float = 0.5
    """Weight of the value's error in the loss."""
    max_gradient: float = 0.5
    """Longer gradients are shortened to this."""
    averaging: float = 0.97
    """Examined and exported is a running average of the weights, with this decay an update."""


@dataclass
class PoolConfig:
    """Frozen earlier selves to play against."""

    size: int = 40
    """The most that are kept; beyond that the oldest goes."""
    growth: float = 1.25
    """A copy is taken whenever the number of updates has grown by this factor: most are young."""
    at_once: int = 4
    """How many different ones sit at the tables of one rollout."""
    temperatures: list[float] = field(default_factory=lambda: [1.0, 0.0])
    """How they play, in turn: 1 samples as they learned, 0 plays the move they like best."""


@dataclass
class ExamConfig:
    """How the bot is examined while it learns, and at the end."""

    yardsticks: list[str] = field(default_factory=lambda: ["random", "greedy"])
    """Fixed bots; each examination seats one learner against copies of one of them."""
    every: int = 20
    """Updates between two examinations."""
    deals: int = 250
    """Deals of an examination while learning, each in all rotations."""
    final_deals: int = 500
    """Deals for the closing table."""


@dataclass
class PlayConfig:
    """How the exported bot chooses."""

    how: str = "argmax"
    """"argmax" (the move it likes best) or "sample" (by the network's probabilities)."""
    temperature: float = 1.0
    """For "sample": below 1 it plays more decidedly than the network says."""


@dataclass
class TrainConfig:
    """One training run."""

    game: GameConfig = field(default_factory=GameConfig)
    """The table."""
    tables: TablesConfig = field(default_factory=TablesConfig)
    """Where experience comes from."""
    algo: AlgoConfig = field(default_factory=AlgoConfig)
    """What learns from it."""
    pool: PoolConfig = field(default_factory=PoolConfig)
    """Whom it plays against, beside itself."""
    exam: ExamConfig = field(default_factory=ExamConfig)
    """Whom it is compared with."""
    play: PlayConfig = field(default_factory=PlayConfig)
    """How the exported bot chooses."""
    name: str = MISSING
    """Name of the bot, on its card."""
    steps: int = 8_000_000
    """Decisions to learn from, over all seats."""
    seed: int = 0
    """All luck of the run comes from it; neighbouring seeds share no games."""
    threads: int = 2
    """Threads of torch."""
    checkpoint_every: int = 20
    """Updates between two checkpoints."""
    checkpoints_kept: int = 2
    """How many checkpoints stay, the newest ones."""
    start_from: str | None = None
    """A bot to go on from (shipped name or folder): its weights are the first ones."""
    runs: str = "runs"
    """The folder of all runs; this one gets its own under it."""
    resume: str | None = None
    """A run's folder: go on with it, exactly as if it had never stopped."""


def register() -> None:
    """Make the schema known to Hydra."""
    ConfigStore.instance().store(name="schema", node=TrainConfig)


def typed(config: Any) -> TrainConfig:
    """A plain `TrainConfig` from what Hydra composed or a file held; unknown keys are errors."""
    merged = OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(TrainConfig), config))
    assert isinstance(merged, TrainConfig)
    return merged


def setup_for(game: GameConfig) -> Setup:
    """The table of a config; ValueError for seats or options that the game does not have."""
    return setup_of(game.name, game.players, perfect_recall=game.perfect_recall, **game.options)
