"""The terminal's side of the report: standings and replays as plain lines."""

import unicodedata
from collections.abc import Iterator, Sequence

from arena.model import Record
from arena.report import frame, replay, words
from arena.report.pages.index import totals
from arena.report.ranking import WORDS
from arena.report.summary import EventSummary, RunSummary, Standing
from arena.report.verdict import verdict

_NAME = 28


def standings_text(run: RunSummary) -> str:
    """All events' tables for a terminal, each under its verdict."""
    return "\n".join(_event_text(run, event) for event in run.events)


def _event_text(run: RunSummary, event: EventSummary) -> str:
    said = verdict(event, running=run.running)
    lines = [
        frame.event_title(event),
        safe(
            "".join(piece.text for piece in said.headline) + " " + "".join(p.text for p in said.detail)
        ).strip(),
        "",
    ]
    heads = ["Rank", "Ranks", "Bot", "Rating", "Stronger", "Points", "Mean score", "Matches", "Faults"]
    rows = [heads, *(_row(standing) for standing in event.table)]
    if total := totals(event):
        rows[0] += [total, *(WORDS[name] for name in event.ranking.tie_breaks)]
        for row, standing in zip(rows[1:], event.table, strict=True):
            row += [f"{value:.4g}" for value in (standing.row.points, *standing.row.tie_breaks)]
    lines += columns(rows, left=2)
    return "\n".join(lines) + "\n"


def columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Lines whose cells stand under each other, flush right except for the column `left`."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(_pad(text, widths[i], left=i == left) for i, text in enumerate(row)).rstrip()
        for row in rows
    ]


def _row(standing: Standing) -> list[str]:
    rating, tally = standing.rating, standing.tally
    bound = f"{rating.bound} " if rating.bound else ""
    return [
        str(standing.rank),
        words.span(rating.rank_low, rating.rank_high),
        name(standing.bot.name),
        f"{bound}{words.give_or_take(rating.rating, rating.half_width)}",
        words.likelihood(rating.superiority),
        words.estimate(standing.row.share, 1, times=100),
        words.estimate(standing.row.score, 1),
        words.number(tally.matches),
        words.number(sum(tally.faults.values())),
    ]


def replay_text(record: Record, seat: int | None = None) -> Iterator[str]:
    """A match step by step, as the judge (None) or a seat knew it."""
    yield f"Match {record.match}, {words.game_name(record.game)}" + (
        f", as seat {seat} saw it" if seat is not None else ""
    )
    for at, bot in enumerate(record.seats):
        fault = record.faults[at]
        failed = f"  {fault.kind} at decision {fault.decision}" if fault else ""
        if fault and seat in (None, at):
            failed += f": {safe(fault.detail)}"
        yield f"  seat {at}  {safe(bot)}  place {record.placings[at]}  score {record.scores[at]}{failed}"
    for step in replay.steps_of(record, seat):
        yield ""
        yield f"[{step.number}]"
        for decision in step.decisions:
            yield "  " + _decision(decision)
        for line in replay.told(record, step):
            yield f"  {safe(line)}"


def _decision(decision: replay.Decision) -> str:
    time = f", {words.milliseconds(decision.think_ms)}" if decision.think_ms is not None else ""
    by = ", by the stand-in" if decision.stand_in else ""
    return (
        f"seat {decision.seat}: {decision.action}  ({decision.kind}, of {' '.join(decision.legal)}{time}{by})"
    )


def safe(text: str) -> str:
    """A text that cannot steer a terminal: no control and no bidirectional formatting character."""
    shown = words.plain(text)
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(letter) == "Cf" else letter for letter in shown
    )


def width(text: str) -> int:
    """Columns that a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def name(text: str) -> str:
    """A bot's name, safe for a terminal and at most 28 columns wide."""
    return _short(safe(text))


def _short(text: str) -> str:
    if width(text) <= _NAME:
        return text
    kept: Sequence[str] = text
    while width("".join(kept)) > _NAME - 1:
        kept = kept[:-1]
    return "".join(kept) + "…"


def _pad(text: str, columns: int, left: bool) -> str:
    space = " " * (columns - width(text))
    return text + space if left else space + text
