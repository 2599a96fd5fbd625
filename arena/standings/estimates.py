"""Means of values that come in blocks, each with a 95 % interval that knows it."""

import math
from dataclasses import dataclass

import numpy as np

from arena.standings.columns import Floats, Ints
from arena.standings.intervals import t95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the half-width of its 95 % interval; None while there are fewer than two blocks."""

    value: float
    half_width: float | None
    blocks: int
    matches: int

    def flipped(self, total: float = 0.0) -> "Estimate":
        """The same seen from the other side: `total` minus the value."""
        return Estimate(total - self.value, self.half_width, self.blocks, self.matches)


@dataclass(frozen=True, slots=True)
class ClusteredMeans:
    """For each group of observations the mean over all of them, with its standard error by cluster.

    Var = B / (B - 1) · Σ over blocks (sum of deviations in the block)² / N²: observations of one block may
    depend on each other in any way. Arrays have an entry for each group.
    """

    count: Ints
    blocks: Ints
    mean: Floats
    error: Floats
    widest: float = math.inf
    """No half-width is given as more than this: a share cannot be further off than 1."""

    @classmethod
    def of(
        cls, group: Ints, block: Ints, value: Floats, groups: int, widest: float = math.inf
    ) -> "ClusteredMeans":
        """Row by row an observation `value` of `group` in `block`."""
        count = np.bincount(group, minlength=groups)
        mean = np.bincount(group, value, groups) / np.maximum(count, 1)
        most = int(np.max(block, initial=0)) + 1
        clusters, cluster = np.unique(group * most + block, return_inverse=True)
        deviation = np.bincount(cluster, value - mean[group], len(clusters))
        owner = clusters // most
        blocks = np.bincount(owner, minlength=groups)
        small = blocks / np.maximum(blocks - 1, 1)
        error = np.sqrt(small * np.bincount(owner, deviation**2, groups)) / np.maximum(count, 1)
        return cls(count, blocks, mean, error, widest)

    def __getitem__(self, group: int) -> Estimate | None:
        """None where nothing was observed."""
        blocks, count = int(self.blocks[group]), int(self.count[group])
        if not count:
            return None
        half = None if blocks < 2 else round(min(t95(blocks - 1) * float(self.error[group]), self.widest), 9)
        return Estimate(round(float(self.mean[group]), 9) + 0.0, half, blocks, count)
