"""`arena standings RUN`: who is where, as a table, CSV or JSON."""

from pathlib import Path

import click

from arena.errors import UsageError
from arena.report.exports import results_json, standings_csv
from arena.report.summary import read_run
from arena.report.text import standings_text


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--csv", "as_csv", is_flag=True, help="The text of standings.csv.")
@click.option("--json", "as_json", is_flag=True, help="The text of results.json.")
def standings(run: Path, as_csv: bool, as_json: bool) -> None:
    """Print the standings of the run folder RUN, computed afresh from its records.

    \b
    Examples:
      arena standings reports/quickstart
      arena standings reports/quickstart --csv > standings.csv
    """
    if as_csv and as_json:
        raise UsageError("--csv or --json, not both")
    show = standings_csv if as_csv else results_json if as_json else standings_text
    click.echo(show(read_run(run)), nl=False)
