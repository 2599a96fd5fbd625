"""What each game costs: its rules and the referee alone, and whole matches, in this process or jailed."""

from collections.abc import Callable
from itertools import count
from time import perf_counter

from arena import registry
from arena.errors import ArenaError
from arena.executors.local import LocalExecutor
from arena.match import play_match
from arena.model import (
    Block,
    BlockId,
    Bot,
    Event,
    Fault,
    Game,
    Limits,
    MatchId,
    Player,
    Request,
    Setup,
    Timing,
)

SEED = 2026


class Mindless:
    """Plays any legal action, by a rule that costs nothing."""

    def __init__(self, first: int = 0) -> None:
        self._next = first

    def start(self, setup: Setup) -> Fault | None:
        return None

    def ask(self, request: Request) -> str | Fault:
        self._next += 7
        return request.legal[self._next % len(request.legal)]

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """It does not care."""

    def close(self) -> Timing:
        return Timing()


def event_of(game: str, *bots: Bot) -> Event:
    """The largest table of a game with default options."""
    rules: type[Game] = registry.games.get(game)
    options = {key: option.default for key, option in rules.options.items()}
    return Event(0, game, game, max(rules.seats), options, bots, "", {}, Limits(), SEED)


class Matches:
    """Matches of one bot's copies in one game, on the same deals whenever they are played."""

    def __init__(self, event: Event, player: Callable[[], Player]) -> None:
        self._event, self._player = event, player

    def rate(self, seconds: float) -> float:
        """Matches a second."""
        return self._run(seconds)[0]

    def decision(self, seconds: float) -> float:
        """Microseconds a decision, its share of the match's start and end included."""
        return 1e6 * self._run(seconds)[1]

    def _run(self, seconds: float) -> tuple[float, float]:
        seats = (self._event.bots[0].id,) * self._event.seats
        decisions, begun = 0, perf_counter()
        for deal in count(1):
            record = play_match(
                self._event, MatchId(0, 1, 0, deal, 0), seats, [self._player() for _ in seats]
            )
            if any(record.faults):
                raise ArenaError(f"a bot of the benchmark fails in {record.match}: {record.faults}")
            decisions += sum(map(len, record.decisions))
            if (taken := perf_counter() - begun) >= seconds:
                return deal / taken, taken / decisions
        raise AssertionError


def worker_rate(event: Event, workers: int, blocks: int) -> float:
    """Blocks a second of the real executor with so many workers, after each has met the bots."""
    executor = LocalExecutor([event], workers)
    seats = tuple(bot.id for bot in event.bots)
    executor.start()
    try:
        for deal in range(10 * workers):
            executor.submit(event, Block(BlockId(0, 1, 0, deal), (seats,)), {})
        for _ in range(10 * workers):
            executor.wait()
        begun = perf_counter()
        for deal in range(blocks):
            executor.submit(event, Block(BlockId(0, 2, 0, deal), (seats, seats[::-1])), {})
        for _ in range(blocks):
            if void := executor.wait().void:
                raise ArenaError(f"a block of the benchmark is void: {void}")
        return blocks / (perf_counter() - begun)
    finally:
        executor.close()
