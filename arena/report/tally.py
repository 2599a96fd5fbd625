"""One pass over an event's records, in identity order: everything the pages need, in bounded memory."""

from bisect import insort
from collections import Counter
from dataclasses import dataclass, field

from arena.model import BlockId, Event, Fault, MatchId, Record
from arena.report.replay import Decision, decision_at
from arena.report.stats import Times
from arena.report.words import plain

LISTED = 2000
"""So many matches of an event are listed one by one, the first ones."""
LISTED_BOT = 200
"""So many matches on a bot's page."""
NOTABLE = 5
REQUESTS = 5
"""For so many faults of one bot the request is rebuilt, by playing the match again up to it."""
FAULTS = 200
"""At most so many faults of one bot are kept with their detail; all are counted."""


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match in a list."""

    match: MatchId
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    placings: tuple[int, ...]
    faults: tuple[Fault | None, ...]


@dataclass(frozen=True, slots=True)
class FaultLine:
    """A fault, where it happened, and what the bot was asked, if that was rebuilt."""

    line: MatchLine
    seat: int
    fault: Fault
    request: Decision | None


@dataclass(slots=True)
class SeatTally:
    matches: int = 0
    points: float = 0.0
    scores: float = 0.0
    scored: int = 0


@dataclass(slots=True)
class BotTally:
    """What one bot did in one event."""

    matches: int = 0
    scores: Counter[int] = field(default_factory=Counter)
    seats: dict[int, SeatTally] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    listed_faults: list[FaultLine] = field(default_factory=list)
    think: Times = field(default_factory=Times)
    slowest_match: MatchId | None = None
    bank_left: float | None = None
    outside_ms: float = 0.0
    lines: list[tuple[MatchLine, int]] = field(default_factory=list)
    best: list[tuple[float, MatchId, MatchLine, int]] = field(default_factory=list)
    worst: list[tuple[float, MatchId, MatchLine, int]] = field(default_factory=list)
    closest: list[tuple[float, MatchId, MatchLine, int]] = field(default_factory=list)


class EventTally:
    """Feed it every record in identity order."""

    def __init__(self, event: Event, higher_wins: bool) -> None:
        self.event = event
        self.sign = 1 if higher_wins else -1
        self.bots = {bot.id: BotTally() for bot in event.bots}
        self.names = {bot.id: plain(bot.name) for bot in event.bots}
        """How each bot is called on the pages."""
        self.matches = 0
        self.blocks = 0
        self.faulty = 0
        self.lines: list[MatchLine] = []
        self._block: BlockId | None = None

    def add(self, record: Record) -> None:
        self.matches += 1
        self.blocks += record.block != self._block
        self._block = record.block
        self.faulty += any(record.faults)
        line = MatchLine(record.match, record.seats, record.scores, record.placings, record.faults)
        if len(self.lines) < LISTED:
            self.lines.append(line)
        for seat, bot in enumerate(record.seats):
            self._add_seat(self.bots[bot], record, line, seat)

    def _add_seat(self, tally: BotTally, record: Record, line: MatchLine, seat: int) -> None:
        tally.matches += 1
        if len(tally.lines) < LISTED_BOT:
            tally.lines.append((line, seat))
        seat_tally = tally.seats.setdefault(seat, SeatTally())
        seat_tally.matches += 1
        seat_tally.points += record.points[seat]
        if fault := record.faults[seat]:
            tally.faults[str(fault.kind)] += 1
            if (listed := len(tally.listed_faults)) < FAULTS:
                asked = fault.decision > 0 and listed < REQUESTS
                request = decision_at(record, seat, fault.decision) if asked else None
                tally.listed_faults.append(FaultLine(line, seat, fault, request))
        if not any(record.faults):
            tally.scores[record.scores[seat]] += 1
            seat_tally.scores += record.scores[seat]
            seat_tally.scored += 1
            self._note(tally, line, seat)
        if record.timings:
            self._add_times(tally, record, seat)

    def _note(self, tally: BotTally, line: MatchLine, seat: int) -> None:
        others = [self.sign * score for i, score in enumerate(line.scores) if i != seat]
        margin = self.sign * line.scores[seat] - max(others, default=0)
        for kept, key in ((tally.best, -margin), (tally.worst, margin), (tally.closest, abs(margin))):
            if len(kept) < NOTABLE or key < kept[-1][0]:
                insort(kept, (key, line.match, line, seat))
                del kept[NOTABLE:]

    def _add_times(self, tally: BotTally, record: Record, seat: int) -> None:
        timing, limits = record.timings[seat], self.event.limits
        limit = limits.move * 1000
        if timing.slowest_ms > tally.think.slowest:
            tally.slowest_match = record.match
        tally.think.add(timing.think_ms)
        spent = sum(think - limit for think in timing.think_ms if think > limit)
        left = max(0.0, limits.bank - spent / 1000)
        tally.bank_left = left if tally.bank_left is None else min(left, tally.bank_left)
        tally.outside_ms = max(tally.outside_ms, timing.outside_ms)
