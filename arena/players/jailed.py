"""A player that is a jailed bot: it asks, keeps the clock, and tells each kind of death."""

import fcntl
import json
import os
import select
import termios
from contextlib import suppress
from time import monotonic

from arena import protocol
from arena.errors import InfrastructureError
from arena.jail.child import LOG_LIMIT, Child, Exit
from arena.jail.clock import Clock
from arena.jail.doors import FAILED, LOG_START
from arena.jail.server import BotServer
from arena.model import Fault, FaultKind, Request, Setup, Timing

_NOTHING = bytes(4)  # as the kernel counts unread bytes
_LOOK = 0.002  # seconds; the first look at the run queue, so also how much too kind the clock can be
_DEATH = 0.5  # seconds charged until a process that closed its pipe must be dead as well


class JailedPlayer:
    """One seat of one match, played by a fresh process of a running bot server.

    A decision is charged from its request written whole to its answer's line complete (see `Clock`); what
    goes beyond the move limit is taken from the bank, and when both are spent the process is killed at
    once. A wall time far beyond both, on a core that others keep busy, is InfrastructureError: no verdict
    can be had.
    """

    def __init__(self, server: BotServer) -> None:
        self._server = server
        self._bank = server.limits.bank
        self._may_ponder = bool(server.bot.command)  # has threads, which are stopped between its turns
        self._answers = protocol.Answers()
        self._poll = select.poll()
        self._number = 0
        self._early = b""
        self._unread = bytearray(_NOTHING)
        self._starting = 0.0
        self._think: list[float] = []
        self._log = b""
        self._child: Child | None = None
        self._clock: Clock

    def start(self, setup: Setup) -> Fault | None:
        """A fresh process that has run the bot's file and made its Bot; whatever fails here is a start
        fault.
        """
        if self._server.broken:
            return Fault(FaultKind.START, 0, self._server.broken)
        self._child = child = self._server.spawn()
        self._clock = Clock(child)
        self._poll.register(child.answers, select.POLLIN)
        limit = self._server.limits.start
        answer, self._starting = self._exchange(child, protocol.start_message(setup), limit, limit)
        if not isinstance(answer, Fault):
            return None
        late = f"not ready within the start limit of {limit:g} s"
        return Fault(FaultKind.START, 0, late if answer.kind is FaultKind.TIMEOUT else answer.detail)

    def ask(self, request: Request) -> str | Fault:
        """The bot's answer to its next request, or its first fault."""
        child = self._child
        assert child is not None, "started before it is asked, and not closed"
        self._number += 1
        if (
            self._early
            or fcntl.ioctl(child.answers, termios.FIONREAD, self._unread)
            or self._unread != _NOTHING
        ):
            return self._unasked(child)
        line = protocol.turn_message(self._number, request, self._bank)
        move = self._server.limits.move
        answer, charged = self._exchange(child, line, move, move + self._bank)
        self._think.append(charged * 1000)
        if charged > move:
            self._bank = max(0.0, self._bank - (charged - move))
        return answer

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """Tell the bot, which may be gone already."""
        if self._child is not None:
            with suppress(OSError):
                os.write(self._child.requests, protocol.end_message(scores, placings))

    def close(self) -> Timing:
        """Kill the process, wait for its end, close its descriptors."""
        child, self._child = self._child, None
        if child is None:
            return Timing()
        try:
            ended = child.end()
            self._log = os.pread(child.log, LOG_LIMIT, LOG_START).rstrip(b"\0")
        finally:
            child.let_go()
            self._clock.close()
        cpu, wall = ended.cpu * 1000, sum(self._think)
        outside = max(0.0, cpu - wall - self._starting * 1000)
        return Timing(cpu, wall, tuple(self._think), outside)

    def log(self) -> bytes:
        """What the bot printed, and the traceback of what ended it: at most 64 KiB, there after `close`."""
        return self._log

    def _exchange(self, child: Child, line: bytes, soft: float, limit: float) -> tuple[str | Fault, float]:
        """Write a request, wait for its answer, and the seconds charged; `soft` are free of the bank."""
        try:
            written = os.write(child.requests, line)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            return self._dead(child), 0.0
        if written < len(line) and (fault := self._write_rest(child, line[written:], limit)):
            return fault, 0.0
        if self._may_ponder:
            child.resume()
        begun = monotonic()
        answer = self._receive(child) if self._poll.poll(min(soft, _LOOK) * 1000) else None
        if answer is None or (wall := monotonic() - begun) > soft:
            answer, wall = self._wait(child, begun, answer, soft, limit)
        if self._may_ponder:
            child.pause()
        return answer, wall

    def _receive(self, child: Child) -> str | Fault | None:
        data = os.read(child.answers, 8192)
        if not data:
            return self._dead(child)
        answer = self._answers.take(data, self._number)
        if answer is not None and (end := data.find(b"\n") + 1) < len(data):
            self._early = data[end:]
        return answer

    def _wait(
        self, child: Child, begun: float, answer: str | Fault | None, soft: float, limit: float
    ) -> tuple[str | Fault, float]:
        """The rest of a slow exchange, with an eye on the run queue."""
        clock = self._clock
        clock.begin(begun)
        deadline = begun + min(soft, _LOOK)
        while answer is None:
            if (timeout := deadline - monotonic()) <= 0:
                if not (timeout := self._patience(limit)):
                    return self._late(), clock.charged()
                deadline = monotonic() + timeout
            if self._poll.poll(timeout * 1000):
                answer = self._receive(child)
        if (charged := clock.wall()) > soft:
            charged = clock.charged(answered=True)
        return (self._late() if charged > limit and isinstance(answer, str) else answer), charged

    def _write_rest(self, child: Child, rest: bytes, limit: float) -> Fault | None:
        """The pipe is full: wait until the bot reads, no longer than it may think."""
        self._clock.begin(monotonic())
        full = select.poll()
        full.register(child.requests, select.POLLOUT)
        while rest:
            if not (timeout := self._patience(limit)):
                return self._late()
            if full.poll(timeout * 1000):
                try:
                    rest = rest[os.write(child.requests, rest) :]
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    return self._dead(child)
        return None

    def _patience(self, limit: float) -> float:
        """Seconds to wait before the next look; 0 when the time is spent for sure.

        InfrastructureError at the hard wall cap: the bot hardly gets to run.
        """
        left = self._clock.left(limit)
        if left and self._clock.wall() > 10 * limit + 10:
            raise InfrastructureError("the machine is too busy to keep a fair clock")
        return left

    def _late(self) -> Fault:
        limits = self._server.limits
        detail = f"no answer within the move limit of {limits.move:g} s and the bank of {limits.bank:g} s"
        return Fault(FaultKind.TIMEOUT, self._number, detail)

    def _unasked(self, child: Child) -> Fault:
        if data := self._early or os.read(child.answers, protocol.MAX_LINE):
            line = data.partition(b"\n")[0]
            detail = f"written before it was asked: {protocol.quote(line)}"
            return Fault(FaultKind.PROTOCOL, self._number, detail)
        return self._dead(child)

    def _dead(self, child: Child) -> Fault:
        """Its end of a pipe is closed: what became of it?"""
        if self._may_ponder:
            child.resume()  # it may have been stopped on its way out
        self._clock.begin(monotonic())
        timeout = _DEATH
        while not child.dies_within(round(timeout * 1000)):
            if not (timeout := self._patience(_DEATH)):
                return Fault(FaultKind.CRASH, self._number, "closed its pipe and went on")
        kind, detail = _verdict(child.end(), child.log)
        return Fault(kind, self._number, detail)


def _verdict(ended: Exit, log: int) -> tuple[FaultKind, str]:
    if ended.code == FAILED:
        with suppress(ValueError, TypeError, KeyError):
            words = json.loads(os.pread(log, LOG_START, 0).partition(b"\n")[0])
            kind = FaultKind(words["kind"])
            if kind in (FaultKind.CRASH, FaultKind.MEMORY, FaultKind.ILLEGAL):
                return kind, "".join(c if c.isprintable() else "?" for c in words["detail"][:300])
    if ended.code == -9:
        return FaultKind.MEMORY, "killed by the machine, which had no memory left"
    return FaultKind.CRASH, str(ended)
