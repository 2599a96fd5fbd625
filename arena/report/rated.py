"""The page of `arena rate`: ratings of results from elsewhere, in one file of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena import __version__
from arena.report import words
from arena.report.plots import Interval, Scale, interval_of, scale_of
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
    scale = scale_of([row.rating for row in rows])
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
    return Line(
        rank=str(rating.rank),
        ranks="" if rating.rank_low == rating.rank_high else words.span(rating.rank_low, rating.rank_high),
        bot=words.plain(row.bot),
        group=rating.group + 1,
        bound=rating.bound,
        rating=words.number(rating.rating),
        rating_key=rating.rating,
        half_width=words.number(rating.half_width),
        interval=interval_of(rating, scale),
        superiority=words.likelihood(rating.superiority),
        superiority_key=-1 if rating.superiority is None else rating.superiority,
        points=words.estimate(row.share, 1, times=100),
        points_key=row.share.value if row.share else -1,
        score=words.estimate(row.score, 1),
        score_key=row.score.value if row.score else -1e300,
        matches=words.number(rating.matches),
        matches_key=rating.matches,
        blocks=words.count(rating.blocks, "block"),
    )
