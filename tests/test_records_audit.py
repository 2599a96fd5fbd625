"""Records of a jailed run replay, by code apart from the games, to the same scores and placings."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.audit_faults import AUDITORS, expected_placings

TABLES = {"pecking_order": (2,), "peech": (4,), "rat_deau": (2, 3, 4)}
OPTIONS: dict[str, dict[str, Any]] = {
    "pecking_order": {"rounds": 2, "jaguar_holds_tiebreak": False, "first_player": 1},
    "peech": {"battle_order": "rank", "redraw": "once", "coup_card_points": "face"},
    "rat_deau": {"pack": [1, 1, 5, 5, 9, 9, 7], "offers_return_on_anger": True},
}
MOODY = '''
import random

def act(turn):
    """Plays at random and sometimes fails: raises, leaves, or names what is not there."""
    if random.random() < 0.01:
        raise RuntimeError("no more")
    if random.random() < 0.01:
        return "nothing like it"
    return random.choice(turn.legal)
'''


def _events(least: int, options: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """For each game and table size an event of enough blocks for about `least` matches a game."""
    events = []
    for game, sizes in TABLES.items():
        for seats in sizes:
            bots = [
                "random",
                {"path": "random", "name": "two"},
                "moody.py",
                {"path": "moody.py", "name": "four"},
            ]
            tables = {2: 6, 3: 4, 4: 1}[seats]
            deals = -(-least // (tables * seats * len(sizes)))
            events.append({
                "name": f"{game} {seats}",
                "game": {"name": game, "seats": seats, "options": options.get(game, {})},
                "bots": bots, "format": {"kind": "round_robin", "deals": deals},
            })  # fmt: skip
    return events


def _arena(*words: str) -> str:
    command = [sys.executable, "-m", "arena", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout


def _audit(folder: Path, least: int, options: dict[str, dict[str, Any]]) -> None:
    (folder / "moody.py").write_text(MOODY, encoding="utf-8")
    config = {"name": "Audit", "seed": 5, "events": _events(least, options), "report": {"replays": "none"}}
    (folder / "audit.yaml").write_text(json.dumps(config), encoding="utf-8")
    _arena("run", str(folder / "audit.yaml"), "--out", str(folder / "run"), "--quiet")
    counts: dict[str, int] = dict.fromkeys(TABLES, 0)
    faulty = 0
    for line in _arena("export", str(folder / "run"), "--records").splitlines():
        record = json.loads(line)
        scores, placings = AUDITORS[record["game"]].replay(record)
        assert scores == record["scores"], record["match"]
        assert expected_placings(record, scores) == record["placings"], record["match"]
        if not any(record["faults"]):
            assert placings == record["placings"], record["match"]
        faulty += any(record["faults"])
        counts[record["game"]] += 1
    assert min(counts.values()) >= least
    assert faulty


@pytest.mark.parametrize("options", [{}, OPTIONS], ids=["defaults", "options"])
def test_exported_records_are_replayed_by_independent_code(
    options: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    _audit(tmp_path, 24, options)


@pytest.mark.slow
def test_a_thousand_records_of_each_game_are_replayed(tmp_path: Path) -> None:
    _audit(tmp_path, 1000, {})
