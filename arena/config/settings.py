"""What a config says, frozen and complete."""

from dataclasses import dataclass
from pathlib import Path

from arena.model import Event, Json


@dataclass(frozen=True, slots=True)
class Gate:
    """A sequential test between two bots, in Elo: is the first better by `elo1`, or no better than `elo0`?"""

    elo0: float
    elo1: float
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class Until:
    """When an event stops before its format ends; every field may be None."""

    half_width: float | None = None
    """Elo: stop when no bot's 95 % interval reaches further."""
    winner: bool = False
    max_blocks: int | None = None
    max_time: float | None = None
    """Seconds; the only rule whose outcome may differ between two runs."""
    gate: Gate | None = None

    def __bool__(self) -> bool:
        return self != Until()


@dataclass(frozen=True, slots=True)
class Settings:
    """One tournament. `path` is the config file, `plain` its content with every default, bots resolved."""

    path: Path
    name: str
    seed: int
    events: tuple[Event, ...]
    disqualify_after: int | None
    strict: bool
    until: Until
    rating_model: str
    rank_by: str | None
    tier: str
    executor: str
    workers: int | None
    """None: one for each core that this process may use."""
    title: str
    logs: str
    replays: str
    plain: Json
    warnings: tuple[str, ...] = ()
