"""Players: one batched protocol, and `load_bot`, which finds them by name or in a folder."""

from miaui_env.bots.loading import load_bot, shipped_bots, shipped_root
from miaui_env.bots.protocol import Bot

__all__ = ["Bot", "load_bot", "shipped_bots", "shipped_root"]
