"""Processes come and go: nothing is left behind, whoever dies, however many matches are played."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.jail_runs import INNOCENT, LIMITS, REQUEST, descendants, descriptors, make_bot, play

from arena.errors import InfrastructureError
from arena.jail import BotServer, probe
from arena.model import Setup
from arena.players.jailed import JailedPlayer

pytestmark = pytest.mark.jail
SETUP = Setup("peech", 0, 2, {}, 7, LIMITS)


@pytest.fixture
def server(tmp_path: Path, scratch_folder: Path) -> Iterator[BotServer]:
    with BotServer(make_bot(tmp_path, INNOCENT), LIMITS) as running:
        yield running


def test_the_default_tier_can_be_had_here() -> None:
    assert probe("A") == []


def _matches_leave_nothing(server: BotServer, count: int) -> None:
    for _ in range(20):
        play(server)
    before, memory = _held(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(count):
        _, _, fault = play(server, turns=1)
        assert fault is None
    assert _held() == before
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 4096  # KiB
    assert _server_memory() < 60_000


def _held() -> dict[str, int]:
    """What this process and all below it hold; of others' descriptors and namespaces what one may see."""
    family = [os.getpid(), *descendants(os.getpid())]
    namespaces: set[str] = set()
    opened = 0
    for pid in family:
        with suppress(PermissionError):
            namespaces |= {os.readlink(place) for place in Path(f"/proc/{pid}/ns").iterdir()}
            opened += len(os.listdir(f"/proc/{pid}/fd"))
    return {
        "processes": len(family), "namespaces": len(namespaces), "descriptors": opened,
        "mounts": Path("/proc/self/mountinfo").read_text().count("tmpfs arena"),
        "temporary files": len(os.listdir(tempfile.gettempdir())),
    }  # fmt: skip


def _server_memory() -> int:
    """KiB that the largest process below us holds."""
    sizes = []
    for pid in descendants(os.getpid()):
        status = Path(f"/proc/{pid}/status").read_text()
        sizes += [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")]
    return max(sizes)


def test_two_hundred_matches_leave_nothing(server: BotServer) -> None:
    _matches_leave_nothing(server, 200)


@pytest.mark.slow
def test_ten_thousand_matches_leave_nothing(server: BotServer) -> None:
    _matches_leave_nothing(server, 10_000)


def test_closing_a_server_ends_its_children(tmp_path: Path) -> None:
    before = descriptors()
    server = BotServer(make_bot(tmp_path, "def act(turn):\n    while True: pass\n"), LIMITS)
    players = [JailedPlayer(server) for _ in range(3)]
    assert [player.start(SETUP) for player in players] == [None] * 3
    assert len(descendants(os.getpid())) == 5
    server.close()
    assert descendants(os.getpid()) == {}
    for player in players:
        with pytest.raises(InfrastructureError):
            player.close()
    assert descriptors() == before


_RUNNER = """
import os, sys, time
from pathlib import Path
from support.jail_runs import LIMITS, descendants, make_bot
from arena.jail import BotServer
from arena.model import Setup
from arena.players.jailed import JailedPlayer
server = BotServer(make_bot(Path(sys.argv[1]), "def act(turn): pass\\n"), LIMITS, tier=sys.argv[2])
players = [JailedPlayer(server) for _ in range(3)]
for player in players:
    assert player.start(Setup("peech", 0, 2, {}, 7, LIMITS)) is None
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("tier", ["A", "B"])
def test_a_killed_runner_leaves_nothing(tmp_path: Path, tier: str) -> None:
    tests = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-c", _RUNNER, str(tmp_path), tier]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": f"{tests.parent}:{tests}"}) as runner:  # fmt: skip
        assert runner.stdout is not None
        assert runner.stdout.readline() == "ready\n"
        below = descendants(runner.pid)
        assert len(below) == 5, "stub, server, three children"
        runner.kill()
    assert _gone(below, 2)


def _gone(processes: dict[int, str], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while any(_alive(pid, start) for pid, start in processes.items()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def _alive(pid: int, start: str) -> bool:
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return words[19] == start and words[0] != "Z"


@pytest.mark.parametrize("victim", ["stub", "server"])
def test_a_dead_server_is_arenas_own_fault(server: BotServer, victim: str) -> None:
    player = JailedPlayer(server)
    assert player.start(SETUP) is None
    below = descendants(os.getpid())
    os.kill(sorted(below)[0 if victim == "stub" else 1], signal.SIGKILL)
    assert _gone(below, 2)
    with pytest.raises(InfrastructureError):
        player.close()
    with pytest.raises(InfrastructureError):
        play(server)


def test_copies_at_one_table_share_nothing(tmp_path: Path) -> None:
    source = "seen = []\ndef act(turn):\n    seen.append(1)\n    return '7S' if len(seen) == 1 else None\n"
    with BotServer(make_bot(tmp_path, source), LIMITS) as server:
        players = [JailedPlayer(server) for _ in range(4)]
        assert [player.start(SETUP) for player in players] == [None] * 4
        assert [player.ask(REQUEST) for player in players] == ["7S"] * 4
        for player in players:
            player.close()


_AT_A_TERMINAL = """
import os, signal, sys
from pathlib import Path
from support.jail_runs import LIMITS, REQUEST, make_bot
from arena.jail import BotServer
from arena.model import Setup
from arena.players.jailed import JailedPlayer
signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a worker does
with BotServer(make_bot(Path(sys.argv[1]), "def act(turn): return '7S'\\n"), LIMITS) as server:
    player = JailedPlayer(server)
    assert player.start(Setup("peech", 0, 2, {}, 7, LIMITS)) is None
    os.killpg(0, signal.SIGINT)
    print(player.ask(REQUEST))
    player.close()
"""


def test_ctrl_c_at_a_terminal_is_no_bots_fault(tmp_path: Path) -> None:
    tests = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", _AT_A_TERMINAL, str(tmp_path)], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": f"{tests.parent}:{tests}"}, start_new_session=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("7S\n", "")
