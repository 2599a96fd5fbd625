"""`arena games`: what can be played, at which table sizes, with which options."""

import json
from typing import Any

import click

from arena import registry
from arena.model import Game


@click.command()
def games() -> None:
    """List the games with their table sizes, options and defaults.

    \b
    Example:
      arena games
    """
    for number, name in enumerate(registry.games):
        if number:
            click.echo()
        rules: type[Game] = registry.games.get(name)
        best = "highest" if rules.higher_wins else "lowest"
        click.echo(f"{name}: {seats_of(rules)} seats, the {best} score wins")
        for key, option in rules.options.items():
            click.echo(f"  {key} = {_shown(option.default)}")
            click.echo(f"      {option.help + '; ' if option.help else ''}{option.allowed}")


def seats_of(rules: type[Game]) -> str:
    """The table sizes in words: `4`, `2 to 4`."""
    low, high = min(rules.seats), max(rules.seats)
    return f"{low} to {high}" if high > low else str(low)


def _shown(value: Any) -> str:
    """As it is written after `--option key=`."""
    if isinstance(value, list):
        return ",".join(map(_shown, value))
    return value if isinstance(value, str) else json.dumps(value)
