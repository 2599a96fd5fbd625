"""The worker's side of one bot's fork server: start it, ask it for processes, close it."""

import json
import os
import signal
import socket
import struct
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Self

from arena.errors import InfrastructureError, JailUnavailable
from arena.jail import filters, inside, landlock, syscalls
from arena.jail.child import Child, Control
from arena.jail.runtime import Runtime, bare_python, python_runtime
from arena.model import Bot, Limits

_HELLO = 60  # seconds for arena's own part of a server's start; far above what it takes
_STUB = """
import sys
sys.path.insert(0, sys.argv[1])
from arena.jail.stub import main
main(*map(int, sys.argv[2:]))
"""
_BOOT = "import os; exec(compile(os.read(3, 1 << 20), '<jail>', 'exec'))"
_MOST_SOURCE = 16 * 2**20


class BotServer:
    """A running fork server of one bot: a closed jail in which each `spawn` is a fresh process.

    Starting one takes some 50 ms and is done by the constructor: JailUnavailable when the machine refuses a
    part of the jail, InfrastructureError for anything else of arena's own. `core` pins it and all its
    processes. `broken` tells why this bot cannot be started at all (a syntax error, say); None when it can.
    """

    def __init__(self, bot: Bot, limits: Limits, core: int | None = None) -> None:
        self.bot = bot
        self.limits = limits
        self.broken: str | None = None
        runtime = python_runtime()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                self._errors = os.memfd_create("errors", os.MFD_CLOEXEC)
                self._stub = _start_stub(
                    theirs, _plan(runtime, core), _source(bot), _boot(runtime, limits), self._errors
                )
            self._meet()
        except BaseException:
            self.close()
            raise
        self._control = Control(self._socket)

    def _meet(self) -> None:
        """Wait for the closed jail, then for the bot's source to be compiled."""
        said = self._hear(_HELLO) or b""
        if said[:1] == b"E":
            raise JailUnavailable(f"the sandbox cannot be made here: {said[1:].decode(errors='replace')}")
        if said != b"U":
            raise InfrastructureError(f"a fork server died at its start: {self._last_error()}")
        compiled = self._hear(self.limits.start + 10)
        if compiled is None or compiled[:1] != b"C":
            self.broken = "the source cannot be compiled" + (" in time" if compiled is None else "")
        elif compiled[1:]:
            self.broken = compiled[1:].decode()
        self._set_timeout(_HELLO)

    def _hear(self, seconds: float) -> bytes | None:
        """One message; empty when the other side died, None when it is silent."""
        self._set_timeout(seconds)
        try:
            return self._socket.recv(4096)
        except BlockingIOError:
            return None

    def _set_timeout(self, seconds: float) -> None:
        whole = int(seconds)
        value = struct.pack("ll", whole, int((seconds - whole) * 1e6))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)

    def _last_error(self) -> str:
        text = os.pread(self._errors, 4096, 0).decode(errors="replace").strip()
        return text.splitlines()[-1] if text else "no reason given"

    def spawn(self) -> Child:
        """A fresh process for one match, which waits for its start message."""
        return self._control.spawn()

    def close(self) -> None:
        """End the server and every process of it; nothing is left when this returns."""
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


def _start_stub(
    theirs: socket.socket, plan: bytes, source: bytes, boot: bytes, errors: int
) -> subprocess.Popen[bytes]:
    house = str(Path(__file__).resolve().parents[2])
    plan_file, boot_file = _memory_file(plan + b"\n" + source), _memory_file(boot)
    passed = (theirs.fileno(), plan_file, boot_file)
    try:
        return subprocess.Popen(
            [bare_python(), "-S", "-s", "-P", "-c", _STUB, house, *map(str, passed)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, pass_fds=passed, cwd="/",
            env={name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
        )  # fmt: skip
    except OSError as error:
        raise InfrastructureError(f"no process for a fork server: {error.strerror}") from error
    finally:
        os.close(plan_file)
        os.close(boot_file)


def _plan(runtime: Runtime, core: int | None) -> bytes:
    """What the stub is to do, as JSON."""
    return json.dumps({
        "core": core, "binds": runtime.binds, "hidden": runtime.hidden, "files": {}, "scratch": 0,
        "source": inside.SOURCE, "environ": runtime.environ,
        "argv": [runtime.executable, "-S", "-s", "-P", "-W", "ignore", "-c", _BOOT],
        "readable": [("/", landlock.READ_FILE | landlock.READ_DIR | landlock.EXECUTE)],
        "rlimits": {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": 64, "RLIMIT_FSIZE": 2**16, "RLIMIT_NPROC": 16,
                    "RLIMIT_STACK": 8 * 2**20, "RLIMIT_MEMLOCK": 0, "RLIMIT_MSGQUEUE": 0,
                    "RLIMIT_CPU": 24 * 3600},
    }).encode()  # fmt: skip


def _source(bot: Bot) -> bytes:
    try:
        source = bot.source.read_bytes()
    except OSError as error:
        raise InfrastructureError(f"{bot.source}: {error.strerror}") from error
    if len(source) > _MOST_SOURCE:
        raise InfrastructureError(f"{bot.source}: {len(source)} bytes, more than {_MOST_SOURCE}")
    return source


@cache
def _inside_text() -> str:
    return Path(inside.__file__).read_text()


def _boot(runtime: Runtime, limits: Limits) -> bytes:
    """The text that the server runs: inside.py, then a call with everything it must know."""
    names = ("prctl", "seccomp", "capset", "unshare", "setns")
    config: dict[str, Any] = {
        "calls": {name: syscalls.number(name) for name in names}, "memory": limits.memory,
        "path": runtime.path, "server_filter": _filters()[0], "child_filter": _filters()[1],
    }  # fmt: skip
    return f"{_inside_text()}\nserve({config!r})\n".encode()


@cache
def _filters() -> tuple[str, str]:
    return filters.python_server().hex(), filters.python_child().hex()


def _memory_file(data: bytes) -> int:
    descriptor = os.memfd_create("arena", os.MFD_CLOEXEC)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
