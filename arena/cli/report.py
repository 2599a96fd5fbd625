"""`arena report RUN`: write the pages again."""

from pathlib import Path

import click

from arena.report import write_report


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
def report(run: Path) -> None:
    """Write the report of the run folder RUN again and print the path of its first page."""
    click.echo(write_report(run))
