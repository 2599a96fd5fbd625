"""Boards: a view and what just happened to the small picture that the page's script draws; one file a game.

A game without a file here is shown by its view's names and values.
"""

from collections.abc import Callable, Sequence

from arena.model import Json
from arena.report.boards import pecking_order, peech, rat_deau
from arena.report.replay import view_lines

Board = Callable[[Json, Sequence[Json]], Json]

BOARDS: dict[str, Board] = {
    "pecking_order": pecking_order.board,
    "peech": peech.board,
    "rat_deau": rat_deau.board,
}


def picture(game: str, view: Json, events: Sequence[Json]) -> Json:
    """What to draw after a step; holds nothing that is not in the view or the events."""
    if game in BOARDS:
        return BOARDS[game](view, events)
    return {"lines": [list(line) for line in view_lines(view)]}
