"""Few servers are kept warm however many bots there are, and one that dies costs nobody a match."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from support.jail_runs import INNOCENT, LIMITS, descendants, make_bot
from support.matches import event_of

from arena.executors.bench import JailBench
from arena.model import Setup
from arena.store import Store

pytestmark = pytest.mark.jail


def _bots_that_answer(bench: JailBench, folder: Path, numbers: range) -> None:
    for number in numbers:
        bot = make_bot(folder, f"# {number}\n{INNOCENT}", f"bot{number}")
        bot = type(bot)(bot.id, bot.name, f"{number:064x}", bot.source)
        player = bench.player(event_of("rat_deau", 2), bot)
        assert player.start(Setup("rat_deau", 0, 2, {}, 7, LIMITS)) is None
        player.close()


def test_servers_that_wait_longest_are_closed(tmp_path: Path) -> None:
    with closing(JailBench(None, most=3)) as bench:
        _bots_that_answer(bench, tmp_path, range(3))
        assert len(descendants(os.getpid())) == 6, "three stubs and their servers"
        first = set(descendants(os.getpid()))
        _bots_that_answer(bench, tmp_path, range(1))  # used again, so it is not the one to go
        _bots_that_answer(bench, tmp_path, range(3, 4))
        kept = set(descendants(os.getpid()))
        assert len(kept) == 6
        assert len(kept & first) == 4
        _bots_that_answer(bench, tmp_path, range(1))
        assert set(descendants(os.getpid())) == kept
    assert descendants(os.getpid()) == {}


def _run(folder: Path, out: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "arena", "run", "cup.yaml", "--out", out, "--quiet", "--workers", "2"]
    return subprocess.Popen(command, cwd=folder)


def _stubs(runner: int) -> list[int]:
    found = []
    for pid in descendants(runner):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"arena.jail.stub" in command:
            found.append(pid)
    return found


def test_servers_killed_in_the_middle_cost_nobody_a_match(tmp_path: Path) -> None:
    slow = "import time\ndef act(turn):\n    time.sleep(0.002)\n    return turn.legal[0]\n"
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n{slow}")
    (tmp_path / "cup.yaml").write_text(
        "name: Cup\nbots: [ann.py, bob.py]\nseed: 1\ngame: {name: rat_deau, seats: 2}\n"
        "format: {kind: round_robin, deals: 30}\nreport: {replays: none}\n"
    )
    running, killed = _run(tmp_path, "run"), 0
    until = time.monotonic() + 60
    while running.poll() is None and killed < 3 and time.monotonic() < until:
        for pid in _stubs(running.pid)[:1] if (tmp_path / "run" / "run.sqlite").exists() else []:
            os.kill(pid, signal.SIGKILL)
            killed += 1
        time.sleep(0.2)
    assert running.wait(120) == 0
    assert killed, "it was over before a server could be killed"
    assert _run(tmp_path, "calm").wait(120) == 0
    records = []
    for out in ("run", "calm"):
        with Store.open(tmp_path / out) as store:
            assert store.voids() == {}
            records.append([(r.match, r.decisions, r.scores, r.faults) for r in store.records()])
    assert records[0] == records[1]
    assert len(records[0]) == 60
    assert "is played again" in (tmp_path / "run" / "private" / "arena.log").read_text()
