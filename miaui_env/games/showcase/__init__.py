"""Showcase: sets of coloured fish, milk, a row of open cards, a race to ten. See RULES.md."""

from miaui_env.game import Game
from miaui_env.games.showcase.bots import BOTS
from miaui_env.games.showcase.draw import draw
from miaui_env.games.showcase.imagine import resample
from miaui_env.games.showcase.knowledge import VERSION, inventory, view, view_of
from miaui_env.games.showcase.memory import remember
from miaui_env.games.showcase.pieces import MAX_SEATS, STATE, Options
from miaui_env.games.showcase.rebuild import from_view
from miaui_env.games.showcase.rules import allows, deal, legal, play
from miaui_env.games.showcase.setup import STACK_OPTIONS, actions, longest, stack, write_options
from miaui_env.games.showcase.survey import survey, survey_fields
from miaui_env.games.showcase.view import fields, observe
from miaui_env.games.showcase.words import read, say, words

GAME = Game(
    name="showcase",
    title="Showcase",
    version=VERSION,
    players=range(2, MAX_SEATS + 1),
    default_players=2,
    simultaneous=False,
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
    actions=actions,
    longest=longest,
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
)
