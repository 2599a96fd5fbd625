"""A bot that prints 100 KB to both outputs on each move plays as its silent twin does; its log is short."""

from pathlib import Path

import pytest
from support.jail_runs import make_bot
from support.matches import event_of, play

from arena.jail import BotServer
from arena.model import Limits, Record
from arena.players.jailed import JailedPlayer

pytestmark = pytest.mark.jail

TWIN = "import os, random, sys\ndef act(turn):\n    {noise}\n    return random.choice(turn.legal)\n"
NOISE = {
    "silent": "pass",
    "prints": "print('x' * 100_000); print('y' * 100_000, file=sys.stderr)",
    "writes": "[noisy(fd) for fd in (1, 2)]",
}
# Once the log is full, a write is refused.
WRITES = "import os\ndef noisy(fd):\n    try: os.write(fd, b'z' * 100_000)\n    except OSError: pass\n"


def _played(folder: Path, noise: str) -> tuple[Record, list[int]]:
    source = TWIN.format(noise=NOISE[noise])
    with BotServer(make_bot(folder, WRITES + source, noise), Limits(move=10.0, start=20.0)) as server:
        players = [JailedPlayer(server) for _ in range(2)]
        record = play(event_of("rat_deau", 2), players)
    return record, [len(player.log()) for player in players]


def test_noise_changes_nothing(tmp_path: Path) -> None:
    silent, logs = _played(tmp_path, "silent")
    assert logs == [0, 0]
    assert silent.faults == (None, None)
    for noise in ("prints", "writes"):
        noisy, logs = _played(tmp_path, noise)
        assert (noisy.decisions, noisy.scores, noisy.faults) == (
            silent.decisions,
            silent.scores,
            silent.faults,
        )
        assert all(0 < size <= 65536 for size in logs)
