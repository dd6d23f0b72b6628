"""Miaui: cats dive for fish at the same time; Kiti the tiki breaks ties. See RULES.md."""

from miaui_env.game import Game
from miaui_env.games.miaui.bots import BOTS
from miaui_env.games.miaui.chances import chances
from miaui_env.games.miaui.configurations import CONFIGURATIONS
from miaui_env.games.miaui.draw import draw
from miaui_env.games.miaui.imagine import resample
from miaui_env.games.miaui.knowledge import VERSION, inventory, view, view_of
from miaui_env.games.miaui.pieces import MAX_SEATS, STATE, Options
from miaui_env.games.miaui.rebuild import from_view
from miaui_env.games.miaui.recall import remember
from miaui_env.games.miaui.rules import allows, deal, legal, play
from miaui_env.games.miaui.setup import STACK_OPTIONS, hand_size, stack, write_options
from miaui_env.games.miaui.survey import survey, survey_fields
from miaui_env.games.miaui.view import fields, observe
from miaui_env.games.miaui.words import read, say, words

GAME = Game(
    name="miaui",
    title="Miaui",
    version=VERSION,
    players=range(2, MAX_SEATS + 1),
    default_players=4,
    simultaneous=True,
    options=Options,
    state=STATE,
    deal=deal,
    legal=legal,
    allows=allows,
    play=play,
    observe=observe,
    survey=survey,
    resample=resample,
    write_options=write_options,
    stack=stack,
    stack_options=STACK_OPTIONS,
    actions=hand_size,
    longest=hand_size,
    fields=fields,
    survey_fields=survey_fields,
    view=view,
    view_of=view_of,
    from_view=from_view,
    remember=remember,
    inventory=inventory,
    say=say,
    read=read,
    words=words,
    draw=draw,
    bots=BOTS,
    chances=chances,
    configurations=CONFIGURATIONS,
)
