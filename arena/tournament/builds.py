"""Bots with a build command: each is built once for a run, in a jail, beside its snapshot."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from arena.errors import UsageError
from arena.jail import build
from arena.model import Bot, Event, Fault

Failed = dict[int, dict[str, Fault]]
"""By event and bot: the start fault of a bot whose build failed."""


def build_bots(events: Sequence[Event], folder: Path, tier: str = "A") -> tuple[tuple[Event, ...], Failed]:
    """The events with every such bot's source replaced by `private/built/<sha256>/`, and those that failed.

    What a build printed that failed is kept in the bot's folder of logs. A folder that is there is not built
    again. UsageError on a weaker tier of the jail, where nothing would keep a build command in.
    """
    if tier != "A" and (bot := next((bot for event in events for bot in event.bots if bot.build), None)):
        raise UsageError(
            f"{bot.name}: build commands need jail.tier A; build it first, and leave out `build`"
        )
    shelf, logs = folder.absolute() / "private" / "built", folder / "private" / "logs"
    known: dict[str, tuple[Path, Fault | None]] = {}
    failed: Failed = {}

    def built(event: Event) -> Iterator[Bot]:
        for bot in event.bots:
            if bot.build:
                if bot.digest not in known:
                    known[bot.digest] = _build(bot, shelf, logs)
                source, fault = known[bot.digest]
                if fault:
                    failed.setdefault(event.index, {})[bot.id] = fault
                bot = replace(bot, source=source)
            yield bot

    return tuple(replace(event, bots=tuple(built(event))) for event in events), failed


def cannot_start(event: Event, bot: Bot, fault: Fault) -> str:
    """A line for the organiser."""
    return f"{event.name}: {bot.name} cannot be started: {fault.detail}"


def _build(bot: Bot, shelf: Path, logs: Path) -> tuple[Path, Fault | None]:
    place = shelf / bot.digest / bot.source.name
    if place.exists():
        return place, None
    fresh = shelf / f"{bot.digest}.new"
    _empty(fresh)
    _, fault, printed = build(bot, fresh)
    if fault:
        _empty(fresh)
        (logs / bot.id).mkdir(parents=True, exist_ok=True)
        (logs / bot.id / "build.log").write_bytes(fault.detail.encode("utf-8", "replace") + b"\n\n" + printed)
        return bot.source, fault
    place.parent.mkdir(exist_ok=True)
    fresh.replace(place)
    return place, None


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
