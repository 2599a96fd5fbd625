"""Inside the jail: the child that plays one match as a program in any language.

Its descriptors: 0 requests, 1 answers, 2 its log. It has a /tmp of its own, which goes with it.
"""

import ctypes
import os
import resource
import struct
from typing import Any

from arena.jail.doors import Doors

_NEWNS = 0x20000
_NOSUID, _NODEV = 2, 4
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3


class Program:
    """A command that speaks the protocol on its standard input and output."""

    def __init__(self, doors: Doors, config: dict[str, Any]) -> None:
        self._doors = doors
        self._command, self._environ, self._memory = config["command"], config["environ"], config["memory"]
        self._rights, self._scratch, self._home = config["landlock"], config["scratch"], config["home"]

    def prepare(self) -> str:
        """Whether there is such a program is seen when it is started."""
        return ""

    def play(self, requests: int, answers: int, log: int) -> None:
        """Become the program; returns only when the child could not be shut in."""
        try:
            os.dup2(requests, 0)
            os.dup2(answers, 1)
            os.dup2(log, 2)
            if self._rights:
                self._own_scratch()
                self._restrict()
            os.chdir(self._home)
            resource.setrlimit(resource.RLIMIT_DATA, (self._memory, self._memory))
            self._doors.close_child()
        except OSError:
            return
        os.closerange(3, 256)
        try:
            os.execve(self._command[0], self._command, self._environ)
        except OSError as error:
            os.write(2, f"{self._command[0]}: {error.strerror}\n".encode())
        finally:
            os._exit(127)

    def _own_scratch(self) -> None:
        self._doors.call("unshare", _NEWNS)
        options = b"mode=1777,nr_inodes=1024,size=%d" % self._scratch
        self._doors.call("mount", b"arena", b"/tmp", b"tmpfs", _NOSUID | _NODEV, options)

    def _restrict(self) -> None:
        """Landlock, which a mount must come before."""
        rights, net, scope = self._rights
        attributes = struct.pack("=QQQ", rights, net, scope)
        size = 24 if scope else 16 if net else 8
        ruleset = self._doors.call("landlock_create_ruleset", attributes, size, 0)
        for path, allowed in (("/", _EXECUTE | _READ_FILE | _READ_DIR), ("/tmp", rights & ~_EXECUTE)):
            parent = os.open(path, os.O_PATH)
            rule = ctypes.create_string_buffer(struct.pack("=Qi", allowed, parent), 12)
            self._doors.call("landlock_add_rule", ruleset, 1, rule, 0)
            os.close(parent)
        self._doors.call("landlock_restrict_self", ruleset, 0)
        os.close(ruleset)
