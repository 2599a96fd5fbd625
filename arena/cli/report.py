"""`arena report RUN`: write the pages again."""

from pathlib import Path

import click

from arena.report import write_report
from arena.report.single import write_single_file


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--single-file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Everything but the replays as this one HTML file, to send.",
)  # fmt: skip
def report(run: Path, single_file: Path | None) -> None:
    """Write the report of the run folder RUN again and print the path of its first page.

    \b
    Examples:
      arena report reports/quickstart
      arena report reports/quickstart --single-file quickstart.html
    """
    click.echo(write_single_file(run, single_file) if single_file else write_report(run))
