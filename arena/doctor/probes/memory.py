"""Tries to hold more memory than its limit, on the heap and mapped."""

import mmap
from typing import Any

STEP = 8 * 2**20


def _taken(take: Any, most: int) -> int:
    """How many bytes it could hold at once, up to `most`."""
    held: list[Any] = []
    try:
        while len(held) * STEP < most:
            held.append(take(STEP))
    except (MemoryError, OSError):
        pass
    size = len(held) * STEP
    held.clear()
    return size


def act(turn: Any) -> str:
    limit = turn.options["memory"]
    got = []
    for name, take in (("heap", bytearray), ("mapped memory", lambda size: mmap.mmap(-1, size))):
        if (size := _taken(take, 2 * limit)) > limit:
            got.append(f"{size >> 20} MiB of {name}, and the limit is {limit >> 20} MiB")
    return "; ".join(got) or "nothing"
