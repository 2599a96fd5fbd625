"""What runs inside the jail: the fork server of one bot, and the child that plays one match.

Its text is handed to a bare interpreter through a descriptor, so no file of it is in the jail; standard
library only. The server never runs code of the bot. It has descriptor 5, a socket to the worker, which says

    S + 3 descriptors   start a child on (requests, answers, log); answered by S, its pid, and a pidfd
    R pid               reap that child once it is dead; answered by R, status, CPU seconds, largest memory
    in KiB

Closing it ends the server and all of its children. A child has 0 null, 1 and 2 its log, 3 requests, 4
answers.
"""

import _socket
import ctypes
import gc
import io
import json
import os
import random
import re
import resource
import struct
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, ModuleType
from typing import Any, NoReturn

SOURCE = "/bot/bot.py"
CONTROL = 5
LOG_START = 1024  # before it, in the log file, stand the last words of a bot that failed
LOG_ROOM = 32 * 1024  # of what a bot prints; the file itself ends at twice that
FAILED = 70  # the exit status that says: read my last words
_NEWPID = 0x20000000

_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


class _Log(io.RawIOBase):
    """Descriptor 2, from which an honest chatty bot never sees an error: what is too much is dropped."""

    left = LOG_ROOM

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2

    def write(self, data: Any) -> int:
        size = len(data)
        if self.left > 0:
            try:
                os.write(2, data[: self.left])
            except OSError:
                self.left = 0
            self.left -= size
        return size


class Doors:
    """The system calls that shut a child in, arguments made before the fork to touch few pages."""

    def __init__(self, calls: dict[str, int], child_filter: bytes, memory: int) -> None:
        long = ctypes.c_long
        self._program = _Program(len(child_filter) // 8, child_filter)
        self._header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0), 8)
        self._nothing = ctypes.create_string_buffer(24)
        self._capset = (long(calls["capset"]), self._header, self._nothing)
        self._seccomp = (long(calls["seccomp"]), long(1), long(0), ctypes.byref(self._program))
        self._unshare = (long(calls["unshare"]), long(_NEWPID))
        self._back = (long(calls["setns"]), long(os.pidfd_open(os.getpid())), long(_NEWPID))
        self._memory = (memory, memory)

    def close(self) -> None:
        """In the child: its memory limit, no capability, the second filter."""
        resource.setrlimit(resource.RLIMIT_AS, self._memory)
        self._do(self._capset)
        self._do(self._seccomp)

    def new_pids(self) -> None:
        """The next fork is pid 1 of a pid namespace of its own ..."""
        self._do(self._unshare)

    def own_pids(self) -> None:
        """... and the server may make another one for the one after it."""
        self._do(self._back)

    @staticmethod
    def _do(arguments: tuple[Any, ...]) -> None:
        if _syscall(*arguments) < 0:
            raise OSError(ctypes.get_errno(), "the jail's door")


def serve(config: dict[str, Any]) -> NoReturn:
    """The fork server, from its first step to its end."""
    for null in (3, 4):  # what is opened from here on gets no number that a child needs
        os.dup2(0, null)
    control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, CONTROL)
    calls = config["calls"]
    for option, value in (
        (1, 9),
        (4, 0),
    ):  # dies with the stub; not to be traced by a process of the same user
        _syscall(*map(ctypes.c_long, (calls["prctl"], option, value, 0, 0, 0)))
    filter_ = bytes.fromhex(config["server_filter"])
    program = _Program(len(filter_) // 8, filter_)
    doors = Doors(calls, bytes.fromhex(config["child_filter"]), config["memory"])
    if (
        _syscall(ctypes.c_long(calls["seccomp"]), ctypes.c_long(1), ctypes.c_long(0), ctypes.byref(program))
        < 0
    ):
        control.sendmsg([b"Esystem call filter: " + os.strerror(ctypes.get_errno()).encode()])
        os._exit(1)
    sys.path += config["path"]
    sys.argv[:] = [SOURCE]
    sys.dont_write_bytecode = True
    os.environ.pop("LD_LIBRARY_PATH", None)
    sys.stdout = sys.stderr = io.TextIOWrapper(_Log(), "utf-8", "backslashreplace", write_through=True)
    player = Child(doors)
    control.sendmsg([b"U"])
    code, problem = _compiled(config["memory"])
    control.sendmsg([b"C" + problem.encode()])
    for null in (1, 2):
        os.dup2(0, null)
    gc.collect()
    gc.freeze()
    while True:
        data, passed, _, _ = control.recvmsg(64, 64)
        if data == b"S":
            _start(control, doors, player, code, struct.unpack("3i", passed[0][2]))
        elif data:
            _, status, usage = os.wait4(int(data[1:]), 0)
            control.sendmsg([b"R%d %.6f %d" % (status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)])
        else:
            os._exit(0)


def _start(
    control: Any, doors: Doors, player: "Child", code: CodeType | None, passed: tuple[int, ...]
) -> None:
    try:
        doors.new_pids()
        pid = os.fork()
        if pid == 0:
            player.play(passed, code)
            control.sendmsg([b"Ea child could not be shut in"])
            os._exit(1)
        doors.own_pids()
    except OSError as error:
        control.sendmsg([b"E%s" % str(error).encode()])
    else:
        handle = os.pidfd_open(pid)
        control.sendmsg([b"S%d" % pid], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", handle))])
        os.close(handle)
    for descriptor in passed:
        os.close(descriptor)


def _compiled(memory: int) -> tuple[CodeType | None, str]:
    """The bot's code, not run, or what is wrong with its source."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.RLIM_INFINITY))
    try:
        with open(SOURCE, "rb") as file:
            return compile(file.read(), SOURCE, "exec", dont_inherit=True), ""
    except SyntaxError as error:
        line = f" (line {error.lineno})" if error.lineno else ""
        return None, f"{type(error).__name__}: {error.msg}{line}"
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        return None, f"{type(error).__name__}: {str(error) or 'the source cannot be compiled'}"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


class Child:
    """One match of the bot, in a process that has nothing else. Made before the fork."""

    def __init__(self, doors: Doors) -> None:
        from arena.bot import Setup, Turn

        self._doors, self._setup, self._turn = doors, Setup, Turn
        self._loads: Callable[[bytes], Any] = json.loads
        self._dumps: Callable[[str], bytes] = _dumps
        with suppress(ImportError):
            import orjson

            self._loads, self._dumps = orjson.loads, orjson.dumps

    def play(self, passed: tuple[int, ...], code: Any) -> None:
        """The life of a child; returns only when it could not be shut in, before any of the bot runs."""
        try:
            requests, answers, log = passed
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.dup2(requests, 3)
            os.dup2(answers, 4)
            self._doors.close()
            os.closerange(5, 64)  # the control socket last: without doors there is no match (see `_start`)
        except OSError:
            return
        try:
            self._turns(code)
        except MemoryError as error:
            _fail("memory", "MemoryError", error)
        except BaseException as error:  # a bot may raise anything, and even its message is the bot's own code
            _fail("crash", _describe(error), error)
        finally:
            os._exit(FAILED)

    def _turns(self, code: CodeType) -> NoReturn:
        message = self._loads(_line())
        setup = self._setup(message)
        random.seed(setup.seed)
        act = _entry(code, setup)
        turn, loads, dumps, read, write = self._turn, self._loads, self._dumps, os.read, os.write
        write(4, b'{"type":"ready"}\n')
        while True:
            data = read(3, 8192)
            message = loads(data if data[-1:] == b"\n" else _line(data))
            if message["type"] != "turn":
                os._exit(0)
            action = act(turn(setup, message))
            if type(action) is not str:
                _fail("illegal", _not_text(action, message["legal"]))
            write(4, b'{"id":%d,"action":%s}\n' % (message["id"], dumps(action)))


def _dumps(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode()


def _line(data: bytes = b"") -> bytes:
    """The rest of a request of which `data` is there; the end of all requests is the end of the child."""
    while not data.endswith(b"\n"):
        more = os.read(3, 65536)
        if not more:
            os._exit(0)
        data += more
    return data


def _entry(code: CodeType, setup: Any) -> Any:
    """Run the bot's file and find its `act`."""
    module = ModuleType("bot")
    module.__file__ = SOURCE
    sys.modules["bot"] = module
    exec(code, module.__dict__)
    if isinstance(made := getattr(module, "Bot", None), type):
        act = getattr(made(setup), "act", None)
        if not callable(act):
            _fail("crash", "class Bot has no method act(self, turn)")
        return act
    act = getattr(module, "act", None)
    if not callable(act):
        _fail("crash", "neither a function act(turn) nor a class Bot with a method act(self, turn)")
    return act


def _not_text(action: Any, legal: list[str]) -> str:
    given = "None" if action is None else f"{action!r:.80} ({type(action).__name__})"
    meant = f" (did you mean {str(action)!r}?)" if str(action) in legal else ""
    return f"act returned {given}, not one of turn.legal{meant}"


def _describe(error: BaseException) -> str:
    """Type, message and the line of the bot's file where it happened; no address."""
    where = [
        line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == SOURCE
    ]
    if isinstance(error, SyntaxError) and error.filename == SOURCE:
        where = [error.lineno or 0]
    message = " ".join(str(error).split())[:200]
    line = f" (line {where[-1]})" if where else ""
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x...", f"{type(error).__name__}: {message}".rstrip(": ")) + line


def _fail(kind: str, detail: str, error: BaseException | None = None) -> NoReturn:
    """Leave the last words, and the traceback in the log, and go."""
    try:
        words = json.dumps({"kind": kind, "detail": detail[:150]}, ensure_ascii=False)
        os.pwrite(2, words.encode("utf-8", "backslashreplace") + b"\n", 0)
        if error is not None:
            own = error.__traceback__
            while own and own.tb_next and own.tb_frame.f_code.co_filename != SOURCE:
                own = own.tb_next
            text = "".join(traceback.format_exception(type(error), error, own, limit=-50))
            os.write(2, text[-16000:].encode("utf-8", "backslashreplace"))
    finally:
        os._exit(FAILED)
