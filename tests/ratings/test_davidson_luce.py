"""Davidson-Luce: against its own likelihood written out, and against Bradley-Terry where the two are one."""

import math
from itertools import combinations

import numpy as np
import pytest
from support.simulated import names, tournament

from arena.errors import UsageError
from arena.model import Outcome
from arena.ratings.bradley_terry import bradley_terry
from arena.ratings.davidson_luce import davidson_luce


def log_posterior(outcomes: tuple[Outcome, ...], strength: dict[str, float], tie: dict[int, float]) -> float:
    """The definition, choice by choice; `tie` holds log δ by the number of tied bots."""
    total = -sum(value**2 for value in (*strength.values(), *tie.values())) / 8

    def merit(some: tuple[str, ...]) -> float:
        return sum(strength[bot] for bot in some) / len(some) + (tie[len(some)] if len(some) > 1 else 0)

    for outcome in outcomes:
        left = dict(zip(outcome.bots, outcome.placings, strict=True))
        while len(left) > 1:
            first = tuple(sorted(bot for bot in left if left[bot] == min(left.values())))
            possible = [s for n in (1, *tie) if n <= len(left) for s in combinations(sorted(left), n)]
            total += merit(first) - math.log(sum(math.exp(merit(some)) for some in possible))
            left = {bot: place for bot, place in left.items() if bot not in first}
    return total


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_is_the_top_of_its_likelihood(seats: int) -> None:
    """No small step from the fitted strengths goes up, once the ties' own numbers are at their best."""
    bots = names(4)
    outcomes = tournament(np.random.default_rng(seats), np.linspace(-1, 1, 4), seats, 4, grain=2.0)
    strength = {row.bot: row.rating * math.log(10) / 400 for row in davidson_luce(outcomes, bots).rows}
    sizes = {n for o in outcomes for n in map(o.placings.count, o.placings) if n > 1}
    tie = dict.fromkeys(sorted(sizes), 0.0)
    step = 0.5
    while step > 1e-5:
        tried = [{**tie, n: tie[n] + s} for n in tie for s in (step, -step)]
        here = log_posterior(outcomes, strength, tie)
        better = [some for some in tried if log_posterior(outcomes, strength, some) > here]
        tie, step = (better[0], step) if better else (tie, step / 2)
    best = log_posterior(outcomes, strength, tie)
    for bot in bots:
        for move in (0.01, -0.01):
            moved = {**strength, bot: strength[bot] + move}
            assert log_posterior(outcomes, moved, tie) < best


def test_without_ties_at_two_seats_it_is_bradley_terry() -> None:
    outcomes = tournament(np.random.default_rng(1), np.linspace(-1, 1, 5), 2, 6, grain=1e-6)
    for one, other in zip(
        bradley_terry(outcomes, names(5)).rows, davidson_luce(outcomes, names(5)).rows, strict=True
    ):
        assert one.rating == pytest.approx(other.rating, abs=1e-4)
        assert one.half_width == pytest.approx(other.half_width, rel=1e-4)
        assert (one.bot, one.rank, one.rank_low, one.rank_high) == (
            other.bot, other.rank, other.rank_low, other.rank_high)  # fmt: skip


def test_large_tables_are_refused() -> None:
    bots = names(11)
    with pytest.raises(UsageError, match="at most 10 bots, not 11"):
        davidson_luce([Outcome("m", "b", bots, tuple(range(1, 12)))], bots)
    rows = davidson_luce([Outcome("m", "b", bots[:10], (1,) * 10)], bots).rows
    assert {row.rating for row in rows} == {0.0}
