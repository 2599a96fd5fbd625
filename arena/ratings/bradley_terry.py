"""Batch pairwise Bradley-Terry: the rating model of the standings.

A table of k bots is k (k - 1) / 2 comparisons of weight 2 / k, a shared place is half a win, and every
strength has a Gaussian prior of 2 natural units around the field's mean, which keeps it finite. One fit to
all results at once: their order does not matter. Bradley & Terry, Biometrika 39 (1952); the weight is that
of a composite likelihood, and the intervals (`arena.ratings.spread`) do not rely on it.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from arena.model import Outcome, Ratings
from arena.ratings.newton import PRIOR_SD, block_scores, maximise
from arena.ratings.pairs import Pairs, neutral_order, pairs_of
from arena.ratings.spread import Fit, Links
from arena.ratings.table import table
from arena.standings.columns import Columns, Floats, Ints


def bradley_terry(outcomes: Iterable[Outcome], bots: Sequence[str], anchor: str | None = None) -> Ratings:
    """The ratings of all bots from all outcomes, in Elo; see `arena.model.Ratings`.

    UsageError for an outcome or an anchor that names a bot which is not among `bots`.
    """
    return rate_columns(Columns.of(outcomes, bots), anchor)


def rate_columns(columns: Columns, anchor: str | None = None, seat_effect: bool = False) -> Ratings:
    """The same from columns. `seat_effect` fits one number more for each seat of each table size.

    That is for results whose seats were not rotated; complete blocks need none.
    """
    pairs = pairs_of(columns, seat_effect)
    order = neutral_order(pairs, len(columns.bots))
    pairs = pairs.renumbered(order)
    links = Links.of(columns, pairs, order)
    fit = _Model(pairs, len(columns.bots), seat_effect).fit(columns, order)
    return table(columns, order, fit, links, anchor)


class _Model:
    """The composite likelihood of comparisons and its derivatives; parameters: bots, then kinds of seat."""

    def __init__(self, pairs: Pairs, bots: int, seat_effect: bool) -> None:
        self.pairs, self.bots = pairs, bots
        self.weight = pairs.weight * pairs.count
        self.columns = [(pairs.one, 1), (pairs.other, -1)]
        self.kinds = np.zeros(0, np.int64)
        if seat_effect:
            self.kinds, number = np.unique(
                _kind(np.tile(pairs.seats, 2), np.concatenate([pairs.seat_one, pairs.seat_other])),
                return_inverse=True,
            )
            one, other = np.split(bots + number, 2)
            self.columns += [(one, 1), (other, -1)]
        self.parameters = bots + len(self.kinds)

    def fit(self, columns: Columns, order: Ints) -> Fit:
        point, curvature = maximise(self.derivatives, np.zeros(self.parameters))
        return Fit(point[: self.bots], curvature, self.meat(columns, order, self.chance(point)))

    def meat(self, columns: Columns, order: Ints, chance: Floats) -> Floats:
        pairs, rows = self.pairs, len(columns.bot)
        surprise = (pairs.weight * (pairs.taken - chance))[pairs.cell]
        score = np.bincount(pairs.row_one, surprise, rows).astype(np.float64)
        score -= np.bincount(pairs.row_other, surprise, rows)
        match = columns.match_of_row
        block, parameter = columns.block[match], order[columns.bot]
        if len(self.kinds):
            kind = _kind(np.diff(columns.start)[match], np.arange(rows) - columns.start[match])
            block, score = np.tile(block, 2), np.tile(score, 2)
            parameter = np.concatenate([parameter, self.bots + np.searchsorted(self.kinds, kind)])
        return block_scores(block, parameter, score, self.parameters)

    def gap(self, point: Floats) -> Floats:
        gap = np.zeros(len(self.weight))
        for column, sign in self.columns:
            gap += sign * point[column]
        return gap

    def chance(self, point: Floats) -> Floats:
        return np.asarray(0.5 + 0.5 * np.tanh(self.gap(point) / 2))

    def information(self, weight: Floats) -> Floats:
        total = np.zeros(self.parameters**2)
        for a, sign_a in self.columns:
            for b, sign_b in self.columns:
                total += sign_a * sign_b * np.bincount(a * self.parameters + b, weight, len(total))
        return total.reshape(self.parameters, self.parameters)

    def derivatives(self, point: Floats) -> tuple[float, Floats, Floats]:
        weight, taken = self.weight, self.pairs.taken
        gap, chance = self.gap(point), self.chance(point)
        value = -np.sum(weight * (np.logaddexp(0, -gap) + (1 - taken) * gap)) - np.sum(point**2) / (
            2 * PRIOR_SD**2
        )
        gradient = -point / PRIOR_SD**2
        for column, sign in self.columns:
            gradient += sign * np.bincount(column, weight * (taken - chance), self.parameters)
        curvature = self.information(weight * chance * (1 - chance)) + np.eye(self.parameters) / PRIOR_SD**2
        return float(value), gradient, curvature


def _kind(seats: Ints, seat: Ints) -> Ints:
    """Seats are told apart by their number and the size of their table."""
    return seats * 4096 + seat
