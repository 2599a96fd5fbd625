"""What a bot's fork server is given: the steps of the stub, the bot's source, and the text it runs."""

import json
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import arena.jail
from arena.errors import InfrastructureError
from arena.jail import filters, landlock, syscalls
from arena.jail.programs import program_runtime
from arena.jail.python_child import SOURCE
from arena.jail.runtime import python_runtime
from arena.jail.weaker import weaken
from arena.model import Bot, Limits

SCRATCH = 16 * 2**20
"""Bytes of a program's own /tmp."""
_MOST_SOURCE = 16 * 2**20
_BOOT = "import os; exec(compile(os.read(3, 1 << 27), '<jail>', 'exec'))"
_PLAYS = ("doors", "python_child", "program_child", "inside")
_BUILDS = ("doors", "builder")
_LOAD = """
import sys, types
for name, text in TEXTS.items():
    sys.modules[name] = types.ModuleType(name)
    exec(compile(text, f"<{name}>", "exec"), sys.modules[name].__dict__)
serve = sys.modules[name].serve
for name in TEXTS:
    del sys.modules[name]
serve(CONFIG)
"""
_CALLS = ("prctl", "seccomp", "capset", "unshare", "setns", "mount", "landlock_create_ruleset",
          "landlock_add_rule", "landlock_restrict_self")  # fmt: skip
_RLIMITS = {"RLIMIT_CORE": 0, "RLIMIT_STACK": 8 * 2**20, "RLIMIT_MEMLOCK": 0, "RLIMIT_MSGQUEUE": 0,
            "RLIMIT_CPU": 24 * 3600}  # fmt: skip
_OF_PYTHON = {"RLIMIT_NOFILE": 64, "RLIMIT_NPROC": 16, "RLIMIT_FSIZE": 2**16}
_OF_PROGRAM = {"RLIMIT_NOFILE": 256, "RLIMIT_NPROC": 64, "RLIMIT_FSIZE": SCRATCH}
_OF_BUILD = {"RLIMIT_NOFILE": 1024, "RLIMIT_NPROC": 256, "RLIMIT_FSIZE": 2**28}


@dataclass(frozen=True, slots=True)
class Plan:
    """`steps`: JSON for the stub, `source`: of a Python bot, `boot`: what the server's interpreter runs."""

    steps: bytes
    source: bytes
    boot: bytes


def make_plan(bot: Bot, limits: Limits, core: int | None, tier: str = "A") -> Plan:
    """NoProgramError when this machine has no such program; InfrastructureError when the source is not
    there.
    """
    runtime = python_runtime(None if bot.command else limits.python)
    steps: dict[str, Any] = {
        "core": core, "binds": runtime.binds, "hidden": runtime.hidden, "folders": [], "folder": "",
        "scratch": {}, "namespaces": True, "nobody": False,
        "environ": runtime.environ,
        "argv": [runtime.executable, "-S", "-s", "-P", "-W", "ignore", "-c", _BOOT],
    }  # fmt: skip
    config: dict[str, Any] = {
        "calls": {name: syscalls.number(name) for name in _CALLS}, "memory": limits.memory,
        "path": runtime.path, "packages": runtime.packages, "namespaces": True, "finds": {}, "home": "/bot",
        "processes": None, "source": None,
    }  # fmt: skip
    if bot.command:
        command, binds = program_runtime(bot.command, bot.source)
        missing = [bind for bind in binds if bind[1] not in {place for _, place in runtime.binds}]
        steps |= {"binds": (*runtime.binds, *missing), "folder": str(bot.source.absolute()), "source": "",
                  "folders": ["/bot", "/tmp"], "readable": [], "rlimits": _RLIMITS | _OF_PROGRAM}  # fmt: skip
        config |= {"command": command, "environ": _PROGRAM_ENVIRON, "scratch": SCRATCH,
                   "filters": _program_filters()}  # fmt: skip
        if tier == "A":
            config["landlock"] = landlock.handled(landlock.version())
    else:
        everything = landlock.READ_FILE | landlock.READ_DIR | landlock.EXECUTE
        steps |= {"source": SOURCE, "readable": [("/", everything)], "rlimits": _RLIMITS | _OF_PYTHON}
        config |= {"command": None, "filters": _python_filters()}
    source = b"" if bot.command else _source(bot)
    if tier != "A":
        steps, config = weaken(steps, config | {"source": source}, bot, limits, tier)
    return Plan(json.dumps(steps).encode(), source, _boot(config, _PLAYS))


def build_plan(bot: Bot) -> Plan:
    """The same for a run of the bot's build command, in a root that holds this machine's tools."""
    runtime = python_runtime()
    tools = [(place, place) for place in _TOOLS if os.path.exists(place)]
    own = [(source, re.sub("^/lib/", "/python-libraries/", target)) for source, target in runtime.binds
           if not os.path.basename(target).startswith("ld-")]  # fmt: skip
    everything, readable = (1 << 16) - 1, landlock.READ_FILE | landlock.READ_DIR | landlock.EXECUTE
    steps = {
        "namespaces": True, "nobody": False,
        "core": None, "binds": (*tools, *own), "hidden": runtime.hidden, "folders": [],
        "folder": str(bot.source.absolute()), "source": "",
        "environ": runtime.environ | {"LD_LIBRARY_PATH": "/python-libraries"},
        "argv": [runtime.executable, "-S", "-s", "-P", "-W", "ignore", "-c", _BOOT],
        "readable": [("/", readable), ("/bot", everything), ("/tmp", everything),
                     ("/dev/null", everything)],
        "scratch": {"/bot": 2**28, "/tmp": 2**28}, "rlimits": _RLIMITS | _OF_BUILD,
    }  # fmt: skip
    environ = {key: value for key, value in _PROGRAM_ENVIRON.items() if key != "LD_LIBRARY_PATH"}
    both = filters.build().hex(), filters.build_child().hex()
    config = {"calls": {name: syscalls.number(name) for name in _CALLS}, "command": bot.build,
              "environ": environ, "filters": both, "namespaces": True}  # fmt: skip
    return Plan(json.dumps(steps).encode(), b"", _boot(config, _BUILDS))


_TOOLS = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/dev/null")
_PROGRAM_ENVIRON = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8",
                    "LD_LIBRARY_PATH": "/lib", "PYTHONHASHSEED": "0"}  # fmt: skip


def _source(bot: Bot) -> bytes:
    try:
        source = bot.source.read_bytes()
    except OSError as error:
        raise InfrastructureError(f"{bot.source}: {error.strerror}") from error
    if len(source) > _MOST_SOURCE:
        raise InfrastructureError(f"{bot.source}: {len(source)} bytes, more than {_MOST_SOURCE}")
    return source


def _boot(config: dict[str, Any], modules: tuple[str, ...]) -> bytes:
    return f"TEXTS = {_texts(modules)!r}\nCONFIG = {config!r}\n{_LOAD}".encode()


@cache
def _texts(modules: tuple[str, ...]) -> dict[str, str]:
    """The modules that run inside, in the order of their imports."""
    house = Path(arena.jail.__path__[0])
    return {f"arena.jail.{name}": (house / f"{name}.py").read_text() for name in modules}


@cache
def _python_filters() -> tuple[str, str]:
    return filters.python_server().hex(), filters.python_child().hex()


@cache
def _program_filters() -> tuple[str, str]:
    return filters.program_server().hex(), filters.program_child().hex()
