"""`arena verify`: a run that holds passes; whatever is changed in it is found, with the match it is in."""

import json
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.terminal import Terminal

from arena.model import Fault, FaultKind, Record
from arena.store import Store
from arena.verify import Audit
from arena.verify.match import match_mismatches, turning_point

BOTS = {
    "low": "def act(turn):\n    return turn.legal[0]\n",
    "high": "def act(turn):\n    return turn.legal[-1]\n",
    "crash": "import random\ndef act(turn):\n    assert random.random() < 0.8\n    return turn.legal[0]\n",
    "wild": "import time\ndef act(turn):\n    return turn.legal[time.time_ns() // 999 % len(turn.legal)]\n",
    "never": "import nothing\n",
}
CONFIG = """
name: Cup
seed: 11
bots: [low.py, high.py, crash.py, never.py]
format: {kind: round_robin, deals: 2}
events:
  - {name: Rats, game: {name: rat_deau, seats: 3}}
  - {name: Birds, game: pecking_order, format: {kind: swiss, rounds: 2, deals: 2}}
  - {name: Cards, game: {name: peech, options: {rounds: 1}}, bots: [low.py, high.py, crash.py, wild.py]}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three games and formats, with bots that fail at their start and on the way."""
    folder = tmp_path_factory.mktemp("cup")
    for name, text in BOTS.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "cup.yaml").write_text(CONFIG)
    command = [sys.executable, "-m", "arena", "run", "cup.yaml", "--out", "run", "--quiet"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "run"


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "run"))


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)


def change(run: Path, statement: str, *values: object) -> None:
    database = sqlite3.connect(run / "run.sqlite")
    with database:
        assert database.execute(statement, values).rowcount
    database.close()


def rewrite(run: Path, table: str, column: str, new: Callable[[Any], Any], where: str = "") -> None:
    """Change the JSON in one cell: of the first row, or of the first one where a condition holds."""
    database = sqlite3.connect(run / "run.sqlite")
    with database:
        key, old = database.execute(
            f"SELECT {_key(table)}, {column} FROM {table} {where and 'WHERE ' + where} LIMIT 1"
        ).fetchone()
        text = json.dumps(new(json.loads(old)))
        assert json.loads(text) != json.loads(old)
        database.execute(f"UPDATE {table} SET {column} = ? WHERE {_key(table)} = ?", (text, key))
    database.close()


def _key(table: str) -> str:
    match = "event || '-' || round || '-' || tbl || '-' || deal || '-' || seating"
    return {"meta": "key", "event": "event", "round": "event || '-' || round"}.get(table, match)


def found(run: Path) -> list[str]:
    with Store.open(run) as store:
        return list(Audit(store).mismatches())


def test_a_run_that_holds_is_verified_in_one_line(run: Path, arena: Terminal) -> None:
    shown = arena("verify", str(run))
    assert (shown.status, shown.err) == (0, "")
    assert re.fullmatch(r"48 matches in 3 events verified: .* and the tables written\n", shown.out)


def test_times_may_differ(run: Path) -> None:
    change(run, "UPDATE play SET cpu_ms = '[9.0,9.0,9.0,9.0]', wall_ms = '[1.0,1.0,1.0,1.0]'")
    assert found(run) == []


FAULTY = "faults IS NOT NULL AND instr(faults, 'crash')"
BY_SEATS: dict[str, tuple[str, str, Callable[[Any], Any], str, str]] = {
    "a score": ("match", "scores", lambda v: [v[0] + 1, *v[1:]], "event = 0", r"^e0-.*: scores: 0 "),
    "a place": ("match", "placings", lambda v: [5, *v[1:]], "event = 1", r"^e1-.*: placings: 0 5, replayed"),
    "points": ("match", "points", lambda v: [v[0] + 0.5, *v[1:]], "event = 2", r"^e2-.*: points: 0 "),
    "seats": ("match", "seats", lambda v: v[::-1], "event = 0", r"^e0-.*: seats: .*, the seed gives "),
    "a seat too few": ("match", "seats", lambda v: v[1:], "event = 0", r"^e0-.*: seats: .*, the seed gives "),
    "nobody's seat": ("match", "seats", lambda v: ["eve", *v[1:]], "event = 2", r"^e2-.*: seats: eve, "),
    "no fault": ("match", "faults", lambda v: [None] * len(v), FAULTY, r"^e\d-.*: (decisions|placings): "),
    "a later fault": (
        "match", "faults", lambda v: [f and {**f, "decision": f["decision"] + 1} for f in v], FAULTY,
        r"^e\d-.*: (faults|decisions): ",
    ),
    "a start fault": (
        "match", "faults", lambda v: [f and {**f, "kind": "start"} for f in v], FAULTY,
        r"^e\d-.*: faults: seat \d has a start fault in decision \d",
    ),
    "an unknown fault": (
        "match", "faults", lambda v: [f and {**f, "kind": "boredom"} for f in v], FAULTY,
        r"cannot be read on .*: ValueError: 'boredom'",
    ),
    "the dice": ("play", "chance", lambda v: {"dice": v["dice"][::-1]}, "event = 0", r"^e0-.*: chance: dic"),
    "a deck": ("play", "chance", lambda v: {"decks": [v["decks"][0][::-1]]}, "event = 1", r"^e1-.*: chance"),
    "a hand": (
        "play", "chance", lambda v: {"rounds": [{**v["rounds"][0], "coups": ["4S", "4H", "4D", "4C"]}]},
        "event = 2", r"^e2-.*: chance: rounds\.0\.coups\.",
    ),
    "an illegal decision": (
        "play", "decisions", lambda v: [["99", *v[0][1:]], *v[1:]], "event = 0 AND tbl = 0",
        r'^e0-.*: decisions: seat 0, decision 1: "99" is not legal here',
    ),
    "a decision less": (
        "play", "decisions", lambda v: [seat[:-1] for seat in v], "event = 2", r"^e2-.*: decisions: "
    ),
    "options": (
        "event", "settings", lambda v: {**v, "options": {**v["options"], "raft_factor": 9}}, "event = 0",
        r"^config.yaml: events\.0\.game\.options\.raft_factor 5, the store has 9",
    ),
    "limits": (
        "event", "settings", lambda v: {**v, "limits": {**v["limits"], "move": 9.0}}, "event = 0",
        r"^config.yaml: events\.0\.limits\.move 1.0, the store has 9.0",
    ),
    "an event's seed": (
        "event", "settings", lambda v: {**v, "seed": 12}, "event = 1", r"^event 1: seed: 12, the run's is 11"
    ),
    "the seed": ("meta", "value", lambda v: 12, "key = 'seed'", r"^config.yaml: seed 11, the store has 12"),
    "a hash": (
        "event", "settings", lambda v: {**v, "bots": [{**b, "digest": "0" * 64} for b in v["bots"]]}, "",
        r"^event 0: low: its snapshot has sha256 [0-9a-f]{16}, entered was 0000000000000000",
    ),
    "who meets whom": (
        "round", "pairings", lambda v: {**v, "pairings": v["pairings"][::-1]}, "event = 1", r"^e1-r1: pair"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("table", "column", "new", "where", "said"), BY_SEATS.values(), ids=BY_SEATS)
def test_what_was_changed_is_found(
    run: Path, table: str, column: str, new: Callable[[Any], Any], where: str, said: str
) -> None:
    rewrite(run, table, column, new, where)
    assert any(re.search(said, line) for line in found(run)), found(run)


def test_one_changed_value_is_one_mismatch(run: Path) -> None:
    rewrite(run, "match", "scores", lambda scores: [99, *scores[1:]], "event = 0")
    (line,) = found(run)
    assert re.fullmatch(r"e0-r1-t0-d0-s0: scores: 0 99, replayed \d+", line)


def test_options_change_what_the_rules_give(run: Path) -> None:
    rewrite(run, "event", "settings", lambda v: {**v, "options": {**v["options"], "raft_worth": 50}})
    assert any(re.match(r"e0-.*: scores: ", line) for line in found(run))


WITHOUT = [
    ("DELETE FROM match WHERE event = 0 AND deal = 1 AND seating = 1", "-d1-s1: is missing"),
    ("DELETE FROM play WHERE event = 1 AND seating = 0", "-s0: is missing"),
    ("DELETE FROM match WHERE event = 2 AND deal = 1", "e2-r1-t0-d1: all its matches are missing"),
    ("DELETE FROM block WHERE event = 2 AND deal = 1", "e2-r1-t0-d1-s0: its block was not committed"),
    ("DELETE FROM block WHERE event = 2 AND deal = 1", "e2-r1-t0-d1: was not played, though the run is fin"),
    ("DELETE FROM round WHERE event = 2", "e2-r1-t0-d0: no round of the event asks for this block"),
    (
        "UPDATE match SET seating = 7 WHERE event = 2 AND deal = 1 AND seating = 3",
        "e2-r1-t0-d1-s3: is missing",
    ),
    ("UPDATE match SET scores = '[1' WHERE event = 2", "cannot be read on in event 2"),
    ("UPDATE play SET chance = '[1' WHERE event = 2 AND deal = 1", "cannot be read on after match e2-"),
    ("DELETE FROM event WHERE event = 1", "config.yaml: events.1.name Birds, the store has Cards"),
]


@pytest.mark.parametrize(("statement", "said"), WITHOUT)
def test_what_is_missing_is_found(run: Path, statement: str, said: str) -> None:
    change(run, statement)
    assert any(said in line for line in found(run)), found(run)


def test_a_snapshot_that_changed_or_went_is_found(run: Path) -> None:
    (low,) = (run / "private" / "bots").glob("*/low.py")
    low.write_text("def act(turn):\n    return turn.legal[1]\n")
    assert re.match(r"event 0: low: its snapshot has sha256 ", found(run)[0])
    low.unlink()
    assert re.match(r"event 0: low: .*/low.py: No such file or directory", found(run)[0])


@pytest.mark.parametrize("name", ["standings.csv", "matches.csv", "results.json"])
def test_a_table_that_differs_from_the_records_is_found(run: Path, arena: Terminal, name: str) -> None:
    file = run / "site" / name
    text = file.read_text()
    file.write_text(text[:-3])
    shown = arena("verify", str(run))
    assert (shown.status, shown.err) == (1, "48 matches in 3 events: 1 mismatch\n")
    assert name in shown.out
    assert "the records give" in shown.out
    file.write_text(text.replace("high", "low_", 1))
    assert name in arena("verify", str(run)).out
    file.unlink()
    assert (
        f"{name}: No such file or directory; `arena report {run}` writes it" in arena("verify", str(run)).out
    )


def test_a_run_that_goes_on_has_no_tables_yet(run: Path, arena: Terminal) -> None:
    rewrite(run, "meta", "value", lambda finished: False, "key = 'finished'")
    (run / "site" / "standings.csv").unlink()
    shown = arena("verify", str(run))
    assert shown.status == 0
    assert "but no tables, as the run goes on" in shown.out


def test_any_change_of_a_record_is_found(played: Path) -> None:
    """Every value but times and a fault's words, one random place at a time."""
    rng = random.Random(1)
    with Store.open(played) as store:
        events, records = store.events(), list(store.records())
    for _ in range(150):
        record = rng.choice(records)
        name = rng.choice(("scores", "placings", "points", "chance", "decisions"))
        changed = replace(record, **{name: _elsewhere(getattr(record, name), rng)})
        assert list(match_mismatches(events[record.match.event], changed)), (record.match, name)
    for record in records:
        assert list(match_mismatches(events[record.match.event], record)) == []


def _elsewhere(value: Any, rng: random.Random) -> Any:
    """The same with one leaf changed."""
    if isinstance(value, dict):
        key = rng.choice(list(value))
        return {**value, key: _elsewhere(value[key], rng)}
    if isinstance(value, (list, tuple)):
        at = rng.choice([at for at, each in enumerate(value) if each not in ([], (), {})])
        made = [*value[:at], _elsewhere(value[at], rng), *value[at + 1 :]]
        return tuple(made) if isinstance(value, tuple) else made
    return value + 1 if isinstance(value, (int, float)) else f"{value}x"


def test_a_rerun_names_who_does_not_do_the_same_again(run: Path, arena: Terminal) -> None:
    shown = arena("verify", str(run), "--rerun", "--workers", "2")
    assert shown.status == 1
    *matches, bot = shown.out.splitlines()
    assert re.fullmatch(r"event 2: wild: went another way in \d+ matches: it does not repeat itself", bot)
    assert matches
    for line in matches:
        assert re.fullmatch(r"e2-r1-t0-d\d-s\d: wild, seat \d, decision \d+: \w+ then, \w+ now", line)


def test_where_two_plays_part(played: Path) -> None:
    with Store.open(played) as store:
        record = next(r for r in store.records(0) if any(f and f.kind is FaultKind.CRASH for f in r.faults))
        sound = next(r for r in store.records(1) if not any(r.faults))
    (seat,) = (s for s, fault in enumerate(record.faults) if fault and fault.kind is FaultKind.CRASH)
    fault = record.faults[seat]
    assert fault
    assert turning_point(record, record) is None
    other: Record = replace(record, faults=tuple(f if f != fault else None for f in record.faults))
    turning = turning_point(record, other)
    assert turning
    assert (turning.seat, turning.decision) == (seat, fault.decision)
    assert turning.then.startswith("crash: AssertionError")
    late = Fault(FaultKind.START, 0, "no")
    turning = turning_point(sound, replace(sound, faults=(None, late)))
    assert turning == (1, 0, "ready", "start: no")


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, arena: Terminal) -> None:
    shown = arena("verify", str(tmp_path))
    assert shown.status == 2
    assert "not a run folder" in shown.err
