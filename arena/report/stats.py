"""Small statistics of the report: an interval for shares, and quantiles of times in bounded memory."""

from collections.abc import Sequence
from math import ceil, log, sqrt

import numpy as np
from numpy.typing import NDArray

from arena.standings.estimates import Estimate
from arena.standings.intervals import Z95, t95


def share_interval(share: Estimate) -> tuple[float, float]:
    """The 95 % Wilson interval of a share, at the number of matches that its blocks are worth.

    A block is one deal played in several seatings, so its matches are not independent: the effective number
    is p(1-p) over the squared standard error by blocks, at least one and never more than were played.
    Wilson's interval stays honest at 0 and 1, where the usual one has no width.
    """
    value = min(1.0, max(0.0, share.value))
    effective = float(share.blocks)
    if share.half_width is not None:
        noise = (share.half_width / t95(share.blocks - 1)) ** 2
        effective = value * (1 - value) / noise if noise > 0 else float(share.matches)
    effective = max(1.0, min(effective, float(share.matches)))
    squared = Z95 * Z95
    centre = (value + squared / (2 * effective)) / (1 + squared / effective)
    half = Z95 / (1 + squared / effective)
    half *= sqrt(value * (1 - value) / effective + squared / (4 * effective * effective))
    return max(0.0, centre - half), min(1.0, centre + half)


class Times:
    """A histogram of times in milliseconds with bins 2.5 % wide: quantiles in bounded memory."""

    _RATIO = log(1.025)
    _LOWEST = 1e-3
    _BINS = 840  # up to about 10^6 ms
    _BATCH = 2048

    __slots__ = ("_bins", "_count", "_waiting", "slowest")

    def __init__(self) -> None:
        self._bins: NDArray[np.int64] | None = None
        self._waiting: list[float] = []
        self._count = 0
        self.slowest = 0.0

    def add(self, milliseconds: Sequence[float]) -> None:
        """Count these times."""
        self._waiting.extend(milliseconds)
        self.slowest = max(self.slowest, max(milliseconds, default=0.0))
        if len(self._waiting) >= self._BATCH:
            self._count_waiting()

    def _count_waiting(self) -> None:
        if self._waiting:
            size = np.maximum(np.array(self._waiting), self._LOWEST) / self._LOWEST
            place = np.minimum((np.log(size) / self._RATIO).astype(np.int64), self._BINS - 1)
            counted = np.bincount(place, minlength=self._BINS)
            self._bins = counted if self._bins is None else self._bins + counted
            self._count += len(self._waiting)
            self._waiting = []

    @property
    def count(self) -> int:
        return self._count + len(self._waiting)

    def quantile(self, share: float) -> float | None:
        """The time that a share of all decisions stayed within; None before the first."""
        self._count_waiting()
        if self._bins is None:
            return None
        place = int(np.searchsorted(np.cumsum(self._bins), ceil(share * self._count)))
        return min(self.slowest, self._LOWEST * float(1.025 ** (place + 1)))
