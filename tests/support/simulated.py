"""Tournaments between bots of known strength, on duplicate deals, with ties."""

from itertools import combinations

import numpy as np

from arena.model import Outcome
from arena.standings import placings_of

DEAL_SPREAD = 2.0
"""Spread of what a deal gives to a seat, shared by all seatings of a block; a match adds noise of its own."""


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number:02d}" for number in range(count))


def scores(rng: np.random.Generator, strengths: np.ndarray, deal: np.ndarray, grain: float) -> np.ndarray:
    """Whole scores by seat, one for each `grain` natural units; equal scores are ties."""
    return np.rint((strengths + rng.gumbel(size=strengths.shape) + deal) / grain)


def tournament(
    rng: np.random.Generator,
    strengths: np.ndarray,
    seats: int,
    deals: int,
    tables: int | None = None,
    grain: float = 0.8,
    luck: str = "seat",
) -> tuple[Outcome, ...]:
    """Every table (or `tables` of them, drawn) plays `deals` blocks of all cyclic seatings.

    What a deal gives goes to a `seat`, as cards do, or to a "bot", as an opening does that suits it.
    """
    bots, outcomes = names(len(strengths)), []
    chosen = np.array(list(combinations(range(len(strengths)), seats)))
    if tables is not None:
        chosen = chosen[rng.permutation(len(chosen))[:tables]]
    for number, table in enumerate(chosen):
        for deal in range(deals):
            order = rng.permutation(table)
            gift = DEAL_SPREAD * rng.normal(size=seats)
            for turn in range(seats):
                seating = np.roll(order, turn)
                given = gift if luck == "seat" else np.roll(gift, turn)
                result = scores(rng, strengths[seating], given, grain).tolist()
                outcomes.append(
                    Outcome(
                        f"t{number}-d{deal}-s{turn}", f"t{number}-d{deal}",
                        tuple(bots[bot] for bot in seating), placings_of(result), tuple(result),
                    )
                )  # fmt: skip
    return tuple(outcomes)


def true_ratings(strengths: np.ndarray, grain: float = 0.8, matches: int = 400_000) -> np.ndarray:
    """What endless play converges to, in Elo around 0: the maximum-likelihood fit to expected results."""
    rng, count = np.random.default_rng(1), len(strengths)
    share = np.zeros((count, count))
    for one, other in combinations(range(count), 2):
        pair = np.broadcast_to(strengths[[one, other]], (matches, 2))
        result = scores(rng, pair, DEAL_SPREAD * rng.normal(size=(matches, 2)), grain)
        share[one, other] = np.mean((np.sign(result[:, 0] - result[:, 1]) + 1) / 2)
        share[other, one] = 1 - share[one, other]
    point = np.zeros(count)
    for _ in range(200):
        chance = 1 / (1 + np.exp(point[None] - point[:, None]))
        np.fill_diagonal(chance, 0)
        weight = chance * (1 - chance)
        curvature = np.diag(weight.sum(1)) - weight + 1 / count
        point += np.linalg.solve(curvature, (share - chance).sum(1))
    return (point - point.mean()) * 400 / np.log(10)
