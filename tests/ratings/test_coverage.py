"""Do 95 % intervals hold the truth 95 times in a hundred? Tournaments between bots of known strength.

12 bots, two and four seats, duplicate deals with ties. `pytest --full -s tests/ratings/test_coverage.py`
plays 400 tournaments of each kind and prints the figures of docs/statistics.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from support.simulated import names, tournament, true_ratings

from arena.model import Outcome, Ratings
from arena.ratings.bradley_terry import bradley_terry
from arena.standings.columns import Columns
from arena.standings.head_to_head import HeadToHead
from arena.stopping import narrow

STRENGTHS = np.linspace(-1.5, 1.5, 12)
TABLES = {2: 66, 4: 200}
DEALS = {2: 6, 4: 1}


@dataclass(frozen=True)
class Held:
    """How often an interval held the truth, and how wide it was on average."""

    share: float
    half_width: float


def play(seats: int, seed: int, luck: str = "seat", deals: int | None = None) -> tuple[Outcome, ...]:
    rng = np.random.default_rng([11, seats, seed])
    return tournament(rng, STRENGTHS, seats, deals or DEALS[seats], TABLES[seats], luck=luck)


def without_blocks(outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    return tuple(replace(outcome, block=outcome.match) for outcome in outcomes)


def coverage(rated: Callable[[int], Ratings], truth: np.ndarray, tournaments: int) -> Held:
    held, width = [], []
    for seed in range(tournaments):
        for row in rated(seed).rows:
            held.append(abs(row.rating - truth[int(row.bot[3:])]) <= row.half_width)
            width.append(row.half_width)
    return Held(float(np.mean(held)), float(np.mean(width)))


def by_blocks(seats: int, tournaments: int, luck: str, truth: np.ndarray) -> tuple[Held, Held]:
    """With the blocks that were played, and as if every match stood alone."""
    bots = names(12)
    blocked = coverage(lambda seed: bradley_terry(play(seats, seed, luck), bots), truth, tournaments)
    alone = coverage(
        lambda seed: bradley_terry(without_blocks(play(seats, seed, luck)), bots), truth, tournaments
    )
    print(f"\n{seats} seats, a deal's luck goes to a {luck}: by block {blocked}, by match {alone}")
    return blocked, alone


@pytest.fixture(scope="module")
def truth() -> np.ndarray:
    return true_ratings(STRENGTHS)


@pytest.mark.full
@pytest.mark.parametrize("luck", ["seat", "bot"])
@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_hold_by_block_and_not_by_match(seats: int, luck: str, truth: np.ndarray) -> None:
    blocked, alone = by_blocks(seats, 400, luck, truth)
    assert 0.93 <= blocked.share <= 0.97
    assert not 0.93 <= alone.share <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_hold_in_a_smaller_trial(seats: int, truth: np.ndarray) -> None:
    """25 tournaments, 300 intervals: 2.5 percent either side is two standard errors."""
    blocked, alone = by_blocks(seats, 25, "seat", truth)
    assert 0.925 <= blocked.share <= 0.985
    assert alone.share > blocked.share
    assert alone.half_width > 1.2 * blocked.half_width


@pytest.mark.full
@pytest.mark.parametrize("seats", [2, 4])
def test_differences_of_mean_scores_hold(seats: int) -> None:
    """Pair by pair, on the deals that the pair met on."""
    bots, unit = names(12), 1 / 0.8
    held = []
    for seed in range(100):
        table = HeadToHead(Columns.of(play(seats, seed, deals=8 if seats == 2 else 1), bots))
        for one, other in table:
            found = table[one, other].difference
            if found.half_width is not None and found.blocks >= 5:
                true = unit * (STRENGTHS[int(one[3:])] - STRENGTHS[int(other[3:])])
                held.append(abs(found.value - true) <= found.half_width)
    print(f"\n{seats} seats, differences of mean scores: {np.mean(held):.4f} of {len(held)}")
    assert 0.93 <= np.mean(held) <= 0.97


@pytest.mark.full
def test_intervals_hold_when_they_decide_when_to_stop(truth: np.ndarray) -> None:
    """`until: {half_width: 40}`, looked at after every deal."""
    bots = names(12)

    def stopped(seed: int) -> Ratings:
        outcomes: tuple[Outcome, ...] = ()
        for deal in range(1, 100):
            here = play(2, 1000 * seed + deal, deals=1)
            outcomes += tuple(replace(o, match=f"{deal}-{o.match}", block=f"{deal}-{o.block}") for o in here)
            ratings = bradley_terry(outcomes, bots)
            if narrow(ratings, 40):
                return ratings
        raise AssertionError("not narrow enough after 99 deals")

    found = coverage(stopped, truth, 200)
    print(f"\nuntil half_width 40: {found}")
    assert 0.93 <= found.share <= 0.97
