"""`arena doctor`: what the sandbox guarantees on this machine, and how to get what it does not."""

import json
from collections.abc import Iterator

import click

from arena.doctor import Examination, examine
from arena.doctor.advice import advice_for_error
from arena.errors import ArenaError
from arena.jail.tiers import TIERS


@click.command()
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON.")
def doctor(as_json: bool) -> None:
    """Try to break each guarantee of the sandbox from inside, as this user, and say what holds.

    Exit status 1 when the default tier cannot be had or a guarantee does not hold.

    \b
    Examples:
      arena doctor
      arena doctor --json
    """
    found = examine()
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=1))
    else:
        click.echo("\n".join(_lines(found)))
    if not found.sound:
        raise ArenaError("the sandbox does not hold here what it promises by default")


def _lines(found: Examination) -> Iterator[str]:
    yield ", ".join(f"{name}: {value}" for name, value in found.facts.items())
    yield ""
    for tier, missing in found.tiers.items():
        yield f"tier {tier}  {'missing' if missing else 'yes':9}{TIERS[tier]}"
        for line in missing:
            yield f"        {line}"
            if advice := advice_for_error(line):
                yield f"        -> {advice}"
    if found.findings:
        yield ""
    for finding in found.findings:
        yield f"{finding.name:30}  {'holds' if finding.holds else 'BROKEN':6}  {finding.promise}"
        if not finding.holds:
            yield f"{'':40}a bot got: {finding.got}"
            yield f"{'':40}-> {finding.advice}"
    for language, pairs in found.reads.items():
        yield ""
        also = "" if language == "python" else ", beside its own folder and what a python bot may read"
        yield f"a {language} bot may read{also or ', and nothing else'}:"
        for outside, inside in pairs:
            yield f"  {inside}  ({outside})"
