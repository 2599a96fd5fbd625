"""How far a rating may be off: intervals that hold although the matches of a block depend on each other."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from arena.ratings.graph import classes, reach
from arena.ratings.newton import PRIOR_SD
from arena.ratings.pairs import Pairs
from arena.standings.columns import Bools, Columns, Floats, Ints
from arena.standings.intervals import Z95, t95


@dataclass(frozen=True, slots=True)
class Links:
    """What is known of a field before any fit.

    Of each bot: its `group` (bots linked through matches), its `level` (within a level everybody is tied to
    everybody by chains of results taken both ways), in how many blocks it was compared, and whether it took
    all or nothing; of each group its number of blocks.
    """

    group: Ints
    level: Ints
    blocks: Ints
    group_blocks: Ints
    took_all: Bools
    took_none: Bools

    @classmethod
    def of(cls, columns: Columns, pairs: Pairs, order: Ints) -> Self:
        bots = len(order)
        took = np.zeros((bots, bots), bool)
        took[pairs.one[pairs.taken > 0], pairs.other[pairs.taken > 0]] = True
        took[pairs.other[pairs.taken < 1], pairs.one[pairs.taken < 1]] = True
        above = reach(took)
        group = classes(reach(took | took.T))
        match = columns.match_of_row
        compared = np.diff(columns.start)[match] > 1
        seen = np.unique(columns.block[match[compared]] * bots + order[columns.bot[compared]])
        block, bot = (seen // bots, seen % bots) if bots else (seen, seen)
        groups = int(np.max(group, initial=-1)) + 1
        met = np.unique(block * groups + group[bot]) % groups if bots else seen
        ahead, behind = np.any(took, axis=1), np.any(took, axis=0)
        return cls(
            group, classes(above & above.T), np.bincount(bot, minlength=bots),
            np.bincount(met, minlength=groups), ahead & ~behind, behind & ~ahead,
        )  # fmt: skip

    def freedom(self, group: int) -> int:
        """Degrees of freedom left for the spread of the group's blocks, the expected block included."""
        return max(int(self.group_blocks[group]) - int(np.sum(self.group == group)) + 1, 0) + 1


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model, bots first among its parameters, in natural units.

    `curvature` is minus the second derivatives of its log-posterior, `meat` the sum over blocks of the
    outer products of their scores.
    """

    strength: Floats
    curvature: Floats
    meat: Floats


def covariance(fit: Fit, links: Links) -> Floats:
    """Of the bots' strengths around their group's mean, such that 1.96 standard errors are a 95 % interval.

    H^-1 M H^-1 with the blocks as clusters (Liang & Zeger, Biometrika 73, 1986) times B / (B - n + 1),
    widened by Student's factor. To M and B one block is added for each bot that came out as the model
    expects: no spread is ever exactly 0, and a few lucky blocks do not pass for certainty. Where one level
    of a group only ever won against another, the place of the level is at least as uncertain as 1 / H says;
    and nothing is less certain than the prior.
    """
    bots = len(fit.strength)
    inverse = np.linalg.inv(fit.curvature)
    meat = fit.meat.copy()
    meat[:bots, :bots] += _expected_block(fit.curvature[:bots, :bots], links.blocks)
    robust = (inverse @ meat @ inverse)[:bots, :bots]
    model = inverse[:bots, :bots]
    widen = np.ones(bots)
    size = np.bincount(links.group, minlength=len(links.group_blocks))
    for group, blocks in enumerate(links.group_blocks):
        freedom = links.freedom(group)
        widen[links.group == group] = np.sqrt(max(blocks, 1) / freedom) * t95(freedom) / Z95
    # The mean of a group is 0 by convention and certain; the prior's share of it is no part of the spread.
    same = links.group[:, None] == links.group
    model = model - same * PRIOR_SD**2 / size[links.group]
    spread = robust * np.outer(widen, widen)
    for level in np.unique(links.level):
        members = np.flatnonzero(links.level == level)
        if len(members) < size[links.group[members[0]]]:
            square = np.ix_(members, members)
            spread[square] += max(0.0, float(np.mean(model[square] - spread[square])))
    lone = size[links.group] == 1
    spread[lone, lone] = PRIOR_SD**2
    cap = np.sqrt(np.minimum(1.0, PRIOR_SD**2 / np.maximum(np.diag(spread), 1e-300)))
    return np.asarray(spread * np.outer(cap, cap))


def _expected_block(curvature: Floats, blocks: Ints) -> Floats:
    """The information of an average block of each bot: all information, each pair's over √(B_i B_j)."""
    weight = np.sqrt(np.maximum(blocks, 1.0))
    between = curvature / np.outer(weight, weight)
    np.fill_diagonal(between, 0.0)
    return np.asarray(between - np.diag(between.sum(axis=1)))
