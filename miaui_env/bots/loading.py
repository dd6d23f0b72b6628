"""`load_bot`: a player from its name, a shipped one, or a folder."""

from __future__ import annotations

import difflib
from pathlib import Path

from miaui_env.bots.card import CARD
from miaui_env.bots.protocol import Bot
from miaui_env.bots.search import search_bot
from miaui_env.bots.simple import RuleBot, random_bot, rule_bots


def load_bot(name: str | Path) -> Bot:
    """A player by name.

    Args:
        name: "random" or a game's hand-written player ("greedy"); "flat:400", "search:400",
            "search-rm:400" (simulations a move) or "search:50ms" (time a move), in any game; a
            shipped bot ("miaui/ppo-4p"); or a folder that an export wrote.

    Raises:
        ValueError: for a name that is none of these, or a folder whose files or game do not fit.
    """
    if name == "random":
        return random_bot()
    if isinstance(name, str) and name in rule_bots():
        return RuleBot(name)
    if isinstance(name, str) and (bot := search_bot(name)) is not None:
        return bot
    folder = folder_of(name)
    if folder is not None:
        from miaui_env.bots.exported import ExportedBot

        return ExportedBot(folder)
    if isinstance(name, Path) or "/" in name:
        near = difflib.get_close_matches(str(name), shipped_bots(), 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(
            f"no bot in {str(name)!r}{hint}: neither a folder with a {CARD} nor one of the shipped "
            f"bots {', '.join(shipped_bots()) or '(none)'}"
        )
    return RuleBot(name)


def shipped_root() -> Path:
    """Where shipped bots lie: inside the installed package, or `checkpoints/` of the checkout."""
    inside = Path(__file__).parents[1] / "checkpoints"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "checkpoints"


def shipped_bots() -> list[str]:
    """Names of the shipped bots, `<game>/<bot>`."""
    root = shipped_root()
    return sorted(card.parent.relative_to(root).as_posix() for card in root.glob(f"*/*/{CARD}"))


def folder_of(name: str | Path) -> Path | None:
    """The folder of a shipped or exported bot; None for a name that is neither."""
    if str(name) in shipped_bots():
        return shipped_root() / str(name)
    return Path(name) if (Path(name) / CARD).is_file() else None
