"""Maui: towels on a beach, bought at the market and matched by pattern. See RULES.md."""

from miaui_env.game import Game
from miaui_env.games.maui.actions import Buy, Free, Take, decode, encode
from miaui_env.games.maui.bots import BOTS
from miaui_env.games.maui.draw import draw
from miaui_env.games.maui.knowledge import VERSION, inventory, view, view_of
from miaui_env.games.maui.legal import allows, legal
from miaui_env.games.maui.pieces import MAX_SEATS, STATE, Options
from miaui_env.games.maui.rebuild import from_view, remember, resample
from miaui_env.games.maui.rules import deal, play
from miaui_env.games.maui.setup import STACK_OPTIONS, actions, longest, stack, write_options
from miaui_env.games.maui.survey import survey, survey_fields
from miaui_env.games.maui.view import fields, observe
from miaui_env.games.maui.words import read, say, words

__all__ = ["GAME", "Buy", "Free", "Take", "decode", "encode"]

GAME = Game(
    name="maui",
    title="Maui",
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
