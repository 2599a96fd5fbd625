"""Results from elsewhere: CSV rows `match, block, bot, place, score` to columns."""

import csv
import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter

import numpy as np

from arena.errors import ConfigError, did_you_mean
from arena.standings.columns import Columns, ints

NEEDED, OPTIONAL = ("match", "bot", "place"), ("block", "score")
_MOST_PROBLEMS = 20


def read_results(lines: Iterable[str], name: str) -> tuple[Columns, tuple[str, ...]]:
    """The matches of a CSV file, and the names of columns that were not used.

    The first line names the columns, in any order; a row is one bot in one match; the rows of a match need
    not be together. `place` counts from 1 and is shared by bots that tie. `block` ties matches together
    that depend on each other (one deal, say); without it a match stands alone. `score` is only for mean
    scores. ConfigError with a line `name:line: column: what is allowed` for each fault, the first 20.
    """
    rest = (line.replace("\0", "\N{REPLACEMENT CHARACTER}") for line in lines)
    first = next(rest, "")
    mark = next((mark for mark in ",;\t" if mark in first), ",")
    reader = csv.reader(chain([first], rest), delimiter=mark)
    try:
        header = next((row for row in reader if any(row)), None)
        if header is None:
            raise ConfigError([f"{name}:1: empty: a first line like match,block,bot,place,score is needed"])
        at, unused = _columns(header, name)
        return _Rows(name, at).read(reader), unused
    except csv.Error as error:
        raise ConfigError([f"{name}:{reader.line_num}: not CSV: {error}"]) from None


def _columns(header: Sequence[str], name: str) -> tuple[dict[str, int], tuple[str, ...]]:
    """Where the columns are, and those that are not used."""
    given = [cell.strip().strip("\ufeff").lower() for cell in header]
    known = (*NEEDED, *OPTIONAL)
    unused = [cell for cell in given if cell not in known]
    problems = [
        f"{name}:1: {column}: this column is needed{did_you_mean(column, unused)}"
        for column in NEEDED
        if column not in given
    ]
    problems += [
        f"{name}:1: {column}: this column is there twice" for column in known if given.count(column) > 1
    ]
    problems += [
        f"{name}:1: {cell}: no such column{hint}"
        for cell in unused
        if (hint := did_you_mean(cell, [column for column in OPTIONAL if column not in given]))
    ]
    if problems:
        raise ConfigError(problems)
    return {column: given.index(column) for column in known if column in given}, tuple(filter(None, unused))


class _Rows:
    """Rows as they are read: everything a number, names looked up once."""

    def __init__(self, name: str, at: dict[str, int]) -> None:
        self.name, self.at = name, at
        self.problems: list[str] = []
        self.matches: dict[str, int] = {}
        self.bots: dict[str, int] = {}
        self.blocks: list[str] = []
        self.match, self.bot, self.place, self.line = array("q"), array("q"), array("q"), array("q")
        self.score = array("d")
        self.known_bots: dict[str, int] = {}
        self.known_places: dict[str, int] = {}
        self.here = ("", "\0")
        self.number = 0

    def read(self, reader: Iterator[list[str]]) -> Columns:
        width = max(self.at.values()) + 1
        cells = itemgetter(
            *(self.at.get(column, -1) for column in ("match", "block", "bot", "place", "score"))
        )
        for row in reader:
            line: int = reader.line_num  # type: ignore[attr-defined]
            if not any(row):
                continue
            if len(row) < width:
                self.wrong(line, "row", f"{width} cells or more are needed, not {len(row)}")
            else:
                row.append("")  # stands for a column that is not there
                self.add(line, *cells(row))
            if len(self.problems) > _MOST_PROBLEMS:
                self.problems[_MOST_PROBLEMS:] = ["and more"]
                break
        columns = self.columns() if not self.problems else None
        if columns is None or self.problems:
            raise ConfigError(self.problems)
        return columns

    def wrong(self, line: int, column: str, what: str) -> None:
        self.problems.append(f"{self.name}:{line}: {column}: {what}")

    def add(self, line: int, match: str, block: str, bot: str, place: str, score: str) -> None:
        """Cells as they stand in the file; what was read before is looked up."""
        if (match, block) != self.here:
            self.enter(line, match, block)
        self.match.append(self.number)
        self.bot.append(self.known_bots[bot] if bot in self.known_bots else self.read_bot(line, bot))
        self.place.append(self.known_places.get(place) or self.read_place(line, place))
        value = _number(score)
        if value is None:
            self.wrong(line, "score", f"a number or an empty cell, not {score.strip()!r:.40}")
        self.score.append(value or 0.0)
        self.line.append(line)

    def enter(self, line: int, match: str, block: str) -> None:
        """The rows that follow are of this match."""
        self.here = match, block
        match, block = match.strip(), block.strip()
        if not match:
            self.wrong(line, "match", "a name, not an empty cell")
        self.number = self.matches.setdefault(match, len(self.matches))
        if self.number == len(self.blocks):
            self.blocks.append(block)
        elif self.blocks[self.number] != block:
            self.wrong(line, "block", f"the same for all rows of match {match!r:.40}: "
                       f"{self.blocks[self.number]!r:.40}, not {block!r:.40}")  # fmt: skip

    def read_bot(self, line: int, bot: str) -> int:
        name = bot.strip()
        if not name:
            self.wrong(line, "bot", "a name, not an empty cell")
        return self.known_bots.setdefault(bot, self.bots.setdefault(name, len(self.bots)))

    def read_place(self, line: int, place: str) -> int:
        text = place.strip()
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text)):
            self.wrong(line, "place", f"a whole number from 1, not {text!r:.40}")
            return 1
        return self.known_places.setdefault(place, int(text))

    def columns(self) -> Columns | None:
        """All rows as columns, the seats of a match by name; None after noting what is wrong with a match."""
        bots = sorted(self.bots)
        rank = {bot: index for index, bot in enumerate(bots)}
        match, bot = ints(self.match), ints([rank[bot] for bot in self.bots])[ints(self.bot)]
        order = np.lexsort((bot, match))
        match, bot = match[order], bot[order]
        line = ints(self.line)[order]
        seats = np.bincount(match, minlength=len(self.matches))
        names = list(self.matches)
        for row in np.flatnonzero((np.diff(match) == 0) & (np.diff(bot) == 0))[:_MOST_PROBLEMS].tolist():
            later = int(max(line[row], line[row + 1]))
            self.wrong(later, "bot", f"{bots[bot[row]]!r:.40} is in match {names[match[row]]!r:.40} twice")
        for alone in np.flatnonzero(seats == 1)[:_MOST_PROBLEMS].tolist():
            self.wrong(
                int(line[match == alone][0]),
                "match",
                f"two bots or more, but {names[alone]!r:.40} has one row",
            )
        if self.problems:
            return None
        score = np.array(self.score)[order]
        scored = np.bincount(match, np.isnan(score), len(names)) == 0
        blocks = [
            f"b{block}" if block else f"m{name}" for block, name in zip(self.blocks, names, strict=True)
        ]
        return Columns.of_rows(
            bots,
            list(zip(blocks, names, strict=True)),
            seats,
            bot,
            ints(self.place)[order],
            np.nan_to_num(score),
            scored,
        )


def _number(text: str) -> float | None:
    """The number in a cell (nan for an empty one), or None."""
    if not text.strip():
        return math.nan
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e12 and "_" not in text else None
