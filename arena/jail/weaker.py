"""The tiers without namespaces: the host's own paths, shut off by Landlock (B) or not at all (C, D).

There is no root file system of their own, so nothing is copied and nothing can be left behind: a Python bot's
source is handed over with its server's text, and a program runs in the folder in which it lies.
"""

import os
from typing import Any

from arena.jail import filters, landlock
from arena.jail.programs import program_runtime
from arena.jail.runtime import python_runtime
from arena.model import Bot, Limits

_READ = landlock.READ_FILE | landlock.READ_DIR | landlock.EXECUTE
_LOADER_CACHE = "/etc/ld.so.cache"
# A configuration that is refused ends Node; one that is not there does not.
_ENVIRON = {"PATH": "/usr/bin:/bin", "HOME": "/", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
            "OPENSSL_CONF": "/no/such/file"}  # fmt: skip


def weaken(
    steps: dict[str, Any], config: dict[str, Any], bot: Bot, limits: Limits, tier: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The stub's steps and the server's settings of tier A, changed into those of a weaker one."""
    runtime = python_runtime(None if bot.command else limits.python)
    host = {inside: source for source, inside in runtime.binds}
    finds = {name: path for name in ("orjson",) if (path := host.get(f"/packages/{name}"))}
    arena = finds["arena"] = os.path.dirname(host["/packages/arena/__init__.py"])
    readable = [(source, _READ) for source, _ in runtime.binds] + [(arena, landlock.READ_DIR)]
    if os.path.exists(_LOADER_CACHE):
        readable.append((_LOADER_CACHE, landlock.READ_FILE))
    environ = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    rlimits = {name: value for name, value in steps["rlimits"].items() if name != "RLIMIT_NPROC"}
    _, *arguments = steps["argv"]
    config = {**config, "namespaces": False, "finds": finds, "filters": _filters(bot, tier),
              "path": tuple(host[place] for place in runtime.path if place in host)}  # fmt: skip
    if bot.command:
        folder = str(bot.source.absolute())
        (program, *rest), binds = program_runtime(bot.command, bot.source)
        host |= {inside: source for source, inside in binds}
        own = os.path.join(folder, os.path.relpath(program, "/bot"))
        config |= {"command": [host.get(program, own), *rest], "environ": _ENVIRON | environ, "home": folder,
                   "landlock": None}  # fmt: skip
        readable += [(folder, _READ), *((source, _READ) for source, _ in binds)]
    else:
        config |= {"processes": 0}
    steps = {**steps, "namespaces": False, "nobody": tier in "CD", "rlimits": rlimits,
             "readable": readable if tier == "B" else [], "argv": [host[runtime.executable], *arguments],
             "environ": {**runtime.environ, **environ} if environ else _without_library_path(runtime.environ),
             }  # fmt: skip
    return steps, config


def _without_library_path(environ: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name != "LD_LIBRARY_PATH"}


def _filters(bot: Bot, tier: str) -> tuple[str, str] | None:
    if tier == "D":
        return None
    if bot.command:
        return filters.program_server(False).hex(), filters.program_child(False).hex()
    return filters.python_server(False).hex(), filters.python_child(False).hex()
