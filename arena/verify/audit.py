"""A run gone through once: its settings, its rounds, its blocks, and every match played again."""

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from itertools import groupby

from arena.blocks import blocks_of
from arena.model import Block, Event, Record
from arena.store import Store
from arena.verify.match import match_mismatches
from arena.verify.schedule import round_mismatches
from arena.verify.settings import bot_mismatches, config_mismatches
from arena.verify.words import one_line, shown

_UNREADABLE = (sqlite3.Error, struct.error, LookupError, ValueError, TypeError, AttributeError, OverflowError)


class Audit:
    """Reads a run in identity order and bounded memory; counts the `events` and `matches` it went through."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._where = "at its start"
        self.matches = 0
        self.events = 0

    def mismatches(self) -> Iterator[str]:
        """One line for each value that is not what it should be, with the identity of its match."""
        try:
            yield from config_mismatches(self._store)
            for event in self._store.events():
                self.events += 1
                self._where = f"in event {event.index}"
                yield from bot_mismatches(event)
                yield from round_mismatches(self._store, event)
                yield from self._blocks(event)
        except _UNREADABLE as error:
            yield f"{self._store.folder}: cannot be read on {self._where}: {one_line(error)}"

    def _blocks(self, event: Event) -> Iterator[str]:
        rounds = self._store.rounds(event.index)
        asked = {block.id: block for round_ in rounds for block in blocks_of(event, round_)}
        done = {block for block in self._store.done() if block.event == event.index}
        void = {block for block in self._store.voids() if block.event == event.index}
        empty = set(done)
        for block_id, records in groupby(self._records(event), lambda record: record.block):
            empty.discard(block_id)
            yield from self._block(event, asked.get(block_id), block_id in done, tuple(records))
        for block_id in sorted(empty):
            yield f"{block_id}: all its matches are missing"
        for block_id in sorted((done | void) - set(asked)):
            yield f"{block_id}: no round of the event asks for this block"
        if self._is_whole():
            for block_id in sorted(set(asked) - done - void):
                yield f"{block_id}: was not played, though the run is finished"

    def _records(self, event: Event) -> Iterator[Record]:
        for record in self._store.records(event.index):
            yield record
            self._where = f"after match {record.match}"

    def _block(
        self, event: Event, block: Block | None, done: bool, records: Sequence[Record]
    ) -> Iterator[str]:
        seatings = block.seatings if block else ()
        if not done:
            yield f"{records[0].match}: its block was not committed"
        for seating in sorted(set(range(len(seatings))) - {record.match.seating for record in records}):
            yield f"{records[0].block.match(seating)}: is missing"
        for record in records:
            self.matches += 1
            if record.match.seating >= len(seatings):
                yield f"{record.match}: the schedule has no such match"
            elif record.seats != (seats := seatings[record.match.seating]):
                yield f"{record.match}: seats: {shown(record.seats)}, the seed gives {shown(seats)}"
            yield from match_mismatches(event, record)

    def _is_whole(self) -> bool:
        """Whether nothing but a void may be missing: finished, and without a rule that may stop it early."""
        rules = self._store.meta.get("rules") or {}
        return bool(self._store.meta.get("finished")) and not (rules.get("until") or rules.get("gate"))
