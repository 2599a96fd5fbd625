"""Stopping rules: when an event is decided, and in what words."""

import math
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from support.simulated import names, tournament

from arena.model import Outcome, Rating, Ratings
from arena.ratings.bradley_terry import bradley_terry
from arena.stopping import (
    Decision,
    Standing,
    block_shares,
    decide,
    due,
    eliminate,
    gate,
    log_likelihood_ratio,
    narrow,
)


@dataclass(frozen=True)
class Gate:
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True)
class Until:
    half_width: float | None = None
    winner: bool = False
    max_blocks: int | None = None
    max_time: float | None = None
    gate: Gate | None = None


def duels(*pairs: tuple[str, str]) -> tuple[Outcome, ...]:
    return tuple(Outcome(f"m{i}", f"b{i}", pair, (1, 2)) for i, pair in enumerate(pairs))


def standing(outcomes: tuple[Outcome, ...], bots: tuple[str, ...] = ("a", "b"), **facts: object) -> Standing:
    return Standing(bots, 2, outcomes, len({outcome.block for outcome in outcomes}), **facts)


def play(
    strengths: np.ndarray, until: Until, seats: int = 2, seed: int = 0, most: int = 400
) -> tuple[Decision, int, tuple[Outcome, ...]]:
    """An event as the tournament plays it: a checkpoint a deal, tables of dropped bots left out."""
    rng, bots = np.random.default_rng(seed), names(len(strengths))
    decision, outcomes = Decision(), ()
    for number in range(1, most + 1):
        alive = np.array([bot not in decision.dropped for bot in bots])
        deal = tournament(rng, strengths[alive], seats, 1)
        back = dict(zip(names(int(alive.sum())), np.array(bots)[alive].tolist(), strict=True))
        outcomes += tuple(
            replace(
                o,
                match=f"c{number}-{o.match}",
                block=f"c{number}-{o.block}",
                bots=tuple(map(back.get, o.bots)),
            )
            for o in deal
        )
        if due(number):
            blocks = len({o.block for o in outcomes})
            decision = decide(until, Standing(bots, seats, outcomes, blocks, decision.dropped), bradley_terry)
        if decision.stop:
            break
    return decision, len(outcomes), outcomes


def test_half_width() -> None:
    decision, _, outcomes = play(np.linspace(-0.5, 0.5, 4), Until(half_width=40))
    assert decision.stop == "half_width: every 95 % interval is within ± 40 Elo"
    assert all(row.half_width <= 40 for row in bradley_terry(outcomes, names(4)).rows)
    assert narrow(bradley_terry((), ("a", "b")), 700) == ""  # nobody has played


def test_an_unbeaten_bot_does_not_keep_an_event_going_for_ever() -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "a"), ("top", "a"), ("top", "b"), ("top", "c")]
    bots = ("a", "b", "c", "top")
    early, late = (bradley_terry(duels(*ring * times), bots) for times in (9, 50))
    assert narrow(early, 50) == ""
    assert max(row.half_width for row in late.rows) > 50
    assert (
        narrow(late, 50) == "half_width: every 95 % interval that more blocks can narrow is within ± 50 Elo"
    )
    assert narrow(late, 20) == ""


def test_winner_drops_the_beaten_and_names_the_best() -> None:
    decision, _, _ = play(np.array([-1.0, -1.0, 0.0, 1.5]), Until(winner=True))
    assert decision.stop == "winner: bot03 is more than 3 standard errors ahead of every other bot"
    assert set(decision.dropped) == {"bot00", "bot01", "bot02"}


def test_winner_keeps_enough_for_a_table() -> None:
    rows = tuple(
        Rating(bot, 100.0 * place, 1, 1, 1, 4, None) for bot, place in zip("abcd", (9, 9, 2, 1), strict=True)
    )
    ratings = Ratings(rows, tuple(tuple(100.0 * (i == j) for j in range(4)) for i in range(4)))
    assert eliminate(ratings, 2, ()) == Decision("", ("c", "d"))
    assert eliminate(ratings, 3, ()) == Decision("", ("d",))
    assert eliminate(ratings, 4, ()) == Decision("", ())
    assert eliminate(ratings, 3, ("d",)) == Decision("", ("d",))
    assert eliminate(ratings, 2, ("b", "c")).stop.startswith("winner: a is")


def test_winner_waits_for_bots_that_never_met() -> None:
    ratings = bradley_terry(duels(*[("a", "b")] * 50, *[("c", "d")] * 50), ("a", "b", "c", "d"))
    assert eliminate(ratings, 2, ()) == Decision("", ())


@pytest.mark.parametrize("edge", [0.0, 50.0])
def test_gate_errs_as_rarely_as_it_says(edge: float) -> None:
    """At elo0 and at elo1 the wrong answer in at most 5 % of 200 runs, and 3 standard errors.

    A deal favours a seat, so the two matches of a block hang together; three in ten matches are drawn.
    """
    dice, wrong = random.Random(5), 0
    share, bound = 1 / (1 + 10 ** (-edge / 400)), math.log(0.95 / 0.05)
    for _ in range(200):
        counts: dict[float, int] = defaultdict(int)
        ratio = 0.0
        while abs(ratio) < bound:
            for _ in range(10):
                luck = dice.uniform(-0.25, 0.25)
                chances = (share - 0.15 + luck, share - 0.15 - luck)
                points = [0.5 if dice.random() < 0.3 else float(dice.random() < p / 0.7) for p in chances]
                counts[sum(points) / 2] += 1
            ratio = log_likelihood_ratio(counts, 0, 50)
        wrong += (ratio > 0) != (edge > 0)
    assert wrong / 200 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


def test_likelihood_ratio_by_another_way() -> None:
    """Close to the normal approximation of a GSPRT on many blocks; symmetric; finite however lopsided."""
    counts = {0.0: 4, 0.25: 40, 0.5: 100, 0.75: 60, 1.0: 10}
    total = sum(counts.values())
    mean = sum(share * count for share, count in counts.items()) / total
    spread = sum(count * (share - mean) ** 2 for share, count in counts.items()) / total
    low, high = 0.5, 1 / (1 + 10 ** (-20 / 400))
    near = total * (high - low) * (2 * mean - low - high) / (2 * spread)
    assert log_likelihood_ratio(counts, 0, 20) == pytest.approx(near, rel=0.03)
    mirrored = {1 - share: count for share, count in counts.items()}
    assert log_likelihood_ratio(mirrored, -20, 0) == pytest.approx(-log_likelihood_ratio(counts, 0, 20))
    for lopsided in ({}, {1.0: 10**6}, {0.0: 10**6}, {0.5: 10**6}, {1.0: 1}):
        assert math.isfinite(log_likelihood_ratio(lopsided, 0, 5))
    assert log_likelihood_ratio({1.0: 3}, 0, 20) < 0.3  # three blocks prove nothing
    assert log_likelihood_ratio({1.0: 100}, 0, 20) > 2.95


def test_gate_says_what_was_found() -> None:
    passed = gate(Gate(), standing(duels(*[("a", "b")] * 100)))
    assert passed == (
        "gate: passed, a against b is +20 Elo rather than +0 "
        "(log-likelihood ratio 5.59, bounds -2.94 and 2.94)"
    )
    assert gate(Gate(), standing(duels(*[("b", "a")] * 100))).startswith(
        "gate: failed, a against b is +0 Elo"
    )
    assert gate(Gate(), standing(duels(("a", "b"), ("b", "a")))) == ""


def test_a_block_counts_once_for_a_gate() -> None:
    outcomes = tuple(
        replace(o, block=f"b{i // 2}") for i, o in enumerate(duels(("a", "b"), ("b", "a"), ("b", "a")))
    )
    assert block_shares(outcomes, "a") == {0.0: 1, 0.5: 1}


def test_limits_and_their_order() -> None:
    state = standing(duels(*[("a", "b"), ("b", "a")] * 30), seconds=99.5)
    assert decide(Until(max_blocks=60), state, bradley_terry).stop == "max_blocks: 60 blocks were played"
    assert decide(Until(max_blocks=61), state, bradley_terry) == Decision()
    assert decide(Until(max_time=90), state, bradley_terry).stop == "max_time: 90 s are over"
    assert decide(Until(max_time=90), replace(state, seconds=None), bradley_terry) == Decision()
    first: Callable[[Until], str] = lambda until: decide(until, state, bradley_terry).stop.split(":")[0]  # noqa: E731
    assert first(Until(half_width=200, max_blocks=1, max_time=1)) == "half_width"
    assert first(Until(winner=True, half_width=200)) == "half_width"
    assert first(Until(half_width=1, max_blocks=1, max_time=1)) == "max_blocks"
    assert decide(Until(winner=True), replace(state, dropped=("b",)), bradley_terry).stop.startswith(
        "winner: a"
    )


def test_due() -> None:
    asked = [number for number in range(1, 5001) if due(number)]
    assert asked[:50] == list(range(1, 51))
    assert len(asked) < 300
    assert all(later <= earlier * 1.03 + 1 for earlier, later in pairwise(asked))


@pytest.mark.slow
def test_winner_needs_a_third_of_the_matches() -> None:
    """12 bots, four events: against playing all on until the leader is as far ahead of every other bot."""
    strengths, needed, all_on = np.linspace(-1.2, 1.2, 12), 0, 0
    for seed in range(4):
        decision, matches, _ = play(strengths, Until(winner=True), seed=seed, most=2000)
        assert decision.stop.startswith("winner: bot11")
        needed += matches
        rng, outcomes, number = np.random.default_rng(seed), (), 0
        while not eliminate(bradley_terry(outcomes, names(12)), 2, ()).stop:
            number += 1
            outcomes += tuple(
                replace(o, match=f"c{number}-{o.match}", block=f"c{number}-{o.block}")
                for o in tournament(rng, strengths, 2, 1)
            )
        all_on += len(outcomes)
    assert needed <= all_on / 3, (needed, all_on)
