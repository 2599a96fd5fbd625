"""Small real runs on disk: real games, real records, a real store; only the bots are functions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from random import Random

from arena.blocks import blocks_of
from arena.match import play_match
from arena.model import (
    BlockResult,
    Bot,
    Event,
    Fault,
    FaultKind,
    Limits,
    Outcome,
    Pairing,
    Request,
    Round,
    Setup,
    Timing,
)
from arena.options import settle
from arena.registry import formats, games
from arena.store import Store

Played = tuple[tuple[Round, tuple[Outcome, ...]], ...]
Choice = Callable[[Request, Random], "str | Fault"]


def by_chance(request: Request, rng: Random) -> str:
    return rng.choice(request.legal)


def last_legal(request: Request, rng: Random) -> str:
    return request.legal[-1]


def first_legal(request: Request, rng: Random) -> str:
    return request.legal[0]


def failing(kind: FaultKind, detail: str, at: float = 0.2) -> Choice:
    """A bot that plays by chance and fails at any decision with this probability."""

    def choose(request: Request, rng: Random) -> str | Fault:
        return Fault(kind, 0, detail) if rng.random() < at else rng.choice(request.legal)

    return choose


@dataclass(slots=True)
class Chooser:
    """A player in this process with made-up times that its seed gives."""

    choose: Choice
    times: list[float] = field(default_factory=list)
    rng: Random = field(default_factory=Random)

    def start(self, setup: Setup) -> Fault | None:
        self.rng = Random(setup.seed)
        return None

    def ask(self, request: Request) -> str | Fault:
        self.times.append(round(self.rng.lognormvariate(0.0, 1.0), 3))
        return self.choose(request, self.rng)

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None: ...

    def close(self) -> Timing:
        return Timing(sum(self.times), sum(self.times), tuple(self.times))


def event_of(
    game: str,
    bots: Sequence[tuple[str, str]],
    seats: int = 2,
    index: int = 0,
    name: str = "",
    **options: object,
) -> Event:
    """An event between bots given as (id, name)."""
    return Event(
        index=index,
        name=name or game,
        game=game,
        seats=seats,
        options=settle(games.get(game).options, options),
        bots=tuple(
            Bot(bot_id, shown, f"{i:064x}", Path("bots") / f"{bot_id}.py", author="Ada" if i == 0 else "")
            for i, (bot_id, shown) in enumerate(bots)
        ),
        format="round_robin",
        format_options={},
        limits=Limits(),
        seed=7 + index,
    )


def round_robin(event: Event, deals: int) -> Round:
    """Every table that the bots can make, on so many deals each."""
    ids = [bot.id for bot in event.bots]
    pairings = [
        Pairing(table, tuple(bots), range(table * deals, (table + 1) * deals), reason="all tables are played")
        for table, bots in enumerate(combinations(ids, event.seats))
    ]
    return Round(1, tuple(pairings))


def run_on_disk(
    folder: Path,
    events: Sequence[tuple[Event, int]],
    choices: dict[str, Choice],
    *,
    stop_after: int | None = None,
    **meta: object,
) -> Path:
    """Play the events, each on so many deals a table; bots without a choice play by chance.

    A format other than `round_robin` asks for its own rounds and deals.
    """
    facts = {
        "name": "Autumn cup",
        "seed": 7,
        "versions": {"arena": "0.1.0"},
        "finished": stop_after is None,
        **meta,
    }
    with Store.create(folder, facts, [event for event, _ in events]) as store:
        for event, deals in events:
            if event.format == "round_robin":
                _play(store, event, round_robin(event, deals), choices, stop_after)
                continue
            played: Played = ()
            while round_ := formats.get(event.format).next_round(event, played):
                _play(store, event, round_, choices, stop_after)
                played = (*played, (round_, store.round_outcomes(event.index, round_.number)))
    return folder


def _play(
    store: Store, event: Event, round_: Round, choices: dict[str, Choice], stop_after: int | None
) -> None:
    store.add_round(event.index, round_)
    for block in blocks_of(event, round_)[:stop_after]:
        records = []
        for seating, seats in enumerate(block.seatings):
            players = [Chooser(choices.get(bot, by_chance)) for bot in seats]
            records.append(play_match(event, block.id.match(seating), seats, players))
        store.commit(BlockResult(block, tuple(records)))
