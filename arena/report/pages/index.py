"""Standings: who won, how sure that is, and the table."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.report import frame, words
from arena.report.overall import overall
from arena.report.plots import Interval, Scale, interval_of, scale_of
from arena.report.ranking import WORDS
from arena.report.site import Link, Page, bot_path, trf_path
from arena.report.summary import EventSummary, RunSummary, Standing
from arena.report.verdict import Verdict, verdict


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, every cell in words."""

    rank: str
    ranks: str
    bot: Link
    author: str
    rating: str
    rating_key: float
    half_width: str
    bound: str
    interval: Interval
    superiority: str
    superiority_key: float
    points: str
    points_key: float
    total: str
    total_key: float
    tie_breaks: tuple[str, ...]
    score: str
    score_key: float
    matches: str
    matches_key: int
    blocks: str
    places: tuple[str, ...]
    faults: int
    flags: tuple[str, ...]
    first: bool


@dataclass(frozen=True, slots=True)
class EventTable:
    """One event: its verdict, its facts in one line, its table."""

    anchor: str
    title: str
    verdict: Verdict
    facts: str
    links: tuple[Link, ...]
    scale: Scale
    rows: tuple[Row, ...]
    places: tuple[str, ...]
    rank_by: str
    totals: str
    """How the column of total points is headed; empty where the rank does not go by it."""
    tie_breaks: tuple[str, ...]
    groups: int
    score_note: str
    notes: tuple[str, ...]
    empty: bool


@dataclass(frozen=True, slots=True)
class OverallLine:
    """A bot over all events; `ranks` lead to its pages, an empty text where it did not play."""

    rank: str
    name: str
    points: str
    points_key: float
    standard: str
    standard_key: float
    ranks: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Index:
    title: str
    events: tuple[EventTable, ...]
    files: tuple[Link, ...]
    overall: tuple[OverallLine, ...]
    """A table over all events; empty unless bots share events."""
    overall_words: str


def pages(run: RunSummary) -> Iterator[Page]:
    title = words.plain(run.name)
    lines = overall_lines(run)
    view = Index(
        title=title,
        events=tuple(event_table(run, event) for event in run.events),
        files=tuple(Link(name, name) for name in data_files(run)),
        overall=lines,
        overall_words=overall_words(lines, run.running),
    )
    yield Page("index.html", "index.html.j2", frame.make(run, title, "index.html"), view)


def data_files(run: RunSummary) -> Iterator[str]:
    """The files beside the pages."""
    yield from ("standings.csv", "matches.csv", "results.json")
    for event in run.events:
        if event.event.format == "swiss" and event.event.seats == 2:
            yield trf_path(event.event.index)


def overall_lines(run: RunSummary) -> tuple[OverallLine, ...]:
    """The view of the table over all events."""
    return tuple(
        OverallLine(
            rank=str(row.rank),
            name=words.plain(row.name),
            points=words.number(100 * row.points, 1),
            points_key=row.points,
            standard=words.signed(row.standard, 2),
            standard_key=row.standard,
            ranks=tuple(
                Link("" if rank is None else f"{rank}.", bot_path(event.event.index, row.bot))
                for rank, event in zip(row.ranks, run.events, strict=True)
            ),
        )
        for row in overall(run.events)
    )


def overall_words(lines: tuple[OverallLine, ...], running: bool) -> str:
    """How the first of the table over all events stands there."""
    others = sum(line.rank == "1" for line in lines) - 1
    if others > 0:
        return f"and {words.count(others, 'other')} share the first place over all events"
    return "leads over all events" if running else "won over all events"


def event_table(run: RunSummary, event: EventSummary) -> EventTable:
    """The view of one event's table."""
    index = event.event.index
    scale = scale_of([standing.rating for standing in event.table])
    lower = "" if event.tally.sign > 0 else " Lower scores are better."
    return EventTable(
        anchor=f"e{index}",
        title=frame.event_title(event),
        verdict=verdict(event, running=run.running),
        facts=facts(event),
        links=(*_hero_links(event), *(frame.event_ways(event) if len(run.events) > 1 else ())),
        scale=scale,
        rows=tuple(row(event, standing, scale) for standing in event.table),
        places=tuple(f"{n}." for n in range(1, event.event.seats + 1)),
        rank_by=event.ranking.rank_by,
        totals=totals(event),
        tie_breaks=tuple(WORDS[name] for name in event.ranking.tie_breaks),
        groups=len({standing.rating.group for standing in event.table}),
        score_note=f"Mean score ± half its 95 % interval, over matches without a fault.{lower}",
        notes=tuple(words.plain(note) for note in (*event.ratings.notes, *event.notes)),
        empty=event.tally.matches == 0,
    )


def _hero_links(event: EventSummary) -> Iterator[Link]:
    for hero in heroes(event):
        yield Link(f"From the side of {event.tally.names[hero]}", bot_path(event.event.index, hero))


def totals(event: EventSummary) -> str:
    """What the points are by which the table is ranked."""
    if event.ranking.rank_by != "points":
        return ""
    return {"swiss": "Round points", "knockout": "Stages won"}.get(event.event.format, "Block points")


def facts(event: EventSummary) -> str:
    """The event in one line."""
    about = event.event
    parts = [
        words.game_name(about.game),
        f"{about.seats} seats",
        about.format.replace("_", " "),
        words.count(len(about.bots), "bot"),
        words.count(event.tally.blocks, "block"),
        words.count(event.tally.matches, "match", "matches"),
    ]
    if event.tally.faulty:
        parts.append(f"{words.number(event.tally.faulty)} with a fault")
    if event.voids:
        parts.append(f"{words.count(len(event.voids), 'block')} void")
    return " · ".join(parts)


def row(event: EventSummary, standing: Standing, scale: Scale) -> Row:
    """One line of the table."""
    rating, tally = standing.rating, standing.tally
    return Row(
        rank=str(standing.rank),
        ranks="" if rating.rank_low == rating.rank_high else words.span(rating.rank_low, rating.rank_high),
        bot=Link(words.plain(standing.bot.name), bot_path(event.event.index, standing.bot.id)),
        author=words.plain(standing.bot.author),
        rating=words.number(rating.rating),
        rating_key=round(rating.rating, 3),
        half_width=words.number(rating.half_width),
        bound=rating.bound,
        interval=interval_of(rating, scale),
        superiority=words.likelihood(rating.superiority),
        superiority_key=rating.superiority if rating.superiority is not None else -1,
        points=words.estimate(standing.row.share, 1, times=100),
        points_key=standing.row.share.value if standing.row.share else -1,
        total=f"{standing.row.points:g}",
        total_key=standing.row.points,
        tie_breaks=tuple(f"{value:.4g}" for value in standing.row.tie_breaks),
        score=words.estimate(standing.row.score, 1),
        score_key=standing.row.score.value if standing.row.score else 0,
        matches=words.number(tally.matches),
        matches_key=tally.matches,
        blocks=words.count(standing.blocks, "block"),
        places=tuple(words.number(standing.placed(n)) for n in range(1, event.event.seats + 1)),
        faults=sum(tally.faults.values()),
        flags=flags(event, standing),
        first=standing.rank == 1 and tally.matches > 0,
    )


def heroes(event: EventSummary) -> tuple[str, ...]:
    """The bots that run the gauntlet, if it is one: its side is their pages."""
    if event.event.format != "gauntlet":
        return ()
    return tuple(bot.id for bot in event.event.bots[: event.event.format_options.get("heroes", 1)])


def flags(event: EventSummary, standing: Standing) -> tuple[str, ...]:
    """What a reader must know beside the numbers, each in a few words."""
    found = []
    if standing.rating.bound == "at least":
        found.append("never beaten")
    if standing.rating.bound == "at most":
        found.append("never won")
    if event.preflight.get(standing.bot.id):
        found.append("did not start")
    if standing.bot.id in heroes(event):
        found.append("hero")
    if standing.bot.anchor:
        found.append("anchor")
    if not standing.tally.matches:
        found.append("not played")
    return tuple(found)
