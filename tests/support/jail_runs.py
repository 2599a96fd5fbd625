"""Plays hostile bots against the real jail and reports, as JSON, what became of them; run it as any user.

`python -m support.jail_runs TIER` runs all that this tier must withstand and prints one JSON object:
name -> outcome.
"""

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.jail import BotServer
from arena.model import Bot, Fault, Limits, Request, Setup
from arena.players.jailed import JailedPlayer
from support.jail_ends import ENDS
from support.jail_probes import PROBES

LIMITS = Limits(move=0.1, bank=0.1, start=0.4, memory=96 * 2**20)
PATIENT = Limits(move=20.0, bank=0.0, start=20.0, memory=256 * 2**20)
REQUEST = Request("play", ("7S", "3"), {"table": list(range(20))}, ({"type": "dealt"},))
INNOCENT = "def act(turn):\n    return turn.legal[0]\n"


def make_bot(folder: Path, source: str, name: str = "bot") -> Bot:
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8", errors="surrogateescape")
    return Bot(name, name, "", path)


def play(server: BotServer, turns: int = 2) -> tuple[JailedPlayer, Any, Fault | None]:
    """One match of so many turns: the closed player, its timing, its fault."""
    player = JailedPlayer(server)
    fault = player.start(Setup("peech", 0, 2, {}, 7, server.limits))
    for _ in range(turns):
        if fault is None and isinstance(answer := player.ask(REQUEST), Fault):
            fault = answer
    if fault is None:
        player.end((1, 2), (2, 1))
    return player, player.close(), fault


def descendants(pid: int) -> dict[int, str]:
    """Every process below this one, with the time of its start, which makes a number unique.

    Python's own resource tracker, which stays once a queue was made, does not count.
    """
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
                tracker = b"multiprocessing.resource_tracker" in Path(f"/proc/{entry}/cmdline").read_bytes()
            except OSError:
                continue
            if words[0] != "Z" and not tracker:
                parents[int(entry)] = (int(words[1]), words[19])
    found: dict[int, str] = {}
    while fresh := {
        p: start for p, (parent, start) in parents.items() if p not in found and parent in {pid, *found}
    }:
        found |= fresh
    return found


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@contextmanager
def canaries(folder: Path) -> Any:
    """What an attack could find on the host: their names, to be put into its source."""
    secret, marker = "secret-of-the-runner", "source-of-another-bot"
    os.environ["ARENA_CANARY"] = secret
    (folder / "canary").write_text(secret)
    (folder / "canary").chmod(0o666)
    (folder / "other.py").write_text(f"# {marker}")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract, \
         socket.socket(socket.AF_UNIX) as path, subprocess.Popen(["sleep", "600"]) as victim:  # fmt: skip
        name = f"arena-canary-{os.getpid()}"
        abstract.bind("\0" + name)
        abstract.listen()
        path.bind(str(folder / "socket"))
        path.listen()
        try:
            yield {"CANARY": folder / "canary", "OTHER": folder / "other.py", "MARKER": marker,
                   "SECRET": secret, "TCP": tcp.getsockname()[1], "ABSTRACT": name,
                   "SOCKET": folder / "socket", "VICTIM": victim.pid,
                   "RUNNER": os.getpid(), "HOUSE": Path(__file__).resolve().parents[2]}  # fmt: skip
        finally:
            victim.kill()


def fill(source: str, names: dict[str, Any]) -> str:
    for name, value in names.items():
        source = source.replace(f"@{name}@", str(value))
    house, marker, secret = str(names["HOUSE"]), names["MARKER"], names["SECRET"]
    halves = {
        "@MARK": marker[:5],
        "ER@": marker[5:],
        "@SECRET": secret[:9],
        "@HO": house[:4],
        "USE@": house[4:],
    }
    for half, value in halves.items():  # in two halves, so that a bot does not find its own source
        source = source.replace(half, value)
    return source


def attacks_of(tier: str) -> dict[str, Limits]:
    """Which attacks this tier must withstand, and with which limits."""
    names = {
        "A": [*PROBES, *ENDS],
        "B": [name for name in PROBES if name != "reads who and where it is"] + _MIXED,
        "C": ["reaches the network", "makes risky system calls", "runs another program", "makes namespaces",
              "makes processes and threads", "gains rights", "raises its limits", *_MIXED],
        "D": ["plays", "takes memory", "spins", "sleeps", "ignores signals", "leaves", "prints", "raises",
              "ends by a signal of its own", "leaves a child behind"],
    }[tier]  # fmt: skip
    return {name: PATIENT if name in PROBES else LIMITS for name in names}


_MIXED = ["plays", "aborts", "stops itself", "becomes a daemon", "closes all and goes on", "takes memory",
          "spins", "ignores signals", "forks", "starts threads", "floods", "lies about its end"]  # fmt: skip


def attack(
    folder: Path, source: str, innocent: BotServer, limits: Limits = LIMITS, tier: str = "A"
) -> dict[str, Any]:
    """Two matches of a hostile bot, one of an innocent neighbour, and what is left of them."""
    open_before = descriptors()
    with BotServer(make_bot(folder, source), limits, tier=tier) as server:
        runs = [play(server) for _ in range(2)]
        logs = [len(player.log()) for player, _, _ in runs]
        left = len(descendants(os.getpid()))
    faults = [[str(f.kind), f.detail, f.decision] if f else None for _, _, f in runs]
    _, _, neighbour = play(innocent)
    return {"faults": faults, "logs": logs, "neighbour": neighbour and neighbour.detail,
            "descriptors": descriptors() - open_before, "processes": left}  # fmt: skip


def run_all(folder: Path, tier: str = "A") -> dict[str, Any]:
    """Every attack; with "memory": by how many MiB the runner grew, "processes": what is left at the end."""
    outcomes: dict[str, Any] = {}
    innocent_bot = make_bot(folder, INNOCENT, "innocent")
    with canaries(folder) as names, BotServer(innocent_bot, LIMITS, tier=tier) as innocent:
        names["HIDDEN_USER"] = tier == "A"
        if tier != "A":
            names["HOUSE"] = "/only/tier/A/hides/paths"
        sources = {**{name: fill(source, names) for name, source in PROBES.items()},
                   **{name: end.source for name, end in ENDS.items()}}  # fmt: skip
        attack(folder, INNOCENT, innocent, tier=tier)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name, limits in attacks_of(tier).items():
            outcomes[name] = attack(folder, sources[name], innocent, limits, tier)
        outcomes["canary"] = (folder / "canary").read_text() == names["SECRET"]
        outcomes["memory"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    outcomes["processes"] = list(descendants(os.getpid()).values())
    return outcomes


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        print(json.dumps(run_all(Path(scratch), *sys.argv[1:])))
