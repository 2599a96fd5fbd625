"""Small statistics of the report: an interval for shares, and quantiles of times in bounded memory."""

from array import array
from math import ceil, log, sqrt

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

    __slots__ = ("_bins", "count", "slowest")

    def __init__(self) -> None:
        self._bins: array[int] | None = None
        self.count = 0
        self.slowest = 0.0

    def add(self, milliseconds: float) -> None:
        if self._bins is None:
            self._bins = array("L", bytes(array("L").itemsize * self._BINS))
        place = int(log(max(milliseconds, self._LOWEST) / self._LOWEST) / self._RATIO)
        self._bins[min(place, self._BINS - 1)] += 1
        self.count += 1
        if milliseconds > self.slowest:
            self.slowest = milliseconds

    def quantile(self, share: float) -> float | None:
        """The time that a share of all decisions stayed within; None before the first."""
        if self._bins is None:
            return None
        wanted, seen = ceil(share * self.count), 0
        place = 0
        while (seen := seen + self._bins[place]) < wanted:
            place += 1
        return min(self.slowest, self._LOWEST * 1.025 ** (place + 1))
