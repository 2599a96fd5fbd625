"""Build a bot's folder with the bot's own command, which nobody has read either: in a jail of its own."""

import os
import socket
import tarfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from arena.errors import InfrastructureError, JailUnavailable
from arena.jail.plan import build_plan
from arena.jail.server import hear, start_stub
from arena.model import Bot, Fault, FaultKind

SECONDS = 120.0
_HOLDS = 64 * 2**20  # bytes that a built folder may hold
_LOG = 65536


def build(bot: Bot, folder: Path, seconds: float = SECONDS) -> tuple[Bot, Fault | None, bytes]:
    """Run `bot.build` on a copy of its folder; `folder`, a new one, gets what is then there.

    The command sees /usr of this machine, read-only, and no network; it may start processes. Returns the bot
    whose source is `folder`, or a start fault, and what the command printed.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    log, archive = (os.memfd_create(name, os.MFD_CLOEXEC) for name in ("log", "files"))
    try:
        with ours, theirs:
            stub = start_stub(theirs, log, build_plan(bot), archive)
            theirs.close()
            said = hear(ours, seconds)
            stub.kill()  # its server dies with it, and with the server all that the build has started
            stub.wait()
        printed = os.pread(log, _LOG, 0)
        if said is None:
            return bot, _fault(bot, f"did not end within {seconds:g} s"), printed
        if said[:1] == b"E":
            raise JailUnavailable(f"the sandbox cannot be made here: {said[1:].decode(errors='replace')}")
        if said[:1] != b"B":
            raise InfrastructureError(f"a build died: {printed[-300:].decode(errors='replace')}")
        if said != b"B0":
            return bot, _fault(bot, f"exit status {said[1:].decode()}"), printed
        problem = _unpack(archive, folder)
        return replace(bot, source=folder), _fault(bot, problem) if problem else None, printed
    finally:
        os.close(log)
        os.close(archive)


def _fault(bot: Bot, problem: str) -> Fault:
    return Fault(FaultKind.START, 0, f"build: {' '.join(bot.build)[:100]}: {problem}")


def _unpack(archive: int, folder: Path) -> str:
    """Ordinary files and folders only, below `folder`, and not too much; what is wrong, or nothing."""
    room = _HOLDS
    os.lseek(archive, 0, os.SEEK_SET)
    folder.mkdir(parents=True)
    with open(archive, "rb", closefd=False) as file, tarfile.open(fileobj=file, mode="r:") as members:
        for member in members:
            parts = Path(member.name).parts
            if not member.isreg() or ".." in parts or member.name.startswith("/"):
                continue
            room -= member.size
            if room < 0:
                return f"more than {_HOLDS} bytes"
            data = members.extractfile(member)
            path = folder.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):
                path.unlink()
            path.write_bytes(data.read() if data else b"")
            path.chmod(0o755 if member.mode & 0o111 else 0o644)
    return ""
