"""A worker: one process on one core, one block at a time, no event loop."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from arena.errors import InfrastructureError, JailUnavailable
from arena.executors.bench import Bench, Blocks
from arena.executors.records import LOGGER, Records
from arena.model import Block, Event, Fault

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Trial:
    """Start one bot."""

    event: int
    bot: str


@dataclass(frozen=True, slots=True)
class Job:
    """Play one block."""

    event: int
    block: Block
    absent: Mapping[str, Fault]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a task: its value (a Fault or None, or the records), or why there is none."""

    value: Any = None
    void: str | None = None
    """Arena's own fault: try again."""
    fatal: str | None = None
    """The sandbox cannot be had: no use to go on."""


@dataclass(frozen=True, slots=True)
class Post:
    """A worker's place: its core (None: any), its end of the pipe, and what it works with."""

    core: int | None
    pipe: Connection
    events: tuple[Event, ...]
    open_bench: Callable[[int | None], Bench]
    logs: Path | None
    records: Records


def work(post: Post, runner: int) -> None:
    """A worker's life: tasks from the pipe, an Answer for each, until None or the runner's end."""
    die_with(runner)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the runner ends its workers itself
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if post.core is not None:
        os.sched_setaffinity(0, {post.core})
    post.records.join_as_worker()
    bench = post.open_bench(post.core)
    blocks = Blocks(bench, post.logs)
    bots = {event.index: {bot.id: bot for bot in event.bots} for event in post.events}
    events = {event.index: event for event in post.events}

    def answer(task: Trial | Job) -> Answer:
        event = events[task.event]
        try:
            if isinstance(task, Trial):
                return Answer(blocks.try_bot(event, bots[task.event][task.bot]))
            return Answer(blocks.play(event, bots[task.event], task.block, task.absent))
        except JailUnavailable as error:
            return Answer(fatal=str(error))
        except InfrastructureError as error:
            LOGGER.error("%s: %s", task, error)
            bench.forget()
            return Answer(void=str(error))
        except Exception as error:  # a bug of arena's or of a plug-in's: nobody's loss either
            LOGGER.exception("%s", task)
            bench.forget()
            return Answer(void=f"{type(error).__name__}: {error}")

    try:
        while (task := post.pipe.recv()) is not None:
            post.pipe.send(answer(task))
            post.records.send()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the runner is gone
    finally:
        bench.close()


def die_with(runner: int) -> None:
    """Be killed when the parent, the runner, ends, however it ends."""
    if sys.platform != "linux":
        return  # the end of its pipe tells it, when its block is through
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != runner:
        os._exit(1)
