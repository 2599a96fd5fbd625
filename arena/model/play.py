"""One match: who answers, what goes wrong, what is kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from arena.model.contest import Block, BlockId, Bot, Event, Limits, MatchId
from arena.model.game import Json


class FaultKind(StrEnum):
    """Why a bot lost its seat in a match, in the verdict's order."""

    START = "start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    MEMORY = "memory"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot's first fault in a match. `decision` counts the seat's requests from 1; 0: before the first.

    `detail` is one line without times, process numbers or addresses: equal in any two runs.
    """

    kind: FaultKind
    decision: int
    detail: str

    def as_json(self) -> Json:
        return {"kind": str(self.kind), "decision": self.decision, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a bot is told before the first decision of a match."""

    game: str
    seat: int
    seats: int
    options: Mapping[str, Any]
    seed: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class Request:
    """What a seat is asked: the kind, the legal actions, its view, and its events since its last request."""

    kind: str
    legal: tuple[str, ...]
    view: Json
    events: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """A seat's times in one match, milliseconds; the only part of a record that may differ between runs."""

    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    think_ms: tuple[float, ...] = ()
    """Charged wall time of each decision, in order."""
    outside_ms: float = 0.0
    """CPU time used outside the bot's own turns."""

    @property
    def slowest_ms(self) -> float:
        return max(self.think_ms, default=0.0)


class Player(Protocol):
    """Whoever answers for a seat. A bot's fault is a returned value; an exception is arena's own fault."""

    def start(self, setup: Setup) -> Fault | None:
        """Get ready for one match."""

    def ask(self, request: Request) -> str | Fault:
        """The action chosen, not yet checked against the rules, or the fault that ends this player's part."""

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """The match is over; called for players without a fault only."""

    def close(self) -> Timing:
        """Let go of everything the match held; always called, once."""


@dataclass(frozen=True, slots=True)
class Record:
    """Everything needed to replay and audit one match."""

    match: MatchId
    game: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    chance: Json
    decisions: tuple[tuple[str, ...], ...]
    """By seat, in order, the stand-in's included."""
    scores: tuple[int, ...]
    placings: tuple[int, ...]
    points: tuple[float, ...]
    faults: tuple[Fault | None, ...]
    timings: tuple[Timing, ...] = field(default=())

    @property
    def block(self) -> BlockId:
        return BlockId(*self.match[:4])

    def as_json(self) -> Json:
        """The exported form, keys in their documented order."""
        return {
            "match": str(self.match), "event": self.match.event, "round": self.match.round,
            "table": self.match.table, "deal": self.match.deal, "seating": self.match.seating,
            "game": self.game, "options": dict(self.options), "seats": list(self.seats),
            "chance": self.chance, "decisions": [list(seat) for seat in self.decisions],
            "scores": list(self.scores), "placings": list(self.placings), "points": list(self.points),
            "faults": [fault and fault.as_json() for fault in self.faults],
            "cpu_ms": [round(t.cpu_ms, 3) for t in self.timings],
            "wall_ms": [round(t.wall_ms, 3) for t in self.timings],
            "slowest_ms": [round(t.slowest_ms, 3) for t in self.timings],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class BlockResult:
    """What became of a block: its records in seating order, or why it is void after the last try."""

    block: Block
    records: tuple[Record, ...]
    void: str | None = None


class Executor(Protocol):
    """Plays blocks, several at a time and wherever it likes; results come in any order.

    A plug-in is called as `executor(events, workers, logs)`: all events of the tournament, how many blocks at
    once (None: as many as the machine has cores for it), and the folder for the logs of bots with faults.
    """

    workers: int
    """How many blocks it plays at once."""
    slots: int
    """How many it wants in hand, so that no worker waits for the next."""

    def start(self) -> None:
        """Make the workers; called once, before anything else here and before any thread."""

    def try_bots(self, entries: Sequence[tuple[Event, Bot]]) -> Iterator[tuple[Event, Bot, Fault | None]]:
        """Start each bot once as for a match; called while no block is in hand."""

    def submit(self, event: Event, block: Block, absent: Mapping[str, Fault]) -> None:
        """Take a block in hand; for bots that are `absent` their fault stands without starting them."""

    def wait(self) -> BlockResult:
        """The next block that is through: played, or void after the last try. Called while one is in hand."""

    def close(self) -> None:
        """End at once, whatever is in hand: no bot's process is left. May be called again."""
