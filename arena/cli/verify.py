"""`arena verify RUN`: replay everything, compute everything again, compare."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

import click

from arena.errors import ArenaError
from arena.report.exports import MATCH_COLUMNS, match_rows, results_json, standings_csv
from arena.report.summary import read_run
from arena.store import Store
from arena.verify import Audit, rerun


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--rerun", "again", is_flag=True, help="Also play every match again with the bots' snapshots.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Blocks at once with --rerun.")
def verify(run: Path, again: bool, workers: int | None) -> None:
    """Play every record of the run folder RUN again and compare all that was stored and written.

    Deals and seatings are made from the seed, rounds are asked of the format, decisions go through the
    rules, faults cost what they must; scores, places, points, standings and the bots' hashes must agree.
    One line for each mismatch; exit status 1 if there is any.

    \b
    Examples:
      arena verify reports/quickstart
      arena verify reports/quickstart --rerun
    """
    with Store.open(run) as store:
        audit = Audit(store)
        count = _tell(audit.mismatches())
        finished = bool(store.meta.get("finished"))
        if finished and not count:
            count += _tell(_file_mismatches(run))
        if again and not count:
            count += _tell(rerun(store, workers))
    extent = f"{_number(audit.matches, 'match', 'matches')} in {_number(audit.events, 'event', 'events')}"
    if count:
        raise ArenaError(f"{extent}: {_number(count, 'mismatch', 'mismatches')}")
    tables = "and the tables written" if finished else "but no tables, as the run goes on"
    click.echo(
        f"{extent} verified: deals, seatings, decisions, faults, scores, places, points, bots {tables}"
    )


def _tell(lines: Iterable[str]) -> int:
    """Print them, and how many they were."""
    count = 0
    for count, line in enumerate(lines, start=1):  # noqa: B007 - the last one is the answer
        click.echo(line)
    return count


def _file_mismatches(run: Path) -> Iterator[str]:
    """The tables beside the report, against those that the records give."""
    site = run / "site"
    try:
        with _Follow(site / "matches.csv") as follow:
            table = csv.writer(follow, lineterminator="\n")
            table.writerow(MATCH_COLUMNS)
            summary = read_run(run, each=lambda record: table.writerows(match_rows(record)))
        yield from follow.problems
        for name, text in (("standings.csv", standings_csv), ("results.json", results_json)):
            with _Follow(site / name) as follow:
                for line in text(summary).splitlines(keepends=True):
                    follow.write(line)
            yield from follow.problems
    except OSError as error:
        yield f"{error.filename}: {error.strerror}; `arena report {run}` writes it"


class _Follow:
    """Takes what should be in a file and reads along; `problems` holds the first place where they part."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._pieces = 0
        self.problems: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._compare(self._file.read(100), b"")
        self._file.close()

    def write(self, text: str) -> int:
        """The next line of the file."""
        wanted = text.encode("utf-8", "replace")
        self._compare(self._file.read(len(wanted)), wanted)
        return len(text)

    def _compare(self, found: bytes, wanted: bytes) -> None:
        self._pieces += 1
        if found != wanted and not self.problems:
            there, given = (repr(data.decode("utf-8", "replace"))[:100] for data in (found, wanted))
            self.problems.append(f"{self._file.name}: line {self._pieces}: {there}, the records give {given}")


def _number(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
