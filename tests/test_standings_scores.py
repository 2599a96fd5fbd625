"""Points, mean scores, pairs, seats and rows: counted by hand and against plain sums."""

import math
import random
from dataclasses import replace
from itertools import combinations
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.simulated import names, tournament

from arena.model import Outcome, Rating, Ratings
from arena.standings import points_of
from arena.standings.columns import Columns
from arena.standings.head_to_head import HeadToHead, variance_saved
from arena.standings.intervals import normal_cdf, t95, t_cdf
from arena.standings.rows import standings
from arena.standings.scores import mean_scores, places, points, points_by_row, seat_effects

OUTCOMES = (
    Outcome("m1", "b1", ("a", "b"), (1, 2), (10.0, 4.0)),
    Outcome("m2", "b1", ("b", "a"), (1, 1), (6.0, 6.0)),
    Outcome("m3", "b2", ("a", "c"), (2, 1), None),
    Outcome("m4", "b3", ("a", "b"), (2, 1), (0.0, 2.0)),
    Outcome("m5", "b4", ("a", "b", "c"), (1, 2, 2), (7.0, 3.0, 3.0)),
)
BOTS = ("a", "b", "c", "idle")


def test_students_distribution() -> None:
    """Against printed tables."""
    for freedom, half in ((1, 12.7062), (2, 4.3027), (3, 3.1824), (10, 2.2281), (30, 2.0423), (120, 1.9799)):
        assert t95(freedom) == pytest.approx(half, abs=5e-5)
    assert t95(1001) == pytest.approx(t95(1000), abs=1e-5)
    assert t95(10**9) == pytest.approx(1.959964, abs=1e-6)
    assert t_cdf(1.0, 1) == pytest.approx(0.75)
    assert t_cdf(-2.0, 7) == pytest.approx(1 - t_cdf(2.0, 7))
    assert normal_cdf(0) == 0.5
    assert normal_cdf(1.959964) == pytest.approx(0.975, abs=1e-6)


def test_points_and_places() -> None:
    columns = Columns.of(OUTCOMES, BOTS)
    by_bot = {row.bot: row for row in points(columns)}
    assert by_bot["a"].total == 0.75 + 0 + 0 + 1
    assert by_bot["b"].total == 0.25 + 1 + 0.25
    assert by_bot["a"].share.value == pytest.approx((1 + 0.5 + 0 + 0 + 1) / 5)
    assert by_bot["a"].share.blocks == 4
    assert by_bot["idle"].share is None
    assert places(columns) == {"a": (3, 2), "b": (2, 2), "c": (1, 1), "idle": (0, 0)}


def test_mean_score_leaves_faulty_matches_out() -> None:
    by_bot = {row.bot: row for row in mean_scores(Columns.of(OUTCOMES, BOTS))}
    a = by_bot["a"]
    assert a.left_out == 1
    assert a.score.value == pytest.approx((10 + 6 + 0 + 7) / 4)
    assert (a.score.matches, a.score.blocks) == (4, 3)
    mean = 5.75
    spread = math.sqrt(1.5 * sum(x**2 for x in (16 - 2 * mean, 0 - mean, 7 - mean))) / 4
    assert a.score.half_width == pytest.approx(t95(2) * spread, abs=1e-8)
    assert by_bot["c"].score.half_width is None  # one block says nothing of its spread
    assert by_bot["idle"].score is None


def test_head_to_head() -> None:
    table = HeadToHead(Columns.of(OUTCOMES, BOTS))
    assert list(table) == [("a", "b"), ("a", "c"), ("b", "c")]
    ab, ba = table["a", "b"], table["b", "a"]
    assert (ab.wins, ab.ties, ab.losses) == (2, 1, 1) == (ba.losses, ba.ties, ba.wins)
    assert ab.share.value == pytest.approx(2.5 / 4)
    assert ba.share.value == pytest.approx(1.5 / 4)
    assert ab.difference.value == pytest.approx((6 + 0 - 2 + 4) / 4)
    assert ba.difference.value == -ab.difference.value
    assert ab.difference.half_width == ba.difference.half_width > 0
    assert table["a", "c"].difference.matches == 1
    assert table["a", "idle"] is None
    assert len(table) == 3


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]))
def test_equals_plain_sums_in_any_order(seed: int, seats: int) -> None:
    dice = random.Random(seed)
    outcomes = list(tournament(np.random.default_rng(seed), np.linspace(-1, 1, 5), seats, 2))
    outcomes = [
        replace(o, scores=None) if dice.random() < 0.1 else o for o in outcomes if dice.random() < 0.9
    ]
    columns = Columns.of(outcomes, names(5))
    assert points_by_row(columns).tolist() == pytest.approx(
        [p for o in sorted(outcomes, key=lambda o: (o.block, o.match)) for p in points_of(o.placings)]
    )
    shuffled = Columns.of(dice.sample(outcomes, len(outcomes)), names(5))
    assert points(columns) == points(shuffled)
    table, again = HeadToHead(columns), HeadToHead(shuffled)
    for one, other in combinations(names(5), 2):
        differences: dict[str, list[float]] = {}
        for outcome in outcomes:
            if {one, other} <= set(outcome.bots) and outcome.scores is not None:
                by_bot = dict(zip(outcome.bots, outcome.scores, strict=True))
                differences.setdefault(outcome.block, []).append(by_bot[one] - by_bot[other])
        found = table[one, other]
        assert found == again[one, other]
        if not differences:
            assert found is None or found.difference is None
            continue
        each = [x for block in differences.values() for x in block]
        assert found.difference.value == pytest.approx(fmean(each), abs=1e-8)
        if len(differences) > 1 and len({len(block) for block in differences.values()}) == 1:
            error = stdev([fmean(block) for block in differences.values()]) / math.sqrt(len(differences))
            assert found.difference.half_width == pytest.approx(t95(len(differences) - 1) * error, abs=1e-8)


def test_variance_saved_by_duplicate_deals() -> None:
    """A deal gives a seat more than a match adds of its own, and rotation takes it out again."""
    rng, strengths = np.random.default_rng(1), np.zeros(4)
    duplicates = tournament(rng, strengths, 2, 60)
    saved = variance_saved(Columns.of(duplicates, names(4)))
    assert 2.5 < saved.factor < 5  # (gumbel π²/6 + deal 4) / (gumbel π²/6) = 3.4
    assert variance_saved(Columns.of(duplicates, names(4)), by_score=False).factor > 1.3
    lone = [replace(outcome, block=outcome.match) for outcome in duplicates]
    assert variance_saved(Columns.of(lone, names(4))).factor is None
    assert variance_saved(Columns.of((), names(4))).factor is None
    copies = [
        Outcome(f"{d}-{s}", f"{d}", pair, (1 + s % 2, 2 - s % 2), (float(d + s), float(d - s)))
        for d in range(5) for s, pair in enumerate((("a", "b"), ("b", "a")))
    ]  # fmt: skip
    assert copies[0].scores == (0.0, 0.0)
    mirrored = [replace(o, scores=(9.0, 1.0), placings=(1, 2)) for o in copies]
    assert variance_saved(Columns.of(mirrored, ("a", "b"))).exact


def test_seat_effect_is_found_and_none_is_invented() -> None:
    rng, dice = np.random.default_rng(4), random.Random(4)
    fair = seat_effects(Columns.of(tournament(rng, np.linspace(-2, 2, 6), 3, 10), names(6)))
    assert [(effect.seats, effect.seat) for effect in fair] == [(3, 0), (3, 1), (3, 2)]
    assert all(abs(effect.points.value) < 1.6 * effect.points.half_width for effect in fair)
    assert sum(effect.points.value for effect in fair) == pytest.approx(0, abs=1e-6)
    unfair = []
    for deal in range(4000):
        for seat in range(2):
            first = 1 + (dice.random() < 0.47)
            unfair.append(
                Outcome(
                    f"{deal}-{seat}",
                    f"{deal}",
                    ("ab", "ba")[seat][:2],
                    (first, 3 - first),
                    (3.0 - first, first),
                )
            )
    outcomes = [replace(o, bots=tuple(o.bots)) for o in unfair]
    first, second = seat_effects(Columns.of(outcomes, ("a", "b")))
    assert first.points.value > first.points.half_width
    assert second.points.value == -first.points.value
    assert first.score.value == pytest.approx(first.points.value, abs=1e-6)


def rating(bot: str, rank: int) -> Rating:
    return Rating(bot, 0.0, 1.0, rank, rank, rank, None)


def test_rows_by_rating_and_by_points() -> None:
    columns = Columns.of(OUTCOMES, BOTS)
    ratings = Ratings((rating("c", 1), rating("a", 2), rating("b", 2), rating("idle", 4)))
    by_rating = standings(columns, ratings)
    assert [(row.bot, row.rank) for row in by_rating] == [("c", 1), ("a", 2), ("b", 2), ("idle", 4)]
    by_points = standings(columns, ratings, rank_by="points")
    assert [(row.bot, row.rank) for row in by_points] == [("a", 1), ("b", 2), ("c", 3), ("idle", 4)]
    assert by_points[0].rating.rank == 2
    assert by_points[0].places == (3, 2)
    earned = {"a": 2.0, "b": 2.0, "c": 2.0, "idle": 0.0}
    breaks = {"a": (5.0, 1.0), "b": (5.0, 1.0), "c": (5.0, 2.0), "idle": (0.0, 0.0)}
    swiss = standings(columns, ratings, "points", earned, breaks)
    assert [(row.bot, row.rank) for row in swiss] == [("c", 1), ("a", 2), ("b", 2), ("idle", 4)]
    assert swiss[0].tie_breaks == (5.0, 2.0)
