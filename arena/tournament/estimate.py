"""How long a tournament takes if its bots answer at once, measured on one match of each event."""

import time
from math import factorial

from arena import registry
from arena.match import play_match
from arena.model import Event, Fault, FaultKind, MatchId, Pairing
from arena.players.scripted import ScriptedPlayer

PER_DECISION, PER_SEAT = 150e-6, 5e-3
"""Seconds that the jail adds: one round trip, and a fresh process from its start to its end."""


def expect(events: tuple[Event, ...]) -> tuple[int, int, float]:
    """Blocks, matches and seconds on one core of the first round of all events, if no bot thinks."""
    blocks, matches, seconds = 0, 0, 0.0
    for event in events:
        round_ = registry.formats.get(event.format).next_round(event, ())
        pairings = round_.pairings if round_ else ()
        count = sum(len(pairing.deals) * _seatings(pairing) for pairing in pairings)
        blocks += sum(len(pairing.deals) for pairing in pairings)
        matches, seconds = matches + count, seconds + count * _one_match(event)
    return blocks, matches, seconds


def _seatings(pairing: Pairing) -> int:
    seats = len(pairing.bots)
    return {"all": factorial(seats), "one": 1}.get(pairing.seatings, seats)


def _one_match(event: Event) -> float:
    absent = Fault(FaultKind.START, 0, "")  # so the stand-in plays every seat: chance play has a usual length
    seats = tuple(bot.id for bot in event.bots[: event.seats])
    begun = time.perf_counter()
    record = play_match(
        event, MatchId(event.index, 0, 0, 0, 0), seats, [ScriptedPlayer(start=absent) for _ in seats]
    )
    taken = time.perf_counter() - begun
    return taken + PER_DECISION * sum(map(len, record.decisions)) + PER_SEAT * len(seats)
