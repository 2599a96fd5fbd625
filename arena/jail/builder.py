"""Inside the jail: runs a bot's build command once, and hands back the files that its folder then holds.

Descriptor 2 is the log, 3 takes the files as a tar archive, 5 is the socket to the runner.
"""

import _socket
import os
import resource
import signal
import tarfile
from contextlib import suppress
from typing import Any, NoReturn

from arena.jail.doors import Doors

_LIMITS = {"RLIMIT_FSIZE": 2**26, "RLIMIT_DATA": 2**30}


def serve(config: dict[str, Any]) -> NoReturn:
    """Build, and say how that ended: B and the exit status."""
    control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, 5)
    doors = Doors(config["calls"], config["filters"], config["namespaces"])
    doors.close_server()
    doors.close_child()
    os.ftruncate(3, 0)
    pid = os.fork()
    if pid == 0:
        _become(config["command"], config["environ"])
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)  # whatever it has left running; this process is pid 1 and not meant
    if status == 0:
        os.lseek(3, 0, os.SEEK_SET)
        with open(3, "wb", closefd=False) as file, tarfile.open(fileobj=file, mode="w") as archive:
            archive.add(
                "/bot",
                arcname=".",
                filter=lambda member: member if member.isreg() or member.isdir() else None,
            )
    control.sendmsg([b"B%d" % status])
    os._exit(0)


def _become(command: list[str], environ: dict[str, str]) -> NoReturn:
    try:
        for name, value in _LIMITS.items():
            resource.setrlimit(getattr(resource, name), (value, value))
        os.dup2(2, 1)
        os.closerange(3, 256)
        os.chdir("/bot")
        os.execvpe(command[0], command, environ)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)
