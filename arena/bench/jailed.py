"""What arena does through its jail: decisions, fresh starts, matches; on one core or on two."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter

from arena.bench.talk import ACTION, REQUEST, SETUP, repeat
from arena.errors import ArenaError
from arena.jail import BotServer
from arena.model import Bot, Limits
from arena.players.jailed import JailedPlayer

INSTANT = "def act(turn):\n    return turn.legal[0]\n"


def instant_bot(folder: Path) -> Bot:
    """A bot that does nothing but answer."""
    source = folder / "instant.py"
    source.write_text(INSTANT)
    return Bot("instant", "instant", "instant", source)


class Jail:
    """Two running servers of the instant bot, as a worker has them for a match; a context manager."""

    def __init__(self, folder: Path, core: int | None) -> None:
        self._stack = ExitStack()
        bot = instant_bot(folder)
        self._servers = [self._stack.enter_context(BotServer(bot, Limits(), core)) for _ in range(2)]

    def __enter__(self) -> "Jail":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def _seated(self) -> Iterator[list[JailedPlayer]]:
        players = [JailedPlayer(server) for server in self._servers]
        try:
            for player in players:
                player.start(SETUP)
            yield players
        finally:
            for player in players:
                player.close()

    def decision_rate(self, seconds: float) -> float:
        """Decisions a second of two jailed bots that are asked in turn."""
        with self._seated() as (first, second):

            def both() -> None:
                for player in (first, second):
                    if player.ask(REQUEST) != ACTION:
                        raise ArenaError("the instant bot does not answer")

            return 2 * repeat(both, seconds, 32)

    def match(self, decisions: int) -> None:
        """A match of fresh processes, each asked so often in turn, and their end."""
        with self._seated() as players:
            for _ in range(decisions):
                for player in players:
                    player.ask(REQUEST)

    def fresh_start(self) -> float:
        """Milliseconds from the fork of a fresh process to its first answer."""
        player = JailedPlayer(self._servers[0])
        try:
            begun = perf_counter()
            player.start(SETUP)
            player.ask(REQUEST)
            return 1e3 * (perf_counter() - begun)
        finally:
            player.close()
