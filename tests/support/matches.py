"""A match between scripted players, for tests of what happens around it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena import registry
from arena.match import play_match
from arena.model import Bot, Event, Limits, MatchId, Player, Record
from arena.options import settle
from arena.players.scripted import ScriptedPlayer

MATCH = MatchId(0, 1, 2, 3, 1)
GAMES = [("pecking_order", 2), ("peech", 4), ("rat_deau", 2), ("rat_deau", 3), ("rat_deau", 4)]


def event_of(game: str, seats: int, seed: int = 7, **options: Any) -> Event:
    bots = tuple(Bot(f"bot{seat}", f"Bot {seat}", "", Path()) for seat in range(seats))
    settled = settle(registry.games.get(game).options, options)
    return Event(0, "Test", game, seats, settled, bots, "round_robin", {}, Limits(), seed)


def play(event: Event, players: Sequence[Player], match: MatchId = MATCH) -> Record:
    return play_match(event, match, tuple(bot.id for bot in event.bots), players)


def replayed(record: Record) -> Any:
    """The final position of a record, made from its chance and decisions alone."""
    rules = registry.games.get(record.game)
    position = rules.from_chance(len(record.seats), record.chance, record.options)
    rest = [iter(decisions) for decisions in record.decisions]
    while position.turn is not None:
        position = position.play(next(rest[position.turn]))
    assert [list(left) for left in rest] == [[] for _ in rest]
    return position


def rat_deau(seats: int, **options: Any) -> tuple[Event, list[ScriptedPlayer]]:
    return event_of("rat_deau", seats, **options), [ScriptedPlayer() for _ in range(seats)]
