"""Which bot is stronger, by how much, and how sure that is; and how fast the environments are."""

from miaui_env.benchmark.arena import Purpose, play_lineup
from miaui_env.benchmark.noise import arena_bot
from miaui_env.benchmark.replacement import play_replacement
from miaui_env.benchmark.result import Result
from miaui_env.benchmark.seating import seatings

__all__ = ["Purpose", "Result", "arena_bot", "play_lineup", "play_replacement", "seatings"]
