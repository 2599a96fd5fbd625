"""`arena play`: one match, told as it went, with its record on request."""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import click

from arena import registry
from arena.cli.games import seats_of
from arena.cli.watch import Watch, waiting
from arena.config import keys
from arena.errors import ArenaError, UsageError
from arena.jail import BotServer
from arena.match import play_match, replay
from arena.model import Bot, Event, Fault, Game, Limits, MatchId, Player, Record
from arena.options import settle
from arena.players.bots import facts_of, find_bot, free_id
from arena.players.built import built
from arena.players.human import NAME as HUMAN
from arena.players.human import HumanPlayer, human
from arena.players.in_process import InProcessPlayer
from arena.players.jailed import JailedPlayer
from arena.players.scripted import ScriptedPlayer

MATCH = MatchId(event=0, round=1, table=0, deal=0, seating=0)


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT ...")
@click.option("--game", required=True, metavar="G", help="The game; `arena games` lists them.")
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Of all chance; drawn and shown if not given."
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the match's record, a line of JSON.",
)
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game.")
@click.option(
    "--limit", "limits", multiple=True, metavar="K=V", help="A limit of the bots, such as move=500ms."
)
@click.option(
    "--trusted",
    is_flag=True,
    help="Run the bots in this process: no jail, no limits; for your own bots only.",
)
@click.option("--watch", is_flag=True, help="Follow it step by step, with the table drawn; Enter goes on.")
@click.option(
    "--as", "viewer", type=click.IntRange(min=0), metavar="SEAT", help="Watch what this seat sees; else all."
)
@click.option(
    "--pace", type=click.FloatRange(min=0), metavar="S", help="Watch with S seconds after each step."
)
def play(
    bots: tuple[str, ...], game: str, seed: int | None, record: Path | None, options: tuple[str, ...],
    limits: tuple[str, ...], trusted: bool, watch: bool, viewer: int | None, pace: float | None,
) -> None:  # fmt: skip
    """Play one match between bots: files, folders with bot.yaml, or names (`random`, those in bots/).

    The first BOT has seat 0; their number is the table's size. One bot may sit in several seats. In the seat
    of `human` you are asked, and you see what that seat sees.

    \b
    Examples:
      arena play --game peech random random random random
      arena play --game rat_deau my_bot.py random --seed 7 --option raft_worth=7 --limit move=200ms
      arena play --game pecking_order my_bot.py random --watch --pace 0.5
      arena play --game rat_deau human my_bot.py
    """
    seed = secrets.randbelow(2**32) if seed is None else seed
    event = event_of(game, bots, seed, pairs_of(options, "option"), pairs_of(limits, "limit"))
    watching = _watch(event, watch, viewer, pace)
    if watching:
        _echo(opening(event))
    with _players(event, trusted) as players:
        played = play_match(event, MATCH, tuple(bot.id for bot in event.bots), players, watching)
    if record is not None:
        _write(record, played)
    _echo([""] if watching else [*opening(event), *course(event, played)])
    _echo(closing(event, played))


def _echo(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _watch(
    event: Event, watch: bool, viewer: int | None, pace: float | None
) -> Callable[[Game], None] | None:
    """What to do with each position; None when nobody watches."""
    people = [seat for seat, bot in enumerate(event.bots) if bot.source == Path()]
    if len(people) > 1:
        raise UsageError(f"one {HUMAN} at a table, not {len(people)}")
    if viewer is not None and viewer >= event.seats:
        raise UsageError(f"--as: a seat from 0 to {event.seats - 1}, not {viewer}")
    if people and viewer not in (None, people[0]):
        raise UsageError(f"--as: {people[0]}, the seat of the {HUMAN}, or leave it out")
    if not (people or watch or viewer is not None or pace is not None):
        return None
    seat = people[0] if people else viewer
    wait = waiting(pace if pace is not None or not people else 0.0)
    return Watch(event.game, [bot.id for bot in event.bots], seat, wait).follow


def event_of(
    game: str, bots: Sequence[str], seed: int, options: Mapping[str, str], limits: Mapping[str, str]
) -> Event:
    """A single match as an event of its own; UsageError for what the rules or the options do not allow."""
    try:
        rules: type[Game] = registry.games.get(game)
    except UsageError as error:
        raise UsageError(f"--game: {error}") from None
    if len(bots) not in rules.seats:
        raise UsageError(f"{game}: {seats_of(rules)} bots, not {len(bots)}")
    return Event(
        index=0, name=f"One match of {game}", game=game, seats=len(bots),
        options=settle(rules.options, options), bots=_seated(bots, game), format="",
        format_options={}, limits=Limits(**settle(keys.sections()["limits"], limits, "limit")), seed=seed,
    )  # fmt: skip


def pairs_of(given: Sequence[str], what: str) -> dict[str, str]:
    """`["a=1", "b=2"]` as a mapping."""
    pairs: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or key in pairs:
            raise UsageError(f"--{what}: KEY=VALUE, each key once, not {text!r:.80}")
        pairs[key] = value
    return pairs


def opening(event: Event) -> Iterator[str]:
    """What is played and who sits where."""
    yield f"{event.game}, seed {event.seed}"
    for seat, bot in enumerate(event.bots):
        yield f"seat {seat}: {bot.id}" + ("" if bot.name == bot.id else f" ({bot.name})")
    yield ""


def course(event: Event, record: Record) -> Iterator[str]:
    """All that happened, as the judge saw it."""
    yield from map(registry.games.get(event.game).tell, replay(record).events(None))
    yield ""


def closing(event: Event, record: Record) -> Iterator[str]:
    """How it ended, and what went wrong."""
    wide = max(3, *map(len, record.seats))
    yield f"place  seat  {'bot':{wide}}  score  points"
    for seat in sorted(range(event.seats), key=lambda seat: (record.placings[seat], seat)):
        place, score, points = record.placings[seat], record.scores[seat], record.points[seat]
        yield f"{place:5}  {seat:4}  {record.seats[seat]:{wide}}  {score:5}  {points:6.2f}"
    for seat, fault in enumerate(record.faults):
        if fault:
            where = f"at decision {fault.decision}" if fault.decision else "before its first decision"
            yield f"fault of {record.seats[seat]} in seat {seat} {where}: {fault.kind}: {fault.detail}"


def _seated(specs: Sequence[str], game: str) -> tuple[Bot, ...]:
    """The bots by seat, with ids that differ: a second `random` is `random-2`."""
    bots: list[Bot] = []
    for spec in specs:
        bot = human() if spec == HUMAN else find_bot(spec)
        games = () if spec == HUMAN else facts_of(bot.source).games
        if games and game not in games:
            raise UsageError(f"{spec}: plays {', '.join(games)}, not {game}")
        bots.append(replace(bot, id=free_id(bot.id, [other.id for other in bots])))
    return tuple(bots)


@contextmanager
def _players(event: Event, trusted: bool) -> Iterator[list[Player]]:
    """A player for each seat; bots of the same source share a server, and each seat has its own process."""
    servers: dict[Path, BotServer | Fault] = {}
    with ExitStack() as stack:
        players: list[Player] = []
        for bot in event.bots:
            if bot.source == Path():
                players.append(HumanPlayer(input, click.echo))
            elif trusted:
                players.append(InProcessPlayer(bot))
            else:
                if bot.source not in servers:
                    ready, fault, _ = stack.enter_context(built(bot))
                    servers[bot.source] = fault or stack.enter_context(BotServer(ready, event.limits))
                server = servers[bot.source]
                players.append(
                    ScriptedPlayer(start=server) if isinstance(server, Fault) else JailedPlayer(server)
                )
        yield players


def _write(file: Path, record: Record) -> None:
    try:
        file.write_text(json.dumps(record.as_json(), ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"{file}: {error.strerror}") from error
