"""A run, read once from its store and summed up: what every page is made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena import registry
from arena.blocks import by_luck
from arena.model import (
    BlockId,
    Bot,
    Event,
    Fault,
    FaultKind,
    MatchId,
    Outcome,
    Rating,
    Ratings,
    Record,
    Round,
)
from arena.report.course import Point, course
from arena.report.ranking import Played, Ranking, by_round, rank, whole_rounds
from arena.report.site import match_path
from arena.report.tally import NOTABLE, BotTally, EventTally
from arena.standings.columns import Columns
from arena.standings.head_to_head import HeadToHead, Saved, variance_saved
from arena.standings.rows import StandingsRow
from arena.standings.scores import SeatEffect, seat_effects
from arena.store import Store

ALL_REPLAYS = 2000
"""Replays of all matches are written up to this number of matches; of a larger run only a sample."""
SAMPLE = 200


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of an event's table: who, where and how good, and what it did."""

    bot: Bot
    row: StandingsRow
    tally: BotTally

    @property
    def rank(self) -> int:
        return self.row.rank

    @property
    def rating(self) -> Rating:
        return self.row.rating

    @property
    def blocks(self) -> int:
        return self.row.share.blocks if self.row.share else 0

    def placed(self, place: int) -> int:
        """How often it took this place."""
        return self.row.places[place - 1] if place <= len(self.row.places) else 0


@dataclass(frozen=True, slots=True)
class EventSummary:
    """One event: its settings, its table and its sums."""

    event: Event
    ranking: Ranking
    table: tuple[Standing, ...]
    ratings: Ratings
    pairs: HeadToHead
    seats: tuple[SeatEffect, ...]
    saved: Saved
    course: Mapping[str, tuple[Point, ...]]
    tally: EventTally
    played: Played
    """Of a Swiss or a knockout the rounds that are through; nothing elsewhere."""
    rounds: tuple[Round, ...]
    voids: Mapping[BlockId, str]
    preflight: Mapping[str, Fault | None]
    notes: tuple[str, ...]
    blocks_asked: int

    @property
    def missing(self) -> int:
        """Blocks asked for so far that are neither played nor void."""
        return max(0, self.blocks_asked - self.tally.blocks - len(self.voids))


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A whole run."""

    folder: Path
    meta: Mapping[str, Any]
    events: tuple[EventSummary, ...]
    notes: tuple[str, ...]
    replays: frozenset[MatchId] | None
    """The matches of which a replay is written; None: all."""

    @property
    def name(self) -> str:
        report = self.meta.get("report") or {}
        return str(report.get("title") or self.meta.get("name") or self.folder.name)

    @property
    def missing(self) -> int:
        return sum(event.missing for event in self.events)

    def replay(self, match: MatchId) -> str | None:
        """Where the replay of a match is, from the site's folder; None where none is written."""
        return match_path(match) if self.replays is None or match in self.replays else None

    @property
    def running(self) -> bool:
        """More is to come: the runner has not said that it is through."""
        return not self.meta.get("finished", self.missing == 0)


def read_run(folder: Path, each: Callable[[Record], None] | None = None) -> RunSummary:
    """The run in this folder, in one pass over its records; `each` is called with every one, in order.

    UsageError when it is no run folder.
    """
    with Store.open(folder) as store:
        meta = store.meta
        events = tuple(_read_event(store, event, meta, each) for event in store.events())
        notes = tuple(text for event, text in store.notes() if event is None)
    mode = str((meta.get("report") or {}).get("replays") or "all")
    return RunSummary(folder, meta, events, notes, chosen_replays(mode, events))


def chosen_replays(mode: str, events: Sequence[EventSummary]) -> frozenset[MatchId] | None:
    """Which replays to write: `all` (of a run too large for that: as for `sample`), `faults`, `sample`
    (each bot's best, worst and closest matches and its first faults), `none`."""
    if mode == "none":
        return frozenset()
    if mode == "all" and sum(event.tally.matches for event in events) <= ALL_REPLAYS:
        return None
    bots = [bot for event in events for bot in event.tally.bots.values()]
    if mode == "faults":
        return frozenset(fault.line.match for bot in bots for fault in bot.listed_faults)
    chosen: set[MatchId] = set()
    for nth in range(NOTABLE):
        for bot in bots:
            chosen.update(fault.line.match for fault in bot.listed_faults[nth : nth + 1])
            for notable in (bot.best, bot.worst, bot.closest):
                chosen.update(entry[1] for entry in notable[nth : nth + 1])
            if len(chosen) >= SAMPLE:
                return frozenset(chosen)
    return frozenset(chosen)


def _read_event(
    store: Store, event: Event, meta: Mapping[str, Any], each: Callable[[Record], None] | None
) -> EventSummary:
    higher_wins = registry.games.get(event.game).higher_wins
    tally = EventTally(event, higher_wins)
    outcomes: list[Outcome] = []
    of_round: dict[int, list[Outcome]] = {}
    # One pass gives both, so that a run that goes on meanwhile cannot make the table and the sums differ.
    rounds = store.rounds(event.index)
    for record in store.records(event.index):
        tally.add(record)
        outcomes.append(outcome_of(record))
        of_round.setdefault(record.match.round, []).append(outcomes[-1])
        if each is not None:
            each(record)
    settings = meta.get("ratings") or {}
    model = registry.ratings.get(settings.get("model") or "bradley_terry")
    anchor = settings.get("anchor")
    bots = tuple(bot.id for bot in event.bots)
    alike = by_luck(event, outcomes)
    ratings = model(alike, bots, anchor if anchor in bots else None)
    columns = Columns.of(alike, bots)
    played = by_round(rounds, of_round)
    voids = {block: why for block, why in store.voids().items() if block.event == event.index}
    whole = whole_rounds(played, voids)
    ranking = rank(event, played, whole, columns, ratings, higher_wins, settings.get("rank_by"))
    known = {bot.id: bot for bot in event.bots}
    return EventSummary(
        event=event,
        ranking=ranking,
        table=tuple(Standing(known[row.bot], row, tally.bots[row.bot]) for row in ranking.rows),
        ratings=ratings,
        pairs=HeadToHead(columns),
        seats=seat_effects(columns),
        saved=variance_saved(columns),
        course=course(alike, model, bots, anchor if anchor in bots else None),
        tally=tally,
        played=whole if event.format in ("swiss", "knockout") else (),
        rounds=rounds,
        voids=voids,
        preflight=store.preflight(event.index),
        notes=tuple(text for index, text in store.notes() if index == event.index),
        blocks_asked=sum(len(pairing.deals) for round_ in rounds for pairing in round_.pairings),
    )


def outcome_of(record: Record) -> Outcome:
    """What ratings need of a record; scores are None where a fault makes them mean nothing."""
    return Outcome(
        match=str(record.match),
        block=str(record.block),
        bots=record.seats,
        placings=record.placings,
        scores=None if any(record.faults) else record.scores,
        points=record.points,
        absent=tuple(
            bot
            for bot, fault in zip(record.seats, record.faults, strict=True)
            if fault and fault.kind is FaultKind.START
        ),
    )
