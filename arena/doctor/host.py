"""What the probes look for on the host: put there for them, watched, and taken away again."""

import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from arena.jail import BotServer
from arena.jail.runtime import bare_python
from arena.model import Bot, Json, Limits

MARK = "source of another bot"
CANARY = "a file of the host"


class Host:
    """`options` tells the probes where things are; `touched` what of them was reached after all."""

    def __init__(self, folder: Path, tcp: socket.socket, udp: socket.socket, options: Json) -> None:
        self._folder, self._tcp, self._udp = folder, tcp, udp
        self.options = options

    def touched(self) -> list[str]:
        """What was seen from outside since the last look."""
        found = []
        with suppress(BlockingIOError):
            while True:
                self._tcp.accept()[0].close()
                found.append("a TCP connection came in")
        with suppress(BlockingIOError):
            while self._udp.recv(64):
                found.append("a UDP packet came in")
        if (self._folder / "canary").read_text() != CANARY:
            found.append("a file of the host was changed")
        return found


@contextmanager
def host() -> Iterator[Host]:
    """A file, sockets, another bot in a jail of its own, and a process of this user outside."""
    with ExitStack() as stack:
        # A socket's path takes 107 bytes at most.
        short = tempfile.gettempdir() if len(tempfile.gettempdir()) < 80 else "/tmp"
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-doctor-", dir=short)))
        folder.chmod(0o755)
        (folder / "canary").write_text(CANARY)
        (folder / "canary").chmod(0o666)
        other = folder / "other.py"
        other.write_text(f"# {MARK}\ndef act(turn):\n    return turn.legal[0]\n")
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(tcp.getsockname())
        paths = [str(folder / "socket"), "\0" + str(folder / "socket")]
        for path in paths:
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(path)
            listener.listen()
        for sock in (tcp, udp):
            sock.setblocking(False)
        stack.enter_context(BotServer(Bot("other", "other", "", other), Limits()))
        process = stack.enter_context(
            subprocess.Popen(
                [bare_python(), "-S", "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE
            )
        )
        stack.callback(process.kill)
        options = {
            "port": tcp.getsockname()[1], "socket": paths[0], "canary": str(folder / "canary"),
            "top": "/", "folders": ["/", "/tmp", "/dev/shm", "/var/tmp", "/bot"],
            "host": socket.gethostname(), "mark": MARK[::-1],
            "other_source": str(other), "other_process": process.pid,
        }  # fmt: skip
        yield Host(folder, tcp, udp, options)
