"""A game that arena does not know: one file, installed as docs/add-a-game.md says, and a contest in it.

The bots are pure strategies. Three of them, drawn with equal chances, mix to an optimal strategy of the game
in either seat (bluff with the 1 and call with the 2, each once in three), so the mean over all three by three
pairs and all six deals is the value of the game: not about -1/18, but exactly.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs/add-a-game.md").read_text(encoding="utf-8")
BOT = """
NAME = "{name}"
GAMES = ["kuhn"]
BETS = {{(3, "bet"), (3, "pass"), (3, "pass bet"), {bets}}}


def act(turn):
    card = turn.view["cards"][turn.seat]
    return "bet" if (card, " ".join(turn.view["moves"])) in BETS else "pass"
"""
KINDS = {
    "bluffer": '(1, "pass"), (2, "pass bet")',  # as second it bluffs with the 1, as first it calls with the 2
    "caller": '(2, "bet")',
    "waiter": "",
}
pytestmark = pytest.mark.jail


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no block of {language}"
    return found[1]


class Place:
    """A folder where the game is installed, and arena in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        library = folder / "library"
        installed = library / "arena_kuhn-1.0.dist-info"
        installed.mkdir(parents=True)
        (library / "arena_kuhn.py").write_text(block("python"), encoding="utf-8")
        points = block("toml").partition('[project.entry-points."arena.games"]\n')[2].replace('"', "")
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-kuhn\nVersion: 1.0\n")
        (installed / "entry_points.txt").write_text(f"[arena.games]\n{points}")
        path = os.pathsep.join(filter(None, (str(library), os.environ.get("PYTHONPATH"))))
        self._environment = {**os.environ, "PYTHONPATH": path}

    def python(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=self.folder, env=self._environment,
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def arena(self, *words: str) -> str:
        return self.python("-m", "arena", *words)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("kuhn"))


@pytest.fixture(scope="module")
def run(place: Place) -> Path:
    """A tournament between two bots of each kind."""
    for kind, bets in KINDS.items():
        for number in (1, 2):
            name = f"{kind}{number}"
            (place.folder / f"{name}.py").write_text(BOT.format(name=name, bets=bets), encoding="utf-8")
    bots = ", ".join(f"{kind}{number}.py" for kind in KINDS for number in (1, 2))
    (place.folder / "cup.yaml").write_text(
        f"name: Kuhn cup\ngame: kuhn\nbots: [{bots}]\nformat: {{kind: round_robin, deals: 20}}\nseed: 1\n"
        "report: {replays: sample}\n"
    )
    return (place.folder / place.arena("run", "cup.yaml", "--quiet").strip()).parents[1]


def test_it_is_listed_beside_the_others(place: Place) -> None:
    listed = place.arena("games")
    assert "kuhn: 2 seats, the highest score wins\n  bet = 1\n      chips of a bet;" in listed
    assert "rat_deau: " in listed


def test_check_game_holds_it(place: Place) -> None:
    code = "import sys, arena_kuhn, arena.testing.check_game as c; c.check_game(arena_kuhn.Kuhn, seed={})"
    for seed in (1, 2):
        assert place.python("-c", code.format(seed)) == ""


def test_an_author_writes_a_bot_for_it(place: Place) -> None:
    assert "Next: arena check mine.py --game kuhn" in place.arena("new", "bot", "mine", "--game", "kuhn")
    checked = place.arena("check", "mine.py", "--game", "kuhn", "--matches", "10")
    assert "mine.py is ready for kuhn" in checked
    told = place.arena("play", "--game", "kuhn", "mine.py", "random", "--seed", "3", "--option", "bet=2")
    assert re.search(r"Seat 0 draws the [123]\.", told)


def test_a_bot_imports_the_game_from_an_environment_that_has_it(place: Place) -> None:
    (place.folder / "thinker.py").write_text(
        "import random\nfrom arena_kuhn import Kuhn\n\n\n"
        "def act(turn):\n    return Kuhn.imagine(turn.view, random).legal()[-1]\n"
    )
    place.python("-m", "venv", "--without-pip", "environment")
    (packages,) = place.folder.glob("environment/lib/python*/site-packages")
    shutil.copy(place.folder / "library" / "arena_kuhn.py", packages)
    words = ("play", "--game", "kuhn", "thinker.py", "random", "--seed", "3")
    assert "No module named 'arena_kuhn'" in place.arena(*words)
    told = place.arena(*words, "--limit", f"python={place.folder}/environment")
    assert "Seat 0: bet." in told
    assert "fault" not in told


def test_the_known_value_comes_out(place: Place, run: Path) -> None:
    cells: dict[tuple[str, str, tuple[int, ...]], set[int]] = {}
    for line in place.arena("export", str(run), "--records").splitlines():
        record = json.loads(line)
        assert record["faults"] == [None, None]
        first, second = (bot[:-1] for bot in record["seats"])
        cells.setdefault((first, second, tuple(record["chance"]["cards"])), set()).add(record["scores"][0])
    assert len(cells) == 3 * 3 * 6
    assert all(len(scores) == 1 for scores in cells.values())  # pure strategies: one score for each deal
    assert Fraction(sum(sum(scores) for scores in cells.values()), len(cells)) == Fraction(-1, 18)


def test_its_results_are_ranked_and_hold(place: Place, run: Path) -> None:
    with (run / "site" / "standings.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    assert {row["matches"] for row in rows} == {str(5 * 20 * 2)}
    place.arena("verify", str(run))


def test_its_matches_can_be_looked_at_without_a_board_of_its_own(place: Place, run: Path) -> None:
    page = min((run / "site" / "match").glob("*-seat1.html"))
    match = page.name.removesuffix("-seat1.html")
    judge = page.with_name(f"{match}.html").read_text(encoding="utf-8")
    told = place.arena("replay", str(run), match)
    for text in (judge, told):
        assert re.search(r"Seat 0 draws the [123]\.", text)
        assert re.search(r"Seat 1 draws the [123]\.", text)
    seat = page.read_text(encoding="utf-8")
    told = place.arena("replay", str(run), match, "--seat", "1")
    for text in (seat, told):
        assert "Seat 1 draws the" in text
        assert "Seat 0 draws the" not in text
