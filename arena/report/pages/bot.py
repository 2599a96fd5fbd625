"""One bot in one event: results by opponent and seat, places, scores, times, every fault, notable matches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.report import frame, words
from arena.report.pages.matches import MatchRow, match_row
from arena.report.plots import Bar, Course, bars, course_of, histogram
from arena.report.site import Link, Page, bot_path
from arena.report.stats import share_interval
from arena.report.summary import EventSummary, RunSummary, Standing
from arena.report.tally import MatchLine

_LOG_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Fact:
    term: str
    text: str


@dataclass(frozen=True, slots=True)
class OpponentRow:
    bot: Link
    rank: str
    value: str
    value_key: float
    low: float
    high: float
    at: float
    interval: str
    difference: str
    difference_key: float
    matches: str
    matches_key: int


@dataclass(frozen=True, slots=True)
class SeatRow:
    seat: str
    matches: str
    points: str
    score: str


@dataclass(frozen=True, slots=True)
class FaultRow:
    match: Link
    kind: str
    decision: str
    detail: str
    asked: str
    log: str


@dataclass(frozen=True, slots=True)
class BotPage:
    name: str
    event: str
    others: tuple[Link, ...]
    """The same bot's pages in other events."""
    lead: str
    facts: tuple[Fact, ...]
    opponents: tuple[OpponentRow, ...]
    seats: tuple[SeatRow, ...]
    places: tuple[Bar, ...]
    scores: tuple[Bar, ...]
    scores_note: str
    course: Course | None
    times: tuple[Fact, ...]
    faults: tuple[FaultRow, ...]
    faults_left_out: int
    log_folder: str
    notable: tuple[tuple[str, tuple[MatchRow, ...]], ...]
    matches: tuple[MatchRow, ...]
    matches_left_out: int
    columns: tuple[str, ...]


def pages(run: RunSummary) -> Iterator[Page]:
    for event in run.events:
        for standing in event.table:
            path = bot_path(event.event.index, standing.bot.id)
            title = f"{words.plain(standing.bot.name)} · {frame.event_title(event)}"
            yield Page(
                path, "bot.html.j2", frame.make(run, title, path, event), view_of(run, event, standing)
            )


def view_of(run: RunSummary, event: EventSummary, standing: Standing) -> BotPage:
    """The view of one bot's page."""
    bot, tally = standing.bot, standing.tally

    def rows(lines: Sequence[tuple[MatchLine, int]]) -> tuple[MatchRow, ...]:
        return tuple(match_row(run, event, line, seat) for line, seat in lines)

    notable = [("Best", tally.best), ("Worst", tally.worst), ("Closest", tally.closest)]
    return BotPage(
        name=words.plain(bot.name),
        event=frame.event_title(event),
        others=tuple(
            Link(frame.event_title(other), bot_path(other.event.index, bot.id))
            for other in run.events
            if other is not event and bot.id in other.tally.bots
        ),
        lead=lead(event, standing),
        facts=facts(standing),
        opponents=opponents(event, standing),
        seats=seats(event, standing),
        places=tuple(bars({f"{n}.": standing.placed(n) for n in range(1, event.event.seats + 1)})),
        scores=histogram(tally.scores),
        scores_note=_scores_note(standing.row.left_out),
        course=course_of(event.course.get(bot.id, ())),
        times=times(event, standing),
        faults=faults(run, standing),
        log_folder=f"private/logs/{bot.id}",
        faults_left_out=sum(tally.faults.values()) - len(tally.listed_faults),
        notable=tuple((name, rows([(e[2], e[3]) for e in entries])) for name, entries in notable if entries),
        matches=rows(tally.lines),
        matches_left_out=tally.matches - len(tally.lines),
        columns=tuple(f"Seat {seat}" for seat in range(event.event.seats)),
    )


def lead(event: EventSummary, standing: Standing) -> str:
    """The bot's result in a sentence."""
    rating, tally = standing.rating, standing.tally
    if not tally.matches:
        return "It has not played yet."
    bound = f"{rating.bound} " if rating.bound else ""
    ranks = rating.rank_low, rating.rank_high
    sure = "" if ranks[0] == ranks[1] else f" (its rank by rating is between {ranks[0]} and {ranks[1]})"
    return (
        f"Placed {standing.rank}. of {len(event.table)}{sure}, rated {bound}{words.number(rating.rating)} ± "
        f"{words.number(rating.half_width)} Elo after {words.count(tally.matches, 'match', 'matches')} in "
        f"{words.count(standing.blocks, 'block')}."
    )


def facts(standing: Standing) -> tuple[Fact, ...]:
    """Who it is."""
    bot = standing.bot
    found = [Fact("Author", words.plain(bot.author))] if bot.author else []
    found += [Fact("Identity", bot.id), Fact("Language", words.plain(bot.language))]
    return (*found, Fact("SHA-256 of its source", bot.digest))


def opponents(event: EventSummary, standing: Standing) -> tuple[OpponentRow, ...]:
    """Its results against each bot that it met, in the table's order."""
    found = []
    for other in event.table:
        duel = None if other is standing else event.pairs[standing.bot.id, other.bot.id]
        if duel is None:
            continue
        low, high = share_interval(duel.share)
        found.append(
            OpponentRow(
                bot=Link(words.plain(other.bot.name), bot_path(event.event.index, other.bot.id)),
                rank=f"{other.rank}.",
                value=words.percent(duel.share.value),
                value_key=duel.share.value,
                low=round(100 * low, 1),
                high=round(100 * high, 1),
                at=round(100 * duel.share.value, 1),
                interval=f"{100 * low:.0f}–{100 * high:.0f}",
                difference=words.estimate(duel.difference, 1),
                difference_key=duel.difference.value if duel.difference else 0.0,
                matches=words.number(duel.share.matches),
                matches_key=duel.share.matches,
            )
        )
    return tuple(found)


def seats(event: EventSummary, standing: Standing) -> tuple[SeatRow, ...]:
    """Its results by seat."""
    found = []
    for seat in range(event.event.seats):
        tally = standing.tally.seats.get(seat)
        if tally is not None:
            points = words.number(100 * tally.points / tally.matches, 1)
            score = words.number(tally.scores / tally.scored, 1) if tally.scored else words.NONE
            found.append(SeatRow(f"Seat {seat}", words.number(tally.matches), points, score))
    return tuple(found)


def _scores_note(left_out: int) -> str:
    return f"{words.count(left_out, 'match', 'matches')} with a fault left out." if left_out else ""


def times(event: EventSummary, standing: Standing) -> tuple[Fact, ...]:
    """How long it thought: quantiles of the time charged for a decision."""
    tally, limits = standing.tally, event.event.limits
    if not tally.think.count:
        return ()
    bank = tally.bank_left
    return (
        Fact("Decisions timed", words.number(tally.think.count)),
        Fact("Half of them within", words.milliseconds(tally.think.quantile(0.5))),
        Fact("99 % within", words.milliseconds(tally.think.quantile(0.99))),
        Fact("Slowest", words.milliseconds(tally.think.slowest)),
        Fact("Move limit", words.milliseconds(1000 * limits.move)),
        Fact("Least bank left", f"{bank:.1f} of {limits.bank:.1f} s" if bank is not None else words.NONE),
        Fact("CPU outside its turns, at most", words.milliseconds(tally.outside_ms)),
    )


def faults(run: RunSummary, standing: Standing) -> tuple[FaultRow, ...]:
    """Every fault kept, with the request where it was rebuilt and a way to the decision in the replay."""
    found = []
    for entry in standing.tally.listed_faults:
        fault, path = entry.fault, run.replay(entry.line.match)
        anchor = f"#d{entry.seat}-{max(1, fault.decision)}"
        asked = entry.request
        found.append(
            FaultRow(
                match=Link(str(entry.line.match), path + anchor if path else None),
                kind=str(fault.kind),
                decision="before the first" if fault.decision == 0 else str(fault.decision),
                detail=words.plain(fault.detail),
                asked=f"{asked.kind}: one of {' '.join(asked.legal)}" if asked else "",
                log=_log(run, standing.bot.id, str(entry.line.match)),
            )
        )
    return tuple(found)


def _log(run: RunSummary, bot: str, match: str) -> str:
    """The end of what the bot wrote in that match, if logs are public."""
    if (run.meta.get("report") or {}).get("logs") != "public":
        return ""
    path = run.folder / "private" / "logs" / bot / f"{match}.log"
    try:
        text = path.read_bytes()[-_LOG_BYTES:].decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(words.plain(line) for line in text.splitlines())
