"""Tries to read and to write what is not its own."""

import os
import tempfile
from contextlib import suppress
from typing import Any


def act(turn: Any) -> str:
    canary = turn.options["canary"]
    got = []
    for path in ("/etc/passwd", "/etc/hostname", "/root", "/home", "/proc/1/environ", "/sys/kernel", canary):
        with suppress(OSError):
            if os.path.isdir(path):
                os.listdir(path)
            else:
                os.close(os.open(path, os.O_RDONLY))
            got.append(f"read {path}")
    for path in (canary, __file__, os.__file__):
        with suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
            got.append(f"opened {path} to write")
    for folder in ("/", "/tmp", "/dev/shm", "/var/tmp", os.path.dirname(canary), os.path.dirname(__file__)):
        with suppress(OSError):
            handle, made = tempfile.mkstemp(dir=folder)
            os.close(handle)
            os.unlink(made)
            got.append(f"wrote a file into {folder}")
    with suppress(OSError):
        os.stat(canary)
        got.append("saw the size and time of a file of the host")
    return "; ".join(got) or "nothing"
