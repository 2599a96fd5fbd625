"""Landlock: what the file system, the network and signals look like from within, whatever else may fail."""

import os
import struct
from collections.abc import Iterable

from arena.jail.syscalls import call

EXECUTE, READ_FILE, READ_DIR = 1 << 0, 1 << 2, 1 << 3
_FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # the rights that make sense for a plain file


def version() -> int:
    """The kernel's Landlock version; OSError where there is none."""
    return call("landlock_create_ruleset", None, 0, 1)


def handled(abi: int) -> tuple[int, int, int]:
    """All rights that this version knows: of files, of the network, of what reaches other processes."""
    files = (1 << 13) - 1 | (abi >= 2) << 13 | (abi >= 3) << 14 | (abi >= 5) << 15
    return files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0


def restrict(readable: Iterable[tuple[str, int]]) -> None:
    """Take every right away from this process for good but the given ones beneath the given paths.

    No TCP; no signal and no abstract socket to the outside. OSError without Landlock.
    """
    abi = version()
    rights = handled(abi)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = call("landlock_create_ruleset", struct.pack("=QQQ", *rights)[:size], size, 0)
    for path, allowed in readable:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        mask = rights[0] if os.path.isdir(path) else rights[0] & _FILE_RIGHTS
        call("landlock_add_rule", ruleset, 1, struct.pack("=Qi", allowed & mask, parent), 0)
        os.close(parent)
    call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)
