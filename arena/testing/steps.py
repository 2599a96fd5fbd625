"""A step of a bot's check: how it went, and what went on when it failed."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.model import Json, Limits


class State(StrEnum):
    """`warning`: would fail, if the caller had not said that it may."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Evidence:
    """What went on when a step failed; empty where there was nothing of it."""

    match: str = ""
    sent: Json | None = None
    answer: str = ""
    printed: str = ""
    """The end of the bot's log: what it printed, and the traceback into its own file."""
    advice: str = ""
    again: str = ""
    """The command that plays this match."""

    def as_json(self) -> Json:
        return {"match": self.match, "sent": self.sent, "answer": self.answer, "printed": self.printed,
                "advice": self.advice, "again": self.again}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One step of the check and how it went; the first failed one is the last."""

    number: int
    name: str
    state: State
    detail: str
    evidence: Evidence | None = None

    def as_json(self) -> Json:
        plain: Json = {
            "number": self.number,
            "name": self.name,
            "state": str(self.state),
            "detail": self.detail,
        }
        return plain | ({"evidence": self.evidence.as_json()} if self.evidence else {})


def times(think: Sequence[float], limits: Limits) -> str:
    """p50, p99 and the slowest of sorted times in milliseconds, against the limit."""
    if not think:
        return "no decision"
    return (
        f"p50 {_rank(think, 0.5):.1f} ms, p99 {_rank(think, 0.99):.1f} ms, slowest {think[-1]:.1f} ms "
        f"of {limits.move * 1e3:.0f} ms"
    )


def _rank(ordered: Sequence[float], share: float) -> float:
    """The value that this share of an ordered sample does not exceed."""
    return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]
