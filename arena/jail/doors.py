"""Inside the jail: the system calls that shut a process in."""

import ctypes
import os
import struct
from contextlib import suppress
from typing import Any

LOG_START = 1024  # before it, in the log file, stand the last words of a bot that failed
LOG_ROOM = 32 * 1024  # of what a bot prints; the file itself ends at twice that
FAILED = 70  # the exit status that says: read my last words
OWN_PID = 0x4F574E21  # in a child's filter: to be replaced by its process id
_NEWPID = 0x20000000

_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


class Doors:
    """The arguments are made before the fork, so that a child touches few pages of memory.

    `calls`: numbers of the system calls by name, `filters`: the server's and the child's, in hex; None: none
    are loaded. Without `namespaces` a child is the server's neighbour among all processes of the host: it
    must die with the server by itself, and may signal no other.
    """

    def __init__(self, calls: dict[str, int], filters: tuple[str, str] | None, namespaces: bool) -> None:
        self._calls, self._namespaces, self._filtered = calls, namespaces, filters is not None
        self._pid = os.getpid()
        codes = [bytes.fromhex(code) for code in filters or ("", "")]
        self._codes = [ctypes.create_string_buffer(code, len(code)) for code in codes]
        self._server, self._child = (_Program(len(b) // 8, ctypes.addressof(b)) for b in self._codes)
        own = struct.pack("=I", OWN_PID)
        self._own_pids = [at for at in range(4, len(codes[1]), 8) if codes[1][at : at + 4] == own]
        header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0), 8)
        self._capset = self._made("capset", header, ctypes.create_string_buffer(24))
        self._filter = self._made("seccomp", 1, 0, ctypes.byref(self._child))
        self._unshare = self._made("unshare", _NEWPID)
        self._back = self._made("setns", os.pidfd_open(os.getpid()), _NEWPID)

    def _made(self, name: str, *arguments: Any) -> tuple[Any, ...]:
        words = (ctypes.c_long(word) if isinstance(word, int) else word for word in arguments)
        return ctypes.c_long(self._calls[name]), *words

    def call(self, name: str, *arguments: Any) -> int:
        """Any of `calls`; OSError when it fails."""
        return self._do(self._made(name, *arguments))

    @staticmethod
    def _do(arguments: tuple[Any, ...]) -> int:
        result = int(_syscall(*arguments))
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return result

    def close_server(self) -> None:
        """It dies with the stub, no process of the same user may trace it, and it gets the big filter."""
        self.call("prctl", 1, 9, 0, 0, 0)
        self.call("prctl", 4, 0, 0, 0, 0)
        if self._filtered:
            self.call("seccomp", 1, 0, ctypes.byref(self._server))

    def close_child(self) -> None:
        """No capability, and the second filter."""
        self._do(self._capset)
        if not self._namespaces:
            self.call("prctl", 1, 9, 0, 0, 0)
            if os.getppid() != self._pid:
                os._exit(1)  # the server died before it could take this process with it
            if not self._filtered:
                os.setsid()
            for at in self._own_pids:
                struct.pack_into("=I", self._codes[1], at, os.getpid())
        if self._filtered:
            self._do(self._filter)

    def new_pids(self) -> None:
        """The next fork is pid 1 of a pid namespace of its own ..."""
        if self._namespaces:
            self._do(self._unshare)

    def own_pids(self) -> None:
        """... and the server may make another one for the one after it."""
        if self._namespaces:
            self._do(self._back)

    def end_group(self, pid: int) -> None:
        """Kill what a dead child has left running in its session, where it could start anything."""
        if not self._namespaces and not self._filtered:
            with suppress(OSError):
                os.killpg(pid, 9)
