"""`arena check`: is this bot ready for a contest, and if not, why."""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from arena.cli.play import pairs_of
from arena.config import keys
from arena.model import Limits
from arena.options import settle
from arena.report.text import safe
from arena.testing.check_bot import check_bot
from arena.testing.steps import State, Step

_MARKS = {State.OK: "✓", State.WARNING: "!", State.FAILED: "✗"}
_PLAIN = {State.OK: "ok", State.WARNING: "warning", State.FAILED: "FAILED"}
_SENT = 3000  # characters of a message that are shown; --json has all of it


@click.command()
@click.argument("bot", metavar="BOT")
@click.option("--game", required=True, metavar="G", help="The game; `arena games` lists them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines of text.")
@click.option("--limit", "limits", multiple=True, metavar="K=V", help="A limit, such as move=500ms.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game.")
@click.option(
    "--matches", type=click.IntRange(min=1), default=100, metavar="N", help="Of the last step; default 100."
)
@click.option(
    "--may-differ", is_flag=True, help="It looks at the clock: the same seed may give other answers."
)
def check(
    bot: str, game: str, as_json: bool, limits: tuple[str, ...], options: tuple[str, ...], matches: int,
    may_differ: bool,
) -> None:  # fmt: skip
    """Check step by step, in the jail, that BOT can play: a tick, or what is wrong and what to do.

    Exit status 1 if a step fails.

    \b
    Examples:
      arena check my_bot.py --game peech
      arena check my_bot.py --game rat_deau --limit move=200ms --matches 20
      arena check my_bot.py --game peech --json > check.json
    """
    progress = _progress(matches) if not as_json else _silent
    steps = check_bot(
        bot, game, limits_of(limits), options=dict(pairs_of(options, "option")), matches=matches,
        may_differ=may_differ, progress=progress,
    )  # fmt: skip
    passed = _as_json(bot, game, steps) if as_json else show(steps)
    if not passed:
        sys.exit(1)
    if not as_json:
        click.echo(f"\n{bot} is ready for {game}. Next: arena submit {bot} --game {game}")


def limits_of(given: Iterable[str]) -> Limits:
    """The limits of `--limit K=V`, the others as they are by default."""
    return Limits(**settle(keys.sections()["limits"], pairs_of(tuple(given), "limit"), "limit"))


def show(steps: Iterable[Step]) -> bool:
    """Print each step as it comes; whether all passed."""
    marks = _MARKS if _can_print("✓✗") else _PLAIN
    passed = True
    for step in steps:
        passed &= step.state is not State.FAILED
        click.echo(f"{marks[step.state]} {step.number:2} {step.name:24} {safe(step.detail)}")
        if step.evidence:
            for line in evidence_lines(step):
                click.echo(f"     {line}")
    return passed


def evidence_lines(step: Step) -> Iterator[str]:
    """What went on when a step failed, in lines."""
    found = step.evidence
    assert found is not None, "asked for steps with evidence only"
    if found.match:
        yield f"match      {found.match}"
    if found.sent is not None:
        sent = json.dumps(found.sent, ensure_ascii=False)
        yield "sent       " + safe(sent[:_SENT]) + (" … (--json shows all)" if len(sent) > _SENT else "")
    if found.answer:
        yield f"answer     {safe(found.answer)}"
    for number, line in enumerate(found.printed.splitlines()):
        yield ("printed    " if not number else " " * 11) + safe(line)
    if found.advice:
        yield f"what to do {safe(found.advice)}"
    if found.again:
        yield f"see it     {safe(found.again)}"


def _as_json(bot: str, game: str, steps: Iterable[Step]) -> bool:
    done = list(steps)
    passed = all(step.state is not State.FAILED for step in done)
    told: dict[str, Any] = {
        "bot": bot, "game": game, "passed": passed, "steps": [step.as_json() for step in done],
    }  # fmt: skip
    click.echo(json.dumps(told, indent=1))
    return passed


def _progress(matches: int) -> Any:
    """Shows on a terminal how far the many matches are."""
    if not sys.stderr.isatty():
        return _silent

    def tell(played: int) -> None:
        click.echo(
            f"\r{played} of {matches} matches\x1b[K" if played < matches else "\r\x1b[K", nl=False, err=True
        )

    return tell


def _silent(played: int) -> None:
    pass


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
