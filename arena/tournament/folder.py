"""The run folder: `run.sqlite`, `config.yaml`, `private/` with the bots; one runner at a time."""

import copy
import fcntl
import os
import platform
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import yaml

from arena import __version__
from arena.config import Settings
from arena.errors import ArenaError, UsageError
from arena.model import Bot, Event, Json
from arena.players.bots import digest_of, files_of, slug
from arena.store import Store
from arena.tournament.builds import build_bots, cannot_start
from arena.tournament.resume import extend

STRICT = "faults.strict is set, so nothing was played"


def choose_folder(name: str, out: Path | None, new: bool) -> Path:
    """`out`, else `reports/<slug of the name>`; if `new` and it holds a run, the first free `…-2`, `…-3`."""
    wanted = out or Path("reports") / slug(name)
    folder, number = wanted, 1
    while new and (folder / "run.sqlite").exists():
        number += 1
        folder = wanted.with_name(f"{wanted.name}-{number}")
    return folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runners out of this folder, which is made; ArenaError when one is in it.

    The lock ends with this process, however it ends, and is not inherited by those it forks.
    """
    private = folder / "private"
    private.mkdir(parents=True, exist_ok=True)
    private.chmod(0o700)
    with (private / "lock").open("w") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ArenaError(f"{folder}: another arena run is writing to it") from None
        yield


def open_run(settings: Settings, folder: Path, sandbox: Json) -> tuple[Store, tuple[str, ...]]:
    """The store of this tournament in this folder, new or to be resumed, with lines to tell the organiser.

    `sandbox` says which tier is in force and what it guarantees. UsageError tells what differs when the
    folder holds another tournament, or this one with changes that its results so far do not allow, or with
    `faults: {strict: true}` what could not be built.
    """
    kept = snapshot(settings.events, folder)
    events, failed = build_bots(kept, folder, settings.tier)
    unbuilt = [
        cannot_start(event, bot, failed[event.index][bot.id])
        for event in events
        for bot in event.bots
        if bot.id in failed.get(event.index, {})
    ]
    if unbuilt and settings.strict:
        raise UsageError("\n".join([*unbuilt, STRICT]))
    meta = _meta(settings, sandbox)
    if (folder / "run.sqlite").exists():
        store = Store.open(folder)
        try:
            lines = extend(store, events, meta)
        except BaseException:
            store.close()
            raise
    else:
        store, lines = Store.create(folder, {**meta, "finished": False}, events), ()
    for index, faults in failed.items():
        store.set_preflight(index, {**faults, **store.preflight(index)})
    lines = (*lines, *(f"{line}; its blocks are lost by a start fault" for line in unbuilt))
    text = yaml.safe_dump(_resolved(settings, kept, folder), allow_unicode=True, sort_keys=False, width=100)
    head = f"# {settings.path.name} as arena understood it; `arena run` plays the same again from it.\n"
    _write(folder / "config.yaml", head + text)
    return store, lines


def _resolved(settings: Settings, events: Sequence[Event], folder: Path) -> Json:
    """The config with every default, and the snapshots for the bots."""
    plain = copy.deepcopy(settings.plain)
    for fields, event in zip(plain["events"], events, strict=True):
        for entry, bot in zip(fields["bots"], event.bots, strict=True):
            entry["path"] = str(bot.source.relative_to(folder.absolute()))
    return plain


def snapshot(events: Sequence[Event], folder: Path) -> tuple[Event, ...]:
    """The events with every bot's source copied to `private/bots/<sha256>/`, from where it is played."""
    shelf = folder.absolute() / "private" / "bots"
    return tuple(replace(event, bots=tuple(_kept(bot, shelf) for bot in event.bots)) for event in events)


def _kept(bot: Bot, shelf: Path) -> Bot:
    place = shelf / bot.digest / bot.source.name
    if not place.exists():
        fresh = shelf / f"{bot.digest}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        for path in files_of(bot.source):
            target = fresh / bot.source.name / path.relative_to(bot.source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        if digest_of(fresh / bot.source.name) != bot.digest:
            raise UsageError(f"{bot.source}: changed while it was read; start again")
        place.parent.mkdir(exist_ok=True)  # there already where a twin of another file name has come before
        os.replace(fresh / bot.source.name, place)
        fresh.rmdir()
    return replace(bot, source=place)


def _meta(settings: Settings, sandbox: Json) -> Json:
    anchors = [bot.id for event in settings.events for bot in event.bots if bot.anchor]
    return {
        "name": settings.name,
        "seed": settings.seed,
        "versions": {"arena": __version__, "python": platform.python_version()},
        "machine": {"system": f"{platform.system()} {platform.release()}", "processor": platform.machine(),
                    "cores": len(os.sched_getaffinity(0))},
        "sandbox": sandbox,
        "rules": {"disqualify_after": settings.disqualify_after, "until": settings.plain.get("until"),
                  "gate": settings.plain.get("gate")},
        "ratings": {"model": settings.rating_model, "rank_by": settings.rank_by,
                    "anchor": anchors[0] if anchors else None},
        "report": {"title": settings.title, "logs": settings.logs, "replays": settings.replays},
    }  # fmt: skip


def _write(path: Path, text: str) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)
