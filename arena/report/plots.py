"""Drawings as data: forest plots, histograms, a rating's course. Templates turn them into SVG, one to one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor

from arena.model import Rating
from arena.report import words
from arena.report.course import Point

FOREST_WIDTH = 240
_MARGIN = 6
_BARS = 40


@dataclass(frozen=True, slots=True)
class Interval:
    """A point and its interval, drawn on the scale of the table; x in units of the drawing."""

    low: float
    point: float
    high: float
    label: str
    cut_low: bool = False
    cut_high: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """The forest plot's axis: where a rating lies, and the marks to print."""

    low: float
    high: float
    marks: tuple[tuple[float, str], ...]
    zero: float

    def place(self, rating: float) -> float:
        share = (rating - self.low) / (self.high - self.low)
        inner = FOREST_WIDTH - 2 * _MARGIN
        return round(_MARGIN + inner * min(1.0, max(0.0, share)), 1)


def scale_of(ratings: Sequence[Rating]) -> Scale:
    """An axis that holds every interval, without letting one very wide one flatten all others."""
    rows = [rating for rating in ratings if rating.matches]
    points = [rating.rating for rating in rows] or [0.0]
    widths = sorted(rating.half_width for rating in rows) or [100.0]
    usual = widths[len(widths) // 2] * 2
    low = min(min(r.rating - min(r.half_width, usual) for r in rows) if rows else -100.0, 0.0)
    high = max(max(r.rating + min(r.half_width, usual) for r in rows) if rows else 100.0, 0.0)
    step = _step(max(high - low, max(points) - min(points), 1.0))
    low, high = floor(low / step) * step, ceil(high / step) * step
    if low == high:
        low, high = low - step, high + step
    scale = Scale(low, high, (), 0.0)
    ticks = [low + step * i for i in range(round((high - low) / step) + 1)]
    marks = tuple((scale.place(tick), words.signed(tick)) for tick in ticks)
    return Scale(low, high, marks, scale.place(0.0))


def _step(width: float) -> float:
    """A round step that gives two to five marks."""
    size = 1.0
    while width / size > 500:
        size *= 10
    return next(size * n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500) if width / (size * n) <= 4)


def interval_of(rating: Rating, scale: Scale) -> Interval:
    """A rating on the scale of its table."""
    low, high = rating.rating - rating.half_width, rating.rating + rating.half_width
    return Interval(
        low=scale.place(low),
        point=scale.place(rating.rating),
        high=scale.place(high),
        label=f"from {words.number(low)} to {words.number(high)}",
        cut_low=low < scale.low,
        cut_high=high > scale.high,
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram in a drawing of 560 x 150: its corner, its size, and what is printed at it."""

    label: str
    count: int
    x: float
    y: float
    width: float
    height: float
    middle: float
    labelled: bool
    counted: bool


def histogram(scores: Counter[int]) -> tuple[Bar, ...]:
    """Scores in at most 40 bins of equal whole width."""
    if not scores:
        return ()
    low, high = min(scores), max(scores)
    width = -(-(high - low + 1) // _BARS)
    bins = dict.fromkeys(range(low, high + 1, width), 0)
    for score, number in scores.items():
        bins[low + (score - low) // width * width] += number
    return tuple(bars({words.span(start, start + width - 1): n for start, n in bins.items()}))


def bars(counts: Mapping[str, int]) -> list[Bar]:
    """One bar a label, in order."""
    most = max(counts.values(), default=0) or 1
    wide = min(0.8 * 560 / max(len(counts), 1), 70)
    step, few, every = 560 / max(len(counts), 1), len(counts) <= 12, max(1, len(counts) // 8)
    return [
        Bar(
            label=label,
            count=number,
            x=round((at + 0.5) * step - wide / 2, 1),
            y=round(126 - 104 * number / most, 1),
            width=round(wide, 1),
            height=round(104 * number / most, 1),
            middle=round((at + 0.5) * step, 1),
            labelled=few or at % every == 0,
            counted=few,
        )
        for at, (label, number) in enumerate(counts.items())
    ]


@dataclass(frozen=True, slots=True)
class Course:
    """A rating's course in a drawing of 560 x 180: a line, the band around it, marks on the axes."""

    line: str
    band: str
    dots: tuple[tuple[float, float], ...]
    marks: tuple[tuple[float, str], ...]
    """Height and text of the ratings marked."""
    ends: tuple[str, str]
    words: str


def course_of(points: Sequence[Point]) -> Course | None:
    """The drawing of a rating's course; None for fewer than three points."""
    if len(points) < 3:
        return None
    low = min(p.rating - min(p.half_width, 400) for p in points)
    high = max(p.rating + min(p.half_width, 400) for p in points)
    last = points[-1].matches

    def x(point: Point) -> float:
        return round(44 + 506 * point.matches / last, 1)

    def y(rating: float) -> float:
        return round(12 + 138 * (high - min(high, max(low, rating))) / ((high - low) or 1), 1)

    upper = [f"{x(p)},{y(p.rating + p.half_width)}" for p in points]
    lower = [f"{x(p)},{y(p.rating - p.half_width)}" for p in reversed(points)]
    dots = tuple((x(p), y(p.rating)) for p in points)
    step = 100 if high - low > 250 else 50 if high - low > 120 else 20
    ticks = range(int(low // step + 1) * step, int(high) + 1, step * max(1, int((high - low) / step / 5)))
    return Course(
        line=" ".join(f"{a},{b}" for a, b in dots),
        band=" ".join(upper + lower),
        dots=dots,
        marks=tuple((y(tick), words.signed(tick)) for tick in ticks),
        ends=(words.count(points[0].matches, "match", "matches"), words.count(last, "match", "matches")),
        words="; ".join(f"after {p.matches}: {words.give_or_take(p.rating, p.half_width)}" for p in points),
    )
