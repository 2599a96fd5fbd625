"""Round by round: who met, what each took, and why; a knockout's bracket."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.formats.history import TableResult
from arena.formats.knockout import Stage
from arena.report import frame, words
from arena.report.ranking import stages
from arena.report.site import Link, Page, bot_path
from arena.report.summary import EventSummary, RunSummary


@dataclass(frozen=True, slots=True)
class Sitter:
    """A bot at a table and what it took: its mean points there, of 100; `on` where it went on."""

    bot: Link
    points: str
    on: bool


@dataclass(frozen=True, slots=True)
class Table:
    number: str
    sitters: tuple[Sitter, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundView:
    title: str
    tables: tuple[Table, ...]
    byes: tuple[Link, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundsPage:
    title: str
    lead: str
    bracket: tuple[RoundView, ...]
    """The stages of a knockout, side by side; empty elsewhere."""
    rounds: tuple[RoundView, ...]


def has_rounds(event: EventSummary) -> bool:
    """Whether this event has rounds worth a page."""
    return event.event.format in ("swiss", "knockout")


def pages(run: RunSummary) -> Iterator[Page]:
    for event in filter(has_rounds, run.events):
        path = frame.event_path(event.event.index, "rounds")
        title = f"Rounds · {frame.event_title(event)}"
        yield Page(path, "rounds.html.j2", frame.make(run, title, path, event), view_of(event))


def view_of(event: EventSummary) -> RoundsPage:
    """The view of one event's rounds, the last one first."""
    knockout = event.event.format == "knockout" and len(event.event.bots) >= event.event.seats
    found = []
    for round_, results in reversed(event.ranking.rounds):
        found.append(
            RoundView(
                title=f"Round {round_.number}",
                tables=tuple(_table(event, result) for result in results),
                byes=tuple(_link(event, bot) for bot in round_.byes),
                notes=tuple(words.plain(note) for note in round_.notes),
            )
        )
    goes_on = "went on" if knockout else "took the most"
    return RoundsPage(
        title=frame.event_title(event),
        lead=f"Points are those of a table, of 100: the mean over its blocks. In bold who {goes_on}.",
        bracket=tuple(_stage(event, s) for s in stages(event.event, event.played)) if knockout else (),
        rounds=tuple(found),
    )


def _table(event: EventSummary, result: TableResult) -> Table:
    best = max(result.points.values(), default=None)
    return Table(
        number=str(result.pairing.table + 1),
        sitters=tuple(
            Sitter(_link(event, bot), _points(result.points.get(bot)), result.points.get(bot, -1.0) == best)
            for bot in result.pairing.bots
        ),
        reason=words.plain(result.pairing.reason),
    )


def _points(points: float | None) -> str:
    return words.number(None if points is None else 100 * points, 1)


def _stage(event: EventSummary, stage: Stage) -> RoundView:
    tables = []
    for number, bots in enumerate(stage.tables):
        on = stage.winners.get(number, [])[: 1 if stage.is_final else None]
        sitters = (Sitter(_link(event, bot), "", bot in on) for bot in bots)
        tables.append(Table(str(number + 1), tuple(sitters), ""))
    byes = tuple(_link(event, bot) for bot in stage.byes)
    return RoundView(stage.name[:1].upper() + stage.name[1:], tuple(tables), byes, ())


def _link(event: EventSummary, bot: str) -> Link:
    return Link(event.tally.names[bot], bot_path(event.event.index, bot))
