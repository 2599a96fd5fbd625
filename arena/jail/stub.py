"""The stub: a process between the worker and a fork server, which shuts the server in before it starts.

The worker runs `main` with the bare interpreter. It enters new namespaces, makes the jail's root, gives up
every right but the one to make pid namespaces, and starts the server as pid 1 of its own pid namespace.
Then it waits: the server dies with it, and it dies with the worker.

    worker ── socket ── (stub) ── fork server ── one child a match
"""

import fcntl
import json
import os
import resource
import signal
import struct
from collections.abc import Iterator
from typing import Any, NoReturn

from arena.jail import landlock
from arena.jail.mounts import enter_root
from arena.jail.syscalls import call, prctl

_FLAGS = {"user": 0x10000000, "mount": 0x20000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000,
          "cgroup": 0x02000000, "pid": 0x20000000}  # fmt: skip
_SYS_ADMIN = 21
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_CAP_AMBIENT = 1, 4, 24, 47
_PR_SET_NO_NEW_PRIVS = 38
_NO_RANDOM_ADDRESSES = 0x0040000
_OURS = "/packages/"  # arena's own packages in the jail; pip may have installed them for root alone
_INSIDE_ID = 1000
_OUTSIDE_ID = (
    900_000_000  # host ids from here on belong to nobody; each server of a root runner takes its own
)
_NOBODY = 65534
_LAST = 0xFFFFFFFF


def main(worker: int, control: int, plan_file: int, boot: int) -> NoReturn:
    """`worker`: its process id, `control`: its socket, `plan_file`: the plan, `boot`: what the server is to
    run.
    """
    control, boot = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (control, boot))
    step = "start"
    os.umask(0o022)  # what is made for the jail is for whoever is in there
    try:
        with open(plan_file, "rb") as file:
            plan = json.loads(file.readline())
            source = file.read()
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != worker:
            os._exit(1)  # it died before it could take this process with it
        if plan["core"] is not None:
            os.sched_setaffinity(0, {plan["core"]})
        call("personality", _NO_RANDOM_ADDRESSES)
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        for step, enter in _steps(plan, source):  # noqa: B007 - named in the error below
            enter()
        step = "process"
        server = os.fork()
        if server == 0:
            step = "server"
            _become_server(plan, control, boot)
    except OSError as error:
        os.write(control, f"E{step}: {error.strerror or error}".encode())
        os._exit(1)
    call("close_range", 3, _LAST, 0)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(server, 0)[1]) & 0xFF)


def _steps(plan: dict[str, Any], source: bytes) -> list[tuple[str, Any]]:
    """The way in: an ordinary user must own the user namespace first; root enters it last, as nobody he
    knows.
    """
    if not plan["namespaces"]:
        nobody = plan["nobody"] and os.geteuid() == 0
        return [("user", lambda: _drop_user(_OUTSIDE_ID + os.getpid()))] if nobody else []
    proc = os.open("/proc/self", os.O_PATH | os.O_CLOEXEC)
    rest = _FLAGS["mount"] | _FLAGS["net"] | _FLAGS["ipc"] | _FLAGS["uts"] | _FLAGS["cgroup"]
    files = _snapshot(plan["folder"], "/bot") if plan["folder"] else {plan["source"]: (source, 0o644)}
    binds = list(plan["binds"])
    if os.geteuid() == 0:  # nobody in the jail is who installed them
        for bind in [bind for bind in binds if bind[1].startswith(_OURS) and not _is_for_all(bind[0])]:
            binds.remove(bind)
            files |= _snapshot(*bind)
    root = (
        "file system",
        lambda: enter_root(binds, files, plan["folders"], plan["hidden"], plan["scratch"]),
    )
    name = ("host name", lambda: call("sethostname", b"arena", 5))
    if os.geteuid() == 0 and _may_mount():
        outside = _OUTSIDE_ID + os.getpid()
        return [
            ("namespaces", lambda: call("unshare", rest)), name, root,
            ("user", lambda: _drop_user(outside)),
            ("user namespace", lambda: _enter_user(proc, _FLAGS["pid"])),
        ]  # fmt: skip
    return [
        ("user namespace", lambda: _enter_user(proc, 0)),
        ("namespaces", lambda: call("unshare", rest | _FLAGS["pid"])), name, root,
    ]  # fmt: skip


def _paths(place: str) -> Iterator[str]:
    """A file, or all files below a folder that are no links."""
    if os.path.isfile(place):
        yield place
    for where, _, names in os.walk(place):
        paths = (os.path.join(where, name) for name in names)
        yield from (path for path in paths if os.path.isfile(path) and not os.path.islink(path))


def _snapshot(place: str, target: str) -> dict[str, tuple[bytes, int]]:
    """Files as they are now, read as the runner's user: their owner and rights do not matter inside."""
    files = {}
    for path in _paths(place):
        with open(path, "rb") as file:
            mode = 0o755 if os.fstat(file.fileno()).st_mode & 0o111 else 0o644
            inside = os.path.normpath(os.path.join(target, os.path.relpath(path, place)))
            files[inside] = (file.read(), mode)
    return files


def _is_for_all(place: str) -> bool:
    """Whether every user may read this file, or this folder and all files in it."""
    folders = {os.path.dirname(path) for path in _paths(place)} if os.path.isdir(place) else set()
    return all(os.stat(path).st_mode & 0o004 for path in _paths(place)) and all(
        os.stat(folder).st_mode & 0o005 == 0o005 for folder in folders
    )


def _may_mount() -> bool:
    with open("/proc/self/status") as file:
        effective = next(line for line in file if line.startswith("CapEff:"))
    return bool(int(effective.split()[1], 16) >> _SYS_ADMIN & 1)


def _drop_user(outside: int) -> None:
    os.setgroups([])
    try:
        os.setresgid(outside, outside, outside)
        os.setresuid(outside, outside, outside)
    except OSError:  # a container with few ids
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    prctl(_PR_SET_DUMPABLE, 1)  # else the map files would belong to root


def _enter_user(proc: int, more: int) -> None:
    """A user namespace, and `more`, in which this user is 1000 and nobody else exists."""
    user, group = os.getuid(), os.getgid()
    call("unshare", _FLAGS["user"] | more)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{_INSIDE_ID} {user} 1"),
                       ("gid_map", f"{_INSIDE_ID} {group} 1")):  # fmt: skip
        descriptor = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
        os.write(descriptor, text.encode())
        os.close(descriptor)


def _become_server(plan: dict[str, Any], control: int, boot: int) -> NoReturn:
    for name, value in plan["rlimits"].items():
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if plan["readable"]:  # a program's children do this themselves, after they have mounted their /tmp
        landlock.restrict([(path, rights) for path, rights in plan["readable"]])
    drop_capabilities(_SYS_ADMIN if plan["namespaces"] else None)
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.dup2(boot, 3)
    os.dup2(control, 5)
    call("close_range", 6, _LAST, 0)
    try:
        os.execve(plan["argv"][0], plan["argv"], plan["environ"])
    except OSError as error:
        os.write(5, f"Einterpreter: {plan['argv'][0]}: {error.strerror}".encode())
        os._exit(1)


def drop_capabilities(kept: int | None) -> None:
    """Keep none but this one, also over an exec."""
    capability = 0
    while True:
        try:
            if capability != kept:
                prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break
        capability += 1
    only = 0 if kept is None else 1 << kept
    header = struct.pack("=Ii", 0x20080522, 0)
    call("capset", header, struct.pack("=IIIIII", only, only, only, 0, 0, 0))
    if kept is not None:
        prctl(_PR_CAP_AMBIENT, 2, kept)
