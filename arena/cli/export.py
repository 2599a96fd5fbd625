"""`arena export`: a run's records or matches on standard output, in identity order."""

import csv
import io
import json
import os
import sys
from pathlib import Path

import click

from arena.model import Record
from arena.store import Store

_COLUMNS = ("match", "event", "game", "block", "seat", "bot", "score", "placing", "points", "fault")


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--records", "what", flag_value="records", help="Everything of every match, a line of JSON each."
)
@click.option("--matches", "what", flag_value="matches", help="A line of CSV for each seat of each match.")
def export(run: Path, what: str | None) -> None:
    """Print all matches of the run folder RUN.

    \b
    Examples:
      arena export reports/quickstart --records > records.jsonl
      arena export reports/quickstart --matches > matches.csv
    """
    if what is None:
        raise click.UsageError("one of --records and --matches")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    with Store.open(run) as store:
        try:
            if what == "records":
                _records(store)
            else:
                _matches(store)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # `| head` has seen enough


def _records(store: Store) -> None:
    for record in store.records():
        sys.stdout.write(json.dumps(record.as_json(), separators=(",", ":")) + "\n")


def _matches(store: Store) -> None:
    names = {event.index: event.name for event in store.events()}
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(_COLUMNS)
    for record in store.records():
        for seat in range(len(record.seats)):
            lines.writerow(_line(record, names[record.match.event], seat))


def _line(record: Record, event: str, seat: int) -> tuple[object, ...]:
    fault = record.faults[seat]
    return (
        record.match, _safe(event), record.game, record.block, seat, record.seats[seat], record.scores[seat],
        record.placings[seat], record.points[seat], str(fault.kind) if fault else "",
    )  # fmt: skip


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
