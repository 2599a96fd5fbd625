"""`arena doctor`: its probes break out where there is no jail, and get nothing in it."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.jail_user import ordinary_user
from support.terminal import Terminal

from arena.doctor import examination
from arena.doctor.advice import advice_for, advice_for_error
from arena.doctor.examination import LIMITS, PROBES, Finding
from arena.doctor.host import Host, host
from arena.errors import InfrastructureError
from arena.jail.tiers import guarantees, probe

FREE = """
import json, runpy, sys
class Turn: options = json.loads(sys.argv[2])
act = runpy.run_path(sys.argv[1])["act"]
print("", *[act(Turn) for _ in range(2)], sep="\\n")
"""
GUARANTEES = {guarantee.name: guarantee for guarantee in guarantees()}
BREAKS = {
    "network": ("by TCP;", "by UDP;", "an abstract Unix socket", "a Unix socket in a folder"),
    "host files": ("opened /etc/passwd", "/canary"),
    "names and sizes of host files": (
        "saw that /etc/passwd has",
        "/canary has 18 bytes",
        "the name of the host",
    ),
    "writing": ("canary to write", "made a file in"),
    "processes": ("forked", "started a thread", "ran another program"),
    "memory": ("MiB of heap, and the limit is 128 MiB", "MiB of mapped memory"),
    "system calls": ("memfd_create", "socket", "ptrace"),
    "other bots": ("other.py", "may signal its process", "saw process"),
    "clean state": ("a variable", "arena-left", "a log", "shared memory"),
}


@pytest.fixture
def around() -> Iterator[Host]:
    with host() as found:
        yield found


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)


def forget_shared_memory() -> None:
    libc = ctypes.CDLL(None)
    if (segment := libc.shmget(0x41524E41, 4096, 0o600)) >= 0:
        libc.shmctl(segment, 0, None)


@pytest.mark.parametrize("name", BREAKS)
def test_a_probe_breaks_out_where_there_is_no_jail(around: Host, tmp_path: Path, name: str) -> None:
    options = {**around.options, "memory": LIMITS.memory, "top": str(Path(around.options["canary"]).parent),
               "folders": [str(tmp_path)]}  # fmt: skip
    (tmp_path / "log").write_text("." * 2000)
    probe = PROBES / f"{name.replace(' ', '_')}.py"
    command = [sys.executable, "-c", FREE, str(probe), json.dumps(options)]
    with (tmp_path / "log").open("a") as log:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, text=True, check=True)
    forget_shared_memory()
    for got in BREAKS[name]:
        assert got in done.stdout
    if name == "network":
        assert around.touched() == 2 * ["a TCP connection came in"] + 2 * ["a UDP packet came in"]
        assert around.touched() == []


def test_every_guarantee_has_a_probe_and_advice() -> None:
    assert {path.stem.replace("_", " ") for path in PROBES.glob("*.py")} == set(GUARANTEES)
    assert all(map(advice_for, GUARANTEES))
    assert set(BREAKS) | {"clock"} == set(GUARANTEES)


def left_behind() -> tuple[int, list[Path], list[str]]:
    """Open descriptors, temporary folders, processes of this one."""
    children = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            if int((process / "stat").read_text().rpartition(")")[2].split()[1]) == os.getpid():
                children.append(process.name)
    folders = sorted(Path(tempfile.gettempdir()).glob("arena-doctor-*"))
    return len(os.listdir("/proc/self/fd")), folders, sorted(children)


@pytest.mark.usefixtures("scratch_folder")
def test_all_guarantees_hold_here_and_nothing_stays_behind(arena: Terminal) -> None:
    assert probe() == []  # what is looked up once a process is looked up
    before = left_behind()
    status, said, complaints = arena("doctor")
    assert (status, complaints) == (0, "")
    for guarantee in guarantees():
        assert f"{guarantee.name:30}  holds   {guarantee.how}" in said
    assert "tier A  yes" in said
    assert "a python bot may read, and nothing else:" in said
    assert "/packages/arena/bot" in said
    if place := shutil.which("perl"):
        assert "a perl bot may read, beside its own folder and what a python bot may read:" in said
        assert f"  /usr/bin/perl  ({os.path.realpath(place)})" in said
    assert left_behind() == before


def test_all_guarantees_hold_for_an_ordinary_user() -> None:
    look = "import json; from arena.doctor import examine; print(json.dumps(examine().as_json()))"
    with ordinary_user() as (python, environ):
        done = subprocess.run([*python, "-c", look], env=environ, cwd="/", stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    assert {name: guarantee["got"] for name, guarantee in found["guarantees"].items()} == dict.fromkeys(
        GUARANTEES, ""
    )
    assert (found["tiers"]["A"]["available"], found["tiers"]["A"]["missing"]) == (True, [])
    assert found["sound"] is True
    assert found["facts"]["user"].startswith("ordinary (uid ")


def test_a_probe_that_gets_something_is_a_broken_guarantee(
    arena: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(name: str, options: dict[str, Any]) -> str:
        return "made a file in /" if name == "writing" else ""

    monkeypatch.setattr(examination, "_one_match", leaky)
    status, said, complaints = arena("doctor")
    assert status == 1
    assert f"{'writing':30}  BROKEN" in said
    assert "a bot got: made a file in /" in said
    assert f"-> {advice_for('writing')}" in said
    assert f"{'network':30}  holds" in said
    assert complaints == "the sandbox does not hold here what it promises by default\n"


def test_a_canary_that_was_touched_is_told_whatever_the_probe_says(around: Host) -> None:
    Path(around.options["canary"]).write_text("changed")
    finding = examination._finding(GUARANTEES["memory"], around)
    assert finding.got == "a file of the host was changed"


def test_a_probe_that_cannot_run_does_not_hold(around: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, options: dict[str, Any]) -> str:
        raise InfrastructureError("a fork server is gone")

    monkeypatch.setattr(examination, "_one_match", broken)
    finding = examination._finding(GUARANTEES["network"], around)
    assert (finding.holds, finding.got) == (False, "could not be tried: a fork server is gone")


def test_a_machine_without_the_jail_is_told_what_to_do(
    arena: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = "the sandbox cannot be made here: user namespace: unshare: Operation not permitted"
    monkeypatch.setattr(examination, "probe", lambda tier: [refusal])
    status, said, _ = arena("doctor")
    assert status == 1
    assert "tier A  missing" in said
    assert refusal in said
    assert "-> allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`" in said
    assert "holds" not in said.partition("a python bot")[0]
    found = json.loads(arena("doctor", "--json").out)
    assert (found["sound"], found["tiers"]["A"]["missing"], found["guarantees"]) == (False, [refusal], {})


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("the sandbox cannot be made here: namespaces: unshare: Operation not permitted", "allow namespaces"),
        ("the sandbox cannot be made here: file system: /lib: Permission denied", "allow mounts"),
        (
            "the sandbox cannot be made here: server: landlock_create_ruleset: not implemented",
            "at least 5.13",
        ),
        ("the sandbox cannot be made here: system call filter: Invalid argument", "CONFIG_SECCOMP_FILTER"),
        ("Linux: this is Darwin", "a virtual machine will do"),
        ("a machine of type x86_64 or aarch64: this is riscv64", "x86-64 or aarch64"),
        ("something else", ""),
    ],
)
def test_each_refusal_has_its_advice(error: str, advice: str) -> None:
    assert advice in advice_for_error(error)
    assert bool(advice) == bool(advice_for_error(error))


def test_the_clock_probe_is_stopped_by_the_limit_only(around: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    assert examination._clock(around) == ""
    monkeypatch.setattr(examination, "SHORT", replace(examination.SHORT, move=60.0, bank=0.0))
    played = examination._played
    monkeypatch.setattr(
        examination, "_played", lambda server, options: played(server, {**options, "way": ""})
    )
    assert examination._clock(around).startswith("asleep: not stopped; at work: not stopped; ")


def test_a_finding_holds_when_nothing_was_got() -> None:
    assert Finding("network", "none", "").holds
    assert not Finding("network", "none", "connected").holds
