"""How workers' log records reach the run's log.

multiprocessing-logging receives them in the runner, in a thread; so its queue is made first, then the workers
are forked, and only then is it installed. A worker holds its records back until its block is through: killed
at any other time it cannot hold the queue's lock, nor leave half a record in it.
"""

import logging
from importlib.util import find_spec, module_from_spec
from logging.handlers import MemoryHandler, QueueHandler
from multiprocessing.context import ForkContext
from types import SimpleNamespace
from typing import Any

LOGGER = logging.getLogger("arena")
_MOST_HELD = 10_000
_LONGEST = 2_000  # characters: one write to the queue's pipe is then never cut in two


class Records:
    """One channel from all workers to the handlers that the logger `arena` has when it is opened."""

    def __init__(self, context: ForkContext) -> None:
        self._queue: Any = context.Queue(-1)
        self._library = _library(context, self._queue)
        self._held: MemoryHandler | None = None
        self._own: list[logging.Handler] = []
        self._is_open = False

    def open(self) -> None:
        """In the runner, after its workers are forked: records are received from now on."""
        self._own = list(LOGGER.handlers)
        LOGGER.handlers = [_Each(self._own)]  # one receiver: two would take each other's records
        self._is_open = True
        self._library.install_mp_handler(LOGGER)

    def close(self) -> None:
        """In the runner: take what has come, give the logger its own handlers back; once is enough."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            for handler in LOGGER.handlers:
                handler.close()
        finally:
            LOGGER.handlers = self._own
            self._queue.cancel_join_thread()

    def join_as_worker(self) -> None:
        """In a worker: everything the logger gets is held for `send`."""
        self._held = MemoryHandler(_MOST_HELD, logging.CRITICAL + 1, _Short(self._queue), flushOnClose=False)
        LOGGER.handlers = [self._held]
        LOGGER.propagate = False

    def send(self) -> None:
        """In a worker, between two blocks: send what is held."""
        if self._held is not None:
            self._held.flush()


def _library(context: ForkContext, queue: Any) -> Any:
    """multiprocessing-logging as a module of our own, whose multiprocessing is this context with this queue.

    It asks for the process's default start method, which is fork no longer from Python 3.14 on; by asking it
    also settles it, which is up to the program that imports arena and nobody else.
    """
    spec = find_spec("multiprocessing_logging")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    ours = SimpleNamespace(get_start_method=context.get_start_method, Queue=lambda size: queue)
    module.__dict__["multiprocessing"] = ours
    return module


class _Each(logging.Handler):
    """Hands a record to every one of some handlers, and leaves their closing to whoever opened them."""

    def __init__(self, handlers: list[logging.Handler]) -> None:
        super().__init__()
        self._handlers = handlers

    def emit(self, record: logging.LogRecord) -> None:
        for handler in self._handlers:
            if record.levelno >= handler.level:
                handler.handle(record)


class _Short(QueueHandler):
    def prepare(self, record: logging.LogRecord) -> Any:
        ready = super().prepare(record)
        ready.msg = ready.message = ready.msg[:_LONGEST]
        return ready
