"""The executor of one machine: worker processes, one a core, watched over pipes.

A worker that dies is noticed by the end of its pipe and replaced, and its block is played again. Neither
`multiprocessing.Pool` (it hangs when a worker dies) nor `ProcessPoolExecutor` (it breaks whole) can.
"""

import multiprocessing
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic

from arena.errors import InfrastructureError, JailUnavailable
from arena.executors.bench import Bench, JailBench
from arena.executors.records import LOGGER, Records
from arena.executors.worker import Answer, Job, Post, Trial, work
from arena.model import Block, BlockResult, Bot, Event, Fault

REPLAYS = 3  # a block that arena itself failed is played again so often before it is listed as void
AHEAD = 2  # tasks with each worker: one is played, one waits, so that no worker waits for the runner
_PATIENCE = 1.0  # seconds for all workers to end by themselves


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    core: int | None
    tasks: "deque[_Task]" = field(default_factory=deque)


@dataclass(slots=True)
class _Task:
    what: Trial | Job
    failures: int = 0


class LocalExecutor:
    """Plays blocks in worker processes, each pinned to one core; see `arena.model.Executor`.

    More workers than cores share them in turn, which makes clocks less fair and little faster.
    """

    def __init__(
        self, events: Sequence[Event], workers: int | None = None, logs: Path | None = None,
        open_bench: Callable[[int | None], Bench] | None = None, tier: str = "A",
    ) -> None:  # fmt: skip
        self._events = tuple(events)
        self._by_index = {event.index: event for event in events}
        self._logs = logs
        self._open_bench = open_bench or partial(JailBench, tier=tier)
        self._cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self.workers = workers or len(self._cores) or os.cpu_count() or 1
        self.slots = AHEAD * self.workers
        self._context = multiprocessing.get_context("fork")
        self._records = Records(self._context)
        self._staff: list[_Worker] = []
        self._waiting: deque[_Task] = deque()
        self._through: deque[tuple[_Task, Answer]] = deque()

    def start(self) -> None:
        try:
            for number in range(self.workers):
                core = self._cores[number % len(self._cores)] if self._cores else None
                self._staff.append(self._fork(core))
            self._records.open()
        except BaseException:
            self.close()
            raise

    def try_bots(self, entries: Sequence[tuple[Event, Bot]]) -> Iterator[tuple[Event, Bot, Fault | None]]:
        known = {(event.index, bot.id): (event, bot) for event, bot in entries}
        self._waiting.extend(_Task(Trial(*key)) for key in known)
        for _ in known:
            task, answer = self._next()
            assert isinstance(task.what, Trial)
            event, bot = known[task.what.event, task.what.bot]
            if answer.void is not None:
                raise InfrastructureError(f"{bot.name} could not be tried: {answer.void}")
            yield event, bot, answer.value

    def submit(self, event: Event, block: Block, absent: Mapping[str, Fault]) -> None:
        missing = {bot: absent[bot] for bot in block.bots if bot in absent}
        self._waiting.append(_Task(Job(event.index, block, missing)))
        self._hand_out()

    def wait(self) -> BlockResult:
        task, answer = self._next()
        assert isinstance(task.what, Job)
        return BlockResult(task.what.block, answer.value or (), answer.void)

    def close(self) -> None:
        staff, self._staff = self._staff, []
        self._waiting.clear()
        self._through.clear()
        try:
            _dismiss(staff)
        finally:
            self._records.close()

    def _next(self) -> tuple[_Task, Answer]:
        """The next task that is through, after as many tries as it takes or may take."""
        while not self._through:
            self._hand_out()
            pipes = {worker.pipe: worker for worker in self._staff}
            for pipe in wait(list(pipes)):
                assert isinstance(pipe, Connection)
                self._hear(pipes[pipe])
        return self._through.popleft()

    def _hand_out(self) -> None:
        for load in range(AHEAD):
            for worker in self._staff:
                if self._waiting and len(worker.tasks) == load:
                    worker.tasks.append(self._waiting.popleft())
                    _say(worker, worker.tasks[-1].what)

    def _hear(self, worker: _Worker) -> None:
        try:
            answer: Answer = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return
        task = worker.tasks.popleft()
        if answer.fatal is not None:
            raise JailUnavailable(answer.fatal)
        self._settle(task, answer)

    def _settle(self, task: _Task, answer: Answer) -> None:
        if answer.void is None or task.failures == REPLAYS:
            self._through.append((task, answer))
            return
        task.failures += 1
        LOGGER.warning("%s is played again (%d of %d): %s", task.what, task.failures, REPLAYS, answer.void)
        self._waiting.appendleft(task)

    def _replace(self, worker: _Worker) -> None:
        """Its running task counts as failed by arena, the one behind it has not been touched."""
        worker.process.join()
        worker.pipe.close()
        LOGGER.error("a worker died (exit status %s); another takes its place", worker.process.exitcode)
        self._staff[self._staff.index(worker)] = self._fork(worker.core)
        if worker.tasks:
            first = worker.tasks.popleft()
            self._waiting.extendleft(reversed(worker.tasks))
            self._settle(first, Answer(void="the worker died"))

    def _fork(self, core: int | None) -> _Worker:
        ours, theirs = self._context.Pipe()
        post = Post(core, theirs, self._events, self._open_bench, self._logs, self._records)
        process = self._context.Process(
            target=work, args=(post, os.getpid()), name=f"arena-worker-{core}",
            daemon=True,  # whatever becomes of this executor, the runner's own end never waits for it
        )  # fmt: skip
        try:
            with warnings.catch_warnings():
                # A replacement is forked while the log's receiving thread runs; it takes no lock of that
                # thread.
                warnings.filterwarnings("ignore", ".*use of fork\\(\\) may lead to", DeprecationWarning)
                process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return _Worker(process, ours, core)


def _say(worker: _Worker, task: Trial | Job | None) -> None:
    with suppress(OSError):  # if it is dead, the end of its pipe says so to `_next`
        worker.pipe.send(task)


def _dismiss(staff: Sequence[_Worker]) -> None:
    """End these workers: those that play at once, the others by themselves if they are quick."""
    until = monotonic() + _PATIENCE
    try:
        for worker in staff:
            if worker.tasks:
                worker.process.kill()
            else:
                _say(worker, None)
        for worker in staff:
            worker.process.join(max(0.0, until - monotonic()))
    finally:
        for worker in staff:
            worker.process.kill()
        for worker in staff:
            worker.process.join()
            worker.pipe.close()
