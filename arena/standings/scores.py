"""What the bots scored: points, mean scores, places, and what the seats were worth."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arena.standings.columns import Columns, Floats
from arena.standings.estimates import ClusteredMeans, Estimate


@dataclass(frozen=True, slots=True)
class MeanScore:
    """A bot's mean score in the game's own points, over matches without a fault; None when there is none.

    `left_out` counts its matches whose scores do not count.
    """

    bot: str
    score: Estimate | None
    left_out: int


def mean_scores(columns: Columns) -> tuple[MeanScore, ...]:
    """For each bot, in the order of `columns.bots`."""
    match = columns.match_of_row
    counts = columns.scored[match]
    means = ClusteredMeans.of(
        columns.bot[counts], columns.block[match[counts]], columns.score[counts], len(columns.bots)
    )
    left_out = np.bincount(columns.bot[~counts], minlength=len(columns.bots))
    return tuple(MeanScore(bot, means[i], int(left_out[i])) for i, bot in enumerate(columns.bots))


def points_by_row(columns: Columns) -> Floats:
    """For each seat of each match the share of opponents beaten, a shared place one half (0 where alone)."""
    points = np.zeros(len(columns.bot))
    for _, rows in columns.tables():
        place = columns.place[rows]
        for seat in range(rows.shape[1]):
            beaten = (np.sign(place - place[:, [seat]]) + 1).sum(axis=1) - 1
            points[rows[:, seat]] = beaten / 2 / max(rows.shape[1] - 1, 1)
    return points


@dataclass(frozen=True, slots=True)
class Points:
    """A bot's points: `total` over blocks, each the mean over its matches; `share` of a match, on average."""

    bot: str
    total: float
    share: Estimate | None


def points(columns: Columns) -> tuple[Points, ...]:
    """For each bot, in the order of `columns.bots`."""
    value, match, bots = points_by_row(columns), columns.match_of_row, len(columns.bots)
    block = columns.block[match]
    means = ClusteredMeans.of(columns.bot, block, value, bots, widest=1.0)
    clusters, cluster = np.unique(columns.bot * (columns.blocks + 1) + block, return_inverse=True)
    of_block = np.bincount(cluster, value, len(clusters)) / np.bincount(cluster, minlength=len(clusters))
    total = np.bincount(clusters // (columns.blocks + 1), of_block, bots)
    return tuple(Points(bot, round(float(total[i]), 9), means[i]) for i, bot in enumerate(columns.bots))


def places(columns: Columns) -> Mapping[str, tuple[int, ...]]:
    """For each bot how often it came first, second and so on; a shared place counts as the better one."""
    most = int(np.max(columns.place, initial=0))
    counts = np.bincount(columns.bot * (most + 1) + columns.place, minlength=len(columns.bots) * (most + 1))
    return {
        bot: tuple(counts[i * (most + 1) + 1 : (i + 1) * (most + 1)].tolist())
        for i, bot in enumerate(columns.bots)
    }


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """How much more than one half of the points a seat (from 0) takes at tables of one size, and scores."""

    seats: int
    seat: int
    points: Estimate
    score: Estimate | None


def seat_effects(columns: Columns) -> tuple[SeatEffect, ...]:
    """For each table size and seat. In complete blocks every bot sits everywhere: strength is not in it.

    `points` is the mean share of points minus one half; `score` the mean score minus the mean of its table.
    """
    value = points_by_row(columns) - 0.5
    found = []
    for matches, rows in columns.tables():
        seats = rows.shape[1]
        if seats < 2 or not len(matches):
            continue
        seat = np.tile(np.arange(seats), len(matches))
        share = ClusteredMeans.of(seat, np.repeat(columns.block[matches], seats), value[rows].ravel(), seats)
        counts = columns.scored[matches]
        score = columns.score[rows[counts]]
        margin = ClusteredMeans.of(
            np.tile(np.arange(seats), len(score)), np.repeat(columns.block[matches[counts]], seats),
            (score - score.mean(axis=1, keepdims=True)).ravel(), seats,
        )  # fmt: skip
        for each in range(seats):
            estimate = share[each]
            if estimate is not None:
                found.append(SeatEffect(seats, each, estimate, margin[each]))
    return tuple(found)
