"""The recorded blocks played again by the bots' snapshots in the jail: who does not do the same again?"""

from collections import Counter
from collections.abc import Iterator

from arena import registry
from arena.blocks import blocks_of
from arena.model import Block, BlockResult, Event, Executor, Fault, FaultKind, Record
from arena.store import Store
from arena.verify.match import turning_point


def rerun(store: Store, workers: int | None = None) -> Iterator[str]:
    """One line for each match in which a bot now decides otherwise, and one for each such bot.

    A bot that was out of the event before a block (a start fault in all of its matches) stays out. Bots that
    look at the clock, or time out, may differ without anybody's fault. JailUnavailable where there is none.
    """
    events = {event.index: event for event in store.events()}
    executor: Executor = registry.executors.get("local")(
        tuple(events.values()), workers, None, tier=store.meta["sandbox"].get("tier", "A")
    )
    others: Counter[tuple[int, str]] = Counter()
    executor.start()
    try:
        for result in _played(store, events, executor):
            yield from _compared(store, events[result.block.id.event], result, others)
    finally:
        executor.close()
    for (event, bot), count in sorted(others.items()):
        yield f"event {event}: {bot}: went another way in {count} matches: it does not repeat itself"


def _played(store: Store, events: dict[int, Event], executor: Executor) -> Iterator[BlockResult]:
    in_hand = 0
    for event, block in _blocks(store, events):
        if in_hand == executor.slots:
            yield executor.wait()
            in_hand -= 1
        executor.submit(event, block, _absent(store, block))
        in_hand += 1
    for _ in range(in_hand):
        yield executor.wait()


def _blocks(store: Store, events: dict[int, Event]) -> Iterator[tuple[Event, Block]]:
    done = store.done()
    for event in events.values():
        for round_ in store.rounds(event.index):
            for block in blocks_of(event, round_):
                if block.id in done:
                    yield event, block


def _records(store: Store, block: Block) -> list[Record]:
    return [store.record(block.id.match(seating)) for seating in range(len(block.seatings))]


def _absent(store: Store, block: Block) -> dict[str, Fault]:
    records = _records(store, block)
    found: dict[str, Fault] = {}
    for bot in block.bots:
        faults = [record.faults[record.seats.index(bot)] for record in records]
        first = faults[0]
        if first and all(fault and fault.kind is FaultKind.START for fault in faults):
            found[bot] = first
    return found


def _compared(
    store: Store, event: Event, result: BlockResult, others: Counter[tuple[int, str]]
) -> Iterator[str]:
    if result.void is not None:
        yield f"{result.block.id}: could not be played again: {result.void}"
        return
    for record, again in zip(_records(store, result.block), result.records, strict=True):
        if turning := turning_point(record, again):
            bot = record.seats[turning.seat]
            others[event.index, bot] += 1
            where = f"seat {turning.seat}, " + (
                f"decision {turning.decision}" if turning.decision else "start"
            )
            yield f"{record.match}: {bot}, {where}: {turning.then} then, {turning.now} now"
