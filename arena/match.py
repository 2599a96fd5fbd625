"""One match, whoever the players are, and the one place that decides what a fault costs.

A player says what went wrong with its bot (start, timeout, crash, memory, protocol, in that order of
verdict); whether an answer is legal is seen here, last. The first fault ends that bot's part: a stand-in,
uniform over what is legal, plays its seat to the end, and it is placed behind all seats without a fault.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import inf
from random import Random

from arena import registry
from arena.blocks import bot_seed, deal_seed, stand_in_seed
from arena.errors import ArenaError
from arena.model import Event, Fault, FaultKind, Game, MatchId, Player, Record, Request, Setup, Timing
from arena.protocol import quote
from arena.standings import points_of

_BEFORE_ALL = -1.0  # the moment of a start fault


class _Chair:
    """What the referee knows of a seat. `failed_at` is the moment of its fault, inf while it has none."""

    __slots__ = ("decisions", "failed_at", "fault", "player", "seen")

    def __init__(self, player: Player) -> None:
        self.player = player
        self.decisions: list[str] = []
        self.seen = 0
        self.fault: Fault | None = None
        self.failed_at = inf


def play_match(
    event: Event,
    match: MatchId,
    seats: tuple[str, ...],
    players: Sequence[Player],
    follow: Callable[[Game], None] | None = None,
) -> Record:
    """Play this match with the bots `seats`, for each of which the player of the same index answers.

    A bot's faults are in the record. An exception is arena's own fault and nobody's loss; all players are
    closed in either case. `follow` is shown every position as it is reached, the first and the last too.
    """
    rules: type[Game] = registry.games.get(event.game)
    with _closing(players) as timings:
        position: Game = rules.start(len(seats), Random(deal_seed(event, match)), event.options)
        chairs = [_Chair(player) for player in players]
        _start(event, match, chairs)
        position = _play(position, chairs, Random(stand_in_seed(event, match)), follow)
        scores, placings = position.scores(), _placings(position, chairs)
        for chair in chairs:
            if chair.fault is None:
                chair.player.end(scores, placings)
    return Record(
        match=match,
        game=event.game,
        options=event.options,
        seats=seats,
        chance=position.chance(),
        decisions=tuple(tuple(chair.decisions) for chair in chairs),
        scores=scores,
        placings=placings,
        points=points_of(placings),
        faults=tuple(chair.fault for chair in chairs),
        timings=tuple(timings),
    )


def replay(record: Record) -> Game:
    """The end of a recorded match, from its chance and decisions alone.

    Its `events(None)` is the whole course of the match. ArenaError when the record does not fit the rules.
    """
    rules: type[Game] = registry.games.get(record.game)
    position: Game = rules.from_chance(len(record.seats), record.chance, record.options)
    rest = [iter(decisions) for decisions in record.decisions]
    while (seat := position.turn) is not None:
        action = next(rest[seat], None)
        if action is None:
            raise ArenaError(f"{record.match}: seat {seat} has decided too seldom for this game to end")
        position = position.play(action)
    if any(next(left, None) is not None for left in rest):
        raise ArenaError(f"{record.match}: decisions are left over when the game is over")
    return position


@contextmanager
def _closing(players: Sequence[Player]) -> Iterator[list[Timing]]:
    """Closes every player whatever happens, another's failing close included; then holds their timings."""
    timings: list[Timing] = []
    with ExitStack() as stack:
        for player in reversed(players):  # the last one in is closed first
            stack.callback(_close, player, timings)
        yield timings


def _close(player: Player, timings: list[Timing]) -> None:
    timings.append(player.close())


def _start(event: Event, match: MatchId, chairs: Sequence[_Chair]) -> None:
    for seat, chair in enumerate(chairs):
        seed = bot_seed(event, match, seat)
        setup = Setup(event.game, seat, len(chairs), event.options, seed, event.limits)
        if fault := chair.player.start(setup):
            chair.fault = replace(fault, kind=FaultKind.START, decision=0)
            chair.failed_at = _BEFORE_ALL


def _play(
    position: Game, chairs: Sequence[_Chair], stand_in: Random, follow: Callable[[Game], None] | None
) -> Game:
    if follow:
        follow(position)
    while (seat := position.turn) is not None:
        chair, legal = chairs[seat], position.legal()
        action = _ask(chair, seat, position, legal) if chair.fault is None else None
        if action is None:
            action = stand_in.choice(legal)
        chair.decisions.append(action)
        position = position.play(action)
        if follow:
            follow(position)
    return position


def _ask(chair: _Chair, seat: int, position: Game, legal: tuple[str, ...]) -> str | None:
    """What the seat answers, shown its own view and its own events since its last request; None: a fault."""
    events = position.events(seat, chair.seen)
    chair.seen += len(events)
    answer = chair.player.ask(Request(position.kind, legal, position.view(seat), events))
    decision = len(chair.decisions) + 1
    if isinstance(answer, Fault):
        chair.fault = replace(answer, decision=decision)
    elif answer in legal:
        return answer
    else:
        detail = f'"{quote(answer)}" is not legal here: {quote(", ".join(legal))}'
        chair.fault = Fault(FaultKind.ILLEGAL, decision, detail)
    chair.failed_at = _moment(position)
    return None


def _moment(position: Game) -> int:
    """The number of events that all seats have seen until now.

    It stands still while a simultaneous choice is incomplete: whoever fails in one fails at the same moment.
    """
    return sum(len(position.events(seat)) for seat, _ in enumerate(position.scores()))


def _placings(position: Game, chairs: Sequence[_Chair]) -> tuple[int, ...]:
    """Seats without a fault as the game places them, then the others, the first to fail last."""
    standing = [
        (chair.failed_at, -place if chair.fault is None else 0)
        for chair, place in zip(chairs, position.placings(), strict=True)
    ]
    return tuple(1 + sum(other > mine for other in standing) for mine in standing)
