"""What the machine can do with two processes and two pipes: in C, and in Python with the stdlib's JSON."""

import json
import os
import select
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.bench.talk import ANSWER, LINE, repeat
from arena.errors import ArenaError
from arena.jail.runtime import bare_python

_RAW = f"""
import os
while os.read(0, 65536):
    os.write(1, {ANSWER!r})
"""
JSON_BOT = """
import json, os
while data := os.read(0, 65536):
    message = json.loads(data)
    os.write(1, (json.dumps({"id": message["id"], "action": message["legal"][0]}) + "\\n").encode())
"""


class Limit:
    """Round trips of two C processes, compiled into `folder`; where there is no compiler, of Python's."""

    def __init__(self, folder: Path) -> None:
        self._program: Path | None = None
        self.made_by = "Python, as there is no C compiler here"
        if compiler := next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None):
            program, source = folder / "pipe", Path(__file__).with_name("pipe.c")
            done = subprocess.run([compiler, "-O2", "-o", program, source], capture_output=True, text=True)
            if done.returncode == 0:
                self._program, self.made_by = program, "C"
            else:
                self.made_by = f"Python, as {compiler} does not compile here"

    def rate(self, seconds: float) -> float:
        """Round trips a second."""
        if self._program is None:
            with talking(_RAW) as exchange:
                exchange(LINE)
                return repeat(lambda: exchange(LINE), seconds, 64)
        done = subprocess.run([self._program, str(seconds)], capture_output=True, text=True)
        if done.returncode:
            raise ArenaError(f"the pipe benchmark in C failed with status {done.returncode}")
        return float(done.stdout)


def json_rate(seconds: float) -> float:
    """Round trips a second of two Python processes that write and read JSON with the standard library."""
    message = json.loads(LINE)
    with talking(JSON_BOT) as exchange:
        exchange(LINE)
        return repeat(lambda: json.loads(exchange((json.dumps(message) + "\n").encode())), seconds, 64)


def bare_match(decisions: int) -> None:
    """Two bare interpreters, started for this match and killed after it, each asked so often in turn."""
    message = json.loads(LINE)
    with talking(JSON_BOT) as first, talking(JSON_BOT) as second:
        for _ in range(decisions):
            for exchange in (first, second):
                json.loads(exchange((json.dumps(message) + "\n").encode()))


def bare_start() -> None:
    """A bare interpreter from its start to its first byte; its end is not waited for."""
    with talking("import os; os.write(1, b'.'); os.read(0, 1)") as exchange:
        exchange(b"")


@contextmanager
def talking(program: str) -> Iterator[Callable[[bytes], bytes]]:
    """A bare interpreter that runs this text, and how to have an answer to what is written; then its end."""
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    python = bare_python()
    pid = os.posix_spawn(
        python, [python, "-I", "-S", "-c", program], {},
        file_actions=[(os.POSIX_SPAWN_DUP2, theirs_in, 0), (os.POSIX_SPAWN_DUP2, theirs_out, 1)],
    )  # fmt: skip
    os.close(theirs_in)
    os.close(theirs_out)
    poll = select.poll()
    poll.register(ours_in, select.POLLIN)

    def exchange(data: bytes) -> bytes:
        if data:
            os.write(ours_out, data)
        poll.poll(10_000)
        answer = os.read(ours_in, 65536)
        if not answer:
            raise ArenaError(f"{python} ends before it answers")
        return answer

    try:
        yield exchange
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(ours_out)
        os.close(ours_in)
