"""Text boards: a view as a person at a terminal sees the table; one file a game.

A game without a file here is shown by its view's names and values.
"""

from collections.abc import Callable, Iterator, Sequence

from arena.cli.boards import pecking_order, peech, rat_deau
from arena.model import Json
from arena.report.replay import view_lines

Board = Callable[[Json, Sequence[str]], Iterator[str]]
"""A view and the names by seat to lines of text; nothing that is not in the view."""

BOARDS: dict[str, Board] = {
    "pecking_order": pecking_order.board,
    "peech": peech.board,
    "rat_deau": rat_deau.board,
}


def board_lines(game: str, view: Json, names: Sequence[str]) -> Iterator[str]:
    """The table as the owner of this view sees it."""
    if game in BOARDS:
        yield from BOARDS[game](view, names)
        return
    for key, value in view_lines(view):
        yield f"{key}: {value}"
