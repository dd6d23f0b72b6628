"""Pictures and replays: they tell what the view tells, and nothing else."""

from __future__ import annotations

import copy
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np

from miaui_env.adapters.aec import AEC
from miaui_env.engine.tables import Tables
from miaui_env.game import Setup, View
from miaui_env.testing.play import LawBroken, deciders, decisions, where

SVG = "{http://www.w3.org/2000/svg}"
SECRET_KEYS = {"seed", "episode", "options", "players"}
"""What only a whole replay may hold."""


def law_pictures_tell_the_view(setup: Setup, seed: int) -> None:
    """Everything can be drawn, as SVG, the same from an equal view, with no piece that it lacks."""
    for k, tables in enumerate(decisions(setup, seed=seed)):
        for seat in (k % setup.num_players, None):
            problem = _flaw(setup, tables, tables.view(0, seat))
            if problem:
                raise LawBroken(setup, where(tables), f"the picture for seat {seat} {problem}")


def _flaw(setup: Setup, tables: Tables, view: View) -> str | None:
    told = json.dumps(view)
    svg = setup.draw(view)
    if json.dumps(view) != told or setup.draw(json.loads(told)) != svg:
        return "depends on more than the view, or changes it"
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        return f"is no XML: {error}"
    if root.tag != f"{SVG}svg" or not {"width", "height"} <= set(root.attrib):
        return "is no SVG of a given width and height"
    titles = {title.text for title in root.iter(f"{SVG}title")}
    pieces = titles & set(setup.game.inventory(tables.states[0]))
    strange = sorted(str(piece) for piece in pieces if f'"{piece}"' not in told)
    return f"shows {', '.join(strange)}, which the view does not hold" if strange else None


def law_replays_tell_the_views(setup: Setup, seed: int) -> None:
    """A seat's replay is its views and actions; a whole one, at the end, is played again alike."""
    env = AEC(setup)
    env.reset(seed=seed)
    seat = seed % setup.num_players
    agent = env.possible_agents[seat]
    sights: list[tuple[View, int | None]] = []
    while not env.table.is_over:
        _refuse_whole(env, seed)
        _refuse_a_difference(env, seed)
        actions = env.table.tables.random_actions()[0]
        now = deciders(env.table.tables)[0]
        if now == seat:
            sights.append((env.view(agent), int(actions[now])))
        env.step(int(actions[now]))
    told = env.replay(agent)
    lines = list(told.lines())
    views = [line["view"] for line in lines if "view" in line]
    if views != [*(view for view, _ in sights), env.view(agent)]:
        raise LawBroken(setup, f"seed {seed}", "a seat's replay holds other views than it saw")
    if SECRET_KEYS & {key for line in lines for key in line}:
        raise LawBroken(setup, f"seed {seed}", "a seat's replay holds what only the referee knows")
    moments = list(env.replay().moments())
    if moments[-1].view != env.view(None):
        raise LawBroken(setup, f"seed {seed}", "a game played again ends otherwise")


def _refuse_whole(env: AEC, seed: int) -> None:
    """While the game goes on, nobody gets its seed."""
    try:
        env.replay()
    except ValueError:
        return
    raise LawBroken(env.setup, f"seed {seed}", "a whole replay is given out while the game goes on")


def _refuse_a_difference(env: AEC, seed: int) -> None:
    """Where several seats choose at once, what one has committed is not in the others' replays."""
    owing = deciders(env.table.tables)
    if len(owing) < 2 or env.table.tables.states["turn"][0] % 3 != 1:
        return
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    told = []
    for action in (legal[0], legal[-1]):
        other = copy.deepcopy(env)
        other.step(int(action))
        told.append(json.dumps(list(other.replay(env.possible_agents[owing[-1]]).lines())))
    if told[0] != told[1]:
        problem = "what another seat committed shows in a replay"
        raise LawBroken(env.setup, f"seed {seed}", problem)


PICTURES: dict[str, Callable[[Setup, int], None]] = {
    "pictures tell the view": law_pictures_tell_the_view,
    "replays tell the views": law_replays_tell_the_views,
}
