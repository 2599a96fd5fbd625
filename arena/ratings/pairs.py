"""Tables taken apart into pairs: the comparisons that a pairwise model is fitted to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.standings.columns import Columns, Floats, Ints


@dataclass(frozen=True, slots=True)
class Pairs:
    """Each pair at each table is one comparison, of weight 2 / seats; equal comparisons share a cell.

    Of a cell: the two bots, their seats (0 unless asked for), how many sat at the table, what `one` took
    from `other` (1, one half for a shared place, 0), and how often that happened. Of a comparison: its
    cell, and the rows of the two seats in the columns.
    """

    one: Ints
    other: Ints
    seat_one: Ints
    seat_other: Ints
    seats: Ints
    taken: Floats
    count: Ints
    cell: Ints
    row_one: Ints
    row_other: Ints

    @property
    def weight(self) -> Floats:
        """Of each cell's single comparison."""
        return 2 / self.seats

    def renumbered(self, order: Ints) -> "Pairs":
        """The same with the number `order[bot]` for each bot, cells in the order of the new numbers."""
        one, other = order[self.one], order[self.other]
        place = np.lexsort((self.taken, self.seats, self.seat_other, self.seat_one, other, one))
        new = np.empty(len(place), np.int64)
        new[place] = np.arange(len(place))
        return Pairs(
            one[place], other[place], self.seat_one[place], self.seat_other[place], self.seats[place],
            self.taken[place], self.count[place], new[self.cell], self.row_one, self.row_other,
        )  # fmt: skip


def pairs_of(columns: Columns, by_seat: bool = False) -> Pairs:
    """All comparisons; `by_seat` keeps those apart that were made on different seats."""
    bots, most = max(len(columns.bots), 1), int(np.max(np.diff(columns.start), initial=1))
    keys, firsts, seconds = ([np.zeros(0, np.int64)] for _ in range(3))
    for _, rows in columns.tables():
        seats = rows.shape[1]
        for a in range(seats):
            for b in range(a + 1, seats):
                first, second = rows[:, a], rows[:, b]
                one, other = columns.bot[first], columns.bot[second]
                took = np.sign(columns.place[second] - columns.place[first]) + 1
                place = (a * most + b) * most if by_seat else 0
                keys.append((((one * bots + other) * most**3) + place + seats - 1) * 3 + took)
                firsts.append(first)
                seconds.append(second)
    cells, cell, count = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    pair, where = cells // (3 * most**3), cells // 3 % most**3
    return Pairs(
        pair // bots, pair % bots, where // most**2, where // most % most, where % most + 1,
        cells % 3 / 2, count, cell, np.concatenate(firsts), np.concatenate(seconds),
    )  # fmt: skip


def neutral_order(pairs: Pairs, bots: int) -> Ints:
    """Of each bot a number that depends on its results, not on its name or place in the list.

    Bots are told apart by whom they met with what result, three steps deep; only those still alike are
    numbered as they came. Whole-number arithmetic modulo 2^64 is exact in any order.
    """
    colour = np.zeros(bots, np.uint64)
    taken, count = (2 * pairs.taken).astype(np.uint64), pairs.count.astype(np.uint64)
    seats, places = pairs.seats.astype(np.uint64), (pairs.seat_one << 16) + pairs.seat_other
    turned = (pairs.seat_other << 16) + pairs.seat_one
    for _ in range(3):
        seen = _mix(colour)
        for me, rival, result, at in (
            (pairs.one, pairs.other, taken, places),
            (pairs.other, pairs.one, np.uint64(2) - taken, turned),
        ):
            told = _mix(_mix(colour[rival] ^ (seats * np.uint64(4) + result)) ^ at.astype(np.uint64))
            np.add.at(seen, me, told * count)
        colour = seen
    order = np.empty(bots, np.int64)
    order[np.argsort(colour, kind="stable")] = np.arange(bots)
    return order


def _mix(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    value = (value + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    return (value ^ (value >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
