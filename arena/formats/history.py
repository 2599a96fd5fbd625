"""What earlier rounds gave: the one reading of results that all formats share."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from arena.model import Outcome, Pairing, Round

Played = tuple[tuple[Round, tuple[Outcome, ...]], ...]
Values = Callable[[Outcome], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table of a round: each bot's mean points over its blocks; none when every block was void."""

    pairing: Pairing
    points: Mapping[str, float]
    margins: Mapping[str, float]
    """Mean of (own score - mean of the table), signed so that more is better; 0 where no score counts."""
    absent: tuple[str, ...] = ()
    """Bots that were in none of its matches: by forfeit."""


def table_results(round_: Round, outcomes: Iterable[Outcome], higher_wins: bool = True) -> list[TableResult]:
    """The results of a round's tables, in table order; a block counts once, as the mean over its seatings."""
    blocks: dict[int, dict[str, list[Outcome]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        blocks[_table_of(outcome.block)][outcome.block].append(outcome)
    sign = 1.0 if higher_wins else -1.0
    return [
        _table_result(pairing, blocks[pairing.table].values(), sign)
        for pairing in sorted(round_.pairings, key=lambda pairing: pairing.table)
    ]


def _table_result(pairing: Pairing, blocks: Collection[list[Outcome]], sign: float) -> TableResult:
    played = {bot for block in blocks for match in block for bot in match.bots if bot not in match.absent}
    return TableResult(
        pairing,
        _block_means(blocks, _points),
        _block_means(blocks, lambda match: _margins(match, sign)),
        tuple(bot for bot in pairing.bots if blocks and bot not in played),
    )


def total_points(played: Played, bots: Iterable[str], bye: float) -> dict[str, float]:
    """Points so far: each round a table's mean points (one half where all of it was void), or `bye`."""
    total = dict.fromkeys(bots, 0.0)
    for round_, outcomes in played:
        for result in table_results(round_, outcomes):
            for bot in result.pairing.bots:
                total[bot] += result.points.get(bot, 0.5)
        for bot in round_.byes:
            total[bot] += bye
    return total


def bye_counts(played: Played, bots: Iterable[str]) -> dict[str, int]:
    """How often each bot has sat out."""
    counts = dict.fromkeys(bots, 0)
    for round_, _ in played:
        for bot in round_.byes:
            counts[bot] += 1
    return counts


def meetings(played: Played) -> dict[frozenset[str], int]:
    """How often each pair has met at a table."""
    met: dict[frozenset[str], int] = defaultdict(int)
    for round_, _ in played:
        for pairing in round_.pairings:
            for pair in combinations(pairing.bots, 2):
                met[frozenset(pair)] += 1
    return met


def _table_of(block: str) -> int:
    return int(block.split("-")[2].removeprefix("t"))


def _points(match: Outcome) -> Mapping[str, float]:
    return dict(zip(match.bots, match.points, strict=True))


def _margins(match: Outcome, sign: float) -> Mapping[str, float]:
    if match.scores is None:
        return {}
    mean = sum(match.scores) / len(match.scores)
    return {bot: sign * (score - mean) for bot, score in zip(match.bots, match.scores, strict=True)}


def _block_means(blocks: Iterable[list[Outcome]], values_of: Values) -> dict[str, float]:
    """Mean over blocks of the mean over a block's matches, summed in a fixed order."""
    sums: dict[str, list[float]] = defaultdict(list)
    for matches in blocks:
        here: dict[str, list[float]] = defaultdict(list)
        for match in sorted(matches, key=lambda match: match.match):
            for bot, value in values_of(match).items():
                here[bot].append(value)
        for bot, values in here.items():
            sums[bot].append(sum(values) / len(values))
    return {bot: sum(values) / len(values) for bot, values in sorted(sums.items())}
