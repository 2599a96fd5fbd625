"""What a bot's fault means to its author: which step of the check it fails, and what to do about it."""

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from arena.errors import did_you_mean
from arena.model import Bot, Fault, FaultKind, Limits

FOUND, IMPORTS, STARTS, READY = "found", "imports", "starts in time", "ready to act"
ANSWERS, LEGAL, MEMORY, ALLOWED, TIMELY = (
    "answers", "legal", "within memory", "nothing forbidden", "in time",
)  # fmt: skip
SAME, SEATS, OTHERS, MATCHES = "same seed, same answers", "every seat", "another seat's fault", "many matches"

STEPS = (FOUND, IMPORTS, STARTS, READY, ANSWERS, LEGAL, MEMORY, ALLOWED, TIMELY, SAME, SEATS, OTHERS, MATCHES)
"""In the order in which they are shown."""

_FORBIDDEN = re.compile(
    r"(PermissionError|FileNotFoundError|FileExistsError|NotADirectoryError|IsADirectoryError"
    r"|Connection\w*Error|BlockingIOError|ChildProcessError|OSError|gaierror|URLError|BrokenProcessPool)\b"
    r"|.*can't start new thread|killed by SIGSYS",
    re.DOTALL,
)
_NO_ACT = re.compile(r"neither a function act|class Bot has no method act")
_NOT_READY = re.compile(r"not ready within")
_MODULE = re.compile(r"ModuleNotFoundError: No module named '([^'.]+)")

_CLOCK, _CHANCE = "reads the clock", "is not seeded"
_UNSEEDED = {
    "SystemRandom": _CHANCE, "urandom": _CHANCE, "getrandom": _CHANCE, "uuid4": _CHANCE,
    "time": _CLOCK, "time_ns": _CLOCK, "perf_counter": _CLOCK, "perf_counter_ns": _CLOCK,
    "monotonic": _CLOCK, "monotonic_ns": _CLOCK, "process_time": _CLOCK,
    "Clock": _CLOCK, "now": _CLOCK,
    "id": "differs from process to process", "getpid": "differs from run to run",
}  # fmt: skip
_UNSEEDED_MODULES = {"secrets": _CHANCE}


def step_of(fault: Fault) -> str:
    """The step of the check that this fault fails, when it happens in the first match."""
    if fault.kind is FaultKind.START:
        if _NOT_READY.match(fault.detail):
            return STARTS
        return READY if _NO_ACT.match(fault.detail) else IMPORTS
    if fault.kind is FaultKind.ILLEGAL:
        return ANSWERS if fault.detail.startswith("act returned") else LEGAL
    if fault.kind is FaultKind.CRASH:
        return ALLOWED if _FORBIDDEN.match(fault.detail) else ANSWERS
    return {FaultKind.TIMEOUT: TIMELY, FaultKind.MEMORY: MEMORY}.get(fault.kind, ANSWERS)


def advice(fault: Fault, bot: Bot, limits: Limits, log: str) -> str:
    """What its author can do about a fault, in a sentence or two."""
    if fault.kind is FaultKind.START:
        return _start_advice(fault.detail, bot, limits)
    if fault.kind is FaultKind.TIMEOUT:
        return (
            f"A decision may take {limits.move:g} s, and what goes beyond comes out of {limits.bank:g} s for "
            "the whole match. Think less; turn.bank tells what is left."
        )
    if fault.kind is FaultKind.MEMORY:
        return f"The whole process may hold {limits.memory // 2**20} MiB. Keep less."
    if fault.kind is FaultKind.PROTOCOL:
        return (
            'Answer each turn with one line {"id": …, "action": …} on standard output and write nothing else '
            "there; a log goes to standard error."
        )
    if fault.kind is FaultKind.ILLEGAL:
        return _answer_advice(fault.detail, log)
    return _crash_advice(fault.detail)


def unseeded(source: Path) -> tuple[str, ...]:
    """Places of a Python file where its answers may come to depend on chance of their own, or the clock."""
    if source.is_dir():
        return ()
    return tuple(dict.fromkeys(f"line {line}: {name} {why}" for line, name, why in sorted(_suspects(source))))


BUILD_ADVICE = "Mend the build: it runs in the jail, on a copy of the folder, without a network."


def _start_advice(detail: str, bot: Bot, limits: Limits) -> str:
    if detail.startswith("command:"):
        return "Give a command that is on this machine, or a program that is in the bot's folder."
    if _NOT_READY.match(detail):
        return f"Do less while the file is run and in Bot.__init__: there are {limits.start:g} s for both."
    if _NO_ACT.match(detail):
        near = _rename_hint(bot.source)
        return f"Write def act(turn): …, or class Bot with def act(self, turn): …{near}"
    if found := _MODULE.match(detail):
        return (
            "The standard library, arena.bot and arena.games can be imported; other packages only where the "
            f"organiser allows them (limits.python){did_you_mean(found[1], sys.stdlib_module_names)}."
        )
    if re.match(r"(Syntax|Indentation|Tab)Error", detail):
        return "Mend this line; Python cannot read the file."
    if detail.startswith("MemoryError"):
        return f"The whole process may hold {limits.memory // 2**20} MiB. Keep less."
    if _FORBIDDEN.match(detail):
        return _crash_advice(detail)
    return "Mend what fails while the file is run, before the first turn."


def _answer_advice(detail: str, log: str) -> str:
    if not detail.startswith("act returned"):
        return "Return one of turn.legal, exactly as it stands there."
    if detail.startswith("act returned None"):
        printed = " What it prints is only its log: return the action." if "{" in log or '"' in log else ""
        return f"Every way through act must end in a return with one of turn.legal.{printed}"
    return "Return a text, one of turn.legal."


def _crash_advice(detail: str) -> str:
    if _FORBIDDEN.match(detail):
        return (
            "In the jail there are no files to open, no network, no processes and no threads. Keep all that "
            "the bot needs in its own file, and compute in act itself."
        )
    if re.match(r"exit status|SystemExit|killed by|closed its pipe", detail):
        return "The program ended by itself: it must go on answering until it is told the end."
    return "Mend the last line of the traceback that is in your file."


def _rename_hint(source: Path) -> str:
    """A function of the file that its author may have meant."""
    functions = [node for node in _tree(source).body if isinstance(node, ast.FunctionDef)]
    named = [node for node in functions if len(node.args.args) == 1] or functions
    return f" (is {named[-1].name}, line {named[-1].lineno}, meant to be act?)" if named else ""


def _suspects(source: Path) -> Iterator[tuple[int, str, str]]:
    for node in ast.walk(_tree(source)):
        if not isinstance(node, ast.Call):
            continue
        name, owner = _last(node.func), _last(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if (why := _UNSEEDED.get(name)) or (why := _UNSEEDED_MODULES.get(owner)):
            yield node.lineno, f"{owner}.{name}" if owner else name, why
        elif name in ("seed", "Random", "default_rng", "RandomState") and not node.args:
            yield node.lineno, f"{name}()", "without a number takes one from the machine"


def _last(node: ast.expr) -> str:
    """The last part of a name such as `random.seed`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _tree(source: Path) -> ast.Module:
    """The parsed file; empty where there is nothing to parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
