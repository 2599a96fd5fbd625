"""Bot against bot: what one took from the other, and what duplicate deals saved."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from arena.standings.columns import Bools, Columns, Floats, Ints
from arena.standings.estimates import ClusteredMeans, Estimate
from arena.standings.intervals import t95


@dataclass(frozen=True, slots=True)
class Versus:
    """One bot against another, over the matches in which they met.

    `share` is the part of the points between the two that the first took; `difference` its mean score minus
    the other's, on the same deals, over matches whose scores count (None when there is none).
    """

    wins: int
    ties: int
    losses: int
    share: Estimate
    difference: Estimate | None


class HeadToHead:
    """Every pair that met: `table[one, other]` is a Versus, or None when they never met."""

    def __init__(self, columns: Columns) -> None:
        self.bots = columns.bots
        self._number = {bot: i for i, bot in enumerate(columns.bots)}
        met = _meetings(columns)
        self._pairs, pair = np.unique(met.pair, return_inverse=True)
        size = len(self._pairs)
        self._wins, self._ties = (
            np.bincount(pair[met.taken == taken], minlength=size) for taken in (1.0, 0.5)
        )
        self._share = ClusteredMeans.of(pair, met.block, met.taken, size, widest=1.0)
        self._difference = ClusteredMeans.of(
            pair[met.scored], met.block[met.scored], met.difference[met.scored], size
        )

    def __getitem__(self, pair: tuple[str, str]) -> Versus | None:
        one, other = (self._number[bot] for bot in pair)
        key = min(one, other) * len(self.bots) + max(one, other)
        at = int(np.searchsorted(self._pairs, key))
        if at == len(self._pairs) or self._pairs[at] != key:
            return None
        share, difference = self._share[at], self._difference[at]
        assert share is not None
        wins, ties = int(self._wins[at]), int(self._ties[at])
        losses = share.matches - wins - ties
        if one < other:
            return Versus(wins, ties, losses, share, difference)
        return Versus(losses, ties, wins, share.flipped(1.0), difference and difference.flipped())

    def leads(self) -> tuple[Bools, Bools]:
        """Square, in the order of `bots`: who took more than half from whom, and where it is sure to 95 %.

        To the blocks one is added that might have gone either way, so that two wins are no proof.
        """
        lead, blocks = np.round(self._share.mean - 0.5, 9), np.maximum(self._share.blocks, 1)
        half = np.array([math.inf, math.inf, *(t95(n - 1) for n in range(2, int(blocks.max(initial=1)) + 1))])
        sure = np.abs(lead) > half[blocks] * np.hypot(self._share.error, 0.5 / blocks)
        beats, certain = (np.zeros((len(self.bots), len(self.bots)), bool) for _ in range(2))
        one, other = self._pairs // len(self.bots), self._pairs % len(self.bots)
        for ahead, behind, won in ((one, other, lead > 0), (other, one, lead < 0)):
            beats[ahead[won], behind[won]] = True
            certain[ahead[won & sure], behind[won & sure]] = True
        return beats, certain

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The pairs that met, each once."""
        for key in self._pairs.tolist():
            yield self.bots[key // len(self.bots)], self.bots[key % len(self.bots)]

    def __len__(self) -> int:
        return len(self._pairs)


@dataclass(frozen=True, slots=True)
class Saved:
    """What playing every deal from every seat saved, as measured in these results.

    `factor`: how many times as many matches on deals of their own would have been needed for equally
    certain differences between bots; None where it cannot be told. `exact`: no block differed from another
    at all.
    """

    factor: float | None
    exact: bool
    blocks: int


def variance_saved(columns: Columns, by_score: bool = True) -> Saved:
    """The variance of single matches' differences over their number, against that of the blocks' means.

    Pooled over all pairs that met in two blocks or more; by scores (matches without a fault), or by points.
    """
    met = _meetings(columns)
    kept = met.scored if by_score else np.ones(len(met.pair), bool)
    value = (met.difference if by_score else met.taken)[kept]
    most = columns.blocks + 1
    clusters, cluster, size = np.unique(
        met.pair[kept] * most + met.block[kept], return_inverse=True, return_counts=True
    )
    _, pair = np.unique(clusters // most, return_inverse=True)
    blocks, matches = np.bincount(pair), np.bincount(pair, size)
    mean = np.bincount(pair[cluster], value) / np.maximum(matches, 1)
    single = np.bincount(pair[cluster], (value - mean[pair[cluster]]) ** 2) / np.maximum(matches - 1, 1)
    block = np.bincount(cluster, value - mean[pair[cluster]], len(clusters)) / size
    together = np.bincount(pair, block**2) / np.maximum(blocks - 1, 1)
    weight = np.where((blocks > 1) & (matches > blocks), blocks - 1, 0)
    expected, found = float(weight @ (single * blocks / np.maximum(matches, 1))), float(weight @ together)
    if not weight.any() or expected <= 1e-12:
        return Saved(None, False, int(np.sum(blocks)))
    if found <= 1e-12 * expected:
        return Saved(None, True, int(np.sum(blocks)))
    return Saved(round(expected / found, 6), False, int(np.sum(blocks)))


@dataclass(frozen=True, slots=True)
class _Meetings:
    """Row by row two bots at one table: the pair, the block, what the first took and scored more."""

    pair: Ints
    block: Ints
    taken: Floats
    difference: Floats
    scored: Bools

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))


def _meetings(columns: Columns) -> _Meetings:
    nothing = np.zeros(0)
    parts = [_Meetings(nothing.astype(np.int64), nothing.astype(np.int64), nothing, nothing, nothing > 0)]
    for matches, rows in columns.tables():
        for a in range(rows.shape[1]):
            for b in range(a + 1, rows.shape[1]):
                one, other = columns.bot[rows[:, a]], columns.bot[rows[:, b]]
                sign = np.where(one < other, 1, -1)
                ahead = np.sign(columns.place[rows[:, b]] - columns.place[rows[:, a]])
                pair = np.minimum(one, other) * len(columns.bots) + np.maximum(one, other)
                apart = columns.score[rows[:, a]] - columns.score[rows[:, b]]
                parts.append(
                    _Meetings(pair, columns.block[matches], (sign * ahead + 1) / 2, sign * apart,
                              columns.scored[matches])
                )  # fmt: skip
    return _Meetings.join(parts)
