"""Intervals of shares, quantiles of times, numbers in words."""

from math import inf, nan
from random import Random
from statistics import quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.report import words
from arena.report.stats import Times, share_interval
from arena.standings.estimates import Estimate


def test_a_share_of_one_or_zero_is_never_certain() -> None:
    low, high = share_interval(Estimate(1.0, 0.0, blocks=5, matches=10))
    assert 0.6 < low < 0.8
    assert high == 1.0
    assert share_interval(Estimate(0.0, 0.0, 5, 10)) == pytest.approx((0.0, 1 - low))


def test_one_block_is_worth_one_match() -> None:
    one = share_interval(Estimate(0.5, None, blocks=1, matches=2))
    many = share_interval(Estimate(0.5, 0.02, blocks=1000, matches=2000))
    assert one[1] - one[0] > 0.8
    assert many[1] - many[0] < 0.05


def test_the_interval_is_wilsons_for_independent_matches() -> None:
    # Wilson's 95 % interval of 8 in 10 is 0.490 to 0.943.
    from arena.standings.intervals import t95

    half = t95(9) * (0.8 * 0.2 / 10) ** 0.5
    assert share_interval(Estimate(0.8, half, 10, 10)) == pytest.approx((0.4902, 0.9433), abs=1e-3)


@given(st.floats(0, 1), st.floats(0, 2), st.integers(2, 50), st.integers(1, 6))
def test_a_share_interval_holds_its_share(share: float, half: float, blocks: int, per_block: int) -> None:
    low, high = share_interval(Estimate(share, half, blocks, blocks * per_block))
    assert 0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1


def test_quantiles_are_within_a_bin_of_the_exact_ones() -> None:
    rng, times = Random(3), Times()
    values = [rng.lognormvariate(1, 2) for _ in range(5000)]
    for at in range(0, 5000, 10):
        times.add(values[at : at + 10])
    assert times.count == 5000
    exact = quantiles(values, n=100)
    for share, true in ((0.5, exact[49]), (0.99, exact[98])):
        assert times.quantile(share) == pytest.approx(true, rel=0.06)
    assert times.slowest == max(values)
    assert times.quantile(1.0) == times.slowest
    assert Times().quantile(0.5) is None


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (words.number(-0.04, 1), "0.0"),
        (words.number(-12.34, 1), "−12.3"),
        (words.number(1234567), "1\u202f234\u202f567"),
        (words.number(nan), "–"),
        (words.number(inf), "–"),
        (words.number(None), "–"),
        (words.signed(0.0), "0"),
        (words.signed(3.2, 1), "+3.2"),
        (words.give_or_take(5, None), "5"),
        (words.give_or_take(5, inf), "5"),
        (words.give_or_take(5.25, 1, 1), "5.2 ± 1.0"),
        (words.percent(0.99999, 1), "> 99.9\u202f%"),
        (words.percent(1.0), "100\u202f%"),
        (words.percent(0.001), "< 1\u202f%"),
        (words.percent(0.0), "0\u202f%"),
        (words.likelihood(1.0), "> 99.9\u202f%"),
        (words.likelihood(0.7), "70\u202f%"),
        (words.likelihood(None), "–"),
        (words.milliseconds(0.04), "0.04 ms"),
        (words.milliseconds(0.001), "< 0.01 ms"),
        (words.milliseconds(0.0), "0.00 ms"),
        (words.milliseconds(123.4), "123 ms"),
        (words.milliseconds(1500.0), "1.50 s"),
        (words.span(2, 2), "2"),
        (words.span(1, 4), "1–4"),
        (words.span(-3, 1), "−3 to 1"),
        (words.listed(["a", "b", "c"]), "a, b and c"),
        (words.listed([]), ""),
        (words.plain("a\x1b[2J\ud800b\n"), "a\ufffd[2J\ufffdb\ufffd"),
        (words.count(1, "match", "matches"), "1 match"),
    ],
)
def test_numbers_in_words(made: str, text: str) -> None:
    assert made == text
