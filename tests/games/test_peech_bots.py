"""The shipped bots of Peech: what they play, and how much better than chance they are."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from runpy import run_path

import pytest
from support.peech import crafted, filled

from arena.bot import Setup, Turn
from arena.games.peech import Peech

BOTS = Path(__file__).parents[2] / "bots"
Act = Callable[[Turn], str]


def bot(name: str) -> Act:
    act: Act = run_path(str(BOTS / f"peech_{name}.py"))["act"]
    return act


def turn_of(position: Peech) -> Turn:
    seat, view = position.turn, position.view(position.turn)
    setup = {"game": "peech", "seat": seat, "seats": 4, "seed": 1, "limits": {}, "options": view["options"]}
    message = {"kind": "play", "legal": list(position.legal()), "view": view, "events": [], "bank": 1.0}
    return Turn(Setup(setup), message)


@pytest.mark.parametrize(
    ("hand", "order", "strongest", "careful", "weakest"),
    [
        ("7S 6S 3S KS 2S QS JS AS", "points", "7S", "7S", "3S"),
        ("2S 3S KS QS 5S JS AS 4S", "points", "AS", "3S", "3S"),
        ("2S KS QS 5S JS AS 2H 2D", "points", "AS", "AS", "5S"),
        ("7S 6S 3S KS 2S QS JS AS", "rank", "KS", "3S", "AS"),
    ],
)
def test_what_they_play(hand: str, order: str, strongest: str, careful: str, weakest: str) -> None:
    record = crafted().chance()["rounds"][0]
    chance = {"rounds": [{**record, "deals": [filled([hand.split(), [], [], []], record["coups"])]}]}
    turn = turn_of(Peech.from_chance(4, chance, {"battle_order": order}))
    assert [bot(name)(turn) for name in ("strongest", "careful", "weakest")] == [strongest, careful, weakest]


def results(name: str, games: int) -> tuple[float, float]:
    """Win share (a tie counts 1 / winners) and mean score of the bot among three random seats."""
    act, rng, share, total = bot(name), Random(name), 0.0, 0
    for game in range(games):
        position, seat = Peech.start(4, Random(game), {}), game % 4
        while position.turn is not None:
            chosen = act(turn_of(position)) if position.turn == seat else rng.choice(position.legal())
            position = position.play(chosen)
        placings = position.placings()
        share += (placings[seat] == 1) / placings.count(1)
        total += position.scores()[seat]
    return share / games, total / games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "share", "mean"),
    [("strongest", 0.321, 28.7), ("careful", 0.330, 28.6), ("weakest", 0.185, 33.8)],
)
def test_how_much_better_than_chance_they_are(name: str, share: float, mean: float) -> None:
    """The rules' figures from 20,000 games, within four standard errors of both samples together."""
    games = 1200
    error = 4 * (1 / games + 1 / 20_000) ** 0.5
    measured_share, measured_mean = results(name, games)
    assert abs(measured_share - share) < error * (share * (1 - share)) ** 0.5
    assert abs(measured_mean - mean) < error * 10.7
