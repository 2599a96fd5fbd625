"""The jail's file system: a read-only root that holds what was bound into it and nothing else.

Runs in the stub, in a mount namespace of its own. Sources are opened before anything is mounted over them, so
an interpreter may live anywhere: under /root, under /tmp, or beside this file.
"""

import os
import struct
from collections.abc import Iterable, Mapping

from arena.jail.syscalls import call

_CWD = -100
_RDONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8  # MS_* and MOUNT_ATTR_* agree on these
_REC, _PRIVATE = 0x4000, 0x40000
_EMPTY_PATH, _CLONE, _RECURSIVE = 0x1000, 1, 0x8000
_DETACH = 2


def enter_root(
    binds: Iterable[tuple[str, str]],
    files: Mapping[str, tuple[bytes, int]],
    folders: Iterable[str],
    hidden: Iterable[str],
    scratch: Mapping[str, int],
) -> None:
    """Make the new root and step into it.

    `binds`: (path of the host, path inside), `files`: what else is inside, with its mode, `folders`: empty
    ones, `hidden`: those inside a bind that shall be empty, `scratch`: what may be written to, with its
    size in bytes. OSError names what could not be done.
    """
    call("mount", b"none", b"/", None, _REC | _PRIVATE, None)
    sources = [(_open(source), target) for source, target in binds]
    place = os.path.dirname(os.path.abspath(__file__)).encode()
    size = (
        b"size=96m,nr_inodes=8192,mode=755"  # of its own it holds a bot's folder, which is limited elsewhere
    )
    call("mount", b"arena", place, b"tmpfs", _NOSUID | _NODEV, size)
    os.chdir(place)
    for source, target in sources:
        _bind(source, _target(target, folder=_is_folder(source)))
    for target, most in scratch.items():
        call("mount", b"arena", _target(target, folder=True).encode(), b"tmpfs", _NOSUID | _NODEV,
             b"mode=1777,nr_inodes=8192,size=%d" % most)  # fmt: skip
    for target, (data, mode) in files.items():
        with open(_target(target, folder=False), "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), mode)
    for target in scratch:  # anybody inside may write there, to the files that were put there too
        for where, _, names in os.walk(target.lstrip("/")):
            for name in (".", *names):
                path = os.path.join(where, name)
                os.chmod(path, os.stat(path).st_mode | 0o666 | (0o111 if name == "." else 0))
    for target in hidden:
        if os.path.isdir(inside := target.lstrip("/")):
            call("mount", b"arena", inside.encode(), b"tmpfs", _RDONLY | _NOSUID | _NODEV | _NOEXEC,
                 b"size=4k,mode=555")  # fmt: skip
    for target in folders:
        _target(target, folder=True)
    call("pivot_root", b".", b".")
    call("umount2", b".", _DETACH)
    os.chdir("/")
    _set_flags(_CWD, b"/", _RDONLY | _NOSUID | _NODEV, 0)


def _open(path: str) -> int:
    try:
        return os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        raise OSError(error.errno, f"{path}: {error.strerror}") from None


def _is_folder(descriptor: int) -> bool:
    return os.stat(descriptor).st_mode & 0o170000 == 0o040000


def _target(path: str, *, folder: bool) -> str:
    """The place to mount on, made where it is missing, relative to the new root."""
    inside = path.lstrip("/")
    os.makedirs(inside if folder else os.path.dirname(inside) or ".", mode=0o755, exist_ok=True)
    if not folder:
        os.close(os.open(inside, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    return inside


def _bind(source: int, target: str) -> None:
    try:
        tree = call("open_tree", source, b"", _EMPTY_PATH | _CLONE | _RECURSIVE)
        devices = 0 if target.startswith("dev/") else _NODEV
        _set_flags(tree, b"", _RDONLY | _NOSUID | devices, _EMPTY_PATH | _RECURSIVE)
        call("move_mount", tree, b"", _CWD, target.encode(), 4)  # MOVE_MOUNT_F_EMPTY_PATH
    except OSError as error:
        raise OSError(error.errno, f"/{target}: {error.strerror}") from None
    os.close(tree)
    os.close(source)


def _set_flags(descriptor: int, path: bytes, flags: int, how: int) -> None:
    attributes = struct.pack("=QQQQ", flags, 0, 0, 0)
    call("mount_setattr", descriptor, path, how, attributes, len(attributes))
