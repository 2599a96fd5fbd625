"""A match in the terminal that one can follow: what happens, the table after it, and time to look."""

import sys
import time
from collections.abc import Callable, Sequence

import click

from arena import registry
from arena.cli.boards import board_lines
from arena.model import Game
from arena.report.text import safe


class Watch:
    """Shows a match as its positions are reached, to the judge (None) or as a seat sees it.

    A step ends when something has happened that the viewer sees, so choices made at the same time are one.
    `wait` is called after each step.
    """

    def __init__(self, game: str, names: Sequence[str], viewer: int | None, wait: Callable[[], None]) -> None:
        self._game, self._names, self._viewer, self._wait = game, names, viewer, wait
        self._tell = registry.games.get(game).tell
        self._known = 0
        self._step = 0

    def follow(self, position: Game) -> None:
        """The next position of the match."""
        events = position.events(self._viewer, self._known)
        if self._step and not events and position.turn is not None:
            return
        self._known += len(events)
        self._step += 1
        click.echo(f"── {self._step} ──")
        for event in events:
            click.echo(safe(self._tell(event)))
        for line in board_lines(self._game, position.view(self._viewer), self._names):
            click.echo("    " + safe(line))
        if position.turn is not None:
            self._wait()


def waiting(pace: float | None) -> Callable[[], None]:
    """So many seconds, or until Enter is pressed; not at all where nobody could press it."""
    if pace is not None:
        return lambda: time.sleep(pace)
    return _until_enter if sys.stdin.isatty() else _at_once


def _until_enter() -> None:
    try:
        input("Enter: go on ")
    except EOFError:
        click.echo()


def _at_once() -> None:
    pass
