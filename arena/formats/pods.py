"""Swiss tables of any size ("pods"): few repeats first, then equal scores within a table.

The cost of a round is Σ over pairs at a table of 1000 · (meetings so far)² + (score difference)². The search
takes one player out of every table at once and puts all of them back in the best way (an assignment problem)
over and over; no step is worse than standing still, so the cost only falls.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

REPEAT = 1000.0
MOST_PATIENCE, LEAST_PATIENCE = 20, 4
"""Full passes without gain before the search gives up: many for a small field, few for a large one."""


def pods(
    sizes: Sequence[int], scores: NDArray[np.float64], met: NDArray[np.int64], seed: int
) -> list[list[int]]:
    """Tables of the given sizes (largest first) over players 0..n-1, given in rank order.

    `met[i, j]` counts how often i and j have met; `scores` are points so far. Deterministic in its arguments.
    """
    rng = np.random.default_rng(seed)
    cost = REPEAT * met.astype(np.float64) ** 2 + (scores[:, None] - scores[None, :]) ** 2
    np.fill_diagonal(cost, 0.0)
    tables = _by_rank(sizes, rng, scores)
    patience = min(MOST_PATIENCE, max(LEAST_PATIENCE, 1280 // max(len(scores), 1)))
    best, idle = _total(cost, tables), 0
    while tables and idle < patience:
        before = best
        for _ in range(max(sizes)):
            _reinsert(cost, tables, rng)
        best = _total(cost, tables)
        idle = 0 if best < before - 1e-9 else idle + 1
    return [sorted(table) for table in tables]


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


def _by_rank(sizes: Sequence[int], rng: np.random.Generator, scores: NDArray[np.float64]) -> list[list[int]]:
    """Neighbours in rank sit together at first; equal scores are in random order."""
    order = np.lexsort((rng.random(len(scores)), -scores))
    ends = np.cumsum(sizes)
    return [order[end - size : end].tolist() for size, end in zip(sizes, ends, strict=True)]


def _reinsert(cost: NDArray[np.float64], tables: list[list[int]], rng: np.random.Generator) -> None:
    out = [table.pop(int(rng.integers(len(table)))) for table in tables]
    price = np.stack([cost[np.ix_(out, table)].sum(axis=1) for table in tables], axis=1)
    players, places = linear_sum_assignment(price)
    for player, place in zip(players, places, strict=True):
        tables[place].append(out[player])


def _total(cost: NDArray[np.float64], tables: Sequence[Sequence[int]]) -> float:
    return float(sum(cost[np.ix_(table, table)].sum() for table in tables)) / 2
