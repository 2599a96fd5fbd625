"""The shipped contests of several events, played whole in the jail on fewer deals."""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path
from statistics import fmean, pstdev

import pytest

from arena.report.overall import overall
from arena.report.summary import read_run
from arena.store import Store

ROOT = Path(__file__).parents[1]


def arena(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "arena", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shortened(name: str, folder: Path, deals: int, **changed: str) -> Path:
    """A shipped config on so few deals; `changed` replaces texts in it."""
    text = (ROOT / "configs" / name).read_text(encoding="utf-8").replace("../bots", str(ROOT / "bots"))
    text = re.sub(r"deals: \d+", f"deals: {deals}", text)
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    (folder / name).write_text(text + "report: {replays: none}\n", encoding="utf-8")
    return folder / name


@pytest.mark.jail
def test_a_championship_over_three_games_from_one_config(tmp_path: Path) -> None:
    config, run = shortened("championship.yaml", tmp_path, 1), tmp_path / "run"
    arena("run", config, "--out", run, "--quiet")
    rows = list(csv.DictReader(io.StringIO(arena("standings", run, "--csv"))))
    games = ["Pecking Order", "Peech", "Rat d'eau"]
    assert list(dict.fromkeys(row["event"] for row in rows)) == games
    points: dict[str, list[float]] = {}
    standard: dict[str, list[float]] = {}
    for game in games:
        here = [row for row in rows if row["event"] == game]
        ratings = [float(row["rating"]) for row in here]
        for row in here:
            points.setdefault(row["name"], []).append(float(row["points"]))
            standard.setdefault(row["name"], []).append(
                (float(row["rating"]) - fmean(ratings)) / pstdev(ratings)
            )
    table = overall(read_run(run).events)
    assert (
        {line.name for line in table}
        == set(points)
        == {"First", "Last", "random", "Random too", "Random as well"}
    )
    for line in table:
        assert line.points == pytest.approx(fmean(points[line.name]), abs=1e-5)
        assert line.standard == pytest.approx(fmean(standard[line.name]), abs=1e-3)
    assert [line.points for line in table] == sorted((line.points for line in table), reverse=True)
    page = (run / "site" / "index.html").read_text(encoding="utf-8")
    assert '<h2 id="overall-title">Overall</h2>' in page
    assert "then by Sonneborn-Berger, Direct encounter, at the right of the table" in page
    assert "Sonneborn-Berger" in arena("standings", run)
    assert arena("verify", run).startswith("70 matches in 3 events verified")


@pytest.mark.jail
def test_a_swiss_of_both_kinds_verifies_and_its_file_gives_the_same_pairings(tmp_path: Path) -> None:
    config, run = shortened("swiss.yaml", tmp_path, 1), tmp_path / "run"
    arena("run", config, "--out", run, "--quiet")
    assert arena("verify", run).startswith("70 matches in 2 events verified")  # with tables of three and four
    file = tmp_path / "swiss.trf"
    file.write_text(arena("export", run, "--trf"), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == (run / "site" / "e0.trf").read_text(encoding="utf-8")
    with Store.open(run) as store:
        played = [{frozenset(pairing.bots) for pairing in round_.pairings} for round_ in store.rounds(0)]
    assert read_back(file) == played
    command = [sys.executable, "-m", "gacrux.pairingchecker", "-i", str(file), "-c", "-dT"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout
    assert said.rstrip().endswith("Check: True"), said
    rounds = (run / "site" / "e1-rounds.html").read_text(encoding="utf-8")
    assert rounds.count("points so far: ") == 9  # a reason for each table
    wrong = subprocess.run(
        [sys.executable, "-m", "arena", "export", str(run), "--trf", "--event", "Duel"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("--event: one of Duels, not 'Duel' (did you mean 'Duels'?)")


def read_back(file: Path) -> list[set[frozenset[str]]]:
    """Who met whom in each round of a Tournament Report File, by its columns."""
    players = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("001")]
    name = {int(line[4:8]): line[14:47].strip() for line in players}
    rounds: list[set[frozenset[str]]] = []
    for line in players:
        for number, start in enumerate(range(91, len(line), 10)):
            if number == len(rounds):
                rounds.append(set())
            if opponent := int(line[start : start + 4]):
                rounds[number].add(frozenset((name[int(line[4:8])], name[opponent])))
    return rounds


@pytest.mark.jail
@pytest.mark.slow
def test_a_knockout_and_a_gauntlet_come_to_an_end(tmp_path: Path) -> None:
    """With a bot that never starts: it loses its pairings, and the event goes on without harm."""
    (tmp_path / "broken.py").write_text("import no_such_module\ndef act(turn):\n    return turn.legal[0]\n")
    config, run, bots = tmp_path / "cup.yaml", tmp_path / "run", ROOT / "bots"
    config.write_text(
        f"name: Cup\nseed: 5\nbots: [{bots}/first_legal.py, {bots}/last_legal.py, broken.py, random,\n"
        "  {path: random, name: Other}]\nreport: {replays: none}\nevents:\n"
        "  - {name: Knockout, game: {name: rat_deau, seats: 2}, format: {kind: knockout, deals: 1}}\n"
        "  - {name: Four, game: {name: rat_deau, seats: 4}, format: {kind: knockout, deals: 1}}\n"
        "  - {name: Run, game: {name: rat_deau, seats: 3}, format: {kind: gauntlet, deals: 1, heroes: 2}}\n"
        "  - {name: Swiss, game: {name: rat_deau, seats: 2}, format: {kind: swiss, rounds: 3, deals: 1}}\n"
    )
    arena("run", config, "--out", run, "--quiet")
    assert " verified: " in arena("verify", run)
    rows = list(csv.DictReader(io.StringIO(arena("standings", run, "--csv"))))
    by_event = {row["event"]: [r["bot"] for r in rows if r["event"] == row["event"]] for row in rows}
    for event in ("Knockout", "Four"):
        assert by_event[event].index("broken") > 1
    assert by_event["Swiss"][-1] == "broken"
    cells = [line[91:] for line in arena("export", run, "--trf").splitlines() if line[14:20] == "broken"]
    assert set(re.findall(r"\d{1,4} [wb-] (.)", cells[0])) <= {"-", "U"}
    assert "-" in cells[0]
