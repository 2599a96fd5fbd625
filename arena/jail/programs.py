"""What a program in any language needs of the host: itself and the shared libraries that it is linked to."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from arena.errors import UsageError
from arena.jail.runtime import library_place, python_runtime


class NoProgramError(UsageError):
    """This machine, or the bot's folder, has no such program: the bot cannot be started."""


def program_runtime(command: tuple[str, ...], folder: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """The command as it is given inside, and what of the host it needs beside the bot's folder.

    A program of the folder is written `./name`; `python` is arena's own interpreter; any other is looked
    for on PATH and comes with the shared libraries that it is linked to. NoProgramError when it is not there.
    """
    first, *rest = command
    if first in ("python", "python3"):
        return [python_runtime().executable, *rest], []
    if "/" in first and not first.startswith("/"):
        if not (folder / first).is_file():
            raise NoProgramError(f"command: {first}: no such file in the bot's folder")
        return [f"/bot/{os.path.normpath(first)}", *rest], []
    place = shutil.which(first)
    if place is None:
        raise NoProgramError(f"command: {first}: no such program on this machine")
    place = os.path.realpath(place)
    inside = f"/usr/bin/{os.path.basename(first)}"
    return [inside, *rest], [(place, inside), *((name, library_place(name)) for name in _linked(place))]


def _linked(executable: str) -> list[str]:
    """The shared libraries of a program of the host, as the dynamic loader finds them."""
    loader = next(place for _, place in python_runtime().binds if os.path.basename(place).startswith("ld-"))
    answer = subprocess.run([loader, "--list", executable], capture_output=True, text=True, check=False)
    return re.findall(r"=> (/\S+) \(", answer.stdout)
