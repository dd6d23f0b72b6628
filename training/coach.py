"""The coach looks after a run between two rollouts: seats opponents, examines, saves, tells."""

from __future__ import annotations

import time
from pathlib import Path

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from miaui_env.adapters.sb3 import TablesVecEnv
from training.average import Average
from training.checkpoint import Checkpoint
from training.config import PlayConfig, TrainConfig
from training.display import Display
from training.examiners import against
from training.learner import kept, learning_seats, line, policy_of, pool_tables
from training.monitor import Monitor, earlier_selves, share_among
from training.policy import put_weights
from training.pool import PolicyBot, Pool

CHECKPOINTS = "checkpoints"


class Coach(BaseCallback):
    """A callback of SB3; what it does is a function of the number of updates so far.

    Attributes:
        seconds: time that the run took, earlier parts of a resumed one included.
    """

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        env: TablesVecEnv,
        pool: Pool,
        average: Average,
        display: Display,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """`checkpoint` is where this process took over."""
        super().__init__()
        self.config, self.folder, self.env = config, folder, env
        self.pool, self.average = pool, average
        self.display, self.checkpoint = display, checkpoint
        self.begun = time.perf_counter()
        self.first_step = checkpoint.state["steps"] if checkpoint else 0
        learning = learning_seats(config)
        self.pool_seats = ~learning & pool_tables(config)[:, None]
        self.own_seats = ~learning & ~pool_tables(config)[:, None]
        self.monitor = Monitor(1.0 / env.tables.setup.num_players)
        self.before: PolicyBot | None = None
        self.entropy = line(config.algo.entropy, config.algo.final_entropy)

    @property
    def seconds(self) -> float:
        """See the class."""
        earlier: float = self.checkpoint.state["seconds"] if self.checkpoint else 0.0
        return earlier + time.perf_counter() - self.begun

    @property
    def learner(self) -> MaskablePPO:
        """What learns."""
        assert isinstance(self.model, MaskablePPO)
        return self.model

    @property
    def update(self) -> int:
        """Updates so far."""
        return self.learner.num_timesteps // (self.config.algo.rollout * self.env.num_envs)

    # --- when SB3 calls --------------------------------------------------------------------------

    def _on_rollout_start(self) -> None:
        """Everything that happens between two updates, in this order."""
        steps = self.learner.num_timesteps
        self.pool.admit(self.update, policy_of(self.learner))
        if steps > self.first_step and self.update % self.config.checkpoint_every == 0:
            self.save()
        self.average.take_in(policy_of(self.learner), self.update)
        if self.update % self.config.exam.every == 0:
            self.examine()
        self.seat()
        self.learner.ent_coef = self.entropy(max(0.0, 1.0 - steps / self.config.steps))

    def _on_step(self) -> bool:
        """Nothing: all that matters happens between rollouts."""
        return True

    def _on_rollout_end(self) -> None:
        steps = self.learner.num_timesteps
        speed = (steps - self.first_step) / (time.perf_counter() - self.begun)
        self.logger.record("speed/steps_per_second", speed)
        self.display.advance(steps, speed)

    def _on_training_end(self) -> None:
        self.average.take_in(policy_of(self.learner), self.update)
        self.save()
        self.examine()

    # --- what it does ----------------------------------------------------------------------------

    def seat(self) -> None:
        """Earlier selves at the pool's seats, the present one at others where nobody learns."""
        seated = self.pool.seated(self.update, self.pool_seats)
        if self.own_seats.any():
            seated.append((self.own_seats, PolicyBot(policy_of(self.learner), "present self")))
        if seated:
            self.env.set_opponents(seated)

    def examine(self) -> None:
        """The average's win share against each yardstick, to the log and the screen."""
        exam, setup = self.config.exam, self.env.tables.setup
        bot = PolicyBot(policy_of(self.learner), "learner", temperature_of(self.config.play))
        put_weights(bot.policy, self.average.weights)
        for yardstick in exam.yardsticks:
            result = against(setup, bot, yardstick, deals=exam.deals)
            share = result.of(bot.name).win_share.mean or 0.0
            self.logger.record(f"exam/win_share_against_{yardstick}", share)
            self.display.figures[yardstick] = share
        self.display.tell(self.learner.num_timesteps)
        if self.before and exam.yardsticks:
            self.watch(bot, self.before)
        self.before = PolicyBot(bot.policy, "self before", bot.temperature)

    def watch(self, bot: PolicyBot, before: PolicyBot) -> None:
        """Compare with other selves, and say so where the learner goes round in circles.

        A resumed run begins to watch anew.
        """
        setup = self.env.tables.setup
        selves = earlier_selves(self.pool, bot, setup.num_players)
        lately, pool = (share_among(setup, bot, others) for others in ([before], selves))
        self.monitor.take(lately, [*self.display.figures.values(), pool])
        self.logger.record("exam/win_share_against_self_before", lately)
        self.logger.record("exam/win_share_against_pool", pool)
        self.logger.record("exam/standing", self.monitor.standing[-1])
        self.logger.record("exam/cycling", int(self.monitor.cycling))
        if self.monitor.cycling:
            self.display.warn("it beats its last selves, but no others more than before: a cycle?")

    def save(self) -> None:
        """A checkpoint."""
        checkpoint = kept(self.learner, self.env, self.pool, self.average, self.seconds)
        checkpoint.write(self.folder / CHECKPOINTS, self.update, self.config.checkpoints_kept)


def temperature_of(play: PlayConfig) -> float:
    """As the exported bot will play."""
    return 0.0 if play.how == "argmax" else play.temperature
