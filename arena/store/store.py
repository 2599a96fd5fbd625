"""What a run knows, kept: one transaction a block, every row under its identity."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena.errors import ArenaError
from arena.model import BlockId, BlockResult, Event, Fault, Json, MatchId, Outcome, Record, Round
from arena.store import codec, schema


class Store:
    """A run's file `run.sqlite` in its run folder; a context manager.

    One process writes; others may read at the same time, through a Store of their own. Whatever gives matches
    gives them in identity order (event, round, table, deal and seating as numbers), reading as it goes.
    """

    def __init__(self, folder: Path, database: Any) -> None:
        """Use `create` or `open`."""
        self.folder = folder
        self._database = database

    @classmethod
    def create(cls, folder: Path, meta: Json, events: Sequence[Event]) -> Self:
        """A new run in this folder, which is made; ArenaError when it holds one already.

        `meta` is any JSON object: name, seed, versions, sandbox, the report's settings.
        """
        with schema.creating(folder) as database:
            store = cls(folder.absolute(), database)
            with store._transaction():
                for key, value in meta.items():
                    store._set_meta(key, value)
                store._set_events(events)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The run in this folder; UsageError when it is none, ArenaError when a newer arena wrote it."""
        return cls(folder.absolute(), schema.connect(folder))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # What is played

    @property
    def meta(self) -> Json:
        """The JSON object given to `create`, with later changes."""
        rows = self._database.execute("SELECT key, value FROM meta ORDER BY key")
        return {key: json.loads(value) for key, value in rows}

    def set_meta(self, key: str, value: Any) -> None:
        """Set one entry of `meta`."""
        with self._transaction():
            self._set_meta(key, value)

    def events(self) -> tuple[Event, ...]:
        """All events; their bots' `source` is the snapshot in the run folder."""
        rows = self._database.execute("SELECT event, settings FROM event ORDER BY event")
        return tuple(codec.event_in(index, text, self.folder) for index, text in rows)

    def set_events(self, events: Sequence[Event]) -> None:
        """Replace the events, after bots were added; what was played stays."""
        with self._transaction():
            self._set_events(events)

    def rounds(self, event: int) -> tuple[Round, ...]:
        """The rounds that the format has asked for so far."""
        rows = self._database.execute(
            "SELECT round, pairings FROM round WHERE event = ? ORDER BY round", (event,)
        )
        return tuple(codec.round_in(number, text) for number, text in rows)

    def add_round(self, event: int, round_: Round) -> None:
        """Keep a round before its first block is played; one of the same number is replaced."""
        with self._transaction():
            self._database.execute(
                "INSERT OR REPLACE INTO round VALUES (?, ?, ?)",
                (event, round_.number, codec.round_out(round_)),
            )

    def preflight(self, event: int) -> dict[str, Fault | None]:
        """For each bot that was tried before the first block: why it could not be started, or None."""
        rows = self._database.execute(
            "SELECT bot, fault FROM preflight WHERE event = ? ORDER BY bot", (event,)
        )
        return {bot: codec.fault_in(json.loads(fault)) for bot, fault in rows}

    def set_preflight(self, event: int, faults: Mapping[str, Fault | None]) -> None:
        """Keep what starting each of these bots gave."""
        rows = [(event, bot, json.dumps(fault and fault.as_json())) for bot, fault in faults.items()]
        with self._transaction():
            self._database.executemany("INSERT OR REPLACE INTO preflight VALUES (?, ?, ?)", rows)

    # What was played

    def commit(self, result: BlockResult) -> None:
        """Keep a block whole, in one transaction; it may replace a void one, ArenaError else."""
        with self._transaction():
            key = result.block.id
            where = "WHERE event = ? AND round = ? AND tbl = ? AND deal = ?"
            self._database.execute(f"DELETE FROM block {where} AND void IS NOT NULL", key)
            if self._database.execute(f"SELECT 1 FROM block {where}", key).fetchone():
                raise ArenaError(f"block {key} was committed already")
            self._database.execute("INSERT INTO block VALUES (?, ?, ?, ?, ?)", (*key, result.void))
            self._insert("match", [codec.result_out(record) for record in result.records])
            self._insert("play", [codec.play_out(record) for record in result.records])

    def done(self) -> set[BlockId]:
        """The blocks that were played; void ones are not among them."""
        rows = self._database.execute("SELECT event, round, tbl, deal FROM block WHERE void IS NULL")
        return {BlockId(*row) for row in rows}

    def voids(self) -> dict[BlockId, str]:
        """The blocks that could not be played for a fault of arena's own, with the reason."""
        rows = self._database.execute(
            "SELECT event, round, tbl, deal, void FROM block WHERE void IS NOT NULL"
            " ORDER BY event, round, tbl, deal"
        )
        return {BlockId(*row[:4]): row[4] for row in rows}

    def records(self, event: int | None = None) -> Iterator[Record]:
        """All records, or an event's, in identity order and bounded memory."""
        events = {known.index: known for known in self.events()}
        where, values = ("", ()) if event is None else ("WHERE event = ?", (event,))
        for row in self._database.execute(_records(where), values):
            yield codec.record_in(events[row[0]], row)

    def record(self, match: MatchId) -> Record:
        """One record; KeyError when that match was not played."""
        where = "WHERE event = ? AND round = ? AND tbl = ? AND deal = ? AND seating = ?"
        row = self._database.execute(_records(where), match).fetchone()
        if row is None:
            raise KeyError(str(match))
        return codec.record_in({known.index: known for known in self.events()}[match.event], row)

    def outcomes(self, event: int) -> Iterator[Outcome]:
        """An event's outcomes in identity order; scores are None for a match with a fault. Cheap."""
        columns = f"SELECT {codec.MATCH}, {codec.RESULT} FROM match"
        for row in self._database.execute(f"{columns} WHERE event = ? ORDER BY {codec.MATCH}", (event,)):
            yield codec.outcome_in(row)

    def faults(self, event: int) -> Iterator[tuple[MatchId, tuple[str, ...], tuple[Fault | None, ...]]]:
        """An event's matches with a fault, in identity order: identity, bots by seat, faults by seat."""
        columns = f"SELECT {codec.MATCH}, seats, faults FROM match WHERE event = ? AND faults IS NOT NULL"
        for row in self._database.execute(f"{columns} ORDER BY {codec.MATCH}", (event,)):
            yield MatchId(*row[:5]), tuple(json.loads(row[5])), tuple(map(codec.fault_in, json.loads(row[6])))

    def round_outcomes(self, event: int, number: int) -> tuple[Outcome, ...]:
        """One round's outcomes in identity order."""
        columns = f"SELECT {codec.MATCH}, {codec.RESULT} FROM match"
        rows = self._database.execute(
            f"{columns} WHERE event = ? AND round = ? ORDER BY {codec.MATCH}", (event, number)
        )
        return tuple(map(codec.outcome_in, rows))

    # What is said about it

    def note(self, text: str, event: int | None = None) -> None:
        """Keep one line for the report, about an event or the whole run; the same line is kept once."""
        if (event, text) not in self.notes():
            with self._transaction():
                self._database.execute("INSERT INTO note (event, text) VALUES (?, ?)", (event, text))

    def notes(self) -> tuple[tuple[int | None, str], ...]:
        """All notes as (event or None, text), oldest first."""
        rows = self._database.execute("SELECT event, text FROM note ORDER BY number")
        return tuple((event, text) for event, text in rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; ArenaError where the machine cannot keep it: a full disk, say."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield
            self._database.execute("COMMIT")
        except BaseException as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise ArenaError(f"{self.folder / schema.FILE}: {error}") from error
            raise

    def _set_meta(self, key: str, value: Any) -> None:
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    def _set_events(self, events: Sequence[Event]) -> None:
        rows = [(event.index, codec.event_out(event, self.folder)) for event in events]
        self._database.executemany("INSERT OR REPLACE INTO event VALUES (?, ?)", rows)

    def _insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _records(where: str) -> str:
    tables = f"match JOIN play USING ({codec.MATCH})"
    return f"SELECT {codec.MATCH}, {codec.RESULT}, {codec.PLAY} FROM {tables} {where} ORDER BY {codec.MATCH}"
