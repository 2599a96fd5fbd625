"""A bot with a build command, built for the moment."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.jail import build
from arena.model import Bot, Fault


@contextmanager
def built(bot: Bot) -> Iterator[tuple[Bot, Fault | None, bytes]]:
    """The bot as it is to be started, the start fault of a failed build, and what the build printed.

    A bot without a build command is itself. What was built is gone when this ends.
    """
    if not bot.build:
        yield bot, None, b""
        return
    with tempfile.TemporaryDirectory(prefix="arena-built-") as place:
        yield build(bot, Path(place) / bot.source.name)
