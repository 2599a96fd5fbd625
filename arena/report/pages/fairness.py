"""Seats and fairness: what a seat was worth, meetings, what the sandbox held, what was left out."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.report import frame, words
from arena.report.site import Page
from arena.report.summary import EventSummary, RunSummary


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """Mean points of a seat less one half, in hundredths, with its interval drawn from -scale to +scale."""

    seat: str
    value: str
    score: str
    low: float
    at: float
    high: float
    sure: bool


@dataclass(frozen=True, slots=True)
class Exclusion:
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class FairnessPage:
    title: str
    seats: tuple[SeatEffect, ...]
    scale: str
    seat_words: str
    meetings: str
    saved: str
    faults: tuple[tuple[str, str], ...]
    exclusions: tuple[Exclusion, ...]
    tier: str
    weaker: bool
    guarantees: tuple[tuple[str, str], ...]


def pages(run: RunSummary) -> Iterator[Page]:
    for event in run.events:
        path = frame.event_path(event.event.index, "fairness")
        title = f"Fairness · {frame.event_title(event)}"
        yield Page(path, "fairness.html.j2", frame.make(run, title, path, event), view_of(run, event))


def view_of(run: RunSummary, event: EventSummary) -> FairnessPage:
    """The view of one event's fairness."""
    effects, scale = seat_effects(event)
    tier, weaker, guarantees = sandbox(run)
    return FairnessPage(
        title=frame.event_title(event),
        seats=effects,
        scale=words.number(scale),
        seat_words=seat_words(effects),
        meetings=meetings(event),
        saved=saved(event),
        faults=fault_counts(event),
        exclusions=exclusions(event),
        tier=tier,
        weaker=weaker,
        guarantees=guarantees,
    )


def seat_effects(event: EventSummary) -> tuple[tuple[SeatEffect, ...], float]:
    """One line a seat, and the half-width of their common scale in hundredths of a point."""
    known = [effect.points for effect in event.seats]
    reach = max((100 * (abs(e.value) + (e.half_width or 0)) for e in known), default=0.0)
    scale = next((float(step) for step in (1, 2, 5, 10, 20, 50) if step >= reach), 100.0)
    found = []
    for effect in event.seats:
        above = effect.score is not None and effect.score.value > 0
        value, half = effect.points.value, effect.points.half_width or 0.0
        found.append(
            SeatEffect(
                seat=f"Seat {effect.seat}",
                value=words.signed(100 * value, 1) + (f" ± {words.number(100 * half, 1)}" if half else ""),
                score="+" * above + words.estimate(effect.score, 2),
                low=_place(100 * (value - half), scale),
                at=_place(100 * value, scale),
                high=_place(100 * (value + half), scale),
                sure=effect.points.half_width is not None and abs(value) > half + 1e-9,
            )
        )
    return tuple(found), scale


def _place(value: float, scale: float) -> float:
    return round(50 + 50 * max(-1.0, min(1.0, value / scale)), 2)


def seat_words(effects: tuple[SeatEffect, ...]) -> str:
    if not effects:
        return "No match without a fault has been played yet."
    sure = [effect.seat.lower() for effect in effects if effect.sure]
    if not sure:
        return (
            "No seat was surely better than another. Every bot of a block sat in every seat, so none gains."
        )
    verb = "was worth" if len(sure) == 1 else "were worth"
    rest = "Every bot of a block sat in every seat, so none gains by it."
    return f"{words.listed(sure).capitalize()} {verb} surely more or less than an even share. {rest}"


def meetings(event: EventSummary) -> str:
    """The smallest and the largest number of matches that two bots had with each other."""
    bots = len(event.event.bots)
    counts = [met.share.matches for pair in event.pairs if (met := event.pairs[pair]) is not None]
    if not counts:
        return "No two bots have met yet."
    low = min(counts) if len(counts) == bots * (bots - 1) // 2 else 0
    if low == max(counts):
        return f"Every two bots met in {words.count(low, 'match', 'matches')}."
    return f"Two bots met in {low} to {words.count(max(counts), 'match', 'matches')}."


def saved(event: EventSummary) -> str:
    """What duplicate deals saved, as measured in this run."""
    if event.saved.exact:
        return (
            "No block differed from another at all: playing each deal from every seat left no chance in it."
        )
    if event.saved.factor is None:
        return "Not known: it takes pairs that met in two blocks or more of several matches."
    return (
        f"Playing each deal from every seat was worth {words.number(event.saved.factor, 1)} times as many "
        "matches on deals of their own: the variance of a pair’s score difference, had its "
        "matches been independent, over the measured one."
    )


def fault_counts(event: EventSummary) -> tuple[tuple[str, str], ...]:
    kinds: dict[str, int] = {}
    for tally in event.tally.bots.values():
        for kind, number in tally.faults.items():
            kinds[kind] = kinds.get(kind, 0) + number
    return tuple((kind, words.number(number)) for kind, number in sorted(kinds.items()))


def exclusions(event: EventSummary) -> tuple[Exclusion, ...]:
    """Blocks that are void, bots that did not start: whatever is not in the table as it might be."""
    names = event.tally.names
    found = [
        Exclusion(names.get(bot, bot), f"could not be started: {words.plain(fault.detail)}")
        for bot, fault in event.preflight.items()
        if fault is not None
    ]
    return (*found, *(Exclusion(f"block {block}", words.plain(why)) for block, why in event.voids.items()))


def sandbox(run: RunSummary) -> tuple[str, bool, tuple[tuple[str, str], ...]]:
    """The tier in force, whether it is a weaker one, and each guarantee in words."""
    known = run.meta.get("sandbox") or run.meta.get("jail") or {}
    if not isinstance(known, dict):
        return str(known), str(known) != "A", ()
    tier = str(known.get("tier", "")) or "not recorded"
    held = known.get("guarantees") or {}
    lines = held.items() if isinstance(held, dict) else [(str(line), "") for line in held]
    return tier, tier in ("B", "C", "D"), tuple((words.plain(str(key)), _held(value)) for key, value in lines)


def _held(value: object) -> str:
    return "holds" if value is True else "does not hold" if value is False else words.plain(str(value))
