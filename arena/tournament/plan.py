"""A tournament before it is played: who will meet, how often, how long it takes and what it can tell."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite

import numpy as np

from arena import registry
from arena.blocks import block_of
from arena.model import Event, Format, Outcome, Pairing, Round
from arena.ratings.expected import Design, Tables
from arena.standings import points_of
from arena.standings.columns import Ints
from arena.tournament.estimate import Sample, sample, seatings_of

SAMPLED = 400
"""Matches played at random for each event and table size: enough for ± 5 % of a half-width."""
MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class EventPlan:
    """What one event asks for. Of a format that pairs by results it is the course in which whoever is listed
    first always wins; who meets whom will differ, how much is played hardly."""

    event: Event
    rounds: int
    endless: bool
    """Whether it goes on, round after round like this one, until a rule stops it."""
    tables: int
    """Of all rounds together."""
    meetings: tuple[int, int]
    """At how many tables a pair meets: the pairs that meet least and most."""
    together: tuple[int, int]
    """The same in blocks."""
    blocks: int
    matches: int
    seconds: float
    """On one core, if no bot thinks."""
    seconds_at_most: float
    """On one core, if every bot uses all the time that it has."""
    half_width: tuple[float, float]
    """Half the 95 % interval of a rating to expect, Elo, between equals: the narrowest and the widest."""
    times_needed: float | None
    """How often all this is to be played for `until.half_width`; None where nobody asks or nothing helps."""
    notes: tuple[str, ...]


def plan(event: Event, half_width: float | None = None) -> EventPlan:
    """The plan of an event; `half_width` is what `until` asks for."""
    rounds = course(event)
    pairings = [pairing for round_ in rounds for pairing in round_.pairings]
    samples = {size: sample(event, size, SAMPLED) for size in sorted({len(p.bots) for p in pairings})}
    deals = _deals(event, rounds) if event.common_deals else None
    design = Design.of(len(event.bots), _tables(event, pairings, samples), deals)
    met = _meetings(event, pairings)
    apart = np.triu_indices(len(event.bots), 1)
    widths = design.half_widths()
    times = design.times_for(half_width) if half_width is not None else float("inf")
    matches = {size: _matches(pairings, size) for size in samples}
    limits = event.limits
    return EventPlan(
        event=event,
        rounds=len(rounds),
        endless=event.format_options.get("rounds", 1) is None,
        tables=len(pairings),
        meetings=(int(met[apart].min()), int(met[apart].max())),
        together=(int(design.met[apart].min()), int(design.met[apart].max())),
        blocks=sum(len(pairing.deals) for pairing in pairings),
        matches=sum(matches.values()),
        seconds=sum(count * samples[size].seconds for size, count in matches.items()),
        seconds_at_most=sum(
            count * (samples[size].decisions * limits.move + size * (limits.bank + limits.start))
            for size, count in matches.items()
        ),
        half_width=(float(widths.min()), float(widths.max())),
        times_needed=times if isfinite(times) else None,
        notes=tuple(dict.fromkeys(note for round_ in rounds for note in round_.notes)),
    )


def course(event: Event) -> tuple[Round, ...]:
    """The rounds of the event if whoever is listed first always wins; one round of an endless one."""
    format_: Format = registry.formats.get(event.format)
    played: list[tuple[Round, tuple[Outcome, ...]]] = []
    most = 1 if event.format_options.get("rounds", 1) is None else MOST_ROUNDS
    while len(played) < most and (round_ := format_.next_round(event, tuple(played))) is not None:
        played.append((round_, _as_listed(event, round_)))
    return tuple(round_ for round_, _ in played)


def _as_listed(event: Event, round_: Round) -> tuple[Outcome, ...]:
    """One match of each table, won by who is listed first."""
    place, outcomes = _numbers(event), []
    for pairing in sorted(round_.pairings, key=lambda pairing: pairing.table):
        block = block_of(event, round_.number, pairing, pairing.deals[0])
        bots = tuple(sorted(pairing.bots, key=place.__getitem__))
        placings = tuple(range(1, len(bots) + 1))
        match = str(block.id.match(0))
        outcomes.append(Outcome(match, str(block.id), bots, placings, None, points_of(placings)))
    return tuple(outcomes)


def _numbers(event: Event) -> dict[str, int]:
    return {bot.id: number for number, bot in enumerate(event.bots)}


def _tables(event: Event, pairings: Sequence[Pairing], samples: dict[int, Sample]) -> list[Tables]:
    """The tables by size and seatings, as numbers."""
    number = _numbers(event)
    found: dict[tuple[int, int], list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        found[len(pairing.bots), seatings_of(pairing)].append(pairing)
    return [
        Tables(
            np.array([[number[bot] for bot in pairing.bots] for pairing in group]),
            np.array([len(pairing.deals) for pairing in group]),
            matches,
            samples[size].variance,
        )
        for (size, matches), group in sorted(found.items())
    ]


def _deals(event: Event, rounds: Sequence[Round]) -> Ints:
    """On how many different deals each bot plays, where all tables of a round have the same ones."""
    played: dict[str, set[tuple[int, int]]] = {bot.id: set() for bot in event.bots}
    for round_ in rounds:
        for pairing in round_.pairings:
            for bot in pairing.bots:
                played[bot].update((round_.number, deal) for deal in pairing.deals)
    return np.array([len(deals) for deals in played.values()])


def _meetings(event: Event, pairings: Sequence[Pairing]) -> Ints:
    number, met = _numbers(event), np.zeros((len(event.bots), len(event.bots)), np.int64)
    for pairing in pairings:
        for one, other in combinations(sorted(number[bot] for bot in pairing.bots), 2):
            met[one, other] += 1
    return met


def _matches(pairings: Sequence[Pairing], size: int) -> int:
    return sum(len(p.deals) * seatings_of(p) for p in pairings if len(p.bots) == size)
