"""Balanced tables: a few of the many possible tables, such that every pair meets about equally often.

A given number of meetings tells most about strength when all pairs meet equally often. So the cost is the sum
of squared meetings under two constraints: no table twice, and nobody sits at more tables than another by more
than one. Tables are built greedily, then improved by swapping seats of two tables. Where a good part of all
tables is wanted greed gets stuck on tables it has, so it begins with whole orbits: a table and all its turns.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random

from arena.errors import UsageError

MOST_SWAPS, SWAPS_PER_TABLE = 200_000, 4_000
"""How many swaps are tried: enough for an efficiency over 0.96 of the ideal once each pair meets once."""
STARTS, TRIES = 200, 20
"""How often the greedy part begins anew, and how often it draws a table, when what it finds is taken."""

Meetings = list[list[int]]


def meetings_of(players: int, tables: Sequence[Sequence[int]]) -> Meetings:
    """How often each pair of the players 0, 1, … meets at these tables."""
    met = [[0] * players for _ in range(players)]
    for table in tables:
        _count(met, table, 1)
    return met


def balanced_tables(
    players: int, seats: int, count: int, earlier: Sequence[Sequence[int]], rng: Random
) -> list[tuple[int, ...]]:
    """`count` different tables, each sorted, balanced together with the `earlier` ones.

    `count` is at most the number of all tables. Of more than half of them those left out are chosen instead.
    """
    every = list(combinations(range(players), seats)) if 2 * count > comb(players, seats) else []
    if every:
        left_out = set(balanced_tables(players, seats, len(every) - count, (), rng))
        return [table for table in every if table not in left_out]
    best: tuple[int, list[tuple[int, ...]]] | None = None
    swaps, swaps_each = 0, min(MOST_SWAPS, SWAPS_PER_TABLE * count)
    for _ in range(STARTS):
        met = meetings_of(players, earlier)
        seen = [sum(player in table for table in earlier) for player in range(players)]
        dense = 8 * count > comb(players, seats)
        begun = _orbits(met, players, seats, count, rng) if dense else []
        for table in begun:
            for player in table:
                seen[player] += 1
        tables = _greedy(met, seen, begun, count, rng, seats)
        if tables is None:
            continue
        _improve(tables, met, swaps_each, rng)
        swaps += swaps_each
        found = (_excess(met), sorted(tuple(sorted(table)) for table in tables))
        best = min(best or found, found)
        if best[0] == 0 or swaps >= MOST_SWAPS:  # a small field is so cheap that it is tried again
            return best[1]
    if best is None:
        raise UsageError(
            f"no {count} balanced tables of {seats} were found for {players} bots; ask for fewer"
        )
    return best[1]


def _orbits(met: Meetings, players: int, seats: int, count: int, rng: Random) -> list[list[int]]:
    """Whole orbits of tables, at most `count` of them, each next the one whose pairs have met least."""
    left = {min(_turns(table, players)) for table in combinations(range(players), seats) if 0 in table}
    tables: list[list[int]] = []
    while count - len(tables) >= players:
        orbit = min(sorted(left), key=lambda t: (sum(met[a][b] for a, b in combinations(t, 2)), rng.random()))
        left.remove(orbit)
        turns = _turns(orbit, players)
        if len(turns) == players:  # a shorter orbit is left to greed
            for table in sorted(turns):
                tables.append(list(table))
                _count(met, table, 1)
    return tables


def _turns(table: Sequence[int], players: int) -> set[tuple[int, ...]]:
    return {tuple(sorted((place + turn) % players for place in table)) for turn in range(players)}


def _greedy(
    met: Meetings, seen: list[int], begun: list[list[int]], count: int, rng: Random, seats: int
) -> list[list[int]] | None:
    """Table by table those who sat least, each the one who met the others there least; None when stuck."""
    tables = list(begun)
    taken = {tuple(table) for table in begun}
    for _ in range(count - len(begun)):
        fresh = (_next_table(met, seen, seats, rng) for _ in range(TRIES))
        table = next((table for table in fresh if tuple(sorted(table)) not in taken), None)
        if table is None:
            return None
        taken.add(tuple(sorted(table)))
        tables.append(table)
        _count(met, table, 1)
        for player in table:
            seen[player] += 1
    return tables


def _next_table(met: Meetings, seen: list[int], seats: int, rng: Random) -> list[int]:
    order = list(range(len(seen)))
    rng.shuffle(order)
    table: list[int] = []
    while len(table) < seats:
        free = [player for player in order if player not in table]
        table.append(min(free, key=lambda p: (seen[p], sum(met[p][other] ** 2 for other in table))))
    return table


def _improve(tables: list[list[int]], met: Meetings, swaps: int, rng: Random) -> None:
    """Swap seats of two tables while the sum of squared meetings falls, or stays as it is."""
    if len(tables) < 2:
        return
    seats = len(tables[0])
    excess = _excess(met)
    taken = {tuple(sorted(table)) for table in tables}
    for _ in range(swaps):
        a, b = rng.sample(range(len(tables)), 2)
        one, two = tables[a], tables[b]
        i, j = rng.randrange(seats), rng.randrange(seats)
        x, y = one[i], two[j]
        if x in two or y in one:
            continue
        others_a = [player for player in one if player != x]
        others_b = [player for player in two if player != y]
        # Squared meetings: taking one away saves 2m - 1, adding one costs 2m + 1.
        change = sum(met[y][p] - met[x][p] + 1 for p in others_a) + sum(
            met[x][p] - met[y][p] + 1 for p in others_b
        )
        if excess == 0:
            return
        if change > 0:
            continue
        new_a, new_b = tuple(sorted([*others_a, y])), tuple(sorted([*others_b, x]))
        if new_a in taken or new_b in taken or new_a == new_b:
            continue
        for old, new, table, seat, player in ((one, new_a, one, i, y), (two, new_b, two, j, x)):
            taken.remove(tuple(sorted(old)))
            _count(met, old, -1)
            table[seat] = player
            taken.add(new)
            _count(met, table, 1)
        excess += 2 * change


def _excess(met: Meetings) -> int:
    """How far the sum of squared meetings lies above the least that their number allows (ordered pairs)."""
    players = len(met)
    pairs = [met[one][other] for one in range(players) for other in range(players) if one != other]
    each, more = divmod(sum(pairs), len(pairs))
    return sum(m * m for m in pairs) - (more * (each + 1) ** 2 + (len(pairs) - more) * each**2)


def _count(met: Meetings, table: Sequence[int], by: int) -> None:
    for one, other in combinations(table, 2):
        met[one][other] += by
        met[other][one] += by
