"""`arena check` against bots broken in many ways, in the real jail: the failing step and the cause."""

import json
import re
import shlex
from pathlib import Path

import pytest
from support.terminal import Terminal

from arena import registry
from arena.blocks import bot_seed
from arena.model import Fault, FaultKind, Limits
from arena.players.bots import find_bot
from arena.testing import causes
from arena.testing.bot_match import MATCH, event_for
from arena.testing.check_bot import check_bot
from arena.testing.steps import State

pytestmark = pytest.mark.jail


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)


LIMITS = Limits(move=0.1, bank=0.2, start=0.5)
THIRD = bot_seed(event_for(find_bot("random"), "rat_deau", 3, 0, 1002, {}, LIMITS), MATCH, 0)
"""What the bot's seed is in the third of the many matches: at a table of three, in seat 0."""

BROKEN = {
    "syntax": (
        "def act(turn)\n    return turn.legal[0]\n",
        causes.IMPORTS, "SyntaxError: expected ':' (line 1)", "Mend this line",
    ),
    "import": (
        "import numpi\ndef act(turn):\n    return turn.legal[0]\n",
        causes.IMPORTS, "ModuleNotFoundError: No module named 'numpi' (line 1)", "limits.python",
    ),
    "wrong name": (
        "def help(a, b): ...\ndef choose(turn):\n    return turn.legal[0]\n",
        causes.READY, "neither a function act(turn) nor a class Bot", "is choose, line 2, meant to be act?",
    ),
    "none": (
        "def act(turn):\n    turn.legal[0]\n",
        causes.ANSWERS, "decision 1: illegal: act returned None", "must end in a return",
    ),
    "illegal": (
        "def act(turn):\n    return turn.legal[0] if len(turn.legal) == 9 else '10'\n",
        causes.LEGAL, 'decision 2: illegal: "10" is not legal here', "exactly as it stands there",
    ),
    "number": (
        "def act(turn):\n    return int(turn.legal[0])\n",
        causes.ANSWERS, "act returned 1 (int), not one of turn.legal (did you mean '1'?)", "Return a text",
    ),
    "prints": (
        "import json\ndef act(turn):\n    print(json.dumps({'id': 1, 'action': turn.legal[0]}))\n",
        causes.ANSWERS, "act returned None", "What it prints is only its log: return the action",
    ),
    "slow once": (
        "import time\ndef act(turn):\n    time.sleep(9 * (len(turn.legal) == 7))\n    return turn.legal[0]\n",
        causes.TIMELY, "decision 3: timeout: no answer within the move limit of 0.1 s and the bank of 0.2 s",
        "turn.bank tells",
    ),
    "slow import": (
        "import time\ntime.sleep(60)\ndef act(turn):\n    return turn.legal[0]\n",
        causes.STARTS, "not ready within the start limit of 0.5 s", "Do less while the file is run",
    ),
    "memory": (
        "def act(turn):\n    hoard = bytearray(2**30)\n    return turn.legal[0]\n",
        causes.MEMORY, "decision 1: memory: MemoryError", "The whole process may hold 256 MiB",
    ),
    "third match": (
        f"class Bot:\n    def __init__(self, setup):\n        self.bad = setup.seed == {THIRD}\n"
        "    def act(self, turn):\n        if self.bad and turn.kind == 'offer':\n"
        "            raise KeyError('seldom')\n        return turn.legal[0]\n",
        causes.MATCHES, "match 3 of 100: decision 2: crash: KeyError: 'seldom' (line 6)",
        "last line of the traceback",
    ),
    "unseeded": (
        "import secrets\ndef act(turn):\n    return secrets.choice(turn.legal)\n",
        causes.SAME, "the first time", "line 3: secrets.choice is not seeded",
    ),
    "unseeded generator": (
        "import random\nrandom.seed()\ndef act(turn):\n    return random.choice(turn.legal)\n",
        causes.SAME, "the first time", "line 2: seed() without a number takes one from the machine",
    ),
    "file": (
        "def act(turn):\n    with open('weights.json') as file:\n        return file.read()\n",
        causes.ALLOWED, "FileNotFoundError", "there are no files to open, no network",
    ),
    "network": (
        "import urllib.request\ndef act(turn):\n    urllib.request.urlopen('http://192.0.2.1/', timeout=1)\n",
        causes.ALLOWED, "decision 1: crash: ", "no network",
    ),
    "thread": (
        "import threading\ndef act(turn):\n    threading.Thread(target=print).start()\n",
        causes.ALLOWED, "can't start new thread", "no threads",
    ),
    "leaves": (
        "import os\ndef act(turn):\n    os._exit(3)\n",
        causes.ANSWERS, "decision 1: crash: exit status 3", "ended by itself",
    ),
    "one seat": (
        "def act(turn):\n    return turn.legal[0] if turn.seat < 2 else 'pass'\n",
        causes.SEATS, 'illegal: "pass" is not legal here', "exactly as it stands",
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", BROKEN)
def test_the_failing_step_and_the_cause_are_named(tmp_path: Path, way: str) -> None:
    source, step, cause, advice = BROKEN[way]
    path = tmp_path / "my_bot.py"
    path.write_text(source)
    steps = list(check_bot(str(path), "rat_deau", LIMITS))
    assert [made.state for made in steps] == [State.OK] * (len(steps) - 1) + [State.FAILED]
    failed = steps[-1]
    assert failed.name == step, failed
    assert cause in failed.detail
    assert failed.evidence is not None
    assert advice in failed.evidence.advice
    assert failed.evidence.sent is not None
    numbers = [made.number for made in steps]
    assert numbers == sorted(set(numbers))
    if "crash" in failed.detail and "exit status" not in failed.detail:
        assert "Traceback" in failed.evidence.printed
        assert f'File "{path}", line' in failed.evidence.printed


def test_what_it_printed_and_was_sent_and_answered_is_shown_and_the_match_can_be_seen_again(
    arena: Terminal,
) -> None:
    source = (
        "def act(turn):\n    print('I see', turn.kind)\n"
        "    return {'offer': 'x'}.get(turn.kind, turn.legal[0])\n"
    )
    Path("my_bot.py").write_text(source)
    status, said, complaint = arena("check", "my_bot.py", "--game", "rat_deau", "--limit", "move=2s")
    assert (status, complaint) == (1, "")
    lines = said.splitlines()
    assert lines[0].startswith("✓  1 found  ")
    failed = next(number for number, line in enumerate(lines) if line.startswith("✗"))
    shown = "\n".join(lines[failed:])
    assert re.match(r'✗  6 legal +decision 2: illegal: "x" is not legal here: ', shown)
    sent = json.loads(re.search(r"^ +sent +(\{.*\})$", shown, re.MULTILINE)[1])  # type: ignore[index]
    assert (sent["id"], sent["kind"], sent["bank"]) == (2, "offer", 10.0)
    assert re.search(r"^ +answer +x$", shown, re.MULTILINE)
    assert re.search(r"^ +printed +I see loot\n +I see offer$", shown, re.MULTILINE)
    command = re.search(r"^ +see it +arena (play .*)$", shown, re.MULTILINE)[1]  # type: ignore[index]
    assert "--limit move=2.0s" in command
    again = arena(*shlex.split(command))
    assert again.status == 0
    assert 'fault of my_bot in seat 0 at decision 2: illegal: "x" is not legal here: ' in again.out


def test_as_json_it_says_all_and_the_exit_status_tells(arena: Terminal) -> None:
    Path("good.py").write_text("NAME = 'Good'\ndef act(turn):\n    return turn.legal[0]\n")
    Path("bad.py").write_text("def act(turn):\n    return 'x' * 5000\n")
    good = arena("check", "good.py", "--game", "peech", "--json", "--matches", "3")
    told = json.loads(good.out)
    assert (good.status, told["passed"]) == (0, True)
    assert [step["name"] for step in told["steps"]] == list(causes.STEPS)
    assert [step["number"] for step in told["steps"]] == list(range(1, len(causes.STEPS) + 1))
    assert "3 without a fault; p50 " in told["steps"][-1]["detail"]
    bad = arena("check", "bad.py", "--game", "peech", "--json")
    failed = json.loads(bad.out)["steps"][-1]
    assert (bad.status, failed["state"], failed["name"]) == (1, "failed", causes.LEGAL)
    assert failed["evidence"]["answer"] == "x" * 5000
    assert failed["evidence"]["sent"]["legal"]


@pytest.mark.parametrize("game", registry.games.names())
def test_random_is_ready_for_every_game(game: str) -> None:
    steps = list(check_bot("random", game, Limits(), matches=12))
    assert [step.name for step in steps] == list(causes.STEPS)
    assert {step.state for step in steps} == {State.OK}


def test_a_bot_that_may_differ_is_warned_and_goes_on(arena: Terminal) -> None:
    Path("clock.py").write_text(
        "import random, time\nrng = random.Random(time.time_ns())\ndef act(turn):\n"
        "    return rng.choice(turn.legal)\n"
    )
    words = ("check", "clock.py", "--game", "rat_deau", "--matches", "2")
    assert "line 2: time.time_ns reads the clock" in arena(*words).out
    status, said, _ = arena(*words, "--may-differ")
    assert status == 0
    assert re.search(r"^! 10 same seed", said, re.MULTILINE)
    assert (
        said.splitlines()[-1] == "clock.py is ready for rat_deau. Next: arena submit clock.py --game rat_deau"
    )


def test_what_cannot_be_found_or_plays_something_else_fails_the_first_step(arena: Terminal) -> None:
    Path("other.py").write_text("GAMES = ['peech']\ndef act(turn): ...\n")
    status, said, _ = arena("check", "other.py", "--game", "rat_deau")
    assert (status, said.splitlines()[0]) == (
        1,
        "✗  1 found" + " " * 20 + "other.py: plays peech, not rat_deau",
    )
    status, said, _ = arena("check", "othr.py", "--game", "rat_deau")
    assert status == 1
    assert "othr.py: no such bot" in said
    assert "did you mean 'other.py'?" in said
    status, said, complaint = arena("check", "other.py", "--game", "peach")
    assert (status, said) == (2, "")
    assert "did you mean 'peech'?" in complaint


def test_every_kind_of_fault_belongs_to_a_step_and_has_advice() -> None:
    for kind in FaultKind:
        fault = Fault(kind, 1, "something new")
        assert causes.step_of(fault) in causes.STEPS
        assert causes.advice(fault, find_bot("random"), Limits(), "")


@pytest.mark.parametrize(
    ("command", "turn", "step", "said"),
    [
        (
            "[python3, bot.py]",
            "print(json.dumps({'debug': 1}))",
            causes.ANSWERS,
            'no id, expected 1: {"debug": 1}',
        ),
        ("[python3, bot.py]", "sys.exit(4)", causes.ANSWERS, "crash: exit status 4"),
        ("[nodee, bot.py]", "", causes.IMPORTS, "nodee: no such program"),
        ("[python3, bot.py]", "", "", ""),
    ],
)
def test_a_program_in_any_language_is_checked_too(
    tmp_path: Path, command: str, turn: str, step: str, said: str
) -> None:
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "bot.yaml").write_text(f"command: {command}\n")
    (folder / "bot.py").write_text(
        "import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n"
        "    if message['type'] == 'start':\n        print(json.dumps({'type': 'ready'}), flush=True)\n"
        f"    if message['type'] == 'turn':\n        {turn or 'pass'}\n"
        "        print(json.dumps({'id': message['id'], 'action': message['legal'][0]}), flush=True)\n"
    )
    last = list(check_bot(str(folder), "rat_deau", Limits(), matches=3))[-1]
    assert (last.state, last.name) == ((State.FAILED, step) if step else (State.OK, causes.MATCHES))
    assert said in last.detail
