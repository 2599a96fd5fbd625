"""What an interpreter needs inside the jail: found by asking the interpreter itself, once a process.

Inside, everything has a neutral place: /python (executable and standard library), /lib (the shared libraries
that it and its extension modules load), /packages (orjson, and of arena what bots may import).
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from arena.errors import JailUnavailable

# Run by the interpreter in question: loads its extension modules without running them and tells what came
# along.
_SURVEY = """
import ctypes, glob, json, os, sys
stdlib = os.path.dirname(os.__file__)
left_out = ("_tkinter", "_test", "_curses", "readline", "_dbm", "_gdbm", "xx", "nis")
for path in glob.glob(stdlib + "/lib-dynload/*.so") + sys.argv[1:]:
    if not os.path.basename(path).startswith(left_out):
        try:
            ctypes.CDLL(path)
        except OSError:
            pass
class Info(ctypes.Structure):
    _fields_ = (("address", ctypes.c_size_t), ("name", ctypes.c_char_p))
found = []
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
def visit(info, size, data):
    name = os.fsdecode(info.contents.name or b"")
    if name.startswith("/") and not name.startswith(stdlib) and name not in sys.argv:
        found.append(name)
    return 0
ctypes.CDLL(None).dl_iterate_phdr(visit, None)
print(json.dumps({"executable": os.path.realpath(sys.executable), "stdlib": stdlib, "prefix": sys.base_prefix,
                  "libraries": found}))
"""
_OURS = ("__init__.py", "errors.py", "options.py", "seeds.py", "model", "games", "bot")


@dataclass(frozen=True, slots=True)
class Runtime:
    """Paths of the host and where they go, and how the interpreter is started inside."""

    binds: tuple[tuple[str, str], ...]
    hidden: tuple[str, ...]
    executable: str
    path: tuple[str, ...]

    @property
    def environ(self) -> dict[str, str]:
        return {"PYTHONHASHSEED": "0", "LD_LIBRARY_PATH": "/lib"}


def bare_python() -> str:
    """The interpreter that runs arena, without the virtual environment around it."""
    return getattr(sys, "_base_executable", "") or sys.executable


@cache
def python_runtime() -> Runtime:
    """The running interpreter's; JailUnavailable when it does not tell."""
    orjson = find_spec("orjson")
    package = os.path.dirname(orjson.origin) if orjson and orjson.origin else ""
    extensions = (
        [os.path.join(package, name) for name in os.listdir(package) if name.endswith(".so")]
        if package
        else []
    )
    found = _ask(bare_python(), extensions)
    inside = "/python/" + os.path.relpath(found["stdlib"], found["prefix"])
    executable = "/python/bin/" + os.path.basename(found["executable"])
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    binds = [
        (found["stdlib"], inside),
        (found["executable"], executable),
        *((library, _library_place(library)) for library in found["libraries"]),
        *((os.path.join(ours, name), f"/packages/arena/{name}") for name in _OURS),
    ]
    if package:
        binds.append((package, "/packages/orjson"))
    return Runtime(
        tuple(binds), (f"{inside}/site-packages", f"{inside}/dist-packages"), executable, ("/packages",)
    )


def _library_place(library: str) -> str:
    """The dynamic loader's path is written into the executable; all else is found by name."""
    name = os.path.basename(library)
    return library if name.startswith("ld-") else f"/lib/{name}"


def _ask(python: str, extensions: list[str]) -> dict[str, str]:
    command = [python, "-S", "-s", "-P", "-c", _SURVEY, *extensions]
    environ = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    try:
        answer = subprocess.run(
            command, env=environ, cwd="/", capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError) as error:
        detail = getattr(error, "stderr", None) or str(error)
        raise JailUnavailable(f"the interpreter {python} does not run: {detail.strip()[-300:]}") from error
    found: dict[str, str] = json.loads(answer.stdout)
    return found
