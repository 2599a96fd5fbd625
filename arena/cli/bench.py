"""`arena bench`: how fast this machine and arena are, in one run and as ratios."""

import json

import click

from arena.bench.figures import lines
from arena.bench.run import bench as measure


@click.command()
@click.option(
    "--runs", type=click.IntRange(min=1), default=5, metavar="N", help="Medians of so many; default 5."
)
@click.option("--quick", is_flag=True, help="One short run: good for a look, not for a judgement.")
@click.option("--json", "as_json", is_flag=True, help="Every figure of every run as JSON.")
def bench(runs: int, quick: bool, as_json: bool) -> None:
    """Measure jail, referee and games, each against what the same machine does without them.

    Ratios hold from machine to machine, rates do not; both suffer when something else runs meanwhile.

    \b
    Examples:
      arena bench
      arena bench --quick --json
    """
    result = measure(1 if quick else runs, 0.05 if quick else 0.4, lambda line: click.echo(line, err=True))
    click.echo(json.dumps(result, indent=1) if as_json else "\n".join(lines(result)))
