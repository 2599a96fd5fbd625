"""Whatever breaks in the runner, and when: it ends at once, tells why in one line and leaves no process."""

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.jail_runs import descendants

CONFIG = """
name: Cup
game: {name: rat_deau, seats: 2}
bots: [bob.py, random, {path: random, name: Other}]
format: {deals: 3}
"""
BREAKS = """
import importlib, sys, time

def breaks(module, path, nth, when):
    *way, name = path.split(".")
    owner = importlib.import_module(module)
    for part in way:
        owner = getattr(owner, part)
    real, calls = getattr(owner, name), []

    def broken(*args, **options):
        calls.append(name)
        if when == "after":
            result = real(*args, **options)
        if len(calls) == nth:
            open("broke", "w").write(repr(time.monotonic()))
            raise RuntimeError("injected\\nhere")
        return result if when == "after" else real(*args, **options)

    setattr(owner, name, broken)

target, nth, when, *sys.argv[1:] = sys.argv[1:]
breaks(*target.split(":"), int(nth), when)
from arena.cli import main
main()
"""
STEPS = [  # what breaks, at which call of it, before or after it has done its work
    ("logging:FileHandler.__init__", 1, "after"),
    ("signal:signal", 1, "after"),
    ("arena.tournament.folder:snapshot", 1, "after"),
    ("arena.store.store:Store.set_meta", 2, "before"),
    ("arena.store.store:Store.commit", 2, "after"),
    ("arena.store.store:Store.add_round", 1, "before"),
    ("arena.store.store:Store.close", 1, "before"),
    ("arena.executors.local:LocalExecutor.start", 1, "after"),
    ("arena.executors.local:LocalExecutor._fork", 2, "before"),
    ("arena.executors.local:LocalExecutor._fork", 2, "after"),
    ("arena.executors.local:LocalExecutor.try_bots", 1, "before"),
    ("arena.executors.local:LocalExecutor.submit", 1, "after"),
    ("arena.executors.local:LocalExecutor.submit", 4, "before"),
    ("arena.executors.local:LocalExecutor.wait", 3, "before"),
    ("arena.executors.local:LocalExecutor.close", 1, "before"),
    ("arena.executors.local:_dismiss", 1, "before"),
    ("arena.executors.records:Records.open", 1, "before"),
    ("arena.executors.records:Records.open", 1, "after"),
    ("arena.executors.records:Records.close", 1, "before"),
    ("arena.cli.run:_announce", 1, "before"),
    ("arena.cli.run:_Pages.tick", 1, "before"),
    ("arena.cli.run:_Pages.close", 1, "before"),
    ("arena.cli._progress:Display.progress", 1, "after"),
    ("arena.cli._progress:Display.done", 1, "before"),
    ("arena.cli.run:write_report", 1, "before"),
]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    (tmp_path / "bob.py").write_text("def act(turn):\n    return turn.legal[0]\n")
    (tmp_path / "cup.yaml").write_text(CONFIG)
    return tmp_path


def environ(folder: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(folder)}


@pytest.fixture
def orphans() -> Iterator[None]:
    """Whatever a process of this test leaves behind becomes a child of the test's own, to be found there."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    try:
        yield
    finally:
        prctl(36, 0, 0, 0, 0)


@pytest.mark.jail
@pytest.mark.usefixtures("orphans")
@pytest.mark.parametrize(("target", "nth", "when"), STEPS)
def test_what_breaks_ends_the_run_in_one_line(cup: Path, target: str, nth: int, when: str) -> None:
    before = descendants(os.getpid())
    done = subprocess.run(
        [sys.executable, "-c", BREAKS, target, str(nth), when, "run", "cup.yaml", "--workers", "2"],
        cwd=cup, capture_output=True, text=True, timeout=60, check=False, env=environ(cup),
    )  # fmt: skip
    ended = time.monotonic()
    assert done.returncode == 70, done.stderr
    *_, last = lines = done.stderr.splitlines()
    assert last.startswith("this is arena's own fault: RuntimeError: injected here; the traceback is in ")
    assert len([line for line in lines if "injected" in line]) == 1
    assert not any("Traceback" in line for line in lines)
    assert "RuntimeError: injected" in Path(cup, last.rpartition(" ")[2]).read_text()
    assert ended - float((cup / "broke").read_text()) < 10, "a hang, not a slow machine"
    while left := descendants(os.getpid()).keys() - before.keys():
        assert time.monotonic() < ended + 2, left
        time.sleep(0.05)


@pytest.mark.jail
def test_the_run_after_it_goes_on(cup: Path) -> None:
    arena = ["run", "cup.yaml", "--quiet"]
    broken = [sys.executable, "-c", BREAKS, "arena.executors.local:LocalExecutor.wait", "4", "before"]
    assert subprocess.run([*broken, *arena], cwd=cup, capture_output=True, check=False).returncode == 70
    told = subprocess.run(
        [sys.executable, "-m", "arena", *arena], cwd=cup, capture_output=True, text=True, check=True
    )
    assert "resuming: 3 of 9 blocks done" in told.stderr


def test_debug_shows_the_traceback(cup: Path) -> None:
    broken = [sys.executable, "-c", BREAKS, "arena.cli.run:read_config", "1", "before"]
    done = subprocess.run(
        [*broken, "--debug", "run", "cup.yaml"],
        cwd=cup, capture_output=True, text=True, check=False, env=environ(cup),
    )  # fmt: skip
    assert done.returncode == 70
    assert "Traceback" in done.stderr
    assert "RuntimeError: injected" in done.stderr


@pytest.mark.jail
@pytest.mark.parametrize("default", ["fork", "spawn", "forkserver"])
def test_the_default_start_method_does_not_matter(cup: Path, default: str) -> None:
    """It is fork no longer from Python 3.14 on; and it is nobody's but the program's own to settle."""
    code = (
        "import multiprocessing, sys\n"
        "from arena.cli import cli\n"
        f"multiprocessing.set_start_method({default!r})\n"
        "cli(sys.argv[1:], standalone_mode=False)\n"
        f"assert multiprocessing.get_start_method() == {default!r}\n"
    )
    arena = ["run", "cup.yaml", "--quiet", "--out", "out"]
    subprocess.run([sys.executable, "-c", code, *arena], cwd=cup, capture_output=True, timeout=60, check=True)


@pytest.mark.jail
def test_a_run_leaves_the_start_method_unsettled(cup: Path) -> None:
    code = (
        "import multiprocessing, sys\n"
        "from arena.cli import cli\n"
        "cli(sys.argv[1:], standalone_mode=False)\n"
        "assert multiprocessing.get_start_method(allow_none=True) is None\n"
    )
    arena = ["run", "cup.yaml", "--quiet", "--out", "out"]
    subprocess.run([sys.executable, "-c", code, *arena], cwd=cup, capture_output=True, timeout=60, check=True)
