"""Results to rows, points and tie-breaks: pure functions."""

from arena.standings.points import placings_of, points_of

__all__ = ["placings_of", "points_of"]
