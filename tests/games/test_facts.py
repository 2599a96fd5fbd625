"""Known numbers of all-random play: 4,000 games within 4·√2 standard errors of 20,000 counted elsewhere.

The √2 stands for the noise of the other count. Win shares count a tie for first as one part each.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from arena.model import Game
from arena.registry import games

SIGMAS = 4 * sqrt(2)


@dataclass(frozen=True)
class Facts:
    """Of one game at one table size, by seat where seats differ."""

    game: str
    win_share: tuple[float, ...]
    score_mean: tuple[float, ...]
    score_sd: float
    quantiles: tuple[int, ...]
    """Of scores, at 5, 25, 50, 75 and 95 %."""
    tied: float
    """How often first place is shared."""
    decisions: float
    """A seat's mean."""
    means: dict[str, float] = field(default_factory=dict)
    """Of what COUNTS counts in a game."""

    @property
    def seats(self) -> int:
        return len(self.win_share)


FACTS = (
    Facts(
        "pecking_order", (0.506, 0.494), (29.3, 28.9), 9.9, (13, 22, 29, 36, 46), 0.020, 13.7,
        {"attacker": 5.3, "defender": 7.0, "nobody": 1.7},
    ),
    Facts(
        "peech",
        (0.243, 0.256, 0.249, 0.252), (31.2, 31.0, 31.2, 31.1), 10.7, (14, 24, 31, 38, 49), 0.044, 68,
        {"missed a round": 1.96, "winners a round": 1.08},
    ),
    Facts(
        "rat_deau", (0.499, 0.501), (10.3, 10.3), 7.0, (0, 5, 10, 15, 23), 0.149, 6,
        {"met": 3 * 0.531, "captor": 3 * 0.531 * 0.89},
    ),
    Facts(
        "rat_deau", (0.336, 0.332, 0.332), (9.3,) * 3, 6.6, (0, 4, 9, 14, 21), 0.163, 6,
        {"met": 3 * 0.526, "captor": 3 * 0.526 * 0.99},
    ),
    Facts(
        "rat_deau", (0.246, 0.245, 0.255, 0.254), (8.6,) * 4, 6.2, (0, 3, 8, 13, 20), 0.184, 6,
        {"met": 3 * 0.528, "captor": 3 * 0.528 * 0.97},
    ),
)  # fmt: skip


def fights(position: Game) -> dict[str, float]:
    stays = [event["stays"] for event in position.events(None) if event["type"] == "fight"]
    return {who: stays.count(who) for who in ("attacker", "defender", "nobody")}


def peech_rounds(position: Game) -> dict[str, float]:
    scored = [event for event in position.events(None) if event["type"] == "scores"]
    missed = [
        sum(count < int(coup[:-1]) for count, coup in zip(event["counts"], event["coups"], strict=True))
        for event in scored
    ]
    return {
        "missed a round": fmean(missed),
        "winners a round": fmean(len(each["winners"]) for each in scored),
    }


def rafts(position: Game) -> dict[str, float]:
    found = [event["captor"] for event in position.events(None) if event["type"] == "raft"]
    return {"met": len(found), "captor": sum(captor is not None for captor in found)}


COUNTS: dict[str, Callable[[Game], dict[str, float]]] = {
    "pecking_order": fights,
    "peech": peech_rounds,
    "rat_deau": rafts,
}


def random_games(name: str, seats: int, count: int) -> Iterable[tuple[Game, int]]:
    """Ends of games in which all play at random, with the number of decisions."""
    rng = Random(f"facts/{name}/{seats}")
    for _ in range(count):
        position: Game = games.get(name).start(seats, rng, {})
        decisions = 0
        while legal := position.legal():
            position = position.play(rng.choice(legal))
            decisions += 1
        yield position, decisions


def near(found: Sequence[float], fact: float, half_digit: float) -> bool:
    """Whether the mean of these is the fact, within its noise and its last digit."""
    error = stdev(found) / sqrt(len(found))
    return abs(fmean(found) - fact) <= SIGMAS * error + half_digit


def check_facts(facts: Facts, count: int) -> None:
    ends = list(random_games(facts.game, facts.seats, count))
    placings = [position.placings() for position, _ in ends]
    scores = [position.scores() for position, _ in ends]
    for seat in range(facts.seats):
        wins = [(places[seat] == 1) / places.count(1) for places in placings]
        mine = [float(each[seat]) for each in scores]
        assert near(wins, facts.win_share[seat], 0.0005), f"win share of seat {seat}: {fmean(wins)}"
        assert near(mine, facts.score_mean[seat], 0.05), f"mean score of seat {seat}: {fmean(mine)}"
        noise = SIGMAS * facts.score_sd / sqrt(2 * count) + 0.05
        assert stdev(mine) == pytest.approx(facts.score_sd, abs=noise), f"seat {seat}"
    ordered = sorted(score for each in scores for score in each)
    found = [ordered[len(ordered) * at // 100] for at in (5, 25, 50, 75, 95)]
    assert found == pytest.approx(facts.quantiles, abs=1)
    assert near([float(places.count(1) > 1) for places in placings], facts.tied, 0.0005)
    assert near(
        [decisions / facts.seats for _, decisions in ends], facts.decisions, 0.5 * (facts.decisions > 60)
    )
    counted = [COUNTS[facts.game](position) for position, _ in ends]
    for what, fact in facts.means.items():
        values = [each[what] for each in counted]
        assert near(values, fact, 0.05 if fact > 3 else 0.02), f"{what}: {fmean(values)}"


def test_every_game_and_table_size_has_its_facts() -> None:
    known = {(facts.game, facts.seats) for facts in FACTS}
    ours = ("pecking_order", "peech", "rat_deau")
    assert known == {(name, seats) for name in ours for seats in games.get(name).seats}


@pytest.mark.parametrize("facts", FACTS, ids=lambda facts: f"{facts.game}-{facts.seats}")
def test_random_play_gives_the_known_numbers(facts: Facts) -> None:
    check_facts(facts, 500 if facts.game == "peech" else 4000)


@pytest.mark.slow
def test_random_play_of_peech_gives_the_known_numbers_in_full() -> None:
    check_facts(next(facts for facts in FACTS if facts.game == "peech"), 4000)
