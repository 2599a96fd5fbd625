"""The worked example of docs/add-a-game.md: it stands there as it runs, is found, and has its known value."""

import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest
from support import kuhn
from support.kuhn import DECK, Kuhn

from arena.errors import UsageError

PAGE = (Path(__file__).parents[2] / "docs/add-a-game.md").read_text(encoding="utf-8")
DEALS = list(permutations(DECK, 2))
Strategy = dict[tuple[int, str], Fraction]
"""The chance of a bet by own card and moves so far."""


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"no block of {language}"
    return found[1]


def test_the_page_shows_the_game_that_runs() -> None:
    assert block("python") == Path(kuhn.__file__).read_text(encoding="utf-8")


def test_the_example_is_checked_and_found_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "arena_kuhn.py").write_text(block("python"), encoding="utf-8")
    points = block("toml").partition('[project.entry-points."arena.games"]\n')[2].replace('"', "")
    installed = tmp_path / "arena_kuhn-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-kuhn\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[arena.games]\n{points}")
    command = re.fullmatch(r'python -c "(.*)"\n', block("sh"))
    assert command
    found = "from arena.registry import games; print(games.get('kuhn').name, 'kuhn' in games.names())"
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    for code, printed in ((command[1], ""), (found, "kuhn True\n")):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path},
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (done.stdout, done.stderr, done.returncode) == (printed, "", 0)


def value(first: Strategy, second: Strategy, position: Kuhn) -> Fraction:
    """What the first seat wins in the mean."""
    seat = position.turn
    if seat is None:
        return Fraction(position.scores()[0])
    view = position.view(seat)
    bet = (first, second)[seat][view["cards"][seat], " ".join(view["moves"])]
    chances = {"bet": bet, "pass": 1 - bet}
    return sum(
        (
            chance * value(first, second, position.play(action))
            for action, chance in chances.items()
            if chance
        ),
        Fraction(),
    )


def game_value(first: Strategy, second: Strategy) -> Fraction:
    deals = [Kuhn.from_chance(2, {"cards": list(cards)}, {}) for cards in DEALS]
    return sum((value(first, second, deal) for deal in deals), Fraction()) / len(deals)


def best_play(bluff: Fraction) -> tuple[Strategy, Strategy]:
    """A pair of best strategies; the first seat has one for every chance to bluff up to a third."""
    third, never, always = Fraction(1, 3), Fraction(0), Fraction(1)
    first = {
        (1, ""): bluff, (2, ""): never, (3, ""): 3 * bluff,
        (1, "pass bet"): never, (2, "pass bet"): bluff + third, (3, "pass bet"): always,
    }  # fmt: skip
    second = {
        (1, "bet"): never, (2, "bet"): third, (3, "bet"): always,
        (1, "pass"): third, (2, "pass"): never, (3, "pass"): always,
    }  # fmt: skip
    return first, second


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_the_game_is_worth_what_is_known(bluff: Fraction) -> None:
    first, second = best_play(bluff)
    assert game_value(first, second) == Fraction(-1, 18)
    pure = [tuple(map(Fraction, bets)) for bets in product((0, 1), repeat=6)]
    assert max(game_value(dict(zip(first, bets, strict=True)), second) for bets in pure) == Fraction(-1, 18)
    assert min(game_value(first, dict(zip(second, bets, strict=True))) for bets in pure) == Fraction(-1, 18)


def test_there_are_54_positions() -> None:
    positions = [Kuhn.from_chance(2, {"cards": list(cards)}, {}) for cards in DEALS]
    for position in positions:
        positions += [position.play(action) for action in position.legal()]
    assert len(positions) == 54


@pytest.mark.parametrize("cards", [[1, 1], [1], [1, 4], None, [1, 2, 3], "12", [[1], 2]])
def test_other_cards_are_refused(cards: object) -> None:
    with pytest.raises(UsageError, match="two different cards of 1, 2, 3"):
        Kuhn.from_chance(2, {"cards": cards}, {})
