"""Results and the ratings made of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Outcome:
    """What ratings, standings and formats need of a match; `block` clusters matches on one deal."""

    match: str
    block: str
    bots: tuple[str, ...]
    placings: tuple[int, ...]
    scores: tuple[float, ...] | None = None
    """None where the match counts for points and ratings only (a fault), or scores are unknown."""
    points: tuple[float, ...] = ()
    absent: tuple[str, ...] = ()
    """Bots that never played: they could not be started, or were out of the event."""


class RatingModel(Protocol):
    """Results to ratings: batch, pure, and the same for any order of the outcomes and any names."""

    def __call__(
        self, outcomes: Iterable[Outcome], bots: Sequence[str], anchor: str | None = None
    ) -> "Ratings": ...


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating in Elo, field mean 0 (or the anchor at 0), with the half-width of its 95 % interval.

    All numbers are finite. `bound` is "at least" for a bot that won every comparison, "at most" for one that
    lost every one. `rank` counts within the group and is shared by equals; `rank_low` and `rank_high` are the
    places that it may have, pair by pair with 95 % confidence.
    """

    bot: str
    rating: float
    half_width: float
    rank: int
    rank_low: int
    rank_high: int
    superiority: float | None
    """Likelihood that it is stronger than the next bot of the table; None for the last."""
    group: int = 0
    """Number of its group: bots of different groups never met, even through others."""
    bound: str = ""
    blocks: int = 0
    matches: int = 0
    level: int = 0
    """Numbered in table order. Between two levels everything was won in one direction, so how far they are
    apart is only bounded; within a level chains of results lead both ways."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """A rating table, best first in each group, with the covariance of its ratings (Elo², table order)."""

    rows: tuple[Rating, ...]
    covariance: tuple[tuple[float, ...], ...] = ()
    notes: tuple[str, ...] = ()
