"""The run's SQLite file: the one truth, from which tables, ratings and pages are made again at will."""

from arena.store.store import Store

__all__ = ["Store"]
