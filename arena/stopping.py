"""When an event is decided: pure rules over the outcomes of the blocks played so far.

They are asked at whole checkpoints only, with all blocks up to there in schedule order, so the answer does
not depend on who played what when; `max_time` alone depends on the machine.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arena.model import Outcome, RatingModel, Ratings
from arena.standings.columns import Floats
from arena.standings.intervals import Z95
from arena.standings.points import points_of

BEATEN = 3.0
"""A bot is out when it is so many standard errors behind the leader."""
SETTLED = 30
"""After so many blocks of every bot, what only ever was won in one direction is not waited for any more."""


class Gate(Protocol):
    """A test between two bots, in Elo: no better than `elo0`, or better by `elo1`; chances of error."""

    @property
    def elo0(self) -> float: ...
    @property
    def elo1(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def beta(self) -> float: ...


class Until(Protocol):
    """What may end an event before its format does; None or False: not asked for."""

    @property
    def half_width(self) -> float | None: ...
    @property
    def winner(self) -> bool: ...
    @property
    def max_blocks(self) -> int | None: ...
    @property
    def max_time(self) -> float | None: ...
    @property
    def gate(self) -> Gate | None: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """`stop` says in words why the event is over; blocks of `dropped` bots are not played any more."""

    stop: str = ""
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """An event at a checkpoint: its bots in their order, the outcomes of all `blocks` up to it."""

    bots: tuple[str, ...]
    seats: int
    outcomes: tuple[Outcome, ...]
    blocks: int
    dropped: tuple[str, ...] = ()
    seconds: float | None = None
    """How long the event has been played, over all starts; None where nobody asks."""


def due(checkpoint: int) -> bool:
    """Whether to decide at this checkpoint, counted from 1: at each of the first 50, then after 2 % more."""
    return checkpoint <= 50 or int(math.log(checkpoint, 1.02)) > int(math.log(checkpoint - 1, 1.02))


def decide(until: Until, standing: Standing, model: RatingModel) -> Decision:
    """The first rule that ends the event, in the order gate, winner, half_width, max_blocks, max_time.

    `dropped` of the decision holds those of `standing` too. `model` rates the outcomes.
    """
    dropped = standing.dropped
    if until.gate is not None and (said := gate(until.gate, standing)):
        return Decision(said, dropped)
    if until.winner or until.half_width is not None:
        ratings = model(standing.outcomes, standing.bots)
        if until.winner:
            decision = eliminate(ratings, standing.seats, dropped)
            if decision.stop:
                return decision
            dropped = decision.dropped
        if until.half_width is not None and (said := narrow(ratings, until.half_width)):
            return Decision(said, dropped)
    if until.max_blocks is not None and standing.blocks >= until.max_blocks:
        return Decision(f"max_blocks: {standing.blocks} blocks were played", dropped)
    if until.max_time is not None and standing.seconds is not None and standing.seconds >= until.max_time:
        return Decision(f"max_time: {until.max_time:g} s are over", dropped)
    return Decision("", dropped)


def narrow(ratings: Ratings, half_width: float) -> str:
    """Why the intervals are narrow enough, or an empty text.

    Where one level of bots never lost anything to another, no number of blocks tells how far they are
    apart: once every bot has 30 blocks, the intervals within the levels decide.
    """
    rows = ratings.rows
    widest = max((row.half_width for row in rows), default=math.inf)
    if widest <= half_width and all(row.blocks for row in rows):
        return f"half_width: every 95 % interval is within ± {half_width:g} Elo"
    if len({(row.group, row.level) for row in rows}) == 1 or any(row.blocks < SETTLED for row in rows):
        return ""
    level = np.array([(row.group, row.level) for row in rows])
    same = (level[:, None] == level).all(axis=2)
    centre = np.eye(len(rows)) - same / same.sum(axis=1)
    spread = np.diag(centre @ np.array(ratings.covariance) @ centre.T)
    if Z95 * math.sqrt(max(float(spread.max()), 0.0)) <= half_width:
        return f"half_width: every 95 % interval that more blocks can narrow is within ± {half_width:g} Elo"
    return ""


def eliminate(ratings: Ratings, seats: int, dropped: Sequence[str]) -> Decision:
    """Successive elimination: bots that are more than 3 standard errors behind the leader are out.

    The event is over when the leader is so far ahead of all others. Until then as many stay in as sit at a
    table, and nothing is decided while bots that are in have never met, even through others.
    """
    spread = np.array(ratings.covariance)
    alive = [i for i, row in enumerate(ratings.rows) if row.bot not in dropped]
    if not alive or len({ratings.rows[i].group for i in alive}) > 1:
        return Decision("", tuple(dropped))
    beaten = [i for i in alive if _behind(ratings, spread, alive[0], i) > BEATEN]
    if len(beaten) == len(alive) - 1:
        leader = ratings.rows[alive[0]].bot
        stop = f"winner: {leader} is more than {BEATEN:g} standard errors ahead of every other bot"
    else:
        stop, beaten = "", beaten[max(seats - len(alive) + len(beaten), 0) :]
    return Decision(stop, (*dropped, *(ratings.rows[i].bot for i in beaten)))


def _behind(ratings: Ratings, spread: Floats, leader: int, bot: int) -> float:
    error = spread[leader, leader] + spread[bot, bot] - 2 * spread[leader, bot]
    return (ratings.rows[leader].rating - ratings.rows[bot].rating) / math.sqrt(max(error, 1e-12))


def gate(rule: Gate, standing: Standing) -> str:
    """Why the test between the event's two bots is decided, or an empty text."""
    first, second = standing.bots
    ratio = log_likelihood_ratio(block_shares(standing.outcomes, first), rule.elo0, rule.elo1)
    upper, lower = math.log((1 - rule.beta) / rule.alpha), math.log(rule.beta / (1 - rule.alpha))
    if lower < ratio < upper:
        return ""
    said, true, false = (
        ("passed", rule.elo1, rule.elo0) if ratio >= upper else ("failed", rule.elo0, rule.elo1)
    )
    return (
        f"gate: {said}, {first} against {second} is {true:+g} Elo rather than {false:+g} "
        f"(log-likelihood ratio {ratio:.2f}, bounds {lower:.2f} and {upper:.2f})"
    )


def block_shares(outcomes: Iterable[Outcome], bot: str) -> dict[float, int]:
    """How often a block of two bots gave this one what mean share of the points."""
    blocks: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        share = dict(zip(outcome.bots, points_of(outcome.placings), strict=True))
        blocks[outcome.block].append(share[bot])
    counts: dict[float, int] = defaultdict(int)
    for shares in blocks.values():
        counts[round(math.fsum(shares) / len(shares), 9)] += 1
    return dict(sorted(counts.items()))


def log_likelihood_ratio(counts: Mapping[float, int], elo0: float, elo1: float) -> float:
    """Of `elo1` against `elo0`, each under the likeliest distribution of blocks with its mean (GSPRT).

    The blocks may have any distribution: nothing is assumed of draws or of how the matches of a block
    depend on each other. A thousandth of a block of each of 0, 1/2 and 1 keeps the ratio finite when all
    blocks are alike.
    """
    value, weight = _distribution(counts)
    low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (elo0, elo1))
    return float(np.sum(weight * (np.log(_tilt(value, weight, low)) - np.log(_tilt(value, weight, high)))))


def _distribution(counts: Mapping[float, int]) -> tuple[Floats, Floats]:
    all_counts = {share: counts.get(share, 0) + 1e-3 for share in (0.0, 0.5, 1.0)}
    all_counts |= {share: float(count) for share, count in counts.items() if share not in all_counts}
    values = sorted(all_counts)
    return np.array(values), np.array([all_counts[value] for value in values])


def _tilt(value: Floats, weight: Floats, mean: float) -> Floats:
    """By how much the likeliest distribution with this mean divides the share of each value: 1 + x (value -
    mean), with the x that makes the mean right."""
    away = value - mean
    low, high = -1 / away.max(), -1 / away.min()
    for _ in range(60):
        x = (low + high) / 2
        low, high = (x, high) if np.sum(weight * away / (1 + x * away)) > 0 else (low, x)
    return np.asarray(1 + (low + high) / 2 * away)
