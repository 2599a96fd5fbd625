"""The tables of run.sqlite, and how the file is made and opened.

Rows are keyed by identity and clustered in its order, so reading in identity order sorts nothing. What tables
and ratings need of a match is in `match`; what only replays and audits need is beside it in `play`. Columns
whose values may differ between two runs of one config end in `_ms`.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import ArenaError, UsageError

FILE = "run.sqlite"
VERSION = 1
_APPLICATION = 0x41524E41  # tells a run from any other SQLite file

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE event (event INTEGER PRIMARY KEY, settings TEXT NOT NULL);
CREATE TABLE round (
  event INTEGER, round INTEGER, pairings TEXT NOT NULL, PRIMARY KEY (event, round)) WITHOUT ROWID;
CREATE TABLE preflight (event INTEGER, bot TEXT, fault TEXT, PRIMARY KEY (event, bot)) WITHOUT ROWID;
CREATE TABLE note (number INTEGER PRIMARY KEY, event INTEGER, text TEXT NOT NULL);
CREATE TABLE block (
  event INTEGER, round INTEGER, tbl INTEGER, deal INTEGER, void TEXT,
  PRIMARY KEY (event, round, tbl, deal)) WITHOUT ROWID;
CREATE TABLE match (
  event INTEGER, round INTEGER, tbl INTEGER, deal INTEGER, seating INTEGER,
  seats TEXT NOT NULL, scores TEXT NOT NULL, placings TEXT NOT NULL, points TEXT NOT NULL, faults TEXT,
  PRIMARY KEY (event, round, tbl, deal, seating)) WITHOUT ROWID;
CREATE TABLE play (
  event INTEGER, round INTEGER, tbl INTEGER, deal INTEGER, seating INTEGER,
  chance TEXT NOT NULL, decisions TEXT NOT NULL,
  cpu_ms TEXT NOT NULL, wall_ms TEXT NOT NULL, outside_ms TEXT NOT NULL, think_ms BLOB NOT NULL,
  PRIMARY KEY (event, round, tbl, deal, seating)) WITHOUT ROWID;
"""


@contextmanager
def creating(folder: Path) -> Iterator[sqlite3.Connection]:
    """A new file with empty tables to be filled; it becomes the folder's run.sqlite whole or not at all.

    ArenaError when the folder, which is made, holds a run already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / FILE).exists():
        raise ArenaError(f"{folder}: holds a run already")
    fresh = folder / f"{FILE}.new"
    fresh.unlink(missing_ok=True)
    database = _connect(fresh, "rwc")
    try:
        database.executescript(
            f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {VERSION}; {_TABLES}"
        )
        yield database
    finally:
        database.close()
    os.replace(fresh, folder / FILE)


def connect(folder: Path) -> sqlite3.Connection:
    """The run in this folder; UsageError when it is none, ArenaError when a newer arena wrote it."""
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"{folder}: not a run folder (no {FILE} in it)")
    writable = os.access(folder, os.W_OK) and os.access(path, os.W_OK)
    database = _connect(path, "rw" if writable else "ro&immutable=1")
    try:
        _check(database, path)
        if writable:
            # A killed runner then loses nothing that was committed; a power cut may cost the last blocks.
            database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    except BaseException:
        database.close()
        raise
    return database


def _check(database: sqlite3.Connection, path: Path) -> None:
    try:
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{path}: not a run of arena ({error})") from None
    if application != _APPLICATION:
        raise UsageError(f"{path}: not a run of arena")
    if version > VERSION:
        raise ArenaError(
            f"{path}: written by a newer arena (schema {version}; this one reads up to {VERSION})"
        )


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=30, isolation_level=None
    )
