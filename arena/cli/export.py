"""`arena export`: a run's records, matches or Swiss pairings on standard output."""

import csv
import io
import json
import os
import sys
from pathlib import Path

import click

from arena.blocks import blocks_of
from arena.errors import UsageError, did_you_mean
from arena.formats.swiss import event_trf
from arena.model import Record
from arena.store import Store

_COLUMNS = ("match", "event", "game", "block", "seat", "bot", "score", "placing", "points", "fault")


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--records", "what", flag_value="records", help="Everything of every match, a line of JSON each."
)
@click.option("--matches", "what", flag_value="matches", help="A line of CSV for each seat of each match.")
@click.option(
    "--trf", "what", flag_value="trf", help="A Swiss at two seats as FIDE's Tournament Report File."
)
@click.option("--event", "name", metavar="NAME", help="With --trf: which event, where several are such.")
def export(run: Path, what: str | None, name: str | None) -> None:
    """Print all matches of the run folder RUN, or the pairings of a Swiss.

    \b
    Examples:
      arena export reports/quickstart --records > records.jsonl
      arena export reports/quickstart --matches > matches.csv
      arena export reports/cup --trf > cup.trf
    """
    if what is None:
        raise click.UsageError("one of --records, --matches and --trf")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    with Store.open(run) as store:
        try:
            if what == "records":
                _records(store)
            elif what == "matches":
                _matches(store)
            else:
                sys.stdout.write(_report_file(store, name))
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


def _report_file(store: Store, name: str | None) -> str:
    """Of the only such event or the one of that name, all rounds that are through."""
    fit = {event.name: event for event in store.events() if event.format == "swiss" and event.seats == 2}
    if not fit:
        raise UsageError(f"{store.folder}: no event is a Swiss at two seats, so there is no such file")
    if name is None and len(fit) > 1:
        raise UsageError(f"--event: which of {', '.join(fit)}?")
    chosen = next(iter(fit)) if name is None else name
    if chosen not in fit:
        raise UsageError(f"--event: one of {', '.join(fit)}, not {chosen!r}{did_you_mean(chosen, fit)}")
    event = fit[chosen]
    through = store.done() | set(store.voids())
    played = []
    for round_ in store.rounds(event.index):
        if any(block.id not in through for block in blocks_of(event, round_)):
            break
        played.append((round_, store.round_outcomes(event.index, round_.number)))
    return event_trf(event, tuple(played))


def _line(record: Record, event: str, seat: int) -> tuple[object, ...]:
    fault = record.faults[seat]
    return (
        record.match, _safe(event), record.game, record.block, seat, record.seats[seat], record.scores[seat],
        record.placings[seat], record.points[seat], str(fault.kind) if fault else "",
    )  # fmt: skip


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
