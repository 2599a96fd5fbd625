"""One match as a replay: as the judge saw it, or as one seat did."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.model import Fault, Json, Record
from arena.report import replay, words
from arena.report.boards import picture
from arena.report.site import Link, match_path


@dataclass(frozen=True, slots=True)
class SeatHead:
    """Who sat there and how it ended."""

    seat: int
    bot: Link
    place: str
    score: str
    fault: str
    detail: str
    me: bool


@dataclass(frozen=True, slots=True)
class DecisionView:
    anchor: str
    """`d` seat `-` number: links from a fault lead here."""
    seat: int
    action: str
    note: str
    """What was asked, what was legal, the time taken, and whether a stand-in decided."""
    fault: str


@dataclass(frozen=True, slots=True)
class StepView:
    number: int
    lines: tuple[str, ...]
    decisions: tuple[DecisionView, ...]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A way to look: `href` is None for the one in use."""

    text: str
    href: str | None
    seat: str
    """The seat's number, empty for the judge."""


@dataclass(frozen=True, slots=True)
class MatchPage:
    match: str
    title: str
    lead: str
    seats: tuple[SeatHead, ...]
    views: tuple[Viewpoint, ...]
    steps: tuple[StepView, ...]
    data: Json
    """For the script: game, viewer, names, a picture a step, and for the judge each seat's decisions."""


def view_of(
    record: Record,
    names: Mapping[str, str],
    links: Mapping[str, str | None],
    seat: int | None = None,
    moments: replay.Moments | None = None,
) -> MatchPage:
    """The view of a match for the judge or a seat; `links` lead to the bots' pages, `moments` are what
    `replay.play` gives.

    A seat's view holds nothing that the seat did not know by the end of the match.
    """
    steps, pictures, made = [], [], []
    for step in replay.steps_of(record, seat, moments):
        steps.append(_step(record, step))
        pictures.append(picture(record.game, step.view, step.events))
        made.append(list(step.made))
    shown = tuple(names[bot] for bot in record.seats)
    return MatchPage(
        match=str(record.match),
        title=" · ".join(shown),
        lead=_lead(record, seat),
        seats=tuple(_heads(record, shown, links, seat)),
        views=tuple(_views(record, shown, seat)),
        steps=tuple(steps),
        data={
            "game": record.game,
            "seat": seat,
            "names": list(shown),
            "pictures": pictures,
            **({"made": made} if seat is None else {}),
        },
    )


def _lead(record: Record, seat: int | None) -> str:
    where = (
        f"{words.game_name(record.game)}, round {record.match.round}, table {record.match.table}, "
        f"deal {record.match.deal}, seating {record.match.seating}."
    )
    return where + (
        " As the judge saw it: every card is known." if seat is None else f" As seat {seat} saw it."
    )


def _heads(
    record: Record, names: tuple[str, ...], links: Mapping[str, str | None], viewer: int | None
) -> Iterator[SeatHead]:
    for seat, bot in enumerate(record.seats):
        fault = record.faults[seat]
        # What a bot answered may show its cards: it is for the judge and for its own seat.
        detail = words.plain(fault.detail) if fault and viewer in (None, seat) else ""
        yield SeatHead(
            seat=seat,
            bot=Link(names[seat], links[bot]),
            place=f"{record.placings[seat]}.",
            score=words.number(record.scores[seat]),
            fault=_fault(fault),
            detail=detail,
            me=seat == viewer,
        )


def _fault(fault: Fault | None) -> str:
    return str(fault.kind) if fault else ""


def _views(record: Record, names: tuple[str, ...], viewer: int | None) -> Iterator[Viewpoint]:
    here = match_path(record.match).rpartition("/")[2]
    yield Viewpoint("The judge", None if viewer is None else here, "")
    for seat, name in enumerate(names):
        href = match_path(record.match, seat).rpartition("/")[2]
        yield Viewpoint(f"Seat {seat} · {name}", None if seat == viewer else href, str(seat))


def _step(record: Record, step: replay.Step) -> StepView:
    return StepView(
        number=step.number,
        lines=replay.told(record, step),
        decisions=tuple(_decision(record, decision) for decision in step.decisions),
    )


def _decision(record: Record, decision: replay.Decision) -> DecisionView:
    fault = record.faults[decision.seat]
    here = fault is not None and decision.number == max(1, fault.decision)
    return DecisionView(
        anchor=f"d{decision.seat}-{decision.number}",
        seat=decision.seat,
        action=decision.action,
        note="".join(
            (
                f"{decision.kind}, of {' '.join(decision.legal)}",
                "" if decision.think_ms is None else f" · {words.milliseconds(decision.think_ms)}",
                " · by the stand-in" if decision.stand_in else "",
            )
        ),
        fault=f"{fault.kind}: {words.plain(fault.detail)}" if here and fault else "",
    )
