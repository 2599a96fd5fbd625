"""Inside the jail: the child that plays one match as a Python bot.

Its descriptors: 0 null, 1 and 2 its log, 3 requests, 4 answers.
"""

import io
import json
import os
import random
import re
import resource
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any, NoReturn

from arena.jail.doors import FAILED, LOG_ROOM, Doors

SOURCE = "/bot/bot.py"
# What the server imports beforehand for a bot that names it, so that each match finds it there: modules whose
# import does nothing else. Packages of the organiser's choice come on top.
_WARM = """abc arena array bisect collections contextlib copy dataclasses datetime decimal enum fractions
    functools hashlib heapq itertools math numbers operator statistics string textwrap time typing"""


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


class PythonBot:
    """A bot in one Python file. All that can be is made before the fork."""

    def __init__(self, doors: Doors, config: dict[str, Any]) -> None:
        from arena.bot import Setup, Turn

        self._doors, self._setup, self._turn = doors, Setup, Turn
        self._memory, self._source = config["memory"], config["source"]
        self._processes = config["processes"]
        self._warm = {*_WARM.split(), *config["packages"]}
        self._code: CodeType
        self._loads: Callable[[bytes], Any] = json.loads
        self._dumps: Callable[[str], bytes] = _dumps
        with suppress(ImportError):
            import orjson

            self._loads, self._dumps = orjson.loads, orjson.dumps

    def prepare(self) -> str:
        """Compile the source, without running it: what is wrong with it, or nothing."""
        sys.argv[:] = [SOURCE]
        resource.setrlimit(resource.RLIMIT_AS, (self._memory, resource.RLIM_INFINITY))
        try:
            if self._source is None:
                with open(SOURCE, "rb") as file:
                    self._source = file.read()
            self._code = compile(self._source, SOURCE, "exec", dont_inherit=True)
        except SyntaxError as error:
            line = f" (line {error.lineno})" if error.lineno else ""
            return f"{type(error).__name__}: {error.msg}{line}"
        except (ValueError, MemoryError, RecursionError, OverflowError) as error:
            return f"{type(error).__name__}: {str(error) or 'the source cannot be compiled'}"
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        for name in self._code.co_names:  # all names that the file uses, those of imported modules among them
            if name.partition(".")[0] in self._warm:
                with suppress(Exception):
                    import_module(name)
        sys.stdout = sys.stderr = io.TextIOWrapper(_Log(), "utf-8", "backslashreplace", write_through=True)
        return ""

    def play(self, requests: int, answers: int, log: int) -> None:
        """The life of a child; returns only when it could not be shut in, before any of the bot runs."""
        try:
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.dup2(requests, 3)
            os.dup2(answers, 4)
            resource.setrlimit(resource.RLIMIT_AS, (self._memory, self._memory))
            if self._processes is not None:
                resource.setrlimit(resource.RLIMIT_NPROC, (self._processes, self._processes))
            self._doors.close_child()
        except OSError:
            return
        os.closerange(5, 64)
        try:
            self._turns(self._code)
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
