"""Placings and points: pure functions."""

from collections.abc import Sequence


def placings_of(values: Sequence[float], higher_wins: bool = True) -> tuple[int, ...]:
    """Standard competition ranking (1, 1, 3): 1 + the number of seats strictly better."""
    signed = [value if higher_wins else -value for value in values]
    return tuple(1 + sum(other > mine for other in signed) for mine in signed)


def points_of(placings: Sequence[int]) -> tuple[float, ...]:
    """By seat, the share of opponents beaten, a shared place counting one half; they sum to seats / 2."""
    rivals = len(placings) - 1
    return tuple(
        sum((mine < other) + (mine == other) / 2 for i, other in enumerate(placings) if i != seat) / rivals
        for seat, mine in enumerate(placings)
    )
