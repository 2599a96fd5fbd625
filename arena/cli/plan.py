"""`arena plan`: what a tournament will take and can tell, without playing it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli._progress import duration
from arena.config import Settings, read_config
from arena.model import Json
from arena.tournament.plan import EventPlan, plan


@click.command("plan")
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Blocks at once; as for arena run.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def plan_command(config: Path, workers: int | None, as_json: bool) -> None:
    """Say what the tournament of CONFIG will take, without playing it.

    For each event: tables and who meets how often, blocks and matches, the time from a short sample of the
    game, and how narrow the ratings' intervals will be.

    \b
    Examples:
      arena plan configs/quickstart.yaml
      arena plan cup.yaml --workers 16 --json
    """
    settings = read_config(config)
    at_once = workers or settings.workers or _cores()
    plans = [plan(event, settings.until.half_width) for event in settings.events]
    if as_json:
        click.echo(json.dumps(_json(settings, at_once, plans), indent=1, allow_nan=False))
        return
    for line in _lines(settings, at_once, plans):
        click.echo(line)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _lines(settings: Settings, workers: int, plans: list[EventPlan]) -> Iterator[str]:
    for each in plans:
        event = each.event
        bots = _count(len(event.bots), "bot")
        yield f"{event.name}: {event.game} at {event.seats} seats, {event.format}, {bots}"
        for head, text in _rows(settings, workers, each):
            yield f"  {head:<10}{text}"
        yield ""
    blocks, matches = sum(each.blocks for each in plans), sum(each.matches for each in plans)
    yield f"All in all {_count(blocks, 'block')} and {_count(matches, 'match', 'matches')}, " + _time(
        sum(each.seconds for each in plans), sum(each.seconds_at_most for each in plans), workers
    )
    for warning in settings.warnings:
        yield f"warning: {warning}"


def _rows(settings: Settings, workers: int, each: EventPlan) -> Iterator[tuple[str, str]]:
    again = "a round, again and again until a rule stops it"
    yield "tables", f"{each.tables:,} {again if each.endless else 'in ' + _count(each.rounds, 'round')}"
    tables = "table" if each.meetings[1] == 1 else "tables"
    deals = "deal" if each.together[1] == 1 else "deals"
    yield "meetings", f"each pair at {_span(each.meetings)} {tables}, on {_span(each.together)} {deals}"
    for note in each.notes:
        yield "", note
    yield "blocks", f"{each.blocks:,}; {_count(each.matches, 'match', 'matches')}"
    yield "time", _time(each.seconds, each.seconds_at_most, workers)
    low, high = (round(width) for width in each.half_width)
    yield "ratings", f"95 % intervals of about ± {_span((low, high))} Elo, between equals"
    if settings.until.gate is not None:
        yield "until", "the gate decides"
    if settings.until.winner:
        yield "until", "one bot is left that can win"
    if settings.until.half_width is not None:
        yield "until", _until(each, settings.until.half_width)
    if settings.until.max_blocks is not None:
        yield "until", f"{settings.until.max_blocks:,} blocks at the most"


def _until(each: EventPlan, half_width: float) -> str:
    asked = f"± {half_width:g} Elo"
    if each.times_needed is None:
        return f"{asked} is not to be had from this schedule"
    blocks = round(each.times_needed * each.blocks)
    if each.endless or blocks <= each.blocks:
        return f"{asked} after about {_count(blocks, 'block')}"
    return f"{asked} would take about {_count(blocks, 'block')}: more deals are needed for it"


def _time(seconds: float, at_most: float, workers: int) -> str:
    return (
        f"about {duration(seconds / workers)} on {_count(workers, 'worker')} if all bots answer at once, "
        f"{duration(at_most / workers)} if all use all their time"
    )


def _span(pair: tuple[int, int]) -> str:
    return f"{pair[0]:,}" if pair[0] == pair[1] else f"{pair[0]:,} to {pair[1]:,}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _json(settings: Settings, workers: int, plans: list[EventPlan]) -> Json:
    return {
        "name": settings.name,
        "workers": workers,
        "events": [
            {
                "event": each.event.name, "game": each.event.game, "seats": each.event.seats,
                "bots": len(each.event.bots), "format": each.event.format, "rounds": each.rounds,
                "endless": each.endless, "tables": each.tables, "meetings": list(each.meetings),
                "deals_together": list(each.together), "blocks": each.blocks, "matches": each.matches,
                "seconds": round(each.seconds / workers, 3),
                "seconds_at_most": round(each.seconds_at_most / workers, 3),
                "half_width": [round(width, 2) for width in each.half_width],
                "times_needed": each.times_needed, "notes": list(each.notes),
            }
            for each in plans
        ],
        "warnings": list(settings.warnings),
    }  # fmt: skip
