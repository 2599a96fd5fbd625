"""`arena replay RUN MATCH`: step through one match, or put its turns to a bot again."""

from pathlib import Path

import click

from arena.cli.rerun import debug as run_in_debugger
from arena.cli.rerun import show_rerun
from arena.errors import UsageError
from arena.model import Bot, Event, MatchId, Record
from arena.players.bots import find_bot
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
@click.option(
    "--rerun", "spec", metavar="BOT", help="Put the seat's turns to this bot again; show where it differs."
)
@click.option(
    "--debug", is_flag=True, help="Then run it unjailed, in the debugger, where it first differs ..."
)
@click.option(
    "--decision", type=click.IntRange(min=0), metavar="N", help="... or at this decision; 0: start."
)
def replay(
    run: Path, match: str, seat: int | None, html: Path | None, spec: str | None, debug: bool,
    decision: int | None,
) -> None:  # fmt: skip
    """Step through MATCH (an identity like e0-r1-t3-d5-s1) of the run folder RUN.

    With --rerun the seat that is named, or in which this bot sat, is asked all its turns again, each as it
    was in the match, in the jail and with the same seed.

    \b
    Examples:
      arena replay reports/quickstart e0-r1-t0-d0-s0
      arena replay reports/quickstart e0-r1-t0-d0-s0 --seat 1 --html lost.html
      arena replay reports/quickstart e0-r1-t0-d0-s0 --seat 1 --rerun my_bot.py
      arena replay reports/quickstart e0-r1-t0-d0-s0 --seat 1 --rerun my_bot.py --debug --decision 4
    """
    event, record = _record(run, match)
    if seat is not None and seat >= len(record.seats):
        raise UsageError(f"--seat: a whole number from 0 to {len(record.seats) - 1}, not {seat}")
    if spec is None and (debug or decision is not None):
        raise UsageError("--debug and --decision go with --rerun BOT")
    if spec is not None and html is not None:
        raise UsageError("one of --html and --rerun")
    if spec is not None:
        with Store.open(run) as store:
            tier = store.meta.get("sandbox", {}).get("tier", "A")
        _rerun(event, record, seat, spec, debug, decision, tier)
        return
    if html is not None:
        click.echo(write_replay(run, record, seat, html))
        return
    for line in replay_text(record, seat):
        click.echo(line)


def _rerun(
    event: Event, record: Record, seat: int | None, spec: str, debug: bool, decision: int | None, tier: str
) -> None:
    bot = find_bot(spec)
    seat = _seat_of(record, bot) if seat is None else seat
    if decision is not None and not debug:
        raise UsageError("--decision goes with --debug")
    if decision is None:
        first = show_rerun(event, record, seat, bot, spec, tier)
        decision = first if first is not None else 1
    if debug:
        run_in_debugger(event, record, seat, bot, spec, decision)


def _seat_of(record: Record, bot: Bot) -> int:
    """Where this bot sat, by its id."""
    if record.seats.count(bot.id) == 1:
        return record.seats.index(bot.id)
    seats = ", ".join(f"{seat} {other}" for seat, other in enumerate(record.seats))
    raise UsageError(f"--seat: whose turns? {seats}")


def _record(run: Path, match: str) -> tuple[Event, Record]:
    try:
        wanted = MatchId.parse(match)
    except ValueError as error:
        raise UsageError(str(error)) from None
    with Store.open(run) as store:
        try:
            record = store.record(wanted)
        except KeyError:
            raise UsageError(f"{run}: match {match} was not played") from None
        return next(event for event in store.events() if event.index == wanted.event), record
