"""How ratings moved: the same batch model on what had been played at a few checkpoints, deal by deal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.model import MatchId, Outcome, RatingModel

CHECKPOINTS = 8
WORK = 60_000
"""Matches to be rated for all checkpoints together; a larger event shows no course."""
FIELD = 100
"""The same for bots."""


@dataclass(frozen=True, slots=True)
class Point:
    """A bot's rating, Elo, after so many of the event's matches."""

    matches: int
    rating: float
    half_width: float


def course(
    outcomes: Sequence[Outcome], model: RatingModel, bots: tuple[str, ...], anchor: str | None
) -> Mapping[str, tuple[Point, ...]]:
    """For each bot its points, first checkpoint to last; empty where that is too little or too much.

    Matches count in the order in which they are scheduled, by round and deal, so each checkpoint holds whole
    deals of all tables of a round.
    """
    played = [(MatchId.parse(outcome.match), outcome) for outcome in outcomes]
    played.sort(key=lambda each: (each[0].round, each[0].deal, each[0].table, each[0].seating))
    ends = [
        at
        for at in range(1, len(played) + 1)
        if at == len(played) or _deal(played[at - 1][0]) != _deal(played[at][0])
    ]
    if len(ends) < 3 or len(bots) > FIELD or len(played) * (CHECKPOINTS + 1) > 2 * WORK:
        return {}
    chosen = sorted({ends[(len(ends) * step - 1) // CHECKPOINTS] for step in range(1, CHECKPOINTS + 1)})
    found: dict[str, list[Point]] = {bot: [] for bot in bots}
    for end in chosen:
        ratings = model(tuple(outcome for _, outcome in played[:end]), bots, anchor)
        for row in ratings.rows:
            if row.matches:
                found[row.bot].append(Point(end, row.rating, row.half_width))
    return {bot: tuple(points) for bot, points in found.items()}


def _deal(match: MatchId) -> tuple[int, int]:
    return match.round, match.deal
