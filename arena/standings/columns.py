"""Outcomes as numpy columns, so that a million matches are counted in seconds."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

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
    def of(cls, outcomes: Iterable[Outcome], bots: Sequence[str]) -> Self:
        """UsageError for a bot that is not among `bots`, or twice at one table."""
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
        start = np.concatenate([[0], np.cumsum(_ints(seats))]).astype(np.int64)
        given = cls(tuple(bots), 0, start[:-1], np.array(scored, bool), start, _ints(bot), _ints(place),
                    np.array(score, np.float64))  # fmt: skip
        return given._sorted(names)

    def _sorted(self, names: list[tuple[str, str]]) -> Self:
        order = sorted(range(len(names)), key=names.__getitem__)
        block = np.zeros(len(names), np.int64)
        for position in range(1, len(order)):
            new = names[order[position]][0] != names[order[position - 1]][0]
            block[position] = block[position - 1] + new
        chosen = _ints(order)
        sizes = np.diff(self.start)[chosen]
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        rows = np.arange(start[-1]) - np.repeat(start[:-1] - self.start[:-1][chosen], sizes)
        blocks = int(block[-1]) + 1 if len(block) else 0
        return type(self)(self.bots, blocks, block, self.scored[chosen], start,
                          self.bot[rows], self.place[rows], self.score[rows])  # fmt: skip

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


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, np.int64)


def _number(number: dict[str, int], name: str, outcome: Outcome) -> int:
    if name not in number:
        raise UsageError(f"match {outcome.match}: {name!r} is not among the bots")
    if outcome.bots.count(name) > 1:
        raise UsageError(f"match {outcome.match}: {name!r} sits at the table twice")
    return number[name]
