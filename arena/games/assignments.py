"""Hidden cards within bounds: all ways to give each place a card of its own, counted and drawn uniformly.

Cards are numbered from 0; a bound is a set of them as the bits of a whole number.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import perm
from random import Random


def count(bounds: Sequence[int], cards: int) -> int:
    """In how many ways each place can be given one of its cards, all different."""
    tight = _tight(bounds, cards)
    others = perm(cards - len(tight), len(bounds) - len(tight))
    return _ways(tuple(bound for _, bound, _ in tight), 0) * others


def draw(cases: Sequence[Sequence[int]], cards: int, rng: Random) -> list[int]:
    """A card for each place, uniform over all ways of all cases, which exclude each other.

    ValueError where there is no way.
    """
    counts = [count(bounds, cards) for bounds in cases]
    if not any(counts):
        raise ValueError("no cards fit these bounds")
    case = cases[_pick(counts, rng)]
    tight = _tight(case, cards)
    bounds = tuple(bound for _, bound, _ in tight)
    used, drawn = 0, [0] * len(case)
    for i, (_, bound, place) in enumerate(tight, start=1):
        free = _bits(bound & ~used)
        drawn[place] = free[_pick([_ways(bounds[i:], used | bit) for bit in free], rng)]
        used |= drawn[place]
    spare = iter(rng.sample(_bits((1 << cards) - 1 & ~used), len(case) - len(tight)))
    return [(bit or next(spare)).bit_length() - 1 for bit in drawn]


def _tight(bounds: Sequence[int], cards: int) -> list[tuple[int, int, int]]:
    """Size, bound and place of those that exclude a card, the tightest first: that keeps the count short."""
    free = (1 << cards) - 1
    return sorted((bound.bit_count(), bound, place) for place, bound in enumerate(bounds) if bound != free)


@lru_cache(maxsize=1 << 15)
def _ways(bounds: tuple[int, ...], used: int) -> int:
    if not bounds:
        return 1
    rest = bounds[1:]
    return sum([_ways(rest, used | bit) for bit in _bits(bounds[0] & ~used)])


def _bits(cards: int) -> list[int]:
    """The single bits, lowest first."""
    bits = []
    while cards:
        bits.append(cards & -cards)
        cards &= cards - 1
    return bits


def _pick(weights: Sequence[int], rng: Random) -> int:
    if len(weights) == 1:
        return 0
    return bisect_right(list(accumulate(weights)), rng.randrange(sum(weights)))
