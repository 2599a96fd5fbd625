"""Trusted players: what a bot is shown, and every misdeed of a bot is a fault, never an exception."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from support.matches import GAMES, MATCH, event_of, play

from arena.errors import UsageError
from arena.model import Fault, FaultKind, Limits, Request, Setup
from arena.players.bots import find_bot
from arena.players.in_process import InProcessPlayer

Make = Callable[[str], InProcessPlayer]
SETUP = Setup("rat_deau", 0, 2, {"pack": [1]}, 5, Limits())
NO_ACT = "neither a function act(turn) nor a class Bot with a method act(self, turn)"
REQUEST = Request("loot", ("1", "2"), {"hand": [1, 2]}, ({"type": "deal"},))


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(source: str) -> InProcessPlayer:
        file = tmp_path / "bot.py"
        file.write_text(source, encoding="utf-8")
        return InProcessPlayer(find_bot(str(file)))

    return make


def test_a_function_is_asked(made: Make) -> None:
    player = made(
        "def act(turn):\n    return f'{turn.game} {turn.seat} {turn.kind} {turn.legal} {turn.bank}'\n"
    )
    assert player.start(SETUP) is None
    assert player.ask(REQUEST) == "rat_deau 0 loot ['1', '2'] 10.0"


def test_a_class_is_made_for_each_match(made: Make) -> None:
    source = """
class Bot:
    def __init__(self, setup):
        self.asked = setup.seed
    def act(self, turn):
        self.asked += 1
        return str(self.asked)
"""
    for _ in range(2):
        player = made(source)
        assert player.start(SETUP) is None
        assert [player.ask(REQUEST), player.ask(REQUEST)] == ["6", "7"]


def test_a_bot_cannot_change_what_others_see(made: Make) -> None:
    player = made(
        "def act(turn):\n    turn.view['hand'].append(9); turn.events.clear(); return turn.legal.pop()\n"
    )
    player.start(SETUP)
    assert player.ask(REQUEST) == "2"
    assert (REQUEST.legal, REQUEST.view, len(REQUEST.events)) == (("1", "2"), {"hand": [1, 2]}, 1)


@pytest.mark.parametrize("line", ["import random", "from random import choice\nimport random"])
def test_its_random_numbers_are_its_own(made: Make, line: str) -> None:
    player = made(f"{line}\ndef act(turn):\n    return str(random.random())\n")
    random.seed(1)
    before = random.getstate()
    player.start(SETUP)
    answers = [player.ask(REQUEST) for _ in range(3)]
    assert random.getstate() == before
    expected = random.Random(SETUP.seed)
    assert answers == [str(expected.random()) for _ in range(3)]


@pytest.mark.parametrize(
    ("source", "detail"),
    [
        ("def act(turn:\n", "SyntaxError: '(' was never closed (line 1)"),
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module' (line 1)"),
        ("\nraise SystemExit(3)\n", "SystemExit: 3 (line 2)"),
        ("x = 1\n", f"TypeError: {NO_ACT}"),
        ("act = 5\n", f"TypeError: {NO_ACT}"),
        (
            "class Bot:\n    def __init__(self, setup):\n        setup.nothing\n",
            "AttributeError: 'Setup' object has no attribute 'nothing' (line 3)",
        ),
    ],
)
def test_a_bot_that_does_not_start(made: Make, source: str, detail: str) -> None:
    assert made(source).start(SETUP) == Fault(FaultKind.START, 0, detail)


@pytest.mark.parametrize(
    ("body", "kind", "detail"),
    [
        ("{}['x']", FaultKind.CRASH, "KeyError: 'x' (line 2)"),
        ("raise ValueError('a\\n  b' + 'é')", FaultKind.CRASH, r"ValueError: a b\xc3\xa9 (line 2)"),
        ("import sys; sys.exit(0)", FaultKind.CRASH, "SystemExit: 0 (line 2)"),
        ("raise MemoryError", FaultKind.MEMORY, "MemoryError (line 2)"),
        ("return 1", FaultKind.ILLEGAL, "act returned 1 (int), not one of turn.legal"),
        ("return None", FaultKind.ILLEGAL, "act returned None (NoneType), not one of turn.legal"),
    ],
)
def test_a_bot_that_fails(made: Make, body: str, kind: FaultKind, detail: str) -> None:
    player = made(f"def act(turn):\n    {body}\n")
    assert player.start(SETUP) is None
    found = player.ask(REQUEST)
    assert isinstance(found, Fault)
    assert (found.kind, found.detail) == (kind, detail)


def test_a_person_can_still_stop_it(made: Make) -> None:
    player = made("def act(turn):\n    raise KeyboardInterrupt\n")
    player.start(SETUP)
    with pytest.raises(KeyboardInterrupt):
        player.ask(REQUEST)


def test_only_python_files_play_here(tmp_path: Path) -> None:
    (tmp_path / "bot.yaml").write_text("command: [node, bot.js]")
    with pytest.raises(UsageError, match="only a Python file"):
        InProcessPlayer(find_bot(str(tmp_path)))


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_random_plays_every_game_the_same_way_again(game: str, seats: int) -> None:
    event, bot = event_of(game, seats), find_bot("random")
    one = play(event, [InProcessPlayer(bot) for _ in range(seats)])
    two = play(event, [InProcessPlayer(bot) for _ in range(seats)])
    assert one.faults == (None,) * seats
    assert one.decisions == two.decisions
    assert all(len(t.think_ms) == len(d) for t, d in zip(one.timings, one.decisions, strict=True))
    other = play(event, [InProcessPlayer(bot) for _ in range(seats)], MATCH._replace(deal=9))
    assert other.decisions != one.decisions
