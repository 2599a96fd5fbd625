"""The same tests as an ordinary user: a copy of interpreter, arena and suite where that user can read it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from arena.jail.runtime import bare_python

ORDINARY = 54321  # a user id that nobody has

_WHERE = """
import json, os, sys, sysconfig
print(os.path.realpath(sys.executable), os.path.dirname(os.__file__), sys.base_prefix,
      sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME") or "", sep="\\n")
"""


@contextmanager
def ordinary_user() -> Iterator[tuple[list[str], dict[str, str]]]:
    """A command prefix that runs Python as an ordinary user, and its environment.

    For root: another user, with a copy of everything in a folder of its own. For others: oneself.
    """
    tests = Path(__file__).resolve().parents[1]
    if os.getuid() != 0:
        yield [sys.executable], {**os.environ, "PYTHONPATH": f"{tests.parent}:{tests}"}
        return
    home = Path(tempfile.mkdtemp(prefix="arena-ordinary-"))
    try:
        home.chmod(0o755)
        python = _copy_python(home)
        _copy_packages(home / "packages", tests)
        command = [
            "setpriv",
            f"--reuid={ORDINARY}",
            f"--regid={ORDINARY}",
            "--clear-groups",
            str(python),
            "-B",
        ]
        yield (
            command,
            {
                "PYTHONPATH": str(home / "packages"),
                "LD_LIBRARY_PATH": str(home / "lib"),
                "PATH": os.environ["PATH"],
            },
        )
    finally:
        shutil.rmtree(home)


def _copy_python(home: Path) -> Path:
    answer = subprocess.run([bare_python(), "-S", "-c", _WHERE], capture_output=True, text=True, check=True)
    executable, stdlib, prefix, libraries, shared = answer.stdout.splitlines()
    for folder in ("bin", "lib"):
        (home / folder).mkdir()
    python = home / "bin" / Path(executable).name
    shutil.copy(executable, python)
    if shared.endswith(tuple("0123456789")) and (library := Path(libraries) / shared).exists():
        shutil.copy(library, home / "lib" / shared)
    unneeded = shutil.ignore_patterns(
        "site-packages", "test", "config-*", "idlelib", "tkinter", "ensurepip", "lib2to3"
    )
    shutil.copytree(stdlib, home / Path(stdlib).relative_to(prefix), ignore=unneeded)
    return python


def _copy_packages(target: Path, tests: Path) -> None:
    for name, folder in (("arena", tests.parent / "arena"), ("support", tests / "support")):
        shutil.copytree(folder, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    orjson = find_spec("orjson")
    assert orjson is not None
    assert orjson.origin is not None
    shutil.copytree(Path(orjson.origin).parent, target / "orjson")
    subprocess.run(["chmod", "-R", "a+rX", target], check=True)
