"""Head-to-head: a heat map in rating order, every cell with its value, interval and count."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena.ratings.cycles import Cycles, cycles_of
from arena.report import frame, words
from arena.report.site import Link, Page, bot_path
from arena.report.stats import share_interval
from arena.report.summary import EventSummary, RunSummary
from arena.standings.head_to_head import Versus

SHOWN = 100
"""The map shows so many bots, the highest placed; every pair is on the bots' own pages."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The row's bot against the column's; `shade` goes from -4, the column is ahead, to 4, the row is."""

    value: str
    shade: int
    interval: str
    matches: str
    sure: bool


@dataclass(frozen=True, slots=True)
class PairRow:
    rank: str
    bot: Link
    cells: tuple[Cell | None, ...]
    """None on the diagonal."""


@dataclass(frozen=True, slots=True)
class PairsPage:
    title: str
    heads: tuple[tuple[str, str], ...]
    """For each column its rank and name."""
    rows: tuple[PairRow, ...]
    left_out: int
    compact: bool
    upsets: tuple[str, ...]
    """Pairs in which the lower placed bot is surely ahead, in words."""
    rings: tuple[str, ...]
    """Bots that beat each other in turn, in sentences; the first says what that means."""


def pages(run: RunSummary) -> Iterator[Page]:
    for event in run.events:
        path = frame.event_path(event.event.index, "pairs")
        title = f"Head-to-head · {frame.event_title(event)}"
        yield Page(path, "pairs.html.j2", frame.make(run, title, path, event), view_of(event))


def view_of(event: EventSummary) -> PairsPage:
    """The view of one event's map."""
    shown = event.table[:SHOWN]
    rows, upsets = [], []
    for at, mine in enumerate(shown):
        cells: list[Cell | None] = []
        for column, other in enumerate(shown):
            duel = None if column == at else event.pairs[mine.bot.id, other.bot.id]
            cells.append(None if column == at else cell(duel))
            if duel is not None and mine.rank > other.rank and share_interval(duel.share)[0] > 0.5:
                upsets.append(
                    f"{words.plain(mine.bot.name)} ({mine.rank}.) beats {words.plain(other.bot.name)} "
                    f"({other.rank}.): {words.percent(duel.share.value)}"
                )
        link = Link(words.plain(mine.bot.name), bot_path(event.event.index, mine.bot.id))
        rows.append(PairRow(f"{mine.rank}.", link, tuple(cells)))
    return PairsPage(
        title=frame.event_title(event),
        heads=tuple((f"{standing.rank}.", words.plain(standing.bot.name)) for standing in shown),
        rows=tuple(rows),
        left_out=len(event.table) - len(shown),
        compact=len(shown) > 16,
        upsets=tuple(upsets[:20]),
        rings=_named(event, cycles_of(event.pairs)).words(),
    )


def _named(event: EventSummary, rings: Cycles) -> Cycles:
    names = {standing.bot.id: words.plain(standing.bot.name) for standing in event.table}
    found = (replace(ring, bots=tuple(names[bot] for bot in ring.bots)) for ring in rings.found)
    return replace(rings, found=tuple(found))


def cell(duel: Versus | None) -> Cell:
    """A duel in words and one of nine shades; `sure` when the interval leaves out one half."""
    if duel is None:
        return Cell("", 0, "never met", "", sure=False)
    low, high = share_interval(duel.share)
    return Cell(
        value=f"{100 * duel.share.value:.0f}",
        shade=round((duel.share.value - 0.5) * 8),
        interval=f"{100 * low:.0f}–{100 * high:.0f}",
        matches=words.count(duel.share.matches, "match", "matches"),
        sure=low > 0.5 or high < 0.5,
    )
