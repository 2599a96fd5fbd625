"""The same as data: `standings.csv`, `matches.csv` and `results.json`, without times, so that they are equal
byte for byte however many workers played."""

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from arena.model import FaultKind, Json, Record
from arena.report.summary import EventSummary, RunSummary, Standing
from arena.report.words import plain
from arena.standings.estimates import Estimate

MATCH_COLUMNS = (
    "match", "block", "event", "round", "table", "deal", "seating", "seat", "bot", "place", "score", "points",
    "fault", "decision", "detail",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\N{REPLACEMENT CHARACTER}")


def cell(text: str) -> str:
    """A text on one line that no spreadsheet takes for a formula: one that looks so gets a quote in front."""
    text = plain(text)
    return "'" + text if text.startswith(_FORMULA) else text


def csv_line(values: Sequence[object]) -> str:
    """One line; numbers as they are, None as an empty cell, texts made safe."""
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(
        ["" if value is None else cell(value) if isinstance(value, str) else value for value in values]
    )
    return line.getvalue()


def standing_json(event: EventSummary, standing: Standing) -> Json:
    """One line of the table as data. Ratings in Elo; `points` is the mean share of opponents beaten."""
    rating, tally, row = standing.rating, standing.tally, standing.row
    return {
        "event": event.event.name,
        "rank": standing.rank,
        "bot": standing.bot.id,
        "name": standing.bot.name,
        "author": standing.bot.author,
        "rating": _round(rating.rating),
        "half_width": _round(rating.half_width),
        "rank_low": rating.rank_low,
        "rank_high": rating.rank_high,
        "superiority": _round(rating.superiority, 6),
        "bound": rating.bound,
        "group": rating.group,
        "blocks": standing.blocks,
        "matches": tally.matches,
        "points_total": _round(row.points, 6),
        "tie_breaks": " ".join(f"{value:g}" for value in row.tie_breaks),
        **_estimate("points", row.share, 6),
        **_estimate("score", row.score),
        "score_matches": row.score.matches if row.score else 0,
        **{f"placed_{place}": standing.placed(place) for place in range(1, 5)},
        **{f"fault_{kind}": tally.faults[kind] for kind in FaultKind},
    }


def _estimate(name: str, known: Estimate | None, digits: int = 4) -> Json:
    value, half = (known.value, known.half_width) if known else (None, None)
    return {name: _round(value, digits), f"{name}_half_width": _round(half, digits)}


def _round(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits) + 0.0  # + 0.0: no minus zero


def standings_csv(run: RunSummary) -> str:
    """All events' tables, one line a bot; a column `event` tells them apart."""
    rows = [standing_json(event, standing) for event in run.events for standing in event.table]
    heads = list(rows[0]) if rows else ["event", "rank", "bot", "name"]
    return "".join([csv_line(heads), *(csv_line(list(row.values())) for row in rows)])


def match_rows(record: Record) -> Iterator[tuple[object, ...]]:
    """A record in `matches.csv`: one row a seat, with the columns that `arena rate` reads among them."""
    match, block, clean = str(record.match), str(record.block), not any(record.faults)
    for seat, bot in enumerate(record.seats):
        fault = record.faults[seat]
        found = (str(fault.kind), fault.decision, cell(fault.detail)) if fault else ("", "", "")
        score = record.scores[seat] if clean else ""
        points = round(record.points[seat], 6)
        yield (match, block, *record.match, seat, cell(bot), record.placings[seat], score, points, *found)


def results_json(run: RunSummary) -> str:
    """Everything that the tables show, as one JSON document."""
    events = [
        {
            "event": event.event.name,
            "index": event.event.index,
            "game": event.event.game,
            "seats": event.event.seats,
            "options": dict(event.event.options),
            "format": event.event.format,
            "seed": event.event.seed,
            "rank_by": event.ranking.rank_by,
            "tie_breaks": list(event.ranking.tie_breaks),
            "blocks": event.tally.blocks,
            "matches": event.tally.matches,
            "blocks_void": {str(block): why for block, why in event.voids.items()},
            "standings": [standing_json(event, standing) for standing in event.table],
        }
        for event in run.events
    ]
    document: dict[str, Any] = {"name": run.name, "finished": not run.running, "events": events}
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=1) + "\n"
