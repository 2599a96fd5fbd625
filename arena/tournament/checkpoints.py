"""What is decided while an event goes on: who is out, and whether it is over.

Everything is decided on whole checkpoints, each the blocks of one deal, in schedule order: so any number of
workers, and any kills in between, come to the same decisions at the same places.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from arena.model import Block, BlockId, Event, Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """`stop` says in words why the event is over; blocks of `dropped` bots are not played any more."""

    stop: str = ""
    dropped: tuple[str, ...] = ()


class StopRule(Protocol):
    """Pure: given the outcomes of all blocks up to a checkpoint, in identity order, and how many blocks."""

    def __call__(self, event: Event, outcomes: tuple[Outcome, ...], blocks: int) -> Verdict: ...


def cut(blocks: Sequence[Block], decided: bool) -> list[tuple[Block, ...]]:
    """A round's blocks as checkpoints; one alone where nothing is `decided` in between."""
    if not decided:
        return [tuple(blocks)]
    return [tuple(group) for _, group in groupby(blocks, key=lambda block: block.id.deal)]


def failing(
    blocks: Iterable[Block],
    faulty: Mapping[BlockId, frozenset[str]],
    voids: Mapping[BlockId, str],
    limit: int,
) -> tuple[str, ...]:
    """The bots with a fault in `limit` of their blocks in a row, in the order in which they got there.

    `blocks` are in schedule order; `faulty` names the bots with a fault for each block that has any; void
    blocks say nothing.
    """
    row: dict[str, int] = {}
    out: dict[str, None] = {}
    for block in blocks:
        if block.id in voids:
            continue
        for bot in block.bots:
            row[bot] = row.get(bot, 0) + 1 if bot in faulty.get(block.id, ()) else 0
            if row[bot] >= limit:
                out.setdefault(bot)
    return tuple(out)
