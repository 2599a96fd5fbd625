"""A record to steps: what happened, who decided what, how the table looked, to the judge or to one seat."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from arena import registry
from arena.errors import ArenaError
from arena.model import Game, Json, Record


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer: `number` counts the seat's decisions from 1; `think_ms` is None where it is not known."""

    seat: int
    number: int
    kind: str
    legal: tuple[str, ...]
    action: str
    think_ms: float | None
    stand_in: bool
    """The bot had failed before, or failed here: a stand-in decided."""


@dataclass(frozen=True, slots=True)
class Step:
    """The decisions that one turn of the table takes, what then was seen, and the view after it.

    `made` counts each seat's decisions up to then, in the judge's steps only: after n of them the seat is at
    its own step n.
    """

    number: int
    decisions: tuple[Decision, ...]
    events: tuple[Json, ...]
    view: Json
    made: tuple[int, ...] = ()


Moments = Iterable[tuple[Game, Decision | None]]


def start_of(record: Record) -> Game:
    """The position before the first decision of a record."""
    rules: type[Game] = registry.games.get(record.game)
    return rules.from_chance(len(record.seats), record.chance, record.options)


def steps_of(record: Record, seat: int | None = None, moments: Moments | None = None) -> Iterator[Step]:
    """All steps as the judge (None) or a seat knew them, from number 0, the table before the first decision.

    `moments`: what `play` gives, for a caller that looks at one record from several sides. ArenaError when
    the record does not fit the rules.
    """
    moments = _positions(record) if moments is None else moments
    return _judge_steps(moments, len(record.seats)) if seat is None else _seat_steps(moments, seat)


def play(record: Record) -> Moments:
    """Every position of a record with the decision that led to it; None for the first."""
    return tuple(_positions(record))


def _judge_steps(moments: Moments, seats: int) -> Iterator[Step]:
    """A step ends when something happens, so choices made at the same time are one step."""
    number, known, pending = 0, 0, list[Decision]()
    made = [0] * seats
    for position, decision in moments:
        if decision is not None:
            pending.append(decision)
            made[decision.seat] += 1
        events = position.events(None, known)
        if decision is None or events or position.turn is None:
            known += len(events)
            yield Step(number, tuple(pending), events, position.view(None), tuple(made))
            number, pending = number + 1, []


def _seat_steps(moments: Moments, seat: int) -> Iterator[Step]:
    """A step ends when the seat is asked, and at the end of the match: the views are those that its bot got.

    So not even the number of steps tells of another seat's decision that was hidden from this one.
    """
    number, known = 0, 0
    pending: tuple[Decision, ...] = ()
    for position, decision in moments:
        if decision is not None and decision.seat == seat:
            pending = (decision,)
        if position.turn in (seat, None):
            events = position.events(seat, known)
            known += len(events)
            yield Step(number, pending, events, position.view(seat))
            number, pending = number + 1, ()


def _positions(record: Record) -> Iterator[tuple[Game, Decision | None]]:
    position = start_of(record)
    yield position, None
    made = [0] * len(record.seats)
    while (mover := position.turn) is not None:
        if made[mover] >= len(record.decisions[mover]):
            raise ArenaError(f"match {record.match}: the record ends before the game does")
        decision = _decision(record, position, mover, made[mover])
        made[mover] += 1
        position = position.play(decision.action)
        yield position, decision


def decision_at(record: Record, seat: int, number: int) -> Decision | None:
    """A seat's decision of this number, counted from 1; None when the match ended before it."""
    decisions = (decision for _, decision in _positions(record) if decision is not None)
    return next((d for d in decisions if d.seat == seat and d.number == number), None)


def _decision(record: Record, position: Game, seat: int, made: int) -> Decision:
    fault = record.faults[seat]
    times = record.timings[seat].think_ms if record.timings else ()
    return Decision(
        seat=seat,
        number=made + 1,
        kind=position.kind,
        legal=position.legal(),
        action=record.decisions[seat][made],
        think_ms=times[made] if made < len(times) else None,
        stand_in=fault is not None and made + 1 >= fault.decision,
    )


def told(record: Record, step: Step) -> tuple[str, ...]:
    """The step's events in English, one line each."""
    rules: type[Game] = registry.games.get(record.game)
    return tuple(rules.tell(event) for event in step.events)


def view_lines(view: Json) -> Iterator[tuple[str, str]]:
    """Any game's view as names and values in words, for games without a board of their own."""
    for key, value in view.items():
        if key not in ("seat", "options", "history", "events"):
            yield key.replace("_", " "), _in_words(value)


def _in_words(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_in_words(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(
            f"({_in_words(v)})" if isinstance(v, (list, tuple, dict)) else _in_words(v) for v in value
        )
    return str(value)
