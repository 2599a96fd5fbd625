"""Weaker tiers: asked for by name only, and marked; where the default is refused a run says so and stops."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from support.jail_runs import INNOCENT
from support.jail_user import ordinary_user

from arena.jail import guarantees
from arena.store import Store

pytestmark = pytest.mark.jail

# A machine that refuses namespaces, as containers do: unshare fails in this process and all that it starts.
_REFUSED = """
import ctypes, os, sys
from arena.jail import bpf
from arena.jail.syscalls import call, prctl
program = bpf.program({"unshare": bpf.refuse(1)}, bpf.ALLOW)
code = ctypes.create_string_buffer(program, len(program))
class Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))
prctl(38, 1)
ctypes.CDLL(None).prctl(22, 2, ctypes.byref(Filter(len(program) // 8, ctypes.addressof(code))), 0, 0)
os.execv(sys.executable, [sys.executable, "-m", "arena", *sys.argv[1:]])
"""


def _refused(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _REFUSED, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n{INNOCENT}")
    return tmp_path


def _config(folder: Path, more: str = "", bots: str = "ann.py, bob.py") -> None:
    (folder / "cup.yaml").write_text(
        f"name: Cup\nbots: [{bots}]\nseed: 1\ngame: {{name: rat_deau, seats: 2}}\n"
        f"format: {{kind: round_robin, deals: 2}}\n{more}"
    )


def test_a_run_stops_where_the_default_tier_is_refused(contest: Path) -> None:
    _config(contest)
    done = _refused(contest, "run", "cup.yaml", "--out", "run")
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("tier A of the sandbox cannot be had here: the sandbox cannot be made here: ")
    assert "Operation not permitted" in line
    assert "`jail: {tier: B}` asks for less (Landlock, system call filter, resource limits)" in line
    assert not (contest / "run").exists()


def test_a_weaker_tier_plays_where_it_is_named_and_is_marked(contest: Path) -> None:
    _config(contest, "jail: {tier: B}\n")
    done = _refused(contest, "run", "cup.yaml", "--out", "run")
    assert done.returncode == 0, done.stderr
    assert "jail tier B" in done.stderr
    with Store.open(contest / "run") as store:
        records, sandbox = list(store.records()), store.meta["sandbox"]
    assert len(records) == 4
    assert not any(any(record.faults) for record in records)
    assert sandbox["tier"] == "B"
    assert sandbox["guarantees"]["network"] is True
    assert sandbox["guarantees"]["names and sizes of host files"] == "does not hold: they can be seen"
    page = (contest / "run" / "site" / "e0-fairness.html").read_text(encoding="utf-8")
    assert "Weaker tier B." in page
    assert '<dd class="warning">does not hold: they can be seen</dd>' in page
    again = _refused(contest, "replay", "run", "e0-r1-t0-d0-s0", "--rerun", "ann.py")
    assert "answers are the same" in again.stdout, again.stderr
    verified = _refused(contest, "verify", "run", "--rerun")
    assert verified.returncode == 0, verified.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here; CI has one")
def test_a_program_plays_on_tier_b_too(contest: Path) -> None:
    node = Path(__file__).resolve().parents[2] / "bots" / "uniform_node"
    _config(contest, "jail: {tier: B}\nlimits: {start: 20s}\n", f"ann.py, {node}")
    done = _refused(contest, "run", "cup.yaml", "--out", "run", "--quiet")
    assert done.returncode == 0, done.stderr
    with Store.open(contest / "run") as store:
        assert [fault for record in store.records() for fault in record.faults if fault] == []


def test_build_commands_are_for_the_strongest_tier(contest: Path) -> None:
    c = Path(__file__).resolve().parents[2] / "bots" / "uniform_c"
    _config(contest, "jail: {tier: B}\n", f"ann.py, {c}")
    done = _refused(contest, "run", "cup.yaml", "--out", "run")
    assert done.returncode == 2
    assert "Uniform (C): build commands need jail.tier A" in done.stderr


def test_each_tier_holds_what_the_stronger_ones_hold_at_most() -> None:
    held = {tier: {each.name for each in guarantees(tier) if each.holds} for tier in "ABCD"}
    assert held["D"] < held["C"] < held["B"] < held["A"]
    assert all(each.how for tier in "ABCD" for each in guarantees(tier))


_FORKS = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print('{"type":"ready"}', flush=True)
        os.fork() or time.sleep(600)
    elif message["type"] == "turn":
        print(json.dumps({"id": message["id"], "action": message["legal"][0]}), flush=True)
"""
_ON_TIER_D = """
import os, sys
from pathlib import Path
from support.jail_runs import PATIENT, descendants, play
from arena.jail import BotServer
from arena.model import Bot
bot = Bot("forks", "forks", "", Path(sys.argv[1]), command=("python3", "bot.py"))
with BotServer(bot, PATIENT, tier="D") as server:
    _, _, fault = play(server)
    print(fault, len(descendants(os.getpid())))
"""


def test_what_a_match_starts_on_tier_d_ends_with_it() -> None:
    with tempfile.TemporaryDirectory() as folder, ordinary_user() as (python, environ):
        os.chmod(folder, 0o755)
        (Path(folder) / "bot.py").write_text(_FORKS)
        command = [*python, "-c", _ON_TIER_D, folder]
        done = subprocess.run(command, env=environ, cwd="/", capture_output=True, text=True, timeout=60)
    assert done.stdout == "None 2\n", done.stderr
