"""`arena bench`: how fast this machine and arena are, in one run and as ratios."""

import json
from itertools import starmap

import click

from arena.bench.figures import lines, scale_line
from arena.bench.run import bench as measure
from arena.bench.scale import ratings_scale, report_scale


@click.command()
@click.option(
    "--runs", type=click.IntRange(min=1), default=5, metavar="N", help="Medians of so many; default 5."
)
@click.option("--quick", is_flag=True, help="One short run: good for a look, not for a judgement.")
@click.option("--ratings", is_flag=True, help="Instead: rate 1,000 bots after 1,000,000 matches.")
@click.option("--report", is_flag=True, help="Instead: the report of 500 bots and 200,000 matches.")
@click.option("--json", "as_json", is_flag=True, help="Every figure of every run as JSON.")
def bench(runs: int, quick: bool, ratings: bool, report: bool, as_json: bool) -> None:
    """Measure jail, referee and games, each against what the same machine does without them.

    Ratios hold from machine to machine, rates do not; both suffer when something else runs meanwhile.

    \b
    Examples:
      arena bench
      arena bench --quick --json
    """
    if ratings or report:
        wanted = {"ratings": ratings_scale} if ratings else {}
        wanted |= {"report": report_scale} if report else {}
        scale = {key: made() for key, made in wanted.items()}
        click.echo(json.dumps(scale, indent=1) if as_json else "\n".join(starmap(scale_line, scale.items())))
        return
    result = measure(1 if quick else runs, 0.05 if quick else 0.4, lambda line: click.echo(line, err=True))
    click.echo(json.dumps(result, indent=1) if as_json else "\n".join(lines(result)))
