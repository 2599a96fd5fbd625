"""Tries to read what is not its language's run-time."""

import os
from contextlib import suppress
from typing import Any

PLACES = (
    "/etc/passwd",
    "/etc/hostname",
    "/root",
    "/home",
    "/var/log",
    "/proc/1/environ",
    "/proc/self/maps",
    "/sys",
)


def act(turn: Any) -> str:
    got = []
    for path in (*PLACES, turn.options["canary"]):
        with suppress(OSError):
            os.close(os.open(path, os.O_RDONLY))
            got.append(f"opened {path}")
    return "; ".join(got) or "nothing"
