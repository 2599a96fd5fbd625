"""A command on a pseudo-terminal, as a person at a keyboard meets it."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Self


class Keyboard:
    """Starts `arena …` with a terminal; `until` waits for a text, `type` enters a line."""

    def __init__(self, *words: str, cwd: Path) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arena", *words], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True, env={**os.environ, "TERM": "dumb"},
        )  # fmt: skip
        os.close(theirs)
        self._read = b""
        self.shown = ""
        """All that has been shown up to where the last `until` found its text."""

    def until(self, pattern: str, seconds: float = 30) -> re.Match[str]:
        """The next place where this is shown; AssertionError when it does not come."""
        end = time.monotonic() + seconds
        while True:
            text = self._read.decode("utf-8", "replace").replace("\r\n", "\n")
            if found := re.search(pattern, text):
                self.shown += text[: found.end()]
                self._read = text[found.end() :].encode()
                return found
            if not self._more(end - time.monotonic()):
                raise AssertionError(f"{pattern!r} was not shown; what was: {text[-2000:]}")

    def type(self, line: str) -> None:
        os.write(self._ours, line.encode() + b"\n")

    def leave(self) -> None:
        """Ctrl-D."""
        os.write(self._ours, b"\x04")

    def ends(self, seconds: float = 30) -> tuple[int, str]:
        """Exit status, and what was shown since the last `until`."""
        end = time.monotonic() + seconds
        while self._more(end - time.monotonic()):
            pass
        return self._process.wait(5), self._read.decode("utf-8", "replace").replace("\r\n", "\n")

    def _more(self, seconds: float) -> bool:
        if seconds <= 0 or not select.select([self._ours], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # the other side is closed
            return False
        self._read += data
        return bool(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)
