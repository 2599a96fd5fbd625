"""One match made again from its seed and its decisions, and where a bot now goes another way."""

from collections.abc import Iterator
from typing import NamedTuple

from arena import registry
from arena.match import play_match
from arena.model import Event, Fault, FaultKind, Game, Record
from arena.players.scripted import ScriptedPlayer
from arena.verify.words import difference, one_line, shown

_BY_SEAT = ("seats", "decisions", "scores", "placings", "points", "faults")


def match_mismatches(event: Event, record: Record) -> Iterator[str]:
    """Play it again on the deal of its seed, each seat answering as recorded, and compare all but times."""
    seats = len(record.seats)  # tables may be one short; who sits where is compared with the schedule's
    for name in _BY_SEAT:
        if (count := len(getattr(record, name))) != seats:
            yield f"{record.match}: {name}: {count} values for {seats} seats"
            return
    for seat, fault in enumerate(record.faults):
        if fault and (fault.kind is FaultKind.START) != (fault.decision == 0):
            yield f"{record.match}: faults: seat {seat} has a {fault.kind} fault in decision {fault.decision}"
    try:
        players = [_as_recorded(record, seat) for seat in range(seats)]
        again = play_match(event, record.match, record.seats, players)
    except Exception as error:  # a record may hold anything
        yield f"{record.match}: cannot be played again: {one_line(error)}"
        return
    for seat, (then, now) in enumerate(zip(record.faults, again.faults, strict=True)):
        if now and now != then:  # from there on it is another match
            yield f"{record.match}: decisions: seat {seat}, decision {now.decision}: {now.detail}"
            return
    for name in ("chance", *_BY_SEAT[1:]):
        then, now = getattr(record, name), getattr(again, name)
        if then != now:
            yield f"{record.match}: {name}: {difference(then, now)}"


def _as_recorded(record: Record, seat: int) -> ScriptedPlayer:
    """Answers as this seat did, up to its fault; what the stand-in then plays follows from the seed."""
    fault, decisions = record.faults[seat], record.decisions[seat]
    if fault is None:
        return ScriptedPlayer(decisions)
    if fault.decision == 0:
        return ScriptedPlayer(start=fault)
    return ScriptedPlayer([*decisions[: fault.decision - 1], fault])


class Turning(NamedTuple):
    """Where two plays of one match part: decision 0 is the start; `then` and `now` are what the bot said."""

    seat: int
    decision: int
    then: str
    now: str


def turning_point(record: Record, again: Record) -> Turning | None:
    """The first decision, in the order of play, that another play of this match has otherwise."""
    for seat, (old, new) in enumerate(zip(record.faults, again.faults, strict=True)):
        if old != new and 0 in (old and old.decision, new and new.decision):
            return Turning(seat, 0, _said(old, "ready"), _said(new, "ready"))
    rules: type[Game] = registry.games.get(record.game)
    position: Game = rules.from_chance(len(record.seats), record.chance, record.options)
    made = [0] * len(record.seats)
    while (turn := position.turn) is not None:
        action = record.decisions[turn][made[turn]]
        made[turn] += 1
        then, now = _answer(record, turn, made[turn]), _answer(again, turn, made[turn])
        if then != now:
            return Turning(turn, made[turn], then, now)
        position = position.play(action)
    return None


def _answer(record: Record, seat: int, decision: int) -> str:
    fault = record.faults[seat]
    if fault and fault.decision == decision:
        return _said(fault, "")
    return record.decisions[seat][decision - 1]


def _said(fault: Fault | None, otherwise: str) -> str:
    return shown(f"{fault.kind}: {fault.detail}") if fault else otherwise
