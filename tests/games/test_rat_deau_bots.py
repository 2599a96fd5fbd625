"""The shipped bots of Rat d'eau win as often as known, alone among random seats, seats rotated."""

from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random
from runpy import run_path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import pytest

from arena.games.rat_deau import RatDeau

BOTS = Path(__file__).parents[2] / "bots"
KNOWN = {
    # by table size: win share and own mean score, of 20,000 games counted elsewhere
    "planner": {2: (0.694, 14.6), 3: (0.526, 13.3), 4: (0.507, 12.8)},
    "greedy": {2: (0.743, 15.4), 3: (0.508, 13.7), 4: (0.438, 12.9)},
    "miser": {2: (0.373, 7.8), 3: (0.394, 8.2), 4: (0.341, 8.0)},
}
TABLES = [(bot, seats) for bot in KNOWN for seats in RatDeau.seats]


def act_of(bot: str) -> Callable[[Any], str]:
    return run_path(str(BOTS / f"rat_deau_{bot}.py"))["act"]


def play(act: Callable[[Any], str], mine: int, seats: int, rng: Random, **options: Any) -> RatDeau:
    """A game with this bot on one seat and random ones on the others."""
    position = RatDeau.start(seats, rng, options)
    while (seat := position.turn) is not None:
        if seat == mine:
            view = position.view(seat)
            action = act(SimpleNamespace(kind=position.kind, legal=position.legal(), view=view,
                                         options=view["options"]))  # fmt: skip
        else:
            action = rng.choice(position.legal())
        position = position.play(action)
    return position


def check_strength(bot: str, seats: int, games: int) -> None:
    act, rng = act_of(bot), Random(f"{bot}/{seats}")
    wins, scores = [], []
    for number in range(games):
        mine = number % seats
        end = play(act, mine, seats, rng)
        places = end.placings()
        wins.append((places[mine] == 1) / places.count(1))
        scores.append(float(end.scores()[mine]))
    win_share, mean_score = KNOWN[bot][seats]
    for found, known, digit in ((wins, win_share, 0.0005), (scores, mean_score, 0.05)):
        noise = 4 * stdev(found) * sqrt(1 / games + 1 / 20_000)
        assert abs(fmean(found) - known) <= noise + digit, f"{fmean(found):.3f}, known is {known}"


@pytest.mark.parametrize(("bot", "seats"), TABLES)
def test_a_bot_wins_as_often_as_known(bot: str, seats: int) -> None:
    check_strength(bot, seats, 500)


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "seats"), TABLES)
def test_a_bot_wins_as_often_as_known_in_many_games(bot: str, seats: int) -> None:
    check_strength(bot, seats, 4000)


@pytest.mark.parametrize("bot", KNOWN)
@pytest.mark.parametrize("pack", [[9, 9, 1, 1, 5, 5], [0] * 6, [*range(20, 0, -1)]])
@pytest.mark.parametrize("back", [False, True])
def test_a_bot_plays_with_any_pack(bot: str, pack: list[int], back: bool) -> None:
    rng = Random(1)
    for number in range(20):
        end = play(act_of(bot), number % 3, 3, rng, pack=pack, offers_return_on_anger=back)
        assert end.turn is None
