"""One match of a bot that is being checked, in the jail, with everything it was sent kept."""

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from arena import registry
from arena.executors.bench import Bench
from arena.match import play_match
from arena.model import Bot, Event, Fault, Json, Limits, MatchId, Player, Record, Request, Setup, Timing
from arena.options import settle
from arena.players.bots import find_bot, free_id
from arena.players.in_process import InProcessPlayer
from arena.protocol import start_message, turn_message

MATCH = MatchId(event=0, round=1, table=0, deal=0, seating=0)
"""The identity that `arena play` gives its match too, so that its seed shows the same match."""


@dataclass
class Watched:
    """A player that keeps what it was asked, what it said, and how long it took to get ready."""

    player: Player
    setup: Setup | None = None
    ready_ms: float = 0.0
    requests: list[Request] = field(default_factory=list)
    answers: list[str | Fault] = field(default_factory=list)
    timing: Timing = Timing()  # noqa: RUF009 - frozen
    log: str = ""

    def start(self, setup: Setup) -> Fault | None:
        self.setup, begun = setup, perf_counter()
        fault = self.player.start(setup)
        self.ready_ms = (perf_counter() - begun) * 1e3
        return fault

    def ask(self, request: Request) -> str | Fault:
        self.requests.append(request)
        answer = self.player.ask(request)
        self.answers.append(answer)
        return answer

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        self.player.end(scores, placings)

    def close(self) -> Timing:
        self.timing = self.player.close()
        said: Callable[[], bytes] | None = getattr(self.player, "log", None)
        self.log = said().decode("utf-8", "replace") if said else ""
        return self.timing

    def last_message(self) -> Json:
        """What it was sent last: its last turn, else the start."""
        assert self.setup is not None, "it was started"
        if not self.requests:
            line = start_message(self.setup)
        else:
            limits = self.setup.limits
            over = sum(
                max(0.0, ms / 1e3 - limits.move) for ms in self.timing.think_ms[: len(self.requests) - 1]
            )
            line = turn_message(len(self.requests), self.requests[-1], max(0.0, limits.bank - over))
        message: Json = json.loads(line)
        return message


@dataclass(frozen=True)
class Tried:
    """A match that was played, from the side of the bot in `seat`."""

    seed: int
    seat: int
    record: Record
    watched: Watched

    @property
    def fault(self) -> Fault | None:
        return self.record.faults[self.seat]

    @property
    def decisions(self) -> tuple[str, ...]:
        """The bot's own, without those of a stand-in."""
        own = self.record.decisions[self.seat]
        return own[: self.fault.decision - 1] if self.fault and self.fault.decision else own


def try_match(
    bot: Bot, event: Event, seat: int, bench: Bench, others: Callable[[], Player] | None = None
) -> Tried:
    """Play one match with the bot in this seat; in all others sits `random`, or who `others` gives."""
    random = find_bot("random")
    watched = Watched(bench.player(event, bot))
    players: list[Player] = [
        watched if at == seat else others() if others else InProcessPlayer(random)
        for at in range(event.seats)
    ]
    record = play_match(event, MATCH, tuple(entry.id for entry in event.bots), players)
    return Tried(event.seed, seat, record, watched)


def event_for(bot: Bot, game: str, seats: int, seat: int, seed: int, options: Json, limits: Limits) -> Event:
    """A single match as an event of its own, with `random` in all other seats."""
    random = find_bot("random")
    seated: list[Bot] = []
    for at in range(seats):
        entry = bot if at == seat else random
        seated.append(_renamed(entry, free_id(entry.id, [other.id for other in seated])))
    return Event(
        index=0, name=f"A check in {game}", game=game, seats=seats,
        options=settle(registry.games.get(game).options, options), bots=tuple(seated), format="",
        format_options={}, limits=limits, seed=seed,
    )  # fmt: skip


def again(game: str, spec: str, tried: Tried, limits: Limits, options: Json) -> str:
    """The command that plays this very match."""
    usual, words = Limits(), ["arena play", "--game", game, "--seed", str(tried.seed)]
    for key, unit in (("move", "s"), ("bank", "s"), ("start", "s"), ("memory", "B")):
        if (value := getattr(limits, key)) != getattr(usual, key):
            words += ["--limit", f"{key}={value}{unit}"]
    words += [word for key, value in options.items() for word in ("--option", f"{key}={value}")]
    seats = [spec if at == tried.seat else "random" for at, _ in enumerate(tried.record.seats)]
    return shlex.join([*words, *seats]).replace("'arena play'", "arena play")


def _renamed(bot: Bot, bot_id: str) -> Bot:
    return Bot(bot_id, bot.name, bot.digest, bot.source, bot.author, bot.command, bot.build)
