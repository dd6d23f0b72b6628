"""The drawing kit that all games share: SVG as strings, our own drawings, our own letters.

A game's `draw(view)` makes the whole picture of what one view tells, and of nothing else::

    from miaui_env.render import (
        GREEN,
        at,
        badge,
        beach,
        cat,
        document,
        headline,
        panel,
        seat_colour,
        words,
    )


    def draw(view):
        seats = range(view["num_players"])
        return document(
            800,
            600,
            beach(800, 600, sand=160),
            headline(800, "Lucky Catch", [f"cast {view['casts']}"]),
            *(at(10 + 200 * seat, 50, _seat(view, seat)) for seat in seats),
            title="Lucky Catch",
        )


    def _seat(view, seat):
        place = panel(0, 0, 190, 120, seat_colour(seat), own=seat == view["seat"])
        told = words(52, 30, f"seat {seat}", 14, bold=True, room=130)
        turn = badge(10, 90, "casts", GREEN) if seat in view["to_act"] else ""
        return place + at(26, 36, cat(seat)) + told + turn

All of these return text, so a picture is a sum. `at(x, y, …)` moves parts, and may scale, turn or
name them: a `title=` is told when one points there, so put a piece's name there, and only names
that the view holds. `words(…, room=…)` never leaves its room; `spread` lays a row that overlaps
where it must. `pieces` has cards, chips, dice, tiles, tokens and panels; `shapes` and `things` what
swims, crawls and lies about; `scene` the beach and the lagoon; `palette` the colours. A drawing
that recurs is wrapped once, `CRAB = shared("lucky-crab-red", crab(RED))`, and `document`, which is
called last, collects what is shared. `sheet(text)` draws plain words.

Keep the size of the picture the same for a whole game, so that its frames make a film, and say by
shape or word whatever a colour says. The kit needs nothing installed; pixels (`raster`) need the
extra `render`.
"""

# What the modules define is the kit; they define nothing else.
from miaui_env.render.letters import *  # noqa: F403
from miaui_env.render.palette import *  # noqa: F403
from miaui_env.render.pieces import *  # noqa: F403
from miaui_env.render.scene import *  # noqa: F403
from miaui_env.render.shapes import *  # noqa: F403
from miaui_env.render.svg import *  # noqa: F403
from miaui_env.render.things import *  # noqa: F403
