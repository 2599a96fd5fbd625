"""Inside the jail: the fork server of one bot.

Its text and that of the modules it needs is handed to a bare interpreter through a descriptor, so no file of
them is in the jail; standard library only. The server never runs code of the bot. It has descriptor 5, a
socket to the worker, which says

    S + 3 descriptors   start a child on (requests, answers, log); answered by S, its pid, and a pidfd
    R pid               reap that child once it is dead; answered by R, status, CPU seconds, most memory (KiB)

Closing it ends the server and all of its children.
"""

import _socket
import gc
import os
import struct
import sys
from typing import Any, NoReturn

from arena.jail.doors import Doors
from arena.jail.program_child import Program
from arena.jail.python_child import PythonBot

CONTROL = 5


def serve(config: dict[str, Any]) -> NoReturn:
    """The fork server, from its first step to its end."""
    for null in (3, 4):  # what is opened from here on gets no number that a child needs
        os.dup2(0, null)
    control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, CONTROL)
    sys.path += config["path"]
    sys.dont_write_bytecode = True
    os.environ.pop("LD_LIBRARY_PATH", None)
    if config["finds"]:
        sys.meta_path.insert(0, _Places(config["finds"]))
    doors = Doors(config["calls"], config["filters"], config["namespaces"])
    bot: PythonBot | Program = Program(doors, config) if config["command"] else PythonBot(doors, config)
    try:
        doors.close_server()
    except OSError as error:
        control.sendmsg([f"Esystem call filter: {error.strerror}".encode()])
        os._exit(1)
    control.sendmsg([b"U"])
    control.sendmsg([b"C" + bot.prepare().encode()])
    for null in (1, 2):
        os.dup2(0, null)
    gc.collect()
    gc.freeze()
    while True:
        data, passed, _, _ = control.recvmsg(64, 64)
        if data == b"S":
            _start(control, doors, bot, struct.unpack("3i", passed[0][2]))
        elif data:
            _, status, usage = os.wait4(int(data[1:]), 0)
            doors.end_group(int(data[1:]))
            control.sendmsg([b"R%d %.6f %d" % (status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)])
        else:
            os._exit(0)


class _Places:
    """Where there is no root of one's own: packages found at these places, and nothing beside them."""

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if (place := self._places.get(name)) is None:
            return None
        from importlib.util import spec_from_file_location

        return spec_from_file_location(name, f"{place}/__init__.py", submodule_search_locations=[place])


def _start(control: Any, doors: Doors, bot: PythonBot | Program, passed: tuple[int, ...]) -> None:
    try:
        doors.new_pids()
        pid = os.fork()
        if pid == 0:
            bot.play(*passed)
            control.sendmsg([b"Ea child could not be shut in"])  # which still has the socket
            os._exit(1)
        doors.own_pids()
    except OSError as error:
        control.sendmsg([b"E%s" % str(error).encode()])
    else:
        handle = os.pidfd_open(pid)
        control.sendmsg([b"S%d" % pid], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", handle))])
        os.close(handle)
    for descriptor in passed:
        os.close(descriptor)
