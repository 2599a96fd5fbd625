"""Tries to change or to make a file anywhere."""

import os
import tempfile
from contextlib import suppress
from typing import Any


def act(turn: Any) -> str:
    canary = turn.options["canary"]
    got = []
    for path in (canary, __file__, os.__file__):
        with suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
            got.append(f"opened {path} to write")
    for folder in (*turn.options["folders"], os.path.dirname(canary), os.path.dirname(os.__file__)):
        with suppress(OSError):
            handle, made = tempfile.mkstemp(dir=folder)
            os.close(handle)
            os.unlink(made)
            got.append(f"made a file in {folder}")
    return "; ".join(got) or "nothing"
