"""The page of `arena rate`: ratings of results from elsewhere, in one file of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from arena import __version__
from arena.model import Rating
from arena.report import words
from arena.report.pages.index import Interval, Scale
from arena.report.site import Frame, Page, environment, inline, render
from arena.standings.rows import StandingsRow


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table, every cell in words; the keys are what a column is sorted by."""

    rank: str
    ranks: str
    bot: str
    group: int
    bound: str
    rating: str
    rating_key: float
    half_width: str
    interval: Interval
    superiority: str
    superiority_key: float
    points: str
    points_key: float
    score: str
    score_key: float
    matches: str
    matches_key: int
    blocks: str


@dataclass(frozen=True, slots=True)
class Rated:
    """The page's content."""

    title: str
    facts: str
    notes: tuple[str, ...]
    scale: Scale
    lines: tuple[Line, ...]
    groups: int
    zero: str


def rated_page(title: str, rows: Sequence[StandingsRow], facts: str, notes: Sequence[str], zero: str) -> str:
    """The whole page; it asks for nothing from anywhere. `zero` says what has the rating 0."""
    scale = _scale([row.rating for row in rows if row.rating.blocks])
    view = Rated(
        title=words.plain(title),
        facts=words.plain(facts),
        notes=tuple(map(words.plain, notes)),
        scale=scale,
        lines=tuple(_line(row, scale) for row in rows),
        groups=len({row.rating.group for row in rows}),
        zero=words.plain(zero),
    )
    frame = Frame(view.title, "Ratings", (), footer=f"arena {__version__}", inline=inline("arena.js"))
    return render(environment(), Page("", "rated.html.j2", frame, view))


def _line(row: StandingsRow, scale: Scale) -> Line:
    rating = row.rating
    low, high = rating.rating - rating.half_width, rating.rating + rating.half_width
    return Line(
        rank=str(rating.rank),
        ranks="" if rating.rank_low == rating.rank_high else words.span(rating.rank_low, rating.rank_high),
        bot=words.plain(row.bot),
        group=rating.group + 1,
        bound=rating.bound,
        rating=words.number(rating.rating),
        rating_key=rating.rating,
        half_width=words.number(rating.half_width),
        interval=Interval(
            scale.place(low), scale.place(rating.rating), scale.place(high),
            f"from {words.number(low)} to {words.number(high)}", low < scale.low, high > scale.high,
        ),
        superiority=words.percent(rating.superiority, 1 if (rating.superiority or 0) > 0.99 else 0),
        superiority_key=-1 if rating.superiority is None else rating.superiority,
        points=words.estimate(row.share, 1, times=100),
        points_key=row.share.value if row.share else -1,
        score=words.estimate(row.score, 1),
        score_key=row.score.value if row.score else -1e300,
        matches=words.number(rating.matches),
        matches_key=rating.matches,
        blocks=words.count(rating.blocks, "block"),
    )  # fmt: skip


def _scale(ratings: Sequence[Rating]) -> Scale:
    """An axis in hundreds of Elo (or tens, or thousands) that holds all ratings and the usual interval."""
    widths = sorted(rating.half_width for rating in ratings) or [100.0]
    usual = 2 * widths[len(widths) // 2]
    reach = [(r.rating - min(r.half_width, usual), r.rating + min(r.half_width, usual)) for r in ratings]
    low, high = min((a for a, _ in reach), default=-100.0), max((b for _, b in reach), default=100.0)
    low, high = min(low, 0.0), max(high, 1.0)
    step = next(s for s in (10, 20, 50, 100, 200, 500, 1000, 10**9) if (high - low) / s <= 4)
    low, high = float(floor(low / step) * step), float(ceil(high / step) * step)
    bare = Scale(low, high, (), 0.0)
    marks = [low + step * mark for mark in range(round((high - low) / step) + 1)]
    return Scale(low, high, tuple((bare.place(mark), words.signed(mark)) for mark in marks), bare.place(0.0))
