"""All matches of an event, block by block, or, of a very large one, where to find them."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.report import frame, words
from arena.report.pages.rounds import has_rounds
from arena.report.site import Page
from arena.report.summary import EventSummary, RunSummary
from arena.report.tally import MatchLine


@dataclass(frozen=True, slots=True)
class Side:
    """One seat of a match."""

    name: str
    score: str
    place: str
    fault: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match in a list; `link` is None where no replay was written."""

    match: str
    href: str | None
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class MatchesPage:
    title: str
    rows: tuple[MatchRow, ...]
    total: str
    listed: str
    seats: tuple[str, ...]
    reasons: tuple[tuple[str, str, str], ...]
    """Round, table and why these bots met; an event with a page of rounds has them there."""
    byes: tuple[str, ...]


def pages(run: RunSummary) -> Iterator[Page]:
    for event in run.events:
        path = frame.event_path(event.event.index, "matches")
        title = f"Matches · {frame.event_title(event)}"
        yield Page(path, "matches.html.j2", frame.make(run, title, path, event), view_of(run, event))


def view_of(run: RunSummary, event: EventSummary) -> MatchesPage:
    names = event.tally.names
    lines = event.tally.lines
    reasons = [
        (str(round_.number), " · ".join(names[b] for b in pairing.bots), words.plain(pairing.reason))
        for round_ in event.rounds
        for pairing in round_.pairings
        if pairing.reason and not has_rounds(event)
    ]
    byes = [
        f"Round {round_.number}: {words.listed([names[b] for b in round_.byes])}"
        for round_ in event.rounds
        if round_.byes and not has_rounds(event)
    ]
    return MatchesPage(
        title=frame.event_title(event),
        rows=tuple(match_row(run, event, line) for line in lines),
        total=words.count(event.tally.matches, "match", "matches"),
        listed=words.number(len(lines)) if len(lines) < event.tally.matches else "",
        seats=tuple(f"Seat {seat}" for seat in range(event.event.seats)),
        reasons=tuple(reasons[:1000]),
        byes=tuple(byes[:200]),
    )


def match_row(run: RunSummary, event: EventSummary, line: MatchLine, mine: int | None = None) -> MatchRow:
    """One match as a line of a list; `mine` is the seat of the bot whose page it is."""
    sides = tuple(
        Side(
            name=event.tally.names[bot],
            score=words.number(line.scores[seat]),
            place=f"{line.placings[seat]}.",
            fault=str(fault.kind) if (fault := line.faults[seat]) else "",
            mine=seat == mine,
        )
        for seat, bot in enumerate(line.seats)
    )
    return MatchRow(str(line.match), run.replay(line.match), sides)
