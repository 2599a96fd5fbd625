"""A trusted player: a Python bot's file run in this very process, for tests, debugging and measuring.

It enforces nothing: no limit of time or memory, no jail. Its bot sees and answers what a jailed one would.
"""

import builtins
import random
import sys
import traceback
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from time import perf_counter, thread_time
from types import CodeType, ModuleType
from typing import Any

import orjson

from arena.bot import Setup as BotSetup
from arena.bot import Turn
from arena.errors import UsageError
from arena.model import Bot, Fault, FaultKind, Request, Setup, Timing
from arena.protocol import quote, start_message, turn_message


class InProcessPlayer:
    """Plays one match; an exception of the bot is its fault. UsageError for a bot that is no Python file."""

    def __init__(self, bot: Bot) -> None:
        if bot.command:
            raise UsageError(f"{bot.id}: only a Python file can play in arena's own process")
        self._bot = bot
        self._asked = 0
        self._bank = 0.0
        self._think: list[float] = []
        self._cpu = 0.0
        self._setup: BotSetup
        self._act: Callable[[Turn], Any]

    def start(self, setup: Setup) -> Fault | None:
        self._setup = BotSetup(orjson.loads(start_message(setup)))
        self._bank = setup.limits.bank
        try:
            self._act = _entry(_code(self._bot.source, self._bot.digest), self._setup)
        except (Exception, SystemExit) as error:
            return _fault(FaultKind.START, error, self._bot.source)
        return None

    def ask(self, request: Request) -> str | Fault:
        self._asked += 1
        turn = Turn(self._setup, orjson.loads(turn_message(self._asked, request, self._bank)))
        wall, cpu = perf_counter(), thread_time()
        try:
            action = self._act(turn)
        except (Exception, SystemExit) as error:
            kind = FaultKind.MEMORY if isinstance(error, MemoryError) else FaultKind.CRASH
            return _fault(kind, error, self._bot.source)
        finally:
            self._think.append((perf_counter() - wall) * 1e3)
            self._cpu += (thread_time() - cpu) * 1e3
        if isinstance(action, str):
            return action
        said = quote(f"{action!r:.80} ({type(action).__name__})")
        return Fault(FaultKind.ILLEGAL, self._asked, f"act returned {said}, not one of turn.legal")

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """A Python bot is not told."""

    def close(self) -> Timing:
        return Timing(self._cpu, sum(self._think), tuple(self._think))


@lru_cache(maxsize=256)
def _code(source: Path, digest: str) -> CodeType:
    """The compiled bot; `digest` tells its versions apart."""
    return compile(source.read_bytes(), str(source), "exec", dont_inherit=True)


def _entry(code: CodeType, setup: BotSetup) -> Callable[[Turn], Any]:
    """Run the bot's file and find its `act`."""
    module = ModuleType("bot")
    module.__file__ = code.co_filename
    module.__dict__["__builtins__"] = vars(builtins) | {"__import__": _import_with(_own_random(setup.seed))}
    sys.modules["bot"] = module
    exec(code, module.__dict__)
    made = getattr(module, "Bot", None)
    act: Callable[[Turn], Any] | None = getattr(
        made(setup) if isinstance(made, type) else module, "act", None
    )
    if not callable(act):
        raise TypeError("neither a function act(turn) nor a class Bot with a method act(self, turn)")
    return act


def _own_random(seed: int) -> ModuleType:
    """A `random` module apart, seeded as in the jail: bots in one process do not move others' numbers."""
    own, source = ModuleType("random", random.__doc__), random.Random(seed)
    for name in random.__all__:
        setattr(own, name, getattr(source, name, getattr(random, name)))
    return own


def _import_with(own: ModuleType) -> Callable[..., ModuleType]:
    def load(name: str, *rest: Any, **named: Any) -> ModuleType:
        return own if name == "random" else builtins.__import__(name, *rest, **named)

    return load


def _fault(kind: FaultKind, error: BaseException, source: Path) -> Fault:
    """Type, message and the line of the bot's file: equal in any two runs."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == str(source)]
    if isinstance(error, SyntaxError) and error.filename == str(source):
        lines = [error.lineno or 0]
    message = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    where = f" (line {lines[-1]})" if lines else ""
    return Fault(kind, 0, quote(f"{type(error).__name__}: {message}".rstrip(": ")) + where)
