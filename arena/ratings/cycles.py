"""Rings of bots that beat each other in turn, which no rating can show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arena.model import Outcome
from arena.ratings.graph import classes, reach
from arena.standings.columns import Bools, Columns
from arena.standings.head_to_head import HeadToHead


@dataclass(frozen=True, slots=True)
class Cycle:
    """Each bot took more than half of the points from the next, the last from the first.

    `certain`: each of these leads holds with 95 % confidence.
    """

    bots: tuple[str, ...]
    certain: bool

    def __str__(self) -> str:
        ring = " beats ".join((*self.bots, self.bots[0]))
        return f"{ring}{'' if self.certain else ' (may be chance)'}"


@dataclass(frozen=True, slots=True)
class Cycles:
    """The rings of a field.

    `found`: for each set of bots that are linked by beating each other in rings a shortest one, certain
    ones first and uncertain ones only where they are apart from those. `share`: of all three bots who have
    all met without a draw, the part that form a ring (one quarter where results are coin flips); None when
    there are no three.
    """

    found: tuple[Cycle, ...]
    share: float | None

    def words(self, most: int = 5) -> tuple[str, ...]:
        """The rings and what they mean, in sentences."""
        if not self.found:
            return ()
        if self.found[0].certain:
            first = "The field is not transitive: one number a bot cannot say who beats whom."
        else:
            first = "Who beats whom goes round in rings, none of them certain: more matches would tell."
        more = len(self.found) - most
        return (
            first,
            *(f"{cycle}." for cycle in self.found[:most]),
            *([f"And {more} more."] if more > 0 else []),
        )


def cycles(outcomes: Iterable[Outcome], bots: Sequence[str]) -> Cycles:
    """The rings among these results; UsageError as for ratings."""
    return cycles_of(HeadToHead(Columns.of(outcomes, bots)))


def cycles_of(table: HeadToHead) -> Cycles:
    """The same from a head-to-head table."""
    order = sorted(range(len(table.bots)), key=table.bots.__getitem__)
    names = tuple(table.bots[i] for i in order)
    beats, certain = (lead[np.ix_(order, order)] for lead in table.leads())
    sure = _rings(certain)
    taken = {bot for ring in sure for bot in ring}
    unsure = [ring for ring in _rings(beats) if not taken.intersection(ring)]
    found = [Cycle(tuple(names[bot] for bot in ring), True) for ring in sure]
    found += [Cycle(tuple(names[bot] for bot in ring), False) for ring in unsure]
    return Cycles(tuple(found), _cyclic_share(beats))


def _cyclic_share(beats: Bools) -> float | None:
    """Of the triples that are decided in all three pairs, the part that go round."""
    steps = beats.astype(np.float64)
    two = steps @ steps
    round_, straight = float(np.sum(two * steps.T)) / 3, float(np.sum(two * steps))
    return round(round_ / (round_ + straight), 6) if round_ + straight else None


def _rings(beats: Bools) -> list[tuple[int, ...]]:
    """For each set of bots that reach each other a shortest ring, from its first bot on."""
    to = reach(beats)
    level = classes(to & to.T)
    rings = []
    for number in np.unique(level):
        members = np.flatnonzero(level == number).tolist()
        if len(members) > 1:
            inside = {bot: [m for m in members if beats[bot, m]] for bot in members}
            rings.append(_shortest(members, inside))
    return rings


def _shortest(members: Sequence[int], beats: dict[int, list[int]]) -> tuple[int, ...]:
    best = _ring(members[0], beats)
    for bot in members[1:]:
        if len(best) == 3:
            break
        best = min(best, _ring(bot, beats), key=len)
    return best


def _ring(start: int, beats: dict[int, list[int]]) -> tuple[int, ...]:
    """A shortest way from a bot back to itself."""
    came: dict[int, int] = {}
    wave = [start]
    while start not in came:
        following = []
        for bot in wave:
            for beaten in beats[bot]:
                if beaten not in came:
                    came[beaten] = bot
                    following.append(beaten)
        wave = following
    ring = [came[start]]
    while ring[-1] != start:
        ring.append(came[ring[-1]])
    return tuple(reversed(ring))
