"""Who competes in what, and who meets whom."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from arena.model.game import Json
from arena.model.results import Outcome
from arena.options import Option


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may use: seconds and bytes. A move longer than `move` draws on `bank`."""

    move: float = 1.0
    bank: float = 10.0
    start: float = 5.0
    memory: int = 256 * 2**20
    processes: int = 1
    python: str | None = None
    """An interpreter or virtual environment whose packages Python bots may import."""

    def as_json(self) -> Json:
        """What a bot is told in its `start` message."""
        return {"move": self.move, "bank": self.bank, "start": self.start, "memory": self.memory,
                "processes": self.processes}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bot:
    """One entrant: `source` is its file, or its folder if a command starts it; `digest` its sha256."""

    id: str
    name: str
    digest: str
    source: Path
    author: str = ""
    command: tuple[str, ...] = ()
    """Empty for a Python file, which the jail's own interpreter runs."""
    build: tuple[str, ...] = ()
    anchor: bool = False

    @property
    def language(self) -> str:
        return Path(self.command[0]).name if self.command else "python"


@dataclass(frozen=True, slots=True)
class Event:
    """One competition of a tournament, all its settings complete and typed."""

    index: int
    name: str
    game: str
    seats: int
    options: Mapping[str, Any]
    bots: tuple[Bot, ...]
    format: str
    format_options: Mapping[str, Any]
    limits: Limits
    seed: int
    common_deals: bool = False

    def bot(self, bot_id: str) -> Bot:
        return next(bot for bot in self.bots if bot.id == bot_id)


class MatchId(NamedTuple):
    """A match's identity, `e0-r1-t3-d5-s1`: never a position in a list, and safe as a file name."""

    event: int
    round: int
    table: int
    deal: int
    seating: int

    def __str__(self) -> str:
        return f"e{self.event}-r{self.round}-t{self.table}-d{self.deal}-s{self.seating}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """ValueError for anything that `str` of an identity does not give."""
        found = re.fullmatch(r"e(\d+)-r(\d+)-t(\d+)-d(\d+)-s(\d+)", text, re.ASCII)
        if not found or str(made := cls(*map(int, found.groups()))) != text:
            raise ValueError(f"a match identity like e0-r1-t3-d5-s1, not {text!r}")
        return made


class BlockId(NamedTuple):
    """A block's identity, `e0-r1-t3-d5`."""

    event: int
    round: int
    table: int
    deal: int

    def __str__(self) -> str:
        return f"e{self.event}-r{self.round}-t{self.table}-d{self.deal}"

    def match(self, seating: int) -> MatchId:
        return MatchId(*self, seating)


@dataclass(frozen=True, slots=True)
class Block:
    """All seatings of one table on one deal: the unit of scheduling, statistics, commits and resuming."""

    id: BlockId
    seatings: tuple[tuple[str, ...], ...]
    """For each match of the block the bots' ids by seat."""

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(sorted(self.seatings[0]))


@dataclass(frozen=True, slots=True)
class Pairing:
    """One table that a format asks for: who meets, on which deals, and why in one line for the report."""

    table: int
    bots: tuple[str, ...]
    deals: range
    seatings: str = "cyclic"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """The pairings that a format asks for at once, and who sits out; rounds count from 1."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Format(Protocol):
    """A format is pure: the event and what was played give the next round, or None when it is over."""

    name: str
    options: Mapping[str, Option]

    def check(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Problems that refuse the event and warnings, in words, seen from its settings alone."""

    def next_round(self, event: Event, played: tuple[tuple[Round, tuple[Outcome, ...]], ...]) -> Round | None:
        """`played` holds every earlier round, in order, with its outcomes in identity order."""
