"""`arena submit`: checked in the jail, kept as a snapshot, taken from the inbox by a tournament."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.terminal import Terminal

from arena import registry
from arena.config import read_config

pytestmark = pytest.mark.jail
GOOD = "AUTHOR = 'Ada'\ndef act(turn):\n    return turn.legal[0]\n"
QUICK = ("--matches", "4")


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)


def facts(version: int = 1, entrant: str = "my_bot--ada", box: str = "inbox") -> dict[str, object]:
    path = Path(box) / entrant / f"{version:04}" / "submission.json"
    told: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return told


def test_a_good_bot_is_kept_with_hash_author_time_and_result(arena: Terminal) -> None:
    Path("my_bot.py").write_text(GOOD)
    status, said, complaint = arena("submit", "my_bot.py", "--game", "rat_deau", *QUICK)
    assert (status, complaint) == (0, "")
    assert "my_bot.py is in inbox as my_bot--ada, version 1, sha256 " in said
    told = facts()
    assert (told["author"], told["games"], told["file"]) == ("Ada", ["rat_deau"], "my_bot.py")
    check = told["check"]
    assert isinstance(check, dict)
    assert check["rat_deau"]["passed"] is True
    assert check["rat_deau"]["steps"][-1]["detail"].startswith("4 without a fault")
    Path("my_bot.py").write_text(GOOD + "# better\n")
    assert "version 2" in arena("submit", "my_bot.py", "--game", "rat_deau", *QUICK).out
    assert Path("inbox/my_bot--ada/0001/my_bot.py").read_text() == GOOD
    assert facts(2)["sha256"] != told["sha256"]


def test_which_games_it_enters(arena: Terminal) -> None:
    Path("my_bot.py").write_text(GOOD)
    assert arena("submit", "my_bot.py", *QUICK).status == 0
    assert facts()["games"] == list(registry.games)
    Path("my_bot.py").write_text("GAMES = ['peech']\n" + GOOD)
    assert arena("submit", "my_bot.py", "--to", "box", *QUICK).status == 0
    assert facts(box="box")["games"] == ["peech"]
    Path("my_bot.py").write_text("GAMES = ['peach']\n" + GOOD)
    status, _, complaint = arena("submit", "my_bot.py", "--to", "box", *QUICK)
    assert (status, complaint.splitlines()) == (
        2,
        ["my_bot.py: GAMES: one of pecking_order, peech, rat_deau, not 'peach' (did you mean 'peech'?)"],
    )


def test_a_broken_file_is_refused_with_the_reason_and_changes_nothing(arena: Terminal) -> None:
    Path("my_bot.py").write_text(GOOD)
    assert arena("submit", "my_bot.py", "--game", "rat_deau", *QUICK).status == 0
    before = {path: path.stat().st_mtime_ns for path in Path("inbox").rglob("*")}
    Path("my_bot.py").write_text("AUTHOR = 'Ada'\ndef act(turn):\n    return turn.leagl[0]\n")
    status, said, complaint = arena("submit", "my_bot.py", "--game", "rat_deau", *QUICK)
    assert status == 1
    assert "AttributeError: 'Turn' object has no attribute 'leagl'" in said
    assert 'File "my_bot.py", line 3, in act' in said
    assert "/tmp" not in said
    assert complaint.startswith("\nmy_bot.py is not submitted: it fails the check in rat_deau")
    assert {path: path.stat().st_mtime_ns for path in Path("inbox").rglob("*")} == before
    assert arena("submit", "my_bot.py", "--to", "new", "--game", "rat_deau", *QUICK).status == 1
    assert not Path("new").exists()
    assert arena("submit", "my_bt.py").status == 2
    assert arena("submit", "my_bot.py", "--to", ".").status == 2


def test_two_at_the_same_time_both_survive_and_a_tournament_runs_from_the_inbox(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.py").write_text("def act(turn):\n    return turn.legal[0]\n")
    command = [sys.executable, "-m", "arena", "submit", "--game", "rat_deau", *QUICK]
    running = [
        subprocess.Popen([*command, name], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for name in ("ann.py", "bob.py", "ann.py")
    ]
    for process in running:
        _, complaint = process.communicate(timeout=120)
        assert process.returncode == 0, complaint
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.glob("inbox/*/*")) == [
        "inbox/ann/0001", "inbox/ann/0002", "inbox/bob/0001",
    ]  # fmt: skip
    (tmp_path / "cup.yaml").write_text(
        "name: Cup\nbots: [inbox, random]\ngame: {name: rat_deau, seats: 2}\n"
        "format: {kind: round_robin, deals: 2}\n"
    )
    assert [bot.id for bot in read_config(tmp_path / "cup.yaml").events[0].bots] == ["ann", "bob", "random"]
    done = subprocess.run(
        [sys.executable, "-m", "arena", "run", "cup.yaml", "--quiet"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "reports" / "cup" / "site" / "index.html").is_file()
