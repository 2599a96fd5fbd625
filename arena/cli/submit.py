"""`arena submit`: check a bot as the contest will, then put it into the inbox."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from arena import inbox, registry
from arena.cli.check import limits_of, show
from arena.errors import UsageError
from arena.inbox import snapshot
from arena.model import Bot, Json, Limits
from arena.players.bots import facts_of, find_bot
from arena.testing.check_bot import check_bot
from arena.testing.steps import State, Step


@click.command()
@click.argument("bot", metavar="BOT")
@click.option(
    "--to", type=click.Path(path_type=Path), default=Path("inbox"), metavar="INBOX",
    help="The folder for submissions; default: inbox.",
)  # fmt: skip
@click.option(
    "--game", "games", multiple=True, metavar="G",
    help="A game that it enters, several times for more; default: its GAMES, else every game.",
)  # fmt: skip
@click.option(
    "--limit", "limits", multiple=True, metavar="K=V", help="A limit of the contest, such as move=500ms."
)
@click.option(
    "--matches",
    type=click.IntRange(min=1),
    default=100,
    metavar="N",
    help="Of the check's last step; default 100.",
)
@click.option(
    "--may-differ", is_flag=True, help="It looks at the clock: the same seed may give other answers."
)
def submit(
    bot: str, to: Path, games: tuple[str, ...], limits: tuple[str, ...], matches: int, may_differ: bool
) -> None:
    """Check BOT in the jail, then put a snapshot of it into INBOX, where a config's `bots:` finds it.

    A bot that fails the check is not taken, and nothing changes. The same file and author again are a new
    version, which counts from then on; older ones stay.

    \b
    Examples:
      arena submit my_bot.py
      arena submit my_bot.py --to /srv/contest/inbox --game peech --game rat_deau
    """
    found = find_bot(bot)
    inbox.refuse_other_folder(to)
    inbox.refuse_taken_name(to, found)
    entered = _games(bot, found, games)
    with tempfile.TemporaryDirectory(prefix="arena-") as place:
        copy = snapshot(found, Path(place))
        results = {
            game: _checked(copy, bot, game, limits_of(limits), matches, may_differ) for game in entered
        }
        made = inbox.submit(to, copy, entered, results)
    click.echo(
        f"\n{bot} is in {to} as {made.entrant}, version {made.version}, sha256 {made.bot.digest[:12]}…"
    )
    click.echo(f"It enters {', '.join(entered)}. A config takes it from there with bots: [{to}]")
    click.echo(f"Next: arena new config my_contest --game {entered[0]}")


def _games(spec: str, bot: Bot, asked: tuple[str, ...]) -> tuple[str, ...]:
    """The games to enter, each once; UsageError for one that is none, or that the bot does not play."""
    says = facts_of(bot.source).games
    chosen = tuple(dict.fromkeys(asked or says or registry.games.names()))
    for game in chosen:
        try:
            registry.games.get(game)
        except UsageError as error:
            raise UsageError(f"{'--game' if asked else f'{spec}: GAMES'}: {error}") from None
    return chosen


def _checked(copy: Bot, spec: str, game: str, limits: Limits, matches: int, may_differ: bool) -> Json:
    """The result of the check in one game; ends the program when it fails."""
    click.echo(f"{spec} in {game}")
    steps: list[Step] = []
    checking = check_bot(str(copy.source), game, limits, matches=matches, may_differ=may_differ, called=spec)
    if not show(_keep(checking, steps)):
        says_nothing = not facts_of(copy.source).games
        hint = (
            "; if it does not play this game, name those that it plays: GAMES = […]" if says_nothing else ""
        )
        click.echo(f"\n{spec} is not submitted: it fails the check in {game}{hint}", err=True)
        sys.exit(1)
    return {
        "passed": True, "limits": limits.as_json(),
        "warnings": sum(step.state is State.WARNING for step in steps),
        "steps": [{"name": step.name, "detail": step.detail} for step in steps],
    }  # fmt: skip


def _keep(steps: Iterator[Step], done: list[Step]) -> Iterator[Step]:
    """The steps as they come, each put into `done` too."""
    for step in steps:
        done.append(step)
        yield step
