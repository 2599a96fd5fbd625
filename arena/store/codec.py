"""Nouns to columns and back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from struct import calcsize, iter_unpack, pack, unpack_from
from typing import Any

import orjson

from arena.model import (
    BlockId,
    Bot,
    Event,
    Fault,
    FaultKind,
    Json,
    Limits,
    MatchId,
    Outcome,
    Pairing,
    Record,
    Round,
    Timing,
)

MATCH = "event, round, tbl, deal, seating"
RESULT = "seats, scores, placings, points, faults"
PLAY = "chance, decisions, cpu_ms, wall_ms, outside_ms, think_ms"


def dump(value: Any) -> str:
    """Compact JSON text; the same for equal values, with keys in their own order."""
    return orjson.dumps(value).decode()


def event_out(event: Event, folder: Path) -> str:
    """An event as JSON; bots' sources inside the run folder are relative to it, so a run can be moved."""
    fields = {
        "name": event.name, "game": event.game, "seats": event.seats, "options": dict(event.options),
        "format": event.format, "format_options": dict(event.format_options),
        "seed": event.seed, "common_deals": event.common_deals, "limits": asdict(event.limits),
        "bots": [_bot_out(bot, folder) for bot in event.bots],
    }  # fmt: skip
    return json.dumps(fields)


def event_in(index: int, text: str, folder: Path) -> Event:
    """The event that `event_out` wrote."""
    fields = json.loads(text)
    bots = tuple(_bot_in(bot, folder) for bot in fields.pop("bots"))
    return Event(index=index, bots=bots, limits=Limits(**fields.pop("limits")), **fields)


def _bot_out(bot: Bot, folder: Path) -> Json:
    source = bot.source.relative_to(folder) if bot.source.is_relative_to(folder) else bot.source
    return {**asdict(bot), "source": str(source)}


def _bot_in(fields: Json, folder: Path) -> Bot:
    tuples = {key: tuple(fields[key]) for key in ("command", "build")}
    return Bot(**{**fields, **tuples, "source": folder / fields["source"]})


def round_out(round_: Round) -> str:
    """A round's pairings, byes and notes as JSON."""
    pairings = [[p.table, p.bots, p.deals.start, p.deals.stop, p.seatings, p.reason] for p in round_.pairings]
    return dump({"pairings": pairings, "byes": round_.byes, "notes": round_.notes})


def round_in(number: int, text: str) -> Round:
    """The round that `round_out` wrote."""
    fields = orjson.loads(text)
    pairings = tuple(
        Pairing(table, tuple(bots), range(start, stop), seatings, reason)
        for table, bots, start, stop, seatings, reason in fields["pairings"]
    )
    return Round(number, pairings, tuple(fields["byes"]), tuple(fields["notes"]))


def fault_in(fields: Mapping[str, Any] | None) -> Fault | None:
    """A fault from its JSON form."""
    return None if fields is None else Fault(FaultKind(fields["kind"]), fields["decision"], fields["detail"])


def result_out(record: Record) -> tuple[Any, ...]:
    """The columns MATCH and RESULT of a record; `faults` is NULL where there are none."""
    faults = [fault and fault.as_json() for fault in record.faults]
    return (
        *record.match, dump(record.seats), dump(record.scores), dump(record.placings), dump(record.points),
        json.dumps(faults) if any(faults) else None,
    )  # fmt: skip


def play_out(record: Record) -> tuple[Any, ...]:
    """The columns MATCH and PLAY of a record."""
    times = record.timings
    return (
        *record.match, dump(record.chance), dump(record.decisions),
        dump([round(t.cpu_ms, 3) for t in times]), dump([round(t.wall_ms, 3) for t in times]),
        dump([round(t.outside_ms, 3) for t in times]), _pack([t.think_ms for t in times]),
    )  # fmt: skip


def record_in(event: Event, row: Sequence[Any]) -> Record:
    """A record from the columns MATCH, RESULT and PLAY."""
    seats, scores, placings, points = map(orjson.loads, row[5:9])
    faults = [None] * len(seats) if row[9] is None else map(fault_in, json.loads(row[9]))
    chance, decisions, cpu, wall, outside = map(orjson.loads, row[10:15])
    think = _unpack(row[15])
    return Record(
        match=MatchId(*row[:5]), game=event.game, options=event.options, seats=tuple(seats), chance=chance,
        decisions=tuple(map(tuple, decisions)), scores=tuple(scores), placings=tuple(placings),
        points=tuple(points), faults=tuple(faults),
        timings=tuple(map(Timing, cpu, wall, think, outside)),
    )  # fmt: skip


def outcome_in(row: Sequence[Any]) -> Outcome:
    """An outcome from the columns MATCH and RESULT."""
    match = MatchId(*row[:5])
    seats, scores, placings, points = map(orjson.loads, row[5:9])
    faults = [None] * len(seats) if row[9] is None else json.loads(row[9])
    return Outcome(
        match=str(match), block=str(BlockId(*match[:4])), bots=tuple(seats), placings=tuple(placings),
        scores=tuple(scores) if row[9] is None else None, points=tuple(points),
        absent=tuple(
            bot
            for bot, fault in zip(seats, faults, strict=True)
            if fault and fault["kind"] == FaultKind.START
        ),
    )  # fmt: skip


def _pack(times: Sequence[Sequence[float]]) -> bytes:
    """Each seat's times as a count and that many 32-bit floats, little-endian."""
    return b"".join(pack(f"<I{len(seat)}f", len(seat), *seat) for seat in times)


def _unpack(data: bytes) -> list[tuple[float, ...]]:
    seats, at = [], 0
    while at < len(data):
        (count,) = unpack_from("<I", data, at)
        start = at + calcsize("<I")
        at = start + count * calcsize("<f")
        seats.append(tuple(round(value, 4) for (value,) in iter_unpack("<f", data[start:at])))
    return seats
