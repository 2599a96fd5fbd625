"""From a fitted model to the rating table."""

from collections.abc import Sequence

import numpy as np

from arena.errors import UsageError, did_you_mean
from arena.model import Rating, Ratings
from arena.ratings.newton import ELO
from arena.ratings.spread import Fit, Links, covariance
from arena.standings.columns import Bools, Columns, Floats, Ints
from arena.standings.intervals import Z95, normal_cdf

SAME = 1e-6
"""Ratings closer than this, in Elo, are equal: equal results give equal ratings to the last bit."""
DIGITS = 6
"""Decimals kept of every number, so that no last bit of the arithmetic shows."""


def table(columns: Columns, order: Ints, fit: Fit, links: Links, anchor: str | None = None) -> Ratings:
    """The ratings of a fit whose bots are numbered by `order`: groups by size, the best first in each.

    UsageError when the anchor is no bot.
    """
    bots, group = columns.bots, links.group[order]
    rating = _levelled(fit.strength[order] * ELO, group)
    spread = covariance(fit, links)[np.ix_(order, order)] * ELO**2
    bound = np.where(links.took_all[order], 1, np.where(links.took_none[order], -1, 0))
    if anchor is not None:
        rating, spread, bound = _anchored(rating, spread, bound, group, _index(bots, anchor))
    ranked = _ranked(bots, rating, group)
    rating, group = np.round(rating[ranked], DIGITS) + 0.0, group[ranked]
    spread = np.round(spread[np.ix_(ranked, ranked)], DIGITS) + 0.0
    rank, low, high = _ranks(rating, spread, group)
    number = np.cumsum(np.diff(group, prepend=group[:1]) != 0)
    matches = np.bincount(columns.bot, minlength=len(bots))
    levels = links.level[order].tolist()
    seen = {old: new for new, old in enumerate(dict.fromkeys(levels[bot] for bot in ranked))}
    rows = tuple(
        Rating(
            bots[bot], float(rating[i]), round(Z95 * float(spread[i, i]) ** 0.5, DIGITS),
            int(rank[i]), int(low[i]), int(high[i]), _over_next(rating, spread, group, i), int(number[i]),
            ("", "at least", "at most")[bound[bot]], int(links.blocks[order[bot]]), int(matches[bot]),
            seen[levels[bot]],
        )
        for i, bot in enumerate(ranked)
    )  # fmt: skip
    return Ratings(rows, tuple(map(tuple, spread.tolist())), _notes(rows, anchor))


def superiority(ratings: Ratings) -> tuple[tuple[float | None, ...], ...]:
    """The likelihood that the row's bot is stronger than the column's, in table order.

    None on the diagonal and between groups that never met.
    """
    spread, rows = np.array(ratings.covariance), ratings.rows
    rating, group = np.array([row.rating for row in rows]), np.array([row.group for row in rows])
    chance = np.vectorize(normal_cdf, otypes=[float])(_standardised(rating, spread)) if rows else spread
    return tuple(
        tuple(
            None if i == j or group[i] != group[j] else round(value, DIGITS) for j, value in enumerate(line)
        )
        for i, line in enumerate(chance.tolist())
    )


def _levelled(rating: Floats, group: Ints) -> Floats:
    """Ratings of one group that differ by less than SAME set to their mean."""
    order = np.lexsort((rating, group))
    apart = (np.diff(rating[order], prepend=-np.inf) >= SAME) | (np.diff(group[order], prepend=-1) != 0)
    cluster = np.empty(len(rating), np.int64)
    cluster[order] = np.cumsum(apart) - 1
    return np.asarray((np.bincount(cluster, rating) / np.bincount(cluster))[cluster])


def _anchored(
    rating: Floats, spread: Floats, bound: Ints, group: Ints, at: int
) -> tuple[Floats, Floats, Ints]:
    """The same seen from one bot of the field, which is put at 0; groups that never met it stay as they
    are.

    What is only a bound for the anchor is the opposite bound for all that is measured from it.
    """
    mine = group == group[at]
    shift = np.where(mine, spread[at], 0.0)
    both = np.outer(mine, mine)
    moved = np.where(both, spread - shift[:, None] - shift + spread[at, at], spread)
    moved[at], moved[:, at] = 0.0, 0.0
    seen = np.where(mine, -bound[at], bound) if bound[at] else bound.copy()
    seen[at] = 0
    return rating - np.where(mine, rating[at], 0.0), moved, seen


def _index(bots: Sequence[str], anchor: str) -> int:
    if anchor not in bots:
        raise UsageError(f"anchor: one of the bots, not {anchor!r}{did_you_mean(anchor, bots)}")
    return list(bots).index(anchor)


def _ranked(bots: Sequence[str], rating: Floats, group: Ints) -> list[int]:
    members: dict[int, list[int]] = {}
    for bot, of in enumerate(group.tolist()):
        members.setdefault(of, []).append(bot)
    in_order = sorted(members.values(), key=lambda some: (-len(some), min(bots[bot] for bot in some)))
    return [bot for some in in_order for bot in sorted(some, key=lambda bot: (-rating[bot], bots[bot]))]


def _standardised(rating: Floats, spread: Floats) -> Floats:
    """Of each pair the difference in standard errors; 0 where the ratings are equal."""
    own = np.diag(spread)
    error = np.sqrt(np.maximum(own[:, None] + own - 2 * spread, 1e-12))
    return np.asarray((rating[:, None] - rating) / error)


def _ranks(rating: Floats, spread: Floats, group: Ints) -> tuple[Ints, Ints, Ints]:
    """Rank in the group, shared by equals, and between which ranks it may lie.

    Only a bot that is better (worse) with 95 % confidence, pair by pair, is sure to stand above (below).
    """
    same: Bools = group[:, None] == group
    apart = _standardised(rating, spread)
    above, below = same & (apart < -Z95), same & (apart > Z95)
    rank = 1 + np.sum(same & (rating > rating[:, None]), axis=1)
    return rank, 1 + above.sum(axis=1), same.sum(axis=1) - below.sum(axis=1)


def _over_next(rating: Floats, spread: Floats, group: Ints, row: int) -> float | None:
    if row + 1 >= len(rating) or group[row] != group[row + 1]:
        return None
    pair = slice(row, row + 2)
    return round(normal_cdf(float(_standardised(rating[pair], spread[pair, pair])[0, 1])), DIGITS)


def _notes(rows: Sequence[Rating], anchor: str | None) -> tuple[str, ...]:
    """What a reader must know about the table, in words."""
    if not any(row.blocks for row in rows):
        return ("There is no result yet: nothing is known about any bot.",) if rows else ()
    notes = []
    idle = [row.bot for row in rows if not row.blocks]
    if idle:
        notes.append(f"Nothing is known about {_listed(idle)}: no result.")
    groups = sorted({row.group for row in rows if row.blocks})
    if len(groups) > 1:
        notes.append(
            f"The field falls into {len(groups)} groups that never met, not even through others; each has "
            "its own table, and ratings of different groups cannot be compared."
        )
    home = next((row.group for row in rows if row.bot == anchor), None)
    if anchor is not None and any(group != home for group in groups):
        notes.append(
            f"Bots that never met the anchor {anchor}, not even through others, have their own mean as 0."
        )
    first = [row for row in rows if row.group == groups[0]]
    if len(first) > 1 and first[0].rating == first[-1].rating:
        notes.append("All bots are level: no result puts one above another.")
    return tuple(notes)


def _listed(names: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
