"""The worker's side of one bot's fork server: start it, ask it for processes, close it."""

import os
import signal
import socket
import struct
import subprocess
from pathlib import Path
from typing import Self

from arena.errors import InfrastructureError, JailUnavailable
from arena.jail.child import Child, Control
from arena.jail.plan import Plan, make_plan
from arena.jail.programs import NoProgramError
from arena.jail.runtime import bare_python
from arena.model import Bot, Limits

_HELLO = 60  # seconds for arena's own part of a server's start; far above what it takes
_STUB = """
import sys
sys.path.insert(0, sys.argv[1])
from arena.jail.stub import main
main(*map(int, sys.argv[2:]))
"""


class BotServer:
    """A running fork server of one bot: a closed jail in which each `spawn` is a fresh process.

    Starting one takes some 50 ms and is done by the constructor: JailUnavailable when the machine refuses a
    part of the jail, InfrastructureError for anything else of arena's own. `core` pins it and all its
    processes; a weaker `tier` holds less, see `guarantees`. `broken` tells why this bot cannot be started at
    all (a syntax error, or no such program); None when it can.
    """

    def __init__(self, bot: Bot, limits: Limits, core: int | None = None, tier: str = "A") -> None:
        self.bot = bot
        self.limits = limits
        self.broken: str | None = None
        try:
            plan = make_plan(bot, limits, core, tier)
        except NoProgramError as error:
            self.broken = str(error)
            return
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                self._errors = os.memfd_create("errors", os.MFD_CLOEXEC)
                self._stub = start_stub(theirs, self._errors, plan)
            self._meet()
        except BaseException:
            self.close()
            raise
        self._control = Control(self._socket)

    def _meet(self) -> None:
        """Wait for the closed jail, then for the bot's source to be compiled."""
        said = hear(self._socket, _HELLO) or b""
        if said[:1] == b"E":
            raise JailUnavailable(f"the sandbox cannot be made here: {said[1:].decode(errors='replace')}")
        if said != b"U":
            raise InfrastructureError(f"a fork server died at its start: {self._last_error()}")
        compiled = hear(self._socket, self.limits.start + 10)
        if compiled is None or compiled[:1] != b"C":
            self.broken = "the source cannot be compiled" + (" in time" if compiled is None else "")
        elif compiled[1:]:
            self.broken = compiled[1:].decode()
        _set_timeout(self._socket, _HELLO)

    def _last_error(self) -> str:
        text = os.pread(self._errors, 4096, 0).decode(errors="replace").strip()
        return text.splitlines()[-1] if text else "no reason given"

    def spawn(self) -> Child:
        """A fresh process for one match, which waits for its start message."""
        return self._control.spawn(sealed=bool(self.bot.command))

    def close(self) -> None:
        """End the server and every process of it; nothing is left when this returns."""
        if hasattr(self, "_socket"):
            self._socket.close()
        if hasattr(self, "_stub"):
            try:
                self._stub.wait(5)
            except subprocess.TimeoutExpired:
                self._stub.send_signal(signal.SIGKILL)
                self._stub.wait()
            del self._stub
        if hasattr(self, "_errors"):
            os.close(self._errors)
            del self._errors

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def hear(sock: socket.socket, seconds: float) -> bytes | None:
    """One message; empty when the other side died, None when it is silent."""
    _set_timeout(sock, seconds)
    try:
        return sock.recv(4096)
    except BlockingIOError:
        return None


def _set_timeout(sock: socket.socket, seconds: float) -> None:
    whole = int(seconds)
    value = struct.pack("ll", whole, int((seconds - whole) * 1e6))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)


def start_stub(
    theirs: socket.socket, errors: int, plan: Plan, boot_file: int | None = None
) -> subprocess.Popen[bytes]:
    """A stub that follows this plan; `boot_file`: an empty file for what it runs, to come back changed."""
    house = str(Path(__file__).resolve().parents[2])
    plan_file = _memory_file(plan.steps + b"\n" + plan.source)
    boot_file = _filled(os.dup(boot_file) if boot_file is not None else _new_file(), plan.boot)
    passed = (theirs.fileno(), plan_file, boot_file)
    try:
        return subprocess.Popen(
            [bare_python(), "-S", "-s", "-P", "-c", _STUB, house, str(os.getpid()), *map(str, passed)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, pass_fds=passed, cwd="/",
            start_new_session=True,  # Ctrl-C at a terminal is for the runner, and no bot's fault
            env={name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
        )  # fmt: skip
    except OSError as error:
        raise InfrastructureError(f"no process for a fork server: {error.strerror}") from error
    finally:
        os.close(plan_file)
        os.close(boot_file)


def _memory_file(data: bytes) -> int:
    return _filled(_new_file(), data)


def _new_file() -> int:
    return os.memfd_create("arena", os.MFD_CLOEXEC)


def _filled(descriptor: int, data: bytes) -> int:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
