"""`arena run`: the main job."""

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from arena import registry
from arena.cli._progress import Display, duration
from arena.config import Settings, read_config
from arena.errors import ArenaError, Unforeseen
from arena.jail.tiers import guarantees, require
from arena.model import Executor, Json
from arena.report import write_report
from arena.store import Store
from arena.tournament import choose_folder, expect, locked, open_run
from arena.tournament import run as play

LOG = logging.getLogger("arena")


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Blocks at once; default: one a core."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder; default: reports/NAME."
)
@click.option("--new", is_flag=True, help="Start a new run beside the one that is there.")
@click.option("--quiet", is_flag=True, help="No progress.")
def run(config: Path, workers: int | None, out: Path | None, new: bool, quiet: bool) -> None:
    """Play the tournament of CONFIG and write its report; go on where an earlier run stopped.

    \b
    Examples:
      arena run configs/quickstart.yaml
      arena run cup.yaml --workers 2 --out reports/cup
    """
    settings = read_config(config)
    folder = choose_folder(settings.name, out, new)
    _print(_tournament(settings, folder, workers or settings.workers, Display(quiet)))


def _tournament(settings: Settings, folder: Path, workers: int | None, display: Display) -> Path:
    """Play it into this folder; the report's first page."""
    require(settings.tier)
    for line in settings.warnings:
        display.say(f"warning: {line}")
    with locked(folder), _logging_to(folder / "private" / "arena.log"), _stop_on_sigterm():
        store, lines = open_run(settings, folder, _sandbox(settings.tier))
        with store:
            for line in lines:
                display.say(line)
            try:
                _play(settings, store, folder, workers, display)
            except KeyboardInterrupt:
                display.say("the same command goes on from here")
                raise
        return write_report(folder)


def _play(settings: Settings, store: Store, folder: Path, workers: int | None, display: Display) -> None:
    make = registry.executors.get(settings.executor)
    executor: Executor = make(store.events(), workers, folder / "private" / "logs", tier=settings.tier)
    pages = _Pages(folder)
    with ExitStack() as stack:  # whatever fails, and wherever, the others are closed all the same
        stack.callback(display.done)
        stack.callback(pages.close)
        stack.callback(executor.close)
        executor.start()
        _announce(settings, store, executor, display)
        result = play(
            settings, store, executor, say=display.say, on_progress=display.progress, on_commit=pages.tick
        )
    LOG.info("finished: %s", result)
    for block, why in store.voids().items():
        display.say(f"void: block {block}: {why}")


def _announce(settings: Settings, store: Store, executor: Executor, display: Display) -> None:
    events = store.events()
    blocks, matches, seconds = expect(events)
    several = any(event.format_options.get("rounds", 1) != 1 for event in events)
    line = (
        f"{settings.name}: {blocks} blocks, {matches} matches{' in the first round' if several else ''}; "
        f"jail tier {settings.tier}, {executor.workers} workers; "
        f"about {duration(seconds / executor.workers)} if all bots answer at once"
    )
    LOG.info(line)
    display.say(line)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else executor.workers
    if executor.workers > cores:
        display.say(f"warning: {executor.workers} workers on {cores} cores are hardly faster, and less fair")


def _sandbox(tier: str) -> Json:
    """What the report says of it: each guarantee holds, or what is open without it."""
    return {
        "tier": tier,
        "guarantees": {g.name: True if g.holds else f"does not hold: {g.how}" for g in guarantees(tier)},
    }


@contextmanager
def _logging_to(path: Path) -> Iterator[None]:
    handler = logging.FileHandler(path, encoding="utf-8", errors="replace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(process)d %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    try:
        yield
    except (ArenaError, OSError):
        raise
    except Exception as error:
        LOG.exception("arena's own fault")
        raise Unforeseen(error, path) from error
    finally:
        LOG.removeHandler(handler)
        handler.close()


@contextmanager
def _stop_on_sigterm() -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does: at once, with every bot's process."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


_WRITE_PAGES = """
import sys
from pathlib import Path
from arena.executors.worker import die_with
from arena.report import write_report
die_with(int(sys.argv[1]))
write_report(Path(sys.argv[2]))
"""


class _Pages:
    """Writes the report again now and then, in a process of its own, at most a tenth of the time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = self._due = time.monotonic() + 5.0

    def tick(self) -> None:
        now = time.monotonic()
        if self._process is not None:
            if self._process.poll() is None:
                return
            if self._process.returncode:
                LOG.warning(
                    "the report could not be written while the run goes on (status %d)",
                    self._process.returncode,
                )
            self._process, self._due = None, now + max(20.0, 10 * (now - self._begun))
        if now >= self._due:
            self._begun = now
            self._process = subprocess.Popen(
                [sys.executable, "-c", _WRITE_PAGES, str(os.getpid()), str(self._folder)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def _print(path: Path) -> None:
    try:
        click.echo(path)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads; nothing is lost
