"""Swiss tables of any size ("pods"): few repeats first, then equal scores within a table.

The cost of a round is Σ over pairs at a table of 1000 · (meetings so far)² + (score difference)². In a small
field all ways to seat it are gone through. In a larger one the search takes one player out of every table at
once and puts all of them back in the best way (an assignment problem) over and over; no step is worse than
standing still, so the cost only falls.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

REPEAT = 1000.0
FEW_WAYS = 20_000
"""Up to so many ways to seat a field all are gone through: 14 players at full tables of three or four."""
MOST_PATIENCE, LEAST_PATIENCE = 20, 4
"""Full passes without gain before the search gives up: many for a small field, few for a large one."""
STARTS = 256
"""The search is begun so often, over the number of players: again for a field of a hundred or less."""

Floats = NDArray[np.float64]
Tables = list[list[int]]


def pods(sizes: Sequence[int], scores: Floats, met: NDArray[np.int64], seed: int) -> Tables:
    """Tables of the given sizes (largest first) over players 0..n-1, given in rank order.

    `met[i, j]` counts how often i and j have met; `scores` are points so far. Deterministic in its arguments.
    """
    rng = np.random.default_rng(seed)
    cost = REPEAT * met.astype(np.float64) ** 2 + (scores[:, None] - scores[None, :]) ** 2
    np.fill_diagonal(cost, 0.0)
    if not sizes:
        return []
    if _ways(sizes) <= FEW_WAYS:
        return _best_of_all(sizes, cost, rng)
    starts = max(1, STARTS // len(scores))
    return min((_searched(sizes, scores, cost, rng) for _ in range(starts)), key=lambda found: found[0])[1]


def table_sizes(players: int, seats: int, short: bool) -> tuple[int, ...]:
    """Full tables; with `short` some have one seat less, so that everybody sits, if that can be.

    Nobody sits alone: at two seats there are full tables only.
    """
    if short and seats > 2:
        tables = -(-players // seats)
        lacking = tables * seats - players
        if lacking <= tables:
            return (seats,) * (tables - lacking) + (seats - 1,) * lacking
    return (seats,) * (players // seats)


def _ways(sizes: Sequence[int]) -> int:
    """How many ways there are to seat as many players at tables of these sizes."""
    alike = prod(factorial(count) for count in Counter(sizes).values())
    return factorial(sum(sizes)) // (prod(map(factorial, sizes)) * alike)


def _best_of_all(sizes: Sequence[int], cost: Floats, rng: np.random.Generator) -> Tables:
    """The cheapest of all ways to seat them; of equals the first in a random order of the players."""
    players = rng.permutation(len(cost)).tolist()
    price = cost.tolist()
    best, best_total = Tables(), float("inf")

    def seat(waiting: list[int], free: Sequence[int], tables: Tables, total: float) -> None:
        nonlocal best, best_total
        if not waiting:
            best, best_total = tables, total
            return
        first, rest = waiting[0], waiting[1:]
        for size in sorted(set(free), reverse=True):
            left = list(free)
            left.remove(size)
            for others in combinations(rest, size - 1):
                table = [first, *others]
                here = total + sum(price[one][other] for one, other in combinations(table, 2))
                if here < best_total - 1e-9:
                    seat([player for player in rest if player not in others], left, [*tables, table], here)

    seat(players, sizes, [], 0.0)
    return sorted((sorted(table) for table in best), key=len, reverse=True)


def _searched(
    sizes: Sequence[int], scores: Floats, cost: Floats, rng: np.random.Generator
) -> tuple[float, Tables]:
    """What one search finds, with its cost."""
    tables = _by_rank(sizes, rng, scores)
    patience = min(MOST_PATIENCE, max(LEAST_PATIENCE, 1280 // len(scores)))
    best, idle = _total(cost, tables), 0
    while idle < patience:
        before = best
        for _ in range(max(sizes)):
            _reinsert(cost, tables, rng)
        best = _total(cost, tables)
        idle = 0 if best < before - 1e-9 else idle + 1
    return best, [sorted(table) for table in tables]


def _by_rank(sizes: Sequence[int], rng: np.random.Generator, scores: Floats) -> Tables:
    """Neighbours in rank sit together at first; equal scores are in random order."""
    order = np.lexsort((rng.random(len(scores)), -scores))
    ends = np.cumsum(sizes)
    return [order[end - size : end].tolist() for size, end in zip(sizes, ends, strict=True)]


def _reinsert(cost: Floats, tables: Tables, rng: np.random.Generator) -> None:
    out = [table.pop(int(rng.integers(len(table)))) for table in tables]
    price = np.stack([cost[np.ix_(out, table)].sum(axis=1) for table in tables], axis=1)
    players, places = linear_sum_assignment(price)
    for player, place in zip(players, places, strict=True):
        tables[place].append(out[player])


def _total(cost: Floats, tables: Sequence[Sequence[int]]) -> float:
    return float(sum(cost[np.ix_(table, table)].sum() for table in tables)) / 2
