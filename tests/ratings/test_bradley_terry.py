"""Bradley-Terry: what the numbers are, and what must not change them."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.simulated import names, tournament

from arena.errors import UsageError
from arena.model import Outcome, Ratings
from arena.ratings.bradley_terry import bradley_terry, rate_columns
from arena.ratings.table import superiority
from arena.standings.columns import Columns

PRIOR = 1.959964 * 2 * 400 / math.log(10)


def duel(number: int, one: str, other: str, first: int, second: int, block: str = "") -> Outcome:
    return Outcome(f"m{number}", block or f"b{number}", (one, other), (first, second))


def by_bot(ratings: Ratings) -> dict[str, object]:
    return {row.bot: row for row in ratings.rows}


def direct_fit(outcomes: tuple[Outcome, ...], bots: tuple[str, ...]) -> np.ndarray:
    """The same posterior mode by bisection, one bot after another: shares nothing with the Newton fit."""
    index = {bot: number for number, bot in enumerate(bots)}
    taken = np.zeros((len(bots), len(bots)))
    for outcome in outcomes:
        for one, a in zip(outcome.bots, outcome.placings, strict=True):
            for other, b in zip(outcome.bots, outcome.placings, strict=True):
                if one != other:
                    taken[index[one], index[other]] += (1 + (a < b) - (a > b)) / 2 * 2 / len(outcome.bots)
    met, strength = taken + taken.T, np.zeros(len(bots))

    def slope(bot: int, value: float) -> float:
        chance = 1 / (1 + np.exp(np.delete(strength, bot) - value))
        return float(np.sum(np.delete(taken[bot], bot) - np.delete(met[bot], bot) * chance)) - value / 4

    for _ in range(300):
        for bot in range(len(bots)):
            low, high = -40.0, 40.0
            while high - low > 1e-11:
                middle = (low + high) / 2
                low, high = (middle, high) if slope(bot, middle) > 0 else (low, middle)
            strength[bot] = low
    return strength * 400 / math.log(10)


@pytest.mark.parametrize(("seats", "deals"), [(2, 3), (3, 1)])
def test_equals_a_direct_fit(seats: int, deals: int) -> None:
    """To 0.01 Elo, on results with many ties."""
    strengths = np.linspace(-1, 1, 7)
    outcomes = tournament(np.random.default_rng(3), strengths, seats, deals, grain=5.0)
    tied = sum(len(set(outcome.placings)) < seats for outcome in outcomes) / len(outcomes)
    assert tied > 0.3
    expected = direct_fit(outcomes, names(7))
    for row in bradley_terry(outcomes, names(7)).rows:
        assert row.rating == pytest.approx(expected[names(7).index(row.bot)], abs=0.01)


def test_two_bots_by_hand() -> None:
    """Three wins to one: the mode solves 4 (3/4 - p) = θ/4 for each bot, with θ and -θ as strengths."""
    outcomes = [duel(i, "a", "b", 1 + i // 3, 2 - i // 3) for i in range(4)]
    low, high = 0.0, 2.0
    while high - low > 1e-12:
        theta = (low + high) / 2
        low, high = (theta, high) if 4 * (0.75 - 1 / (1 + math.exp(-2 * theta))) > theta / 4 else (low, theta)
    first, second = bradley_terry(outcomes, ("a", "b")).rows
    assert first.bot == "a"
    assert first.rating == pytest.approx(low * 400 / math.log(10), abs=1e-5)
    assert second.rating == -first.rating


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]))
def test_order_and_names_change_nothing(seed: int, seats: int) -> None:
    """Shuffled or renamed matches, shuffled or renamed bots give the same numbers, exactly."""
    dice = random.Random(seed)
    bots = names(6)
    outcomes = tournament(np.random.default_rng(seed), np.linspace(-1, 1, 6), seats, 1)
    expected = bradley_terry(outcomes, bots)
    shuffled = list(outcomes)
    dice.shuffle(shuffled)
    assert bradley_terry(shuffled, dice.sample(bots, 6)) == expected
    other = dict(zip(bots, dice.sample(bots, 6), strict=True))
    renamed = tuple(
        replace(outcome, match=f"x{dice.random()}", bots=tuple(other[bot] for bot in outcome.bots))
        for outcome in shuffled
    )
    back = {new: old for old, new in other.items()}
    got = {back[row.bot]: replace(row, bot=back[row.bot]) for row in bradley_terry(renamed, bots).rows}
    for row in expected.rows:
        assert replace(got[row.bot], superiority=None) == replace(row, superiority=None)


def test_equal_results_give_equal_ratings_and_share_the_rank() -> None:
    outcomes = [duel(n, one, "weak", 1, 2) for n, one in enumerate(("a", "b", "c") * 3)]
    outcomes += [duel(20 + n, "weak", one, 1, 2) for n, one in enumerate(("a", "b", "c"))]
    ratings = by_bot(bradley_terry(outcomes, ("b", "weak", "c", "a")))
    assert ratings["a"].rating == ratings["b"].rating == ratings["c"].rating > ratings["weak"].rating
    assert [ratings[bot].rank for bot in ("a", "b", "c", "weak")] == [1, 1, 1, 4]
    assert ratings["a"].superiority == ratings["b"].superiority == 0.5
    assert ratings["weak"].superiority is None


def test_no_match_and_one_match() -> None:
    nothing = bradley_terry((), ("a", "b"))
    assert [row.rating for row in nothing.rows] == [0, 0]
    assert [row.group for row in nothing.rows] == [0, 1]
    assert all(row.half_width == pytest.approx(PRIOR, abs=0.001) for row in nothing.rows)
    assert "no result" in nothing.notes[0]
    assert bradley_terry((), ()).rows == ()
    one = bradley_terry((duel(0, "a", "b", 1, 2),), ("a", "b"))
    assert [row.bot for row in one.rows] == ["a", "b"]
    assert [row.bound for row in one.rows] == ["at least", "at most"]
    assert one.rows[0].rank_high == 2
    assert 0.5 < one.rows[0].superiority < 0.7


def test_all_win_and_all_loss_are_bounds_with_wide_intervals() -> None:
    outcomes = [duel(n, "king", "a", 1, 2) for n in range(40)] + [
        duel(100 + n, "a", "pawn", 1, 2) for n in range(40)
    ]
    ratings = by_bot(bradley_terry(outcomes, ("king", "a", "pawn")))
    assert [ratings[bot].bound for bot in ("king", "a", "pawn")] == ["at least", "", "at most"]
    assert (
        ratings["king"].half_width > 150
    )  # the scores of its blocks hardly differ, but nobody knows its height
    assert ratings["king"].rank_low == ratings["king"].rank_high == 1


def test_two_that_never_lost_to_the_rest_are_uncertain_together() -> None:
    """Neither won everything, yet only the prior says how far the two stand above the others."""
    outcomes = [duel(n, "a", "b", 1 + n % 2, 2 - n % 2) for n in range(60)]
    outcomes += [duel(100 + n, ("a", "b")[n % 2], ("x", "y")[n // 2 % 2], 1, 2) for n in range(80)]
    outcomes += [duel(200 + n, "x", "y", 1 + n % 2, 2 - n % 2) for n in range(60)]
    ratings = bradley_terry(outcomes, ("a", "b", "x", "y"))
    rows, spread = ratings.rows, np.array(ratings.covariance)
    order = [row.bot for row in rows]
    a, b, x = order.index("a"), order.index("b"), order.index("x")
    within = spread[a, a] + spread[b, b] - 2 * spread[a, b]
    across = spread[a, a] + spread[x, x] - 2 * spread[a, x]
    assert across > 5 * within
    assert not any(row.bound for row in rows)


def test_all_draws() -> None:
    ratings = bradley_terry([duel(n, "a", "b", 1, 1) for n in range(50)], ("a", "b"))
    assert [(row.rating, row.rank, row.bound) for row in ratings.rows] == [(0, 1, ""), (0, 1, "")]
    assert 0 < ratings.rows[0].half_width < 20
    assert ratings.notes == ("All bots are level: no result puts one above another.",)


def test_groups_that_never_met() -> None:
    outcomes = [duel(n, "a", "b", 1 + n % 2, 2 - n % 2) for n in range(10)]
    outcomes += [
        duel(50 + n, one, other, 1, 2) for n, (one, other) in enumerate([("c", "d"), ("d", "e"), ("e", "c")])
    ]
    ratings = bradley_terry(outcomes, ("a", "b", "c", "d", "e", "idle"))
    assert [(row.bot, row.group, row.rank) for row in ratings.rows] == [
        ("c", 0, 1), ("d", 0, 1), ("e", 0, 1), ("a", 1, 1), ("b", 1, 1), ("idle", 2, 1),
    ]  # fmt: skip
    assert ratings.rows[2].superiority is None
    assert any("2 groups that never met" in note for note in ratings.notes)
    assert any("idle" in note for note in ratings.notes)
    matrix = superiority(ratings)
    assert matrix[0][3] is None
    assert matrix[3][4] == 0.5


def test_anchor_is_zero_and_others_are_measured_from_it() -> None:
    outcomes = tournament(np.random.default_rng(5), np.linspace(-1, 1, 5), 2, 6)
    free, tied = bradley_terry(outcomes, names(5)), bradley_terry(outcomes, names(5), anchor="bot03")
    shift = by_bot(free)["bot03"].rating
    assert by_bot(tied)["bot03"].rating == by_bot(tied)["bot03"].half_width == 0
    for row in free.rows:
        anchored = by_bot(tied)[row.bot]
        assert anchored.rating == pytest.approx(row.rating - shift, abs=1e-5)
        assert (anchored.rank, anchored.rank_low, anchored.rank_high) == (
            row.rank,
            row.rank_low,
            row.rank_high,
        )
    with pytest.raises(UsageError, match=r"anchor: one of the bots, not 'bot3' \(did you mean"):
        bradley_terry(outcomes, names(5), anchor="bot3")


def test_an_unbeaten_anchor_makes_all_others_upper_bounds() -> None:
    outcomes = [duel(n, "top", "a", 1, 2) for n in range(5)] + [
        duel(9, "a", "b", 1, 2),
        duel(10, "b", "a", 1, 2),
    ]
    ratings = by_bot(bradley_terry(outcomes, ("top", "a", "b"), anchor="top"))
    assert [ratings[bot].bound for bot in ("top", "a", "b")] == ["", "at most", "at most"]


def test_rock_paper_scissors() -> None:
    beats = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")] * 20
    ratings = bradley_terry(
        [duel(n, *pair, 1, 2) for n, pair in enumerate(beats)], ("rock", "paper", "scissors")
    )
    assert [(row.rating, row.rank, row.rank_low, row.rank_high) for row in ratings.rows] == [(0, 1, 1, 3)] * 3
    assert "level" in ratings.notes[0]


def test_superiority_of_every_pair() -> None:
    ratings = bradley_terry(tournament(np.random.default_rng(2), np.array([-0.5, 0, 0.5]), 3, 30), names(3))
    matrix = superiority(ratings)
    for i in range(3):
        assert matrix[i][i] is None
        for j in range(i):
            assert matrix[i][j] + matrix[j][i] == pytest.approx(1, abs=2e-6)
    assert [matrix[0][1], matrix[1][2]] == [row.superiority for row in ratings.rows[:2]]
    assert matrix[0][2] > matrix[0][1] > 0.5


def test_the_block_is_what_counts() -> None:
    """The same results, told ten times over within their blocks, make a rating no more certain."""
    once = tournament(np.random.default_rng(8), np.linspace(-0.5, 0.5, 4), 2, 20)
    often = [replace(outcome, match=f"{outcome.match}-{n}") for outcome in once for n in range(10)]
    for few, many in zip(
        bradley_terry(once, names(4)).rows, bradley_terry(often, names(4)).rows, strict=True
    ):
        assert many.half_width == pytest.approx(few.half_width, rel=0.1)


def test_seat_effect_takes_an_unfair_seat_out() -> None:
    """Equal bots, the first seat wins two in three, and one bot sits there more often than the other."""
    dice = random.Random(4)
    outcomes = []
    for number in range(3000):
        pair = ("a", "b") if dice.random() < 0.8 else ("b", "a")
        first = 1 + (dice.random() < 1 / 3)
        outcomes.append(duel(number, *pair, first, 3 - first))
    plain = by_bot(bradley_terry(outcomes, ("a", "b")))["a"]
    fair = by_bot(rate_columns(Columns.of(outcomes, ("a", "b")), seat_effect=True))["a"]
    assert plain.rating > 2 * plain.half_width
    assert abs(fair.rating) < fair.half_width < 1.5 * plain.half_width


def test_strangers_are_refused() -> None:
    with pytest.raises(UsageError, match="match m0: 'z' is not among the bots"):
        bradley_terry([duel(0, "a", "z", 1, 2)], ("a", "b"))
    with pytest.raises(UsageError, match="'a' sits at the table twice"):
        bradley_terry([duel(0, "a", "a", 1, 2)], ("a", "b"))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_results_give_finite_numbers(data: st.DataObject) -> None:
    bots = names(data.draw(st.integers(1, 6)))
    outcomes = []
    for number in range(data.draw(st.integers(0, 12))):
        table = tuple(data.draw(st.permutations(bots)))[: data.draw(st.integers(1, min(4, len(bots))))]
        places = tuple(data.draw(st.integers(1, 4)) for _ in table)
        outcomes.append(Outcome(f"m{number}", f"b{data.draw(st.integers(0, 5))}", table, places))
    ratings = bradley_terry(outcomes, bots, data.draw(st.sampled_from((None, *bots))))
    assert sorted(row.bot for row in ratings.rows) == sorted(bots)
    for row in ratings.rows:
        assert math.isfinite(row.rating)
        assert 0 <= row.half_width < 2 * PRIOR + 1
        assert 1 <= row.rank_low <= row.rank <= row.rank_high <= len(bots)
        assert row.superiority is None or 0.5 <= row.superiority <= 1
    assert np.isfinite(np.array(ratings.covariance)).all()
