"""What a tournament will take, from a sample of its games played at random."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import factorial
from statistics import fmean

from arena import registry
from arena.blocks import blocks_of
from arena.match import play_match
from arena.model import Block, Event, Fault, FaultKind, Pairing, Record, Round
from arena.players.scripted import ScriptedPlayer
from arena.standings import placings_of, points_of

PER_DECISION, PER_SEAT = 150e-6, 5e-3
"""Seconds that the jail adds: one round trip, and a fresh process from its start to its end."""
_SAMPLED = 0
"""The round of the sampled matches, before the first: no deal of the tournament is played."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Chance play: mean seconds of a match on one core with what the jail adds, mean decisions of a match,
    and the variance of a bot's mean points in a block."""

    seconds: float
    decisions: float
    variance: float


def expect(events: tuple[Event, ...]) -> tuple[int, int, float]:
    """Blocks, matches and seconds on one core of the first round of all events, if no bot thinks."""
    blocks, matches, seconds = 0, 0, 0.0
    for event in events:
        round_ = registry.formats.get(event.format).next_round(event, ())
        pairings = round_.pairings if round_ else ()
        count = sum(len(pairing.deals) * seatings_of(pairing) for pairing in pairings)
        blocks += sum(len(pairing.deals) for pairing in pairings)
        matches, seconds = matches + count, seconds + count * sample(event, event.seats, 4).seconds
    return blocks, matches, seconds


def seatings_of(pairing: Pairing) -> int:
    """Of how many matches a block of this table is made."""
    seats = len(pairing.bots)
    return {"all": factorial(seats), "one": 1}.get(pairing.seatings, seats)


def sample(event: Event, seats: int, matches: int) -> Sample:
    """Play about so many matches of whole blocks at tables of this size."""
    table = tuple(bot.id for bot in event.bots[:seats])
    seatings = str(event.format_options.get("seatings", "cyclic"))
    one = Pairing(0, table, range(1), seatings)
    deals = max(1, matches // seatings_of(one))
    blocks = blocks_of(event, Round(_SAMPLED, (replace(one, deals=range(deals)),)))
    higher_wins = registry.games.get(event.game).higher_wins
    begun, decisions, spread = time.perf_counter(), [], []
    for block in blocks:
        records = list(_by_chance(event, block))
        decisions += [sum(map(len, record.decisions)) for record in records]
        shares: dict[str, list[float]] = {bot: [] for bot in table}
        for record in records:
            points = points_of(placings_of(record.scores, higher_wins))
            for bot, share in zip(record.seats, points, strict=True):
                shares[bot].append(share)
        spread += [(fmean(mine) - 0.5) ** 2 for mine in shares.values()]
    taken = (time.perf_counter() - begun) / len(decisions)
    mean = fmean(decisions)
    return Sample(taken + PER_DECISION * mean + PER_SEAT * seats, mean, fmean(spread))


def _by_chance(event: Event, block: Block) -> Iterator[Record]:
    """The block without its bots: stand-ins, uniform over what is legal, play every seat."""
    absent = Fault(FaultKind.START, 0, "")
    for seating, seats in enumerate(block.seatings):
        players = [ScriptedPlayer(start=absent) for _ in seats]
        yield play_match(event, block.id.match(seating), seats, players)
