"""`arena replay RUN MATCH`: step through one match."""

from pathlib import Path

import click

from arena.errors import UsageError
from arena.model import MatchId, Record
from arena.report.text import replay_text
from arena.report.write import write_replay
from arena.store import Store


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("match")
@click.option("--seat", type=click.IntRange(min=0), help="Only what this seat knew; else all, as the judge.")
@click.option(
    "--html", type=click.Path(path_type=Path, dir_okay=False), help="Write it as one HTML file instead."
)
def replay(run: Path, match: str, seat: int | None, html: Path | None) -> None:
    """Step through MATCH (an identity like e0-r1-t3-d5-s1) of the run folder RUN."""
    record = _record(run, match)
    if seat is not None and seat >= len(record.seats):
        raise UsageError(f"--seat: a whole number from 0 to {len(record.seats) - 1}, not {seat}")
    if html is not None:
        click.echo(write_replay(run, record, seat, html))
        return
    for line in replay_text(record, seat):
        click.echo(line)


def _record(run: Path, match: str) -> Record:
    try:
        wanted = MatchId.parse(match)
    except ValueError as error:
        raise UsageError(str(error)) from None
    with Store.open(run) as store:
        try:
            return store.record(wanted)
        except KeyError:
            raise UsageError(f"{run}: match {match} was not played") from None
