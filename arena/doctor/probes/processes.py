"""Tries to have more than its one process, and to run another program."""

import _thread
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def act(turn: Any) -> str:
    ways: dict[str, Callable[[], Any]] = {
        "forked": _fork,
        "started a thread": lambda: _thread.start_new_thread(int, ()),
        "ran another program": lambda: subprocess.run([sys.executable, "-V"], capture_output=True),
        "spawned a process": lambda: os.posix_spawn(sys.executable, [sys.executable, "-V"], {}),
        "left for another session": os.setsid,
    }
    got = []
    for name, way in ways.items():
        try:
            way()
            got.append(name)
        except (OSError, RuntimeError):
            pass
    return "; ".join(got) or "nothing"
