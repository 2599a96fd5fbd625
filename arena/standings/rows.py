"""The standings: one row a bot, ranked by rating or by points and tie-breaks, both shown."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.model import Rating, Ratings
from arena.standings.columns import Columns
from arena.standings.estimates import Estimate
from arena.standings.scores import mean_scores, places, points


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """All that the standings say of one bot. Ranks are shared by bots that nothing tells apart.

    `points` over all rounds and `tie_breaks` in their order, `share` of the points of a match, `score` in
    the game's own points over matches without a fault (`left_out`: the others), `places` (how often first,
    second, …).
    """

    rank: int
    bot: str
    points: float
    tie_breaks: tuple[float, ...]
    share: Estimate | None
    rating: Rating
    score: Estimate | None
    left_out: int
    places: tuple[int, ...]


def standings(
    columns: Columns,
    ratings: Ratings,
    rank_by: str = "rating",
    earned: Mapping[str, float] | None = None,
    tie_breaks: Mapping[str, tuple[float, ...]] | None = None,
) -> tuple[StandingsRow, ...]:
    """The rows, best first.

    `rank_by` "rating": in the order of the rating table, rank within the bot's group; "points": by points,
    then by each tie-break, more is better. `earned` gives the points where the format counts them (Swiss:
    rounds won and byes); without it they are the sum over blocks. `tie_breaks` as
    `arena.standings.tie_breaks` computes them.
    """
    by_block = {row.bot: row for row in points(columns)}
    scores, placed = {row.bot: row for row in mean_scores(columns)}, places(columns)
    total = {bot: by_block[bot].total if earned is None else round(earned[bot], 9) for bot in columns.bots}
    breaks = {
        bot: tuple(round(value, 9) for value in (tie_breaks or {}).get(bot, ())) for bot in columns.bots
    }
    rated = {row.bot: row for row in ratings.rows}
    if rank_by == "points":
        merit = {bot: (total[bot], *breaks[bot]) for bot in columns.bots}
        order = sorted(columns.bots, key=lambda bot: (*(-value for value in merit[bot]), bot))
        levels = sorted(merit.values(), reverse=True)
        rank = {bot: 1 + levels.index(merit[bot]) for bot in order}
    else:
        order = [row.bot for row in ratings.rows]
        rank = {row.bot: row.rank for row in ratings.rows}
    return tuple(
        StandingsRow(
            rank[bot], bot, total[bot], breaks[bot], by_block[bot].share, rated[bot],
            scores[bot].score, scores[bot].left_out, placed[bot],
        )
        for bot in order
    )  # fmt: skip
