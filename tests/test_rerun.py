"""A lost match put to a bot again: where it answers otherwise, and the debugger at that decision."""

from pathlib import Path

import pytest
from support.pseudo import Keyboard
from support.terminal import Terminal

from arena.cli.rerun import rerun, turns_of
from arena.model import MatchId, Record
from arena.players.scripted import ScriptedPlayer
from arena.store import Store

LUCKY = "import random\nclass Bot:\n    def __init__(self, setup): ...\n    def act(self, turn):\n"
SAME = LUCKY + "        return random.choice(turn.legal)\n"
FAILS = (
    LUCKY + "        print('see', turn.kind)\n"
    "        return random.choice(turn.legal) if len(turn.legal) > 7 else 'x'\n"
)
MATCH = "e0-r1-t0-d0-s0"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament between a bot, itself with a fault, and `random`."""
    folder = tmp_path_factory.mktemp("rerun")
    (folder / "lucky.py").write_text(SAME)
    (folder / "fails.py").write_text(FAILS)
    (folder / "cup.yaml").write_text(
        "name: Cup\nseed: 5\nbots: [lucky.py, fails.py]\ngame: {name: rat_deau, seats: 2}\n"
        "format: {kind: round_robin, deals: 1}\nreport: {replays: none}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("sys.argv", ["arena", "run", "cup.yaml", "--out", "run", "--quiet"])
        from arena.cli import main

        main()
    return folder


@pytest.fixture
def arena(run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(run)
    return Terminal(monkeypatch, capsys)


def record_of(run: Path) -> tuple[Record, int, int]:
    """The first match, and where `lucky` and `fails` sat."""
    with Store.open(run / "run") as store:
        record = store.record(MatchId.parse(MATCH))
    return record, record.seats.index("lucky"), record.seats.index("fails")


@pytest.mark.jail
def test_a_bot_gets_the_very_turns_of_the_match(run: Path) -> None:
    record, lucky, _ = record_of(run)
    with Store.open(run / "run") as store:
        event = store.events()[0]
    player = ScriptedPlayer(record.decisions[lucky])
    answered = list(rerun(event, record, lucky, player))
    assert [one.differs for one in answered] == [False] * 6
    assert [request.legal for request in player.requests] == [
        one.request.legal for one in answered if one.request
    ]
    assert [request.view["seat"] for request in player.requests] == [lucky] * 6
    seen = [event for request in player.requests for event in request.events]
    assert [event["type"] for event in seen][:3] == ["loot", "dice", "offer"]
    assert [action for _, action in turns_of(record, lucky)] == list(record.decisions[lucky])


@pytest.mark.jail
def test_the_same_bot_answers_the_same_and_its_seat_is_found(arena: Terminal, run: Path) -> None:
    _, lucky, _ = record_of(run)
    status, said, complaint = arena("replay", "run", MATCH, "--rerun", "lucky.py")
    assert (status, complaint) == (0, "")
    assert said == f"lucky.py in seat {lucky} of {MATCH}: all 6 answers are the same\n"


@pytest.mark.jail
def test_where_it_differs_is_shown_with_the_fault_then_and_what_the_stand_in_played(
    arena: Terminal, run: Path
) -> None:
    record, _, fails = record_of(run)
    fault = record.faults[fails]
    assert fault is not None
    Path("mended.py").write_text(LUCKY + "        return turn.legal[-1]\n")
    _, said, _ = arena("replay", "run", MATCH, "--seat", str(fails), "--rerun", "mended.py")
    lines = said.splitlines()
    there = next(line for line in lines if line.startswith(f"decision {fault.decision} ("))
    assert there.endswith(f"{fault.kind}: {fault.detail} then")
    assert " now, " in there
    assert all("by the stand-in" in line for line in lines[lines.index(there) + 1 : -1])
    _, again, _ = arena("replay", "run", MATCH, "--rerun", "fails.py")
    assert f"decision {fault.decision} (" in again.splitlines()[0]
    assert "x (not legal) now" in again
    assert "  log  see loot" in again.splitlines()


@pytest.mark.jail
def test_a_bot_that_does_not_start_says_so(arena: Terminal, run: Path) -> None:
    Path("broken.py").write_text("import numpi\n")
    _, said, _ = arena("replay", "run", MATCH, "--seat", "0", "--rerun", "broken.py")
    assert (
        said.splitlines()[0]
        == "start: start: ModuleNotFoundError: No module named 'numpi' (line 1) now, ready then"
    )
    assert 'File "broken.py", line 1' in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rerun", "random"], "--seat: whose turns? "),
        (["--debug"], "--debug and --decision go with --rerun BOT"),
        (["--rerun", "lucky.py", "--decision", "2"], "--decision goes with --debug"),
        (["--rerun", "lucky.py", "--html", "x.html"], "one of --html and --rerun"),
        (
            ["--rerun", "lucky.py", "--debug", "--decision", "7"],
            "--decision: a whole number from 0 to 6, not 7",
        ),
        (["--rerun", "lukcy.py"], "no such bot"),
    ],
)
@pytest.mark.jail
def test_what_does_not_go_together_is_said(arena: Terminal, words: list[str], said: str) -> None:
    status, _, complaint = arena("replay", "run", MATCH, *words)
    assert status == 2
    assert said in complaint


@pytest.mark.jail
def test_the_debugger_stops_in_the_bots_own_code_at_the_decision(run: Path) -> None:
    record, _, fails = record_of(run)
    fault = record.faults[fails]
    assert fault is not None
    with Keyboard("replay", "run", MATCH, "--rerun", "fails.py", "--debug", cwd=run) as keyboard:
        keyboard.until("No jail: fails.py now runs in this process, with all your rights")
        keyboard.until(rf"Decision {fault.decision}: ")
        keyboard.until(r"fails\.py\(4\)act\(\)\n-> def act\(self, turn\):\n\(Pdb\) ")
        keyboard.type("p len(turn.legal), turn.seat")
        keyboard.until(rf"\n\(\d, {fails}\)\n\(Pdb\) ")
        keyboard.type("next")
        keyboard.until(r"-> print\('see', turn\.kind\)\n\(Pdb\) ")
        keyboard.type("continue")
        keyboard.until(r"answer: x; then: ")
        assert keyboard.ends()[0] == 0


@pytest.mark.jail
def test_the_debugger_stops_at_any_decision_that_is_asked_for(run: Path) -> None:
    words = ("replay", "run", MATCH, "--rerun", "lucky.py", "--debug", "--decision")
    with Keyboard(*words, "5", cwd=run) as keyboard:
        keyboard.until(r"Decision 5: loot of ")
        keyboard.until(r"\(Pdb\) ")
        keyboard.type("p turn.view['round']")
        keyboard.until(r"\n3\n\(Pdb\) ")
        keyboard.type("quit")
        assert keyboard.ends()[0] == 0
    with Keyboard(*words, "0", cwd=run) as keyboard:
        keyboard.until(r"lucky\.py\(\d\)<module>\(\)")
        keyboard.until(r"\(Pdb\) ")
        keyboard.type("continue")
        keyboard.until("answer: ready; then: ready")
        assert keyboard.ends()[0] == 0
