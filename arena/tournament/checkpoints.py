"""Checkpoints of an event: the places, in schedule order, at which something is decided.

Everything is decided on whole checkpoints, each the blocks of one deal. So any number of workers and any kill
in between, come to the same decisions at the same places.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from arena.model import Block, BlockId
from arena.stopping import Decision, Standing

StopRule = Callable[[Standing], Decision]
"""Pure, but for `seconds`: whether an event is over, and which bots play no more."""


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
