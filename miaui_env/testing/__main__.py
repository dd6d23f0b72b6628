"""Hold games to their laws: `python -m miaui_env.testing miaui --games 25`."""

from __future__ import annotations

import argparse

from rich.progress import track

from miaui_env.registry import find, games
from miaui_env.testing.check import LAWS, check_setup
from miaui_env.testing.play import LawBroken, setups_of


def main() -> None:
    """All laws over all setups; ends with the first law that is broken."""
    parser = argparse.ArgumentParser(prog="python -m miaui_env.testing", description=__doc__)
    parser.add_argument("game", nargs="*", default=list(games()), help="names; all games if none")
    parser.add_argument("--games", type=int, default=1, help="of each law at each kind of table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--law", action="append", choices=list(LAWS), help="this law only")
    chosen = parser.parse_args()
    setups = [setup for name in chosen.game for setup in setups_of(find(name))]
    try:
        for setup in track(setups, "checking"):
            for played in range(chosen.games):
                check_setup(setup, laws=chosen.law, seed=chosen.seed + played)
    except LawBroken as broken:
        raise SystemExit(str(broken)) from None
    laws = len(chosen.law or LAWS)
    print(f"{laws} laws hold over {len(setups)} kinds of tables, {chosen.games} times each")


if __name__ == "__main__":
    main()
