"""Bots in any language: the same jail, threads but no further process, a /tmp that goes with the match."""

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.jail_runs import REQUEST, descendants

from arena.jail import BotServer, build
from arena.model import Bot, Fault, FaultKind, Limits, Setup
from arena.players.jailed import JailedPlayer

pytestmark = pytest.mark.jail
LIMITS = Limits(move=2.0, bank=0.0, start=10.0, memory=128 * 2**20)

_LOOP = """
import ctypes, json, mmap, os, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
{before}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print('{{"type":"ready"}}', flush=True)
    elif message["type"] == "turn":
        action = message["legal"][0]
        {turn}
        print(json.dumps({{"id": message["id"], "action": str(action)}}), flush=True)
"""


def _bot(folder: Path, command: tuple[str, ...], **files: str) -> Bot:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return Bot("program", "program", "", folder, command=command)


def _python(folder: Path, turn: str = "pass", before: str = "") -> Bot:
    return _bot(folder, ("python3", "bot.py"), bot_py=_LOOP.format(turn=turn, before=before))


def _play(bot: Bot, turns: int = 3, matches: int = 1, limits: Limits = LIMITS, tier: str = "A") -> list[Any]:
    """The answers of one match after another, and the last player."""
    answers: list[Any] = []
    with BotServer(bot, limits, tier=tier) as server:
        for _ in range(matches):
            player = JailedPlayer(server)
            fault = player.start(Setup("peech", 0, 2, {}, 7, limits))
            answers += [fault] if fault else [player.ask(REQUEST) for _ in range(turns)]
            player.end((1,), (1,))
            player.close()
    return [*answers, player]


_C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[70000];
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":"), *legal = strstr(line, "\"legal\":[\"");
        if (strstr(line, "\"type\":\"start\"")) puts("{\"type\":\"ready\"}");
        else if (id && legal)
            printf("{\"id\":%d,\"action\":\"%.*s\"}\n", atoi(id + 5),
                   (int)strcspn(legal + 10, "\""), legal + 10);
        fflush(stdout);
    }
}
"""
_NODE = """
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
    const message = JSON.parse(line)
    if (message.type === "start") console.log(JSON.stringify({type: "ready"}))
    if (message.type === "turn") console.log(JSON.stringify({id: message.id, action: message.legal[0]}))
})
"""


def _built(folder: Path, *command: str, seconds: float = 60) -> tuple[Bot, Fault | None, str]:
    source = folder / "source"
    source.mkdir()
    bot = replace(_bot(source, ("./bot",), bot_c=_C), build=command)
    built, fault, log = build(bot, folder / "built", seconds)
    return built, fault, log.decode()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler here; CI has one")
def test_a_c_program_is_built_and_plays(tmp_path: Path) -> None:
    bot, fault, log = _built(tmp_path, "gcc", "-O2", "-o", "bot", "bot.c")
    assert (fault, log) == (None, "")
    assert sorted(path.name for path in bot.source.iterdir()) == ["bot", "bot.c"]
    assert _play(bot, matches=3)[:-1] == ["7S"] * 9


def test_a_build_is_shut_in_too(tmp_path: Path) -> None:
    tries = (
        "cat /etc/passwd; ls /root /home /proc/1; echo > /usr/x; echo > /etc/x; ln -s /etc/passwd leak; true"
    )
    before = descendants(os.getpid())
    bot, fault, log = _built(tmp_path, "sh", "-c", tries + "; sleep 600 & echo made > made")
    assert fault is None
    assert sorted(path.name for path in bot.source.iterdir()) == ["bot.c", "made"]
    assert log.count("No such file") == 4, log
    assert log.count("cannot create") == 2, log
    assert descendants(os.getpid()) == before


def test_a_failed_build_is_the_bots_start_fault(tmp_path: Path) -> None:
    _, fault, log = _built(tmp_path, "sh", "-c", "echo no >&2; exit 3")
    assert (fault, log) == (
        Fault(FaultKind.START, 0, "build: sh -c echo no >&2; exit 3: exit status 3"),
        "no\n",
    )


def test_an_endless_build_is_ended(tmp_path: Path) -> None:
    before = descendants(os.getpid())
    _, fault, _ = _built(tmp_path, "sleep", "600", seconds=1)
    assert fault == Fault(FaultKind.START, 0, "build: sleep 600: did not end within 1 s")
    assert descendants(os.getpid()) == before


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here; CI has one")
def test_a_node_program_plays(tmp_path: Path) -> None:
    assert _play(_bot(tmp_path, ("node", "bot.js"), bot_js=_NODE), matches=2)[:-1] == ["7S"] * 6


def test_a_python_program_plays(tmp_path: Path) -> None:
    assert _play(_python(tmp_path))[:-1] == ["7S"] * 3


def test_a_stray_line_is_quoted(tmp_path: Path) -> None:
    fault = _play(_python(tmp_path, turn="print('thinking...')"))[0]
    assert fault == Fault(FaultKind.PROTOCOL, 1, "not JSON: thinking...")
    fault = _play(_python(tmp_path, before="print('hello')"))[0]
    assert fault == Fault(FaultKind.START, 0, "not JSON: hello")


@pytest.mark.parametrize(
    "attack",
    [
        "os.fork()",
        "subprocess.run(['/python/bin/python3'])",
        "mmap.mmap(-1, 1 << 20)",  # shared: on no memory limit
        "os.unlink('/bot/bot.py')",
        "open('new', 'w')",
        "open('bot.py', 'a')",
        "os.kill(@RUNNER@, 0)",
        "1 / (libc.tgkill(@RUNNER@, @RUNNER@, 0) + 1)",
        "1 / (libc.prctl(1, 0, 0, 0, 0) + 1)",  # to outlive the server
        "open('/proc/@RUNNER@/environ')",
        "open('/etc/passwd')",
        "os.listdir('/proc')",
        "__import__('socket').socket()",
        "__import__('socket').create_connection(('127.0.0.1', 22))",
        "os.memfd_create('x')",
        "1 / (libc.unshare(0x10000000) + 1)",
        "1 / (libc.mount(b'x', b'/tmp', b'tmpfs', 0, 0) + 1)",
        "__import__('resource').setrlimit(__import__('resource').RLIMIT_DATA, (-1, -1))",
    ],
)
@pytest.mark.parametrize("tier", ["A", "B"])
def test_a_program_gets_nothing(tmp_path: Path, attack: str, tier: str) -> None:
    turn = f"""
        try: {attack.replace("@RUNNER@", str(os.getpid()))}; action = 'got it'
        except (OSError, ValueError, ZeroDivisionError): pass"""
    assert _play(_python(tmp_path, turn=turn), turns=1, tier=tier)[0] == "7S"


def test_its_memory_is_one_limit_for_all_threads(tmp_path: Path) -> None:
    take = "held = []\ndef take():\n    while True: held.append(bytearray(1 << 20))\n"
    turn = (
        "[threading.Thread(target=take).start() for _ in range(4)]; time.sleep(0.4); action = len(held) < 128"
    )
    answers = _play(_python(tmp_path, before=take, turn=turn), turns=1)
    assert answers[0] in ("True",) or isinstance(answers[0], Fault)


def test_its_scratch_is_small_and_fresh(tmp_path: Path) -> None:
    turn = """
        action = sorted(os.listdir("/tmp"))
        try:
            for n in range(100):
                with open(f"/tmp/{n}", "wb") as file: file.write(bytes(1 << 20))
        except OSError: action.append(n)"""
    assert _play(_python(tmp_path, turn=turn), turns=1, matches=2)[:-1] in (["[15]"] * 2, ["[16]"] * 2)


def test_it_is_stopped_between_its_turns(tmp_path: Path) -> None:
    before = "done = 0\ndef ponder():\n    global done\n    while True: done += 1\n"
    turn = "threading.Thread(target=ponder, daemon=True).start()"
    with BotServer(_python(tmp_path, before=before, turn=turn), LIMITS) as server:
        player = JailedPlayer(server)
        assert player.start(Setup("peech", 0, 2, {}, 7, LIMITS)) is None
        assert player.ask(REQUEST) == "7S"
        assert player._child is not None
        spent = player._child.schedule()[0]
        time.sleep(0.3)
        assert player._child.schedule()[0] - spent < 0.05
        assert player.ask(REQUEST) == "7S"
        assert player.close().outside_ms < 100


def test_the_waits_of_all_its_threads_are_counted(tmp_path: Path) -> None:
    """Two threads compute in turn on one core: each waits for the other, and what both ran is charged."""
    before = "def compute():\n    end = time.thread_time() + 0.1\n    while time.thread_time() < end: pass\n"
    turn = """
        workers = [threading.Thread(target=compute) for _ in range(2)]
        for worker in workers: worker.start()
        for worker in workers: worker.join()"""
    core = max(os.sched_getaffinity(0))
    with BotServer(_python(tmp_path, before=before, turn=turn), LIMITS, core) as server:
        player = JailedPlayer(server)
        assert player.start(Setup("peech", 0, 2, {}, 7, LIMITS)) is None
        assert player.ask(REQUEST) == "7S"
        timing = player.close()
    assert 195 <= timing.think_ms[0] < 600


def test_a_flood_of_its_log_is_bounded(tmp_path: Path) -> None:
    turn = """
        try:
            while True: os.write(2, b"x" * 65536)
        except OSError: pass"""
    answers = _play(_python(tmp_path, turn=turn), turns=1)
    assert answers[0] == "7S"
    assert 60_000 < len(answers[1].log()) <= 65536


def test_what_cannot_be_started_says_so(tmp_path: Path) -> None:
    for program, problem in (("nonsense", "program on this machine"), ("./bot", "file in the bot's folder")):
        fault = _play(_bot(tmp_path, (program,)))[0]
        assert fault == Fault(FaultKind.START, 0, f"command: {program}: no such {problem}")
    broken = _bot(tmp_path, ("./bot.sh",), bot_sh="not a program")
    os.chmod(tmp_path / "bot.sh", 0o755)
    fault, player = _play(broken)
    assert fault == Fault(FaultKind.START, 0, "exit status 127")
    assert b"Exec format error" in player.log()
