"""How wide the intervals of ratings will be, before anything is played: from who meets whom how often, and
from how far the points of one block scatter."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from arena.ratings.graph import classes, reach
from arena.ratings.newton import ELO, PRIOR_SD
from arena.ratings.spread import Fit, Links, covariance
from arena.standings.columns import Floats, Ints
from arena.standings.intervals import Z95


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables of one size: a row of bots' numbers for each, on how many deals each meets, of how many matches
    a block is made, and the variance of a bot's mean points over the matches of a block."""

    bots: Ints
    deals: Ints
    matches: int
    variance: float


@dataclass(frozen=True, slots=True)
class Design:
    """A schedule between equals, summed up as the rating model sees it.

    A block of m matches at a table of k adds m/2 · P to the curvature of the Bradley-Terry model, where
    P = I - J/k takes away the table's mean, and 4 (k - 1) m² v / k · P to the sum of the outer products of
    its blocks' scores, where v is the variance of a bot's mean points in a block.
    """

    curvature: Floats
    meat: Floats
    met: Ints
    """In how many blocks each pair meets; in the diagonal how many each bot plays."""
    led: Ints
    """The blocks whose table names this bot first: every block once."""
    deals: Ints | None = None
    """Where tables share their deals, and so their luck: on how many deals each bot plays."""

    @classmethod
    def of(cls, bots: int, schedule: Iterable[Tables], deals: Ints | None = None) -> "Design":
        curvature, meat = np.zeros((bots, bots)), np.zeros((bots, bots))
        met, led = np.zeros((bots, bots), np.int64), np.zeros(bots, np.int64)
        for tables in schedule:
            k, m = tables.bots.shape[1], tables.matches
            here = np.zeros(bots * bots)
            for a in range(k):
                for b in range(k):
                    cell = tables.bots[:, a] * bots + tables.bots[:, b]
                    here += np.bincount(cell, tables.deals, bots * bots)
            shared = here.reshape(bots, bots)
            apart = np.diag(np.diag(shared)) - shared / k
            curvature += m / 2 * apart
            meat += 4 * (k - 1) * m * m * tables.variance / k * apart
            met += shared.astype(np.int64)
            led += np.bincount(tables.bots[:, 0], tables.deals, bots).astype(np.int64)
        return cls(curvature, meat, met, led, deals)

    def half_widths(self, times: float = 1.0) -> Floats:
        """Half the 95 % interval of each bot's rating, Elo, were the whole schedule played so many `times`.

        With every correction that the intervals of the ratings themselves have.
        """
        bots = len(self.met)
        group, nobody = classes(reach(self.met > 0)), np.zeros(bots, bool)
        own, blocks = np.diag(self.met), np.bincount(group, self.led).astype(np.int64)
        if self.deals is not None:
            own, blocks = self.deals, np.zeros_like(blocks)
            np.maximum.at(blocks, group, own)
        own, blocks = (np.rint(times * count).astype(np.int64) for count in (own, blocks))
        fit = Fit(np.zeros(bots), times * self.curvature + np.eye(bots) / PRIOR_SD**2, times * self.meat)
        spread = covariance(fit, Links(group, group, own, blocks, nobody, nobody))
        return np.asarray(Z95 * ELO * np.sqrt(np.maximum(np.diag(spread), 0.0)))

    def times_for(self, half_width: float) -> float:
        """How often the schedule must be played for every interval to be so narrow; inf if no number does."""
        times = 1.0
        for _ in range(50):
            widest = float(np.max(self.half_widths(times)))
            if times > 2**40:
                return float("inf")
            if abs(widest - half_width) < 0.005 * half_width:
                break
            times *= (widest / half_width) ** 2  # as a mean narrows, but for the corrections
        return times
