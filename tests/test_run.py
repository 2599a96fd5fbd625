"""`arena run` and `arena export` as people use them: the real command, jailed bots, kills and all."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.store import Store

HONEST = "def act(turn):\n    return turn.legal[{pick}]\n"
LUCKY = "import random\ndef act(turn):\n    return random.choice(turn.legal)\n"
SLOW = "import time\ndef act(turn):\n    time.sleep(0.003)\n    return turn.legal[0]\n"
HOSTILE = {
    "loops": "def act(turn):\n    while True:\n        pass\n",
    "raises": "def act(turn):\n    raise ValueError('I give up')\n",
    "nonsense": "def act(turn):\n    return 'banana'\n",
    "exits": "import os\ndef act(turn):\n    os._exit(7)\n",
    "calls_out": "import socket\ndef act(turn):\n    socket.create_connection(('192.0.2.1', 80), 1)\n",
    "spies": "def act(turn):\n    return open({path!r}).read()\n",
    "unready": "import no_such_module\ndef act(turn):\n    return turn.legal[0]\n",
}


def arena(*arguments: str | Path, cwd: Path, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "arena", *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=120, **more
    )  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """A folder with four honest bots; `cup.yaml` lets them play two games."""
    bots = tmp_path / "bots"
    bots.mkdir()
    for name, text in {
        "ann": HONEST.format(pick=0),
        "bob": HONEST.format(pick=-1),
        "cy": LUCKY,
        "dan": LUCKY,
    }.items():
        (bots / f"{name}.py").write_text(f"# {name}\n{text}")
    (tmp_path / "cup.yaml").write_text(
        "name: Cup\nbots: [bots]\nseed: 11\nreport: {replays: none}\nevents:\n"
        "  - {name: Raft, game: {name: rat_deau, seats: 2}, format: {kind: round_robin, deals: 3}}\n"
        "  - {name: Peech, game: peech, format: {kind: round_robin, deals: 2}}\n"
    )
    return tmp_path


def records(folder: Path, cwd: Path) -> list[dict[str, object]]:
    """What `export --records` prints, without times."""
    printed = arena("export", folder, "--records", cwd=cwd)
    assert printed.returncode == 0, printed.stderr
    lines = [json.loads(line) for line in printed.stdout.splitlines()]
    return [{key: value for key, value in line.items() if not key.endswith("_ms")} for line in lines]


@pytest.mark.jail
def test_any_number_of_workers_gives_the_same_records_and_standings(contest: Path) -> None:
    for workers in (1, 2):
        done = arena("run", "cup.yaml", "--workers", str(workers), "--out", f"run{workers}", cwd=contest)
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"run{workers}/site/index.html\n"
        assert f"Cup: 20 blocks, 44 matches; jail tier A, {workers} workers; about " in done.stderr
    one, two = records(contest / "run1", contest), records(contest / "run2", contest)
    assert len(one) == 44
    assert one == two
    for name in ("standings.csv", "results.json"):
        first, second = ((contest / run / "site" / name).read_bytes() for run in ("run1", "run2"))
        assert first == second
    assert "event" in (contest / "run1" / "site" / "standings.csv").read_text().splitlines()[0].split(",")


def processes_of(folder: Path) -> dict[int, str]:
    """All processes whose command names this run folder, and everything that descends from them."""
    parents, commands = {}, {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal():
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {pid for pid, command in commands.items() if str(folder) in command and pid != os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: commands[pid] for pid in found}


def alive(pids: set[int]) -> set[int]:
    """Those that still run; a zombie has ended and only waits to be noticed by its parent."""
    left = set()
    for pid in pids:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                left.add(pid)
        except OSError:
            continue
    return left


def start(contest: Path, folder: Path, **more: object) -> "subprocess.Popen[bytes]":
    """A run under way, with a block or more in its store."""
    command = [sys.executable, "-m", "arena", "run", "cup.yaml", "--workers", "2", "--out", str(folder)]
    running = subprocess.Popen(
        command, cwd=contest, **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more}
    )  # type: ignore[call-overload]
    until = time.monotonic() + 60
    while time.monotonic() < until and running.poll() is None:
        if (folder / "run.sqlite").exists():
            try:
                with Store.open(folder) as store:
                    if store.done():
                        return running  # type: ignore[no-any-return]
            except Exception:
                pass  # it is being made
        time.sleep(0.02)
    raise AssertionError(f"it did not get going: {running.poll()}")


@pytest.mark.jail
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_killed_run_leaves_no_process_and_goes_on_to_the_same_results(contest: Path, number: int) -> None:
    text = (contest / "cup.yaml").read_text().replace("deals: 3", "deals: 12")
    (contest / "cup.yaml").write_text(text)
    (contest / "bots" / "dan.py").write_text(SLOW)
    folder = contest / "run"
    running = start(contest, folder)
    family = set(processes_of(folder))
    assert len(family) >= 5  # the runner, two workers, and servers of bots
    running.send_signal(number)
    killed = time.monotonic()
    while alive(family - {running.pid}) and time.monotonic() < killed + 2:
        time.sleep(0.01)
    assert not alive(family - {running.pid})
    assert running.wait(10) == (-number if number == signal.SIGKILL else 130)
    with Store.open(folder) as store:
        done = len(store.done())
    assert 0 < done < 74
    again = arena("run", "cup.yaml", "--out", folder, cwd=contest)
    assert again.returncode == 0, again.stderr
    assert f"resuming: {done} of 74 blocks done, {74 - done} to play" in again.stderr
    if number == signal.SIGKILL:
        assert arena("run", "cup.yaml", "--out", "fresh", "--quiet", cwd=contest).returncode == 0
        assert records(folder, contest) == records(contest / "fresh", contest)
        pages = [(contest / run / "site" / "standings.csv").read_bytes() for run in ("run", "fresh")]
        assert pages[0] == pages[1]


@pytest.mark.jail
def test_a_reader_that_goes_away_harms_nothing(contest: Path) -> None:
    read, write = os.pipe()
    running = start(contest, contest / "run", stderr=write, stdout=write)
    os.close(write)
    os.close(read)
    assert running.wait(60) == 0
    with Store.open(contest / "run") as store:
        assert len(store.done()) == 20


@pytest.mark.jail
def test_hostile_bots_each_get_their_own_verdict_and_others_results_stand(contest: Path) -> None:
    bots = contest / "bots"
    for name, text in HOSTILE.items():
        (bots / f"{name}.py").write_text(text.replace("{path!r}", repr(str(bots / "ann.py"))))
    (contest / "cup.yaml").write_text(
        "name: Hostile\ngame: {name: rat_deau, seats: 2}\nbots: [bots]\nseed: 2\n"
        "format: {kind: round_robin, deals: 1, seatings: one}\nlimits: {move: 100ms, bank: 0s, start: 3s}\n"
        "report: {replays: none}\n"
    )
    done = arena("run", "cup.yaml", "--out", "run", cwd=contest)
    assert done.returncode == 0, done.stderr
    assert "Hostile: unready cannot be started: " in done.stderr
    kinds: dict[str, set[str]] = {}
    for record in records(contest / "run", contest):
        for bot, fault in zip(record["seats"], record["faults"], strict=True):  # type: ignore[call-overload]
            kinds.setdefault(bot, set()).add(fault["kind"] if fault else "")
    assert kinds == {
        "loops": {"timeout"}, "raises": {"crash"}, "nonsense": {"illegal"}, "exits": {"crash"},
        "calls_out": {"crash"}, "spies": {"crash"}, "unready": {"start"},
    } | {name: {""} for name in ("ann", "bob", "cy", "dan")}  # fmt: skip
    log = next((contest / "run" / "private" / "logs" / "raises").glob("e0-*.log")).read_text()
    assert "ValueError: I give up" in log
    page = (contest / "run" / "site" / "index.html").read_text(encoding="utf-8")
    assert "I give up" not in page


@pytest.mark.jail
def test_a_bot_that_cannot_start_stops_a_strict_run(contest: Path) -> None:
    (contest / "bots" / "unready.py").write_text(HOSTILE["unready"])
    with (contest / "cup.yaml").open("a") as file:
        file.write("faults: {strict: true}\n")
    done = arena("run", "cup.yaml", "--out", "run", cwd=contest)
    assert done.returncode == 2
    assert "unready cannot be started" in done.stderr
    assert records(contest / "run", contest) == []


def test_a_config_with_four_errors_names_each_line_and_exits_with_2(contest: Path) -> None:
    (contest / "bad.yaml").write_text(
        "name: Bad\ngame: peach\nbots: [bots]\nseed: x\nlimits:\n  mov: 1s\nformat: {deals: 0}\n"
    )
    done = arena("run", "bad.yaml", cwd=contest)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "bad.yaml:2: game: one of pecking_order, peech, rat_deau, not 'peach' (did you mean 'peech'?)",
        "bad.yaml:4: seed: a whole number from 0 to 18446744073709551615, not x",
        "bad.yaml:6: limits.mov: no such key (did you mean 'move'?); known: move, bank, start, "
        "memory, processes, python",
        "bad.yaml:7: format.deals: a whole number from 1, not 0",
    ]


@pytest.mark.jail
def test_matches_are_exported_as_csv_and_a_new_run_gets_a_number(contest: Path) -> None:
    for _ in range(2):
        done = arena("run", "cup.yaml", "--new", "--quiet", cwd=contest)
        assert done.returncode == 0, done.stderr
        assert re.fullmatch(r"Cup: .*\n", done.stderr)
    assert done.stdout == "reports/cup-2/site/index.html\n"
    printed = arena("export", "reports/cup-2", "--matches", cwd=contest)
    rows = list(csv.DictReader(io.StringIO(printed.stdout)))
    assert len(rows) == 36 * 2 + 8 * 4
    assert {row["bot"] for row in rows} == {"ann", "bob", "cy", "dan"}
    nothing = arena("export", "bots", "--records", cwd=contest)
    assert (nothing.returncode, nothing.stderr) == (2, "bots: not a run folder (no run.sqlite in it)\n")
    assert arena("export", "reports/cup", cwd=contest).returncode == 2
