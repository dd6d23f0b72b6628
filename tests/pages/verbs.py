"""The actions of a game, told by what they begin with instead of one by one."""

from __future__ import annotations

import itertools

from miaui_env import Setup


def verb(words: str, length: int) -> str:
    """The first words of an action, as far as they are no numbers: `swap`, `fish sea`."""
    return " ".join(itertools.takewhile(lambda word: not word.isdigit(), words.split()[:length]))


def verb_of(setup: Setup) -> list[str]:
    """The verb of each action: its first word, or two where the first is the same for all."""
    words = [setup.say(action) for action in range(setup.num_actions)]
    length = 1 if len({verb(one, 1) for one in words}) > 1 else 2
    return [verb(one, length) for one in words]


def verbs(setup: Setup) -> list[tuple[str, str]]:
    """Numbers from … to, and the actions they stand for, run by run."""
    runs = itertools.groupby(range(setup.num_actions), verb_of(setup).__getitem__)
    return [told(setup, list(actions)) for _, actions in runs]


def told(setup: Setup, actions: list[int]) -> tuple[str, str]:
    """One run: its first two actions and its last one."""
    first, last = actions[0], actions[-1]
    begin = ", ".join(f"`{setup.say(action)}`" for action in actions[:2])
    numbers = str(first) if first == last else f"{first}–{last}"
    return numbers, begin if len(actions) < 3 else f"{begin} … `{setup.say(last)}`"
