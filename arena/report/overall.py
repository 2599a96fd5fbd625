"""An overall table over the events of a run, for bots that play in more than one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev

from arena.report.summary import EventSummary, Standing


@dataclass(frozen=True, slots=True)
class OverallRow:
    """`points`: the mean over its events of the share of opponents beaten; `standard`: of its rating in
    standard deviations of the event's field; `ranks`: its rank in each event, None where it did not play."""

    rank: int
    bot: str
    name: str
    points: float
    standard: float
    ranks: tuple[int | None, ...]


def overall(events: Sequence[EventSummary]) -> tuple[OverallRow, ...]:
    """The championship: most events played, then mean points, then mean standardised rating.

    Empty unless two bots share two events. Bots of two events are one if their identity and their source are.
    """
    found: dict[tuple[str, str], dict[int, Standing]] = {}
    for at, event in enumerate(events):
        for standing in event.table:
            if standing.row.share is not None:
                found.setdefault((standing.bot.id, standing.bot.digest), {})[at] = standing
    if sum(len(played) > 1 for played in found.values()) < 2:
        return ()
    spread = [_field(event) for event in events]
    rows = []
    for (bot, _), played in found.items():
        points = fmean(s.row.share.value for s in played.values() if s.row.share)
        standard = fmean((s.rating.rating - spread[at][0]) / spread[at][1] for at, s in played.items())
        ranks = tuple(played[at].rank if at in played else None for at in range(len(events)))
        name = next(iter(played.values())).bot.name
        rows.append(OverallRow(0, bot, name, round(points, 9), round(standard, 9), ranks))
    merit = sorted(map(_merit, rows))
    ranked = [replace(row, rank=1 + merit.index(_merit(row))) for row in rows]
    return tuple(sorted(ranked, key=lambda row: (row.rank, row.bot)))


def _merit(row: OverallRow) -> tuple[float, ...]:
    """Smaller is better; nobody wins a championship by staying away from its hardest event."""
    return row.ranks.count(None), -row.points, -row.standard


def _field(event: EventSummary) -> tuple[float, float]:
    """Mean and standard deviation of an event's ratings; the latter 1 where all are equal."""
    ratings = [s.rating.rating for s in event.table if s.row.share is not None]
    if not ratings:
        return 0.0, 1.0
    return fmean(ratings), pstdev(ratings) or 1.0
