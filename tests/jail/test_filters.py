"""The system call filters, run by a small interpreter of classic BPF: each call gets its rule's action."""

import struct

import pytest

from arena.jail import bpf, filters, syscalls
from arena.jail.doors import OWN_PID

EPERM, ENOSYS, ALLOW = bpf.refuse(1), bpf.refuse(38), bpf.ALLOW


def _run(program: bytes, number: int, arguments: tuple[int, ...] = (), arch: int | None = None) -> int:
    """The action for a call; fails on any instruction that the kernel would not take."""
    arch = syscalls.AUDIT_ARCH[syscalls.MACHINE] if arch is None else arch
    data = struct.pack("=IIQ6Q", number, arch, 0, *(*arguments, *(0,) * (6 - len(arguments))))
    code = list(struct.iter_unpack("=HBBI", program))
    at, register = 0, 0
    while True:
        operation, if_true, if_false, value = code[at]
        at += 1
        if operation == 0x20:
            assert value % 4 == 0
            assert value < len(data)
            register = struct.unpack_from("=I", data, value)[0]
        elif operation == 0x54:
            register &= value
        elif operation == 0x05:
            at += value
        elif operation == 0x15:
            at += if_true if register == value else if_false
        elif operation == 0x35:
            at += if_true if register >= value else if_false
        else:
            assert operation == 0x06
            return value


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(syscalls, "MACHINE", request.param)
    monkeypatch.setattr(syscalls, "_COLUMN", {"x86_64": 0, "aarch64": 1}[request.param])
    return str(request.param)


def _numbers(machine: str) -> dict[int, str]:
    return {number: name for name in syscalls._TABLE if (number := syscalls.number(name)) is not None}


def test_no_two_calls_share_a_number(machine: str) -> None:
    assert len(_numbers(machine)) == sum(syscalls.number(name) is not None for name in syscalls._TABLE)


def test_every_call_that_is_not_named_is_refused(machine: str) -> None:
    named = set(filters._PLAIN.split()) | set(filters._SERVER.split()) | set(filters._ARGUMENTS)
    known, program = _numbers(machine), filters.python_server()
    for number in range(1200):
        action = _run(program, number, (1 << 40,) * 6)
        name = known.get(number)
        plain = name in named and name not in filters._ARGUMENTS
        assert action == (ALLOW if plain else ENOSYS if name == "clone3" else EPERM), (number, name)


def test_another_machine_type_is_killed_and_x32_does_not_exist(machine: str) -> None:
    program = filters.python_server()
    assert _run(program, 0, arch=0x40000003) == bpf.KILL
    assert _run(program, 0x40000000) == ENOSYS


def test_arguments_decide_where_they_must(machine: str) -> None:
    def server(name: str, *arguments: int) -> bool:
        return _run(filters.python_server(), syscalls.number(name) or 0, arguments) == ALLOW

    def child(name: str, *arguments: int) -> bool:
        return (
            server(name, *arguments)
            and _run(filters.python_child(), syscalls.number(name) or 0, arguments) == ALLOW
        )

    assert server("clone", 0x01200011)
    assert not server("clone", 0x01200011 | 0x10000000)
    assert not child("clone", 0x01200011)
    assert server("unshare", 0x20000000)
    assert not server("unshare", 0x20000)
    assert not child("unshare", 0x20000000)
    assert child("fcntl", 3, 3)
    assert not child("fcntl", 3, 1031)
    assert not child("fcntl", 3, 3 | 1 << 32)
    assert child("prlimit64", 0, 7, 0, 1)
    assert server("prlimit64", 0, 7, 1, 0)
    assert not child("prlimit64", 0, 7, 1, 0)
    assert not child("prlimit64", 0, 7, 1 << 32, 0)
    for name in (*filters._SERVER.split(), "kill", "execve", "prctl", "mount"):
        assert not child(name), name


def test_a_build_has_processes_and_no_socket(machine: str) -> None:
    def command(name: str, *arguments: int) -> bool:
        both = filters.build(), filters.build_child()
        return all(_run(code, syscalls.number(name) or 0, arguments) == ALLOW for code in both)

    assert command("execve")
    assert command("clone", 0x01200011)
    assert not command("clone", 0x01200011 | 0x10000000)
    for name in ("mount", "unshare", "setns", "seccomp", "capset", "pidfd_open"):
        assert not command(name, 0x20000), name
    assert _run(filters.build(), {"x86_64": 41, "aarch64": 198}[machine]) == EPERM, "socket"


def test_a_program_has_threads_and_private_memory_only(machine: str) -> None:
    def child(name: str, *arguments: int) -> bool:
        number = syscalls.number(name) or 0
        return all(
            _run(code, number, arguments) == ALLOW
            for code in (filters.program_server(), filters.program_child())
        )

    assert child("execve")
    assert child("clone", 0x3D0F00)
    assert not child("clone", 0x01200011)
    assert not child("clone", 0x3D0F00 | 0x10000000)
    assert child("mmap", 0, 1, 3, 0x22)
    assert not child("mmap", 0, 1, 3, 0x21)
    assert not child("mmap", 0, 1, 3, 0x23)
    for name in ("mount", "unshare", "setns", "landlock_restrict_self", "seccomp", "sendmsg", "capset"):
        assert not child(name, 0x20000), name


def test_without_namespaces_a_child_signals_itself_alone(machine: str) -> None:
    for server, child in ((filters.python_server(False), filters.python_child(False)),
                          (filters.program_server(False), filters.program_child(False))):  # fmt: skip

        def allowed(name: str, *arguments: int, both: tuple[bytes, bytes] = (server, child)) -> bool:
            return all(_run(code, syscalls.number(name) or 0, arguments) == ALLOW for code in both)

        assert allowed("tgkill", OWN_PID, 1, 9)
        assert not allowed("tgkill", OWN_PID + 1, 1, 9)
        assert not allowed("tgkill", OWN_PID | 1 << 32, 1, 9)
        for name in ("kill", "tkill", "unshare", "setns", "mount", "pidfd_open"):
            assert not allowed(name, 1 << 20, 0x20000000), name
        assert not allowed("prctl", 1, 0), "to outlive the server"
        assert _run(server, syscalls.number("prctl") or 0, (1, 9)) == ALLOW
