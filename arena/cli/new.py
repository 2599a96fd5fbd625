"""`arena new`: commented starting points that run as they are."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click

from arena import registry
from arena.errors import ArenaError, UsageError
from arena.inbox import is_inbox, newest
from arena.model import Game
from arena.players.bots import BUILT_IN
from arena.players.human import NAME as HUMAN

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}", re.ASCII)
_COMMENT = {"python": "        #   ", "node": "//   ", "c": "     "}
_SEED = 2026


@click.group()
def new() -> None:
    """Write a commented starting point into the current folder; no file is ever overwritten.

    \b
    Examples:
      arena new bot my_bot --game peech
      arena new config my_contest --game peech
    """


@new.command()
@click.argument("name")
@click.option("--game", required=True, metavar="G", help="What it plays; `arena games` lists the games.")
@click.option(
    "--lang", type=click.Choice(["python", "node", "c"]), default="python", show_default=True,
    help="Python: one file; else a folder with the program and its bot.yaml.",
)  # fmt: skip
def bot(name: str, game: str, lang: str) -> None:
    """Write a bot that plays at random: NAME.py, or a folder NAME for another language.

    \b
    Examples:
      arena new bot my_bot --game peech
      arena new bot fast --game rat_deau --lang c
    """
    _check_name(name)
    rules = _rules(game)
    words = {"NAME": name, "GAME": game, "NOTES": _notes(game, lang),
             "OTHERS": " ".join(["random"] * (min(rules.seats) - 1))}  # fmt: skip
    made = {
        "python": {f"{name}.py": "python/bot.py.txt"},
        "node": {f"{name}/bot.yaml": "node/bot.yaml.txt", f"{name}/bot.js": "node/bot.js.txt"},
        "c": {f"{name}/bot.yaml": "c/bot.yaml.txt", f"{name}/bot.c": "c/bot.c.txt"},
    }[lang]
    _write({path: _filled(template, words) for path, template in made.items()})
    if lang == "c":
        click.echo(f"Next: cc -O2 -o {name}/bot {name}/bot.c")
        click.echo(f"Then: arena check {name} --game {game}")
    else:
        click.echo(f"Next: arena check {name}{'.py' if lang == 'python' else ''} --game {game}")


@new.command()
@click.argument("name")
@click.option("--game", metavar="G", help="What is played; default: an event in every game.")
def config(name: str, game: str | None) -> None:
    """Write a tournament, NAME.yaml: a round robin of the bots in ./inbox and as many `random` as it takes.

    \b
    Examples:
      arena new config my_contest
      arena new config my_contest --game peech
    """
    _check_name(name)
    games = [game] if game is not None else list(registry.games)
    rules = [_rules(each) for each in games]
    words = {
        "NAME": name, "SEED": str(_SEED), "BOTS": "\n".join(_bots(games, max(min(r.seats) for r in rules))),
        "EVENTS": "\n".join(_events(games, rules)),
    }  # fmt: skip
    _write({f"{name}.yaml": _filled("config.yaml.txt", words)})
    click.echo(f"Next: arena run {name}.yaml")


def _bots(games: list[str], seats: int) -> Iterator[str]:
    """The list of who takes part; `random` fills the largest table, and is there once in any case."""
    inbox, entered = Path("inbox"), 0
    if inbox.is_dir() and is_inbox(inbox):
        submitted = newest(inbox)
        entered = min(sum(game in entry.games for entry in submitted) for game in games)
    mark = "- inbox  " if entered else "# - inbox"
    yield f"  {mark}                       # the newest version of every bot submitted to it"
    yield "  # - my_bot.py"
    for number in range(1, 1 + max(1, seats - entered)):
        yield f"  - {{path: random, name: Random {number}}}"


def _events(games: list[str], rules: list[type[Game]]) -> Iterator[str]:
    """The keys that say what is played."""
    shape = [f"{{name: {game}, seats: {min(rule.seats)}}}" for game, rule in zip(games, rules, strict=True)]
    yield ""
    if len(games) == 1:
        yield f"game: {shape[0]}  # `arena games` lists all options"
    else:
        yield "# One event for each game; all other keys are for all events. `arena games` lists the options."
        yield "events:"
        yield from (f"  - game: {each}" for each in shape)
    yield ""
    yield "format:"
    yield "  kind: round_robin               # everybody meets everybody; also: swiss, gauntlet, knockout"
    yield "  deals: 10                       # for each table; each deal is played from every seat"
    yield ""


def _rules(game: str) -> type[Game]:
    try:
        rules: type[Game] = registry.games.get(game)
    except UsageError as error:
        raise UsageError(f"--game: {error}") from None
    return rules


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"NAME: a letter, then letters, digits, _ and -, at most 40, not {name!r:.60}")
    if name in (*BUILT_IN, HUMAN):
        raise UsageError(f"NAME: {name} means something else to arena; choose another one")


def _notes(game: str, lang: str) -> str:
    """What the game asks and shows, as comment lines of this language."""
    note = files("arena.cli") / "scaffold" / "games" / f"{game}.txt"
    text = note.read_text(encoding="utf-8") if note.is_file() else "what that is tells the game's page"
    return "\n".join(_COMMENT[lang] + line for line in text.splitlines())


def _filled(template: str, words: dict[str, str]) -> str:
    text = (files("arena.cli") / "scaffold" / template).read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text


def _write(made: dict[str, str]) -> None:
    """All files, or none when one of them, or their folder, is there."""
    for path in made:
        top = Path(path).parts[0]
        if Path(top).exists() or Path(top).is_symlink():
            raise UsageError(f"{top}: it is there already, and nothing is overwritten; choose another name")
    for path, text in made.items():
        try:
            Path(path).parent.mkdir(exist_ok=True)
            with Path(path).open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise ArenaError(f"{path}: {error.strerror}") from error
        click.echo(f"{path} is written.")
