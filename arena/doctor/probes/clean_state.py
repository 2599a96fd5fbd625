"""Leaves something wherever it can, and looks for what an earlier match of its own has left."""

import builtins
import ctypes
import os
import platform
import random
from contextlib import suppress
from typing import Any

MARK = "left by an earlier match"
KEY, SIZE, CREATE, EXISTING = 0x41524E41, 4096, 0o1600, 0o600


def act(turn: Any) -> str:
    got = []
    if getattr(builtins, "left", None) or random.__dict__.get("left") or os.environ.get("LEFT"):
        got.append("a variable")
    builtins.left = random.left = MARK  # type: ignore[attr-defined]
    os.environ["LEFT"] = MARK
    for folder in turn.options["folders"]:
        path = os.path.join(folder, "arena-left")
        if os.path.exists(path):
            got.append(path)
        with suppress(OSError), open(path, "w") as file:
            file.write(MARK)
    shmget = ctypes.c_long(29 if platform.machine() == "x86_64" else 194)
    call = ctypes.CDLL(None).syscall
    for flags, says in ((EXISTING, True), (CREATE, False)):
        if call(shmget, ctypes.c_long(KEY), ctypes.c_long(SIZE), ctypes.c_long(flags)) >= 0 and says:
            got.append("shared memory")
    if os.fstat(2).st_size > 1024:
        got.append("a log")
    print(MARK)
    return "; ".join(got) or "nothing"
