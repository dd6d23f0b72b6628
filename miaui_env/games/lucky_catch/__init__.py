"""Lucky Catch: a memory game with dice, face-down tiles and theft. See RULES.md."""

from miaui_env.game import Game
from miaui_env.games.lucky_catch.bots import BOTS, REMEMBERING
from miaui_env.games.lucky_catch.draw import draw
from miaui_env.games.lucky_catch.imagine import resample
from miaui_env.games.lucky_catch.knowledge import VERSION, inventory, view, view_of
from miaui_env.games.lucky_catch.pieces import MAX_SEATS, STATE, Options
from miaui_env.games.lucky_catch.rebuild import from_view
from miaui_env.games.lucky_catch.recall import remember
from miaui_env.games.lucky_catch.rules import allows, deal, legal, play
from miaui_env.games.lucky_catch.setup import STACK_OPTIONS, actions, longest, stack, write_options
from miaui_env.games.lucky_catch.survey import survey, survey_fields
from miaui_env.games.lucky_catch.view import fields, observe
from miaui_env.games.lucky_catch.words import read, say, words

GAME = Game(
    name="lucky_catch",
    title="Lucky Catch",
    version=VERSION,
    players=range(2, MAX_SEATS + 1),
    default_players=4,
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
    remembering=REMEMBERING,
)
