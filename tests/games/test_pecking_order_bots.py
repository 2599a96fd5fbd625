"""The shipped bots of Pecking Order win as often as known against random moves, seats in turn."""

from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random
from runpy import run_path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

import pytest

from arena.games.pecking_order import PeckingOrder

BOTS = Path(__file__).parents[2] / "bots"
KNOWN = {"hunter": (0.862, 41.6), "settler": (0.598, 33.7)}
"""Win share and own mean score, of 20,000 games counted elsewhere."""


def act_of(bot: str) -> Callable[[Any], str]:
    return run_path(str(BOTS / f"pecking_order_{bot}.py"))["act"]


def play(act: Callable[[Any], str], mine: int, rng: Random, **options: Any) -> PeckingOrder:
    """A game with this bot on one seat and a random one on the other."""
    position = PeckingOrder.start(2, rng, options)
    while (seat := position.turn) is not None:
        legal = position.legal()
        turn = SimpleNamespace(kind=position.kind, legal=legal, view=position.view(seat))
        position = position.play(act(turn) if seat == mine else rng.choice(legal))
    return position


def check_strength(bot: str, games: int) -> None:
    act, rng = act_of(bot), Random(f"{bot}/{games}")
    wins, scores = [], []
    for number in range(games):
        mine = number % 2
        end = play(act, mine, rng).scores()
        wins.append((end[mine] > end[1 - mine]) + (end[mine] == end[1 - mine]) / 2)
        scores.append(float(end[mine]))
    win_share, mean_score = KNOWN[bot]
    for found, known, digit in ((wins, win_share, 0.0005), (scores, mean_score, 0.05)):
        noise = 4 * stdev(found) * sqrt(1 / games + 1 / 20_000)
        assert abs(fmean(found) - known) <= noise + digit, f"{fmean(found):.3f}, known is {known}"


@pytest.mark.parametrize("bot", KNOWN)
def test_a_bot_wins_as_often_as_known(bot: str) -> None:
    check_strength(bot, 500)


@pytest.mark.slow
@pytest.mark.parametrize("bot", KNOWN)
def test_a_bot_wins_as_often_as_known_in_many_games(bot: str) -> None:
    check_strength(bot, 4000)


@pytest.mark.parametrize("bot", KNOWN)
@pytest.mark.parametrize("options", [{"rounds": 3}, {"jaguar_holds_tiebreak": False, "first_player": 1}])
def test_a_bot_plays_under_any_option(bot: str, options: dict[str, Any]) -> None:
    rng = Random(1)
    for number in range(40):
        end = play(act_of(bot), number % 2, rng, **options)
        assert end.turn is None


@pytest.mark.parametrize("bot", KNOWN)
def test_a_bot_has_a_move_where_no_perch_is_good(bot: str) -> None:
    """Its own side is full but for perches that it knows to be lost."""
    mine = {"seat": 0, "card": 2, "up": False}
    board = dict.fromkeys(PeckingOrder.start(2, Random(0), {}).legal(), mine)
    board["9"] = board["8b"] = {"seat": 1, "card": 12, "up": True}
    view = {"board": board, "card": 5}
    assert act_of(bot)(SimpleNamespace(kind="place", legal=("8b", "9"), view=view)) == "9"
