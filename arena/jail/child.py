"""One match's process of a bot, seen from the worker: two pipes, a log, and a handle to kill it by."""

import fcntl
import os
import select
import signal
import socket
import struct
import time
from contextlib import suppress
from typing import NamedTuple

from arena.errors import InfrastructureError
from arena.jail.doors import LOG_START

LOG_LIMIT = 65536


class Exit(NamedTuple):
    """How a child ended, and what it used."""

    code: int
    """The exit status, or minus the signal that killed it."""
    cpu: float
    """Seconds."""
    memory: int
    """Most memory that it held, in bytes."""

    def __str__(self) -> str:
        if self.code >= 0:
            return f"exit status {self.code}"
        return f"killed by {signal.Signals(-self.code).name}"


def schedstat(descriptor: int) -> tuple[float, float]:
    """Seconds that a task ran and that it waited in the run queue, from its open record; 0 where unknown."""
    try:
        ran, waited, _ = os.pread(descriptor, 80, 0).split()
        return int(ran) / 1e9, int(waited) / 1e9
    except (OSError, ValueError):
        return 0.0, 0.0


def _stat(path: str) -> list[bytes]:
    """The words of a task's record behind its name: state, parent, and so on; none when it is gone."""
    try:
        with open(path, "rb") as file:
            return file.read().rpartition(b") ")[2].split()
    except OSError:
        return []


class Control:
    """The worker's end of a fork server's socket: one request at a time, each answered."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._starting: Child | None = None

    def spawn(self, sealed: bool) -> "Child":
        """A fresh child. Its server's answer is left on the way until somebody needs it.

        Its log cannot pass 64 KiB: where no limit on its files sees to that, as for a program, the log is
        `sealed` at that size.
        """
        self.settle()
        requests, to_child = os.pipe2(os.O_CLOEXEC)
        from_child, answers = os.pipe2(os.O_CLOEXEC)
        log = os.memfd_create("log", os.MFD_CLOEXEC | (os.MFD_ALLOW_SEALING if sealed else 0))
        if sealed:
            os.ftruncate(log, LOG_LIMIT)
            fcntl.fcntl(log, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
        os.lseek(log, LOG_START, os.SEEK_SET)
        os.set_blocking(to_child, False)
        child = Child(self, to_child, from_child, log, has_threads=sealed)
        try:
            self._socket.sendmsg([b"S"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                           struct.pack("3i", requests, answers, log))])  # fmt: skip
        except OSError as error:
            child.let_go()
            raise InfrastructureError(f"a fork server is gone: {error.strerror}") from error
        finally:
            os.close(requests)
            os.close(answers)
        self._starting = child
        return child

    def settle(self) -> None:
        """Take the answer to the last spawn; a child of which no process came stays without a handle."""
        child, self._starting = self._starting, None
        if child is None:
            return
        try:
            data, passed, _, _ = self._socket.recvmsg(256, 64)
        except OSError:
            data, passed = b"", []
        if data[:1] == b"S":
            child.inner_pid = int(data[1:])
            child.handle = struct.unpack("i", passed[0][2])[0]
        else:
            child.problem = data[1:].decode(errors="replace") or "its server died"

    def reap(self, pid: int) -> Exit:
        """Wait for the end of a child that has been killed, or is dead, and learn how it ended."""
        try:
            self._socket.send(b"R%d" % pid)
            _, status, cpu, memory = (b" " + self._socket.recv(256)[1:]).split(b" ")
        except (OSError, ValueError) as error:
            raise InfrastructureError("a fork server died with a match's process") from error
        return Exit(os.waitstatus_to_exitcode(int(status)), float(cpu), int(memory) * 1024)


class Child:
    """`requests` is written without blocking, `answers` read; end of file there tells of its death."""

    def __init__(
        self, control: Control, requests: int, answers: int, log: int, has_threads: bool = False
    ) -> None:
        self._control = control
        self._has_threads = has_threads
        self.requests, self.answers, self.log = requests, answers, log
        self.handle = self.inner_pid = -1
        self.problem = "it was let go"
        self._pid = self._schedstat = -1
        self._exit: Exit | None = None

    def schedule(self) -> tuple[float, float]:
        """Seconds since its birth that it ran, and that it was ready to while others had the core.

        Both count all its threads. What they wait for each other, one of them runs, and that counts.
        """
        if self._pid < 0:
            self._pid = self._outer_pid()
        with suppress(OSError):
            if self._schedstat < 0:
                self._schedstat = os.open(f"/proc/{self._pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        waited = schedstat(self._schedstat)[1]
        for thread in self._threads():
            with suppress(OSError), open(f"/proc/{self._pid}/task/{thread}/schedstat", "rb") as file:
                waited += int(file.read().split()[1]) / 1e9
        try:
            return time.clock_gettime(~self._pid << 3 | 2), waited
        except OSError:
            return 0.0, 0.0

    def _threads(self) -> list[str]:
        """All but its first."""
        if not self._has_threads:
            return []
        try:
            return [name for name in os.listdir(f"/proc/{self._pid}/task") if int(name) != self._pid]
        except OSError:
            return []

    def is_runnable(self) -> bool:
        """Whether it, or a thread of it, runs or waits for a core."""
        first = f"/proc/{self._pid}/stat"
        others = (f"/proc/{self._pid}/task/{thread}/stat" for thread in self._threads())
        return any(_stat(path)[:1] == [b"R"] for path in (first, *others))

    def _settled(self) -> int:
        """Its handle; InfrastructureError when there is no process behind it."""
        self._control.settle()
        if self.handle < 0:
            raise InfrastructureError(f"no process for a bot: {self.problem}")
        return self.handle

    def _outer_pid(self) -> int:
        with open(f"/proc/self/fdinfo/{self._settled()}") as file:
            return int(next(line for line in file if line.startswith("Pid:")).split()[1])

    def pause(self) -> None:
        """Stop all its threads."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._settled(), signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._settled(), signal.SIGCONT)

    def dies_within(self, milliseconds: int) -> bool:
        """Wait for it to end by itself."""
        poll = select.poll()
        poll.register(self._settled(), select.POLLIN)
        return bool(poll.poll(milliseconds))

    def end(self) -> Exit:
        """Kill it if it lives, and reap it; its descriptors stay open until `let_go`."""
        if self._exit is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._settled(), signal.SIGKILL)
            self._exit = self._control.reap(self.inner_pid)
        return self._exit

    def let_go(self) -> None:
        """Close every descriptor."""
        for name in ("requests", "answers", "log", "handle", "_schedstat"):
            if (descriptor := getattr(self, name)) >= 0:
                os.close(descriptor)
                setattr(self, name, -1)
