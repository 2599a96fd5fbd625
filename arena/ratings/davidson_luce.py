"""Davidson-Luce: whole placings with ties as choices, a second opinion beside Bradley-Terry.

A table is a sequence of choices: who is first, then who is first of the others, and so on. That the set T
is chosen has odds δ_|T| · (Π strengths in T)^(1/|T|), with one δ for each number of tied bots that occurs
(Firth, Kosmidis & Turner, Davidson-Luce model for multi-item choice with ties, 2019). Without ties it is
Plackett-Luce, at two seats Davidson's model (JASA 65, 1970). Priors and intervals are those of
Bradley-Terry.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arena.errors import UsageError
from arena.model import Outcome, Ratings
from arena.ratings.newton import PRIOR_SD, block_scores, maximise
from arena.ratings.pairs import neutral_order, pairs_of
from arena.ratings.spread import Fit, Links
from arena.ratings.table import table
from arena.standings.columns import Columns, Floats, Ints

MOST_SEATS = 10
"""Larger tables have too many possible ties to sum over."""


def davidson_luce(outcomes: Iterable[Outcome], bots: Sequence[str], anchor: str | None = None) -> Ratings:
    """The ratings of all bots from all outcomes, in Elo; see `arena.model.Ratings`.

    UsageError for tables of more than ten, or where an outcome or the anchor names a bot not among `bots`.
    """
    columns = Columns.of(outcomes, bots)
    if (most := int(np.max(np.diff(columns.start), initial=0))) > MOST_SEATS:
        raise UsageError(f"davidson_luce: tables of at most {MOST_SEATS} bots, not {most}")
    pairs = pairs_of(columns)
    order = neutral_order(pairs, len(bots))
    links = Links.of(columns, pairs.renumbered(order), order)
    return table(columns, order, _Model(columns, order).fit(), links, anchor)


@dataclass(frozen=True, slots=True)
class _Choices:
    """Choices of the first `chosen` of the bots in each row of `among`, and the block of each."""

    chosen: int
    among: Ints
    block: Ints


def _choices(columns: Columns, order: Ints) -> Iterator[_Choices]:
    for matches, rows in columns.tables():
        place = columns.place[rows]
        level = np.sum(place[:, :, None] > place[:, None, :], axis=2)
        patterns, pattern = np.unique(level, axis=0, return_inverse=True)
        for number, stages in enumerate(patterns.tolist()):
            here = pattern.ravel() == number
            bots, block = order[columns.bot[rows[here]]], columns.block[matches[here]]
            for stage in sorted(set(stages)):
                first = [seat for seat, at in enumerate(stages) if at == stage]
                rest = [seat for seat, at in enumerate(stages) if at > stage]
                if len(first) + len(rest) > 1:
                    yield _Choices(len(first), bots[:, first + rest], block)


class _Model:
    """The likelihood of all choices; parameters: the bots' strengths, then log δ of each number tied."""

    def __init__(self, columns: Columns, order: Ints) -> None:
        self.bots = len(columns.bots)
        parts: dict[tuple[int, int], list[_Choices]] = {}
        for part in _choices(columns, order):
            parts.setdefault((part.among.shape[1], part.chosen), []).append(part)
        self.ties = sorted({chosen for _, chosen in parts} - {1})
        self.choices = [
            _Choices(chosen, np.concatenate([p.among for p in some]), np.concatenate([p.block for p in some]))
            for (_, chosen), some in sorted(parts.items())
        ]
        self.parameters = self.bots + len(self.ties)

    def fit(self) -> Fit:
        point, curvature = maximise(self.derivatives, np.zeros(self.parameters))
        block, parameter = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        score = [np.zeros(0)]
        for choices in self.choices:
            where, features = self.local(choices)
            surprise = features[0] - self.chance(point, where, features)[1] @ features
            block.append(np.repeat(choices.block, where.shape[1]))
            parameter.append(where.ravel())
            score.append(surprise.ravel())
        meat = block_scores(
            np.concatenate(block), np.concatenate(parameter), np.concatenate(score), self.parameters
        )
        return Fit(point[: self.bots], curvature, meat)

    def local(self, choices: _Choices) -> tuple[Ints, Floats]:
        """Of each row the parameters that its choice depends on; and of each possible choice, the one made
        first, how much of each of them it has."""
        size = choices.among.shape[1]
        made = tuple(range(choices.chosen))
        sets = [made] + [
            some for count in (1, *self.ties) for some in combinations(range(size), count) if some != made
        ]
        features = np.zeros((len(sets), size + len(self.ties)))
        for row, some in enumerate(sets):
            features[row, list(some)] = 1 / len(some)
            if len(some) > 1:
                features[row, size + self.ties.index(len(some))] = 1.0
        ties = np.broadcast_to(self.bots + np.arange(len(self.ties)), (len(choices.among), len(self.ties)))
        return np.concatenate([choices.among, ties], axis=1), features

    def chance(self, point: Floats, where: Ints, features: Floats) -> tuple[Floats, Floats]:
        """Of each row the log-likelihood of the choice made, and the chance of each possible one."""
        merit = point[where] @ features.T
        top = merit.max(axis=1, keepdims=True)
        odds = np.exp(merit - top)
        total = odds.sum(axis=1, keepdims=True)
        return merit[:, 0] - top[:, 0] - np.log(total[:, 0]), odds / total

    def derivatives(self, point: Floats) -> tuple[float, Floats, Floats]:
        value = -np.sum(point**2) / (2 * PRIOR_SD**2)
        gradient, curvature = -point / PRIOR_SD**2, np.zeros(self.parameters**2)
        for choices in self.choices:
            where, features = self.local(choices)
            for at in range(0, len(where), 50_000):
                some = where[at : at + 50_000]
                likelihood, chance = self.chance(point, some, features)
                expected = chance @ features
                value += likelihood.sum()
                gradient += np.bincount(some.ravel(), (features[0] - expected).ravel(), self.parameters)
                spread = np.einsum("gs,si,sj->gij", chance, features, features, optimize=True)
                spread -= expected[:, :, None] * expected[:, None, :]
                cell = some[:, :, None] * self.parameters + some[:, None, :]
                curvature += np.bincount(cell.ravel(), spread.ravel(), len(curvature))
        square = curvature.reshape(self.parameters, self.parameters)
        return float(value), gradient, square + np.eye(self.parameters) / PRIOR_SD**2
