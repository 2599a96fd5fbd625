"""`arena rate FILE.csv`: ratings for results from elsewhere."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from arena import registry
from arena.errors import UsageError
from arena.model import Json
from arena.ratings.cycles import cycles_of
from arena.ratings.results_csv import read_results
from arena.report import words
from arena.report.rated import rated_page
from arena.report.site import write
from arena.report.text import columns as in_columns
from arena.report.text import name as short_name
from arena.standings.columns import Columns
from arena.standings.estimates import Estimate
from arena.standings.head_to_head import HeadToHead
from arena.standings.rows import StandingsRow, standings


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), help="Write a page with the table, in one file.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option("--model", default="bradley_terry", show_default=True, help="The rating model.")
@click.option("--anchor", help="The bot that has rating 0; without it the field's mean has.")
def rate(file: Path, html: Path | None, as_json: bool, model: str, anchor: str | None) -> None:
    """Rate the results in FILE, a CSV with a row for each bot of each match.

    Columns: match, bot and place (1 is best, bots that tie share it); block, if matches depend on each
    other; score.

    \b
    Examples:
      arena rate results.csv
      arena rate results.csv --anchor ann --html ratings.html
    """
    columns, unused = _read(file)
    ratings = registry.ratings.get(model)(columns, columns.bots, anchor)
    rings = cycles_of(HeadToHead(columns)).words()
    if unused:
        click.echo(f"{file}: columns not used: {', '.join(map(words.plain, unused))}", err=True)
    notes = (*ratings.notes, *rings) if columns.matches else (f"There is no match in {file.name}.",)
    rows = standings(columns, ratings)
    click.echo(_as_json(rows, notes, model, anchor) if as_json else _as_text(rows, notes), nl=False)
    if html:
        facts = " · ".join((
            words.count(len(columns.bots), "bot"), words.count(columns.matches, "match", "matches"),
            words.count(columns.blocks, "block"), model,
        ))  # fmt: skip
        write(html, rated_page(file.name, rows, facts, notes, anchor or "the field's mean"))


def _read(file: Path) -> tuple[Columns, tuple[str, ...]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return read_results(lines, str(file))
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{file}: text in UTF-8, not {error.object[error.start : error.start + 1]!r}"
        ) from None
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None


_HEADS = ("Rank", "Ranks", "Bot", "Rating", "Stronger", "Points", "Mean score", "Blocks", "Matches")


def _as_text(rows: Sequence[StandingsRow], notes: Sequence[str]) -> str:
    """A table for each group, then what there is to know about them."""
    lines: list[str] = []
    for group in dict.fromkeys(row.rating.group for row in rows):
        members = [row for row in rows if row.rating.group == group]
        lines += [*in_columns([_HEADS, *map(_cells, members)], left=2), ""]
    return "".join(f"{line}\n" for line in (*lines, *map(words.plain, notes)))


def _cells(row: StandingsRow) -> tuple[str, ...]:
    rating = row.rating
    bound = f"{rating.bound} " if rating.bound else ""
    return (
        str(rating.rank),
        words.span(rating.rank_low, rating.rank_high),
        short_name(row.bot),
        bound + words.give_or_take(rating.rating, rating.half_width, 1),
        words.percent(rating.superiority, 1 if (rating.superiority or 0) > 0.99 else 0),
        words.estimate(row.share, 1, times=100),
        words.estimate(row.score, 2),
        words.number(rating.blocks),
        words.number(rating.matches),
    )


def _as_json(rows: Sequence[StandingsRow], notes: Sequence[str], model: str, anchor: str | None) -> str:
    """Elo around the field's mean (or the anchor), 95 % half-widths; null where nothing is known."""
    content: Json = {
        "model": model,
        "anchor": anchor,
        "ratings": list(map(_row_json, rows)),
        "notes": list(notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _row_json(row: StandingsRow) -> Json:
    rating = row.rating
    return {
        "bot": row.bot, "rating": rating.rating, "half_width": rating.half_width, "rank": rating.rank,
        "rank_low": rating.rank_low, "rank_high": rating.rank_high, "superiority": rating.superiority,
        "bound": rating.bound, "group": rating.group, "blocks": rating.blocks, "matches": rating.matches,
        **_estimate_json("points", row.share), **_estimate_json("score", row.score),
    }  # fmt: skip


def _estimate_json(name: str, known: Estimate | None) -> Json:
    return {name: known and known.value, f"{name}_half_width": known and known.half_width}
