"""Where a worker's bots wait: the players of a match, and how a whole block is played with them."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from arena.jail import BotServer
from arena.match import play_match
from arena.model import Block, Bot, Event, Fault, Limits, Player, Record, Setup
from arena.players.jailed import JailedPlayer
from arena.players.scripted import ScriptedPlayer
from arena.seeds import BOT_SEED_BITS, derive

MOST_SERVERS = 48  # a waiting bot server holds some 6 MiB
MOST_LOGS = 100  # of each bot in each worker; a log may hold 64 KiB


class Bench(Protocol):
    """Gives a player of each bot for one match after another."""

    def player(self, event: Event, bot: Bot) -> Player: ...

    def forget(self) -> None:
        """Something of arena's own broke: let go of every server, so that a replay meets fresh ones."""

    def close(self) -> None: ...


class JailBench:
    """Running bot servers on one core, those not used for longest closed first."""

    def __init__(self, core: int | None, most: int = MOST_SERVERS, tier: str = "A") -> None:
        self._core = core
        self._most = most
        self._tier = tier
        self._servers: OrderedDict[tuple[str, tuple[str, ...], Limits], BotServer] = OrderedDict()

    def player(self, event: Event, bot: Bot) -> Player:
        key = (bot.digest, bot.command, event.limits)
        if key not in self._servers:
            while len(self._servers) >= self._most:
                self._servers.popitem(last=False)[1].close()
            self._servers[key] = BotServer(bot, event.limits, self._core, self._tier)
        self._servers.move_to_end(key)
        return JailedPlayer(self._servers[key])

    def forget(self) -> None:
        while self._servers:
            with suppress(Exception):  # it is broken already; the next one tells if there is more to it
                self._servers.popitem()[1].close()

    def close(self) -> None:
        self.forget()


class Blocks:
    """Plays blocks with the players of a bench, and keeps the logs of bots with faults under `logs`."""

    def __init__(self, bench: Bench, logs: Path | None) -> None:
        self._bench = bench
        self._logs = logs
        self._kept: dict[str, int] = {}

    def play(
        self, event: Event, bots: Mapping[str, Bot], block: Block, absent: Mapping[str, Fault]
    ) -> tuple[Record, ...]:
        """The block's records by seating. Any exception is arena's own fault and voids the block."""
        return tuple(
            self._match(event, bots, block, seating, absent) for seating in range(len(block.seatings))
        )

    def try_bot(self, event: Event, bot: Bot) -> Fault | None:
        """Start a bot as for a match, and end it."""
        seed = derive(event.seed, "preflight", event.index, bot.id, bits=BOT_SEED_BITS)
        player = self._bench.player(event, bot)
        try:
            fault = player.start(Setup(event.game, 0, event.seats, event.options, seed, event.limits))
        finally:
            player.close()
        if fault:
            self._keep_log(player, bot.id, f"preflight-e{event.index}", fault)
        return fault

    def _match(
        self, event: Event, bots: Mapping[str, Bot], block: Block, seating: int, absent: Mapping[str, Fault]
    ) -> Record:
        match, seats = block.id.match(seating), block.seatings[seating]
        players: list[Player] = [
            ScriptedPlayer(start=absent[bot]) if bot in absent else self._bench.player(event, bots[bot])
            for bot in seats
        ]
        record = play_match(event, match, seats, players)
        for bot, player, fault in zip(seats, players, record.faults, strict=True):
            if fault:
                self._keep_log(player, bot, str(match), fault)
        return record

    def _keep_log(self, player: Player, bot: str, name: str, fault: Fault) -> None:
        log: Callable[[], bytes] | None = getattr(player, "log", None)
        if self._logs is None or log is None or self._kept.get(bot, 0) >= MOST_LOGS:
            return
        self._kept[bot] = self._kept.get(bot, 0) + 1
        folder = self._logs / bot
        folder.mkdir(parents=True, exist_ok=True)
        head = f"{name}: {fault.kind} in decision {fault.decision}: {fault.detail}\n\n"
        (folder / f"{name}.log").write_bytes(head.encode("utf-8", "replace") + log())
