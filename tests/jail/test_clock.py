"""The clock: what is charged, to whom, and that a machine's load is nobody's loss."""

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.jail_runs import make_bot, play

from arena.jail import BotServer
from arena.jail.child import Child
from arena.jail.clock import Clock
from arena.model import Fault, FaultKind, Limits, Request, Setup
from arena.players.jailed import JailedPlayer
from arena.store import Store

pytestmark = pytest.mark.jail
REQUEST = Request("play", ("7S",), {}, ())
_COMPUTES = """
import time
def act(turn):
    end = time.thread_time() + {}
    while time.thread_time() < end: pass
    return '7S'
"""


def _started(server: BotServer) -> JailedPlayer:
    player = JailedPlayer(server)
    assert player.start(Setup("peech", 0, 2, {}, 7, server.limits)) is None
    return player


def test_a_decision_beyond_the_limit_draws_on_the_bank(tmp_path: Path) -> None:
    source = "import time\ndef act(turn):\n    print(turn.bank)\n    time.sleep(0.15)\n    return '7S'\n"
    with BotServer(make_bot(tmp_path, source), Limits(move=0.1, bank=0.12)) as server:
        player = _started(server)
        answers = [player.ask(REQUEST) for _ in range(3)]
        timing = player.close()
    assert answers[:2] == ["7S", "7S"]
    assert answers[2] == Fault(
        FaultKind.TIMEOUT, 3, "no answer within the move limit of 0.1 s and the bank of 0.12 s"
    )
    banks = [float(line) for line in player.log().split()]
    assert banks[0] == 0.12
    assert 0.02 < banks[1] <= 0.08
    assert 140 <= timing.think_ms[0] < 200
    assert len(timing.think_ms) == 3
    assert timing.cpu_ms < timing.wall_ms


def test_no_limit_is_a_limit(tmp_path: Path) -> None:
    with BotServer(make_bot(tmp_path, "def act(turn): return '7S'\n"), Limits(move=0.0, bank=5.0)) as server:
        _, timing, fault = play(server, turns=50)
    assert fault is None
    assert len(timing.think_ms) == 50


def test_thinking_on_the_time_of_others_is_seen(tmp_path: Path) -> None:
    source = """
import os, time
def act(turn):
    os.write(4, b'{"id":1,"action":"7S"}\\n')
    end = time.process_time() + 0.2
    while time.process_time() < end: pass
    os.read(3, 65536)
    return '7S'
"""
    with BotServer(make_bot(tmp_path, source), Limits()) as server:
        player = _started(server)
        assert player.ask(REQUEST) == "7S"
        deadline = time.monotonic() + 20
        while player._child and player._child.schedule()[0] < 0.2 and time.monotonic() < deadline:
            time.sleep(0.01)
        timing = player.close()
    assert timing.outside_ms > 100
    assert timing.wall_ms < 100


def test_a_bot_that_does_not_read_runs_out_of_time(tmp_path: Path) -> None:
    source = """
import os, time
def act(turn):
    os.write(4, b'{"id":1,"action":"7S"}\\n')
    time.sleep(60)
"""
    long = Request("play", ("7S",), {"text": "x" * 60_000}, ())
    with BotServer(make_bot(tmp_path, source), Limits(move=0.2, bank=0.0)) as server:
        player = _started(server)
        assert player.ask(REQUEST) == "7S"
        assert player._child is not None
        fcntl.fcntl(
            player._child.requests, 1031, 4096
        )  # F_SETPIPE_SZ: as small as a user's many pipes become
        answer = player.ask(long)
        player.close()
    assert isinstance(answer, Fault)
    assert answer.kind is FaultKind.TIMEOUT


def test_a_long_request_through_a_short_pipe_arrives(tmp_path: Path) -> None:
    source = "def act(turn): return '7S' if len(turn.view['text']) == 60_000 else None\n"
    long = Request("play", ("7S",), {"text": "x" * 60_000}, ())
    with BotServer(make_bot(tmp_path, source), Limits()) as server:
        player = _started(server)
        assert player._child is not None
        fcntl.fcntl(player._child.requests, 1031, 4096)
        assert player.ask(long) == "7S"
        player.close()


@contextmanager
def _burners(core: int, count: int) -> Iterator[None]:
    """So many processes that keep this core busy."""
    burn = f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    running = [subprocess.Popen([sys.executable, "-S", "-c", burn]) for _ in range(count)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_load_is_nobodys_loss(tmp_path: Path) -> None:
    """Decisions of a tenth of the limit beside four burners on the same core: none is charged a time-out."""
    core = max(os.sched_getaffinity(0))
    source = _COMPUTES.format(0.02)
    with (
        _burners(core, 4),
        BotServer(make_bot(tmp_path, source), Limits(move=0.2, bank=0.0, start=2.0), core) as server,
    ):
        runs = [play(server, turns=8) for _ in range(4)]
    assert [fault for _, _, fault in runs] == [None] * 4
    charged = sorted(ms for _, timing, _ in runs for ms in timing.think_ms)
    assert charged[0] >= 18
    assert charged[-1] <= 200


@pytest.mark.slow
def test_load_does_not_save_a_slow_bot(tmp_path: Path) -> None:
    core = max(os.sched_getaffinity(0))
    source = _COMPUTES.format(0.4)
    with (
        _burners(core, 3),
        BotServer(make_bot(tmp_path, source), Limits(move=0.1, bank=0.1, start=2.0), core) as server,
    ):
        _, timing, fault = play(server, turns=1)
    assert fault is not None
    assert fault.kind is FaultKind.TIMEOUT
    assert 198 <= timing.think_ms[0] < 300


def test_a_bot_that_ends_is_waited_for_while_others_have_the_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pipe is closed and it is not dead: on a busy core that says nothing of how it ends."""
    looks = iter([False, False])
    dies = Child.dies_within
    monkeypatch.setattr(Child, "dies_within", lambda child, ms: next(looks, True) and dies(child, ms))
    monkeypatch.setattr(Clock, "left", lambda clock, limit: 0.001)
    with BotServer(make_bot(tmp_path, "import os\ndef act(turn): os._exit(5)\n"), Limits()) as server:
        _, _, fault = play(server, turns=1)
    assert fault is not None
    assert (fault.kind, fault.detail) == (FaultKind.CRASH, "exit status 5")
    assert list(looks) == []


@pytest.mark.slow
def test_a_tournament_beside_burners_charges_nobody_falsely(tmp_path: Path) -> None:
    """Two burners on every core, and bots that compute for a tenth of their limit."""
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.py").write_text(
            f"# {name}\n" + _COMPUTES.format(0.02).replace("'7S'", "turn.legal[0]")
        )
    (tmp_path / "cup.yaml").write_text(
        "name: Cup\nbots: [ann.py, bob.py]\nseed: 1\ngame: {name: rat_deau, seats: 2}\n"
        "format: {kind: round_robin, deals: 4}\nlimits: {move: 200ms, bank: 0s, start: 10s}\n"
    )
    with ExitStack() as stack:
        for core in os.sched_getaffinity(0):
            stack.enter_context(_burners(core, 2))
        command = [sys.executable, "-m", "arena", "run", "cup.yaml", "--out", "run", "--quiet"]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=300)
    with Store.open(tmp_path / "run") as store:
        records = list(store.records())
        assert store.voids() == {}
    assert len(records) == 8
    assert [fault for record in records for fault in record.faults if fault] == []
