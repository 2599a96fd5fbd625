"""Tries to learn that files exist, how large they are and when they were changed, and the host's name."""

import os
from contextlib import suppress
from typing import Any


def act(turn: Any) -> str:
    got = []
    for path in ("/etc/passwd", "/root", "/home", "/proc/self", turn.options["canary"]):
        with suppress(OSError):
            got.append(f"saw that {path} has {os.stat(path).st_size} bytes")
    if os.uname().nodename == turn.options["host"]:
        got.append("saw the name of the host")
    return "; ".join(got) or "nothing"
