"""Outcomes as numpy columns, so that a million matches are counted in seconds."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.model import Outcome

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Columns:
    """Matches as columns, in one order whatever order they came in: by block, then by match name.

    `block` and `scored` have an entry for each match; `bot`, `place` and `score` one for each seat, those
    of a match together and in seat order from `start[match]`. Bots and blocks are numbered; a score that is
    unknown (`scored` False) is 0.
    """

    bots: tuple[str, ...]
    blocks: int
    block: Ints
    scored: Bools
    start: Ints
    bot: Ints
    place: Ints
    score: Floats

    @classmethod
    def of(cls, outcomes: Iterable[Outcome], bots: Sequence[str]) -> "Columns":
        """UsageError for a bot that is not among `bots`, or twice at one table. Columns stay as they are."""
        if isinstance(outcomes, Columns) and outcomes.bots == tuple(bots):
            return outcomes
        number = {bot: index for index, bot in enumerate(bots)}
        names: list[tuple[str, str]] = []
        seats, bot, place, score, scored = array("q"), array("q"), array("q"), array("d"), array("b")
        for outcome in outcomes:
            names.append((outcome.block, outcome.match))
            seats.append(len(outcome.bots))
            bot.extend([_number(number, name, outcome) for name in outcome.bots])
            place.extend(outcome.placings)
            score.extend(outcome.scores if outcome.scores is not None else [0.0] * len(outcome.bots))
            scored.append(outcome.scores is not None)
        return cls.of_rows(
            bots, names, ints(seats), ints(bot), ints(place), np.array(score), np.array(scored, bool)
        )

    @classmethod
    def of_rows(
        cls,
        bots: Sequence[str],
        names: Sequence[tuple[str, str]],
        seats: Ints,
        bot: Ints,
        place: Ints,
        score: Floats,
        scored: Bools,
    ) -> "Columns":
        """From each match's (block, match) names, seats and `scored`, and the rows of all matches in turn."""
        order = sorted(range(len(names)), key=names.__getitem__)
        new = [0, *(names[a][0] != names[b][0] for a, b in pairwise(order))]
        block = np.cumsum(new, dtype=np.int64)[: len(order)]
        chosen = ints(order)
        start = np.concatenate([[0], np.cumsum(seats[chosen])]).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(seats)]).astype(np.int64)[:-1]
        rows = np.arange(start[-1]) + np.repeat(before[chosen] - start[:-1], seats[chosen])
        blocks = int(block[-1]) + 1 if len(block) else 0
        return cls(tuple(bots), blocks, block, scored[chosen], start, bot[rows], place[rows], score[rows])

    def __iter__(self) -> Iterator[Outcome]:
        """The matches as outcomes, under numbers for names."""
        for match, block in enumerate(self.block.tolist()):
            rows = slice(self.start[match], self.start[match + 1])
            bots = tuple(self.bots[bot] for bot in self.bot[rows].tolist())
            score = tuple(self.score[rows].tolist()) if self.scored[match] else None
            yield Outcome(f"m{match}", f"b{block}", bots, tuple(self.place[rows].tolist()), score)

    @property
    def matches(self) -> int:
        return len(self.block)

    def tables(self, among: Bools | None = None) -> Iterator[tuple[Ints, Ints]]:
        """For each table size its matches, and a matrix of their rows with a column for each seat."""
        sizes = np.diff(self.start)
        for seats in np.unique(sizes):
            chosen = np.flatnonzero(sizes == seats if among is None else (sizes == seats) & among)
            yield chosen, self.start[chosen][:, None] + np.arange(seats)

    @property
    def match_of_row(self) -> Ints:
        return np.repeat(np.arange(self.matches), np.diff(self.start))


def ints(values: Sequence[int]) -> Ints:
    return np.array(values, np.int64)


def _number(number: dict[str, int], name: str, outcome: Outcome) -> int:
    if name not in number:
        raise UsageError(f"match {outcome.match}: {name!r} is not among the bots")
    if outcome.bots.count(name) > 1:
        raise UsageError(f"match {outcome.match}: {name!r} sits at the table twice")
    return number[name]
