"""How workers' log records reach the run's log.

multiprocessing-logging receives them in the runner, in a thread; so its queue is made first, then the workers
are forked, and only then is it installed. A worker holds its records back until its block is through: killed
at any other time it cannot hold the queue's lock, nor leave half a record in it.
"""

import logging
from logging.handlers import MemoryHandler, QueueHandler
from multiprocessing.context import ForkContext
from typing import Any

from multiprocessing_logging import (  # type: ignore[import-untyped]
    MultiProcessingHandler,
    install_mp_handler,
    uninstall_mp_handler,
)

LOGGER = logging.getLogger("arena")
_MOST_HELD = 10_000
_LONGEST = 2_000  # characters: one write to the queue's pipe is then never cut in two


class Records:
    """One channel from all workers to the handlers that the logger `arena` has when it is opened."""

    def __init__(self, context: ForkContext) -> None:
        self._queue: Any = context.Queue(-1)
        self._held: MemoryHandler | None = None
        self._own: list[logging.Handler] = []

    def open(self) -> None:
        """In the runner, after its workers are forked: records are received from now on."""
        self._own = list(LOGGER.handlers)
        LOGGER.handlers = [_Each(self._own)]  # one receiver: two would take each other's records
        install_mp_handler(LOGGER)
        for handler in LOGGER.handlers:
            if isinstance(handler, MultiProcessingHandler):
                handler.queue = self._queue

    def close(self) -> None:
        """In the runner: take what has come, and give the logger its own handlers back."""
        for handler in LOGGER.handlers:
            if isinstance(handler, MultiProcessingHandler):
                handler.close()
        uninstall_mp_handler(LOGGER)
        LOGGER.handlers = self._own
        self._queue.cancel_join_thread()

    def join_as_worker(self) -> None:
        """In a worker: everything the logger gets is held for `send`."""
        self._queue.cancel_join_thread()
        self._held = MemoryHandler(_MOST_HELD, logging.CRITICAL + 1, _Short(self._queue), flushOnClose=False)
        LOGGER.handlers = [self._held]
        LOGGER.propagate = False

    def send(self) -> None:
        """In a worker, between two blocks: send what is held."""
        if self._held is not None:
            self._held.flush()


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
