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

    For root: another user, who finds everything in a folder of its own; the standard library is bound there
    in a mount namespace of that command where root may do that, else copied. For others: oneself.
    """
    tests = Path(__file__).resolve().parents[1]
    if os.getuid() != 0:
        yield [sys.executable], {**os.environ, "PYTHONPATH": f"{tests.parent}:{tests}"}
        return
    home = Path(tempfile.mkdtemp(prefix="arena-ordinary-"))
    try:
        home.chmod(0o755)
        python, stdlib, place = _copy_python(home)
        _copy_packages(home / "packages", tests)
        command = [
            *_bound(stdlib, place),
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


def _bound(source: Path, place: Path) -> list[str]:
    """A prefix for a command that finds `source` at `place`."""
    place.mkdir(parents=True)
    prefix = ["unshare", "--mount", "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "sh"]
    prefix += [str(source), str(place)]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:
        return prefix
    unneeded = shutil.ignore_patterns("site-packages", "test", "config-*", "idlelib", "tkinter", "ensurepip")
    shutil.copytree(source, place, ignore=unneeded, dirs_exist_ok=True)
    return []


def _copy_python(home: Path) -> tuple[Path, Path, Path]:
    """The executable in `home`, the standard library, and its place in `home`."""
    answer = subprocess.run([bare_python(), "-S", "-c", _WHERE], capture_output=True, text=True, check=True)
    executable, stdlib, prefix, libraries, shared = answer.stdout.splitlines()
    for folder in ("bin", "lib"):
        (home / folder).mkdir()
    python = home / "bin" / Path(executable).name
    shutil.copy(executable, python)
    if shared.endswith(tuple("0123456789")) and (library := Path(libraries) / shared).exists():
        shutil.copy(library, home / "lib" / shared)
    return python, Path(stdlib), home / Path(stdlib).relative_to(prefix)


def _copy_packages(target: Path, tests: Path) -> None:
    for name, folder in (("arena", tests.parent / "arena"), ("support", tests / "support")):
        shutil.copytree(folder, target / name)
    orjson = find_spec("orjson")
    assert orjson is not None
    assert orjson.origin is not None
    shutil.copytree(Path(orjson.origin).parent, target / "orjson")
    subprocess.run(["chmod", "-R", "a+rX", target], check=True)
