"""`arena standings`, `arena report` and `arena replay` on a run on disk."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.runs import event_of, failing, last_legal, run_on_disk

from arena.cli import cli
from arena.errors import UsageError
from arena.model import FaultKind


@pytest.fixture
def run(tmp_path: Path) -> Path:
    event = event_of("pecking_order", [("a", "Anna\x1b[31m"), ("b", "Ben")], name="Duel")
    choices = {"a": last_legal, "b": failing(FaultKind.CRASH, "boom", 0.05)}
    return run_on_disk(tmp_path / "run", [(event, 4)], choices)


def printed(*arguments: object) -> str:
    result = CliRunner().invoke(cli, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_standings_as_a_table(run: Path) -> None:
    lines = printed("standings", run).splitlines()
    assert lines[0] == "Duel"
    assert lines[3].split()[:3] == ["Rank", "Ranks", "Bot"]
    assert len(lines) == 6
    assert "\x1b" not in "".join(lines)


def test_standings_as_csv_and_json_are_the_files_of_the_report(run: Path) -> None:
    path = printed("report", run).strip()
    assert path == str(run / "site" / "index.html")
    site = Path(path).parent
    assert printed("standings", run, "--csv") == (site / "standings.csv").read_text(encoding="utf-8")
    as_json = printed("standings", run, "--json")
    assert as_json == (site / "results.json").read_text(encoding="utf-8")
    assert json.loads(as_json)["events"][0]["event"] == "Duel"
    with pytest.raises(UsageError, match="not both"):
        printed("standings", run, "--csv", "--json")


def test_replay_steps_through_a_match(run: Path) -> None:
    judge, seat = (printed("replay", run, "e0-r1-t0-d0-s0", *more) for more in ((), ("--seat", 1)))
    assert judge.startswith("Match e0-r1-t0-d0-s0, Pecking Order\n  seat 0 ")
    assert "Seat 0 draws" in judge
    assert "Seat 0 draws" not in seat
    assert "Seat 1 draws" in seat
    assert judge.rstrip().splitlines()[-1].startswith("  Round 1 ends ")


def test_replay_as_one_file(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.html"
    assert printed("replay", run, "e0-r1-t0-d0-s0", "--html", out).strip() == str(out)
    text = out.read_text(encoding="utf-8")
    assert "sha256-" in text
    assert 'href="../' not in text
    assert ".css" not in text.split("<style>")[0]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("e0-r1-t0-d99-s0",), "match e0-r1-t0-d99-s0 was not played"),
        (("e0-r1",), "a match identity like e0-r1-t3-d5-s1, not 'e0-r1'"),
        (("e0-r1-t0-d0-s0", "--seat", "2"), "--seat: a whole number from 0 to 1, not 2"),
    ],
)
def test_replay_says_what_it_cannot_find(run: Path, arguments: tuple[str, ...], error: str) -> None:
    with pytest.raises(UsageError, match=error):
        printed("replay", run, *arguments)
