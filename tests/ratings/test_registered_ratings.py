"""Every registered rating model passes the check, and the check catches broken ones."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena import registry
from arena.model import Outcome, Rating, RatingModel, Ratings
from arena.ratings.bradley_terry import bradley_terry
from arena.testing.check_rating import check_rating

Results = Sequence[Outcome]


@pytest.mark.parametrize("name", registry.ratings.names())
def test_registered_model(name: str) -> None:
    check_rating(registry.ratings.get(name))


def changed(ratings: Ratings, number: int, **facts: object) -> Ratings:
    rows = list(ratings.rows)
    rows[number] = replace(rows[number], **facts)
    return replace(ratings, rows=tuple(rows))


def online(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    """Elo updated after each match: what came last counts more."""
    fitted = bradley_terry(outcomes, bots, anchor)
    rating = dict.fromkeys(bots, 0.0)
    for outcome in outcomes:
        for one, mine in zip(outcome.bots, outcome.placings, strict=True):
            for other, theirs in zip(outcome.bots, outcome.placings, strict=True):
                if one != other:
                    expected = 1 / (1 + 10 ** ((rating[other] - rating[one]) / 400))
                    rating[one] += 8 * ((1 + (mine < theirs) - (mine > theirs)) / 2 - expected)
    return ranked([replace(row, rating=rating[row.bot]) for row in fitted.rows])


def ranked(rows: Sequence[Rating]) -> Ratings:
    """Rows put in order, each group's ranks by rating."""
    order = sorted(rows, key=lambda row: (row.group, -row.rating))
    size = Counter(row.group for row in rows)
    better = [sum(o.group == row.group and o.rating > row.rating for o in rows) for row in order]
    return Ratings(
        tuple(
            replace(row, rank=1 + above, rank_low=1, rank_high=size[row.group])
            for row, above in zip(order, better, strict=True)
        )
    )


def forgets_the_idle(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    ratings = bradley_terry(outcomes, bots, anchor)
    return replace(ratings, rows=tuple(row for row in ratings.rows if row.blocks), covariance=())


def favours_a_name(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    ratings = bradley_terry(outcomes, bots, anchor)
    rows = [replace(row, half_width=row.half_width + ord(row.bot[-1]) % 3) for row in ratings.rows]
    return replace(ratings, rows=tuple(rows))


def upside_down(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    turned = [
        replace(o, placings=tuple(1 + max(o.placings) - place for place in o.placings)) for o in outcomes
    ]
    return bradley_terry(turned, bots, anchor)


def infinite_for_the_unbeaten(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    ratings = bradley_terry(outcomes, bots, anchor)
    for number, row in enumerate(ratings.rows):
        if row.bound == "at least":
            return changed(ratings, number, rating=math.inf)
    return ratings


def ranks_never_shared(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    ratings = bradley_terry(outcomes, bots, anchor)
    rows = [replace(row, rank=i + 1, rank_low=1, rank_high=len(bots)) for i, row in enumerate(ratings.rows)]
    return replace(ratings, rows=tuple(rows))


def one_big_group(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    ratings = bradley_terry(outcomes, bots, anchor)
    return ranked([replace(row, group=0, superiority=0.5) for row in ratings.rows])


def ignores_the_anchor(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    return bradley_terry(outcomes, bots)


def always_as_certain(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    ratings = bradley_terry(outcomes, bots, anchor)
    return replace(ratings, rows=tuple(replace(row, half_width=20.0) for row in ratings.rows))


def lets_strangers_in(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    known = [outcome for outcome in outcomes if set(outcome.bots) <= set(bots)]
    return bradley_terry(known, bots, anchor if anchor in bots else None)


def worst_first(outcomes: Results, bots: Sequence[str], anchor: str | None = None) -> Ratings:
    ratings = bradley_terry(outcomes, bots, anchor)
    return replace(ratings, rows=ratings.rows[::-1], covariance=())


BROKEN: list[tuple[RatingModel, str]] = [
    (online, "another order of the same results"),
    (forgets_the_idle, "not every entrant has exactly one row"),
    (favours_a_name, "other names change a rating"),
    (upside_down, "by strength came out as"),
    (infinite_for_the_unbeaten, "not finite"),
    (ranks_never_shared, "rank is not 1 \\+ the number of better bots"),
    (one_big_group, "groups"),
    (ignores_the_anchor, "the anchor is not at 0"),
    (always_as_certain, "did not narrow the interval"),
    (lets_strangers_in, "no UsageError"),
    (worst_first, "rows are not in order"),
]


@pytest.mark.parametrize(("model", "said"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_broken_models_are_caught(model: RatingModel, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check_rating(model)
