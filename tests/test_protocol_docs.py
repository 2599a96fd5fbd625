"""docs/protocol.md and docs/write-a-bot.md say what the code does: each field, bound and example."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.matches import event_of, play

from arena.bot import Setup as BotSetup
from arena.bot import Turn
from arena.model import Fault, FaultKind, Limits, Request, Setup
from arena.players.bots import facts_of, find_bot
from arena.players.in_process import InProcessPlayer
from arena.players.scripted import ScriptedPlayer
from arena.protocol import (
    MAX_INTEGER,
    MAX_LINE,
    MAX_NESTING,
    QUOTED,
    VERSION,
    Answers,
    end_message,
    start_message,
    turn_message,
)

DOCS = Path(__file__).parents[1] / "docs"
PROTOCOL = (DOCS / "protocol.md").read_text(encoding="utf-8")
WRITE_A_BOT = (DOCS / "write-a-bot.md").read_text(encoding="utf-8")
SETUP = Setup("rat_deau", 0, 2, {}, 1, Limits())
REQUEST = Request("loot", ("1",), {}, ())


def section(text: str, heading: str) -> str:
    found = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def fields(text: str, heading: str) -> dict[str, str]:
    """The first table of a section: its first column to its second."""
    rows = re.findall(r"^\| `([\w.]+)` \| ([^|]*) \|", section(text, heading), re.MULTILINE)
    return {name: kind.strip() for name, kind in rows}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def flat(message: dict[str, Any]) -> dict[str, Any]:
    """The fields of a message; those of `limits` too, whose keys are fixed."""
    inner = {f"limits.{key}": value for key, value in message.get("limits", {}).items()}
    return {**message, **inner}


TYPES = {
    "string": str,
    "integer": int,
    "number": int | float,
    "object": dict,
    "array of strings": list,
    "array of objects": list,
    "array of integers": list,
}


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("start", start_message(SETUP)),
        ("turn", turn_message(1, REQUEST, 9.5)),
        ("end", end_message((1, 2), (2, 1))),
        ("ready", b'{"type":"ready"}'),
        ("answer", b'{"id":1,"action":"7S"}'),
    ],
)
def test_every_field_of_a_message_is_documented_with_its_type(heading: str, line: bytes) -> None:
    message, documented = flat(json.loads(line)), fields(PROTOCOL, heading)
    assert list(documented) == list(message)
    for name, kind in documented.items():
        assert isinstance(message[name], TYPES[kind]), name


def test_every_fault_is_documented_in_the_verdicts_order() -> None:
    assert list(fields(PROTOCOL, "Faults")) == [str(kind) for kind in FaultKind]
    assert f"first {QUOTED} bytes" in section(PROTOCOL, "Faults")


def test_every_bound_is_documented() -> None:
    bounds = section(PROTOCOL, "Bounds")
    assert f"at most {MAX_LINE} bytes" in bounds
    assert f"At most {MAX_NESTING} objects" in bounds
    assert MAX_INTEGER == 2**53 - 1
    assert "2^53 - 1" in bounds
    assert PROTOCOL.startswith(f"# The protocol, version {VERSION}\n")


REFUSED = ["NaN", "Infinity", '{"a":1,"a":2}', r'"\ud800"']


def test_what_the_bounds_refuse_is_refused() -> None:
    lines = [b'{"id":1,"action":"x","y":%s}' % text.encode() for text in REFUSED]
    for line in (*lines, b'\xef\xbb\xbf{"id":1,"action":"x"}', b'{"id":1,"action":"x"} x', b""):
        answers = Answers()
        answers.feed(line + b"\n")
        assert isinstance(answers.next(1), Fault), line


class Heard(ScriptedPlayer):
    """Keeps the lines that a bot on a pipe would be sent, and those of its answers."""

    def __init__(self, script: list[str]) -> None:
        super().__init__(script)
        self.lines: list[str] = []

    def say(self, mark: str, line: bytes) -> None:
        self.lines.append(f"{mark} {line.decode().rstrip()}")

    def start(self, setup: Setup) -> Fault | None:
        self.say(">", start_message(setup))
        self.say("<", b'{"type":"ready"}')
        return None

    def ask(self, request: Request) -> str | Fault:
        answer = super().ask(request)
        self.say(">", turn_message(len(self.requests), request, 10.0))
        self.say(
            "<", json.dumps({"id": len(self.requests), "action": answer}, separators=(",", ":")).encode()
        )
        return answer

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        self.say(">", end_message(scores, placings))


def test_the_dialogue_is_a_real_one(update: bool) -> None:
    bot = Heard(["9", "6", "8", "5", "7", "4"])
    play(event_of("rat_deau", 2, seed=1), [bot, ScriptedPlayer(["8", "5", "9", "6", "7", "4"])])
    lines = [*bot.lines[:6], "...", bot.lines[-1]]
    if update:
        shown = "```dialogue\n" + "\n".join(lines) + "\n```"
        text = re.sub(r"^```dialogue\n.*?^```$", lambda _: shown, PROTOCOL, flags=re.MULTILINE | re.DOTALL)
        (DOCS / "protocol.md").write_text(text, encoding="utf-8")
        pytest.skip("rewritten")
    assert blocks(PROTOCOL, "dialogue")[0].splitlines() == lines


def test_the_dialogues_answers_are_taken() -> None:
    answers = Answers()
    said = [line[2:] for line in blocks(PROTOCOL, "dialogue")[0].splitlines() if line.startswith("<")]
    answers.feed("\n".join(said).encode() + b"\n")
    assert [answers.next(number) for number in range(len(said))] == ["ready", "9", "6"]


def test_the_bot_yaml_is_a_bot(tmp_path: Path) -> None:
    (tmp_path / "bot.yaml").write_text(blocks(PROTOCOL, "yaml")[0], encoding="utf-8")
    bot = find_bot(str(tmp_path))
    assert (bot.command, bot.build) == (("node", "bot.js"), ("npm", "run", "build"))
    assert (bot.name, bot.author) == ("Grey heron", "A. Nonym")
    assert facts_of(tmp_path).games == ("peech", "rat_deau")


@pytest.mark.parametrize("code", blocks(WRITE_A_BOT, "python"))
@pytest.mark.parametrize(("game", "seats"), [("pecking_order", 2), ("peech", 4), ("rat_deau", 3)])
def test_the_bots_shown_play_every_game(code: str, game: str, seats: int, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(code, encoding="utf-8")
    players = [InProcessPlayer(find_bot(str(tmp_path / "my_bot.py"))) for _ in range(seats)]
    assert play(event_of(game, seats), players).faults == (None,) * seats


def test_what_a_turn_and_a_setup_tell_is_documented() -> None:
    documented = re.findall(r"^\| `turn\.(\w+)` \|", WRITE_A_BOT, re.MULTILINE)
    assert sorted(documented) == sorted(Turn.__slots__)
    assert "`setup` has `game`, `seat`, `seats`, `options`, `seed` and `limits`" in WRITE_A_BOT
    assert sorted(BotSetup.__slots__) == ["game", "limits", "options", "seat", "seats", "seed"]
    limits = Limits()
    assert f"(by default {limits.move:g})" in WRITE_A_BOT
    assert f"(by default {limits.bank:g})" in WRITE_A_BOT
