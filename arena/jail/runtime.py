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
from typing import Any

from arena.errors import JailUnavailable, UsageError

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
_OF_C = ("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1",
         "libgomp.so.1")  # fmt: skip
_OURS = ("__init__.py", "errors.py", "options.py", "seeds.py", "model", "games", "bot")


# Run by an interpreter with its packages: where they are, and which interpreter is below.
_PACKAGES = """
import json, os, sys, sysconfig
paths = sysconfig.get_paths()
folders = [path for path in dict.fromkeys((paths["purelib"], paths["platlib"])) if os.path.isdir(path)]
print(json.dumps({"base": getattr(sys, "_base_executable", "") or sys.executable, "folders": folders,
                  "version": sys.version_info[:2], "tag": sys.implementation.cache_tag}))
"""


@dataclass(frozen=True, slots=True)
class Runtime:
    """Paths of the host and where they go, and how the interpreter is started inside."""

    binds: tuple[tuple[str, str], ...]
    hidden: tuple[str, ...]
    executable: str
    path: tuple[str, ...]
    """Where packages are looked for, after the standard library."""
    packages: tuple[str, ...] = ()
    """The organiser's packages that bots may import."""

    @property
    def environ(self) -> dict[str, str]:
        """Written from nothing. Numerical libraries are kept from starting threads, which are refused."""
        environ = {"PYTHONHASHSEED": "0", "LD_LIBRARY_PATH": "/lib"}
        return environ | ({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"} if self.packages else {})


def bare_python() -> str:
    """The interpreter that runs arena, without the virtual environment around it."""
    return getattr(sys, "_base_executable", "") or sys.executable


@cache
def python_runtime(python: str | None = None) -> Runtime:
    """The running interpreter's, or that of the interpreter or virtual environment `python` with its
    packages.

    JailUnavailable when it does not run, UsageError when bots cannot run on it.
    """
    if python is None:
        return _runtime(bare_python(), _package_of("orjson"), [])
    given = os.path.join(python, "bin", "python") if os.path.isdir(python) else python
    if os.path.dirname(given):  # asked from another folder, so not by a relative path
        given = os.path.abspath(given)
    found = _ask([given, "-s", "-P", "-c", _PACKAGES])
    if found["version"] < [3, 11]:
        raise UsageError(
            f"limits.python: Python 3.11 or later, not {found['version'][0]}.{found['version'][1]}"
        )
    ours = _package_of("orjson") if found["tag"] == sys.implementation.cache_tag else ""
    return _runtime(found["base"], ours, found["folders"])


def _package_of(name: str) -> str:
    """The folder of a package of arena's own environment; empty when it is not there."""
    spec = find_spec(name)
    return os.path.dirname(spec.origin) if spec and spec.origin else ""


def _runtime(python: str, orjson: str, sites: list[str]) -> Runtime:
    extensions = (
        [os.path.join(orjson, name) for name in os.listdir(orjson) if name.endswith(".so")] if orjson else []
    )
    found = _ask([python, "-S", "-s", "-P", "-c", _SURVEY, *extensions, *_OF_C])
    inside = "/python/" + os.path.relpath(found["stdlib"], found["prefix"])
    executable = "/python/bin/" + os.path.basename(found["executable"])
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [f"/site{number}" for number in range(len(sites))]
    binds = [
        (found["stdlib"], inside),
        (found["executable"], executable),
        *((library, library_place(library)) for library in found["libraries"]),
        *((os.path.join(ours, name), f"/packages/arena/{name}") for name in _OURS),
        *zip(sites, folders, strict=True),
    ]
    if orjson:
        binds.append((orjson, "/packages/orjson"))
    names = {name.partition(".")[0] for site in sites for name in os.listdir(site)}
    packages = sorted(name for name in names - {"arena", "__pycache__"} if name.isidentifier())
    hidden = (f"{inside}/site-packages", f"{inside}/dist-packages")
    return Runtime(tuple(binds), hidden, executable, ("/packages", *folders), tuple(packages))


def library_place(library: str) -> str:
    """The dynamic loader's path is written into the executable; all else is found by name."""
    name = os.path.basename(library)
    return library if name.startswith("ld-") else f"/lib/{name}"


def _ask(command: list[str]) -> dict[str, Any]:
    environ = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    try:
        answer = subprocess.run(
            command, env=environ, cwd="/", capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError) as error:
        detail = getattr(error, "stderr", None) or str(error)
        raise JailUnavailable(
            f"the interpreter {command[0]} does not run: {detail.strip()[-300:]}"
        ) from error
    found: dict[str, Any] = json.loads(answer.stdout)
    return found
