"""The laws that every game obeys, for any game: `check_game("miaui")`, or a `Game` of your own.

Each law plays random games and raises `LawBroken`, which says which law, where, and what was found.
"""

from miaui_env.testing.check import LAWS, check_game, check_setup
from miaui_env.testing.play import LawBroken, setups_of, variants

__all__ = ["LAWS", "LawBroken", "check_game", "check_setup", "setups_of", "variants"]
